/** What a start says of who may write without a token. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { openToAnybody } from "../../program/start.ts";
import { demoWith } from "../service.ts";
import { startFaderd, temporaryFolder } from "./faderd.ts";

function configured(parts: Partial<WrittenConfiguration>) {
  const read = readConfiguration(demoWith(parts));
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}

const at = (hostname: string, port = 8080) => ({ hostname, port });

const required = { auth: "required" } as const;

/** Which ways are open, and what closes them. */
const rows: readonly (readonly [
  parts: Partial<WrittenConfiguration>,
  ways: string | undefined,
  settings?: string,
])[] = [
  [
    {},
    "over WebSocket, by GET /api/rest, by REST actions",
    "websocket.auth and restApi.auth",
  ],
  [{ websocket: required }, "by REST actions", "restApi.auth"],
  [{ restApi: required }, "over WebSocket", "websocket.auth"],
  [{ websocket: required, restApi: required }, undefined],
  [{ websocket: required, restApi: { enabled: false } }, undefined],
  [{ websocket: required, licenses: [] }, undefined],
  [{ websocket: required, device: { firmware: "9.0.0" } }, undefined],
  [{ restApi: { enabled: false } }, "over WebSocket, by GET /api/rest", "websocket.auth"],
  [
    { websocket: required, restApi: { auth: "none" } },
    "by GET /api/rest, by POST /api/rest, by REST actions",
    "restApi.auth",
  ],
  [
    { restApi: { auth: "none", enabled: false } },
    "over WebSocket, by GET /api/rest, by POST /api/rest",
    "websocket.auth and restApi.auth",
  ],
];

for (const [parts, ways, settings] of rows) {
  Deno.test(`beyond loopback, ${JSON.stringify(parts)}: ${ways ?? "nobody writes without a token"}`, () => {
    assertEquals(
      openToAnybody(configured(parts), [at("0.0.0.0")]),
      ways && `whoever reaches 0.0.0.0 port 8080 may write without a token, ${ways}; ` +
          `to change that set ${settings} to "required" in the configuration`,
    );
  });

  if (settings === undefined) continue;
  Deno.test(`… and what it says to set closes it, ${JSON.stringify(parts)}`, () => {
    const closed = {
      ...parts,
      ...(settings.includes("websocket") ? { websocket: required } : {}),
      ...(settings.includes("restApi") ? { restApi: { ...parts.restApi, ...required } } : {}),
    };
    assertEquals(openToAnybody(configured(closed), [at("0.0.0.0")]), undefined);
  });
}

Deno.test("an address that only this machine reaches is none to warn of", () => {
  for (
    const [hostname, loopback] of [
      ["127.0.0.1", true],
      ["127.1.2.3", true],
      ["::1", true],
      ["localhost", true],
      ["::ffff:127.0.0.1", true],
      ["0.0.0.0", false],
      ["::", false],
      ["192.168.1.27", false],
      ["fe80::1", false],
      ["127.0.0.1.example", false],
    ] as const
  ) {
    const sentence = openToAnybody(configured({}), [at("127.0.0.1"), at(hostname, 8443)]);
    assertEquals([hostname, sentence === undefined], [hostname, loopback]);
    if (!loopback) assertStringIncludes(sentence!, `reaches ${hostname} port 8443 may`);
  }
});

Deno.test("a start says it once on standard error, beyond loopback only", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/locked.json`;
  const locked = { restApi: required, websocket: required };
  await Deno.writeTextFile(config, JSON.stringify(demoWith(locked)));
  for (
    const [args, times] of [
      [["--listen", "0.0.0.0:0"], 1],
      [["--listen-tls", "0.0.0.0:0"], 1],
      [[], 0],
      [["--listen", "0.0.0.0:0", "--config", config], 0],
    ] as const
  ) {
    const data = `${folder.path}/${crypto.randomUUID()}`;
    await using running = await startFaderd("--data", data, ...args);
    running.kill("SIGTERM");
    const { stdout, stderr } = await running.ended();
    assertEquals([args, stderr.split("may write without a token").length - 1], [args, times]);
    assert(!stdout.includes("without a token"));
  }
});
