import type { PluginContext } from "../../src/plugin/mod.ts";
import { checkClaims, userNameOf } from "./claims.ts";
import { longestToken } from "./compact-token.ts";
import type { BearerConfiguration } from "./configuration.ts";
import { fetchText } from "./fetch-text.ts";
import { strictJsonObject } from "./strict-json.ts";
import { accountOf, type Verdict } from "./verdict.ts";

/** A provider's answer is used again for this long (specification, Limits). */
const keptMs = 10 * 60_000;
/** A refusal, or a failure to ask, is used again for this long. */
const refusalKeptMs = 10_000;
/** Answers of providers are small. Bytes. */
const maximumBytes = 64 * 1024;

/** Asks a validation provider, in an OpenID Connect setting the userinfo endpoint, by a GET with the same token. */
export async function askValidationProvider(
  { validationEndpoint = "", tokenUser = "sub" }: BearerConfiguration,
  context: PluginContext,
  token: string,
): Promise<Verdict> {
  if (!sendable(token)) return refusal(context, "the token cannot be sent on");
  return answered(context, async () => {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const claims = strictJsonObject(await fetchText(context.fetch, validationEndpoint, { headers, maximumBytes }));
    if (claims === undefined) return refusal(context, "the provider's answer is not one JSON object");
    const userName = userNameOf(claims, tokenUser);
    if (userName === undefined) return refusal(context, `the provider's answer has no ${tokenUser}`);
    const expires = typeof claims.exp === "number" ? claims.exp * 1000 : undefined;
    return accepted(context, userName, expires);
  });
}

/** Asks an introspection endpoint (RFC 7662). */
export async function askIntrospection(
  configuration: BearerConfiguration,
  context: PluginContext,
  token: string,
): Promise<Verdict> {
  const { introspectionEndpoint = "", clientId = "", clientSecret = "", tokenUser = "sub" } = configuration;
  const { expectedAudience, expectedIssuer, requireExp = false } = configuration;
  if (!sendable(token)) return refusal(context, "the token cannot be sent on");
  return answered(context, async () => {
    const credentials = btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    const text = await fetchText(context.fetch, introspectionEndpoint, {
      method: "POST",
      headers: {
        authorization: `Basic ${credentials}`,
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
      maximumBytes,
    });
    const claims = strictJsonObject(text);
    if (claims?.active !== true) return refusal(context, "the token is not active");
    const rules = { expectedAudience, expectedIssuer, tokenUser, requireExp, requireSub: false };
    const checked = checkClaims(claims, rules, context.now());
    return "refused" in checked
      ? refusal(context, checked.refused)
      : accepted(context, checked.userName, checked.expires);
  });
}

/** RFC 6750, 2.1: what a bearer token may be made of. */
function sendable(token: string): boolean {
  return token.length <= longestToken && /^[A-Za-z0-9._~+/-]+=*$/.test(token);
}

async function answered(context: PluginContext, ask: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refusal(context, `the provider cannot be asked: ${reason}`);
  }
}

function refusal({ now }: PluginContext, refused: string): Verdict {
  return { refused, usableUntil: now() + refusalKeptMs };
}

function accepted(context: PluginContext, userName: string, expires: number | undefined): Verdict {
  const now = context.now();
  if (expires !== undefined && expires <= now) return refusal(context, "the token has expired");
  return {
    account: accountOf(userName, expires),
    usableUntil: Math.min(now + keptMs, expires ?? Number.POSITIVE_INFINITY),
  };
}
