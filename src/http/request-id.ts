/** A response with the request's id, which every answer carries. Copied: the headers of some cannot be changed. */
export function withRequestId(response: Response, id: string): Response {
  if (response.headers.has("x-request-id")) return response;
  const headers = new Headers(response.headers);
  headers.set("x-request-id", id);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
