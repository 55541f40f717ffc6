import { assertEquals } from "@std/assert";
import { BLANK, orderOf, preparedIn } from "../../../view/fleet/order.ts";

Deno.test("an address ticks consoles of the page Do, and fills in a value that is to be set", () => {
  const { ticked, draft } = preparedIn(["1,2", "/audio/mixers/0/faders/0/label", '"Host"']);
  assertEquals([...ticked], ["1", "2"]);
  assertEquals(orderOf({ ...BLANK, ...draft })?.request, {
    method: "set",
    path: "/audio/mixers/0/faders/0/label",
    payload: "Host",
  });
  assertEquals(preparedIn(["1"]).draft, {});
  assertEquals([...preparedIn([]).ticked], []);
});
