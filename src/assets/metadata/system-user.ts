/** The user that stands at what the service itself writes. */
export const systemUser = "system";
