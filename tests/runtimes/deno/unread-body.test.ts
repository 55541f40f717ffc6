/** Bodies that no action reads: with any answer the service stops taking them. */
import { assert, assertEquals } from "@std/assert";
import { demoWith, startService, stillClock, unlimitedWith } from "../../service.ts";

/** The bytes beyond which a body counts as read; the buffers of the sockets hold far less. */
const MUCH = 256 * 1024 * 1024;

const endless = "transfer-encoding: chunked";
const huge = "content-length: 99999999999";
const foreign = "origin: http://evil.example";

type Row = readonly [
  request: string,
  status: number,
  headers: readonly string[],
  configuration?: ReturnType<typeof demoWith>,
];

const rows: readonly Row[] = [
  ["POST /action/nosuch", 404, [endless]],
  ["PUT /action/login", 405, [endless]],
  ["POST /action/login", 405, [endless], unlimitedWith({ restApi: { enabled: false } })],
  ["POST /action/login", 403, [endless, foreign]],
  ["POST /pictures/1", 405, [endless]],
  ["POST /nothing", 404, [huge]],
  ["GET /nothing", 404, [huge]],
  ["GET /action/nosuch", 404, [endless]],
  ["POST /api/ws", 426, [endless]],
  ["PUT /api/rest", 405, [huge]],
  ["POST /action/login", 413, [huge]],
  ["POST /api/rest", 413, [huge]],
  ["POST /action/login", 423, [endless], demoWith({ limits: { rest: { burst: 1 } } })],
];

/**
 * Sends an endless body; the status of the answer, the bytes taken, and whether sending failed.
 */
async function flood(url: string, request: string, headers: readonly string[]) {
  const { hostname, port, host } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const utf8 = new TextEncoder();
  const head = [`${request} HTTP/1.1`, `host: ${host}`, ...headers].join("\r\n");
  await connection.write(utf8.encode(`${head}\r\n\r\n`));
  const data = "x".repeat(0x4000);
  const chunk = utf8.encode(headers.includes(endless) ? `4000\r\n${data}\r\n` : data);
  let sent = 0;
  let ended = false;
  const sending = (async () => {
    try {
      while (sent < MUCH) sent += await connection.write(chunk.subarray(sent % chunk.length));
    } catch {
      ended = true;
    }
  })();
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer) ?? 0;
  const status = Number(new TextDecoder().decode(buffer.subarray(0, count)).split(" ")[1]);
  await sending;
  connection.close();
  return { status, sent, ended };
}

Deno.test("an endless body is not read, with any answer", async () => {
  await Promise.all(rows.map(async ([request, status, headers, configuration]) => {
    const what = `${request}: ${headers.join(", ")}`;
    const given = { configuration: configuration ?? unlimitedWith(), clock: stillClock() };
    await using service = await startService(given);
    if (status === 423) await (await fetch(`${service.url}/action/login`)).body?.cancel();
    const answer = await flood(service.url, request, headers);
    assertEquals([what, answer.status], [what, status]);
    assert(answer.sent < MUCH, `${what}: ${answer.sent} bytes were taken`);
    assert(answer.ended, `${what}: the connection is closed`);
  }));
});

Deno.test("a small body that is not read leaves the connection open", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const response = await fetch(`${service.url}/action/nosuch`, { method: "POST", body: "x=1" });
  await response.body?.cancel();
  assertEquals([response.status, response.headers.get("connection")], [404, null]);
});
