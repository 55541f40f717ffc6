/** The examples of reverse proxies, each with the real proxy where it is installed. */
import { createConnection } from "node:net";
import { connect as connectTls } from "node:tls";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { adminOf } from "../../program/restores.ts";
import { rpc, type Scene, sceneOf } from "../../program/scene.ts";
import { type Running, temporaryFolder } from "../../program/faderd.ts";
import { opcodes, openRaw } from "../../transport/raw-socket.ts";

const pem = (name: string) =>
  Deno.readTextFileSync(new URL(`../../program/certificates/${name}.pem`, import.meta.url));
const [certificate, key] = pem("one").split(/(?=-----BEGIN PRIVATE KEY)/);
const caCerts = [pem("ca")];
/** The name in the certificate, beside the addresses of this machine. */
const NAME = "one.test";

const example = (name: string) =>
  Deno.readTextFile(new URL(`../../../docs/examples/proxies/${name}`, import.meta.url));

/** A proxy with the configuration of its example, in a folder, at a port, before two consoles. */
interface Setting {
  readonly folder: string;
  readonly port: number;
  readonly one: string;
  readonly two: string;
}

/** The command of a proxy. */
interface Proxy {
  /** Makes its files; returns the command that starts it. */
  readonly prepare: (setting: Setting) => Promise<readonly string[]>;
  /** The signal that ends it at once, with its child processes. */
  readonly end: Deno.Signal;
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    end: "SIGTERM",
    async prepare({ folder, port, one, two }) {
      const site = (await example("nginx.conf"))
        .replace("127.0.0.1:8080", one).replace("127.0.0.1:8081", two)
        .replace("listen 443", `listen 127.0.0.1:${port}`).replace("consoles.studio", NAME)
        .replaceAll("/etc/nginx/", `${folder}/`);
      await Deno.writeTextFile(`${folder}/site.conf`, site);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
      const main = `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\n` +
        `http {\naccess_log off;\n${temporary}\ninclude ${folder}/site.conf;\n}\n`;
      await Deno.writeTextFile(`${folder}/nginx.conf`, main);
      return ["nginx", "-p", folder, "-c", `${folder}/nginx.conf`];
    },
  },
  caddy: {
    // On SIGTERM it would wait for clients.
    end: "SIGKILL",
    async prepare({ folder, port, one, two }) {
      const site = (await example("Caddyfile"))
        .replace("127.0.0.1:8080", one).replace("127.0.0.1:8081", two)
        .replace(
          "consoles.studio {",
          `https://${NAME}:${port}, https://127.0.0.1:${port} {\n\tbind 127.0.0.1`,
        )
        .replaceAll("/etc/caddy/", `${folder}/`);
      // It opens no further port of its own.
      const options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
      await Deno.writeTextFile(`${folder}/Caddyfile`, options + site);
      return ["caddy", "run", "--adapter", "caddyfile", "--config", `${folder}/Caddyfile`];
    },
  },
};

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

interface Behind extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly services: readonly [Running, Running];
}

/** Starts two consoles that trust their proxy, and the proxy; resolves once that answers. */
async function behind({ prepare, end }: Proxy): Promise<Behind> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder()).path;
  const services: Running[] = [];
  for (const name of ["studio-1", "studio-2"]) {
    const scene: Scene = stack.use(
      await sceneOf({
        device: { name, serial: name },
        hosts: [NAME],
        mixers: [{ faders: 2 }],
        limits: { rest: { trustProxy: true } },
      }),
    );
    services.push(stack.use(await scene.start()));
  }
  await Deno.writeTextFile(`${folder}/consoles.crt`, certificate!);
  await Deno.writeTextFile(`${folder}/consoles.key`, key!);
  const port = freePort();
  const [one, two] = services.map(({ url }) => new URL(url).host);
  const [program, ...args] = await prepare({ folder, port, one: one!, two: two! });
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const process = new Deno.Command(program!, { args, env, stdout: "null", stderr: "piped" })
    .spawn();
  const said = new Response(process.stderr).text();
  let isOver = false;
  const status = process.status.then(() => isOver = true);
  stack.defer(async () => {
    if (!isOver) process.kill(end);
    await status;
  });
  while (true) {
    if (isOver) throw new Error(await said);
    const isThere = await Deno.connect({ hostname: "127.0.0.1", port })
      .then((connection) => (connection.close(), true), () => false);
    if (isThere) break;
  }
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    services: services as [Running, Running],
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync();
      await said;
    },
  };
}

