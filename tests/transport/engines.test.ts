/** Engines that are clients: their rights, claims, reports, and their end. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { joinEngine } from "../../core/engine.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import {
  demoWith,
  type Json,
  realClock,
  result,
  startService,
  stillClock,
  type TestConsole,
  type TestService,
  type TestSocket,
  tokens,
  until,
} from "../service.ts";
import { get } from "../../core/tree/get.ts";
import { granted, valueAt } from "../core/actors.ts";

const DSP = "eeeeeeee-00000000-00000000-00000005";
const mixer = "/audio/mixers/0";
const fader = `${mixer}/faders/0`;
const ofFader = (members: object, id = 0, mixer = 0) => ({
  audio: { mixers: { [mixer]: { faders: { [id]: members } } } },
});
const input = (level: number) => ofFader({ meter: { _input: [level, level] } });

/** A service with a user who is an engine, with the right to view. */
async function withEngines(given: TestConsole = {}) {
  const service = await startService({ clock: stillClock(), ...given });
  const dsp = { name: "dsp", groups: 0, admin: false, engine: true, may: "view" } as const;
  await result(service.console, addUser({ ...dsp, token: DSP }));
  return service;
}

async function engineAt(service: TestService): Promise<TestSocket> {
  const socket = await service.open();
  assert((await socket.ask({ method: "auth", token: DSP })).success);
  return socket;
}

/** A service, and an engine without a claim. */
async function withEngine(run: (engine: TestSocket, service: TestService) => Promise<void>) {
  await using service = await withEngines();
  await run(await engineAt(service), service);
}

const claim = (...paths: string[]) => ({ method: "engine", ...(paths.length > 0 && { paths }) });
const giveBack = { method: "engine", paths: [] };
const report = (payload: unknown, msgID: unknown = 1) => ({ msgID, method: "report", payload });
const state = ({ console }: TestService) => valueAt(console, "/general/_engine");
const at = ({ console }: TestService, path: string) => granted(get(console, path)).value;

Deno.test("a report is answered with the number of its leaves in force", () =>
  withEngine(async (engine, service) => {
    assertEquals(await engine.ask(claim(mixer)), { method: "engine", success: true });
    const answer = await engine.ask(report(
      ofFader({ meter: { _input: [-20, -21] }, params: { agc: { _gainreduction: -3 } } }),
      4711,
    ));
    assertEquals(answer, { msgID: 4711, method: "report", payload: { taken: 2 }, success: true });
    assertEquals(at(service, `${fader}/meter/_input`), [-20, -21]);
    assertEquals(at(service, `${fader}/params/agc/_gainreduction`), -3);
  }));

Deno.test("without a msgID a report is not answered", () =>
  withEngine(async (engine, service) => {
    engine.send({ method: "report", payload: input(-20) });
    const { method } = await engine.ask({ method: "get", path: "/general/_name" });
    assertEquals(method, "get");
    assertEquals(at(service, `${fader}/meter/_input`), [-20, -20]);
  }));

Deno.test("the first report of an engine without a claim claims everything", () =>
  withEngine(async (engine, service) => {
    await engine.ask(report({ audio: { levels: { 1: { _left: -9 } } } }));
    assertEquals([at(service, "/audio/levels/1/_left"), state(service)], [-9, "running"]);
    const other = await engineAt(service);
    const { error } = await other.ask({ method: "report", payload: input(-1) });
    assertEquals(error.code, 11, "and is refused where another has claimed some of it");
  }));

