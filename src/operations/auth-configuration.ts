import { boolean, document, type Infer, int, list, text } from "../documents/declare.ts";
import { KinoraError } from "../errors.ts";

/** How bearer tokens are validated. */
export const OAuth2ConfigurationDocument = document("OAuth2ConfigurationDocument", {
  x509Certificate: list(text()),
  publicKey: list(text()),
  expectedAudience: text(),
  tokenUser: text(),
  federationMetadataURI: text(),
  federationMetadataInterval: int(),
  validationEndpoint: text(),
  jwksURI: text(),
  expectedIssuer: text(),
  introspectionEndpoint: text(),
  clientId: text(),
  clientSecret: text(),
  requireExp: boolean(),
});
export type OAuth2Configuration = Infer<typeof OAuth2ConfigurationDocument>;

type Member = keyof OAuth2Configuration;

interface Mode {
  readonly name: string;
  /** A document with one of these is of this mode. */
  readonly marks: readonly Member[];
  readonly required: readonly Member[];
  /** What a document of this mode may have beside. */
  readonly allowed: readonly Member[];
}

const claims: readonly Member[] = ["expectedAudience", "tokenUser", "expectedIssuer", "requireExp"];

const modes: readonly Mode[] = [
  {
    name: "static keys",
    marks: ["x509Certificate", "publicKey"],
    required: ["expectedAudience"],
    allowed: claims,
  },
  {
    name: "federation metadata",
    marks: ["federationMetadataURI"],
    required: ["expectedAudience"],
    allowed: ["federationMetadataInterval", ...claims],
  },
  {
    name: "a key set",
    marks: ["jwksURI"],
    required: ["expectedAudience"],
    allowed: ["federationMetadataInterval", ...claims],
  },
  { name: "a validation provider", marks: ["validationEndpoint"], required: [], allowed: ["tokenUser"] },
  {
    name: "introspection",
    marks: ["introspectionEndpoint"],
    required: ["clientId", "clientSecret"],
    allowed: claims,
  },
];

/** Certificates or keys of one document, and characters of one text. */
const mostKeys = 100;
const longestText = 16_384;
const longestInterval = 31_536_000;

/**
 * Checks that a document has the elements of exactly one mode, with values that can be used.
 *
 * @throws KinoraError `invalid-input` that names the element
 */
export function checkAuthConfiguration(configuration: OAuth2Configuration): void {
  const present = (Object.keys(configuration) as Member[]).filter((member) => configuration[member] !== undefined);
  const chosen = modes.filter(({ marks }) => marks.some((mark) => present.includes(mark)));
  const [mode, second] = chosen;
  if (mode === undefined) {
    const all = modes.flatMap(({ marks }) => marks).join(", ");
    refuse("OAuth2ConfigurationDocument", `The document has no mode of validation: it needs one of ${all}`);
  }
  if (second !== undefined) {
    refuse(second.marks[0] ?? "", `The document mixes ${mode.name} with ${second.name}; send the elements of one mode`);
  }
  for (const member of present) {
    if (!mode.marks.includes(member) && !mode.required.includes(member) && !mode.allowed.includes(member)) {
      refuse(member, `The element ${member} does not belong to ${mode.name}`);
    }
  }
  for (const member of mode.required) {
    if (!present.includes(member)) refuse(member, `The element ${member} is needed for ${mode.name}`);
  }
  for (const member of present) checkMember(member, configuration[member]);
}

const addresses: readonly Member[] = [
  "federationMetadataURI",
  "validationEndpoint",
  "jwksURI",
  "introspectionEndpoint",
];

function checkMember(member: Member, value: OAuth2Configuration[Member]): void {
  if (typeof value === "number") {
    if (value < 1 || value > longestInterval) refuse(member, `It must be from 1 to ${longestInterval} seconds`);
    return;
  }
  if (typeof value === "boolean" || value === undefined) return;
  const texts = typeof value === "string" ? [value] : value;
  if (texts.length > mostKeys) refuse(member, `There can be at most ${mostKeys}`);
  for (const text of texts) {
    if (text.trim() === "") refuse(member, "It is empty");
    if (text.length > longestText) refuse(member, `It is longer than ${longestText} characters`);
    if (addresses.includes(member)) checkAddress(member, text);
    if (typeof value !== "string" && !isBase64(text)) refuse(member, "It is not Base64");
  }
}

function checkAddress(member: Member, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") refuse(member, "It is no http or https address");
}

/** Base64 in lines or in one, with or without the lines that PEM puts around it. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text.replace(/-----(?:BEGIN|END) [A-Z0-9 ]+-----/g, ""));
}

function refuse(context: string, explanation: string): never {
  throw new KinoraError("invalid-input", { context, explanation });
}
