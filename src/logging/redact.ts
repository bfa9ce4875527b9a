/** What stands in the place of a secret. */
export const redacted = "[redacted]";

const secretName = /(pass(word|phrase|key|wd)?|secret|token|authorization|cookie|credentials?|signature)$/i;

/** Parameters of queries and matrices that carry secrets, as whole names in lower case. */
const secretParameters = new Set([
  "hash",
  "token",
  "passkey",
  "password",
  "secret",
  "access_token",
  "refresh_token",
  "id_token",
  "client_secret",
  "signature",
  "sig",
]);

/** Schemes of credentials in running text: what follows must look like one, not like a word. */
const credentialsInText =
  /\b([Bb]asic|BASIC|[Bb]earer|BEARER|[Tt]oken|TOKEN)([ :]+)(?=[^\s"',]*[A-Z0-9=])[A-Za-z0-9+/._~=:-]{6,}/g;
const parametersInText = new RegExp(`([?&;]|%26|%3b)(${[...secretParameters].join("|")})=[^&;#\\s"'<>]*`, "gi");
const userInUrl = /(\w:\/\/)[^/?#\s"'@]+@/g;

/** Whether a property of this name holds a secret: names that end in password, secret, token, signature … */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** A text without the credentials, secret parameters and URL passwords in it. */
export function redactText(text: string): string {
  return text
    .replace(credentialsInText, `$1$2${redacted}`)
    .replace(parametersInText, `$1$2=${redacted}`)
    .replace(userInUrl, `$1${redacted}@`);
}

/**
 * A request target (path and query as sent) without the values of secret parameters, in the query or in the matrix
 * of a segment; names may be percent-encoded.
 */
export function redactTarget(target: string): string {
  if (!target.includes("=")) return target;
  return target.replace(/([?&;])([^?&;=/#]+)=([^?&;/#]*)/g, (whole, separator: string, name: string) =>
    secretParameters.has(decodedName(name)) ? `${separator}${name}=${redacted}` : whole,
  );
}

function decodedName(name: string): string {
  if (!name.includes("%")) return name.toLowerCase();
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase(); // a broken escape names no parameter
  }
}
