/** Written by the bundler: a loader for each file of the portable suite, by its path in the project. */
declare module "virtual:test-files" {
  export const testFiles: Readonly<Record<string, () => Promise<unknown>>>;
}

/** The package says where its binary is; it brings no types. */
declare module "workerd" {
  const workerd: { readonly default: string; readonly compatibilityDate: string };
  export default workerd;
}
