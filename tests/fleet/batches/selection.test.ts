import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal, refuse } from "../../../core/errors.ts";
import type { Template } from "../../../fleet/drift/templates.ts";
import type { ConsoleEntry } from "../../../fleet/hub/hub-core.ts";
import { select, type Selection } from "../../../fleet/batches/selection.ts";
import { entry, idOf } from "../fake-core.ts";

const labelled = (...labels: string[]) => ({
  tree: {
    audio: {
      mixers: {
        0: { faders: Object.fromEntries(labels.map((label, at) => [at, { label, on: false }])) },
      },
    },
  },
});

const consoles = new Map<string, ConsoleEntry>(
  [
    entry("Studio 1", { site: "Berlin", ...labelled("Mic 1", "Host") }),
    entry("Studio 2", { site: "Berlin", version: "2.0" }, "stale"),
    entry("Van", { site: "Köln", ...labelled("Mic 2") }, "gone"),
    entry("New", { site: "Berlin" }, "quarantined"),
    entry("Large", labelled("1", "2", "3")),
  ].map((one, at) => {
    // All consoles have the digests of the template, except two with others and one without
    // digests.
    const digests = { digests: { labels: at === 2 || at === 4 ? "b" : "a", users: "c" } };
    return [idOf(at + 1), { ...one, id: idOf(at + 1), ...(at === 1 ? {} : digests) }];
  }),
);

const templates = {
  find: (name: string) =>
    name === "studio"
      ? {
        model: { 0: ["0"] },
        sections: { labels: { digest: "a", value: {} } },
      } as unknown as Template
      : refuse("noSuchObject", "there is no such template"),
};

Deno.test("a selection takes the consoles that meet all given criteria", () => {
  const cases: readonly (readonly [Selection, number[]])[] = [
    [{ all: true }, [1, 2, 3, 5]],
    [{ site: "berlin" }, [1, 2]],
    [{ site: "Berl" }, []],
    [{ name: "stud*" }, [1, 2]],
    [{ name: "*i*2" }, [2]],
    [{ name: "Studio*Studio" }, []],
    [{ label: "mic *" }, [1, 3]],
    [{ label: "*", site: "Berlin" }, [1]],
    [{ version: "2*" }, [2]],
    [{ state: "gone" }, [3]],
    [{ state: "quarantined" }, [4]],
    // A console of another model does not drift: it has other faders.
    [{ drift: "studio" }, [3]],
    [{ ids: [idOf(3), idOf(1), idOf(3)] }, [3, 1]],
    [{ ids: [idOf(3), idOf(1)], site: "Berlin", all: false }, [1]],
  ];
  for (const [selection, expected] of cases) {
    const found = select(consoles, selection, templates);
    const ids = isRefusal(found) ? found : found.map(({ id }) => Number(id));
    assertEquals(ids, expected, JSON.stringify(selection));
  }
});

Deno.test("a selection without criteria is refused, and so is an unknown id, which the refusal names", () => {
  for (const selection of [{}, { all: false }, { site: undefined }]) {
    const refused = select(consoles, selection, templates);
    assertMatch(isRefusal(refused) ? refused.message : "", /^select: expected at least one of ids/);
  }
  const refused = select(consoles, { ids: [idOf(1), idOf(9)] }, templates);
  assertMatch(isRefusal(refused) ? refused.message : "", new RegExp(`no console "${idOf(9)}"`));
});

Deno.test("the time to match a pattern of many stars is proportional to the length of the text", () => {
  const name = "a".repeat(50_000);
  const many = new Map([[idOf(1), { ...entry(name), id: idOf(1) }]]);
  assertEquals(select(many, { name: `${"*a".repeat(60)}*b` }, templates), []);
});
