/** Archives that a restore refuses without changing anything. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { concat } from "@std/bytes/concat";
import { sealUsers } from "../../../core/backup/user-database.ts";
import type { Snapshot } from "../../../core/snapshots/snapshot.ts";
import { macOfSite, sealSnapshot } from "../../../core/snapshots/snapshotdata.ts";
import { testConsole } from "../../service.ts";
import { refusal } from "../actors.ts";
import { entriesOf, type Entry, gzip, packed, restoredFrom, tarOf } from "./archives.ts";

const BLOCK = 512;
const ID = "0f0c0002-0000-4000-8000-00000000000a";
const SNAPSHOT = `mxsnaps/${ID}.sfp`;
const NETWORK = { name: "network.json", content: "{}" };
const CERTIFICATE = {
  name: "tls.pem",
  content: ["CERTIFICATE", "PRIVATE KEY"]
    .map((label) => `-----BEGIN ${label}-----\nAA==\n-----END ${label}-----\n`).join(""),
};
const NO_MANIFEST =
  "the first file is not manifest.json: only tls.pem may come without it, alone, for the tag TLS";

const right = entriesOf([NETWORK]);
const [manifest, , sums] = right as [Entry, Entry, Entry];
const deep = `${"[".repeat(1000)}${"]".repeat(1000)}`;
const zeros = (count: number) => `[${Array(count).fill(0).join()}]`;
const between = (...entries: Entry[]) => [manifest, NETWORK, ...entries, sums];
const only = (name: string, content: Uint8Array | string) => entriesOf([{ name, content }]);
const network = (content: Uint8Array | string) => only("network.json", content);
const fwconfig = (content: string) => only("fwconfig.json", content);

// deno-lint-ignore no-explicit-any -- the JSON of a manifest or of sums, to be made wrong.
function altered(entry: Entry, alter: (document: any) => void): Entry {
  const document = JSON.parse(entry.content as string);
  alter(document);
  return { ...entry, content: JSON.stringify(document) };
}
const manifestWith = (part: object) => [
  altered(manifest, (one) => Object.assign(one, part)),
  NETWORK,
  sums,
];
const sumsWith = (alter: (sums: Record<string, unknown>[]) => void) => [
  manifest,
  NETWORK,
  altered(sums, alter),
];

async function snapshotFile(
  { siteKey, forged = {}, data = {}, name = SNAPSHOT }: {
    siteKey?: string;
    forged?: Partial<Snapshot>;
    data?: object;
    name?: string;
  } = {},
): Promise<Entry> {
  const snapshot: Snapshot = {
    id: ID,
    number: 7,
    type: 2,
    name: "Morning",
    readgroups: 0,
    writegroups: 1,
    mixer: 0,
    factory: false,
    content: '{"faders":{"0":{"fader":-12}}}',
    ...forged,
  };
  const sealed = await sealSnapshot(snapshot, await macOfSite(siteKey));
  return { name, content: JSON.stringify({ number: 7, snapshotdata: { ...sealed, ...data } }) };
}
const foreign = { siteKey: "a foreign site's key" };
const laterUser = { name: "anna", groups: 1, admin: true, tokenHash: "a".repeat(64), rooms: [1] };

/** For each case: the entries of the archive, and the reason for its refusal. */
type Cases = Readonly<Record<string, readonly [entries: readonly Entry[], reason: string]>>;
const cases: Readonly<Record<string, Cases>> = {
  NETWORK: {
    "an absolute path": [
      between({ name: "/etc/passwd" }),
      '"/etc/passwd" is not a file of a backup',
    ],
    "a path with ..": [between({ name: "../network.json" }), '"../network.json" is not a file'],
    "a path with .. inside": [between({ name: `mxsnaps/../../${ID}.sfp` }), "is not a file"],
    "a symbolic link": [between({ name: "tls.pem", type: "2", link: "/etc/x" }), "but a symlink"],
    "a hard link": [between({ name: "tls.pem", type: "1", link: "network.json" }), "but a link"],
    "a character device": [between({ name: "tls.pem", type: "3" }), "but a character-device"],
    "a block device": [between({ name: "tls.pem", type: "4" }), "but a block-device"],
    "a fifo": [between({ name: "tls.pem", type: "6" }), '"tls.pem" is not a plain file but a fifo'],
    "a folder": [between({ name: "mxsnaps/", type: "5" }), "but a directory"],
    "an empty document": [network(""), "network.json is empty"],
    "a doubled entry": [between(NETWORK), "network.json is there twice"],
    "a doubled manifest": [between(manifest), '"manifest.json" is not a file of a backup'],
    "a long name by a GNU entry": [
      between({ name: "././@LongLink", type: "L", content: "/etc/passwd\0" }, { name: "x" }),
      '"/etc/passwd" is not a file of a backup',
    ],
    "a pax header that renames": [
      between({ name: "pax", type: "x", content: "20 path=/etc/passwd\n" }, { name: "tls.pem" }),
      '"/etc/passwd" is not a file of a backup',
    ],
    "a wrong checksum in a tar header": [
      [manifest, { ...NETWORK, wrongSum: true }, sums],
      "expected a whole gzip-compressed tar: Invalid tar header checksum",
    ],
    "no manifest": [[NETWORK, sums], NO_MANIFEST],
    "a manifest that is not first": [[NETWORK, manifest, sums], NO_MANIFEST],
    "no entry at all": [[], "manifest.json is missing"],
    "no sums": [[manifest, NETWORK], "sums.json is missing"],
    "an entry after the sums": [[...right, NETWORK], '"network.json" stands after sums.json'],
    "a manifest that is not JSON": [[{ ...manifest, content: "{" }], "is not JSON"],
    "a manifest that is null": [[{ ...manifest, content: "null" }], "manifest.json: "],
    "a manifest of zeros": [
      [{ ...manifest, content: new Uint8Array(64 * 1024) }],
      "manifest.json is not JSON",
    ],
    "a manifest 1,000 levels deep": [[{ ...manifest, content: deep }], "is not JSON"],
    "another format version": [
      manifestWith({ format: 2 }),
      "expected an archive of format 1, got 2: restore it with the version of faderd that wrote it",
    ],
    "a manifest with an unknown member": [manifestWith({ extra: 1 }), "manifest.json: extra"],
    "a manifest with an unknown tag": [
      manifestWith({ tags: ["NETWORK", "NOPE"] }),
      "manifest.json: tags.1",
    ],
    "a manifest with a doubled tag": [
      manifestWith({ tags: ["NETWORK", "NETWORK"] }),
      "names a tag twice",
    ],
    "a manifest that promises a tag whose file is missing": [
      manifestWith({ tags: ["NETWORK", "TLS"] }),
      "tls.pem is missing",
    ],
    "a manifest that does not list the tag of a file": [
      between(CERTIFICATE),
      "tls.pem is there, but manifest.json has no TLS",
    ],
    "sums of a file that is missing": [
      sumsWith((list) => list.push({ name: SNAPSHOT, bytes: 1, crc32: 1 })),
      `${SNAPSHOT} is missing`,
    ],
    "sums that lack a file": [
      sumsWith((list) => list.pop()),
      "network.json is not in sums.json",
    ],
    "sums with another length": [
      sumsWith(([one]) => one!.bytes = 3),
      "network.json is not what sums.json says: it was altered or damaged",
    ],
    "sums with another CRC-32": [
      sumsWith(([one]) => one!.crc32 = 3),
      "network.json is not what sums.json says",
    ],
    "sums 1,000 levels deep": [
      [manifest, NETWORK, { ...sums, content: deep }],
      "is not a JSON list",
    ],
    "a file that is larger than its kind": [
      network(new Uint8Array(256 * 1024 + 1)),
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
    "a document 1,000 levels deep": [network(`{"a":${deep}}`), "network.json is not a JSON object"],
    "a document that is a list": [network("[]"), "network.json is not a JSON object"],
    "a document that is not UTF-8": [
      network(Uint8Array.of(0x7b, 0xff, 0x7d)),
      "network.json is not a JSON object",
    ],
    "a document that its schema refuses": [
      network('{"deviceName":"-","dns":["x"]}'),
      "NETWORK is not a valid document: deviceName",
    ],
    "a settings document with too many values": [
      network(`{"dns":${zeros(20_000)}}`),
      "network.json is not a JSON object of at most 10000 values",
    ],
    "a settings document with many faults": [
      network(`{"dns":${zeros(5000)}}`),
      "there are 5000 faults; these are the first 20",
    ],
    "10,001 files": [
      entriesOf(
        Array.from({ length: 10_001 }, (_, at) => ({
          name: `mxsnaps/00000000-0000-4000-8000-${String(at).padStart(12, "0")}.sfp`,
          content: "x",
        })),
        ["NETWORK", "MXSNAPS"],
      ),
      "expected at most 10000 files",
    ],
  },
  SERVICES: Object.fromEntries(
    ["constructor", "prototype", "__proto__"].map((member) => [`a member ${member}`, [
      only("services.json", `{"services":{"${member}":5}}`),
      `SERVICES is not a valid document: ${member} is not a name`,
    ]]),
  ),
  TIMEZONE: {
    "an unknown time zone": [
      only("timezone.json", '{"zone":"Mars/Olympus"}'),
      'zone: expected an IANA time zone like Europe/Berlin, got "Mars/Olympus"',
    ],
  },
  FWCONFIG: {
    "a configuration with faults": [
      fwconfig('{"mixers":[{"faders":-1}],"nope":1}'),
      "fwconfig.json is not a valid configuration: mixers.0.faders",
    ],
    "a configuration document with too many values": [
      fwconfig(`{"mixers":[{"faders":${zeros(600_000)}}]}`),
      "fwconfig.json is not a JSON object of at most 500000 values",
    ],
    "a configuration with many faults": [
      fwconfig(`{"mixers":[{"faders":${zeros(5000)}}]}`),
      "there are 5000 faults; these are the first 20",
    ],
    "a configuration with too large a control tree": [
      fwconfig('{"mixers":[{"faders":4096,"mutegroups":4096}]}'),
      "expected at most 2000000 values of the control tree, got 17502225: mixers.0 makes 17502225",
    ],
  },
  USERS: {
    "users of a foreign site key": [
      only("users.bin", await sealUsers([], foreign.siteKey)),
      "users.bin was altered, or comes from a console with another site key",
    ],
    "a user database of another version": [
      only("users.bin", await sealUsers([laterUser as never], undefined)),
      "users.bin: expected a list of users of version 1, got one of another version",
    ],
  },
  MXSNAPS: {
    "an empty snapshot": [only(SNAPSHOT, ""), `${SNAPSHOT} is empty`],
    "a snapshot of a foreign site key": [
      entriesOf([await snapshotFile(foreign)]),
      `${SNAPSHOT} was altered, or comes from a console with another site key`,
    ],
    "a snapshot with an altered mac": [
      entriesOf([await snapshotFile({ data: { mac: "0".repeat(64) } })]),
      `${SNAPSHOT} was altered`,
    ],
    "a snapshot with an altered level": [
      entriesOf([await snapshotFile({ data: { content: { faders: {} } } })]),
      `${SNAPSHOT} was altered`,
    ],
    "a snapshot that belongs to no group, sealed under the right key": [
      entriesOf([await snapshotFile({ forged: { writegroups: 0 } })]),
      `${SNAPSHOT}: snapshotdata: expected writegroups to be an integer from 1 to 255, got 0`,
    ],
    "a snapshot with a control character in its name, sealed under the right key": [
      entriesOf([await snapshotFile({ forged: { name: "a\u0007b" } })]),
      `${SNAPSHOT}: snapshotdata: expected name to be text of at most 64 characters`,
    ],
    "a snapshot in a file with the name of another": [
      entriesOf([await snapshotFile({ name: SNAPSHOT.replace("0a", "0b") })]),
      "holds another snapshot than its name says",
    ],
    "a snapshot 1,000 levels deep": [
      only(SNAPSHOT, `{"number":1,"snapshotdata":${deep}}`),
      `${SNAPSHOT} is not a snapshot file`,
    ],
  },
  CHSNAPS: {
    "a mixer snapshot among the channel snapshots": [
      entriesOf([await snapshotFile({ name: SNAPSHOT.replace("mx", "ch") })]),
      "holds another snapshot than its name says",
    ],
  },
  SNAPZERO: Object.fromEntries(
    ["{}", "[", "]", " ", "[1,]", "[,1]", "[1]]", "[1],[2]", '["a]', "[[1]", "[1 2]"]
      .map((content) => [
        `snapzero.json that is ${content}`,
        [only("snapzero.json", content), "snapzero.json "],
      ]),
  ),
  VIEW: {
    "view.json that is a list": [only("view.json", "[]"), "view.json is not a JSON object"],
    "a view document with a name that is not allowed": [
      only("view.json", '{"Pages":{}}'),
      "view.json: name: expected 1 to 32 of a to z, 0 to 9 and '-', got \"Pages\"",
    ],
    "a view document that is no object": [
      only("view.json", '{"pages":[]}'),
      "view.json: pages is not an object",
    ],
    "a view document that is too large": [
      only("view.json", JSON.stringify({ pages: { a: "x".repeat(65_536) } })),
      "view.json: pages: document: expected at most 65536 bytes of JSON, got 65544",
    ],
    "17 view documents": [
      only(
        "view.json",
        JSON.stringify(Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`n${at}`, {}]))),
      ),
      "view.json: n16: name: there are 16 view documents already",
    ],
  },
  TLS: {
    "a lone tls.pem that is not PEM": [
      [{ name: "tls.pem", content: "MIIB" }],
      "tls.pem is not a certificate and one key as PEM",
    ],
    "a lone tls.pem that is empty": [[{ name: "tls.pem" }], "tls.pem is empty"],
    "a tls.pem in a folder": [[{ ...CERTIFICATE, name: "certificates/tls.pem" }], NO_MANIFEST],
    "a lone tls.pem up a folder": [[{ ...CERTIFICATE, name: "../tls.pem" }], NO_MANIFEST],
    "another file alone": [[NETWORK], NO_MANIFEST],
    "a file after a lone tls.pem": [
      [CERTIFICATE, NETWORK],
      '"network.json" stands after tls.pem, which without manifest.json has to be the only file',
    ],
    "a manifest after a lone tls.pem": [
      [CERTIFICATE, manifest],
      '"manifest.json" stands after tls.pem',
    ],
    "a second lone tls.pem": [
      [CERTIFICATE, { ...CERTIFICATE, name: "./tls.pem" }],
      '"./tls.pem" stands after tls.pem',
    ],
    "a folder beside a lone tls.pem": [
      [{ name: "./", type: "5" }, CERTIFICATE],
      '"./" is not a plain file but a directory',
    ],
    "a lone tls.pem that is a link": [
      [{ name: "tls.pem", type: "2", link: "/etc/ssl/key.pem" }],
      '"tls.pem" is not a plain file but a symlink',
    ],
    "tls.pem named with ./ in an archive with a manifest": [
      entriesOf([{ ...CERTIFICATE, name: "./tls.pem" }]),
      '"./tls.pem" is not a file of a backup',
    ],
    "a certificate that is not PEM": [
      only("tls.pem", "MIIB"),
      "tls.pem is not a certificate and one key as PEM",
    ],
  },
  "TLS,NETWORK": { "a lone tls.pem for other tags": [[CERTIFICATE], NO_MANIFEST] },
  ALL: { "a lone tls.pem for everything": [[CERTIFICATE], NO_MANIFEST] },
};

