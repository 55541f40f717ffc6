/** Drift (docs/fleet.md): comparisons of real consoles with each other and with templates. */
import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal, type Refusal, refuse } from "../../../core/errors.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { updatePicture } from "../../../core/pictures/resource.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { setViewDocument } from "../../../core/view-documents/setviewdocument.ts";
import { createDrift } from "../../../fleet/drift/comparison.ts";
import { readSection, refusalIn } from "../../../fleet/drift/read-section.ts";
import { digestOf } from "../../../fleet/drift/section-values.ts";
import { SECTION_NAMES } from "../../../fleet/drift/sections.ts";
import { COMPARISON_MS } from "../../../fleet/hub/hub-limits.ts";
import { refused } from "../../../transport/json-answers.ts";
import { smallPng } from "../../core/pictures/made-png.ts";
import { result, until } from "../../service.ts";
import { heldConsole } from "../held-console.ts";
import { summaryOf } from "../open-hub.ts";
import { hubWithConsoles } from "../real-consoles.ts";

function done<Result extends object>(outcome: Result | Refusal): Result {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}

const fields = { writegroups: 255, readgroups: 0, id: "" };

Deno.test("the value of each section that a hub reads has the digest that the console made", async () => {
  await using opened = await hubWithConsoles({});
  const { consoles: [desk], links, hub, by, scheduler } = opened;
  const { console, id, digests } = desk!;
  const mixer = { type: 2, mixer: 1, name: "Evening", ...fields } as const;
  for (
    const command of [
      setChannelLabel(1, "News"),
      set("/audio/mixers/0/faders/0/params/eq1/gain", 3),
      set("/audio/routing/routes/1", "2"),
      saveSnapshot({ type: 1, mixer: 0, fader: 0, name: "Talk", ...fields }),
      saveSnapshot({ type: 1, mixer: 0, fader: 1, name: "Talk", ...fields }),
      saveSnapshot(mixer),
      addUser({ name: "carl", groups: 1, admin: false }),
      updatePicture(1, { bytes: smallPng } as never),
      setViewDocument({ name: "pages", document: { b: 1, a: [{}] } }),
    ]
  ) await result<unknown>(console, command);
  const source = {
    scheduler,
    ask: (request: Parameters<typeof links.ask>[2]) => links.ask(id, by, request),
    fetch: (target: string) =>
      hub.fetch(id, by.user, by.from, new Request(`http://console${target}`)),
  };
  for (const name of SECTION_NAMES) {
    const { value } = done(await readSection(name, source));
    const digest = await scheduler.run(digestOf(value));
    await until(() => digests.current[name] === digest);
  }
});

Deno.test("a comparison reads only sections whose digests differ, and a set for each difference makes them equal", async () => {
  await using opened = await hubWithConsoles({}, {});
  const { consoles: [one, other], drift, by } = opened;
  const compare = () => drift.compare(one!.id, { console: other!.id }, undefined, by);
  assertEquals(done(await compare()).same, true);
  assertEquals([one!.count.asked, other!.count.asked], [0, 0]);
  await result(other!.console, setChannelLabel(1, "News"));
  await result(other!.console, set("/audio/routing/routes/1", "2"));
  await result(other!.console, set("/audio/mixers/0/faders/0/fader", -3));
  await result(other!.console, set("/audio/mixers/0/faders/0/on", true));
  await until(() => one!.digests.current.setup !== other!.digests.current.setup);
  await until(() => one!.digests.current.labels !== other!.digests.current.labels);
  const told = done(drift.digests({ console: other!.id }, by));
  assertEquals(told.map(({ console, differs }) => [console, differs]), [
    [one!.id, ["labels", "setup"]],
    [other!.id, []],
  ]);
  assertEquals([one!.count.asked, other!.count.asked], [0, 0]);
  const { sections, sets } = done(await compare());
  assertEquals(sections.filter(({ same }) => !same).map(({ section }) => section), [
    "labels",
    "setup",
  ]);
  assertEquals(sets, [
    { method: "set", path: "/audio/mixers/0/faders/0/label", payload: "News" },
    { method: "set", path: "/audio/routing/routes/1", payload: "2" },
  ]);
  for (const { path, payload } of sets) await result(one!.console, set(path, payload));
  await until(() => one!.digests.current.setup === other!.digests.current.setup);
  assertEquals(done(await compare()).same, true);
});