/** A report, and the numbers of its taken and dropped leaves. */
const reports: readonly (readonly [string, unknown, number, number?])[] = [
  ["nothing", {}, 0],
  ["the value in force", input(-125), 1],
  ["a fader that clients set", ofFader({ fader: 0, on: true }), 0, 2],
  ["an unknown member", ofFader({ _nothing: 1, _readystate: false }), 1, 1],
  ["an unknown fader", ofFader({ _readystate: true, _x: 1 }, 99), 0, 2],
  ["text for a number", { audio: { levels: { 1: { _left: "loud" } } } }, 0, 1],
  ["null for a number", { audio: { levels: { 1: { _left: null } } } }, 0, 1],
  ["a number for a list", ofFader({ meter: { _input: 0 } }), 0, 1],
  ["a list that is too long", ofFader({ meter: { _input: [1, 2, 3] } }), 0, 1],
  ["a list of texts", ofFader({ meter: { _input: ["a", "b"] } }), 0, 1],
  ["an object for a value", ofFader({ _readystate: { x: 1, y: [] } }), 0, 2],
  ["a value for an object", ofFader({ meter: 1 }), 0, 1],
  ["the state of an input (GPI)", { control: { gpis: { 1: { _state: true } } } }, 1],
  ["the label of an input (GPI)", { control: { gpis: { 1: { _label: "Door" } } } }, 0, 1],
  ["an external list", { control: { extlists: { 1: { _page: 3, _exists: true } } } }, 0, 2],
  ["states that the console sets itself", { general: { _engine: "x", _storage: "full" } }, 0, 2],
  ["a state that the engine knows", { general: { _sync2ok: false } }, 1],
  ["the mode of a level", { audio: { levels: { 1: { _mode: "PPM" } } } }, 0, 1],
  ["the mode of loudness", { audio: { loudness: { 1: { _mode: "EBU+9" } } } }, 0, 1],
  [
    "a level that no signal has",
    { audio: { levels: { 1: { _left: 1e308, _right: -201 } } } },
    0,
    2,
  ],
  ["a list with such a level", ofFader({ meter: { _input: [-20, 201] } }), 0, 1],
  ["levels at their bounds", ofFader({ meter: { _input: [-200, 200] } }), 1],
  ["a large number that is not a meter", { general: { _systemfrequency: 96_000 } }, 1],
  ["the list of the processing of a fader", ofFader({ _paramlist: ["agc"], _channelcnt: 9 }), 0, 2],
  [
    "the properties of the gain of a fader",
    ofFader({
      params: { gain: { _hasagain: false, _hasp48: false, again: { _min: 1, _max: 2, _step: 3 } } },
    }),
    0,
    5,
  ],
  ["an active block of a fader", ofFader({ params: { gain: { _active: false } } }), 1],
  ["the user of a mixer", { audio: { mixers: { 0: { _user: "me", _name: "x" } } } }, 0, 2],
];

Deno.test("the valid leaves of a report are accepted one by one", () =>
  withEngine(async (engine) => {
    for (const [what, payload, taken, dropped] of reports) {
      const answer = await engine.ask(report(payload));
      const expected = { taken, ...(dropped === undefined ? {} : { dropped }) };
      assertEquals(answer.payload, expected, what);
    }
    const text =
      '{"msgID":1,"method":"report","payload":{"audio":{"levels":{"1":{"_left":1e999}}}}}';
    assertEquals(
      (await engine.ask(text)).payload,
      { taken: 0, dropped: 1 },
      "1e999 is not a number",
    );
  }));

Deno.test("two engines report each at or below the paths of its claim, and nowhere else", () =>
  withEngine(async (one, service) => {
    const two = await engineAt(service);
    assert((await one.ask(claim(`${mixer}/faders/0`, "/audio/levels"))).success);
    assert((await two.ask(claim("audio/mixers/0/faders/1/"))).success);
    const both = {
      audio: {
        levels: { 1: { _left: -9 } },
        mixers: { 0: { faders: { 0: { _readystate: false }, 1: { _readystate: false } } } },
      },
    };
    assertEquals((await one.ask(report(both))).payload, { taken: 2, dropped: 1 });
    assertEquals(at(service, `${mixer}/faders/1/_readystate`), true);
    assertEquals((await two.ask(report(both))).payload, { taken: 1, dropped: 2 });
    assertEquals(at(service, `${mixer}/faders/1/_readystate`), false);
  }));

/** A claimed path, and a path that another engine cannot claim then. */
const overlaps: readonly (readonly [string, string])[] = [
  [mixer, mixer],
  [mixer, ""],
  [mixer, fader],
  ["", "/audio/levels"],
];

Deno.test("a path above or below a claimed path cannot be claimed by another engine", () =>
  withEngine(async (one, service) => {
    const two = await engineAt(service);
    for (const [first, second] of overlaps) {
      assert((await one.ask(claim(first))).success);
      const { error, success } = await two.ask(claim(second, "/audio/pots"));
      assertEquals([success, error], [false, {
        code: 11,
        message: `paths: ${`/${second}`.replace("//", "/")} overlaps ` +
          `${first || "/"}, which engine dsp has claimed`,
      }]);
      assertEquals(
        (await two.ask(claim("/audio/pots"))).success,
        first !== "",
        "nothing was taken",
      );
      for (const engine of [one, two]) await engine.ask(giveBack);
    }
  }));

