import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { concat } from "@std/bytes/concat";
import { setSnapshot, verifySnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { canonicalJson } from "../../../core/snapshots/canonical.ts";
import type { Snapshot } from "../../../core/snapshots/snapshot.ts";
import { macOfSite, sealSnapshot } from "../../../core/snapshots/snapshotdata.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { sealUsers } from "../../../core/backup/user-database.ts";
import { granted } from "../../core/actors.ts";
import { entriesOf, type Entry, gzip, packed, tarOf } from "../../core/backup/archives.ts";
import {
  act,
  type ActionAnswer,
  formFile,
  startService,
  type TestService,
  tokens,
  unlimitedWith,
} from "../../service.ts";

const ID = "0f0c0002-0000-4000-8000-00000000000a";
const SNAPSHOT = `mxsnaps/${ID}.sfp`;
const PEM = { name: "tls.pem", content: "" };
const CERTIFICATE = {
  name: "tls.pem",
  content: ["CERTIFICATE", "PRIVATE KEY"]
    .map((label) => `-----BEGIN ${label}-----\nAA==\n-----END ${label}-----\n`).join(""),
};
const NETWORK = { name: "network.json", content: "{}" };
const BLOCK = 512;
const later = { name: "anna", groups: 1, admin: true, tokenHash: "a".repeat(64), rooms: [1] };

/** A JSON list of so many zeros. */
function zeros(count: number): string {
  return `[${Array(count).fill(0).join()}]`;
}

function restore(
  service: TestService,
  archive: Uint8Array,
  Tags: string,
  name = "backup.bin",
): Promise<ActionAnswer> {
  const parameters = { Tags, Token: tokens.admin, file: formFile(archive, name) };
  return act(service, "restore", parameters, "multipart");
}

/** That an archive is refused for a reason, and nothing is changed by it. */
async function assertRefused(
  service: TestService,
  archive: Uint8Array,
  reason: string,
  tags = "NETWORK",
): Promise<void> {
  const before = service.console.state;
  const { status, json } = await restore(service, archive, tags);
  assertEquals(status, 200);
  assertStringIncludes(json.Error ?? "it was not refused", reason);
  assert(json.Error.startsWith("file: "), json.Error);
  assert(json.Error.length < 20_000);
  assert(service.console.state === before);
}

async function snapshotFile(
  siteKey?: string,
  altered?: (data: Record<string, unknown>) => void,
  forged: Partial<Snapshot> = {},
) {
  const snapshot = {
    id: ID,
    number: 7,
    type: 2,
    name: "Morning",
    readgroups: 0,
    writegroups: 1,
    mixer: 0,
    factory: false,
    content: JSON.stringify({ faders: { 0: { fader: -12 } } }),
    ...forged,
  } as const;
  const data = { ...await sealSnapshot(snapshot, await macOfSite(siteKey)) };
  altered?.(data as unknown as Record<string, unknown>);
  return { name: SNAPSHOT, content: JSON.stringify({ number: 7, snapshotdata: data }) };
}

const deep = `${"[".repeat(1000)}${"]".repeat(1000)}`;
const right = entriesOf([NETWORK]);
const [manifest, , sums] = right as [Entry, Entry, Entry];
const manifestOf = (change: (manifest: Record<string, unknown>) => void): Entry => {
  const parsed = JSON.parse(manifest.content as string);
  change(parsed);
  return { ...manifest, content: JSON.stringify(parsed) };
};
const sumsOf = (change: (sums: Record<string, unknown>[]) => void): Entry => {
  const parsed = JSON.parse(sums.content as string);
  change(parsed);
  return { ...sums, content: JSON.stringify(parsed) };
};
const between = (...entries: Entry[]) => [manifest, NETWORK, ...entries, sums];

/** What is wrong, the entries of the archive, the reason that is given, the tag that is wanted. */
const cases: Readonly<Record<string, readonly [readonly Entry[], string, string?]>> = {
  "an absolute path": [between({ name: "/etc/passwd", content: "x" }), '"/etc/passwd" is no file'],
  "a path with ..": [between({ name: "../network.json" }), '"../network.json" is no file'],
  "a path with .. inside": [
    between({ name: `mxsnaps/../../${ID}.sfp` }),
    "is no file of a backup",
  ],
  "a symbolic link": [
    between({ name: "tls.pem", type: "2", link: "/etc/passwd" }),
    '"tls.pem" is no plain file but a symlink',
  ],
  "a hard link": [
    between({ name: "tls.pem", type: "1", link: "network.json" }),
    '"tls.pem" is no plain file but a link',
  ],
  "a character device": [between({ name: "tls.pem", type: "3" }), "but a character-device"],
  "a block device": [between({ name: "tls.pem", type: "4" }), "but a block-device"],
  "a fifo": [between({ name: "tls.pem", type: "6" }), "but a fifo"],
  "an empty document": [
    entriesOf([{ name: "network.json", content: "" }]),
    "network.json is empty",
  ],
  "a folder": [between({ name: "mxsnaps/", type: "5" }), "but a directory"],
  "a doubled entry": [between(NETWORK), "network.json is there twice"],
  "a doubled manifest": [between(manifest), '"manifest.json" is no file of a backup'],
  "a long name by a GNU entry": [
    between({ name: "././@LongLink", type: "L", content: "/etc/passwd\0" }, { name: "x" }),
    '"/etc/passwd" is no file of a backup',
  ],
  "a pax header that renames": [
    between({ name: "pax", type: "x", content: "20 path=/etc/passwd\n" }, { name: "tls.pem" }),
    '"/etc/passwd" is no file of a backup',
  ],
  "a wrong checksum in a tar header": [
    [manifest, { ...NETWORK, wrongSum: true }, sums],
    "expected a whole gzip-compressed tar: Invalid tar header checksum",
  ],
  "no manifest": [[NETWORK, sums], "the first file is not manifest.json"],
  "a manifest that is not first": [[NETWORK, manifest, sums], "the first file is not manifest"],
  "no entry at all": [[], "manifest.json is missing"],
  "no sums": [[manifest, NETWORK], "sums.json is missing"],
  "an entry after the sums": [[...right, NETWORK], '"network.json" stands after sums.json'],
  "a manifest that is no JSON": [[{ ...manifest, content: "{" }, NETWORK, sums], "is no JSON"],
  "a manifest that is null": [[{ ...manifest, content: "null" }, NETWORK, sums], "manifest.json"],
  "a manifest 1,000 levels deep": [[{ ...manifest, content: deep }, NETWORK, sums], "is no JSON"],
  "another format version": [
    [manifestOf((one) => one.format = 2), NETWORK, sums],
    "expected an archive of format 1, got 2",
  ],
  "a manifest with a member too many": [
    [manifestOf((one) => one.extra = 1), NETWORK, sums],
    "manifest.json: extra",
  ],
  "a manifest with an unknown tag": [
    [manifestOf((one) => one.tags = ["NETWORK", "NOPE"]), NETWORK, sums],
    "manifest.json: tags.1",
  ],
  "a manifest with a doubled tag": [
    [manifestOf((one) => one.tags = ["NETWORK", "NETWORK"]), NETWORK, sums],
    "names a tag twice",
  ],
  "a manifest that promises a tag whose file is missing": [
    [manifestOf((one) => one.tags = ["NETWORK", "TLS"]), NETWORK, sums],
    "tls.pem is missing",
  ],
  "a manifest that is silent about a tag": [
    between(PEM),
    "tls.pem is there, but manifest.json has no TLS",
  ],
  "sums of a file that is missing": [
    [manifest, NETWORK, sumsOf((list) => list.push({ name: SNAPSHOT, bytes: 1, crc32: 1 }))],
    `${SNAPSHOT} is missing`,
  ],
  "sums that lack a file": [
    [manifest, NETWORK, sumsOf((list) => list.pop())],
    "network.json is not in sums.json",
  ],
  "sums with another length": [
    [manifest, NETWORK, sumsOf(([one]) => one!.bytes = 3)],
    "network.json is not what sums.json says",
  ],
  "sums with another CRC-32": [
    [manifest, NETWORK, sumsOf(([one]) => one!.crc32 = 3)],
    "network.json is not what sums.json says",
  ],
  "sums 1,000 levels deep": [[manifest, NETWORK, { ...sums, content: deep }], "is no JSON"],
  "a file that is larger than its kind": [
    entriesOf([{ name: "network.json", content: new Uint8Array(256 * 1024 + 1) }]),
    "network.json: expected at most 262144 bytes, got 262145",
  ],
  "a header that claims 8 GiB": [
    [manifest, { ...NETWORK, size: 8 * 2 ** 30 - 1 }],
    "network.json: expected at most 262144 bytes",
  ],
  "a manifest that claims 8 GiB": [
    [{ ...manifest, size: 8 * 2 ** 30 - 1 }],
    "manifest.json: expected at most 65536 bytes",
  ],
  "a document 1,000 levels deep": [
    entriesOf([{ name: "network.json", content: `{"a":${deep}}` }]),
    "network.json is no JSON object",
  ],
  "a document that is a list": [
    entriesOf([{ name: "network.json", content: "[]" }]),
    "network.json is no JSON object",
  ],
  "a document that is no UTF-8": [
    entriesOf([{ name: "network.json", content: Uint8Array.of(0x7b, 0xff, 0x7d) }]),
    "network.json is no JSON object",
  ],
  "a document that its schema refuses": [
    entriesOf([{ name: "network.json", content: '{"deviceName":"-","dns":["x"]}' }]),
    "NETWORK is no valid document: deviceName",
  ],
  "a configuration with faults": [
    entriesOf([{ name: "fwconfig.json", content: '{"mixers":[{"faders":-1}],"nope":1}' }]),
    "fwconfig.json is no valid configuration: mixers.0.faders",
    "FWCONFIG",
  ],
  "a configuration with more values than one may have": [
    entriesOf([{ name: "fwconfig.json", content: `{"mixers":[{"faders":${zeros(400_000)}}]}` }]),
    "fwconfig.json is no JSON object of at most 200000 values",
    "FWCONFIG",
  ],
  "a configuration with as many faults as it may have": [
    entriesOf([{ name: "fwconfig.json", content: `{"mixers":[{"faders":${zeros(50_000)}}]}` }]),
    "there are 50000 faults; these are the first 20",
    "FWCONFIG",
  ],
  "a configuration that makes too large a console": [
    entriesOf([
      { name: "fwconfig.json", content: '{"mixers":[{"faders":4096,"mutegroups":4096}]}' },
    ]),
    "expected at most 2000000 values of the control tree, got 17387537: mixers.0 makes 17387537",
    "FWCONFIG",
  ],
  "a settings document with too many values": [
    entriesOf([{ name: "network.json", content: `{"dns":${zeros(20_000)}}` }]),
    "network.json is no JSON object of at most 10000 values",
  ],
  "a settings document with many faults": [
    entriesOf([{ name: "network.json", content: `{"dns":${zeros(5000)}}` }]),
    "there are 5000 faults; these are the first 20",
  ],
  "a time zone that is none": [
    entriesOf([{ name: "timezone.json", content: '{"zone":"Mars/Olympus"}' }]),
    'zone: expected an IANA time zone like Europe/Berlin, got "Mars/Olympus"',
    "TIMEZONE",
  ],
  "a configuration with a site key": [
    entriesOf([{ name: "fwconfig.json", content: '{"siteKey":"0123456789abcdef"}' }]),
    "siteKey does not travel",
    "FWCONFIG",
  ],
  "a configuration that names a program to run": [
    entriesOf([{ name: "fwconfig.json", content: '{"hooks":{"applied":"/bin/sh"}}' }]),
    "hooks does not travel",
    "FWCONFIG",
  ],
  "users of a foreign site key": [
    entriesOf([{ name: "users.bin", content: await sealUsers([], "a foreign site's key") }]),
    "users.bin was altered, or comes from a console with another site key",
    "USERS",
  ],
  "users as a later version has them": [
    entriesOf([{ name: "users.bin", content: await sealUsers([later], undefined) }]),
    "users.bin: expected a list of users of version 1, got one of a later version",
    "USERS",
  ],
  "a snapshot of a foreign site key": [
    entriesOf([await snapshotFile("a foreign site's key")]),
    `${SNAPSHOT} was altered, or comes from a console with another site key`,
    "MXSNAPS",
  ],
  "a snapshot with an altered mac": [
    entriesOf([await snapshotFile(undefined, (data) => data.mac = "0".repeat(64))]),
    `${SNAPSHOT} was altered`,
    "MXSNAPS",
  ],
  "a snapshot that belongs to no group, sealed under the right key": [
    entriesOf([await snapshotFile(undefined, undefined, { writegroups: 0 })]),
    `${SNAPSHOT}: snapshotdata: expected writegroups to be an integer from 1 to 255, got 0`,
    "MXSNAPS",
  ],
  "a snapshot with a control character in its name, sealed under the right key": [
    entriesOf([await snapshotFile(undefined, undefined, { name: "a\u0007b" })]),
    `${SNAPSHOT}: snapshotdata: expected name to be text of at most 64 characters`,
    "MXSNAPS",
  ],
  "a snapshot with an altered level": [
    entriesOf([await snapshotFile(undefined, (data) => data.content = { faders: {} })]),
    `${SNAPSHOT} was altered`,
    "MXSNAPS",
  ],
  "a snapshot under another's name": [
    entriesOf([{ ...await snapshotFile(), name: SNAPSHOT.replace("0a", "0b") }]),
    "holds another snapshot than its name says",
    "MXSNAPS",
  ],
  "a mixer snapshot among the channel snapshots": [
    entriesOf([{ ...await snapshotFile(), name: SNAPSHOT.replace("mx", "ch") }]),
    "holds another snapshot than its name says",
    "CHSNAPS",
  ],
  "a snapshot 1,000 levels deep": [
    entriesOf([{ name: SNAPSHOT, content: `{"number":1,"snapshotdata":${deep}}` }]),
    `${SNAPSHOT} is no snapshot file`,
    "MXSNAPS",
  ],
  "default snapshots that are no list": [
    entriesOf([{ name: "snapzero.json", content: "{}" }]),
    "snapzero.json is no list of snapshots",
    "SNAPZERO",
  ],
  "a lone tls.pem that is not PEM": [
    [{ name: "tls.pem", content: "MIIB" }],
    "tls.pem is no certificate and one key as PEM",
    "TLS",
  ],
  "a lone tls.pem that is empty": [[PEM], "tls.pem is empty", "TLS"],
  "a lone tls.pem for other tags": [
    [CERTIFICATE],
    "the first file is not manifest.json: only tls.pem may come without it, alone, for the tag TLS",
    "TLS,NETWORK",
  ],
  "a lone tls.pem for everything": [[CERTIFICATE], "the first file is not manifest.json", "ALL"],
  "a tls.pem in a folder": [
    [{ ...CERTIFICATE, name: "certificates/tls.pem" }],
    "the first file is not manifest.json",
    "TLS",
  ],
  "a lone tls.pem up a folder": [
    [{ ...CERTIFICATE, name: "../tls.pem" }],
    "the first file is not manifest.json",
    "TLS",
  ],
  "another file alone": [[NETWORK], "the first file is not manifest.json", "TLS"],
  "a file after a lone tls.pem": [
    [CERTIFICATE, NETWORK],
    '"network.json" stands after tls.pem, which without manifest.json has to be the only file',
    "TLS",
  ],
  "a manifest after a lone tls.pem": [
    [CERTIFICATE, manifest],
    '"manifest.json" stands after tls.pem',
    "TLS",
  ],
  "a second lone tls.pem": [
    [CERTIFICATE, { ...CERTIFICATE, name: "./tls.pem" }],
    '"./tls.pem" stands after tls.pem',
    "TLS",
  ],
  "a folder beside a lone tls.pem": [
    [{ name: "./", type: "5" }, CERTIFICATE],
    '"./" is no plain file but a directory',
    "TLS",
  ],
  "a lone tls.pem that is a link": [
    [{ name: "tls.pem", type: "2", link: "/etc/ssl/key.pem" }],
    '"tls.pem" is no plain file but a symlink',
    "TLS",
  ],
  "tls.pem named with ./ in an archive with a manifest": [
    entriesOf([{ ...CERTIFICATE, name: "./tls.pem" }]),
    '"./tls.pem" is no file of a backup',
    "TLS",
  ],
  "a certificate that is not PEM": [
    entriesOf([{ name: "tls.pem", content: "MIIB" }]),
    "tls.pem is no certificate and one key as PEM",
    "TLS",
  ],
};

Deno.test("hostile archives", async (t) => {
  await using service = await startService({ configuration: unlimitedWith() });

  await t.step("the archive that they are made from is right", async () => {
    const { json } = await restore(service, await gzip(tarOf(right)), "NETWORK");
    assertEquals([json.Error, json.Restored], [undefined, ["NETWORK"]]);
  });

  for (const [what, [entries, reason, tag]] of Object.entries(cases)) {
    await t.step(`${what} is refused, and nothing is changed`, async () => {
      await assertRefused(service, await gzip(tarOf(entries)), reason, tag);
    });
  }

  await t.step("100,000 empty entries are refused at the first", async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({ name: `file${at}` }));
    const archive = await gzip(tarOf([manifest, ...many, sums]));
    await assertRefused(service, archive, '"file0" is no file of a backup');
  });

  await t.step("more files than a backup has are refused", async () => {
    const name = (at: number) =>
      `mxsnaps/00000000-0000-4000-8000-${String(at).padStart(12, "0")}.sfp`;
    const many = Array.from({ length: 10_001 }, (_, at) => ({
      name: name(at),
      content: "x",
    }));
    const archive = await gzip(tarOf(entriesOf([NETWORK, ...many], ["NETWORK", "MXSNAPS"])));
    await assertRefused(service, archive, "expected at most 10000 files");
  });

  await t.step("trailing data after the tar is refused", async () => {
    const tar = concat([tarOf(right), new TextEncoder().encode("more")]);
    await assertRefused(service, await gzip(tar), "Invalid EOF");
  });

  await t.step("trailing data after the gzip is refused", async () => {
    const archive = concat([await gzip(tarOf(right)), Uint8Array.of(1, 2, 3)]);
    await assertRefused(service, archive, "expected a whole gzip-compressed tar");
  });

  await t.step("a tar cut at any block is refused", async () => {
    const tar = tarOf(entriesOf([NETWORK, PEM]));
    for (let length = 0; length < tar.length; length += BLOCK) {
      await assertRefused(service, await gzip(tar.slice(0, length)), "");
    }
  });

  await t.step("a backup cut at every 512 bytes is refused", async () => {
    const archive = await packed(service.console.state, ["FWCONFIG", "USERS", "NETWORK"]);
    assert(archive.length > BLOCK);
    for (let length = BLOCK; length < archive.length; length += BLOCK) {
      await assertRefused(service, archive.subarray(0, length), "expected a whole gzip");
    }
    await assertRefused(service, archive.subarray(0, -1), "expected a whole gzip");
  });

  await t.step("a backup with any byte of it altered is refused", async () => {
    const archive = await packed(service.console.state, ["NETWORK"]);
    // What gzip's header says of time and system is in no sum, and means nothing.
    for (let at = 10; at < archive.length; at += 7) {
      const altered = archive.slice();
      altered[at]! ^= 0x10;
      await assertRefused(service, altered, "");
    }
  });

  await t.step(
    "a file of which none is a backup by its name or its content is refused",
    async () => {
      const archive = await gzip(tarOf(right));
      for (const name of ["backup.zip", "backup.bin.exe", "bin", ".binx", ""]) {
        const { json } = await restore(service, archive, "NETWORK", name);
        assertStringIncludes(json.Error, "file: expected a backup, named .bin or .tgz");
      }
      for (const name of ["a.bin", "a.tgz", "a.BIN"]) {
        assertEquals((await restore(service, archive, "NETWORK", name)).json.Error, undefined);
        const { json } = await restore(service, tarOf(right), "NETWORK", name);
        assertStringIncludes(json.Error, "expected a gzip-compressed tar");
      }
    },
  );
});

Deno.test("a snapshot that has the UUID of one that stays is refused", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const file = await snapshotFile();
  const { snapshotdata } = JSON.parse(file.content);
  const { type: _, mixer: __, mac: ___, ...rest } = snapshotdata;
  const channel = { ...rest, type: 1, content: JSON.stringify(rest.content) };
  const sealed = await sealSnapshot(channel, await macOfSite(undefined));
  const admin = service.console.state.users.get("admin")!;
  const given = granted(await verifySnapshot(service.console.state, sealed, withoutPauses));
  await service.console.dispatch(setSnapshot(given), { user: admin });
  assert(canonicalJson([...service.console.state.snapshots.keys()]).includes(ID));
  const archive = await gzip(tarOf(entriesOf([file])));
  await assertRefused(service, archive, "is another snapshot here, which stays", "MXSNAPS");
});
