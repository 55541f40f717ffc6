import { assertEquals, assertMatch } from "@std/assert";
import { temporaryFolder } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

Deno.test("faderd health prints the health of a running service, and ends with 1 where there is none", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", folder.path);
  const well = await faderd("health", "--url", running.url);
  assertEquals(well.code, 0);
  assertEquals(JSON.parse(well.stdout).ready, true);
  running.kill("SIGTERM");
  await running.ended();
  const gone = await faderd("health", "--url", running.url);
  assertEquals([gone.code, gone.stdout], [1, ""]);
  assertMatch(gone.stderr, /http:\S+ does not answer: .*refused/i);
});

Deno.test("faderd health asks below the path of --url, and says what answers otherwise than faderd", async () => {
  const asked: string[] = [];
  await using proxy = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (pathname !== "/desk/health") return new Response("not here", { status: 404 });
    return Response.json({ live: true, ready: true });
  });
  const base = `http://127.0.0.1:${proxy.addr.port}`;
  assertEquals((await faderd("health", "--url", `${base}/desk/`)).code, 0);
  const { code, stderr } = await faderd("health", "--url", base);
  assertEquals(code, 1);
  assertMatch(stderr, /\/health answers with status 404, and not as faderd does/);
  assertEquals(asked, ["/desk/health", "/health"]);
});

Deno.test("faderd health refuses what is no URL, with exit status 2", async () => {
  const { code, stderr } = await faderd("health", "--url", "8080");
  assertEquals(code, 2);
  assertMatch(stderr, /--url: expected one like \S+, got 8080/);
});
