/**
 * Names of the reference framework that have no meaning in a service without sessions and login pages, with the
 * sentence that says so: objects, classes by their simple name, and properties.
 */
export const notOffered: ReadonlyMap<string, string> = new Map([
  ...["authc", "FormAuthenticationFilter", "PassThruAuthenticationFilter"].map(
    (name) => [name, "Form login is not offered: there are no sessions and no login page; use authcBasic"] as const,
  ),
  ...["logout", "LogoutFilter"].map(
    (name) => [name, "There is nothing to log out of: there are no sessions; remove the filter"] as const,
  ),
  ...["loginUrl", "successUrl", "unauthorizedUrl", "redirectUrl"].map(
    (name) => [name, "There are no redirects to pages: a refused request gets 401 or 403; remove the line"] as const,
  ),
  ...["sessionManager", "sessionDAO", "sessionMode", "subjectDAO", "DefaultWebSessionManager"].map(
    (name) => [name, "There are no sessions; remove the line"] as const,
  ),
  ...["rememberMeManager", "CookieRememberMeManager"].map(
    (name) => [name, "Callers are not remembered by cookies; remove the line"] as const,
  ),
  ...[
    "cacheManager",
    "MemoryConstrainedCacheManager",
    "EhCacheManager",
    "authenticationCachingEnabled",
    "authorizationCachingEnabled",
    "cachingEnabled",
  ].map((name) => [name, "Answers of realms are reused as each realm declares; remove the line"] as const),
  ...["Md5CredentialsMatcher", "Sha1CredentialsMatcher"].map(
    (name) => [name, "MD5 and SHA-1 are broken and not offered; use PasswordMatcher with a newer hash"] as const,
  ),
  ["filterOncePerRequest", "A request passes a chain once, there are no forwards; remove the line"],
]);

/** The sentence for a name, a class name, or the last part of a property path. */
export function whyNotOffered(name: string): string | undefined {
  return notOffered.get(name) ?? notOffered.get(name.slice(name.lastIndexOf(".") + 1));
}
