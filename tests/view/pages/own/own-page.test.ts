/** Reading and writing of own pages, in documents that any device may have written. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { OWN_PAGE_ITEMS, OWN_PAGES } from "../../../../core/limits.ts";
import {
  isFull,
  type Item,
  itemKeys,
  type OwnPage,
  pageName,
  readPages,
  withItemMoved,
  withoutItem,
  withPage,
  withPageMoved,
  withPageOf,
} from "../../../../view/pages/own/own-page.ts";

const items: readonly Item[] = [
  { kind: "strip", mixer: 0, fader: 3 },
  { kind: "key", path: "/audio/mixers/0/faders/3/pfl1" },
  { kind: "key", path: "/audio/mixers/1/mutegroups/2" },
  { kind: "key", path: "/control/logics/7/value" },
  { kind: "list", list: 1 },
  { kind: "meter", of: "loudness", id: 1 },
  { kind: "snapshot", mixer: 0, id: "default", name: "Morning", asks: false },
  { kind: "text", text: "On air" },
  { kind: "channelsnapshot", mixer: 0, fader: 2, id: "1", name: "Host", asks: true },
  { kind: "processingsnapshot", fp: 1, id: "2", name: "Loud", asks: false },
];
const page: OwnPage = { name: "studio", title: "Studio", icon: "mixer", items };

const text = (text: string): Item => ({ kind: "text", text });

Deno.test("a written page is read back unchanged, and other content of the document stays", () => {
  const content = { other: 1, pages: [{ name: "first", title: "First" }, 7] };
  const written = withPage(content, "studio", () => page);
  assertEquals(readPages(written)[1], page);
  assertEquals([written.other, (written.pages as unknown[])[1]], [1, 7]);
  const changed = withPage(written, "first", () => ({ ...page, name: "first" }));
  assertEquals(readPages(changed).map(({ name }) => name), ["first", "studio"], "in its place");
  assertEquals(readPages(withPage(changed, "first", () => undefined)), [page]);
});

Deno.test("a page is moved to the place of another page; unreadable pages stay", () => {
  const named = (name: string) => ({ name, title: name, icon: "own", items: [] });
  const content = { other: 1, pages: [named("a"), 7, named("b"), named("c")] };
  const moved = (name: string, there: string) => withPageMoved(content, name, there).pages;
  assertEquals(moved("c", "a"), [named("c"), named("a"), 7, named("b")]);
  assertEquals(moved("a", "b"), [7, named("b"), named("a"), named("c")]);
  assertEquals(withPageMoved(content, "a", "gone"), content);
});

Deno.test("the key of an item is its own, and stays when another item is added or removed", () => {
  const of = (letters: string) => itemKeys([...letters].map(text));
  const keys = of("ABAC");
  assertEquals(new Set(keys).size, 4);
  assertEquals(of("XABAC").slice(1), keys);
  assertEquals(of("AAC"), keys.toSpliced(1, 1));
});

Deno.test("an item is removed or moved by what it is, also if another device has changed the page", () => {
  const texts = (letters: string) => [...letters].map(text);
  const rows: readonly (readonly [now: string, without: string, moved: string])[] = [
    ["ABCD", "ABD", "CABD"],
    ["BCD", "BD", "BCD"], // A, to whose place it would move, is gone
    ["ABD", "ABD", "ABD"], // C itself is gone
    ["BCDA", "BDA", "BDAC"],
    ["XABCD", "XABD", "XCABD"],
  ];
  const shown = texts("ABCD");
  for (const [now, without, moved] of rows) {
    assertEquals(withoutItem(texts(now), shown, 2), texts(without));
    assertEquals(withItemMoved(texts(now), shown, 2, 0), texts(moved));
  }
  assertEquals(withItemMoved(texts("ABCD"), shown, 0, 2), texts("BCAD"));
  assertEquals(withItemMoved(texts("ABA"), texts("ABA"), 2, 0), texts("AAB"), "of equal items");
});

/** Invalid items, each with one fault. */
const wrong: readonly unknown[] = [
  null,
  "strip",
  [],
  {},
  { kind: "toString" },
  { kind: "__proto__" },
  { kind: "strip", mixer: 0 },
  { kind: "strip", mixer: 0, fader: -1 },
  { kind: "strip", mixer: 0, fader: "1" },
  { kind: "strip", mixer: 0, fader: 1.5 },
  { kind: "key", path: "/audio/mixers/0/faders/0/fader" },
  { kind: "key", path: "/audio/mixers/0/faders/0/params/gain/p48" },
  { kind: "key", path: "/control/logics/1/value/.." },
  { kind: "meter", of: "pots", id: 1 },
  { kind: "snapshot", mixer: 0, id: "default", name: "N", asks: "no" },
  { kind: "channelsnapshot", mixer: 0, id: "1", name: "Host", asks: true },
  { kind: "processingsnapshot", fp: -1, id: "2", name: "Loud", asks: false },
  { kind: "text", text: "x".repeat(129) },
];