Deno.test("a new claim of an engine replaces its earlier claim", () =>
  withEngine(async (one, service) => {
    const two = await engineAt(service);
    assert((await one.ask(claim(mixer))).success);
    assert((await one.ask(claim("/audio/levels"))).success);
    assert((await two.ask(claim(mixer))).success);
    assertEquals((await one.ask(report(input(-1)))).payload, { taken: 0, dropped: 1 });
  }));

Deno.test("paths missing from a new claim become silent and not ready; the others are unaffected", () =>
  withEngine(async (engine, service) => {
    await engine.ask(claim(mixer, "/audio/levels"));
    const meter = { _input: [-20, -20] };
    for (const id of [0, 1]) {
      const patch = ofFader({ meter, params: { agc: { _gainreduction: -3 } } }, id);
      await engine.ask(report({ audio: { ...patch.audio, levels: { 1: { _left: -9 } } } }));
    }
    const meters = () => [0, 1].map((id) => at(service, `${mixer}/faders/${id}/meter/_input/0`));
    const ready = () => [0, 1].map((id) => at(service, `${mixer}/faders/${id}/_readystate`));
    await engine.ask(claim(`${mixer}/faders/1`));
    assertEquals(meters(), [-125, -20]);
    assertEquals(ready(), [false, true]);
    const reduction = (id: number) =>
      at(service, `${mixer}/faders/${id}/params/agc/_gainreduction`);
    assertEquals([reduction(0), reduction(1), at(service, "/audio/levels/1/_left")], [0, -3, -125]);
    assertEquals(state(service), "running");
  }));

Deno.test("an engine can return its claim: no engine counts as lost then, and others may claim the paths", () =>
  withEngine(async (engine, service) => {
    const other = await engineAt(service);
    await engine.ask(claim(mixer));
    await engine.ask(report(input(-20)));
    assertEquals(await engine.ask(giveBack), { method: "engine", success: true });
    assertEquals([state(service), at(service, `${fader}/meter/_input`)], ["none", [-125, -125]]);
    assertEquals(at(service, `${fader}/_readystate`), false);
    assert((await other.ask(claim(fader))).success);
    await engine.close();
    assertEquals(state(service), "running");
  }));

Deno.test("a lost path is no longer lost after another engine has claimed and released it", () =>
  withEngine(async (engine, service) => {
    await engine.ask(claim(mixer));
    await engine.close();
    assertEquals(state(service), "lost");
    const other = await engineAt(service);
    await other.ask(giveBack);
    assertEquals(state(service), "lost", "it had claimed nothing");
    await other.ask(claim());
    await other.ask(giveBack);
    assertEquals(state(service), "none");
  }));

Deno.test("a stand-in engine plays on when a client without a claim returns one", async () => {
  await using service = await withEngines();
  joinEngine(service.console, { standsIn: true, apply() {}, start() {} });
  const engine = await engineAt(service);
  await engine.ask(giveBack);
  assertEquals([state(service), service.console.state.engines.own], ["running", "standsIn"]);
});

/** Refused claims, with code and message. */
const refusals: readonly (readonly [string, unknown, number, RegExp])[] = [
  ["no list", "/audio", 3, /^paths: expected a list of paths, got "\/audio"/],
  ["no text", [mixer, 7], 3, /^paths\.1: expected a string, got 7/],
  ["an unknown path", [mixer, "/audio/mixers/99"], 6, /\/audio\/mixers\/99/],
  ["a path that is too long", ["a/".repeat(1024)], 3, /^paths\.0: expected at most 1024/],
  ["too many", Array(65).fill(mixer), 11, /^paths: expected at most 64, got 65/],
];

Deno.test("a claim with invalid paths is refused", () =>
  withEngine(async (engine, service) => {
    for (const [what, paths, code, message] of refusals) {
      const { error } = await engine.ask({ method: "engine", paths });
      assertEquals(error.code, code, what);
      assertMatch(error.message, message);
      assertEquals(state(service), "none");
    }
  }));

