/** One row of the specification: something that the service must do. */
export interface SpecificationRow {
  /** What tests name in their titles: `[spec: whoami]`. */
  readonly id: string;
  readonly section: string;
  readonly says: string;
  /** The domain is not built yet: storages, jobs, notifications, quota rules and releases come one after the other. */
  readonly planned?: "storage and jobs" | "notifications" | "quota" | "releases";
}

type Row = readonly [id: string, says: string];

function section(title: string, rows: readonly Row[], planned?: SpecificationRow["planned"]): SpecificationRow[] {
  return rows.map(([id, says]) => ({ id, section: title, says, ...(planned === undefined ? {} : { planned }) }));
}

/** Every row of the specification. A test shows a row by naming it in its title: `[spec: id]`. */
export const specification: readonly SpecificationRow[] = [
  ...section("Resources and their fields", [
    [
      "access-key-document",
      "AccessKeyDocument has id, secret, status and created; the secret only when the key is made",
    ],
    ["access-key-created", "created of an access key is an ISO 8601 time with an offset from UTC"],
    ["oauth2-configuration-document", "OAuth2ConfigurationDocument has its seven elements, all optional"],
    ["oauth2-repeated-keys", "x509Certificate and publicKey may be repeated"],
  ]),
  ...section(
    "Notification documents",
    [
      ["notification-document", "NotificationDocument has one action and exactly one trigger"],
      ["job-trigger-elements", "A job trigger has placeholder, filter and contentFilters"],
      ["metadata-trigger-parameters", "A metadata trigger is narrowed by field, interval, language and track"],
    ],
    "notifications",
  ),
  ...section(
    "Quota documents",
    [
      ["quota-rule-document", "QuotaRuleDocument has id, user, storage and resources with limit and usage"],
      ["quota-rule-list-document", "QuotaRuleListDocument repeats rule"],
    ],
    "quota",
  ),
  ...section("States and transitions", [
    ["access-key-disable", "A disabled access key no longer authenticates"],
    ["access-key-delete", "A deleted access key can never be used again"],
  ]),
  ...section("Authentication endpoints", [
    ["get-token", "GET /token gives any authenticated caller a token"],
    ["get-user-token", "GET /user/{user}/token gives a token of the named user"],
    ["validate", "PUT /user/{user}/validate succeeds when the credentials are valid"],
    ["create-access-key", "POST /user/{user}/key/ gives an AccessKeyDocument"],
    ["whoami", "GET /whoami answers 200 with the user name as plain text"],
    ["version", "GET /API/version answers 200 with the version"],
    ["get-configuration-auth", "GET /configuration/auth gives the configuration to _administrator"],
    ["put-configuration-auth", "PUT /configuration/auth replaces the configuration"],
    ["delete-configuration-auth", "DELETE /configuration/auth deletes the configuration"],
  ]),
  ...section(
    "Notification endpoints",
    [
      ["post-job-notification", "POST /job/notification creates a notification"],
      ["post-file-notification", "POST /storage/file/notification creates a notification"],
      ["post-quota-notification", "POST /quota/notification creates a notification"],
      ["import-with-notification", "POST /import takes URL, notification and a MetadataDocument"],
    ],
    "notifications",
  ),
  ...section(
    "Quota endpoints",
    [
      ["post-quota", "POST /quota/ creates a rule and answers with id and usage"],
      ["list-quota", "GET /quota/ lists rules by content, filter and exceeded"],
      ["get-quota", "GET /quota/{rule} gives a rule"],
      ["evaluate-quota", "PUT /quota/{rule}/evaluate recalculates at once"],
      ["delete-quota", "DELETE /quota/{rule} deletes the rule"],
    ],
    "quota",
  ),
  ...section("Operational endpoints", [
    [
      "delete-external-identifier",
      "DELETE {entity_type}/{entity_id}/{identifier_value} removes an external identifier",
    ],
  ]),
  ...section(
    "Operational endpoints",
    [
      ["apiinit", "POST /APIinit creates what a release introduced"],
      ["reindex-acl", "PUT /reindex/acl indexes access control entries again"],
    ],
    "releases",
  ),
  ...section("Authentication methods", [
    ["basic", "Credentials on every request, by HTTP Basic, against the users of the database"],
    ["custom-scheme", "A custom scheme can be installed through the pluggable framework"],
    ["run-as-role", "RunAs needs _administrator or _runas and the Run-As option of the caller"],
    ["run-as-roles-of-user", "With RunAs the roles are those of the user that is named"],
    ["run-as-flow", "Login by validate, then the RunAs header on every call"],
    ["token-header", "A token is sent as Authorization: token <TOKEN>"],
    ["token-limited", "A token is limited in time"],
    ["access-key-basic", "An access key is used with Basic, its id as user name and its secret as password"],
    ["access-keys-several", "A user can have several access keys, and they never expire"],
    ["access-key-secret-once", "The secret of an access key is only in the answer that makes it"],
    ["bearer", "A bearer token is validated by a filter"],
  ]),
  ...section("Pluggable security framework", [
    [
      "security-ini-place",
      "security.ini is read from the instance root or its config folder, else the current directory",
    ],
    ["security-ini-default", "The default configuration has the specified objects and options"],
    [
      "security-ini-url-rule",
      "The URL rule is noSessionCreation, tokenAuth[permissive], oauth2Auth[permissive], authcBasic",
    ],
    ["security-ini-essential", "The token filter and the service realm must stay configured"],
    ["plugin-install", "A custom filter or realm is installed in the ext folder and named in the INI file"],
    ["several-realms", "With several realms a request is accepted when one of them accepts"],
    ["rejected-by-all", "Credentials that every realm rejects are answered with 401"],
  ]),
  ...section("Automatic user creation", [
    ["user-creation", "UserCreationListener creates or updates users after a login through a custom realm"],
    ["user-info-provider", "infoProvider maps the realm's account to a user"],
    ["enable-user-on-login", "enableUserOnLogin enables the user that logs in"],
    ["user-creation-not-bearer", "OAuth 2.0 and automatic user creation do not work together"],
  ]),
  ...section("OAuth 2.0 bearer tokens", [
    ["bearer-static", "Static keys: certificates and public keys, comma-separated"],
    ["bearer-federation", "Federation metadata: certificates are downloaded regularly"],
    ["bearer-validation-endpoint", "Validation provider, its result cached for 10 minutes"],
    ["bearer-keys-in-turn", "Each certificate and public key is tried in turn"],
    ["bearer-sub", "The claim sub must be present"],
    ["bearer-audience", "The claim aud must contain expectedAudience"],
    ["bearer-token-user", "The claim named by tokenUser is the user name"],
  ]),
  ...section("Configuration through the API", [
    ["configuration-auth-administrator", "Only _administrator may use /configuration/auth"],
    ["allow-config-update", "allowConfigUpdate switches the access; without an INI file it is on"],
    ["configuration-auth-one-mode", "Each PUT carries the elements of one mode"],
  ]),
  ...section("Events recorded: items", [
    ["event-item-create", "Item create: itemId, action CREATE"],
    ["event-item-delete", "Item delete: itemId, action DELETE"],
    ["event-item-modify", "Item modify: itemId, changeSetId, one key for each field"],
    ["event-access", "Access create, delete, change: the eight keys with user or group"],
    ["event-shape", "Shape create, modify, delete: notificationType, notificationTrigger, itemId, shapeId"],
  ]),
  ...section("Events recorded: collections and groups", [
    ["event-collection", "Collection create and delete: collectionId and action"],
    ["event-collection-metadata", "Collection metadata: collectionId, changeSetId, one key for each field"],
    ["event-collection-modify", "Collection content: notificationType, notificationTrigger MODIFY, collectionId"],
    ["event-group", "Group create and delete: group, action, username"],
    ["event-group-modify", "Group modify: mode, affectedGroup, affectedUser beside them"],
  ]),
  ...section(
    "Events: jobs, storages, files, and how notifications fire",
    [
      ["event-job", "Job create, stop and update with their keys"],
      ["job-notification-rules", "The five rules of job notifications"],
      ["event-storage", "Storage create and delete"],
      ["event-filename", "Filename generation and its rules"],
      ["event-file", "File new, change, close, delete and hash"],
      ["event-quota", "Quota warning, created and delete"],
    ],
    "notifications",
  ),
  ...section("Errors", [
    ["error-401", "Rejected credentials are answered with 401"],
    ["success-200", "A successful authenticated request is answered with 200"],
  ]),
  ...section("Limits", [
    ["limit-validation-cache", "The validation provider's result is kept for 10 minutes"],
    ["limit-file-descriptors", "Fewer than 50,000 file descriptors on Linux are reported"],
  ]),
  ...section(
    "Limits",
    [["limit-filename", "Generated filenames: letters, digits, underscore, hyphen"]],
    "notifications",
  ),
  ...section("Versioning", [
    ["version-reported", "GET /API/version reports the version"],
    ["cursor-5.5", "A search with cursors always gives a valid cursor; the end is fewer hits or the same cursor"],
    [
      "external-identifiers-unique",
      "External identifiers are unique for each entity type; duplicates stop the migration",
    ],
    ["essence-version-list", "The essence version resource gives an EssenceVersionListDocument"],
    ["index-collection-item-order", "indexCollectionItemOrder orders by the first entry in each collection"],
  ]),
  ...section(
    "Versioning",
    [
      ["upgrade-path", "Upgrades into 4.x need 4.0.x; 5.0 needs 4.17 migrated"],
      ["upgrade-notes", "The notes of each release"],
      ["job-steps-added", "The eleven job steps that releases added"],
    ],
    "releases",
  ),
];
