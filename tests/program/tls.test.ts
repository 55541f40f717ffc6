import { createPrivateKey } from "node:crypto";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { opcodes, openRaw } from "../transport/raw-socket.ts";
import { type Running, startFaderd as startProcess, temporaryFolder } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`./certificates/${name}.pem`, import.meta.url));
const caCerts = [read("ca")];
const [one, two, expired] = [read("one"), read("two"), read("expired")];
const keyOf = (pem: string) => pem.slice(pem.indexOf("-----BEGIN PRIVATE KEY"));
const certificateOf = (pem: string) => pem.slice(0, pem.indexOf("-----BEGIN PRIVATE KEY"));

const CONFIGURATION = { mixers: [{ faders: 2 }], limits: { rest: { burst: 0 } } };

async function start(folder: string): Promise<Running> {
  await Deno.writeTextFile(`${folder}/config.json`, JSON.stringify(CONFIGURATION));
  const data = ["--data", `${folder}/data`, "--config", `${folder}/config.json`];
  return await startFaderd(...data, "--listen-tls", "127.0.0.1:0");
}

/**
 * A pair as `openssl ecparam -genkey` and `openssl req` leave it: two files, and the curve beside
 * the key.
 */
async function pairIn(folder: string, pem = one, key = keyOf(pem)) {
  const sec1 = createPrivateKey(key).export({ type: "sec1", format: "pem" });
  const prime256v1 =
    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const [cert, keyFile] = [`${folder}/cert.pem`, `${folder}/key.pem`];
  await Deno.writeTextFile(cert, certificateOf(pem));
  await Deno.writeTextFile(keyFile, prime256v1 + sec1);
  return [cert, keyFile] as const;
}

const tlsUrlOf = ({ stdout }: Running) => /HTTPS on (https:\S+?)(,|\n)/.exec(stdout)![1]!;

async function renew(service: Running, token: string, content: string) {
  const archive = await archiveOf({ name: "tls.pem", content });
  return await restoreTo(service, archive, ["TLS"], token);
}

/** That a new connection is shown the certificate of a host; rejects when it is another's. */
async function greet(url: string, hostname: string): Promise<void> {
  const port = Number(new URL(url).port);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  using tls = await Deno.startTls(connection, { hostname, caCerts });
  await tls.handshake();
}