Deno.test("a set for a difference has the whole text, of which the difference shows the beginning", async () => {
  await using opened = await hubWithConsoles({}, {});
  const { consoles: [one, other], drift, by } = opened;
  const label = "🎙".repeat(110);
  await result(other!.console, setChannelLabel(1, label));
  await until(() => one!.digests.current.labels !== other!.digests.current.labels);
  const with_ = { console: other!.id };
  const { sections: [labels], sets } = done(await drift.compare(one!.id, with_, "labels", by));
  assertEquals(labels!.differences[0]!.there, `${"🎙".repeat(100)}…`);
  assertEquals(sets.map(({ payload }) => payload), [label]);
});

Deno.test("a comparison with a template covers the sections that were saved in the template", async () => {
  await using opened = await hubWithConsoles({}, {}, {
    configuration: { mixers: [{ faders: 4 }] },
  });
  const { consoles: [one, two, small], drift, by, hub } = opened;
  await result(one!.console, setViewDocument({ name: "pages", document: { a: 1, "b/c": "x" } }));
  const saved = done(await drift.save("House", one!.id, ["labels", "views", "users"], by));
  assertEquals([saved.name, saved.from, saved.sections], [
    "House",
    "Studio-1",
    ["labels", "users", "views"],
  ]);
  assertEquals(done(drift.list(by)), [saved]);
  await result(two!.console, setViewDocument({ name: "pages", document: { a: 2 } }));
  await until(() => two!.digests.current.views !== one!.digests.current.views);
  const house = { template: "House" };
  const { same, sections, sets } = done(await drift.compare(two!.id, house, undefined, by));
  assertEquals([same, sets], [false, []]);
  assertEquals(sections.at(-1), {
    section: "views",
    same: false,
    differences: [
      { path: "/pages/a", here: 2, there: 1 },
      { path: "/pages/b~1c", there: "x" },
    ],
    more: 0,
  });
  const foreign = await drift.compare(small!.id, house, undefined, by);
  assertMatch(
    isRefusal(foreign) ? foreign.message : "",
    /"Studio-3" is another model than template "House": it has mixer 0 with 4 faders, that has/,
  );
  await until(() => small!.digests.current.labels !== undefined);
  assertEquals(done(drift.digests(house, by)).map(({ foreign }) => foreign), [false, false, true]);
  assertEquals(done(await drift.fromTemplates(by)), [{ console: two!.id, templates: ["House"] }]);
  assertMatch(
    (await drift.compare(two!.id, house, "setup", by) as Refusal).message,
    /template "House" has no section setup, only labels, users, views/,
  );
  assertEquals(await drift.remove("House", by), undefined);
  assertEquals(done(await drift.fromTemplates(by)), []);
  assertMatch(
    (await drift.compare(two!.id, house, undefined, by) as Refusal).message,
    /no template/,
  );
  const [line] = await hub.audit(1, by) as readonly { readonly what: string }[];
  assertEquals(line!.what, "removetemplate");
});

Deno.test("the comparison of all consoles with all templates pauses after each console", async () => {
  const faders = Object.fromEntries(Array.from({ length: 64 }, (_, fader) => [fader, {}]));
  const entries = Array.from({ length: 40 }, (_, number) => ({
    id: `${number}`,
    state: "live",
    summary: summaryOf({ tree: { audio: { mixers: { 0: { faders } } } } }),
    digests: { labels: `${number % 4}` },
  }));
  const templates = Array.from({ length: 2 }, (_, number) => ({
    name: `t${number}`,
    model: { 0: number === 0 ? Object.keys(faders) : ["0"] },
    sections: { labels: { digest: "0", value: {} } },
  }));
  const user = { name: "anna", may: "view" } as const;
  let steps = 0;
  const drift = createDrift({
    core: {
      consoles: () => new Map(entries.map((entry) => [entry.id, entry])),
      templates: { list: () => templates },
      mayAt: () => "view",
      refresh: () => user,
    },
    scheduler: {
      run<Result>(work: Iterator<void, Result>) {
        for (;; steps++) {
          const { done, value } = work.next();
          if (done) return Promise.resolve(value);
        }
      },
    },
  } as never);
  const found = done(await drift.fromTemplates({ user, from: "10.0.0.1" }));
  const differing = entries.filter((_, number) => number % 4 !== 0);
  assertEquals(found.map(({ console }) => console), differing.map(({ id }) => id));
  assertEquals(found[0]!.templates, ["t0"]);
  assertEquals(steps, entries.length);
});

