/** By which names the service may be called (decisions.md, "pages"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { hostOf, isAllowedHost } from "../../transport/host.ts";
import { startService, tokens, unlimitedWith } from "../service.ts";
import { openRaw } from "./raw-socket.ts";

const parts = {
  device: { name: "Studio-1" },
  hosts: ["console.example", "Panel.Example."],
};

const read = readConfiguration(unlimitedWith(parts));
if ("faults" in read) throw new Error(JSON.stringify(read.faults));
const { configuration } = read;

/** A `Host`, and whether it is ours on the machine `rack7`. */
const rows: readonly (readonly [host: string, ours: boolean])[] = [
  // An address, in every form of one.
  ["192.0.2.7", true],
  ["192.0.2.7:8080", true],
  ["127.0.0.1:1", true],
  ["127.1", true],
  ["0x7f000001", true],
  ["[::1]", true],
  ["[::1]:8080", true],
  ["[2001:DB8::7]:443", true],
  ["[::ffff:192.0.2.7]", true],
  ["192.0.2.7.", true],
  ["192.0.2.7.evil.example", false],
  ["192-0-2-7.evil.example", false],
  // This machine.
  ["localhost", true],
  ["LOCALHOST:8080", true],
  ["localhost.", true],
  ["localhost.evil.example", false],
  ["evil.localhost", false],
  // The names of the device and of the machine.
  ["studio-1", true],
  ["STUDIO-1:8080", true],
  ["studio-1.", true],
  ["studio-1.local", true],
  ["Studio-1.Local.:8080", true],
  ["rack7", true],
  ["rack7.local", true],
  ["studio-1.local.evil.example", false],
  ["studio-1.lan", false],
  ["studio-10", false],
  ["rack", false],
  ["faderd", false],
  // Those that are listed, just so.
  ["console.example", true],
  ["Console.Example:8443", true],
  ["console.example.", true],
  ["panel.example", true],
  ["console.example.local", false],
  ["a.console.example", false],
  ["evil-console.example", false],
  ["example", false],
  // Anybody's.
  ["evil.example", false],
  ["evil.example:8080", false],
  ["local", false],
  [".local", false],
  ["localhost@evil.example", false],
];

function requestTo(host: string, url = `http://${host}/api/rest`): Request {
  return new Request(url, { headers: host === "" ? {} : { host } });
}

Deno.test("Host is an IP address, localhost, the machine's or the device's name, or one of hosts", () => {
  for (const [host, ours] of rows) {
    const url = "http://localhost/api/rest";
    assertEquals([host, isAllowedHost(requestTo(host, url), configuration, "rack7")], [host, ours]);
  }
});

Deno.test("where the machine's name cannot be read there is none", () => {
  for (const host of ["rack7", "undefined", "undefined.local"]) {
    assert(!isAllowedHost(requestTo(host), configuration));
  }
});

Deno.test("without Host, as in HTTP/2, it is the authority of the target that counts", () => {
  for (const [host, ours] of [["console.example:8443", true], ["evil.example", false]] as const) {
    const request = new Request(`https://${host}/api/rest`);
    assertEquals([hostOf(request), isAllowedHost(request, configuration)], [host, ours]);
  }
});

Deno.test("a target with a host of its own must be ours beside Host", () => {
  for (
    const [target, host, ours] of [
      ["http://localhost/", "localhost", true],
      ["http://localhost/", "evil.example", false],
      ["http://evil.example/", "localhost", false],
    ] as const
  ) {
    assertEquals(isAllowedHost(requestTo(host, target), configuration), ours);
  }
});

Deno.test("the name of the device in force counts: a restore may have changed it", async () => {
  await using service = await startService({ configuration: unlimitedWith(parts) });
  using known = await openRaw(`${service.url}/api/ws`, { host: "studio-1.local" });
  assertEquals(known.status, 101);
});

Deno.test("every interface answers 421 with an error to another name, and nothing changes", async () => {
  await using service = await startService({ configuration: unlimitedWith(parts) });
  const { state } = service.console;
  for (const host of ["evil.example", "evil.example:8080", "faderd"]) {
    for (
      const path of [
        "/api/rest/general",
        "/api/rest/audio/mixers/0/faders/0/fader?set=-20",
        `/api/rest/general?token=${tokens.admin}`,
        "/action/getgloballabel?ObjectID=1",
        "/action/setgloballabel?ObjectID=1&Name=Evil",
        "/action/nosuch",
        "/pictures/1",
        "/api/ws",
        `/api/ws?token=${tokens.admin}`,
        "/nowhere",
      ]
    ) {
      // A page with the same origin, as DNS rebinding makes it.
      using asked = await openRaw(service.url + path, { host, origin: `http://${host}` });
      assertEquals([host, path, asked.status], [host, path, 421]);
      assertMatch(asked.head, /content-type: application\/json/);
      assert(!/access-control/.test(asked.head));
    }
  }
  assert(service.console.state === state);
});

Deno.test("the answer says what Host was expected to be", async () => {
  await using service = await startService();
  const { hostname, port } = new URL(service.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const request = "GET /api/rest HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  await connection.write(new TextEncoder().encode(request));
  const answer = await new Response(connection.readable).text();
  const { error, Error } = JSON.parse(answer.split("\r\n\r\n")[1]!);
  assertMatch(Error, /^Host: expected an IP address, .*hosts.*, got "evil\.example"$/);
  assertEquals(error, { code: 5, message: Error });
});

Deno.test("a page's own origin is that of a name that is ours", async () => {
  await using service = await startService({ configuration: unlimitedWith(parts) });
  const { port } = new URL(service.url);
  for (
    const [host, origin, status] of [
      ["studio-1.local", "http://studio-1.local", 101],
      [`studio-1.local:${port}`, `http://studio-1.local:${port}`, 101],
      ["console.example", "http://console.example", 101],
      // Both are ours, and yet the page is another's on one of them.
      ["studio-1.local", "http://console.example", 403],
      ["studio-1.local", "http://studio-1.local:3000", 403],
      ["evil.example", "http://studio-1.local", 421],
    ] as const
  ) {
    using asked = await openRaw(`${service.url}/api/ws`, { host, origin });
    assertEquals([host, origin, asked.status], [host, origin, status]);
  }
});

Deno.test("hosts are names of hosts, without ports or wildcards", () => {
  for (
    const [host, valid] of [
      ["console", true],
      ["console.example", true],
      ["console.example.", true],
      ["a_b-c.example", true],
      ["x", true],
      ["console.example:8080", false],
      ["*.example", false],
      ["http://console.example", false],
      ["", false],
      ["a b", false],
      ["-a", false],
    ] as const
  ) {
    const result = readConfiguration({ hosts: [host] });
    const path = "faults" in result ? result.faults.map(({ path }) => path) : [];
    assertEquals([host, path], [host, valid ? [] : ["hosts.0"]]);
  }
});
