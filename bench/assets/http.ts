import type { ItemSearch } from "../../src/assets/search/documents/item-search-document.ts";
import { platform } from "../../src/runtime/platform-node.ts";
import { createServiceOn, type Service } from "../../src/service.ts";
import type { Database } from "../../src/store/database.ts";

/** The whole service in this process, without a network in front. */
export interface Http {
  get(path: string): Promise<unknown>;
  search(query: ItemSearch, parameters: string): Promise<unknown>;
  /** Creates a collection with these items in it; answers its serial. */
  collect(name: string, items: readonly number[]): Promise<number>;
  /** Creates a placeholder item; `document` is a MetadataDocument in JSON. */
  create(document: string): Promise<unknown>;
  readonly service: Service;
}

const password = "bench-password";

export async function openHttp(database: Database): Promise<Http> {
  const service = await createServiceOn(platform, {
    database,
    adminPassword: password,
    extDir: "no-such-folder",
    ticking: false,
    accessLog: false,
  });
  const headers = {
    authorization: `Basic ${btoa(`admin:${password}`)}`,
    accept: "application/json",
    "content-type": "application/json",
  };
  const send = async (method: string, path: string, body?: string) => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const response = await service.fetch(request);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };
  return {
    service,
    get: (path) => send("GET", path),
    search: (query, parameters) => send("PUT", `/API/item?number=100${parameters}`, JSON.stringify(query)),
    async collect(name, items) {
      const { id } = JSON.parse(await send("POST", `/API/collection?name=${name}`)) as { readonly id: string };
      const content = items.map((serial) => ({ id: `VX-${serial}`, type: "item", mode: "add" }));
      await send("PUT", `/API/collection/${id}`, JSON.stringify({ content }));
      return Number(id.slice("VX-".length));
    },
    create: (document) => send("POST", "/API/import/placeholder?container=1", document),
  };
}
