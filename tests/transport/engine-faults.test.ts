/** Faulty engines: the service goes on, and other clients are not affected. */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { withoutNumbers } from "../../core/engines/without-numbers.ts";
import { get } from "../../core/tree/get.ts";
import { addUser } from "../../core/users/adduser.ts";
import { granted } from "../core/actors.ts";
import {
  demoWith,
  type Json,
  result,
  startService,
  type TestService,
  type TestSocket,
  until,
} from "../service.ts";
import { opcodes, openRaw } from "./raw-socket.ts";

const TOKEN = "eeeeeeee-00000000-00000000-00000005";
const FADERS = 256;

async function withEngine(
  run: (engine: TestSocket, service: TestService, other: TestSocket) => Promise<void>,
) {
  const configuration = demoWith({ mixers: [{ faders: FADERS }] });
  await using service = await startService({ configuration });
  const dsp = { name: "dsp", groups: 0, admin: false, engine: true };
  await result(service.console, addUser({ ...dsp, token: TOKEN }));
  const engine = await service.open();
  await engine.ask({ method: "auth", token: TOKEN });
  await engine.ask({ method: "engine" });
  await run(engine, service, await service.open());
  const { payload } = await service.post({ method: "get", path: "/general/_name" });
  assertEquals(typeof payload, "string", "the service goes on");
}

const faders = (members: (fader: number) => object, count = FADERS) => {
  const numbered = Array.from({ length: count }, (_, fader) => [fader, members(fader)]);
  return { audio: { mixers: { 0: { faders: Object.fromEntries(numbered) } } } };
};
const whole = (level: number) =>
  faders(() => {
    const both = [level, level];
    return { meter: { _input: both, _pfl: both, _afl: both } };
  });
const inputIn = ({ console }: TestService, fader = 0): Json =>
  (granted(get(console, `/audio/mixers/0/faders/${fader}/meter/_input`)).value as Json)[0];

Deno.test("a report of a million leaves is refused as a whole", () =>
  withEngine(async (engine, service) => {
    const list = Array(4000).fill(1);
    const leaves = { ...whole(-1), more: Array(125).fill(list) };
    const { error } = await engine.ask({ msgID: 1, method: "report", payload: leaves });
    assertEquals(error.code, 1);
    engine.send(`{"method":"report","payload":{${'"0":1,'.repeat(1_000_000)}"0":1}}`);
    assertEquals(await engine.closed, 1009);
    await until(() => inputIn(service) === -125);
    assertEquals(granted(get(service.console, "/general/_engine")).value, "lost");
  }));

Deno.test("after hundreds of reports a second the values of the last are in force, and other clients are answered meanwhile", () =>
  withEngine(async (engine, service, other) => {
    await other.ask({ method: "subscribe", path: "", meters: true });
    const view = await service.open();
    let answered = 0;
    for (let count = 0; count < 400; count++) {
      engine.send({ method: "report", payload: whole(-(count % 100)) });
      if (count % 50 > 0) continue;
      await view.ask({ method: "get", path: "/general/_name" });
      answered++;
      // So that the waiting requests stay below the limit of a connection, also on a slow machine.
      await engine.ask({ method: "report", msgID: count, payload: whole(-1) });
    }
    const last = { method: "report", msgID: 1, payload: whole(-7.5) };
    assertEquals((await engine.ask(last)).payload, { taken: 3 * FADERS });
    assertEquals([answered, inputIn(service, FADERS - 1)], [8, -7.5]);
    const seen = ({ payload }: Json) => payload.audio?.mixers?.[0].faders?.[0]?.meter?._input?.[0];
    await until(() => other.untaken.some((update) => seen(update) === -7.5));
    assert(other.untaken.length < 200, "they were merged");
  }));

Deno.test("an engine that does not read is closed, and loses its claim; other subscribers go on", () =>
  withEngine(async (engine, service, other) => {
    await engine.close();
    using deaf = await openRaw(`${service.url}/api/ws?token=${TOKEN}`);
    await deaf.send(opcodes.text, JSON.stringify({ method: "engine" }));
    await until(() => service.console.state.engines.claims.size === 1);
    await other.ask({ method: "subscribe", path: "/audio/mixers/0" });
    for (let count = 0; count < 20; count++) {
      await deaf.send(opcodes.text, JSON.stringify({ method: "get", path: "/audio/mixers/0" }));
    }
    await until(() => service.closedWith.includes(1013));
    assertEquals(service.console.state.engines.claims.size, 0);
    await service.post({ method: "set", path: "/audio/mixers/0/faders/0/on", payload: true });
    const on = () => other.untaken.some(({ payload }) => payload.audio.mixers[0].faders[0].on);
    await until(on);
  }));