Deno.test("engine and report are refused with 5 to a user who is not an engine, with 4 without a login, and with 8 over HTTP", () =>
  withEngine(async (_, service) => {
    for (const method of ["engine", "report"]) {
      const client = await service.open();
      const request = { method, payload: input(-1) };
      const stranger = "token: expected the token of an engine";
      assertEquals((await client.ask(request)).error, { code: 4, message: stranger });
      await client.ask({ method: "auth", token: tokens.admin });
      const message = "user admin is not an engine, and only an engine may (user add --engine)";
      assertEquals((await client.ask(request)).error, { code: 5, message });
      for (const given of [request, { ...request, paths: 7 }]) {
        assertEquals((await service.post({ ...given, token: DSP })).error.code, 8);
      }
      assertEquals([state(service), at(service, `${fader}/meter/_input`)], ["none", [-125, -125]]);
    }
  }));

Deno.test("when the connection of an engine ends, its meters are silent and its faders not ready", () =>
  withEngine(async (engine, service) => {
    const other = await engineAt(service);
    const view = await service.open();
    await view.ask({ method: "subscribe", path: "/audio/levels" });
    await engine.ask(claim(mixer, "/audio/levels"));
    await other.ask(claim("/audio/mixers/1"));
    assertEquals(state(service), "running");
    await engine.ask(report({ audio: { levels: { 1: { _left: -9, _correlation: 0.5 } } } }));
    await engine.ask(report(input(-20)));
    await other.ask(report(ofFader({ meter: { _pfl: [-7, -7] } }, 0, 1)));
    assertEquals((await view.next()).payload, {
      audio: { levels: { 1: { _left: -9, _correlation: 0.5 } } },
    });
    const ended = performance.now();
    await engine.close();
    assertEquals((await view.next()).payload, {
      audio: { levels: { 1: { _left: -125, _correlation: 0 } } },
    });
    assert(performance.now() - ended < 1000);
    assertEquals(at(service, `${fader}/meter/_input`), [-125, -125]);
    assertEquals([at(service, `${fader}/_readystate`), state(service)], [false, "lost"]);
    assertEquals(at(service, "/audio/mixers/1/faders/0/_readystate"), true);
    assertEquals(at(service, "/audio/mixers/1/faders/0/meter/_pfl"), [-7, -7]);
    assertEquals((await other.ask({ method: "get", path: "/general/_engine" })).payload, "lost");
    const next = await engineAt(service);
    await next.ask(claim(mixer));
    assertEquals(state(service), "lost", "levels are still without one");
    await next.ask(claim(mixer, "/audio/levels/1"));
    assertEquals(state(service), "running");
    await next.ask(report(ofFader({ _readystate: true })));
    assertEquals(at(service, `${fader}/_readystate`), true);
  }));

Deno.test("a fade, and everything else, goes on when the engine is lost", async () => {
  await using service = await withEngines({ clock: realClock });
  const engine = await engineAt(service);
  await engine.ask(claim());
  await service.rpc("fadetovalue", { fader: 0, time: 0.2, value: -10 });
  await engine.close();
  await until(() => state(service) === "lost" && at(service, `${fader}/fader`) === -10);
  assert((await service.post({ method: "set", path: `${fader}/on`, payload: true })).success);
});

Deno.test("a built-in stand-in engine makes way for an engine that connects, for good", async () => {
  await using service = await withEngines();
  let own: (patch: Json) => void = () => {};
  joinEngine(service.console, { standsIn: true, apply() {}, start: (given) => own = given });
  own(input(-3));
  assertEquals([state(service), at(service, `${fader}/meter/_input`)], ["running", [-3, -3]]);
  const engine = await engineAt(service);
  await engine.ask(claim("/audio/levels"));
  own(input(-3));
  assertEquals(at(service, `${fader}/meter/_input`), [-125, -125]);
  await engine.close();
  await until(() => state(service) === "lost");
  own(input(-3));
  assertEquals(at(service, `${fader}/meter/_input`), [-125, -125]);
});

