/** The units, checked by systemd's own tools where they are installed. */
import { assertEquals, assertMatch } from "@std/assert";
import { temporaryFolder } from "../../program/faderd.ts";

const root = new URL("../../../", import.meta.url).pathname;
const packaged = `${root}tools/packaging/systemd/`;
/** The paths of the services by their names; that of the hub is an example of docs/fleet.md. */
const SERVICES = {
  "faderd.service": `${packaged}faderd.service`,
  "faderd-copy.service": `${packaged}faderd-copy.service`,
  "faderd-hub.service": `${root}docs/examples/faderd-hub.service`,
};
const UNITS = { ...SERVICES, "faderd-copy.timer": `${packaged}faderd-copy.timer` };

interface Said {
  readonly code: number;
  readonly text: string;
}

async function analyze(...args: string[]): Promise<Said> {
  const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", { args }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

const ignore = await analyze("--version").then(({ code }) => code !== 0, () => true);

Deno.test("systemd goes on restarting a service that cannot start yet, as while its address is missing", async () => {
  for (const name of ["faderd.service", "faderd-hub.service"] as const) {
    const [unit] = (await Deno.readTextFile(SERVICES[name])).split("\n[Service]\n");
    assertMatch(unit!, /^StartLimitIntervalSec=0$/m, name);
  }
});

Deno.test("after a copy those older than 14 days are removed, also unfinished ones, unless the clock seems to be years ahead", async () => {
  await using copies = await temporaryFolder();
  const unit = await Deno.readTextFile(SERVICES["faderd-copy.service"]);
  const [, command] = /^ExecStartPost=(.+)$/m.exec(unit)!;
  const DAY_S = 24 * 60 * 60;
  const ages: Readonly<Record<string, number>> = {
    "new.copy": 0,
    "new.copy.new": 0,
    "13.copy": 13,
    "20.copy": 20,
    "20.copy.new": 20,
    "20.txt": 20,
    "1000.copy": 1000,
  };
  for (const [name, days] of Object.entries(ages)) {
    const path = `${copies.path}/${name}`;
    await Deno.writeTextFile(path, "");
    const time = Date.now() / 1000 - days * DAY_S;
    await Deno.utime(path, time, time);
  }
  const [program, ...args] = command!.replace("/var/lib/faderd-copies", copies.path).split(" ");
  const { code } = await new Deno.Command(program!, { args }).output();
  assertEquals(code, 0);
  const left = [...Deno.readDirSync(copies.path)].map(({ name }) => name).sort();
  assertEquals(left, ["1000.copy", "13.copy", "20.txt", "new.copy", "new.copy.new"]);
});

Deno.test({
  name: "systemd finds nothing wrong with the units",
  ignore,
  async fn() {
    await using copies = await temporaryFolder();
    for (const [name, path] of Object.entries(UNITS)) {
      // The program that the units start need not be installed here.
      const unit = await Deno.readTextFile(path);
      await Deno.writeTextFile(
        `${copies.path}/${name}`,
        unit.replace("/usr/bin/faderd", "/bin/true"),
      );
    }
    for (const name of Object.keys(UNITS)) {
      const verified = await analyze("verify", `${copies.path}/${name}`);
      assertEquals(verified, { code: 0, text: "" }, name);
    }
  },
});

Deno.test({
  name: "systemd rates the exposure of the services as at most 2.0 of 10",
  ignore,
  async fn() {
    for (const unit of Object.values(SERVICES)) {
      const { code, text } = await analyze("security", "--offline=yes", "--threshold=20", unit);
      assertEquals(code, 0, text);
      assertMatch(
        text,
        /Overall exposure level for faderd(-copy|-hub)?\.service: [01]\.\d (OK|SAFE)/,
      );
    }
  },
});
