/** The example of a script that renews a certificate. */
import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { FLAGS, startFaderd, temporaryFolder, tokenIn } from "../../program/faderd.ts";

const script = new URL("../../../docs/examples/renew-certificate.sh", import.meta.url).pathname;

/** Writes a certificate and its key to the paths that certbot uses. */
async function renewTo(folder: string, name: string): Promise<void> {
  const file = new URL(`../../program/certificates/${name}.pem`, import.meta.url);
  const pem = await Deno.readTextFile(file);
  const key = pem.indexOf("-----BEGIN PRIVATE KEY");
  await Deno.writeTextFile(`${folder}/fullchain.pem`, pem.slice(0, key));
  await Deno.writeTextFile(`${folder}/privkey.pem`, pem.slice(key));
}

Deno.test("the script restores the renewed certificate to a running service, and leaves no key behind", async () => {
  await using folder = await temporaryFolder();
  const options = ["--data", `${folder.path}/data`, "--listen-tls", "127.0.0.1:0"];
  await using service = await startFaderd(...options);
  const tlsUrl = /HTTPS on (https:\S+?)(,|\n)/.exec(service.stdout)![1]!;
  await Deno.writeTextFile(`${folder.path}/token`, tokenIn(service.stdout));
  await Deno.mkdir(`${folder.path}/tmp`);
  const env = {
    RENEWED_LINEAGE: folder.path,
    FADERD: [Deno.execPath(), ...FLAGS].join(" "),
    FADERD_URL: service.url,
    FADERD_TOKEN_FILE: `${folder.path}/token`,
    TMPDIR: `${folder.path}/tmp`,
  };
  const shown = async () => {
    const args = [...FLAGS, "tls", "show", "--url", tlsUrl];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
    return new TextDecoder().decode(stdout);
  };
  const seen: string[] = [];
  for (const name of ["one", "two"]) {
    await renewTo(folder.path, name);
    const { code, stderr } = await new Deno.Command("sh", { args: [script], env }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    seen.push(await shown());
    assertStringIncludes(seen.at(-1)!, `${name}.test`);
  }
  assertNotEquals(seen[0], seen[1]);
  assertEquals(await Array.fromAsync(Deno.readDir(`${folder.path}/tmp`)), []);
  await Deno.writeTextFile(`${folder.path}/fullchain.pem`, "none");
  const { code } = await new Deno.Command("sh", { args: [script], env }).output();
  assertEquals(code, 1);
  assertEquals(await shown(), seen[1]);
});
