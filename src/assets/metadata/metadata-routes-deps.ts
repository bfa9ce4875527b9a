import type { AnyRouteRequest } from "../../http/route-table.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { EditMetadata, Editor } from "./metadata-editing.ts";
import type { MetadataEnvironment } from "./metadata-environment.ts";

/** What the routes of metadata take from the service. */
export interface MetadataRoutesDeps {
  readonly environment: MetadataEnvironment;
  readonly edit: EditMetadata;
}

/** An edit in the name of a request's caller. */
export function editorOf(request: Pick<AnyRouteRequest, "change"> & { readonly subject: Subject }): Editor {
  return { subject: request.subject, change: () => request.change() };
}
