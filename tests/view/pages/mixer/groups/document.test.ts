import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { GROUP_NAME_LENGTH } from "../../../../../core/limits.ts";
import {
  COLOURS,
  lookIn,
  namedIn,
  nameIn,
  withLook,
  withName,
} from "../../../../../view/pages/mixer/groups/document.ts";

const mutes = { mixer: 0, kind: "mutegroups" } as const;
const vcas = { mixer: 1, kind: "vcagroups" } as const;

const groups = {
  mixers: {
    "0": { mutegroups: { "1": { name: "Microphones" }, "0": { name: " \u202e \t" } } },
    "1": { vcagroups: { "12": { name: "Band" }, "3": { name: "Playout" } } },
  },
};

Deno.test("a group has its name in the document, unless that is blank", () => {
  assertEquals(nameIn(groups, { ...mutes, id: 1 }), "Microphones");
  assertEquals(nameIn(groups, { ...mutes, id: 0 }), undefined);
  assertEquals(nameIn(groups, { ...vcas, id: 1 }), undefined);
  assertEquals(namedIn(groups, mutes), [1]);
  assertEquals(namedIn(groups, vcas), [3, 12]);
});

Deno.test("a name is one line of bounded length, and does not turn the text beside it", () => {
  const name = `\u202e${"a ".repeat(GROUP_NAME_LENGTH)}\n`;
  const written = withName(null, { ...mutes, id: 0 }, name);
  assertEquals(nameIn(written, { ...mutes, id: 0 }), "a ".repeat(GROUP_NAME_LENGTH / 2).trim());
});

Deno.test("a channel has its colour and sign in the document, if they are valid", () => {
  const document = {
    channels: { "7": { colour: "red", icon: "microphone" }, "8": { colour: "#f00", icon: 1 } },
  };
  assertEquals(lookIn(document, 7), { colour: "red", icon: "microphone" });
  assertEquals(lookIn(document, 8), {});
  assertEquals(lookIn(document, 9), {});
});

Deno.test("a written name or colour is read back, other content stays, and a blank one removes", () => {
  const name = fc.stringMatching(/^[a-z]{1,20}$/);
  fc.assert(fc.property(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.nat(20),
    name,
    fc.constantFrom(...COLOURS),
    (foreign, id, name, colour) => {
      const group = { ...mutes, id };
      const named = withName(foreign, group, name);
      assertEquals(nameIn(named, group), name);
      const { mixers: _, ...others } = foreign;
      const { mixers: __, ...kept } = named;
      assertEquals(kept, others);
      const two = withName(named, { ...vcas, id }, "other");
      assertEquals(nameIn(two, group), name);
      assertEquals(nameIn(withName(two, group, " "), group), undefined);
      const marked = withLook(foreign, id, "colour", colour);
      assertEquals(lookIn(marked, id).colour, colour);
      assertEquals(lookIn(withLook(marked, id, "colour", ""), id).colour, undefined);
    },
  ));
  assertEquals(withName(withName(null, { ...mutes, id: 0 }, "one"), { ...mutes, id: 0 }, ""), {});
});

Deno.test("reading and writing a document of any content never throws", () => {
  const members = fc.constantFrom(
    "mixers",
    "0",
    "mutegroups",
    "name",
    "channels",
    "colour",
    "icon",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(fc.jsonValue(), fc.dictionary(members, tie("tree"), { maxKeys: 3 })),
  }));
  fc.assert(fc.property(tree, (document) => {
    const name = nameIn(document, { ...mutes, id: 0 });
    assert(name === undefined || typeof name === "string" && name !== "");
    namedIn(document, mutes);
    lookIn(document, 0);
    const written = withLook(withName(document, { ...mutes, id: 0 }, "A"), 0, "icon", "B");
    assertEquals([nameIn(written, { ...mutes, id: 0 }), lookIn(written, 0).icon], ["A", "B"]);
  }));
  const prototype = JSON.parse('{"mixers": {"__proto__": {"mutegroups": {"0": {"name": "A"}}}}}');
  assertEquals(nameIn(prototype, { ...mutes, id: 0 }), undefined);
});