const console = await testConsole();
const { state } = console;

async function assertRefused(archive: Uint8Array<ArrayBuffer>, tags: string, reason = "") {
  const { code, message, parameter } = refusal(await restoredFrom(console, archive, tags));
  assertStringIncludes(message, reason);
  assertEquals([code, parameter], [3, "file"]);
  assert(message.startsWith("file: ") && message.length < 20_000, message);
  assert(console.state === state);
}

for (const [tags, ofTags] of Object.entries(cases)) {
  for (const [what, [entries, reason]] of Object.entries(ofTags)) {
    Deno.test(`${what} is refused, and nothing is changed`, async () => {
      await assertRefused(await gzip(tarOf(entries)), tags, reason);
    });
  }
}

Deno.test("a requested tag that the archive lacks is refused", async () => {
  const archive = await packed(state, ["NETWORK", "LOG"]);
  for (const [tags, lacking] of [["NETWORK,SNMP", "SNMP"], ["ALL", "FWCONFIG"]] as const) {
    const { parameter, message } = refusal(await restoredFrom(console, archive, tags));
    assertEquals([parameter, message], ["Tags", `Tags: the archive has no ${lacking}`]);
  }
  assert(console.state === state);
});

Deno.test("bytes after the end of the tar or of the gzip stream are refused", async () => {
  const tar = concat([tarOf(right), new TextEncoder().encode("more")]);
  await assertRefused(await gzip(tar), "NETWORK", "Invalid EOF");
  const archive = concat([await gzip(tarOf(right)), Uint8Array.of(1, 2, 3)]);
  const sentence = "expected a whole gzip-compressed tar: it is damaged, cut off, or followed by";
  await assertRefused(archive, "NETWORK", sentence);
  await assertRefused(
    await gzip(tarOf(right)).then((all) => all.slice(0, 99)),
    "NETWORK",
    sentence,
  );
});

