import { intParameter, type Parameter } from "../../http/parameters.ts";

const number = intParameter({ minimum: 0 });

/** Of which version images are meant: a number, or one of some words, in any letter case. Default `latest`. */
export function versionParameter<Word extends "latest" | "all">(...words: readonly Word[]): Parameter<number | Word> {
  return {
    expected: `${words.join(", ")} or ${number.expected}`,
    repeatable: false,
    required: false,
    default: "latest",
    parse: (texts) => words.find((word) => word === texts[0]?.toLowerCase()) ?? number.parse(texts),
  };
}
