/** One role: a special group that can be neither created nor deleted through the API and depends on nothing. */
export interface RoleDeclaration {
  readonly name: string;
  /** What it allows, for `GET /group?role=true` and the reference page. Sentence case, no final period. */
  readonly description: string;
}

function readWrite(entity: string, things: string): RoleDeclaration[] {
  return [
    { name: `_${entity}_read`, description: `Read ${things}` },
    { name: `_${entity}_write`, description: `Create, change and delete ${things}` },
  ];
}

/** Entities that have notifications, as they stand in role names, with the words for a person. */
const notificationEntities: readonly (readonly [string, string])[] = [
  ["item", "items"],
  ["collection", "collections"],
  ["group", "groups"],
  ["job", "jobs"],
  ["storage", "storages"],
  ["storage_file", "files of storages"],
  ["file", "files"],
  ["quota", "quota rules"],
  ["document", "documents"],
  ["deletion_lock", "deletion locks"],
  ["placeholder", "placeholders"],
];

/**
 * Every role that exists, with its description. First start creates those that are missing; nothing else creates a
 * role. Names: the public API's where one is known, else `_<entity>_read` and `_<entity>_write`.
 */
export const roles: readonly RoleDeclaration[] = [
  { name: "_administrator", description: "Do everything: holds every other role" },
  { name: "_runas", description: "Act as another user by the RunAs header, and validate users' passwords" },
  { name: "_user", description: "Marks users that came from a directory; allows nothing by itself" },
  { name: "_super_access_user", description: "Start jobs of priority IMMEDIATE above the concurrency limits" },
  { name: "_configuration_read", description: "Read the configuration" },
  { name: "_user_read", description: "Read users" },
  { name: "_user_metadata_write", description: "Change the metadata of one's own user" },
  ...readWrite("group", "groups and their members"),
  ...readWrite("item", "items"),
  { name: "_item_id_read", description: "Read the identifiers of items" },
  { name: "_item_uri", description: "Read addresses of the files of items" },
  { name: "_item_shape_read", description: "Read the shapes of items" },
  { name: "_import", description: "Import files, and create placeholder items" },
  ...readWrite("metadata", "the metadata of items and collections"),
  { name: "_metadata_global_write", description: "Change global metadata" },
  ...readWrite("metadata_field", "metadata fields"),
  ...readWrite("metadata_field_group", "groups of metadata fields"),
  ...readWrite("shape", "shapes"),
  ...readWrite("shape_tag", "shape tags"),
  ...readWrite("thumbnail", "thumbnails and posters"),
  ...readWrite("file", "files"),
  ...readWrite("storage", "storages"),
  ...readWrite("storage_group", "storage groups"),
  ...readWrite("storage_rule", "storage rules"),
  ...readWrite("auto_import", "rules for automatic import"),
  ...readWrite("resource", "resources, such as transcoders"),
  ...readWrite("collection", "collections"),
  ...readWrite("library", "libraries"),
  ...readWrite("document", "metadata documents"),
  ...readWrite("relation", "relations between items"),
  ...readWrite("external_id", "external identifiers and their namespaces"),
  ...readWrite("sequence", "sequences"),
  ...readWrite("job", "jobs"),
  ...readWrite("taskdefinition", "task definitions and job types"),
  ...readWrite("accesscontrol", "access control lists"),
  ...readWrite("deletion_lock", "deletion locks"),
  ...readWrite("quota", "quota rules"),
  { name: "_vxa_read", description: "Read storage agents" },
  { name: "_site_read", description: "Read sites" },
  { name: "_export", description: "Export items" },
  ...notificationEntities.flatMap(([entity, things]) =>
    readWrite(`${entity}_notification`, `notifications of ${things}`),
  ),
];

/** The role that implies every other. */
export const administratorRole = "_administrator";
