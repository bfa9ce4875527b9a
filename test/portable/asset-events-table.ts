// Which operation records which events, with which keys. Names in braces stand for what earlier rows keep.

/** Entity, action and keys of a recorded event. */
export type Recorded = readonly [entity: string, action: string, keys: Readonly<Record<string, unknown>>];

export interface Operation {
  /** `PUT /item/{item}/metadata`, below `/API`. */
  readonly sends: string;
  /** Sent as JSON; a text as it is. */
  readonly body?: object | string;
  /** All of them, in any order. */
  readonly records: readonly Recorded[];
  /** Names for parts of the answer: `item.0.id`. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** The service says no. */
  readonly refused?: boolean;
}

/** Stands for any identifier. */
export const anyId = "VX-any";

const untimed = (fields: Readonly<Record<string, string | readonly string[]>>) => ({
  timespan: [
    {
      start: "-INF",
      end: "+INF",
      field: Object.entries(fields).map(([name, values]) => ({
        name,
        value: [values].flat().map((value) => ({ value })),
      })),
    },
  ],
});

const itemEvent = (action: "CREATE" | "DELETE", itemId: string): Recorded => ["item", action, { itemId, action }];
const metadataEvent = (itemId: string, fields: object): Recorded => [
  "metadata",
  "MODIFY",
  { itemId, changeSetId: anyId, ...fields },
];
const shapeEvent = (notificationTrigger: "CREATE" | "MODIFY" | "DELETE", itemId: string, shapeId: string): Recorded => [
  "shape",
  notificationTrigger,
  { notificationType: "shape", notificationTrigger, itemId, shapeId },
];
const collectionEvent = (action: "CREATE" | "DELETE", collectionId: string): Recorded => [
  "collection",
  action,
  { collectionId, action },
];
const contentEvent = (collectionId: string): Recorded => [
  "collection",
  "MODIFY",
  { notificationType: "collection", notificationTrigger: "MODIFY", collectionId },
];
const collectionMetadataEvent = (collectionId: string, fields: object): Recorded => [
  "collection-metadata",
  "MODIFY",
  { collectionId, changeSetId: anyId, ...fields },
];
const accessEvent = (
  entity: readonly [event: string, idKey: string, id: string],
  notificationTrigger: "CREATE" | "CHANGE" | "DELETE",
  entry: object,
): Recorded => {
  const [event, idKey, id] = entity;
  return [event, notificationTrigger, { notificationType: "access", notificationTrigger, [idKey]: id, ...entry }];
};
const itemAccess = (itemId: string) => ["access", "itemId", itemId] as const;

const items: readonly Operation[] = [
  {
    sends: "POST /import/placeholder?container=1",
    body: untimed({ title: "Harbour" }),
    keeps: { item: "id" },
    records: [
      itemEvent("CREATE", "{item}"),
      shapeEvent("CREATE", "{item}", anyId),
      metadataEvent("{item}", { title: "Harbour" }),
    ],
  },
  {
    sends: "POST /import/placeholder",
    keeps: { other: "id" },
    records: [itemEvent("CREATE", "{other}"), shapeEvent("CREATE", "{other}", anyId)],
  },
  {
    sends: "PUT /item/{item}/metadata",
    body: untimed({ no_such: "x" }),
    refused: true,
    records: [],
  },
  {
    sends: "PUT /item/{item}/metadata",
    body: untimed({ title: "One", news_word: ["a", "b"] }),
    records: [metadataEvent("{item}", { title: "One", news_word: ["a", "b"] })],
  },
  {
    sends: "PUT /item/{item}/metadata",
    body: { timespan: [{ start: "1", end: "2", field: [{ name: "news_word", value: [{ value: "timed" }] }] }] },
    records: [metadataEvent("{item}", { news_word: ["a", "b", "timed"] })],
  },
  {
    sends: "PUT /item/{item}/metadata",
    body: { timespan: [{ start: "1", end: "2" }] },
    records: [metadataEvent("{item}", { news_word: ["a", "b"] })],
  },
];

