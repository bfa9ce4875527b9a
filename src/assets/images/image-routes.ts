import { URIListDocument, uriLines } from "../../documents/uri-list.ts";
import { KinoraError } from "../../errors.ts";
import { entityTag, namesTag } from "../../http/entity-tag.ts";
import { booleanParameter, intParameter, textParameter } from "../../http/parameters.ts";
import { type AnyRouteRequest, type RouteTable, routes } from "../../http/route-table.ts";
import { repeatWhenRaced } from "../../identity/repeat-when-raced.ts";
import { requireEntity } from "../metadata/entity-access.ts";
import type { MetadataEnvironment } from "../metadata/metadata-environment.ts";
import { type ImageAddresses, type ImageKind, imageKinds } from "./image-address.ts";
import { imageUrl } from "./image-urls.ts";
import {
  addImage,
  imageTimes,
  imageVersions,
  type RemovedImages,
  readImage,
  removeImages,
  type StoredImage,
} from "./images.ts";
import { addRepresentative, replaceRepresentative } from "./representative.ts";
import { versionParameter } from "./version-parameter.ts";

/** What the routes of thumbnails and posters take from the service. */
export interface ImageRoutesDeps {
  readonly environment: MetadataEnvironment;
  readonly addresses: ImageAddresses;
}

const reads = "_thumbnail_read";
const writes = "_thumbnail_write";
const version = intParameter({ minimum: 0 });
const urlQuery = {
  version,
  url: booleanParameter({ default: false }),
  "noauth-url": booleanParameter({ default: false }),
  baseURI: textParameter(),
};

/** The names in a path that is put together are not in its type. */
interface ImageParams {
  readonly service: string;
  readonly itemId: string;
  readonly time: string;
}

function paramsOf(request: { readonly params: unknown }): ImageParams {
  return request.params as ImageParams;
}

/** Thumbnails and posters: list, read, store, remove; their addresses. */
export function imageRoutes(deps: ImageRoutesDeps): RouteTable {
  const route = routes();
  for (const kind of imageKinds) {
    addResourceRoutes(route, deps, kind);
    addListRoutes(route, deps, kind);
    addImageRoutes(route, deps, kind);
    addOpenRoute(route, deps, kind);
  }
  return route;
}

/** There is one service of thumbnails: the database. @throws KinoraError `not-found` for another */
function requireService({ addresses }: ImageRoutesDeps, service: string): void {
  if (service !== addresses.service) throw new KinoraError("not-found", { type: "thumbnail", id: service });
}

/** The version that an item's media has now. */
async function currentVersion({ environment }: ImageRoutesDeps, item: number): Promise<number> {
  const [row] = await environment.store.query({
    sql: "select coalesce(max(version), 0) as version from shape where item = ?",
    args: [item],
  });
  return Number(row?.version);
}

/** Those of an item's versions, the newest first, that a request means. */
function chosenVersions(versions: readonly number[], choice: number | "latest" | "all"): readonly number[] {
  if (choice === "all") return versions;
  return choice === "latest" ? versions.slice(0, 1) : versions.filter((one) => one === choice);
}

/** `/item/{itemId}/thumbnailresource` and `…/posterresource`: where the images of an item are. */
function addResourceRoutes(route: RouteTable, deps: ImageRoutesDeps, kind: ImageKind): void {
  const { environment, addresses } = deps;
  const path = `/item/{itemId}/${kind}resource` as const;
  const declaration = { output: URIListDocument, plain: uriLines };
  const baseURI = textParameter();

  route.get(
    path,
    {
      summary: `List where the ${kind}s of an item are`,
      role: reads,
      query: { version: versionParameter("latest", "all"), baseURI },
      ...declaration,
    },
    async (request) => {
      const { query, subject } = request;
      const item = await requireEntity(environment, subject, "item", paramsOf(request).itemId, "READ");
      const versions = await imageVersions(environment.store, kind, item);
      const found = chosenVersions(versions, query.version);
      if (found.length === 0) return {};
      const choice = { url: (text: string) => request.url(text), noAuth: false, baseURI: query.baseURI };
      return { uri: found.map((one) => imageUrl(addresses, { kind, item, version: one }, choice)) };
    },
  );

  route.put(
    path,
    {
      summary: `Tell where ${kind}s of an item can be stored`,
      role: writes,
      query: { version: versionParameter("latest"), baseURI },
      ...declaration,
    },
    async (request) => {
      const { query, subject } = request;
      const item = await requireEntity(environment, subject, "item", paramsOf(request).itemId, "WRITE");
      const chosen = query.version === "latest" ? await currentVersion(deps, item) : query.version;
      const choice = { url: (text: string) => request.url(text), noAuth: false, baseURI: query.baseURI };
      return { uri: [imageUrl(addresses, { kind, item, version: chosen }, choice)] };
    },
  );
}

