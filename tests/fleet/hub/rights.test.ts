import { assertEquals } from "@std/assert";
import type { FleetRight, Person } from "../../../fleet/hub/rights.ts";
import { rightAt } from "../../../fleet/hub/rights.ts";
import type { FleetMay } from "../../../fleet/wire.ts";
import { expectDone, openHub } from "../open-hub.ts";

const ONE = "1".repeat(32);
const TWO = "2".repeat(32);

for (
  const [may, rights, expected] of [
    ["view", [], ["view", "view"]],
    [undefined, [{ site: "Berlin", may: "operate" }], ["operate", undefined]],
    ["view", [{ site: "Berlin", may: "operate" }], ["operate", "view"]],
    ["configure", [{ site: "Berlin", may: "view" }, { console: ONE, may: "press" }], [
      "press",
      "configure",
    ]],
    [undefined, [{ console: TWO, may: "admin" }], [undefined, "admin"]],
  ] as [FleetMay | undefined, FleetRight[], (FleetMay | undefined)[]][]
) {
  const given = JSON.stringify({ may, rights });
  Deno.test(`the most specific right counts: ${given}`, () => {
    const ben: Person = { name: "ben", may, rights };
    assertEquals([rightAt(ben, ONE, "Berlin"), rightAt(ben, TWO, "Vienna")], expected);
  });
}

Deno.test("a right for a site counts on its consoles in whatever Unicode form each has its name", () => {
  for (const form of ["NFC", "NFD"] as const) {
    const rights: FleetRight[] = [{ site: "Köln".normalize(form), may: "view" }];
    const kai: Person = { name: "kai", may: "operate", rights };
    const sites = ["Köln".normalize("NFC"), "Köln".normalize("NFD"), "Koln"];
    assertEquals(sites.map((site) => rightAt(kai, ONE, site)), ["view", "view", "operate"]);
  }
});

Deno.test("rights without a place, with the same place twice, or without a valid right are refused", async () => {
  const { hub, admin } = await openHub();
  for (
    const rights of [
      [{ may: "view" }],
      [{ site: "", may: "view" }],
      [{ site: "Berlin", console: ONE, may: "view" }],
      [{ console: "studio", may: "view" }],
      [{ site: "Berlin", may: "rule" }],
      [{ site: "Berlin", may: "view" }, { site: "Berlin", may: "press" }],
      Array.from({ length: 65 }, (_, at) => ({ site: `s${at}`, may: "view" })),
      [null],
    ] as unknown as FleetRight[][]
  ) {
    const made = await hub.addUser({ name: "ben", rights }, admin);
    assertEquals("parameter" in made && made.parameter, "rights", JSON.stringify(rights));
  }
  const made = await hub.addUser({ name: "ben" }, admin);
  assertEquals("parameter" in made && made.parameter, "may");
});

Deno.test("a user with a right for one site only reaches its consoles, and sees no others", async () => {
  const { hub, admin, live } = await openHub();
  const berlin = await live();
  const vienna = await live({ summary: { name: "Studio 9", site: "Vienna" } });
  const rights = [{ site: "berlin", may: "press" as const }];
  const { token } = expectDone(await hub.addUser({ name: "ben", rights }, admin));
  const ben = expectDone(await hub.authenticate(token, "x"));
  assertEquals([hub.mayAt(ben, berlin.id), hub.mayAt(ben, vienna.id)], ["press", undefined]);
  const listener = { receive() {}, closed() {} };
  const hidden = await hub.session(vienna.id, ben, "x", listener);
  const none = await hub.session("f".repeat(32), ben, "x", listener);
  const told = (outcome: object, id: string) => JSON.stringify(outcome).replace(id, "ID");
  assertEquals(told(hidden, vienna.id), told(none, "f".repeat(32)));
  const { status } = await hub.fetch(vienna.id, ben, "x", new Request("http://x/api/rest"));
  assertEquals([status, vienna.frames("open")], [404, []]);
  void hub.session(berlin.id, ben, "x", listener);
  await Promise.resolve();
  assertEquals(berlin.frames("open").map(({ as }) => as), [{ name: "ben", may: "press" }]);
});

Deno.test("when a console moves to another site, the sessions of users without a right there are closed", async () => {
  const { hub, admin, live } = await openHub();
  const console = await live();
  const rights = [{ site: "berlin", may: "press" as const }];
  const { token } = expectDone(await hub.addUser({ name: "ben", rights }, admin));
  const ben = expectDone(await hub.authenticate(token, "x"));
  const closed: string[] = [];
  for (const as of [ben, admin.user!]) {
    const opening = hub.session(console.id, as, "x", {
      receive() {},
      closed: () => void closed.push(as.name),
    });
    await Promise.resolve();
    console.takeTicket();
    expectDone(await opening);
  }
  console.say({ type: "change", seq: 1, t: 0, summary: { name: "Studio 2" } });
  assertEquals(closed, []);
  console.say({ type: "change", seq: 2, t: 0, summary: { site: "Vienna" } });
  assertEquals([closed, hub.mayAt(ben, console.id)], [["ben"], undefined]);
});

Deno.test("a user with changed rights keeps the token, and sessions with another right than before are closed", async () => {
  const { hub, admin, live } = await openHub();
  const [one, other] = [await live(), await live({ summary: { site: "Vienna" } })];
  const { token } = expectDone(await hub.addUser({ name: "ben", may: "press" }, admin));
  const ben = expectDone(await hub.authenticate(token, "x"));
  const closed: string[] = [];
  for (const console of [one, other]) {
    const opening = hub.session(console.id, ben, "x", {
      receive() {},
      closed: () => void closed.push(console.id),
    });
    await Promise.resolve();
    console.takeTicket();
    expectDone(await opening);
  }
  const rights = [{ site: "Vienna", may: "view" as const }];
  assertEquals(await hub.modifyUser({ name: "ben", may: "press", rights }, admin), undefined);
  assertEquals(closed, [other.id]);
  const now = expectDone(await hub.authenticate(token, "x"));
  assertEquals([hub.mayAt(now, one.id), hub.mayAt(ben, other.id)], ["press", "view"]);
  const refusals = [
    await hub.modifyUser({ name: "anna", may: "view" }, admin),
    await hub.modifyUser({ name: "nobody", may: "view" }, admin),
    await hub.modifyUser({ name: "ben", may: "admin" }, { user: ben, from: "x" }),
  ];
  assertEquals(refusals.map((refusal) => refusal?.code), [3, 6, 5]);
});
