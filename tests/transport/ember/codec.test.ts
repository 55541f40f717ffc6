import { assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import fc from "fast-check";
import { EMBER_DEPTH, EMBER_MESSAGE_BYTES } from "../../../core/limits.ts";
import {
  type BerElement,
  createBerWriter,
  integerOf,
  pathOf,
  readBer,
  valueOf,
} from "../../../transport/ember/ber.ts";
import { realBytes, realOf } from "../../../transport/ember/real.ts";
import {
  ALIVE,
  ASK_ALIVE,
  createS101Reader,
  messagePackets,
} from "../../../transport/ember/s101.ts";
import { bytes, hex } from "./bytes.ts";

/** The messages that a reader receives from pieces of bytes. */
function received(...pieces: readonly Uint8Array[]) {
  const messages: string[] = [];
  let asked = 0;
  let tooLong = 0;
  const reader = createS101Reader({
    message: (ber) => void messages.push(hex(ber)),
    asksAlive: () => void asked++,
    tooLong: () => void tooLong++,
  });
  for (const piece of pieces) reader.read(piece);
  return { messages, asked, tooLong, held: reader.held };
}

Deno.test("S101: the keep-alive and its answer are framed as other devices frame them", () => {
  assertEquals(hex(ASK_ALIVE), "fe 00 0e 01 01 94 e4 ff");
  assertEquals(hex(ALIVE), "fe 00 0e 02 01 fd dc ce ff");
  assertEquals(received(ASK_ALIVE).asked, 1);
  assertEquals(received(ALIVE).asked, 0);
});

Deno.test("S101: a message arrives as it was sent, in packets and in pieces of any length", () => {
  const law = fc.property(
    fc.uint8Array({ minLength: 1, maxLength: 5000 }),
    fc.integer({ min: 1, max: 3000 }),
    (ber, size) => {
      const sent = messagePackets(ber);
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < sent.length; at += size) pieces.push(sent.subarray(at, at + size));
      assertEquals(received(...pieces).messages, [hex(ber)]);
      // Only the ends of a packet have their bytes, and escaped bytes are below F8.
      const inner = sent.filter((byte) => byte >= 0xf8 && byte !== 0xfd);
      assertEquals(inner.length, 2 * Math.ceil(ber.length / 1024));
    },
  );
  fc.assert(law, { numRuns: 200 });
});

Deno.test("S101: an empty packet ends the message before it, and alone is none", () => {
  const last = bytes("fe 00 0e 00 01 60 01 02 1f 02 3a b8 ff");
  const alone = bytes("fe 00 0e 00 01 e0 01 02 1f 02 6f 32 ff");
  const ber = new Uint8Array(1024).fill(0x60);
  const packets = messagePackets(concat([ber, ber]));
  const first = packets.subarray(0, packets.indexOf(0xff) + 1);
  const none = { messages: [], asked: 0, tooLong: 0, held: 0 };
  assertEquals(received(first, last), { ...none, messages: [hex(ber)] });
  assertEquals(received(alone, last), none);
});

Deno.test("S101: a packet with a wrong checksum, and an unfinished packet, are dropped", () => {
  const whole = messagePackets(bytes("60 00"));
  const altered = whole.slice();
  altered[9]! ^= 1;
  assertEquals(received(altered, whole).messages, ["60 00"]);
  assertEquals(received(whole.subarray(0, 8), whole).messages, ["60 00"]);
  assertEquals(received(bytes("00 ff fe ff fe 00 ff"), whole).messages, ["60 00"]);
});

Deno.test("S101: a frame without escapes, and a probe for such frames, is skipped whole", () => {
  const probe = bytes("f8 01 04 00 0e 01 01");
  const withFrameInside = concat([bytes("f8 02 00 08"), ASK_ALIVE]);
  assertEquals(received(probe, ASK_ALIVE), { messages: [], asked: 1, tooLong: 0, held: 0 });
  assertEquals(received(withFrameInside, ASK_ALIVE).asked, 1);
  assertEquals(received(bytes("f8 00"), ASK_ALIVE).asked, 1);
  assertEquals(received(bytes("f8 07 ff ff ff ff ff ff ff"), ASK_ALIVE).tooLong, 1);
});

Deno.test("S101: a too long frame or message is not kept in memory", () => {
  const endless = concat([Uint8Array.of(0xfe), new Uint8Array(EMBER_MESSAGE_BYTES + 1)]);
  assertEquals(received(endless), { messages: [], asked: 0, tooLong: 1, held: 0 });
  const packets = messagePackets(new Uint8Array(EMBER_MESSAGE_BYTES + 1));
  assertEquals(received(packets), { messages: [], asked: 0, tooLong: 1, held: 0 });
  assertEquals(received(messagePackets(new Uint8Array(EMBER_MESSAGE_BYTES))).messages.length, 1);
});