/** Requests a path from 127.0.0.2, with these headers; returns the whole text of the response. */
function request(port: number, path: string, headers: Record<string, string>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const plain = createConnection({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
  const client = connectTls({ socket: plain, servername: NAME, ca: caCerts });
  let text = "";
  client.on("data", (bytes: Uint8Array) => text += new TextDecoder().decode(bytes));
  client.on("end", () => resolve(text));
  client.on("error", reject);
  const lines = Object.entries({ host: `${NAME}:${port}`, connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  client.write(`GET ${path} HTTP/1.1\r\n${lines}\r\n`);
  return promise;
}

/** The addresses of the clients that changed a value, from the audit trail. */
async function callersOf(service: Running): Promise<string[]> {
  const answer = await rpc(service, adminOf(service), "getaudit");
  return answer.payload.result.map(({ from }: { from: string }) => from)
    .filter((from: string) => from !== "command line");
}

const set = (value: number) => `/api/rest/audio/mixers/0/faders/0/fader?set=${value}`;

for (const [name, proxy] of Object.entries(proxies)) {
  const found = await new Deno.Command("sh", { args: ["-c", `command -v ${name}`] }).output();
  const ignore = !found.success;

  Deno.test({
    name: `${name}: requests and WebSockets pass, also below a path`,
    ignore,
    async fn() {
      await using consoles = await behind(proxy);
      const { url } = consoles;
      using client = Deno.createHttpClient({ caCerts });
      const get = async (path: string) => {
        const answer = await fetch(`${url}${path}`, { client, redirect: "manual" });
        return {
          status: answer.status,
          to: answer.headers.get("location"),
          text: await answer.text(),
        };
      };
      assertEquals(JSON.parse((await get("/api/rest/general/_name")).text), "studio-1");
      assertEquals(JSON.parse((await get("/studio-2/api/rest/general/_name")).text), "studio-2");
      const slash = await get("/studio-2");
      assertEquals(slash.status, 308);
      assertMatch(slash.to!, /\/studio-2\/$/);
      assertEquals((await get("/studio-2/health")).status, 200);
      // More than the default limit of a proxy; the console reads it, and refuses it.
      const body = new FormData();
      body.append("file", new File([new Uint8Array(3 * 1024 * 1024)], "backup.tgz"));
      const upload = { method: "POST", body, client };
      const restored = await fetch(`${url}/action/restore?Tags=TLS`, upload);
      assertStringIncludes(await restored.text(), "Error");
      for (const path of ["", "/studio-2"]) {
        // A page of the same address may open a WebSocket; a page of another address may not.
        using socket = await openRaw(`${url}${path}/api/ws`, { origin: url }, caCerts);
        assertEquals(socket.status, 101, socket.head);
        await socket.send(opcodes.text, '{"method":"get","path":"/audio/mixers/0/_name"}');
        assertEquals((await socket.next()).payload, "Mixer 1");
        const strange = { origin: "https://elsewhere.example" };
        using refused = await openRaw(`${url}${path}/api/ws`, strange, caCerts);
        assertEquals(refused.status, 403);
      }
    },
  });

  Deno.test({
    name: `${name}: the console sees the own address of a client, not a forged one`,
    ignore,
    async fn() {
      await using consoles = await behind(proxy);
      const { port, services: [one, two] } = consoles;
      const forged: readonly Record<string, string>[] = [
        {},
        { "x-forwarded-for": "198.51.100.7" },
        { "x-forwarded-for": "198.51.100.7, 127.0.0.1" },
        {
          "X-FORWARDED-FOR": "198.51.100.7",
          "x-real-ip": "198.51.100.8",
          "forwarded": "for=198.51.100.9",
        },
      ];
      for (const [at, headers] of forged.entries()) {
        for (const path of ["", "/studio-2"]) {
          const text = await request(port, `${path}${set(-at - 1)}`, headers);
          assertStringIncludes(text, "200 OK");
        }
      }
      for (const service of [one, two]) {
        assertEquals([...new Set(await callersOf(service))], ["127.0.0.2"]);
      }
      // Forged headers about its page or about the host have no effect, either.
      const page = {
        "origin": "https://elsewhere.example",
        "x-forwarded-host": "elsewhere.example",
      };
      assertStringIncludes(await request(port, set(-9), page), "403 Forbidden");
      // A proxy may answer a request for an unknown host itself.
      await request(port, set(-9), { host: "elsewhere.example" });
      const level = await fetch(`${one.url}/api/rest/audio/mixers/0/faders/0/fader`);
      assertEquals(await level.json(), -forged.length);
    },
  });
}

Deno.test("without a proxy a forged X-Forwarded-For is believed: trustProxy is for a service on 127.0.0.1", async () => {
  await using scene = await sceneOf({
    mixers: [{ faders: 2 }],
    limits: { rest: { trustProxy: true } },
  });
  await using service = await scene.start();
  const headers = { "x-forwarded-for": "198.51.100.7" };
  await (await fetch(`${service.url}${set(-1)}`, { headers })).text();
  assertEquals(await callersOf(service), ["198.51.100.7"]);
});
