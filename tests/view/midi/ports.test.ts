/** The recognition of controllers among MIDI ports. */
import { assertEquals } from "@std/assert";
import { isExtender, isLikely, pairsOf } from "../../../view/midi/ports.ts";

const port = (id: string, name: string, state = "connected") => ({ id, name, state });

Deno.test("an input and an output of the same name are a controller; several are paired in port order", () => {
  const inputs = [
    port("1", "X-Touch"),
    port("2", "Keys only"),
    port("3", "X-Touch"),
    port("4", "Gone", "disconnected"),
  ];
  const outputs = [port("a", "X-Touch"), port("b", "Gone"), port("c", "X-Touch")];
  const pairs = pairsOf(inputs, outputs);
  assertEquals(pairs.map(({ name, input, output }) => [name, input.id, output.id]), [
    ["X-Touch", "1", "a"],
    ["X-Touch (2)", "3", "c"],
  ]);
});

Deno.test("a name tells a controller from an instrument", () => {
  for (const name of ["MCU Pro USB v3.1 Port 1", "X-Touch-Ext", "iCON P1-Nano", "FaderPort 8"]) {
    assertEquals([name, isLikely(name)], [name, true]);
  }
  for (const name of ["Midi Through Port-0", "DX7", "Launchkey"]) {
    assertEquals([name, isLikely(name)], [name, false]);
  }
});

Deno.test("an extender is recognized by its name", () => {
  const names = ["X-Touch-Ext", "MCU XT", "X-Touch", "Mackie Control"];
  assertEquals(names.map(isExtender), [true, true, false, false]);
});
