/** Data of tests, imported as text. */
declare module "*?raw" {
  const text: string;
  export default text;
}