Deno.test("an engine is late from its report late true until late false, and other engines are not", async () => {
  const told: Json[] = [];
  await using service = await withEngines({ audit: (entry) => told.push(entry) });
  const engine = await engineAt(service);
  const other = await engineAt(service);
  await engine.ask(claim(mixer));
  await other.ask(claim("/audio/levels"));
  const panel = await service.open();
  await panel.ask({ method: "subscribe", path: "/general/_engine" });
  told.length = 0;
  // Without a `msgID` reports of a known form may be deferred.
  for (const late of [true, false, true, true, false, true]) {
    engine.send({ method: "report", late });
    await engine.ask(report(input(-20)));
    assertEquals(state(service), late ? "late" : "running");
  }
  assertEquals(at(service, `${fader}/meter/_input`), [-20, -20]);
  const health = await (await fetch(`${service.url}/health`)).json();
  assertEquals([health.ready, health.engine], [true, "late"]);
  assertEquals(told, [], "it is nobody's doing");
  assertEquals((await panel.next()).payload, { general: { _engine: "late" } });
  await engine.ask(claim(mixer, "/audio/loudness"));
  assertEquals(state(service), "late", "another claim changes nothing of it");
  await engine.ask(giveBack);
  assertEquals(state(service), "running");
  await engine.ask(claim(mixer));
  engine.send({ method: "report", late: true });
  await engine.close();
  await until(() => state(service) === "lost");
  const back = await engineAt(service);
  await back.ask(claim(mixer));
  assertEquals(state(service), "running");
});

/** Refused reports with `late`. */
const noLates: readonly (readonly [object, number, string])[] = [
  [{ late: 1 }, 3, "late: expected true or false, got 1"],
  [{ late: true, payload: {} }, 3, "late: expected late or payload, got both"],
];

Deno.test("a refused report with late makes no claim", () =>
  withEngine(async (engine, service) => {
    for (const [what, code, message] of noLates) {
      const answer = await engine.ask({ msgID: 1, method: "report", ...what });
      assertEquals([answer.error, state(service)], [{ code, message }, "none"]);
    }
  }));

Deno.test("late of an engine without a claim has no effect, and makes no claim", () =>
  withEngine(async (engine, service) => {
    const other = await engineAt(service);
    for (const late of [false, true]) {
      const answer = await engine.ask({ msgID: 1, method: "report", late });
      assertEquals([answer.error, state(service)], [undefined, "none"]);
    }
    assertEquals((await other.ask(claim(mixer))).error, undefined);
    assertEquals(state(service), "running");
  }));

Deno.test("beside a built-in engine that plays itself no path can be claimed", async () => {
  await using service = await withEngines();
  joinEngine(service.console, { apply() {}, start() {} });
  const engine = await engineAt(service);
  const { error } = await engine.ask(claim("/audio/levels"));
  assertEquals(error, {
    code: 11,
    message: "paths: /audio/levels overlaps what the engine of this program plays",
  });
});

Deno.test("a claim has an audit entry; reports and their refusals have none", async () => {
  const told: Json[] = [];
  await using service = await withEngines({ audit: (entry) => told.push(entry) });
  const engine = await engineAt(service);
  const other = await engineAt(service);
  told.length = 0;
  await engine.ask(claim(mixer));
  await engine.ask(report(input(-20)));
  await other.ask(report(input(-20)));
  assertEquals(told.map(({ user, what, changes }) => [user, what, changes]), [
    ["dsp", "engine", [
      { path: "/engines/dsp", before: undefined, after: mixer },
      { path: "/general/_engine", before: "none", after: "running" },
    ]],
  ]);
});

/** The ways in which a connected engine is lost. */
type Lose = (engine: TestSocket, service: TestService) => unknown;
const losses: Readonly<Record<string, Lose>> = {
  "its connection ends": (engine) => engine.close(),
  "somebody else logs in": (engine) => engine.ask({ method: "auth", token: tokens.one }),
  "its user is an engine no more": (_, { console }) =>
    result(console, modifyUser({ name: "dsp", engine: false })),
};