Deno.test("a tar cut at any block is refused", async () => {
  const tar = tarOf(entriesOf([NETWORK, { name: "tls.pem" }]));
  for (let length = 0; length < tar.length; length += BLOCK) {
    await assertRefused(await gzip(tar.slice(0, length)), "NETWORK");
  }
});

Deno.test("a truncated backup, or one with any byte altered, is refused", async () => {
  const whole = await packed(state, ["FWCONFIG", "USERS", "NETWORK"]);
  for (let length = BLOCK; length < whole.length; length += BLOCK) {
    await assertRefused(whole.slice(0, length), "NETWORK", "expected a whole gzip");
  }
  await assertRefused(whole.slice(0, -1), "NETWORK", "expected a whole gzip");
  const archive = await packed(state, ["NETWORK"]);
  // The header of gzip (time and system) is covered by no checksum and does not affect the content.
  for (let at = 10; at < archive.length; at += 7) {
    const altered = archive.slice();
    altered[at]! ^= 0x10;
    await assertRefused(altered, "NETWORK");
  }
});

Deno.test("10,000 entries that do not belong to a backup are refused at the first", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ name: `file${at}` }));
  const archive = await gzip(tarOf([manifest, ...many, sums]));
  await assertRefused(archive, "NETWORK", '"file0" is not a file of a backup');
});
