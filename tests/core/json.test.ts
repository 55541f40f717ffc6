import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { withMember } from "../../core/json.ts";

Deno.test("an object with one more member, as JSON, is the JSON of that object", () => {
  const object = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue());
  fc.assert(fc.property(object, fc.jsonValue(), (object, value) => {
    const text = withMember(object, "", JSON.stringify(value));
    assertEquals(text, JSON.stringify({ ...object, "": value }));
  }));
});