Deno.test("an engine is lost when its connection or its right ends, which has an audit entry", async () => {
  const told: Json[] = [];
  const changes = [
    { path: "/engines/dsp", before: "/audio/levels", after: undefined },
    { path: "/general/_engine", before: "running", after: "lost" },
  ];
  const expected = { user: undefined, from: "127.0.0.1", what: "engine lost", changes };
  for (const [how, lose] of Object.entries(losses)) {
    await using service = await withEngines({ audit: (entry) => told.push(entry) });
    const engine = await engineAt(service);
    await engine.ask(claim("/audio/levels"));
    await engine.ask({ method: "auth", token: DSP });
    assertEquals(state(service), "running", "logged in again");
    told.length = 0;
    await lose(engine, service);
    await until(() => state(service) === "lost");
    const { at: _, ...entry } = told.find(({ what }) => what === "engine lost");
    assertEquals(entry, expected, how);
    if (how === "its connection ends") continue;
    assertEquals((await engine.ask(report(input(-1)))).error.code, 5);
  }
});

Deno.test("a report with a token of its own does not make its form known: later ones are not deferred", () =>
  withEngine(async (engine, service) => {
    await engine.ask(claim());
    const token = "eeeeeeee-00000000-00000000-00000006";
    const other = { name: "dsp2", groups: 0, admin: false, engine: true, token };
    await result(service.console, addUser(other));
    engine.send({ method: "report", token, payload: input(-20) });
    await engine.ask({ method: "get", path: "/general/_name" });
    assertEquals(at(service, `${fader}/meter/_input`), [-20, -20]);
    await result(service.console, removeUser("dsp2"));
    engine.send({ method: "report", token, payload: input(-21) });
    const { error } = await engine.ask({ method: "get", path: "/general/_name" });
    assertEquals(error?.code, 4);
  }));

Deno.test("reports are not charged to limits.writes", async () => {
  const limits = { writes: { perMinute: 60, burstMinutes: 0.05 } };
  const configuration: WrittenConfiguration = demoWith({ limits });
  await using service = await withEngines({ configuration });
  const engine = await engineAt(service);
  for (let level = -100; level < 0; level++) engine.send(report(input(level), undefined));
  assertEquals((await engine.ask(report(input(0)))).payload, { taken: 1 });
});

Deno.test("a claim by a token in its message stays when that engine logs in, and ends when another user does", async () => {
  await using service = await withEngines();
  const engine = await service.open();
  const claims = async () => {
    const clients = (await service.rpc("getclientlist", {})).payload.result;
    return clients.map(({ claims }: Json) => claims);
  };
  await engine.ask({ ...claim("/audio/levels/1"), token: DSP });
  await engine.ask({ method: "auth", token: DSP });
  await engine.ask(report({ audio: { levels: { 1: { _left: -3 } } } }));
  assertEquals(await claims(), [["/audio/levels/1"]]);
  await engine.ask({ method: "auth", token: tokens.admin });
  assertEquals([await claims(), state(service)], [[[]], "lost"]);
});

Deno.test("a claim by a token in its message ends when its user has another token, or the token has expired", async () => {
  const clock = stillClock();
  const endings = [
    ({ console }: TestService) => result(console, modifyUser({ name: "dsp", newtoken: true })),
    async ({ console }: TestService) => {
      await result(console, modifyUser({ name: "dsp", expires: "1970-01-31" }));
      clock.tick(Date.UTC(1970, 1));
    },
  ];
  for (const end of endings) {
    await using service = await withEngines({ clock });
    const [engine, other] = [await service.open(), await service.open()];
    assert((await engine.ask({ ...claim(), token: DSP })).success);
    await end(service);
    await until(() => state(service) === "lost");
    const token = "eeeeeeee-00000000-00000000-00000006";
    const dsp2 = { name: "dsp2", groups: 0, admin: false, engine: true, token };
    await result(service.console, addUser(dsp2));
    assert((await other.ask({ ...claim(), token })).success);
  }
});

Deno.test("getclientlist has the claim of each connection", async () => {
  await using service = await withEngines();
  const claims = async () => {
    const { payload } = await service.rpc("getclientlist", {});
    return payload.result.map((client: Json) => client.claims);
  };
  const engine = await engineAt(service);
  const other = await service.open();
  assertEquals(await claims(), [[], []]);
  await engine.ask(claim(`${mixer}/`, "audio/levels"));
  assertEquals(await claims(), [[mixer, "/audio/levels"], []]);
  await engine.ask(claim());
  assertEquals(await claims(), [["/"], []]);
  await engine.ask({ method: "auth", token: tokens.one });
  assertEquals(await claims(), [[], []]);
  await other.close();
});
