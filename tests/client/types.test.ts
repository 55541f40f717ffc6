/** The types of the client are those of the service: an error in this file is a type error. */
import type { Client, RpcParams, RpcResult, ValueAt } from "../../client/client.ts";

/** Compiles only if both types are identical. */
function same<One, Other>(
  ..._: (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? [] : [never]
): void {}

Deno.test("every RPC method is typed by its schema", () => {
  same<RpcParams<"setchannellabel">, { sourceid: number; label: string }>();
  same<RpcResult<"registerextlist">, { list: number }>();
  same<RpcParams<"loadsnapshot">["type"], 1 | 2 | 3 | undefined>();
  same<RpcParams<"adduser">["may"], "view" | "press" | "operate" | "configure" | undefined>();
  // @ts-expect-error A fade has a duration.
  const _fade: RpcParams<"fadetovalue"> = { fader: 1, value: -10 };
});

Deno.test("a path has the type of the value there", () => {
  same<ValueAt<"/audio/mixers/0/faders/3/fader">, number>();
  same<ValueAt<"audio/mixers/0/faders/3/on/">, boolean>();
  same<ValueAt<`/audio/mixers/${number}/faders/${number}/label`>, string>();
  same<ValueAt<"/audio/mixers/0/faders/3/meter/_input">, readonly number[]>();
  same<ValueAt<"/audio/mixers/0/sourcelist/2/_label">, string>();
  same<ValueAt<"/control/extlists/1/_page">, number>();
  same<ValueAt<"/audio/levels/1/_mode">, "PPM" | "VU" | "TruePeak">();
  same<ValueAt<"/audio/mixers/0/faders/3/fadr">, unknown>();
  same<ValueAt<string>, unknown>();

  // This function is never called: only the type checker reads it.
  async function _uses(desk: Client, mixer: number, path: string) {
    const level: number = await desk.get(`/audio/mixers/${mixer}/faders/3/fader`);
    const unknown: unknown = await desk.get(path);
    await desk.set("/audio/mixers/0/faders/3", { on: true, params: { eq1: { q: level } } });
    const names = await desk.get("/audio/mixers", { depth: 2, only: ["_name"] });
    same<(typeof names)[0], { readonly _name?: string } | undefined>;
    // @ts-expect-error A switch is not a number.
    await desk.set("/audio/mixers/0/faders/3/on", 1);
    // @ts-expect-error A member that begins with _ is read-only.
    await desk.set("/audio/mixers/0/faders/3", { _readystate: true });
    // @ts-expect-error There is no such method.
    await desk.rpc("fade", { fader: 1 });
    // @ts-expect-error A meter is a list of numbers.
    desk.report({ audio: { mixers: { 0: { faders: { 0: { meter: { _input: -20 } } } } } } });
    desk.subscribe("/audio/pots/1", {
      whole: ({ value }) => value.toFixed(1),
      change: ({ value }) => value?.toFixed(1),
      ended: ({ code }) => code,
    });
    return unknown;
  }
});