/** Captured or computed by other implementations. */
const reals: readonly (readonly [number, string])[] = [
  [0, ""],
  [1, "80 00 01"],
  [10, "80 03 05"],
  [-12.5, "c0 03 19"],
  [-160, "c0 07 05"],
  [0.5, "80 ff 01"],
  [Infinity, "40"],
  [-Infinity, "41"],
  [NaN, "42"],
  [-0, "43"],
];

Deno.test("BER: a REAL is written as other devices write it", () => {
  for (const [value, written] of reals) {
    assertEquals(hex(realBytes(value)), written);
    assertEquals(realOf(bytes(written)), value);
  }
  // An untrimmed mantissa, as one library sends it.
  assertEquals(realOf(bytes("c0 05 10 c0 00 00 00 00 00")), -33.5);
  // A mantissa of zero, two unusual bases, and a decimal number.
  assertEquals(realOf(bytes("80 00 00")), 0);
  for (const wrong of ["90 00 01", "83 02 00 00 01", "80", "80 01", "03 31 2e 30"]) {
    assertEquals(realOf(bytes(wrong)), undefined, wrong);
  }
});

Deno.test("BER: each number is read as it was written", () => {
  const double = fc.property(fc.double(), (value) => {
    const content = realBytes(value);
    // Libraries loop for ever at a mantissa of zero.
    assertEquals(content.length > 1 && content.at(-1) === 0, false);
    assertEquals(realOf(content), value);
  });
  fc.assert(double, { numRuns: 2000 });
  const integer = fc.property(fc.maxSafeInteger(), (value) => {
    const writer = createBerWriter();
    writer.integer(value);
    assertEquals(integerOf(readBer(writer.bytes())), value);
  });
  fc.assert(integer, { numRuns: 2000 });
});

Deno.test("BER: integers take the fewest bytes", () => {
  const written = [
    [0, "02 01 00"],
    [127, "02 01 7f"],
    [128, "02 02 00 80"],
    [-128, "02 01 80"],
    [-129, "02 02 ff 7f"],
    [-1, "02 01 ff"],
    [65_536, "02 03 01 00 00"],
  ] as const;
  for (const [value, expected] of written) {
    const writer = createBerWriter();
    writer.integer(value);
    assertEquals(hex(writer.bytes()), expected);
  }
});

Deno.test("BER: containers of definite, long and indefinite length are the same", () => {
  const inner = (text: string) => readBer(bytes(text));
  const definite = inner("60 07 6b 05 a0 03 02 01 20");
  assertEquals(inner("60 80 6b 80 a0 80 02 01 20 00 00 00 00 00 00"), definite);
  assertEquals(inner("60 81 0c 6b 82 00 08 a0 83 00 00 03 02 01 20"), definite);
  assertEquals(definite?.inside[0]?.inside[0]?.inside[0]?.content, bytes("20"));
});

Deno.test("BER: an element that ends too early, has further bytes, or a tag of two bytes, is refused", () => {
  const wrong = [
    "",
    "60",
    "60 01",
    "60 80 00",
    "02 80 00 00",
    "60 02 02 01",
    "60 00 00",
    "7f 21 00",
    "60 85 01 00 00 00 00",
  ];
  for (const text of wrong) assertEquals(readBer(bytes(text)), undefined, text);
});

Deno.test("BER: containers beyond the maximum depth are refused", () => {
  const nested = (depth: number) => bytes("60 80 ".repeat(depth) + "00 00 ".repeat(depth));
  assertEquals(readBer(nested(EMBER_DEPTH - 1))?.tag, 0x60);
  assertEquals(readBer(nested(EMBER_DEPTH + 1)), undefined);
  assertEquals(readBer(nested(10_000)), undefined);
});

Deno.test("BER: values and paths are read as they were written, in containers of any length", () => {
  const law = fc.property(
    fc.oneof(fc.boolean(), fc.string({ unit: "grapheme", maxLength: 70_000 }), fc.constant(null)),
    fc.array(fc.nat(0xffff_ffff), { maxLength: 12 }),
    (value, numbers) => {
      const writer = createBerWriter();
      writer.container(0x60, () => {
        writer.path(numbers);
        if (value === null) writer.none();
        else if (typeof value === "boolean") writer.boolean(value);
        else writer.text(value);
      });
      const [path, read] = (readBer(writer.bytes()) as BerElement).inside;
      assertEquals(pathOf(path), numbers);
      assertEquals(valueOf(read), value);
    },
  );
  fc.assert(law, { numRuns: 300 });
  // Any byte but zero is true.
  assertEquals(valueOf(readBer(bytes("01 01 01"))), true);
  assertEquals(pathOf(readBer(bytes("0d 01 81"))), undefined);
});
