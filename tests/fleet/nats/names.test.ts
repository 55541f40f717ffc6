import { assertEquals } from "@std/assert";
import { organisationToken } from "../../../fleet/several-hubs/organisation-token.ts";
import { keyOf, tokenOf } from "../../../fleet/nats/names.ts";

Deno.test("each key of the ledger is encoded as a token of a subject, and decoded from it", () => {
  for (
    const [key, token] of [
      ["anna", "anna"],
      ["00ff.12ab", "00ff.12ab"],
      ["Zoë.b@radio", "Zo=C3=AB.b=40radio"],
      [".a..b.", "=2Ea=2E.b=2E"],
      ["a*>= ", "a=2A=3E=3D=20"],
      ["", ""],
    ] as const
  ) {
    assertEquals([tokenOf(key), keyOf(token)], [token, key]);
  }
  assertEquals(organisationToken("Radio_é 1"), "Radio_5F_C3_A9_201");
});
