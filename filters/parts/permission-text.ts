/**
 * Whether a text can be read as a wildcard permission (`domain:action,action:instance`): not empty, not only dividers,
 * and no part that has only commas.
 */
export function isPermission(text: string): boolean {
  const parts = text.trim().replace(/:+$/, "").split(":");
  return parts.join("") !== "" && parts.every((part) => !/^,+$/.test(part));
}
