import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tagNames } from "../../../core/backup/tags.ts";
import { setGlobalLabel } from "../../../core/labels/setgloballabel.ts";
import { filesIn, gunzip, packed } from "../../core/backup/archives.ts";
import {
  act,
  actionForms,
  demoWith,
  result,
  startService,
  stillClock,
  type TestService,
  tokens,
  unlimitedWith,
} from "../../service.ts";

const EXTRA = "eeeeeeee-00000000-00000000-00000009";

async function fetchBackup({ url }: TestService, tags: string) {
  const response = await fetch(`${url}/action/backup?Tags=${tags}&Token=${tokens.admin}`);
  return new Uint8Array(await response.arrayBuffer());
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

async function saved(service: TestService): Promise<void> {
  for (
    const params of [
      { type: 2, id: "", name: "Morning", writegroups: 1 },
      { type: 2, id: "", name: "Evening", writegroups: 1, mixer: 1 },
      { type: 2, id: "default" },
      { type: 1, id: "", name: "Voice", fader: 1, writegroups: 1 },
      { type: 3, id: "", name: "Loud", fp: 0, writegroups: 1 },
    ]
  ) {
    const writegroups = 1;
    assert((await service.rpc("savesnapshot", { writegroups, ...params })).success);
  }
}

Deno.test("a backup is an attachment, named by device and time, with every form of the request", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const form of actionForms) {
    const parameters = { Tags: "TLS", Token: tokens.admin };
    const { status, headers } = await act(service, "backup", parameters, form);
    assertEquals([status, headers.get("content-type")], [200, "application/octet-stream"]);
    const name = /^attachment; filename="backup-demo-\d{8}-\d{6}\.bin"$/;
    assertMatch(headers.get("content-disposition")!, name);
  }
});

Deno.test("an ordinary tar lists and unpacks a backup: manifest, a file per tag or snapshot, sums", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await saved(service);
  const folder = await Deno.makeTempDir();
  try {
    const bytes = await fetchBackup(service, "ALL");
    await Deno.writeFile(`${folder}/backup.tgz`, bytes);
    const tar = async (...args: string[]) => {
      const { success, stdout } = await new Deno.Command("tar", { args, cwd: folder }).output();
      assert(success);
      return text(stdout).trimEnd().split("\n");
    };
    const names = await tar("tzf", "backup.tgz");
    assertEquals([names[0], names.at(-1)], ["manifest.json", "sums.json"]);
    const ids = ({ type }: { type: number }) =>
      [...service.console.state.snapshots.values()]
        .filter((one) => one.type === type && !one.factory && one.id !== "default")
        .map(({ id }) => id);
    assertEquals(names.slice(1, -1), [
      "fwconfig.json",
      "network.json",
      "timezone.json",
      "tls.pem",
      "services.json",
      "log.json",
      "snmp.json",
      "users.bin",
      ...ids({ type: 2 }).map((id) => `mxsnaps/${id}.sfp`),
      ...[...ids({ type: 1 }), ...ids({ type: 3 })].map((id) => `chsnaps/${id}.sfp`),
      "snapzero.json",
      "aes67config.json",
      "view.json",
    ]);
    await tar("xzf", "backup.tgz");
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
    assertEquals([manifest.format, manifest.device, manifest.firmware], [1, "demo", "10.3.0"]);
    assertEquals(manifest.tags, [...tagNames]);
    assert(Math.abs(Date.parse(manifest.time) - Date.now()) < 60_000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the same state gives the same bytes apart from the time in the manifest", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await saved(service);
  const { state } = service.console;
  const one = await packed(state, tagNames, { time: 1 });
  const same = await packed(state, tagNames, { time: 1 });
  const later = await packed(state, tagNames, { time: 2 });
  assertEquals(one, same);
  const withoutTime = async (bytes: Uint8Array<ArrayBuffer>) =>
    text(await gunzip(bytes)).replace(/"time": "[^"]*"/, "");
  assertEquals(await withoutTime(one), await withoutTime(later));
});

Deno.test("the same state gives the same bytes, whatever its history", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await saved(service);
  const files = async () => {
    const { manifest: _, ...rest } = Object.fromEntries(
      [...filesIn(await gunzip(await fetchBackup(service, "ALL")))]
        .map(([name, bytes]) => [name === "manifest.json" ? "manifest" : name, text(bytes)]),
    );
    return rest;
  };
  const before = await files();
  for (const { id, mixer } of service.console.state.snapshots.values()) {
    const which = { id, ...(id === "default" ? { mixer: mixer! } : {}) };
    const { payload: { result: { snapshotdata } } } = await service.rpc("getsnapshot", which);
    const { content, ...rest } = snapshotdata;
    const reversed = Object.fromEntries(Object.entries(content).reverse());
    const again = { content: reversed, ...rest };
    const { error } = await service.rpc("setsnapshot", { ...which, snapshotdata: again });
    assertEquals(error?.code, id.startsWith("0f0c") ? 7 : undefined, "but for factory snapshots");
  }
  assertEquals(await files(), before);
});

