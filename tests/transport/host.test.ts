/** The allowed names of the service in `Host` (decisions.md, "pages"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { hostOf, isAllowedHost } from "../../transport/host.ts";
import { startService, tokens, unlimitedWith } from "../service.ts";
import { openRaw } from "./raw-socket.ts";
import { askAsText } from "./requests.ts";

const parts = {
  device: { name: "Studio-1" },
  hosts: ["console.example", "Panel.Example."],
};

const read = readConfiguration(unlimitedWith(parts));
if ("faults" in read) throw new Error(JSON.stringify(read.faults));
const { configuration } = read;

/** Allowed `Host` headers on the machine `rack7`: addresses, this machine, the device, listed. */
const ours = [
  ..."192.0.2.7 192.0.2.7:8080 127.0.0.1:1 127.1 0x7f000001 192.0.2.7. [::1] [::1]:8080".split(" "),
  ..."[2001:DB8::7]:443 [::ffff:192.0.2.7] localhost LOCALHOST:8080 localhost.".split(" "),
  ..."studio-1 STUDIO-1:8080 studio-1. studio-1.local Studio-1.Local.:8080".split(" "),
  ..."rack7 rack7.local console.example Console.Example:8443 console.example.".split(" "),
  // The names by which mDNS calls a console or a machine whose name another one has.
  ..."panel.example studio-1-2.local Studio-1-9.local.:8080 rack7-2.local".split(" "),
];

/** Refused `Host` headers, similar to allowed ones. */
const others = [
  ..."192.0.2.7.evil.example 192-0-2-7.evil.example localhost.evil.example".split(" "),
  ..."evil.localhost studio-1.local.evil.example studio-1.lan studio-10 rack faderd".split(" "),
  ..."console.example.local a.console.example evil-console.example example".split(" "),
  ..."studio-1-2 studio-1-1.local studio-1-10.local studio-1-2.local.evil.example".split(" "),
  ..."evil.example evil.example:8080 local .local localhost@evil.example".split(" "),
];

function requestTo(host: string, url = `http://${host}/api/rest`): Request {
  return new Request(url, { headers: host === "" ? {} : { host } });
}

Deno.test("Host is an IP address, localhost, the name of the machine or of the device, or one of hosts", () => {
  const isAllowed = (host: string) =>
    isAllowedHost(requestTo(host, "http://localhost/api/rest"), configuration, "rack7");
  assertEquals(ours.filter((host) => !isAllowed(host)), []);
  assertEquals(others.filter(isAllowed), []);
});

Deno.test("if the name of the machine cannot be read it is undefined", () => {
  for (const host of ["rack7", "undefined", "undefined.local"]) {
    assert(!isAllowedHost(requestTo(host), configuration));
  }
});

Deno.test("without Host, as in HTTP/2, the authority of the target counts", () => {
  for (const [host, ours] of [["console.example:8443", true], ["evil.example", false]] as const) {
    const request = new Request(`https://${host}/api/rest`);
    assertEquals([hostOf(request), isAllowedHost(request, configuration)], [host, ours]);
  }
});

Deno.test("in a target with a host of its own that host must be allowed, as well as Host", () => {
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

Deno.test("every interface answers a request to another name with 421 and an error, and nothing changes", async () => {
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

Deno.test("the answer names the expected values of Host", async () => {
  await using service = await startService();
  const request = "GET /api/rest HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  const answer = await askAsText(service.url, request);
  const { error, Error } = JSON.parse(answer.split("\r\n\r\n")[1]!);
  assertMatch(Error, /^Host: expected an IP address, .*hosts.*, got "evil\.example"$/);
  assertEquals(error, { code: 5, message: Error });
});

Deno.test("an empty Host is not a name of the service", async () => {
  await using service = await startService();
  const request = "GET /api/rest/general/_name HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n";
  const answer = await askAsText(service.url, request);
  assertMatch(answer, /^HTTP\/1\.1 421 [^]*Host: expected an IP address, .*, got \\"\\"/);
});

Deno.test("the own origin of a page has an allowed name", async () => {
  await using service = await startService({ configuration: unlimitedWith(parts) });
  const { port } = new URL(service.url);
  for (
    const [host, origin, status] of [
      ["studio-1.local", "http://studio-1.local", 101],
      [`studio-1.local:${port}`, `http://studio-1.local:${port}`, 101],
      ["console.example", "http://console.example", 101],
      // Both names are allowed, but a page of one is foreign on the other.
      ["studio-1.local", "http://console.example", 403],
      ["studio-1.local", "http://studio-1.local:3000", 403],
      ["evil.example", "http://studio-1.local", 421],
    ] as const
  ) {
    using asked = await openRaw(`${service.url}/api/ws`, { host, origin });
    assertEquals([host, origin, asked.status], [host, origin, status]);
  }
});

Deno.test("hosts takes host names, without ports or wildcards", () => {
  const faultsOf = (host: string) => {
    const result = readConfiguration({ hosts: [host] });
    return "faults" in result ? result.faults.map(({ path }) => path) : [];
  };
  for (const host of ["console", "console.example", "console.example.", "a_b-c.example", "x"]) {
    assertEquals(faultsOf(host), [], host);
  }
  for (const host of ["console.example:8080", "*.example", "http://a.example", "", "a b", "-a"]) {
    assertEquals(faultsOf(host), ["hosts.0"], host);
  }
});
