export async function checkDocs(): Promise<number> {
  return 0;
}
export async function writeDocs(): Promise<number> {
  return 0;
}
