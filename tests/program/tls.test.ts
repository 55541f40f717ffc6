/** HTTPS by restored certificates, `faderd tls pack` and `faderd tls show`. */
import { createPrivateKey } from "node:crypto";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { opcodes, openRaw } from "../transport/raw-socket.ts";
import { type Running, startFaderd as startProcess } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";
import { failure, type Scene, sceneOf, stopped } from "./scene.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`./certificates/${name}.pem`, import.meta.url));
const caCerts = [read("ca")];
const one = read("one");
const two = read("two");
const expired = read("expired");
const keyOf = (pem: string) => pem.slice(pem.indexOf("-----BEGIN PRIVATE KEY"));
const certificateOf = (pem: string) => pem.slice(0, pem.indexOf("-----BEGIN PRIVATE KEY"));

const CONFIGURATION = { mixers: [{ faders: 2 }], limits: { rest: { burst: 0 } } };

const start = (scene: Scene) => scene.start("--listen-tls", "127.0.0.1:0");

/**
 * A pair as `openssl ecparam -genkey` and `openssl req` write it: two files, with the curve before
 * the key.
 */
async function pairIn(folder: string, pem = one, key = keyOf(pem)) {
  const sec1 = createPrivateKey(key).export({ type: "sec1", format: "pem" });
  const prime256v1 =
    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const cert = `${folder}/cert.pem`;
  const keyFile = `${folder}/key.pem`;
  await Deno.writeTextFile(cert, certificateOf(pem));
  await Deno.writeTextFile(keyFile, prime256v1 + sec1);
  return [cert, keyFile] as const;
}

const tlsUrlOf = ({ stdout }: Running) => /HTTPS on (https:\S+?)(,|\n)/.exec(stdout)![1]!;

/** Restores a certificate and its key; returns the error. */
async function renew(service: Running, content: string): Promise<string | undefined> {
  const archive = await archiveOf({ name: "tls.pem", content });
  return (await restoreTo(service, archive, ["TLS"], adminOf(service))).Error;
}

/** Asserts that a new connection gets the certificate of a host. */
async function greet(service: Running, hostname: string): Promise<void> {
  const port = Number(new URL(tlsUrlOf(service)).port);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  using tls = await Deno.startTls(connection, { hostname, caCerts });
  await tls.handshake();
}

Deno.test("a service without HTTPS takes a certificate for a later start with HTTPS", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  {
    await using service = await startProcess(...scene.options, "--listen", "localhost:0");
    assertEquals(await renew(service, one), undefined);
    await stopped(service);
  }
  await using again = await start(scene);
  await greet(again, "one.test");
});

Deno.test("serve speaks HTTPS once a certificate is restored, and after a restart", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  using client = Deno.createHttpClient({ caCerts });
  const service = await start(scene);
  await assertRejects(() => greet(service, "one.test"));
  assertEquals(await renew(service, one), undefined);
  const answer = await fetch(`${tlsUrlOf(service)}/api/rest/general/_firmware_version`, { client });
  assertEquals(await answer.json(), "10.3.0.0");
  await stopped(service);
  await using again = await start(scene);
  await greet(again, "one.test");
});

Deno.test("new connections get a restored certificate at once, open ones go on; an empty certificate ends HTTPS", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  await using service = await start(scene);
  await renew(service, one);
  using socket = await openRaw(`${tlsUrlOf(service)}/api/ws`, {}, caCerts);
  assertEquals(socket.status, 101);
  assertEquals(await renew(service, two), undefined);
  await greet(service, "two.test");
  await assertRejects(() => greet(service, "one.test"));
  for (let again = 0; again < 5; again++) await renew(service, [one, two][again % 2]!);
  await greet(service, "one.test");
  await socket.send(opcodes.text, '{"method":"get","path":"/audio/mixers/0/_name"}');
  assertEquals((await socket.next()).payload, "Mixer 1");
  assertEquals(await renew(service, ""), undefined);
  await assertRejects(() => greet(service, "one.test"));
});

