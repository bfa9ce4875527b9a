/** Printable ASCII: all that can be sent in a quoted string without ambiguity. */
const printable = /^[\x20-\x7e]*$/;

/**
 * A `WWW-Authenticate` value with a quoted realm (RFC 9110, 11.6.1).
 *
 * @throws Error when the realm or the scheme has characters that a header cannot carry
 */
export function challengeOf(scheme: string, realm: string): string {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(scheme)) throw new Error(`"${scheme}" is not the name of a scheme`);
  if (!printable.test(realm)) throw new Error(`applicationName must be printable ASCII text, "${realm}" is not`);
  return `${scheme} realm="${realm.replace(/["\\]/g, "\\$&")}"`;
}
