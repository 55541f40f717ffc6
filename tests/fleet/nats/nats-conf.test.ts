/** The example configuration of NATS servers, docs/examples/nats.conf, on real servers. */
import { assertEquals, assertRejects } from "@std/assert";
// deno-lint-ignore no-import-prefix
import { nkeys } from "npm:@nats-io/nats-core@3.4.0";
import { openNats } from "../../../fleet/nats/open.ts";
import { temporaryFolder } from "../../program/faderd.ts";
import { freePorts, isMissing, isTaken } from "./servers.ts";

const shown = new URL("../../../docs/examples/nats.conf", import.meta.url);
const NAMES = ["a", "b", "c"];

/** Makes a CA, and a certificate of it for this machine. */
async function makeCertificates(folder: string): Promise<void> {
  const openssl = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("openssl", { args, cwd: folder }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const ca = ["-keyout", "ca-key.pem", "-out", "ca.pem", "-subj", "/CN=fleet", "-days", "2"];
  await openssl("req", "-x509", ...key, ...ca);
  await openssl("req", ...key, "-keyout", "server-key.pem", "-out", "s.csr", "-subj", "/CN=nats");
  await Deno.writeTextFile(
    `${folder}/s.ext`,
    "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n",
  );
  const by = ["-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-extfile", "s.ext"];
  await openssl("x509", "-req", "-in", "s.csr", ...by, "-out", "server.pem", "-days", "2");
}

if (!isMissing) {
  Deno.test("docs/examples/nats.conf runs three servers with TLS, and an nkey for each hub", async () => {
    await using folder = await temporaryFolder();
    await makeCertificates(folder.path);
    const hubs = [nkeys.createUser(), nkeys.createUser()];
    const ports = freePorts(6);
    let text = await Deno.readTextFile(shown);
    // Options that the server of this machine does not know are left out.
    if (!isTaken()) {
      text = text.replace(/^.*sync_interval.*$/m, "");
    }
    text = text.replaceAll("/etc/nats/", `${folder.path}/`)
      .replace("PUBLIC-NKEY-OF-HUB-A", hubs[0]!.getPublicKey())
      .replace("PUBLIC-NKEY-OF-HUB-B", hubs[1]!.getPublicKey());
    NAMES.forEach((name, at) =>
      text = text.replace(`nats-${name}.example:6222`, `127.0.0.1:${ports[3 + at]}`)
    );
    const servers: Deno.ChildProcess[] = [];
    try {
      for (const [at, name] of NAMES.entries()) {
        const file = `${folder.path}/${name}.conf`;
        await Deno.writeTextFile(
          file,
          text.replace("nats-a", `nats-${name}`)
            .replace("0.0.0.0:4222", `127.0.0.1:${ports[at]}`)
            .replace("0.0.0.0:6222", `127.0.0.1:${ports[3 + at]}`)
            .replace("/var/lib/nats", `${folder.path}/${name}`),
        );
        const check = new Deno.Command("nats-server", { args: ["-t", "-c", file] });
        const { success, stderr } = await check.output();
        assertEquals([success, success ? "" : new TextDecoder().decode(stderr)], [true, ""]);
        const args = ["-c", file, "-l", `${folder.path}/${name}.log`];
        servers.push(new Deno.Command("nats-server", { args, stderr: "null" }).spawn());
      }
      const given = {
        servers: ports.slice(0, 3).map((port) => `tls://localhost:${port}`),
        ca: await Deno.readTextFile(`${folder.path}/ca.pem`),
        name: "hub-a",
        organisation: "Radio",
        replicas: 3,
        allowOldServer: true,
        onFault() {},
      };
      const seed = (at: number) => new TextDecoder().decode(hubs[at]!.getSeed());
      const open = async (at: number) => {
        for (let left = 100;; left--) {
          try {
            return await openNats({ ...given, credentials: seed(at) });
          } catch (fault) {
            // The servers have to find each other first.
            if (left === 0) throw fault;
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
        }
      };
      const [one, two] = [await open(0), await open(1)];
      const heard = new Promise((resolve) =>
        two.bus.subscribe("x.*", (_subject, value) => resolve(value))
      );
      two.bus.serve("ask", (value) => Promise.resolve([value]));
      await one.ledger.put("users", "anna", 1, 0);
      while (await one.bus.ask("ask", 1, 500).catch(() => undefined) === undefined);
      assertEquals(await one.bus.ask("ask", 1, 5000), [1]);
      one.bus.publish("x.y", { said: true });
      assertEquals(await heard, { said: true });
      const stranger = new TextDecoder().decode(nkeys.createUser().getSeed());
      await assertRejects(() => openNats({ ...given, credentials: stranger }));
      await assertRejects(() => openNats({ ...given, credentials: seed(0), ca: undefined }));
      await Promise.all([one.ledger.close(), two.ledger.close()]);
    } finally {
      for (const server of servers) {
        server.kill("SIGKILL");
        await server.status;
      }
    }
  });
}