/** Writes of metadata beside the first; where in an answer the metadata is tells items from collections. */
function metadataOf(kind: "item" | "collection", event: (fields: object) => Recorded, at: string): Operation[] {
  const path = `/${kind}/{${kind}}/metadata`;
  const value = `${at}timespan.0.field.0.value.0.uuid`;
  return [
    { sends: `PUT ${path}`, body: untimed({ title: "Two" }), records: [event({ title: "Two" })] },
    { sends: `GET ${path}?field=title`, keeps: { uuid: value, field: value.replace(".value.0", "") }, records: [] },
    {
      sends: `PUT ${path}/entry/{uuid}`,
      body: { value: { value: "Three" } },
      records: [event({ title: "Three" })],
    },
    {
      sends: `PUT ${path}/entry`,
      body: { entry: [{ value: { uuid: "{uuid}", value: "Four" } }] },
      records: [event({ title: "Four" })],
    },
    { sends: `PUT ${path}/move?uuid={field}&start=3&end=4`, records: [event({ title: "Four" })] },
    { sends: `PUT ${path}/move?uuid={field}`, records: [event({ title: "Four" })] },
    {
      sends: `PUT ${path}/changes`,
      body: { changeSet: [{ metadata: untimed({ title: "Five" }) }] },
      keeps: { set: "changeSet.0.id" },
      records: [event({ title: "Five" })],
    },
    {
      sends: `PUT ${path}/changes/{set}`,
      body: untimed({ title: "Six" }),
      records: [event({ title: "Six" })],
    },
    { sends: `PUT ${path}/changes/{set}/trim`, records: [] },
    { sends: `DELETE ${path}/changes/{set}`, records: [event({ title: "Four" })] },
    { sends: `PUT ${path}/changes/trim`, records: [] },
  ];
}

const collections: readonly Operation[] = [
  {
    sends: "POST /collection?name=Rushes",
    keeps: { collection: "id" },
    records: [collectionEvent("CREATE", "{collection}")],
  },
  {
    sends: "POST /collection",
    body: { name: "Whole", metadata: untimed({ news_word: "w" }), content: [{ id: "{other}", type: "item" }] },
    keeps: { inner: "id" },
    records: [
      collectionEvent("CREATE", "{inner}"),
      collectionMetadataEvent("{inner}", { news_word: "w" }),
      contentEvent("{inner}"),
    ],
  },
  {
    sends: "PUT /collection/{collection}/rename?name=Dailies",
    records: [collectionMetadataEvent("{collection}", { title: "Dailies" })],
  },
  { sends: "PUT /collection/{collection}/{item}", records: [contentEvent("{collection}")] },
  { sends: "PUT /collection/{collection}/{item}", records: [] },
  { sends: "PUT /collection/{collection}/{item}?metadata=a=b", records: [contentEvent("{collection}")] },
  { sends: "PUT /collection/{collection}/{inner}?type=collection", records: [contentEvent("{collection}")] },
  { sends: "PUT /collection/{inner}/{collection}?type=collection", refused: true, records: [] },
  {
    sends: "PUT /collection/{collection}/{inner}?type=collection&addItems=true",
    records: [contentEvent("{collection}")],
  },
  {
    sends: "POST /collection/{collection}/order",
    body: { item: [{ id: "{other}", before: "{item}" }] },
    records: [contentEvent("{collection}")],
  },
  {
    sends: "PUT /collection/{collection}",
    body: {
      name: "All",
      content: [
        { id: "{item}", type: "item" },
        { id: "{inner}", type: "collection" },
      ],
    },
    records: [contentEvent("{collection}"), collectionMetadataEvent("{collection}", { title: "All" })],
  },
  { sends: "PUT /collection/{collection}/map-to-folder", records: [] },
  { sends: "PUT /collection/{collection}/folder-name?name=f", records: [] },
  { sends: "DELETE /collection/{collection}/map-to-folder", records: [] },
  { sends: "DELETE /collection/{collection}/{item}?type=item", records: [contentEvent("{collection}")] },
  { sends: "DELETE /collection/{collection}/{item}?type=item", refused: true, records: [] },
];

