import { assertEquals } from "@std/assert";
import { clientOf } from "../../transport/arrival.ts";
import { act, startService, stillClock, unlimitedWith } from "../service.ts";

const table:
  readonly (readonly [address: string, forwarded: string | undefined, string, string])[] = [
    // address, X-Forwarded-For, the client, the client with trustProxy
    ["192.0.2.1", undefined, "192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", "198.51.100.7", "192.0.2.1", "198.51.100.7"],
    ["192.0.2.1", "203.0.113.5, 198.51.100.7", "192.0.2.1", "198.51.100.7"],
    ["192.0.2.1", "203.0.113.5,198.51.100.7 ", "192.0.2.1", "198.51.100.7"],
    ["192.0.2.1", "", "192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", " , ", "192.0.2.1", "192.0.2.1"],
    ["::1", "2001:DB8::7", "::1", "2001:db8::7"],
    ["::ffff:192.0.2.1", undefined, "192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "::ffff:198.51.100.7", "192.0.2.1", "198.51.100.7"],
    ["::ffff:1:2", undefined, "::ffff:1:2", "::ffff:1:2"],
  ];

Deno.test("a client is its connection's address, or behind a trusted proxy what the proxy added", () => {
  for (const [address, forwarded, untrusted, trusted] of table) {
    const headers: HeadersInit = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    const request = new Request("http://127.0.0.1/", { headers });
    const found = [clientOf(request, address, false), clientOf(request, address, true)];
    assertEquals([forwarded, ...found], [forwarded, untrusted, trusted]);
  }
});

Deno.test("several X-Forwarded-For headers are as one", () => {
  const headers = new Headers({ "x-forwarded-for": "203.0.113.5" });
  headers.append("x-forwarded-for", "198.51.100.7");
  const request = new Request("http://127.0.0.1/", { headers });
  assertEquals(clientOf(request, "192.0.2.1", true), "198.51.100.7");
});

const sequence = ["192.0.2.1", "198.51.100.9, 192.0.2.1", "192.0.2.2", "192.0.2.2"];

for (
  const [trustProxy, expected] of [
    [false, [200, 423, 423, 423]],
    [true, [200, 423, 200, 423]],
  ] as const
) {
  Deno.test(`the limiter takes the client from X-Forwarded-For: trustProxy ${trustProxy}`, async () => {
    const configuration = unlimitedWith({ limits: { rest: { burst: 1, trustProxy } } });
    await using service = await startService({ clock: stillClock(), configuration });
    const statuses: number[] = [];
    for (const client of sequence) {
      const headers = { "x-forwarded-for": client };
      const { status } = await act(service, "getgloballabel", { ObjectID: 1 }, "GET", headers);
      statuses.push(status);
    }
    assertEquals(statuses, [...expected]);
  });
}

Deno.test("trustProxy is off unless the configuration turns it on", async () => {
  const configuration = unlimitedWith({ limits: { rest: { burst: 1 } } });
  await using service = await startService({ clock: stillClock(), configuration });
  for (const [client, expected] of [["192.0.2.1", 200], ["192.0.2.2", 423]] as const) {
    const headers = { "x-forwarded-for": client };
    const { status } = await act(service, "getgloballabel", { ObjectID: 1 }, "GET", headers);
    assertEquals(status, expected);
  }
});
