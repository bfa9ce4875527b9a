import { afterAll, beforeAll, expect, test } from "vitest";
import { json, openTestApi, plain, type Send, type TestApi } from "./identity-api.ts";

let api: TestApi;
let keyId: string;
beforeAll(async () => {
  api = await openTestApi();
  for (const request of ["PUT /user/alva", "PUT /user/bo", "PUT /group/a", "PUT /group/b"]) await api.admin(request);
  keyId = ((await (await api.admin("POST /user/alva/key")).json()) as { id: string }).id;
});
afterAll(() => api.close());

/** Each of these changes who may log in or what they may do; in this order each works. */
const mutations: readonly (readonly [string, Send?])[] = [
  ["POST /user", json({ userName: "new" })],
  ["PUT /user/newer"],
  ["PUT /user/alva", json({ realName: "Alva" })],
  ["PUT /user/newer", json({ userName: "renamed" })],
  ["PUT /user/alva/realname", plain("Alva L")],
  ["PUT /user/alva/password", plain("secret")],
  ["POST /user/alva/password/salt", { accept: "*/*" }],
  ["PUT /user/alva/alias/x"],
  ["DELETE /user/alva/alias/x"],
  ["PUT /user/alva/groups", json({ group: [{ groupName: "a" }] })],
  ["POST /user/alva/key"],
  ["PUT /user/alva/key/{key}", json({ status: "INACTIVE" })],
  ["DELETE /user/alva/key/{key}"],
  ["DELETE /user/alva"],
  ["PUT /user/alva/enable"],
  ["PUT /group/c"],
  ["PUT /group/a/group/b"],
  ["DELETE /group/a/group/b"],
  ["PUT /group/_user_read/user/bo"],
  ["DELETE /group/_user_read/user/bo"],
  ["PUT /group/c", json({ userList: { user: [{ userName: "bo" }] } })],
  ["DELETE /group/c"],
  ["DELETE /group?name=b"],
  ["DELETE /user/alva?hard=true"],
  ["PUT /configuration/auth", json({ validationEndpoint: "https://x.example/u" })],
  ["DELETE /configuration/auth"],
];

test("every change of users, groups, keys and bearer configuration drops what caches hold", async () => {
  const version = () => api.store.versions.fresh("security", 0);
  for (const [request, send] of mutations) {
    const before = await version();
    const answer = await api.admin(request.replace("{key}", keyId), send);
    expect(answer.status, request).toBe(200);
    expect(await version(), request).toBe(before + 1);
    expect(api.store.versions.current("security"), request).toBe(before + 1);
  }
});

test("what changes nobody's rights leaves caches alone", async () => {
  const before = await api.store.versions.fresh("security", 0);
  for (const [request, send] of [
    ["PUT /user/bo/metadata/a", plain("b")],
    ["GET /token", {}],
    ["PUT /configuration/cors", json({})],
  ] as const) {
    expect((await api.admin(request, send)).status, request).toBe(200);
  }
  expect(await api.store.versions.fresh("security", 0)).toBe(before);
});