function accessOf(kind: "item" | "collection" | "library", entity: readonly [string, string, string]): Operation[] {
  const path = `/${kind}/{${kind}}/access`;
  const user = { permission: "READ", user: "ada" };
  const group = { permission: "WRITE", group: "editors" };
  return [
    {
      sends: `POST ${path}`,
      body: user,
      keeps: { entry: "id" },
      records: [accessEvent(entity, "CREATE", { accessId: "{entry}", ...user })],
    },
    {
      sends: `POST ${path}?allowDuplicate=false`,
      body: { ...user, permission: "ALL" },
      records: [accessEvent(entity, "CHANGE", { accessId: "{entry}", ...user, permission: "ALL" })],
    },
    {
      sends: `DELETE ${path}/{entry}`,
      records: [accessEvent(entity, "DELETE", { accessId: "{entry}", ...user, permission: "ALL" })],
    },
    {
      sends: `POST ${path}/bulk`,
      body: { access: [group, user] },
      keeps: { first: "access.0.id", second: "access.1.id" },
      records: [
        accessEvent(entity, "CREATE", { accessId: "{first}", ...group }),
        accessEvent(entity, "CREATE", { accessId: "{second}", ...user }),
      ],
    },
    {
      sends: `DELETE ${path}/bulk`,
      body: { access: [{ id: "{first}" }, { id: "{second}" }] },
      records: [
        accessEvent(entity, "DELETE", { accessId: "{first}", ...group }),
        accessEvent(entity, "DELETE", { accessId: "{second}", ...user }),
      ],
    },
    {
      sends: `PUT ${path}/owner/ada`,
      keeps: { owner: "id" },
      records: [accessEvent(entity, "CHANGE", { accessId: "{owner}", permission: "OWNER", user: "ada" })],
    },
    { sends: `PUT ${path}/owner/ada`, records: [] },
  ];
}

const access: readonly Operation[] = [
  ...accessOf("item", itemAccess("{item}")),
  ...accessOf("collection", ["collection-access", "collectionId", "{collection}"]),
  { sends: "POST /library", body: { item: [{ id: "{item}" }] }, keeps: { library: "uri.0" }, records: [] },
  ...accessOf("library", ["library-access", "libraryId", "{library}"]),
  {
    sends: "POST /item/access",
    body: { user: "ada", permission: "READ" },
    records: ["{item}", "{other}"].map((item) =>
      accessEvent(itemAccess(item), "CREATE", { accessId: anyId, permission: "READ", user: "ada" }),
    ),
  },
  {
    sends: "DELETE /item/access",
    records: ["{item}", "{other}"].map((item) =>
      accessEvent(itemAccess(item), "DELETE", { accessId: anyId, permission: "READ", user: "ada" }),
    ),
  },
  { sends: "PUT /import/access/group/editors?permission=WRITE", records: [] },
  {
    sends: "POST /import/placeholder",
    keeps: { shared: "id" },
    records: [
      itemEvent("CREATE", "{shared}"),
      shapeEvent("CREATE", "{shared}", anyId),
      accessEvent(itemAccess("{shared}"), "CREATE", { accessId: anyId, permission: "WRITE", group: "editors" }),
    ],
  },
  { sends: "DELETE /import/access/group/editors", records: [] },
];

const shapePath = "/item/{item}/shape/{shape}";
const modified = shapeEvent("MODIFY", "{item}", "{shape}");
const componentPath = `${shapePath}/component/{component}`;