Deno.test("a service without HTTPS takes a certificate, for a start that has it", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/config.json`, JSON.stringify(CONFIGURATION));
  const data = ["--data", `${folder.path}/data`, "--config", `${folder.path}/config.json`];
  {
    await using service = await startProcess(...data, "--listen", "localhost:0");
    assertEquals((await renew(service, adminOf(service), one)).Error, undefined);
  }
  await using again = await start(folder.path);
  await greet(tlsUrlOf(again), "one.test");
});

Deno.test("serve speaks HTTPS once a certificate is restored, and after a restart", async () => {
  await using folder = await temporaryFolder();
  using client = Deno.createHttpClient({ caCerts });
  let url: string;
  {
    await using service = await start(folder.path);
    url = tlsUrlOf(service);
    await assertRejects(() => greet(url, "one.test"));
    assertEquals((await renew(service, adminOf(service), one)).Error, undefined);
    const answer = await fetch(`${url}/api/rest/general/_firmware_version`, { client });
    assertEquals(await answer.json(), "10.3.0.0");
    service.kill("SIGTERM");
    assertEquals((await service.ended()).code, 0);
  }
  await using again = await start(folder.path);
  await greet(tlsUrlOf(again), "one.test");
});

Deno.test("new connections get a restored certificate at once without a restart, open ones go on", async () => {
  await using folder = await temporaryFolder();
  await using service = await start(folder.path);
  const token = adminOf(service);
  const url = tlsUrlOf(service);
  await renew(service, token, one);
  using socket = await openRaw(`${url}/api/ws`, {}, caCerts);
  assertEquals(socket.status, 101);
  assertEquals((await renew(service, token, two)).Error, undefined);
  await greet(url, "two.test");
  await assertRejects(() => greet(url, "one.test"));
  await socket.send(opcodes.text, '{"method":"get","path":"/audio/mixers/0/_name"}');
  assertEquals((await socket.next()).payload, "Mixer 1");
  for (let again = 0; again < 5; again++) await renew(service, token, [one, two][again % 2]!);
  await greet(url, "one.test");
  await socket.send(opcodes.text, '{"method":"get","path":"/audio/mixers/0/_name"}');
  assertEquals((await socket.next()).payload, "Mixer 1");
});

/** Has 60 clients of 127.0.0.2 each set a fader once over TLS, and go away without the answer. */
const SHORT_CLIENTS = `
import net from "node:net";
import tls from "node:tls";
const [port, token] = Deno.args;
for (let at = 1; at <= 60; at++) {
  const plain = net.connect({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
  const client = tls.connect({ socket: plain, rejectUnauthorized: false });
  // The service may be done with a connection before its client is.
  for (const socket of [plain, client]) socket.on("error", () => {});
  const path = "/api/rest/audio/mixers/0/faders/0/fader?set=-" + at;
  const head = "GET " + path + " HTTP/1.1\\r\\nhost: localhost\\r\\nauthorization: Bearer " + token;
  await new Promise((resolve) => client.once("close", resolve).end(head + "\\r\\n\\r\\n"));
}`;

Deno.test("who sends over TLS and goes away at once stands under their address in the audit trail", async () => {
  await using folder = await temporaryFolder();
  await using service = await start(folder.path);
  const token = adminOf(service);
  await renew(service, token, one);
  const args = ["eval", SHORT_CLIENTS, "--", new URL(tlsUrlOf(service)).port, token];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert(success, new TextDecoder().decode(stderr));
  service.kill("SIGTERM");
  await service.ended();
  const trail = await Deno.readTextFile(`${folder.path}/data/audit.log`);
  const changes = trail.split("\n").filter((line) => line.includes('/fader"'));
  assert(changes.length > 0);
  assertEquals(changes.filter((line) => !line.includes('"from":"127.0.0.2"')), []);
});

Deno.test("an empty certificate takes HTTPS away", async () => {
  await using folder = await temporaryFolder();
  await using service = await start(folder.path);
  const token = adminOf(service);
  await renew(service, token, one);
  await greet(tlsUrlOf(service), "one.test");
  assertEquals((await renew(service, token, "")).Error, undefined);
  await assertRejects(() => greet(tlsUrlOf(service), "one.test"));
});

const bad: Readonly<Record<string, readonly [string, string]>> = {
  "a key that does not fit its certificate": [
    certificateOf(one) + keyOf(two),
    "tls.pem: the key does not fit the certificate",
  ],
  "an expired certificate": [expired, "tls.pem: the certificate has expired on "],
  "a chain of which one has expired": [
    certificateOf(one) + expired,
    "tls.pem: the certificate has expired on ",
  ],
  "a certificate that is not valid yet": [
    read("future"),
    "tls.pem: the certificate is not valid before ",
  ],
  "an RSA key of 1024 bits, which cannot be served with": [
    read("rsa1024"),
    "tls.pem: HTTPS cannot be served with it: ",
  ],
  "a key on secp256k1, which cannot be served with": [
    read("secp256k1"),
    "tls.pem: HTTPS cannot be served with it: ",
  ],
  "an encrypted key": [
    certificateOf(one) + keyOf(one).replaceAll("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"),
    "tls.pem: the key is encrypted, expected it without a passphrase",
  ],
  "what is not PEM": ["MIIBsjCCAVig", "tls.pem is no certificate and one key as PEM"],
  "PEM of something else": [
    one.replaceAll("CERTIFICATE", "TRUSTED THING"),
    "tls.pem is no certificate and one key as PEM",
  ],
  "a certificate without a key": [certificateOf(one), "tls.pem is no certificate and one key"],
  "a key without a certificate": [keyOf(one), "tls.pem is no certificate and one key"],
  "two keys": [one + keyOf(two), "tls.pem is no certificate and one key"],
  "a damaged certificate": [
    one.replace("MII", "AAA"),
    "tls.pem: it cannot be read as a certificate and its key",
  ],
};

Deno.test("a certificate that will not do is refused, and the one before stays", async (t) => {
  await using folder = await temporaryFolder();
  await using service = await start(folder.path);
  const token = adminOf(service);
  await renew(service, token, two);
  for (const [what, [pem, reason]] of Object.entries(bad)) {
    await t.step(what, async () => {
      assertStringIncludes((await renew(service, token, pem)).Error, reason);
      await greet(tlsUrlOf(service), "two.test");
    });
  }
});

async function tar(cwd: string, ...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command("tar", { args, cwd }).output();
  assert(success);
  return new TextDecoder().decode(stdout);
}

Deno.test("a tar whose only file is tls.pem renews the certificate, by restore and by faderd restore", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await Deno.writeTextFile(`${path}/tls.pem`, one);
  await tar(path, "czf", "one.tgz", "./tls.pem");
  {
    await using service = await start(path);
    const archive = await Deno.readFile(`${path}/one.tgz`);
    const { Error, Restored } = await restoreTo(service, archive, ["TLS"], adminOf(service));
    assertEquals([Error, Restored], [undefined, ["TLS"]]);
    await greet(tlsUrlOf(service), "one.test");
  }
  const [cert, key] = await pairIn(path, two);
  await Deno.writeTextFile(
    `${path}/tls.pem`,
    await Deno.readTextFile(key) + await Deno.readTextFile(cert),
  );
  await tar(path, "czf", "two.tgz", "tls.pem");
  const options = ["--data", `${path}/data`, "--config", `${path}/config.json`];
  const ended = await faderd("restore", `${path}/two.tgz`, "--tags", "TLS", ...options);
  assertEquals([ended.code, ended.stderr], [0, ""]);
  const other = await faderd("restore", `${path}/two.tgz`, "--tags", "TLS,NETWORK", ...options);
  assertEquals(other.code, 1);
  assertStringIncludes(other.stderr, "the first file is not manifest.json");
  await using again = await start(path);
  await greet(tlsUrlOf(again), "two.test");
});

Deno.test("tls pack makes an archive of a certificate and its key that restore takes", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const [cert, key] = await pairIn(path);
  const made = await faderd("tls", "pack", cert, key, `${path}/new.tgz`);
  assertEquals(made, { code: 0, stdout: `${path}/new.tgz: TLS\n`, stderr: "" });
  assertEquals((await Deno.stat(`${path}/new.tgz`)).mode! & 0o777, 0o600);
  assertEquals(await tar(path, "tzf", "new.tgz"), "manifest.json\ntls.pem\nsums.json\n");
  await tar(path, "xzf", "new.tgz");
  const { tags, time } = JSON.parse(await Deno.readTextFile(`${path}/manifest.json`));
  assertEquals(tags, ["TLS"]);
  assert(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  const pem = await Deno.readTextFile(`${path}/tls.pem`);
  assert(!pem.includes("EC PARAMETERS"));
  await using service = await start(path);
  const archive = await Deno.readFile(`${path}/new.tgz`);
  const { Error } = await restoreTo(service, archive, ["TLS"], adminOf(service));
  assertEquals(Error, undefined);
  await greet(tlsUrlOf(service), "one.test");
});

Deno.test("tls pack of what will not do is one clear line, and writes nothing", async (t) => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const [cert, key] = await pairIn(path, one, keyOf(two));
  await Deno.writeTextFile(`${path}/expired.pem`, certificateOf(expired));
  await Deno.writeTextFile(`${path}/expired.key`, keyOf(expired));
  await Deno.writeTextFile(`${path}/long.pem`, certificateOf(one).repeat(500));
  await Deno.writeTextFile(`${path}/one.key`, keyOf(one));
  const file = `${path}/new.tgz`;
  const both = `${cert} and ${key}`;
  const cases: Readonly<Record<string, readonly [readonly string[], string]>> = {
    "a pair that does not fit": [
      [cert, key, file],
      `${both}: the key does not fit the certificate`,
    ],
    "a certificate that has expired": [
      [`${path}/expired.pem`, `${path}/expired.key`, file],
      "the certificate has expired on ",
    ],
    "a chain that no restore takes": [
      [`${path}/long.pem`, `${path}/one.key`, file],
      "expected at most 262144 bytes, got ",
    ],
    "no key": [[cert, cert, file], `${cert} and ${cert} are no certificate and one key as PEM`],
    "a file that is not there": [[cert, "/nowhere.pem", file], "/nowhere.pem cannot be read"],
    "nothing": [[], "cert is missing; see faderd tls pack --help"],
    "no archive named": [[cert, key], "file is missing; see faderd tls pack --help"],
    "one too many": [[cert, key, file, "more"], '"more" is one argument too many'],
  };
  for (const [what, [args, reason]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const { code, stdout, stderr } = await faderd("tls", "pack", ...args);
      const status = args.length === 3 ? 1 : 2;
      assertEquals([code, stdout], [status, ""]);
      assertStringIncludes(stderr, reason);
      assertEquals(stderr.trimEnd().split("\n").length, 1);
      await assertRejects(() => Deno.stat(file), Deno.errors.NotFound);
    });
  }
});

Deno.test("tls show says whom the certificate is for and until when, and nothing of its key", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const [cert, key] = await pairIn(path);
  await faderd("tls", "pack", cert, key, `${path}/new.tgz`);
  const data = ["--data", `${path}/data`];
  await faderd("user", "add", "anna", "--groups", "1", ...data);
  const none = await faderd("tls", "show", ...data);
  assertEquals([none.code, none.stderr], [1, `faderd: ${path}/data holds no certificate\n`]);
  await faderd("restore", `${path}/new.tgz`, "--tags", "TLS", ...data);
  const { code, stdout, stderr } = await faderd("tls", "show", ...data);
  assertEquals([code, stderr], [0, ""]);
  const names = stdout.trimEnd().split("\n").map((line) => line.split(":")[0]);
  assertEquals(names, ["subject", "names", "issuer", "valid from", "valid until", "SHA-256"]);
  assertStringIncludes(stdout, "one.test");
});

Deno.test("tls show of a folder that is not there makes none", async () => {
  const shown = await faderd("tls", "show", "--data", "/nowhere/data");
  assertEquals([shown.code, shown.stderr], [1, "faderd: there is no data folder /nowhere/data\n"]);
});

Deno.test("tls pack writes nowhere that cannot be written to", async () => {
  await using folder = await temporaryFolder();
  const [cert, key] = await pairIn(folder.path);
  const { code, stderr } = await faderd("tls", "pack", cert, key, "/nowhere/new.tgz");
  assertEquals(code, 1);
  assertStringIncludes(stderr, "/nowhere/new.tgz could not be written: ");
});

Deno.test("a TLS port that is taken is one clear line, and nothing is written", async () => {
  await using folder = await temporaryFolder();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const data = `${folder.path}/data`;
  const address = `127.0.0.1:${taken.addr.port}`;
  const ended = await faderd(
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--data",
    data,
    "--listen-tls",
    address,
  );
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, `cannot listen on ${address}`);
  await assertRejects(() => Deno.stat(data), Deno.errors.NotFound);
});