/** `/thumbnail/{service}/{itemId}` and the same for posters. */
function addListRoutes(route: RouteTable, deps: ImageRoutesDeps, kind: ImageKind): void {
  const { environment, addresses } = deps;
  const { store } = environment;
  const path = `/${kind}/{service}/{itemId}` as const;

  route.get(
    path,
    {
      summary: `List the time codes of the ${kind}s of an item, or their addresses`,
      role: reads,
      query: urlQuery,
      output: URIListDocument,
      plain: uriLines,
    },
    async (request) => {
      const { query, subject } = request;
      const { service, itemId } = paramsOf(request);
      requireService(deps, service);
      const item = await requireEntity(environment, subject, "item", itemId, "READ");
      const images = (await imageTimes(store, kind, [item], query.version)).get(item) ?? [];
      const noAuth = query["noauth-url"];
      if (!query.url && !noAuth) return { uri: images.map(({ time }) => time) };
      const choice = { url: (text: string) => request.url(text), noAuth, baseURI: query.baseURI };
      return { uri: images.map((image) => imageUrl(addresses, image, choice)) };
    },
  );

  route.delete(
    path,
    { summary: `Remove the ${kind}s of an item, or of one version`, role: writes, query: { version }, output: "none" },
    async (request) => {
      const { service, itemId } = paramsOf(request);
      requireService(deps, service);
      const item = await requireEntity(environment, request.subject, "item", itemId, "WRITE");
      await removal(deps, request, { kind, item, version: request.query.version });
    },
  );
}

/** `…/{time}`: one image. */
function addImageRoutes(route: RouteTable, deps: ImageRoutesDeps, kind: ImageKind): void {
  const { environment } = deps;
  const { store } = environment;
  const path = `/${kind}/{service}/{itemId}/{time}` as const;

  route.get(path, { summary: `Read a ${kind}`, role: reads, query: { version }, output: "bytes" }, async (request) => {
    const { service, itemId, time } = paramsOf(request);
    requireService(deps, service);
    const item = await requireEntity(environment, request.subject, "item", itemId, "READ");
    const shown = request.query.version ?? (await imageVersions(store, kind, item))[0];
    const image = shown === undefined ? undefined : await readImage(store, { kind, item, version: shown, time });
    return imageResponse(request, kind, time, image);
  });

  route.put(
    path,
    {
      summary: `Store a ${kind}, PNG or JPEG`,
      role: writes,
      query: { version },
      input: "bytes",
      output: "text",
    },
    async (request) => {
      const { service, itemId, time } = paramsOf(request);
      requireService(deps, service);
      const item = await requireEntity(environment, request.subject, "item", itemId, "WRITE");
      const chosen = request.query.version ?? (await currentVersion(deps, item));
      await repeatWhenRaced(async () => {
        const change = request.change();
        await addImage(store, change, { kind, item, version: chosen, time }, request.body);
        if (kind === "thumbnail") await addRepresentative(deps, change, { kind, item, version: chosen, time });
        await change.commit();
      });
      return time;
    },
  );

  route.delete(
    path,
    { summary: `Remove a ${kind}`, role: writes, query: { version }, output: "none" },
    async (request) => {
      const { service, itemId, time } = paramsOf(request);
      requireService(deps, service);
      const item = await requireEntity(environment, request.subject, "item", itemId, "WRITE");
      const chosen = request.query.version ?? (await imageVersions(store, kind, item))[0];
      if ((await removal(deps, request, { kind, item, version: chosen, time })) === 0)
        throw new KinoraError("not-found", { type: kind, id: time });
    },
  );
}

/** Removes images; answers how many there were. */
function removal(deps: ImageRoutesDeps, request: Pick<AnyRouteRequest, "change">, removed: RemovedImages) {
  return repeatWhenRaced(async () => {
    const change = request.change();
    if (removed.kind === "thumbnail") await replaceRepresentative(deps, change, removed);
    removeImages(change, removed);
    const results = await change.commit();
    return results.at(-1)?.rowsAffected ?? 0;
  });
}

/** `/APInoauth/…`: one image, by an address that the service has given out. */
function addOpenRoute(route: RouteTable, { environment, addresses }: ImageRoutesDeps, kind: ImageKind): void {
  const { store } = environment;
  route.get(
    `/APInoauth/${kind}/{service}/{itemId}/{time}`,
    {
      summary: `Read a ${kind} without login, by an address with a hash`,
      role: "open",
      query: { version, hash: textParameter() },
      output: "bytes",
    },
    async (request) => {
      const { service, itemId, time } = paramsOf(request);
      const { hash, version: shown = 0 } = request.query;
      const item = store.ids.parse(itemId);
      // One answer to a wrong hash, whatever exists.
      const place = { kind, item: item ?? 0, version: shown, time };
      if (hash === undefined || service !== addresses.service || !addresses.isHash(place, hash)) {
        throw new KinoraError("not-found", { type: kind, id: time });
      }
      return imageResponse(request, kind, time, await readImage(store, place));
    },
  );
}

type ImageRequest = Pick<AnyRouteRequest, "header" | "accepts" | "id">;

/** @throws KinoraError `not-found`; `not-acceptable` when the client does not take the type that is stored */
function imageResponse(request: ImageRequest, kind: ImageKind, time: string, image: StoredImage | undefined): Response {
  if (image === undefined) throw new KinoraError("not-found", { type: kind, id: time });
  if (!request.accepts(image.type)) {
    throw new KinoraError("not-acceptable", { explanation: `The image is kept as ${image.type}` });
  }
  const etag = entityTag(image.hash.slice(0, 24), image.type);
  const headers = {
    etag,
    vary: "accept",
    // It may be replaced, and access to it may end.
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  };
  const known = request.header("if-none-match");
  if (known !== undefined && namesTag(known, etag)) return new Response(null, { status: 304, headers });
  const body = image.parts.length === 1 ? image.parts[0] : new Blob([...image.parts]);
  return new Response(body ?? null, { headers: { ...headers, "content-type": image.type } });
}
