/** A console in Node: its requests and its restores are answered as those of the program are. */
import { hostname } from "node:os";
import { assertEquals, assertMatch } from "@std/assert";
import { startConsole } from "../../../runtimes/node/node.ts";
import { archiveOf, restoreTo } from "../../program/restores.ts";
import { openRaw } from "../../transport/raw-socket.ts";
import { askAsText } from "../../transport/requests.ts";

const pem = (name: string) =>
  Deno.readTextFileSync(new URL(`../../program/certificates/${name}.pem`, import.meta.url));

Deno.test("in Node a request without Host is malformed, and one with an empty Host misdirected", async () => {
  await using desk = await startConsole();
  for (
    const [head, expected] of [
      ["HTTP/1.0\r\n", /^HTTP\/1\.1 400 [^]*no valid \\?"Host/],
      ["HTTP/1.1\r\nHost:\r\nConnection: close\r\n", /^HTTP\/1\.1 421 [^]*Host: expected .* got /],
    ] as const
  ) {
    for (const path of ["/api/rest/general/_uptime", "/localhost/api/rest/general/_uptime"]) {
      assertMatch(await askAsText(desk.url, `GET ${path} ${head}\r\n`), expected, path);
    }
  }
});

Deno.test("in Node a console answers by the name of its machine", async () => {
  await using desk = await startConsole();
  for (const host of [hostname(), `${hostname()}.local`]) {
    using asked = await openRaw(`${desk.url}/api/ws`, { host });
    assertEquals(asked.status, 101, host);
  }
});

Deno.test("in Node a restore of a certificate with the key of another one is refused, and that of its own taken", async () => {
  await using desk = await startConsole();
  const restore = async (content: string) =>
    await restoreTo(desk, await archiveOf({ name: "tls.pem", content }), ["TLS"], desk.token);
  const [one, two] = [pem("one"), pem("two")];
  const keyAt = (text: string) => text.indexOf("-----BEGIN PRIVATE KEY");
  const mixed = one.slice(0, keyAt(one)) + two.slice(keyAt(two));
  assertMatch((await restore(mixed)).Error, /tls\.pem: the key does not fit the certificate$/);
  assertEquals((await restore(one)).Restored, ["TLS"]);
});
