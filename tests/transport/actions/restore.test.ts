/**
 * The action `restore`, and the effects of a restore that are visible over the network;
 * `tests/core/backup` has its effects on a console.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Tag } from "../../../core/backup/tags.ts";
import { documentOf, entriesOf, gzip, packed, tarOf } from "../../core/backup/archives.ts";
import {
  act,
  formFile,
  heldStore,
  startService,
  stillClock,
  type TestConsole,
  type TestService,
  tokens,
  unlimitedWith,
  until,
} from "../../service.ts";

const started = (options: TestConsole = {}) =>
  startService({ configuration: unlimitedWith(), ...options });

function restore(service: TestService, archive: Uint8Array, Tags: string, name = "backup.bin") {
  const parameters = { Tags, Token: tokens.admin, file: formFile(archive, name) };
  return act(service, "restore", parameters, "multipart");
}

async function restored(service: TestService, archive: Uint8Array, tags: string): Promise<void> {
  assertEquals((await restore(service, archive, tags)).json.Error, undefined);
}

const backupOf = (service: TestService, ...tags: Tag[]) => packed(service.console.state, tags);

Deno.test("restore answers the tags; a refusal is an Error that names file or Tags, and changes nothing", async () => {
  await using service = await started({ clock: stillClock() });
  const archive = await documentOf("network.json", {});
  for (const name of ["a.bin", "a.tgz", "a.BIN"]) {
    const { status, json } = await restore(service, archive, "NETWORK", name);
    assertEquals([status, json], [200, {
      Tags: "NETWORK",
      Token: "***",
      file: name,
      Action: "restore",
      Debug: { Firmware: "10.3.0", DurationMs: 0 },
      Restored: ["NETWORK"],
    }]);
  }
  const { state } = service.console;
  const named = "file: expected a backup, named .bin or .tgz";
  const foreign = await gzip(tarOf(entriesOf([{ name: "/etc/passwd" }], ["NETWORK"])));
  const tar = tarOf(entriesOf([{ name: "network.json", content: "{}" }]));
  for (
    const [bytes, tags, name, error] of [
      ...["backup.zip", "backup.bin.exe", "bin", ".binx", ""]
        .map((name) => [archive, "NETWORK", name, named] as const),
      [tar, "NETWORK", "a.tgz", "file: expected a gzip-compressed tar"],
      [foreign, "NETWORK", "a.tgz", 'file: "/etc/passwd" is not a file of a backup'],
      [archive, "NETWORK,SNMP", "a.tgz", "Tags: the archive has no SNMP"],
    ] as const
  ) {
    const { status, json } = await restore(service, bytes, tags, name);
    assertEquals(status, 200);
    assertStringIncludes(json.Error ?? "it was not refused", error);
    assert(service.console.state === state);
  }
});

for (
  const [tag, closes] of [
    ["USERS", true],
    ["FWCONFIG", true],
    ["MXSNAPS", false],
    ["NETWORK", false],
  ] as const
) {
  Deno.test(`a restore of ${tag} ${closes ? "closes the WebSockets with 1012" : "leaves the WebSockets open"}`, async () => {
    await using service = await started();
    const archive = await backupOf(service, tag);
    const socket = await service.open();
    await restored(service, archive, tag);
    if (closes) return assertEquals(await socket.closed, 1012);
    assert((await socket.ask({ method: "get", path: "/general/_uptime" })).success);
  });
}

Deno.test("a backup is named by the device name of NETWORK and the time in the zone of TIMEZONE", async () => {
  const clock = stillClock();
  clock.tick(Date.UTC(2026, 6, 15, 22, 30, 5));
  await using service = await started({ clock });
  await restored(
    service,
    await documentOf("network.json", { deviceName: "Studio_1.b-2" }),
    "NETWORK",
  );
  const zones = { "Asia/Tokyo": "20260716-073005", "America/New_York": "20260715-183005" };
  for (const [zone, stamp] of Object.entries(zones)) {
    await restored(service, await documentOf("timezone.json", { zone }), "TIMEZONE");
    const { headers } = await act(service, "backup", { Tags: "LOG", Token: tokens.admin });
    const name = `backup-Studio_1.b-2-${stamp}.bin`;
    assertEquals(headers.get("content-disposition"), `attachment; filename="${name}"`);
  }
});

Deno.test("limits of a restored configuration are in force at once", async () => {
  const limits = { rest: { burst: 0 }, tree: { perSecond: 1 } };
  await using source = await started({ configuration: unlimitedWith({ limits }) });
  await using service = await started();
  await restored(service, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  const get = async () => {
    const answer = await fetch(`${service.url}/api/rest/general/_firmware_version`);
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals([await get(), await get()], [200, 503]);
});

Deno.test("only one restore runs at a time: another is 503 with Retry-After, and its body is not read", async () => {
  const store = heldStore();
  await using service = await started({ store });
  const archive = await backupOf(service, "LOG");
  store.hold();
  const first = restore(service, archive, "LOG");
  await until(() => store.waiting > 0);
  const { status, headers, json } = await restore(service, archive, "LOG");
  assertEquals([status, headers.get("retry-after")], [503, "5"]);
  assertEquals(json.Error, "another restore is under way");
  store.store();
  assertEquals((await first).json.Error, undefined);
  const again = restore(service, archive, "LOG");
  await until(() => store.waiting > 0);
  store.store();
  assertEquals((await again).json.Error, undefined);
});

Deno.test("a client that sends slowly or incompletely does not block the restore of another", async () => {
  await using service = await started();
  const archive = await backupOf(service, "LOG");
  const { hostname, port, host } = new URL(service.url);
  const length = 60 * 1024 * 1024;
  const head = [
    "POST /action/restore HTTP/1.1",
    `host: ${host}`,
    "content-type: multipart/form-data; boundary=x",
    `content-length: ${length}`,
  ];
  const dribbling = await Promise.all(Array.from({ length: 3 }, async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n--x`));
    return connection;
  }));
  try {
    await restored(service, archive, "LOG");
  } finally {
    for (const connection of dribbling) connection.close();
  }
});
