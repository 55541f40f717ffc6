import { assertEquals } from "@std/assert";
import { comparedIn, partsOf, shownBy, standingOf } from "../../../view/fleet/compared.ts";
import type { Told } from "../../../view/fleet/compared.ts";
import type { FleetConsole } from "../../../view/fleet/console.ts";

const told = (part: Partial<Told>): Told => ({
  console: "1",
  differs: [],
  unknown: [],
  foreign: false,
  ...part,
});

Deno.test("an address names the template or console to compare with; any other address names nothing", () => {
  for (const other of [{ template: "house" }, { console: "1" }]) {
    assertEquals(comparedIn([...partsOf(other), "2"]), other);
  }
  assertEquals([[], ["template"], ["x", "y"]].map(comparedIn), [undefined, undefined, undefined]);
});

Deno.test("a console's standing follows from its digests; another model is foreign, and no drift", () => {
  const house = { template: "house" };
  assertEquals(standingOf("1", { console: "1" }, told({})), "itself");
  assertEquals(standingOf("1", house, told({})), "same");
  assertEquals(
    standingOf("1", house, told({ differs: ["labels"], unknown: ["users"] })),
    "differs",
  );
  assertEquals(standingOf("1", house, told({ differs: ["labels"], foreign: true })), "foreign");
  assertEquals(standingOf("1", house, told({ unknown: ["users"] })), "unknown");
  assertEquals(standingOf("1", house, undefined), "unknown");
});

Deno.test("the page filters consoles by standing: differing, same, or unknown with the foreign consoles", () => {
  const standings = ["itself", "same", "differs", "foreign", "unknown"] as const;
  const consoles = standings.map((_id) => ({ _id }) as FleetConsole);
  const by = shownBy(consoles, (id) => id as typeof standings[number]);
  const ids = Object.values(by).map((some) => some.map(({ _id }) => _id));
  assertEquals(ids, [[...standings], ["differs"], ["same"], ["foreign", "unknown"]]);
});