Deno.test("an engine that disconnects in the middle of a message is lost, and that message changes nothing", () =>
  withEngine(async (engine, service) => {
    await engine.ask({ msgID: 1, method: "report", payload: whole(-20) });
    await engine.close();
    {
      using dying = await openRaw(`${service.url}/api/ws?token=${TOKEN}`);
      const say = (message: object, isLast = true) =>
        dying.send(opcodes.text, JSON.stringify(message), isLast);
      await say({ method: "engine" });
      await until(() => service.console.state.engines.claims.size === 1);
      await say({ method: "report", payload: whole(-30) });
      await until(() => inputIn(service) === -30);
      await say({ method: "report", payload: whole(-3) }, false);
    }
    await until(() => service.console.state.engines.claims.size === 0);
    assertEquals(inputIn(service), -125);
    assertEquals(granted(get(service.console, "/general/_engine")).value, "lost");
  }));

Deno.test("deferred reports are read, in their order, before a get of a meter", () =>
  withEngine(async (engine, service) => {
    const one = (level: number) => ({
      method: "report",
      payload: faders(() => ({ meter: { _input: [level, level] } }), 1),
    });
    const send = async (...levels: number[]) => {
      for (const level of levels) engine.send(one(level));
      await engine.ask({ method: "get", path: "/general/_name" });
    };
    await send(-1, -2, -3);
    assertEquals(inputIn(service), -3);
    engine.send({ method: "report", payload: whole(-50) });
    engine.send({ method: "report", payload: whole(-51) });
    await send(-4);
    assertEquals([inputIn(service), inputIn(service, 1)], [-4, -51]);
    engine.send(one(-5));
    await engine.ask({ msgID: 1, method: "report", payload: whole(-52) });
    assertEquals(inputIn(service), -52, "what comes later counts");
    await send(-6);
    await engine.close();
    await until(() => service.console.state.engines.claims.size === 0);
    assertEquals(inputIn(service), -125, "what was not read is gone with its engine");
  }));

Deno.test("a malformed message in the form of an earlier report is refused as any other", () =>
  withEngine(async (engine) => {
    const text = (number: string) =>
      `{"method":"report","payload":{"audio":{"levels":{"1":{"_left":${number}}}}}}`;
    engine.send(text("-1"));
    for (const number of ["--1", "1.", ".5", "007", "1-1", "1.2.3", ""]) {
      assertEquals((await engine.ask(text(number))).error.code, 1, number);
    }
    for (const number of ["-2", "0.5", "-0", "12345678901234567890", "1e2"]) {
      engine.send(text(number));
    }
    assertEquals(
      (await engine.ask({ method: "get", path: "/audio/levels/1/_left" })).payload,
      100,
    );
  }));

/** Texts similar to JSON, without digits. */
const odd = fc.string({ unit: fc.constantFrom(...':,[]{}-. e"\\a') });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    number,
    fc.boolean(),
    odd,
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(odd, fc.nat().map(String)), tie("value")),
  ),
})).value;

/** The form of a value: its JSON with 0 for every number. */
function formOf(value: unknown): string {
  return JSON.stringify(value, (_, one) => typeof one === "number" ? 0 : one);
}

Deno.test("law: texts that are equal without their numbers are JSON of the same form", () => {
  const edited = fc.tuple(value, fc.nat(), fc.constantFrom("", "-", "1", ".", "e", "0", '"', "}"));
  const law = fc.property(edited, fc.constantFrom(0, 1), ([one, place, put], spaces) => {
    const known = JSON.stringify(one, null, spaces);
    const at = place % (known.length + 1);
    const text = known.slice(0, at) + put + known.slice(at + 1);
    if (withoutNumbers(known) !== withoutNumbers(text)) return;
    assertEquals(formOf(JSON.parse(text)), formOf(one));
  });
  fc.assert(law, { numRuns: 500 });
});

Deno.test("law: values of the same form, without exponents, have equal texts without their numbers", () => {
  const plain = fc.double({ min: -1000, max: 1000, noNaN: true }).map((one) =>
    Number(one.toFixed(2))
  );
  const list = (length: number) => fc.array(plain, { minLength: length, maxLength: length });
  fc.assert(fc.property(list(6), list(6), (one, other) => {
    const text = ([left, right, ...rest]: number[]) =>
      JSON.stringify({ 0: { meter: { _input: [left, right] } }, 10: rest });
    assertEquals(withoutNumbers(text(one)), withoutNumbers(text(other)));
  }));
});
