import { assertEquals } from "@std/assert";
import { clientOf } from "../../transport/arrival.ts";
import { startService, stillClock, unlimitedWith } from "../service.ts";
import { statusOf } from "./requests.ts";

/** An address, `X-Forwarded-For`, the client, and the client with `trustProxy`. */
const table: readonly (readonly [string, string | undefined, string, string])[] = [
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

Deno.test("a client is the address of its connection, or behind a trusted proxy the address that the proxy added", () => {
  for (const [address, forwarded, untrusted, trusted] of table) {
    const headers: HeadersInit = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    const request = new Request("http://127.0.0.1/", { headers });
    const found = [clientOf(request, address, false), clientOf(request, address, true)];
    assertEquals([forwarded, ...found], [forwarded, untrusted, trusted]);
  }
});

Deno.test("several X-Forwarded-For headers count as one", () => {
  const headers = new Headers({ "x-forwarded-for": "203.0.113.5" });
  headers.append("x-forwarded-for", "198.51.100.7");
  const request = new Request("http://127.0.0.1/", { headers });
  assertEquals(clientOf(request, "192.0.2.1", true), "198.51.100.7");
});

/** The `X-Forwarded-For` of four requests, and the status of each answer. */
const clients = ["192.0.2.1", "198.51.100.9, 192.0.2.1", "192.0.2.2", "192.0.2.2"];
const limiters = [
  [{}, [200, 423, 423, 423]],
  [{ trustProxy: false }, [200, 423, 423, 423]],
  [{ trustProxy: true }, [200, 423, 200, 423]],
] as const;

Deno.test("with trustProxy the limiter takes the client from X-Forwarded-For", async () => {
  for (const [rest, expected] of limiters) {
    const configuration = unlimitedWith({ limits: { rest: { burst: 1, ...rest } } });
    await using service = await startService({ clock: stillClock(), configuration });
    const statuses: number[] = [];
    for (const client of clients) {
      const headers = { "x-forwarded-for": client };
      statuses.push(await statusOf(`${service.url}/action/getgloballabel?ObjectID=1`, { headers }));
    }
    assertEquals(statuses, [...expected]);
  }
});
