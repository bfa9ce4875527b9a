/** Written by the bundler: a loader for each file of the portable suite, by its path in the project. */
declare module "virtual:test-files" {
  export const testFiles: Readonly<Record<string, () => Promise<unknown>>>;
}
