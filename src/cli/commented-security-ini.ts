/**
 * What `kinora init` writes: the built-in default, line for line, with comments for whoever edits it. A test holds the
 * lines that count equal to the default.
 */
export const commentedSecurityIni = `# Who may come in, and how. Read at the start of the server; changes need a restart.
#
#   kinora check                                 explains what is wrong in this file
#   kinora check --url /API/item --method PUT    tells what a request goes through
#
# A comment stands on a line of its own. Secrets do not belong in here: \${env:NAME} and \${file:PATH} bring them in.

[main]
# Objects: name = class. A class is a name that comes with the server, or ./file.ts of the ext folder (lib/ext).
# Properties: name.property = value. A $ in front refers to an object that was made above.

# The users, access keys and tokens of the database. This realm must stay.
serviceRealm = com.service.security.auth.DefaultServiceRealm

# Authorization: token <TOKEN>. This filter must stay.
tokenAuth = com.service.security.auth.TokenAuthenticationFilter

# Refuses everything: 403.
deny = com.service.security.auth.DenyFilter

# Authorization: Bearer <JWT>. With allowConfigUpdate administrators can configure it over the API.
oauth2Auth = com.service.security.auth.BearerAuthenticationFilter
oauth2Auth.allowConfigUpdate = true

# Who is asked, in this order. One realm that accepts is enough. To add one of your own:
#
#   staticRealm = ./static-users.ts
#   staticRealm.users = alice:\${env:ALICE_PASSWORD}
#   securityManager.realms = $serviceRealm, $staticRealm
securityManager.realms = $serviceRealm

# The name that browsers show when they ask for a password.
authcBasic.applicationName = serviceRealm

# Paths that cannot be read in one way only are refused before any filter sees them. These three only add to that.
invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false

[urls]
# path = filters. The first line that fits the path decides; a path that no line fits is refused. ** is any depth.
#
#   /API/item/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic, roles[_item_read]
#   /API/configuration/** = deny
#
# [permissive]: missing or wrong credentials of this kind leave the decision to the next filter.
/** = noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic
`;