const shapes: readonly Operation[] = [
  {
    sends: "POST /item/{item}/shape/create?tag=web",
    body: { containerComponent: { format: "mp4" } },
    keeps: { shape: "id", component: "containerComponent.id" },
    records: [shapeEvent("CREATE", "{item}", "{shape}"), metadataEvent("{item}", { shapeTag: ["original", "web"] })],
  },
  { sends: `PUT ${shapePath}/tag/original`, records: [modified] },
  { sends: `PUT ${shapePath}/tag/original`, records: [] },
  { sends: `DELETE ${shapePath}/tag/original`, records: [modified] },
  { sends: `PUT ${shapePath}/mime/video/mp4`, records: [modified] },
  { sends: `DELETE ${shapePath}/mime/video/mp4`, records: [modified] },
  { sends: `PUT ${shapePath}/filename/VX-1?filename=a.mp4`, records: [modified] },
  { sends: `DELETE ${shapePath}/filename/VX-1`, records: [modified] },
  { sends: `PUT ${shapePath}/metadata`, body: { field: [{ key: "a", value: "b" }] }, records: [modified] },
  { sends: `PUT ${shapePath}/metadata/a`, body: "c", records: [modified] },
  { sends: `DELETE ${shapePath}/metadata/a`, records: [modified] },
  { sends: `DELETE ${shapePath}/metadata`, records: [modified] },
  { sends: `PUT ${componentPath}/metadata`, body: { field: [{ key: "a", value: "b" }] }, records: [modified] },
  { sends: `PUT ${componentPath}/metadata/a`, body: "c", records: [modified] },
  { sends: `DELETE ${componentPath}/metadata/a`, records: [modified] },
  { sends: `DELETE ${componentPath}/metadata`, records: [modified] },
  {
    sends: "POST /storage/file",
    body: { uri: ["https://media.example.org/a.mp4"] },
    keeps: { file: "id" },
    records: [["file", "NEW", { fileId: "{file}", action: "NEW" }]],
  },
  { sends: `PUT ${componentPath}/file/{file}`, records: [modified] },
  { sends: `DELETE ${componentPath}/file/{file}`, records: [modified] },
  { sends: `POST ${shapePath}/component/placeholder?type=video`, keeps: { video: "id" }, records: [modified] },
  {
    sends: "POST /item/{other}/shape/create",
    body: {},
    keeps: { target: "id" },
    records: [shapeEvent("CREATE", "{other}", "{target}")],
  },
  {
    sends: `POST ${componentPath}/copy/item/{other}/shape/{target}`,
    keeps: { copy: "containerComponent.id" },
    records: [shapeEvent("MODIFY", "{other}", "{target}")],
  },
  {
    sends: `POST ${componentPath}/copy/item/{other}/shape/{target}/component/{copy}`,
    keeps: { copy: "containerComponent.id" },
    records: [shapeEvent("MODIFY", "{other}", "{target}")],
  },
  {
    sends: `POST ${componentPath}/move/item/{other}/shape/{target}/component/{copy}`,
    records: [modified, shapeEvent("MODIFY", "{other}", "{target}")],
  },
  {
    sends: `POST ${shapePath}/component/{video}/move/item/{other}/shape/{target}`,
    records: [modified, shapeEvent("MODIFY", "{other}", "{target}")],
  },
  { sends: `PUT ${shapePath}/placeholder?container=1`, records: [modified] },
  { sends: "POST /import/placeholder/{item}/container/adopt/{file}?shapeId={shape}", records: [modified] },
  { sends: `POST ${shapePath}/version`, records: [modified] },
  { sends: `PUT ${shapePath}/version/0`, records: [modified] },
  { sends: "POST /item/{item}/shape/version", records: [shapeEvent("CREATE", "{item}", anyId)] },
  { sends: "POST /item/{item}/shape/version/0", records: [shapeEvent("CREATE", "{item}", anyId)] },
  { sends: "DELETE /item/{item}/shape/version/1", records: [shapeEvent("DELETE", "{item}", anyId)] },
  { sends: `GET ${shapePath}/component`, keeps: { component: "component.0.id" }, records: [] },
  { sends: `DELETE ${componentPath}`, records: [modified] },
  { sends: `DELETE ${shapePath}`, records: [shapeEvent("DELETE", "{item}", "{shape}")] },
  {
    sends: "POST /item/{other}/shape/placeholder?container=1",
    records: [shapeEvent("CREATE", "{other}", anyId)],
  },
  {
    sends: "DELETE /item/{other}/shape",
    records: [
      ...["{target}", anyId, anyId].map((shape) => shapeEvent("DELETE", "{other}", shape)),
      metadataEvent("{other}", { shapeTag: "" }),
    ],
  },
];

/** Changes for which there is no trigger. */
const others: readonly Operation[] = [
  { sends: "PUT /external-id/tapes", body: { pattern: "T-[0-9]+" }, records: [] },
  { sends: "PUT /item/{item}/external-id/T-1", records: [] },
  { sends: "DELETE /item/{item}/T-1", records: [] },
  {
    sends: "POST /item/{item}/deletion-lock",
    body: { expiryTime: "2999-01-01T00:00:00Z" },
    keeps: { lock: "id" },
    records: [],
  },
  { sends: "DELETE /item/{item}", refused: true, records: [] },
  { sends: "DELETE /deletion-lock/{lock}", records: [] },
  { sends: "POST /item/{item}/lock?duration=60", records: [] },
  { sends: "DELETE /item/{item}/lock", records: [] },
  { sends: "POST /item/{item}/relation/{other}?direction=U", records: [] },
  { sends: "DELETE /item/{item}/relation/{other}", records: [] },
  { sends: "PUT /library/{library}/{other}", records: [] },
  { sends: "PUT /item?result=library", body: {}, records: [] },
];

