/** Composes what items have beside metadata: shapes, files, images; deletion locks; external identifiers. */
import type { RouteTable } from "../http/route-table.ts";
import { addressableDefinition, addressableEntity, addressableFile, addressableLibrary } from "./addressable.ts";
import type { CollectionHooks } from "./collections/collection-environment.ts";
import { deletionLockRoutes } from "./deletion-locks/deletion-lock-routes.ts";
import { createDeletionLocks } from "./deletion-locks/deletion-locks.ts";
import { createLockUpkeep } from "./deletion-locks/lock-upkeep.ts";
import { type EntityIdentifiers, entityIdentifiers } from "./external-ids/entity-identifiers.ts";
import { entityIdentifierRoutes, namespaceRoutes } from "./external-ids/external-id-routes.ts";
import { identifiersRemoved } from "./external-ids/identifiers.ts";
import { externalIdItemHooks, identifiersOfItems } from "./external-ids/item-identifiers.ts";
import type { DefinitionObserver } from "./fields/definition-editing.ts";
import { fileRoutes } from "./files/file-routes.ts";
import { imageKinds, readImageAddresses } from "./images/image-address.ts";
import { imageRoutes } from "./images/image-routes.ts";
import { imageItemHooks, imagesOfItems } from "./images/item-images.ts";
import type { ItemDocumentEnvironment } from "./items/item-documents.ts";
import type { ItemHooks } from "./items/item-hooks.ts";
import { addSystemWrite } from "./metadata/system-write.ts";
import { createTransientFields } from "./metadata/transient-fields.ts";
import { createRelatedIndex } from "./search/index/related-index.ts";
import { addressableShape } from "./shapes/addressable-shape.ts";
import { allShapeRoutes } from "./shapes/all-shape-routes.ts";
import { createEditShapes } from "./shapes/edit-shapes.ts";
import { shapesOfItems, urisOfItems } from "./shapes/item-media.ts";
import type { ShapeEnvironment } from "./shapes/shape-environment.ts";
import { shapeItemHooks } from "./shapes/shape-item-hooks.ts";

export interface MediaDeps {
  readonly environment: ItemDocumentEnvironment;
  /** Whether deletion locks of items and collections go when they are expired. Default: they stay. */
  readonly removesExpiredLocks?: (() => boolean) | undefined;
}

/** What other domains take from these. */
export interface Media {
  /** To be asked before the hooks of memberships. */
  readonly itemHooks: readonly ItemHooks[];
  readonly collectionHooks: CollectionHooks;
  readonly definitionObserver: DefinitionObserver;
  readonly identifiers: EntityIdentifiers;
  readonly routes: readonly RouteTable[];
  /** Does what is due; gives the milliseconds after which to come back. */
  tick(): Promise<number>;
}

/** Opens them: registers their parts of items, and makes their routes. */
export async function openMedia({ environment, removesExpiredLocks = () => false }: MediaDeps): Promise<Media> {
  const { store, ids, access, content } = environment;
  const transientFields = createTransientFields(environment.index);
  const locks = createDeletionLocks(store);
  const index = createRelatedIndex();
  const addresses = await readImageAddresses(store);
  const identification = { store, transientFields };
  const lockFields = { store, transientFields };
  const shapes: ShapeEnvironment = {
    store,
    ids,
    access,
    transientFields,
    systemWrite: (change, kind, serial, fields) => addSystemWrite(environment, change, { kind, serial }, fields),
    index,
    locks,
  };

  content.register("shape", shapesOfItems(shapes));
  content.register("uri", urisOfItems(shapes));
  content.register("external", identifiersOfItems(identification));
  for (const kind of imageKinds) content.register(kind, imagesOfItems(store, addresses, kind));

  const item = addressableEntity(environment, "item");
  const collection = addressableEntity(environment, "collection");
  const files = [
    addressableFile({ store, ids }, "/file/{fileId}"),
    addressableFile({ store, ids }, "/storage/file/{fileId}"),
  ];
  const identified = {
    environment: identification,
    kinds: [
      item,
      collection,
      addressableLibrary({ store, access, ids }),
      addressableShape(shapes),
      ...files,
      addressableDefinition({ store, ids }, "metadata-field"),
      addressableDefinition({ store, ids }, "field-group"),
    ],
  };
  const lockable = [
    { ...item, type: "item" as const },
    { ...collection, type: "collection" as const },
    ...files.map((file) => ({ ...file, type: "file" as const })),
  ];
  const upkeep = createLockUpkeep({ environment: lockFields, autoRemoveExpired: removesExpiredLocks });

  return {
    itemHooks: [locks.itemHooks, shapeItemHooks(shapes), imageItemHooks, externalIdItemHooks],
    collectionHooks: {
      membersChanged: (change, members) => locks.membershipChanged(change, members),
      async collectionsDeleted(change, collections) {
        await locks.checkDeletable("collection", collections);
        locks.requireDeletable(change, "collection", collections);
        locks.removed(change, "collection", collections);
        identifiersRemoved(change, "collection", collections);
      },
    },
    definitionObserver: {
      fieldChanged(change, before, after) {
        if (before !== undefined && after === undefined) identifiersRemoved(change, "metadata-field", [before.id]);
      },
      groupDeleted: (change, group) => identifiersRemoved(change, "field-group", [group]),
    },
    identifiers: entityIdentifiers(identification),
    routes: [
      ...allShapeRoutes({ environment: shapes, edit: createEditShapes(shapes) }),
      fileRoutes({ store, ids, access, index }),
      imageRoutes({ environment, addresses }),
      namespaceRoutes(identified),
      entityIdentifierRoutes(identified),
      deletionLockRoutes({ environment: lockFields, access, kinds: lockable }),
    ],
    tick: () => upkeep.tick(),
  };
}
