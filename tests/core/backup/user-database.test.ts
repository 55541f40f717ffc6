import { assert, assertEquals } from "@std/assert";
import { hkdfSync } from "node:crypto";
import sodium from "libsodium-wrappers";
import { openUsers, sealUsers, userKeyOfSite } from "../../../core/backup/user-database.ts";
import { canonicalJson } from "../../../core/json.ts";

const added = { engine: false, may: "operate", created: "2026-10-02T07:30:00.005Z" } as const;
const users = [
  { name: "admin", groups: 255, admin: true, ...added, tokenHash: "a".repeat(64) },
  { name: "Zoë", groups: 5, admin: false, ...added, engine: true, tokenHash: "b".repeat(64) },
];
const guest = {
  name: "guest",
  groups: 1,
  admin: false,
  ...added,
  tokenHash: "c".repeat(64),
  may: "view" as const,
  expires: "2027-02-01T00:00:00.000Z",
};
const SITE = "the key of a site";
const NONCE_BYTES = 24;

Deno.test("users.bin is libsodium's crypto_secretbox under the site's key", async () => {
  await sodium.ready;
  const sealed = await sealUsers(users, SITE);
  const text = sodium.crypto_secretbox_open_easy(
    sealed.subarray(NONCE_BYTES),
    sealed.subarray(0, NONCE_BYTES),
    await userKeyOfSite(SITE),
  );
  assertEquals(new TextDecoder().decode(text), canonicalJson(users));
});

Deno.test("the same users under the same key are the same bytes in each version of faderd", async () => {
  const anna = { name: "anna", groups: 3, admin: true, tokenHash: "0123456789abcdef".repeat(4) };
  assertEquals(
    (await sealUsers([anna as never], "a site key of the tests")).toHex(),
    "b4bdd4f105984fe920dee55dfde758c89606014193b064bee647be06dbea1d036bc301088a101a69469a05fcceeed3" +
      "7f9200d3478cd87c6aa2863bb6de35fb593867a53ccd6922cc063d771373866d043f8913a7a3efbb0b89285e982f7d" +
      "dbc711ad625f9082b4d52f35b1747a577b24547f69e1543eb5b1429687a5d22b329fa1dbd2a93d96efff5256108a5e" +
      "f5164da09bbe9f5e11843dc3ee236ccdaa98c9",
  );
});

Deno.test("a box that libsodium made is opened", async () => {
  await sodium.ready;
  const nonce = sodium.randombytes_buf(NONCE_BYTES);
  const box = sodium.crypto_secretbox_easy(JSON.stringify(users), nonce, await userKeyOfSite(SITE));
  assertEquals(await openUsers(Uint8Array.of(...nonce, ...box), SITE), users);
});

Deno.test("the same users give the same bytes, other users another nonce", async () => {
  const nonce = (bytes: Uint8Array) => [...bytes.subarray(0, NONCE_BYTES)];
  assertEquals(await sealUsers(users, SITE), await sealUsers([...users], SITE));
  const others = await sealUsers(users.slice(1), SITE);
  assert(nonce(others).join() !== nonce(await sealUsers(users, SITE)).join());
});

Deno.test("no name and no hash of a token can be read in users.bin", async () => {
  const text = new TextDecoder("latin1").decode(await sealUsers(users, SITE));
  for (const plain of ["admin", "tokenHash", "aaaa"]) assert(!text.includes(plain), plain);
});

Deno.test("users.bin is opened under the site key that sealed it, and under no other", async () => {
  assertEquals(await openUsers(await sealUsers(users, SITE), SITE), users);
  assertEquals(await openUsers(await sealUsers(users, undefined), undefined), users);
  assertEquals(await openUsers(await sealUsers(users, SITE), "the key of another site"), undefined);
  assertEquals(await openUsers(await sealUsers(users, SITE), undefined), undefined);
});

Deno.test("the key of users.bin is derived from the site key, and is used for nothing else", async () => {
  const derived = hkdfSync("sha512", SITE, "", "faderd user database", 32);
  assertEquals(await userKeyOfSite(SITE), new Uint8Array(derived));
});

Deno.test("users.bin with any bit of it altered is not opened", async () => {
  const sealed = await sealUsers(users, SITE);
  for (let at = 0; at < sealed.length; at++) {
    const altered = sealed.slice();
    altered[at]! ^= 1 << at % 8;
    assertEquals(await openUsers(altered, SITE), undefined, `byte ${at}`);
  }
});

Deno.test("users.bin cut anywhere is not opened", async () => {
  const sealed = await sealUsers(users, SITE);
  for (let length = 0; length < sealed.length; length++) {
    assertEquals(await openUsers(sealed.subarray(0, length), SITE), undefined, `${length} bytes`);
  }
});

const notUsers: Readonly<Record<string, readonly unknown[]>> = {
  "a doubled name": [users[0], { ...users[1], name: "admin" }],
  "a doubled token": [users[0], { ...users[1], tokenHash: "a".repeat(64) }],
  "a name with a line end": [{ ...users[0], name: "a\nb" }],
  "groups over 255": [{ ...users[0], groups: 256 }],
  "an unknown right": [{ ...guest, may: "everything" }],
  "an expiry that is not a time": [{ ...guest, expires: "soon" }],
  "no admin member": [{ name: "a", groups: 1, tokenHash: "a".repeat(64) }],
  "a member too many": [{ ...users[0], token: "x" }],
  "an engine that is not a boolean": [{ ...users[0], engine: 1 }],
  "a created that is not a time": [{ ...users[0], created: "yesterday" }],
  "a hash in capital letters": [{ ...users[0], tokenHash: "A".repeat(64) }],
};

for (const [what, list] of Object.entries(notUsers)) {
  Deno.test(`a user database with ${what} is refused, and the error names the version that can be read`, async () => {
    assertEquals(
      await openUsers(await sealUsers(list as typeof users, SITE), SITE),
      "expected a list of users of version 1, got one of another version: " +
        "restore it with the version of faderd that wrote it",
    );
  });
}

Deno.test("an expiry in the year 10000, which earlier versions stored for 9999-12-31, is read", async () => {
  for (const expires of ["+010000-01-01T00:00:00.000Z", "+010000-01-01T00:30:00.000Z"]) {
    const stored = [{ ...guest, expires }];
    assertEquals(await openUsers(await sealUsers(stored, SITE), SITE), stored);
  }
});

Deno.test("a backup contains the rights of a user and the expiry of the token, but not its last use", async () => {
  const sealed = await sealUsers([{ ...guest, used: "2026-10-02T08:30:00.005Z" }], SITE);
  assertEquals(sealed, await sealUsers([guest], SITE));
  assertEquals(await openUsers(sealed, SITE), [guest]);
});
