/** The configuration that applies when there is no `security.ini`: the specification's, and nothing else. */
export const defaultSecurityIni = `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
deny = com.service.security.auth.DenyFilter
oauth2Auth = com.service.security.auth.BearerAuthenticationFilter
oauth2Auth.allowConfigUpdate = true

securityManager.realms = $serviceRealm
authcBasic.applicationName = serviceRealm

invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false

[urls]
/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic
`;