Deno.test("a comparison shows only values that the user may read, and a template needs the right to configure", async () => {
  await using opened = await hubWithConsoles({ may: "operate" }, {});
  const { consoles: [one, two], drift, by, hub } = opened;
  done(await hub.addUser({ name: "ben", may: "operate" }, by));
  const ben = { user: { name: "ben", may: "operate" }, from: "10.0.0.2" } as const;
  await result(two!.console, addUser({ name: "carl", groups: 1, admin: false }));
  await until(() => one!.digests.current.users !== two!.digests.current.users);
  const { sections: [users] } = done(
    await drift.compare(two!.id, { console: one!.id }, "users", by),
  );
  assertMatch(users!.refused!, /^console "Studio-1": .*admin/);
  const nobody = await drift.compare(two!.id, { console: one!.id }, "users", {
    user: undefined,
    from: "10.0.0.3",
  });
  assertEquals((nobody as Refusal).code, 4);
  assertEquals((await drift.save("House", two!.id, ["labels"], ben) as Refusal).code, 5);
  const unknown = await drift.compare("f".repeat(32), { console: one!.id }, undefined, ben);
  assertMatch((unknown as Refusal).message, /no console/);
  assertEquals((await drift.remove("House", by))?.code, 6);
});

Deno.test("templates need a right for all consoles, and templates with users or configurations that of an admin", async () => {
  await using opened = await hubWithConsoles({}, {});
  const { consoles: [one, two], drift, by, hub } = opened;
  done(await drift.save("House", one!.id, ["labels", "users"], by));
  await result(two!.console, addUser({ name: "carl", groups: 1, admin: false }));
  await until(() => one!.digests.current.users !== two!.digests.current.users);
  const rights = [{ console: two!.id, may: "admin" }] as const;
  const house = { template: "House" };
  for (const [name, may] of [["dora", undefined], ["eve", "view"]] as const) {
    const user = { name, ...(may && { may }), rights };
    done(await hub.addUser(user, by));
    const actor = { user, from: "10.0.0.2" };
    const listed = drift.list(actor);
    const compared = await drift.compare(two!.id, house, "users", actor);
    const told = drift.digests(house, actor);
    const ofAll = await drift.fromTemplates(actor);
    if (may === undefined) {
      assertEquals((ofAll as Refusal).code, 5);
      assertEquals([listed, compared, told].map((one) => (one as Refusal).code), [5, 5, 5]);
      const seen = done(drift.digests({ console: two!.id }, actor));
      assertEquals(seen.map(({ console }) => console), [two!.id]);
      assertEquals((drift.digests({ console: one!.id }, actor) as Refusal).code, 6);
    } else {
      assertEquals(done(listed).length, 1);
      assertEquals(done(ofAll), [{ console: two!.id, templates: ["House"] }]);
      assertMatch(
        done(compared).sections[0]!.refused!,
        /^template "House": user eve has no right to admin/,
      );
    }
  }
});

Deno.test("a refusal over HTTP keeps its code, and a refusal of an action has a code by its status", async () => {
  const away = refused(503, refuse("noSuchObject", "console Studio is gone"));
  assertEquals(await refusalIn(away), { code: 6, message: "console Studio is gone" });
  const action = { Error: "backup needs an admin" };
  assertEquals((await refusalIn(Response.json(action, { status: 403 }))).code, 5);
  assertEquals((await refusalIn(Response.json(action, { status: 401 }))).code, 4);
  for (const answer of [{ error: { code: 5, message: "a\nb\u2028c" } }, { Error: "a\nb\u2028c" }]) {
    const { message } = await refusalIn(Response.json(answer, { status: 403 }));
    assertEquals(message, "a b c");
  }
});

