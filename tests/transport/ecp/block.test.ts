import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Block,
  BLOCK_BYTES,
  createBlockReader,
  readBlock,
  writeBlocks,
} from "../../../transport/ecp/block.ts";
import { levelAt, levelBytes } from "../../../transport/ecp/level.ts";
import { blocks, shownBlock } from "./blocks.ts";

const anyBlock: fc.Arbitrary<Block> = fc.record({
  command: fc.nat(0xffff_ffff),
  data: fc.uint8Array({ maxLength: 8 }),
});

Deno.test("a block is its length, 0, its command, its data and zeros", () => {
  const block = { command: 0x110e_0000, data: Uint8Array.of(0x02, 0xcf, 1) };
  assertEquals(writeBlocks([block]), blocks("03 00 110E0000 02CF 01"));
  assertEquals(writeBlocks([block]).length, BLOCK_BYTES);
  assertEquals(readBlock(blocks("03 00 110E0000 02CF 01")), block);
  assertEquals(readBlock(blocks("00 00 11160000")), {
    command: 0x1116_0000,
    data: new Uint8Array(),
  });
});

Deno.test("bytes with more than 8 bytes of data, or without the 0, are not a block", () => {
  assertEquals(readBlock(blocks("09 00 110E0000 02CF 01")), undefined);
  assertEquals(readBlock(blocks("03 01 110E0000 02CF 01")), undefined);
  assertEquals(readBlock(new Uint8Array(15)), undefined);
});

Deno.test("bytes behind the data of a block are ignored", () => {
  const block = readBlock(blocks("02 00 110E0000 02CF FFFFFFFFFFFF FFFF"));
  assertEquals(block?.data, Uint8Array.of(0x02, 0xcf));
});

Deno.test("all written blocks are read, in pieces of any length", () => {
  const law = fc.property(
    fc.array(anyBlock, { maxLength: 6 }),
    fc.integer({ min: 1, max: 40 }),
    (written, size) => {
      const read: (Block | undefined)[] = [];
      const reader = createBlockReader((block) => void read.push(block));
      const bytes = writeBlocks(written);
      for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size));
      assertEquals(read, written);
      assertEquals(reader.held, 0);
    },
  );
  fc.assert(law);
});

Deno.test("after bytes that are not a block the next block is read", () => {
  const read: (string | undefined)[] = [];
  const reader = createBlockReader((block) =>
    void read.push(block && shownBlock(writeBlocks([block])))
  );
  reader.read(blocks("FF 00 00000000", "02 00 110E0000 0001"));
  reader.read(blocks("02").subarray(0, 5));
  assertEquals([read, reader.held], [[undefined, "02 110E0000 0001"], 5]);
});

Deno.test("a level is 16 bits with a sign, in hundredths of a dB, and stays within them", () => {
  const rows: readonly (readonly [level: number, bytes: readonly [number, number]])[] = [
    [-12, [0xfb, 0x50]],
    [-160, [0xc1, 0x80]],
    [0, [0, 0]],
    [10, [0x03, 0xe8]],
    [-327.68, [0x80, 0x00]],
    [327.67, [0x7f, 0xff]],
  ];
  for (const [level, bytes] of rows) {
    assertEquals(levelBytes(level), bytes);
    assertEquals(levelAt(Uint8Array.from(bytes), 0), level);
  }
  assertEquals([levelBytes(-400), levelBytes(400)], [[0x80, 0x00], [0x7f, 0xff]]);
  assertEquals(levelBytes(-19.996), [0xf8, 0x30]);
});
