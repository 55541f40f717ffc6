/** Which MIDI ports are controllers. */
import { assertEquals } from "@std/assert";
import { isExtender, isLikely, pairsOf } from "../../../view/midi/ports.ts";

const port = (id: string, name: string, state = "connected") => ({ id, name, state });

Deno.test("an input and an output of one name are a controller, several in the order of their ports", () => {
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

Deno.test("by its name a controller is taken for one, and an instrument is not", () => {
  for (const name of ["MCU Pro USB v3.1 Port 1", "X-Touch-Ext", "iCON P1-Nano", "FaderPort 8"]) {
    assertEquals([name, isLikely(name)], [name, true]);
  }
  for (const name of ["Midi Through Port-0", "DX7", "Launchkey"]) {
    assertEquals([name, isLikely(name)], [name, false]);
  }
});

Deno.test("an extender is known by its name", () => {
  const names = ["X-Touch-Ext", "MCU XT", "X-Touch", "Mackie Control"];
  assertEquals(names.map(isExtender), [true, true, false, false]);
});