Deno.test("an unreadable item keeps its place, and is written back unchanged", () => {
  const content = { pages: [{ ...page, items: [items[0], ...wrong, items[4]] }] };
  const [read] = readPages(content);
  const unread = wrong.map((content) => ({ kind: "unread", content }));
  assertEquals(read!.items as readonly unknown[], [items[0], ...unread, items[4]]);
  assertEquals(withPage(null, "studio", () => read), content);
});

Deno.test("a page with an invalid name, or with the name of an earlier page, is left out", () => {
  const names = ["studio", "Studio", "", "a b", 1, "x".repeat(33), "studio"];
  const content = { pages: [null, 7, [], ...names.map((name) => ({ name, title: "T" }))] };
  assertEquals(readPages(content), [{ name: "studio", title: "T", icon: "own", items: [] }]);
});

Deno.test("a page with only a valid name is empty, and titled by its name", () => {
  const content = { pages: [{ name: "studio", title: "  ", icon: "toString", items: {} }] };
  assertEquals(readPages(content), [{ name: "studio", title: "studio", icon: "own", items: [] }]);
});

Deno.test("any document can be read, and writing one of its pages back changes no page", () => {
  const rubbish = fc.record({ pages: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())) });
  const alike = fc.record({
    pages: fc.array(fc.record({
      name: fc.constantFrom<unknown>("a", "b", 1),
      items: fc.array(fc.oneof(fc.constantFrom<unknown>(...items, ...wrong), fc.jsonValue())),
    }, { requiredKeys: [] })),
  });
  fc.assert(fc.property(fc.oneof(rubbish, alike), (content) => {
    for (const page of readPages(content)) {
      assertEquals(readPages(withPage(content, page.name, () => page)), readPages(content));
    }
  }));
});

Deno.test("a change of a page keeps its content that is not shown, and a second page of its name", () => {
  const many = Array.from({ length: OWN_PAGE_ITEMS + 5 }, (_, at) => text(`${at}`));
  const studio = { name: "studio", title: 7, icon: "later", shared: true, items: many };
  const content = { pages: [studio, { name: "studio", title: "Second" }] };
  assertEquals(readPages(content)[0]!.items.length, OWN_PAGE_ITEMS);
  const titled = withPage(content, "studio", (page) => page && { ...page, title: "New" });
  assertEquals(titled, { pages: [{ ...studio, title: "New" }, content.pages[1]] });
  const shorter = withPage(
    content,
    "studio",
    (page) => page && { ...page, items: page.items.slice(1) },
  );
  assertEquals(shorter, { pages: [{ ...studio, items: many.slice(1) }, content.pages[1]] });
  assertEquals(withPage(content, "studio", () => undefined), { pages: [content.pages[1]] });
});

Deno.test("an item with unknown members is shown, and written back unchanged", () => {
  const item = { kind: "text", text: "On air", colour: "red" };
  const content = { pages: [{ name: "studio", items: [item] }] };
  const change = (page?: OwnPage) => page && { ...page, items: [...page.items, items[0]!] };
  const written = withPage(content, "studio", change);
  assertEquals(written, { pages: [{ name: "studio", items: [item, items[0]] }] });
});

Deno.test("a page moves to another document unchanged, but with another name if its own is taken", () => {
  const moved = { name: "studio", later: 1, items: Array(OWN_PAGE_ITEMS + 1).fill(text("a")) };
  const there = { pages: [{ name: "studio", title: "Theirs" }] };
  const written = withPageOf(there, { pages: [7, moved] }, "studio", "studio-2");
  assertEquals(written, { pages: [there.pages[0], { ...moved, name: "studio-2" }] });
  assertEquals(withPageOf(there, { pages: [7] }, "studio", "studio-2"), there);
});

Deno.test("a document is full when it holds the maximum number of pages that are shown", () => {
  const pages = Array.from({ length: OWN_PAGES }, (_, at) => ({ name: `p${at}` }));
  assertEquals(isFull({ pages: [7, ...pages.slice(1), pages[1]] }), false);
  assertEquals(isFull({ pages }), true);
  assertEquals(readPages({ pages: [...pages, { name: "more" }] }).length, OWN_PAGES);
});

Deno.test("the name of a page is made of its title, and differs from the names in use", () => {
  const rows: readonly (readonly [string, readonly string[], string])[] = [
    ["Jingles", [], "jingles"],
    ["Jingles", ["jingles", "jingles-2"], "jingles-3"],
    ["Größe & Übung", [], "grosse-ubung"],
    ["音楽", [], "page"],
    ["-", ["page"], "page-2"],
    ["x".repeat(128), ["x".repeat(28)], `${"x".repeat(28)}-2`],
  ];
  for (const [title, taken, name] of rows) assertEquals(pageName(title, taken), name);
});
