import { bearerIni, goodClaims, makeKey, type SigningKey, sign } from "./bearer-tokens.ts";
import { basic, startService, type TestService } from "./harness.ts";

/** What makes up a user of a test. */
export interface Traits {
  readonly roles?: readonly string[];
  readonly runAsEnabled?: boolean;
}

/** A service in which every way in is open, and that never holds anybody up for failing. */
export interface Entrance extends TestService {
  readonly issuer: SigningKey;
  readonly stranger: SigningKey;
  /** As the user `admin`: `PUT /user/alva`. Fails the test unless the answer is 200. */
  do(request: string, document?: object): Promise<Response>;
  /** Makes a user without a password; gives its name. */
  user(traits?: Traits): Promise<string>;
  /** What `GET /whoami` answers: the name, or the status. */
  whoami(authorization: string, runAs?: string): Promise<string>;
}

const json = { "content-type": "application/json", accept: "application/json" };

export async function openEntrance(): Promise<Entrance> {
  const [issuer, stranger] = await Promise.all([makeKey("ES256"), makeKey("ES256")]);
  const kinora = await startService({ ini: bearerIni({ publicKey: issuer.spki, expectedAudience: "kinora" }) });
  let count = 0;

  async function act(request: string, document?: object): Promise<Response> {
    const [method = "GET", path = "/"] = request.split(" ");
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const answer = await kinora.admin(`/API${path}`, { method, headers: json, ...body });
    if (answer.status !== 200) throw new Error(`${request}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  await act("PUT /configuration/properties", { key: "loginFailuresPerMinute", value: "0" });
  return {
    ...kinora,
    issuer,
    stranger,
    do: act,
    async user({ roles = [], runAsEnabled = true } = {}) {
      count += 1;
      const userName = `user-${count}`;
      await act("POST /user", {
        userName,
        runAsEnabled,
        groupList: { group: roles.map((groupName) => ({ groupName })) },
      });
      return userName;
    },
    async whoami(authorization, runAs) {
      const headers = { authorization, accept: "text/plain", ...(runAs === undefined ? {} : { RunAs: runAs }) };
      const answer = await kinora.fetch("/API/whoami", { headers });
      const text = await answer.text();
      return answer.status === 200 ? text : String(answer.status);
    },
  };
}

/** What one way in hands to a user, and how it is taken back. */
export interface Credential {
  readonly good: string;
  readonly wrong: string;
  readonly expired?: string;
  /** Takes the credential away and leaves the user. */
  readonly remove?: () => Promise<unknown>;
  /** Makes the credential rest and leaves the user. */
  readonly rest?: () => Promise<unknown>;
}

/** Gives a user the credential of one way in. */
export type WayIn = (kinora: Entrance, userName: string) => Promise<Credential>;

async function setPassword(kinora: Entrance, userName: string): Promise<void> {
  const headers = { "content-type": "text/plain" };
  await kinora.admin(`/API/user/${userName}/password`, { method: "PUT", headers, body: "right" });
}

/** Every method of authentication of the specification. */
export const waysIn = {
  async password(kinora, userName) {
    await setPassword(kinora, userName);
    return {
      good: basic(userName, "right"),
      wrong: basic(userName, "wrong"),
      remove: () => kinora.do(`POST /user/${userName}/password/salt`),
    };
  },

  async alias(kinora, userName) {
    await setPassword(kinora, userName);
    const alias = `${userName}@example.org`;
    const path = `/user/${userName}/alias/${encodeURIComponent(alias)}`;
    await kinora.do(`PUT ${path}`);
    return {
      good: basic(alias, "right"),
      wrong: basic(alias, "wrong"),
      remove: () => kinora.do(`DELETE ${path}`),
    };
  },

  async "access key"(kinora, userName) {
    const made = await kinora.do(`POST /user/${userName}/key/`);
    const { id, secret } = (await made.json()) as { readonly id: string; readonly secret: string };
    const path = `/user/${userName}/key/${id}`;
    return {
      good: basic(id, secret),
      wrong: basic(
        id,
        secret.replace(/^./, (first) => (first === "A" ? "B" : "A")),
      ),
      remove: () => kinora.do(`DELETE ${path}`),
      rest: () => kinora.do(`PUT ${path}`, { status: "INACTIVE" }),
    };
  },

  async token(kinora, userName) {
    const token = async () => {
      const answer = await kinora.admin(`/API/user/${userName}/token`, { headers: { accept: "text/plain" } });
      return answer.text();
    };
    const expired = await token();
    kinora.advance(60_000);
    const good = await token();
    return {
      good: `token ${good}`,
      wrong: `token ${"A".repeat(43)}`,
      expired: `token ${expired}`,
      remove: () => kinora.fetch("/API/token", { method: "DELETE", headers: { authorization: `token ${good}` } }),
    };
  },

  async bearer(kinora, userName) {
    const claims = { ...goodClaims(kinora), sub: userName };
    const exp = Math.floor(kinora.now() / 1000) - 31;
    return {
      good: `Bearer ${await sign(kinora.issuer, claims)}`,
      wrong: `Bearer ${await sign(kinora.stranger, claims)}`,
      expired: `Bearer ${await sign(kinora.issuer, { ...claims, exp })}`,
    };
  },
} satisfies Record<string, WayIn>;

export type WayInName = keyof typeof waysIn;
export const wayInNames = Object.keys(waysIn) as readonly WayInName[];