/**
 * 60 clients of 127.0.0.2, one after the other, each set a fader over TLS and disconnect without
 * the answer. If neither socket of a client reports its end, no further client follows.
 */
const SHORT_CLIENTS = `
import net from "node:net";
import tls from "node:tls";
const [port, token] = Deno.args;
function visit(at) {
  const plain = net.connect({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
  const client = tls.connect({ socket: plain, rejectUnauthorized: false });
  const { promise, resolve } = Promise.withResolvers();
  // The service may end a connection before its client does.
  for (const socket of [plain, client]) socket.on("error", resolve).on("close", resolve);
  if (at < 60) promise.then(() => visit(at + 1));
  const path = "/api/rest/audio/mixers/0/faders/0/fader?set=-" + at;
  const head = "GET " + path + " HTTP/1.1\\r\\nhost: localhost\\r\\nauthorization: Bearer " + token;
  client.end(head + "\\r\\n\\r\\n");
}
visit(1);`;

Deno.test("a client that sends over TLS and disconnects at once has its address in the audit trail", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  await using service = await start(scene);
  await renew(service, one);
  const args = ["eval", SHORT_CLIENTS, "--", new URL(tlsUrlOf(service)).port, adminOf(service)];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert(success, new TextDecoder().decode(stderr));
  await stopped(service);
  const trail = await Deno.readTextFile(`${scene.data}/audit.log`);
  const changes = trail.split("\n").filter((line) => line.includes('/fader"'));
  assert(changes.length > 0);
  assertEquals(changes.filter((line) => !line.includes('"from":"127.0.0.2"')), []);
});

const bad: Readonly<Record<string, readonly [string, string]>> = {
  "a key that does not fit its certificate": [
    certificateOf(one) + keyOf(two),
    "tls.pem: the key does not fit the certificate",
  ],
  "an expired certificate": [expired, "tls.pem: the certificate has expired on "],
  "a chain with an expired certificate": [
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
  "a text that is not PEM": ["MIIBsjCCAVig", "tls.pem is not a certificate and one key as PEM"],
  "PEM of something else": [
    one.replaceAll("CERTIFICATE", "TRUSTED THING"),
    "tls.pem is not a certificate and one key as PEM",
  ],
  "a certificate without a key": [certificateOf(one), "tls.pem is not a certificate and one key"],
  "a key without a certificate": [keyOf(one), "tls.pem is not a certificate and one key"],
  "two keys": [one + keyOf(two), "tls.pem is not a certificate and one key"],
  "a damaged certificate": [
    one.replace("MII", "AAA"),
    "tls.pem: it cannot be read as a certificate and its key",
  ],
};

Deno.test("an invalid certificate is refused, and the earlier one stays", async (t) => {
  await using scene = await sceneOf(CONFIGURATION);
  await using service = await start(scene);
  await renew(service, two);
  for (const [what, [pem, reason]] of Object.entries(bad)) {
    await t.step(what, async () => {
      assertStringIncludes(await renew(service, pem) ?? "", reason);
      await greet(service, "two.test");
    });
  }
});

async function tar(cwd: string, ...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command("tar", { args, cwd }).output();
  assert(success);
  return new TextDecoder().decode(stdout);
}

Deno.test("a tar whose only file is tls.pem renews the certificate, by restore and by faderd restore", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { file, options } = scene;
  await Deno.writeTextFile(file("tls.pem"), one);
  await tar(scene.path, "czf", "one.tgz", "./tls.pem");
  {
    await using service = await start(scene);
    const archive = await Deno.readFile(file("one.tgz"));
    const { Error, Restored } = await restoreTo(service, archive, ["TLS"], adminOf(service));
    assertEquals([Error, Restored], [undefined, ["TLS"]]);
    await greet(service, "one.test");
  }
  const [cert, key] = await pairIn(scene.path, two);
  const pem = await Deno.readTextFile(key) + await Deno.readTextFile(cert);
  await Deno.writeTextFile(file("tls.pem"), pem);
  await tar(scene.path, "czf", "two.tgz", "tls.pem");
  const ended = await faderd("restore", file("two.tgz"), "--tags", "TLS", ...options);
  assertEquals([ended.code, ended.stderr], [0, ""]);
  const other = await faderd("restore", file("two.tgz"), "--tags", "TLS,NETWORK", ...options);
  assertStringIncludes(failure(other), "the first file is not manifest.json");
  await using again = await start(scene);
  await greet(again, "two.test");
});

