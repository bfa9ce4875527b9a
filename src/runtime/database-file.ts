/** The path in `file:/absolute`, `file:///absolute` and `file:relative`. */
export function databaseFile(url: string): string {
  const path = url.slice("file:".length).replace(/^\/\/(?=\/)/, "");
  return decodeURIComponent(path.replace(/[?#].*$/, ""));
}