Deno.test("a section that breaks off, or is not as a console has it, is told as one that cannot be read", async () => {
  await using opened = await hubWithConsoles({});
  const { consoles: [desk], hub, drift, by } = opened;
  const id = "f".repeat(32);
  let list: unknown;
  hub.hold(heldConsole(id, {
    summary: { name: "Odd" },
    session: (_id, _as, _from, { receive }) =>
      Promise.resolve({
        bufferedAmount: 0,
        close() {},
        send(text) {
          const { msgID, method } = JSON.parse(text);
          const payload = method === "get" ? {} : { result: list };
          receive(JSON.stringify({ msgID, success: true, payload }));
        },
      }),
    fetch: () =>
      Promise.resolve(
        new Response(
          new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) }),
        ),
      ),
  }));
  for (
    const [section, odd] of [["pictures", [{ id: 1, version: 1 }]], ["users", "x"]] as const
  ) {
    list = odd;
    const { sections } = done(await drift.compare(desk!.id, { console: id }, section, by));
    assertMatch(sections[0]!.refused!, /"Odd": the console did not answer whole/);
  }
});

Deno.test("a comparison ends after two minutes, whatever a console sends by then, and others can be made", async () => {
  await using opened = await hubWithConsoles({});
  const { consoles: [desk], hub, drift, by, pass } = opened;
  const id = "f".repeat(32);
  const pictures = Array.from({ length: 1000 }, (_, at) => ({ id: at, version: 1 }));
  let fetched = 0;
  let ended = 0;
  hub.hold(heldConsole(id, {
    summary: { name: "Slow" },
    session: (_id, _as, _from, { receive }) =>
      Promise.resolve({
        bufferedAmount: 0,
        close() {},
        send(text) {
          const { msgID } = JSON.parse(text);
          receive(JSON.stringify({ msgID, success: true, payload: { result: pictures } }));
        },
      }),
    fetch() {
      fetched++;
      // Its first byte comes, and no other.
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(Uint8Array.of(1));
      return Promise.resolve(
        new Response(new ReadableStream({ start, cancel: () => void ended++ })),
      );
    },
  }));
  const compare = () => drift.compare(id, { console: desk!.id }, "pictures", by);
  const running = [compare(), compare()];
  await until(() => fetched === 2);
  assertEquals((await compare() as Refusal).code, 11);
  pass(COMPARISON_MS);
  for (const one of await Promise.all(running)) {
    assertEquals(
      done(one).sections[0]!.refused,
      'console "Slow": the console was not read within 120 s',
    );
  }
  const saved = drift.save("House", id, ["pictures"], by);
  await until(() => fetched === 3);
  pass(COMPARISON_MS);
  assertMatch((await saved as Refusal).message, /was not read within 120 s/);
  assertEquals([fetched, ended], [3, 3]);
});

Deno.test("a comparison ends after two minutes, also where a console answers nothing, and drops a late answer", async () => {
  await using opened = await hubWithConsoles({});
  const { consoles: [desk], hub, drift, by, pass } = opened;
  const id = "f".repeat(32);
  const answer = Promise.withResolvers<Response>();
  let fetched = 0;
  hub.hold(heldConsole(id, {
    summary: { name: "Mute" },
    fetch() {
      fetched++;
      return answer.promise;
    },
  }));
  const read = drift.compare(id, { console: desk!.id }, "settings", by);
  await until(() => fetched === 1);
  pass(COMPARISON_MS);
  const late = 'console "Mute": the console was not read within 120 s';
  assertEquals(done(await read).sections[0]!.refused, late);
  let isCancelled = false;
  answer.resolve(new Response(new ReadableStream({ cancel: () => void (isCancelled = true) })));
  await until(() => isCancelled);
});