Deno.test("a backup is a consistent picture of one moment, also with writes while it is fetched", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await saved(service);
  const { console } = service;
  const before = console.state;
  const response = await fetch(
    `${service.url}/action/backup?Tags=MXSNAPS,CHSNAPS,SNAPZERO&Token=${tokens.admin}`,
  );
  await result(console, setGlobalLabel(1, "meanwhile"));
  for (const id of before.snapshots.keys()) await service.rpc("removesnapshot", { id });
  const files = filesIn(await gunzip(new Uint8Array(await response.arrayBuffer())));
  const expected = filesIn(await gunzip(await packed(before, ["MXSNAPS", "CHSNAPS", "SNAPZERO"])));
  files.delete("manifest.json");
  expected.delete("manifest.json");
  assertEquals(files, expected);
});

const Token = tokens.admin;
const refused: readonly (readonly [Record<string, string>, string])[] = [
  [{ Token }, "Tags: expected ALL, or some of FWCONFIG, NETWORK,"],
  [{ Tags: "", Token }, "Tags: expected ALL or some of"],
  [{ Tags: "ALL,TLS", Token }, "Tags: no other tag may be"],
  [{ Tags: "TLS,X", Token }, "Tags: expected ALL or some of"],
  [{ Tags: "TLS,TLS", Token }, "Tags: expected each tag once"],
  [{ Tags: "ALL" }, "Token: expected the token of a user, it is missing"],
  [{ Tags: "ALL", Token: EXTRA }, "Token: expected the token of a user"],
  [{ Tags: "ALL", Token: tokens.one }, "only an admin may do this, which user one is not"],
  [{ Tags: "USERS", Token }, "Tags: USERS does not apply to a device of kind other"],
];

for (const name of ["backup", "restore"]) {
  Deno.test(`${name} with wrong Tags, or by a user who is not an admin, is an Error`, async () => {
    const configuration = unlimitedWith({ device: { kind: "other" } });
    await using service = await startService({ configuration });
    const file = new File([await packed(service.console.state, ["TLS"])], "a.bin");
    for (const [parameters, error] of refused) {
      const given = name === "restore" ? { file, ...parameters } : parameters;
      const answer = await act(service, name, given, "multipart");
      assertEquals(answer.status, 200);
      assertStringIncludes(answer.json.Error, error);
    }
  });

  Deno.test(`${name} needs firmware 10.1.0`, async () => {
    for (
      const [firmware, status] of [["10.0.9", 405], ["10.1.0", 200], ["10.3.0.17", 200]] as const
    ) {
      const configuration = unlimitedWith({ device: { firmware } });
      await using service = await startService({ configuration });
      const answer = await act(service, name, { Tags: "", Token }, "multipart");
      assertEquals(answer.status, status);
      if (status === 405) assertStringIncludes(answer.json.Error, "needs firmware 10.1.0");
    }
  });
}

Deno.test("a backup counts for the rate limit of REST requests", async () => {
  const configuration = demoWith({ limits: { rest: { burst: 1 } } });
  await using service = await startService({ clock: stillClock(), configuration });
  const parameters = { Tags: "TLS", Token: tokens.admin };
  assertEquals((await act(service, "backup", parameters)).status, 200);
  assertEquals((await act(service, "backup", parameters)).status, 423);
});