const deletions: readonly Operation[] = [
  { sends: "PUT /collection/{collection}/{library}?type=library", records: [contentEvent("{collection}")] },
  { sends: "DELETE /library/{library}", records: [contentEvent("{collection}")] },
  { sends: "PUT /collection/{collection}/{item}", records: [contentEvent("{collection}")] },
  {
    sends: "DELETE /item/{item}",
    records: [
      itemEvent("DELETE", "{item}"),
      shapeEvent("DELETE", "{item}", anyId),
      shapeEvent("DELETE", "{item}", anyId),
      contentEvent("{collection}"),
    ],
  },
  { sends: "DELETE /item/{item}", refused: true, records: [] },
  {
    sends: "DELETE /item?id={other},{shared},{item}",
    records: [
      itemEvent("DELETE", "{other}"),
      itemEvent("DELETE", "{shared}"),
      shapeEvent("DELETE", "{shared}", anyId),
      contentEvent("{inner}"),
    ],
  },
  {
    sends: "DELETE /collection/{inner}",
    records: [collectionEvent("DELETE", "{inner}"), contentEvent("{collection}")],
  },
  { sends: "DELETE /collection?id={collection},{inner}", records: [collectionEvent("DELETE", "{collection}")] },
];

const documents: readonly Operation[] = [
  {
    sends: "PUT /document/terms",
    body: untimed({ title: "T" }),
    records: [
      ["document", "CREATE", { documentId: anyId, name: "terms", action: "CREATE" }],
      ["document", "MODIFY", { documentId: anyId, changeSetId: anyId, title: "T" }],
    ],
  },
  {
    sends: "DELETE /document/terms",
    records: [["document", "DELETE", { documentId: anyId, name: "terms", action: "DELETE" }]],
  },
  {
    sends: "PUT /metadata",
    body: untimed({ title: "G" }),
    keeps: { uuid: "timespan.0.field.0.value.0.uuid" },
    records: [["global-metadata", "MODIFY", { metadataId: anyId, changeSetId: anyId, title: "G" }]],
  },
  {
    sends: "DELETE /metadata/{uuid}",
    records: [["global-metadata", "MODIFY", { metadataId: anyId, changeSetId: anyId, title: "" }]],
  },
];

/** One after the other: what a row keeps, later ones name. */
export const operations: readonly Operation[] = [
  ...items,
  ...metadataOf("item", (fields) => metadataEvent("{item}", fields), "item.0.metadata."),
  ...collections,
  ...metadataOf("collection", (fields) => collectionMetadataEvent("{collection}", fields), ""),
  ...access,
  ...shapes,
  ...others,
  ...deletions,
  ...documents,
];

/** Writes that record nothing, by their routes. */
export const silent: readonly RegExp[] = [
  // Definitions.
  /^\S+ \/metadata-(field|schema)(\/|$)/,
  /^\S+ \/shape-tag\//,
  // Identifiers of other systems.
  /^\S+ \/external-id\//,
  /^\S+ \/.*\/(external-id(\/\{identifier\})?|id\/\{identifier\})$/,
  /^DELETE \/(item|file)\/\{(entityId|fileId)\}\/\{identifier\}$/,
  // Locks and relations.
  /^\S+ \/.*(deletion-lock|metadata-lock)/,
  /^\S+ \/deletion-lock\//,
  /^\S+ \/item\/\{id\}\/(lock|relation)/,
  /^\S+ \/relation/,
  // Images.
  /^\S+ \/(thumbnail|poster)\//,
  /^\S+ \/item\/\{itemId\}\/(thumbnail|poster)resource$/,
  // Libraries are light-weight: they have no triggers.
  /^\S+ \/library(\/\{id\}(\/settings|\/metadata.*|\/\{itemId\})?)?$/,
  // Profiles of new items.
  /^\S+ \/import\/settings/,
  // Searches and the index.
  /^PUT \/(item|collection|search(\/\w+)?|collection\/\{id\}\/item|item\/\{id\}\/re-index|reindex\/\{index\})$/,
  // Pairs of files; there is no trigger for them.
  /^\S+ \/(storage\/)?file\/\{fileId\}\/metadata/,
  // Not offered.
  /^PUT \/site\//,
];
