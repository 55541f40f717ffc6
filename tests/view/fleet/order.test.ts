import { assertEquals } from "@std/assert";
import { BLANK, orderOf, preparedIn } from "../../../view/fleet/order.ts";

Deno.test("an address ticks consoles of the page Do, and fills in the value to set", () => {
  const { ticked, draft } = preparedIn(["1,2", "/audio/mixers/0/faders/0/on", "true"]);
  assertEquals([...ticked], ["1", "2"]);
  assertEquals(orderOf({ ...BLANK, ...draft })?.request, {
    method: "set",
    path: "/audio/mixers/0/faders/0/on",
    payload: true,
  });
  assertEquals(preparedIn(["1"]).draft, {});
  assertEquals([...preparedIn([]).ticked], []);
});

Deno.test("a label filled in by an address can be kept, like a typed label", () => {
  const path = "/audio/mixers/2/faders/13/label";
  const { draft } = preparedIn(["1", path, '"Host"']);
  assertEquals(orderOf({ ...BLANK, ...draft, isKept: true }), {
    request: { method: "set", path, payload: "Host" },
    kind: "kept",
  });
  assertEquals(preparedIn(["1", path, "null"]).draft, { deed: "set", path, value: "null" });
});
