import { assertEquals, assertStringIncludes } from "@std/assert";
import { readTags, type Tag, tagNames, tagOfFile, tagsFor } from "../../../core/backup/tags.ts";
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { granted, refusal } from "../actors.ts";

/** The specification's table "Backup tags", and our VIEW: the tag and what it applies to. */
const table: readonly (readonly [Tag, "all" | "core" | "aes67"])[] = [
  ["FWCONFIG", "core"],
  ["NETWORK", "all"],
  ["TIMEZONE", "all"],
  ["TLS", "all"],
  ["SERVICES", "all"],
  ["LOG", "all"],
  ["SNMP", "all"],
  ["USERS", "core"],
  ["MXSNAPS", "core"],
  ["CHSNAPS", "core"],
  ["SNAPZERO", "core"],
  ["AES67CONFIG", "aes67"],
  ["VIEW", "all"],
];

const devices = {
  "a core device": { kind: "core", licenses: [], has: ["all", "core"] },
  "a core device with license 52-8546": {
    kind: "core",
    licenses: ["52-8546"],
    has: ["all", "core", "aes67"],
  },
  "an AES67 interface": { kind: "aes67", licenses: [], has: ["all", "aes67"] },
  "another device": { kind: "other", licenses: ["52-8546"], has: ["all"] },
} as const;

function configurationOf(
  kind: NonNullable<WrittenConfiguration["device"]>["kind"],
  licenses: readonly string[],
) {
  return granted(readConfiguration({ device: { kind }, licenses }) as { configuration: never })
    .configuration;
}

Deno.test("the tags are those of the specification's table, and VIEW", () => {
  assertEquals([...tagNames], table.map(([tag]) => tag));
});

for (const [device, { kind, licenses, has }] of Object.entries(devices)) {
  Deno.test(`on ${device} the tags of the table apply, and ALL means all of these`, () => {
    const configuration = configurationOf(kind, licenses);
    const applying = table.filter(([, to]) => (has as readonly string[]).includes(to))
      .map(([tag]) => tag);
    assertEquals(tagsFor(configuration, "ALL"), applying);
    for (const [tag] of table) {
      const chosen = tagsFor(configuration, [tag]);
      if (applying.includes(tag)) assertEquals(chosen, [tag]);
      else assertStringIncludes(refusal(chosen).message, `Tags: ${tag} does not apply to a device`);
    }
  });
}

const good = {
  "ALL": "ALL",
  "TLS": ["TLS"],
  "USERS,TLS": ["USERS", "TLS"],
  " USERS , TLS ": ["USERS", "TLS"],
} as const;

for (const [text, tags] of Object.entries(good)) {
  Deno.test(`tags are read from ${JSON.stringify(text)}`, () => {
    assertEquals(readTags(text), tags);
  });
}

const bad = {
  "": "got an empty one",
  "TLS,": "got an empty one",
  ",": "got an empty one",
  "tls": 'got "tls"',
  "TLS;USERS": 'got "TLS;USERS"',
  "TLS,NOPE": 'got "NOPE"',
  "constructor": 'got "constructor"',
  "TLS,USERS,TLS": "got TLS twice",
  "ALL,ALL": "got ALL twice",
  "ALL,TLS": "no other tag may be combined with ALL",
  "TLS,ALL": "no other tag may be combined with ALL",
};

for (const [text, reason] of Object.entries(bad)) {
  Deno.test(`Tags ${JSON.stringify(text)} are refused, and the error names Tags`, () => {
    const refused = refusal(readTags(text) as object);
    assertEquals([refused.code, refused.parameter], [3, "Tags"]);
    assertStringIncludes(refused.message, reason);
  });
}

const uuid = "0f0c0001-0000-4000-8000-000000000001";
const names: Readonly<Record<string, Tag | undefined>> = {
  "tls.pem": "TLS",
  "users.bin": "USERS",
  [`mxsnaps/${uuid}.sfp`]: "MXSNAPS",
  [`chsnaps/${uuid}.sfp`]: "CHSNAPS",
  "mxsnaps/": undefined,
  "mxsnaps/1.sfp": undefined,
  [`MXSNAPS/${uuid}.sfp`]: undefined,
  [`mxsnaps/../${uuid}.sfp`]: undefined,
  [`/mxsnaps/${uuid}.sfp`]: undefined,
  "/tls.pem": undefined,
  "./tls.pem": undefined,
  "manifest.json": undefined,
  "": undefined,
};

for (const [name, tag] of Object.entries(names)) {
  Deno.test(`the file ${JSON.stringify(name)} belongs to ${tag ?? "no tag"}`, () => {
    assertEquals(tagOfFile(name), tag);
  });
}
