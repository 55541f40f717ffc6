import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  changedItems,
  type FaderAddress,
  type FaderMap,
  itemOf,
  itemsOf,
  noFaders,
  withItem,
} from "../../../core/fades/fader-map.ts";

interface Item extends FaderAddress {
  readonly value: number;
}

const number = fc.oneof(fc.nat(70), fc.constantFrom(65_503, 65_504, 65_535));
const item: fc.Arbitrary<Item> = fc.record({ mixer: number, fader: number, value: fc.nat(9) });

Deno.test("a map of faders holds the last item of each, however many share a block", () => {
  fc.assert(fc.property(fc.array(item), (items) => {
    const model = new Map<string, Item>();
    let map: FaderMap<Item> = noFaders;
    for (const next of items) {
      const before = [...itemsOf(map)];
      const earlier = map;
      map = withItem(map, next);
      model.set(`${next.mixer}/${next.fader}`, next);
      assertEquals([...itemsOf(earlier)], before);
    }
    assertEquals(map.size, model.size);
    assertEquals(new Set(itemsOf(map)), new Set(model.values()));
    for (const known of model.values()) assertEquals(itemOf(map, known), known);

    const named = [...items, { mixer: 7, fader: 77, value: 0 }];
    const changed = changedItems(map, named, (known, { fader }) => {
      assertEquals(known.fader, fader);
      return known.value < 3 ? undefined : known.value < 6 ? { ...known, value: 99 } : known;
    });
    const expected = [...model.values()].filter(({ value }) => value >= 3)
      .map((known) => known.value < 6 ? { ...known, value: 99 } : known);
    assertEquals(new Set(itemsOf(map)), new Set(model.values()), "it is a value");
    assertEquals(changed.size, expected.length);
    assertEquals(new Set(itemsOf(changed)), new Set(expected));
  }));
});