Deno.test("tls pack makes an archive of a certificate and its key that restore accepts, and tls show prints the certificate", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { file, onData, path } = scene;
  const archive = file("new.tgz");
  const made = await faderd("tls", "pack", ...await pairIn(path), archive);
  assertEquals(made, { code: 0, stdout: `${archive}: TLS\n`, stderr: "" });
  assertEquals((await Deno.stat(archive)).mode! & 0o777, 0o600);
  assertEquals(await tar(path, "tzf", "new.tgz"), "manifest.json\ntls.pem\nsums.json\n");
  await tar(path, "xzf", "new.tgz");
  const { tags, time } = JSON.parse(await Deno.readTextFile(file("manifest.json")));
  assertEquals(tags, ["TLS"]);
  assert(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  assert(!(await Deno.readTextFile(file("tls.pem"))).includes("EC PARAMETERS"));

  const absent = failure(await faderd("tls", "show", ...onData));
  assertEquals(absent, `faderd: there is no data folder ${scene.data}\n`);
  await faderd("user", "add", "anna", "--groups", "1", ...onData);
  const none = failure(await faderd("tls", "show", ...onData));
  assertEquals(none, `faderd: ${scene.data} holds no certificate\n`);
  await faderd("restore", archive, "--tags", "TLS", ...scene.options);
  const { code, stdout, stderr } = await faderd("tls", "show", ...onData);
  assertEquals([code, stderr], [0, ""]);
  const names = stdout.trimEnd().split("\n").map((line) => line.split(":")[0]);
  assertEquals(names, ["subject", "names", "issuer", "valid from", "valid until", "SHA-256"]);
  assertStringIncludes(stdout, "one.test");
  await using service = await start(scene);
  await greet(service, "one.test");
});

Deno.test("tls pack of invalid files prints one clear line, and writes nothing", async () => {
  await using scene = await sceneOf();
  const { file } = scene;
  const [cert, key] = await pairIn(scene.path, one, keyOf(two));
  await Deno.writeTextFile(file("expired.pem"), certificateOf(expired));
  await Deno.writeTextFile(file("expired.key"), keyOf(expired));
  await Deno.writeTextFile(file("long.pem"), certificateOf(one).repeat(500));
  await Deno.writeTextFile(file("one.key"), keyOf(one));
  const archive = file("new.tgz");
  const rows: readonly (readonly [cert: string, key: string, file: string, reason: string])[] = [
    [cert, key, archive, `${cert} and ${key}: the key does not fit the certificate`],
    [file("expired.pem"), file("expired.key"), archive, "the certificate has expired on "],
    [file("long.pem"), file("one.key"), archive, "expected at most 262144 bytes, got "],
    [cert, cert, archive, `${cert} and ${cert} are not a certificate and one key as PEM`],
    [cert, "/nowhere.pem", archive, "/nowhere.pem cannot be read"],
    [cert, file("one.key"), "/nowhere/new.tgz", "/nowhere/new.tgz could not be written: "],
  ];
  for (const [cert, key, into, reason] of rows) {
    assertStringIncludes(failure(await faderd("tls", "pack", cert, key, into)), reason);
    await assertRejects(() => Deno.stat(archive), Deno.errors.NotFound);
  }
});

Deno.test("a TLS port in use is one clear line, and nothing is written", async () => {
  await using scene = await sceneOf();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const address = `127.0.0.1:${taken.addr.port}`;
  const start = () => scene.start("--listen-tls", address);
  await assertRejects(start, Error, `ended with code 1: faderd: cannot listen on ${address}`);
  await assertRejects(() => Deno.stat(scene.data), Deno.errors.NotFound);
});
