/** The example engines for firmware makers, with a real service. */
import { assertEquals, assertMatch } from "@std/assert";
import { engineState } from "../../../core/engines/engines.ts";
import { get } from "../../../core/tree/get.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { granted } from "../../core/actors.ts";
import { scriptedConsole } from "../../client/scripted-console.ts";
import { result, startService, type TestService, until } from "../../service.ts";

const TOKEN = "eeeeeeee-00000000-00000000-00000005";
const example = (name: string) =>
  new URL(`../../../docs/examples/${name}`, import.meta.url).pathname;
const compiler = ["cc", "gcc", "clang"].find((name) => {
  try {
    return new Deno.Command(name, { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
});

/** Runs an engine until a fade has been followed and its meters have moved. */
async function plays(command: (service: TestService) => Deno.Command): Promise<string> {
  await using service = await startService();
  const { console } = service;
  await result(
    console,
    addUser({ name: "dsp", groups: 0, admin: false, engine: true, token: TOKEN }),
  );
  const engine = command(service).spawn();
  let said = "";
  const heard = (async () => {
    for await (const text of engine.stdout.pipeThrough(new TextDecoderStream())) said += text;
  })();
  const fader = "/audio/mixers/0/faders/0";
  const input = () => (granted(get(console, `${fader}/meter/_input`)).value as number[])[0]!;
  await until(() => input() > -125);
  assertEquals(engineState(console.state.engines), "running");
  const first = input();
  await until(() => input() !== first);
  await service.rpc("fadetovalue", { fader: 0, time: 0.1, value: -10 });
  await until(() => /(to |"fader":)-10\b/.test(said));
  engine.kill("SIGKILL");
  await engine.status;
  await until(() => input() === -125);
  assertEquals(engineState(console.state.engines), "lost");
  assertEquals(granted(get(console, `${fader}/_readystate`)).value, false);
  await heard;
  return said;
}

Deno.test("the engine in TypeScript claims, follows a fader and reports", async () => {
  const said = await plays(({ url }) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-check",
        "--allow-net",
        example("engine.ts"),
        `${url.replace("http", "ws")}/api/ws`,
        TOKEN,
      ],
      stdout: "piped",
    })
  );
  assertMatch(said, /to -10\.0 dB in 20 ms/);
});

Deno.test("the engine in TypeScript says on each connection that its fader is ready", async () => {
  await using scripted = scriptedConsole(({ method }) => method === "get" ? { payload: -160 } : {});
  const engine = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-net", example("engine.ts"), scripted.url, TOKEN],
    stdout: "null",
  }).spawn();
  const readiness = () =>
    scripted.asked.filter(({ payload }) => JSON.stringify(payload)?.includes("_readystate"));
  await until(() => readiness().length === 1);
  scripted.drop();
  await until(() => readiness().length === 2);
  engine.kill("SIGKILL");
  await engine.status;
});

Deno.test({
  name: "the engine in C claims, follows a fader and reports",
  ignore: compiler === undefined,
  async fn() {
    const folder = await Deno.makeTempDir();
    const program = `${folder}/engine`;
    const flags = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2"];
    const compiled = await new Deno.Command(compiler!, {
      args: [...flags, "-o", program, example("engine.c")],
    }).output();
    assertEquals(new TextDecoder().decode(compiled.stderr), "");
    const said = await plays(({ url }) => {
      const { hostname, port } = new URL(url);
      return new Deno.Command(program, { args: [hostname, port, TOKEN], stdout: "piped" });
    });
    assertMatch(said, /\{"method":"update","tick":\d+,"payload":.*"fader":-10/);
    await Deno.remove(folder, { recursive: true });
  },
});
