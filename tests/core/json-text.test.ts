import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { jsonWith, listItems } from "../../core/json-text.ts";

Deno.test("an object with one member more is the JSON of both", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(fc.property(objects, fc.string(), fc.jsonValue(), (object, member, value) => {
    delete object[member];
    const both = Object.fromEntries([...Object.entries(object), [member, value]]);
    const text = jsonWith(object, member, JSON.stringify(value));
    assertEquals(JSON.parse(text), JSON.parse(JSON.stringify(both)));
  }));
});

Deno.test("the items of any JSON list are those that its parser finds, however it is spaced", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2, "\t\r\n "), (list, space) => {
      const bytes = new TextEncoder().encode(` ${JSON.stringify(list, null, space)}\n`);
      const items = [...listItems(bytes)].map((item) => JSON.parse(new TextDecoder().decode(item)));
      assertEquals(JSON.stringify(items), JSON.stringify(list));
    }),
  );
});
