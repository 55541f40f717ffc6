/**
 * Valid frames of Ember+ that are altered, as bytes of BER or as packets, and sent in pieces of any
 * length.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { EMBER_MESSAGE_BYTES } from "../../core/limits.ts";
import { createBudget } from "../../transport/budget.ts";
import { createBerWriter } from "../../transport/ember/ber.ts";
import { createProvider } from "../../transport/ember/provider.ts";
import { ALIVE, ASK_ALIVE, messagePackets } from "../../transport/ember/s101.ts";
import { serviceOf, stillClock, testConsole, unlimitedWith } from "../service.ts";
import { passingTime } from "../timers.ts";
import { ber, hex } from "../transport/ember/bytes.ts";
import { few } from "./odd.ts";

/** Consumers may only view, so that nothing that they send changes anything. */
const ember = { listen: "127.0.0.1:0", may: "view" } as const;
const console = await testConsole({
  configuration: unlimitedWith({ ember }),
  clock: stillClock(),
});
const { timer, pass, pending } = passingTime();
const { sessions } = serviceOf(console, { clock: stillClock(), timer, scheduler: withoutPauses });
const faults: unknown[] = [];
const provider = createProvider({
  console,
  timer,
  scheduler: withoutPauses,
  budget: createBudget(() => console.state.configuration.limits.memory),
  sessions,
  may: "view",
  onFault: (fault) => void faults.push(fault),
});
const idle = pending();

/** Paths of elements of each kind, and unknown paths. */
const PATHS = [
  "1",
  "1.1",
  "1.2.2",
  "1.4",
  "1.4.1",
  "1.4.1.1",
  "1.4.1.5",
  "1.5.2.1",
  "1.8.1.1",
  "1.6",
  "1.6.1",
]
  .concat([
    "1.7.1.1",
    "1.9",
    "1.9.2",
    "1.9.4",
    "1.10",
    "1.10.28",
    "1.10.28.33.2.35",
    "1.11",
    "2.0",
  ]);
const TAGS = ["61", "63", "69", "6a", "6d", "71", "73", "74", "78"];
const VALUES = ["01 01 ff", "02 01 05", "02 08 7f ff ff ff ff ff ff ff", "09 00", "09 03 c0 03 19"]
  .concat(["09 01 42", "0c 02 68 69", "04 02 00 ff", "05 00", "31{}"]);
const INSIDE = [
  "a2{64{a0{62{a0{02 01 20}}}}}",
  "a2{64{a0{62{a0{02 01 20}a1{02 01 ff}}}}}",
  "a2{64{a0{62{a0{02 01 1e}}}}}",
  "a2{64{a0{62{a0{02 01 1f}}}}}",
  ...VALUES.map((value) => `a1{31{a2{${value}}}}a2{64{}}`),
  ...VALUES.map((value) =>
    `a2{64{a0{62{a0{02 01 21}a2{76{a0{02 01 07}a1{30{a0{${value}` + "}".repeat(9)
  ),
  "a5{30{a0{70{a0{02 01 01}a1{0d 01 02}a2{02 01 01}}}}}",
  "a5{30{a0{70{a0{02 01 01}}}a0{70{a0{02 01 02}a1{0d 00}a2{02 01 02}}}}}",
];

/** The BER text of a path, for an element with a whole path, or else of the last number of it. */
function placeOf(path: string, tag: string): string {
  const numbers = path.split(".").map(Number);
  const writer = createBerWriter();
  if (["69", "6a", "71", "74"].includes(tag)) writer.path(numbers);
  else writer.integer(numbers.at(-1)!);
  return hex(writer.bytes());
}

const valid: fc.Arbitrary<Uint8Array> = fc.tuple(
  fc.array(
    fc.tuple(
      fc.constantFrom(...PATHS),
      fc.constantFrom("69", "6a", "71", "74", ...TAGS),
      fc.constantFrom(...INSIDE),
    ).map(([path, tag, inside]) => `a0{${tag}{a0{${placeOf(path, tag)}}${inside}}}`),
    { minLength: 1, maxLength: 3 },
  ),
  fc.constantFrom("definite" as const, "indefinite" as const),
).map(([items, lengths]) => ber(`60{6b{${items.join("")}}}`, lengths));

/** An alteration of bytes: its kind and its place, counted modulo their number. */
const alteration = fc.record({
  kind: fc.constantFrom("set", "flip", "drop", "copy", "cut", "insert"),
  at: fc.nat(0xffff),
  count: fc.integer({ min: 1, max: 8 }),
  byte: fc.oneof(fc.constantFrom(0x00, 0x80, 0xff, 0xfe, 0xfd, 0xf8, 0x30, 0x60), fc.nat(255)),
});

type Alteration = typeof alteration extends fc.Arbitrary<infer One> ? One : never;

function altered(bytes: Uint8Array, alterations: readonly Alteration[]): Uint8Array {
  let now = [...bytes];
  for (const { kind, at, count, byte } of alterations) {
    const place = at % Math.max(1, now.length);
    if (kind === "set") now[place] = byte;
    else if (kind === "flip") now[place]! ^= 1 << byte % 8;
    else if (kind === "drop") now.splice(place, count);
    else if (kind === "cut") now = now.slice(0, place);
    else if (kind === "insert") now.splice(place, 0, ...new Array(count).fill(byte));
    else now.splice(place, 0, ...now.slice(place, place + count * 4));
  }
  return Uint8Array.from(now);
}

const frame: fc.Arbitrary<Uint8Array> = fc.oneof(
  // Altered BER in a valid packet, and a valid message in altered packets.
  {
    weight: 6,
    arbitrary: fc.tuple(valid, few(alteration, 4)).map(([one, some]) =>
      messagePackets(altered(one, some))
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(valid, few(alteration, 3)).map(([one, some]) =>
      altered(messagePackets(one), some)
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(ASK_ALIVE, ALIVE, Uint8Array.of(0xf8, 1, 4, 0, 14, 1, 1)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
);

/**
 * Any frames change nothing, cause no fault, and leave no timer or subscription after the end of
 * the connection. A consumer whose connection is not closed still gets answers.
 */
export const emberProperty = fc.asyncProperty(
  fc.array(frame, { minLength: 4, maxLength: 6 }),
  fc.integer({ min: 1, max: 200 }),
  async (frames, size) => {
    const before = console.state;
    let sent = 0;
    let isClosed = false;
    const consumer = provider.open({
      send: ({ length }) => void (sent += length),
      close: () => void (isClosed = true),
      bufferedAmount: 0,
    }, "127.0.0.1")!;
    for (const bytes of frames) {
      for (let at = 0; at < bytes.length; at += size) {
        consumer.receive(bytes.subarray(at, at + size));
      }
    }
    await turns();
    pass(100);
    await turns();
    assert(isClosed || sent < 64 * EMBER_MESSAGE_BYTES);
    if (!isClosed) {
      const answered = sent;
      // First the end of an unfinished frame, or of bytes that are being skipped.
      consumer.receive(new Uint8Array(EMBER_MESSAGE_BYTES));
      consumer.receive(ASK_ALIVE);
      assert(isClosed || sent > answered, "a keep-alive is answered");
    }
    consumer.closed();
    await turns();
    assertEquals(faults, []);
    assert(console.state === before, "nothing has changed");
    assertEquals(sessions.hearMeters(), false);
    assertEquals(pending(), idle, "nobody is waited for any more");
  },
);

/** Lets all pending microtasks run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await undefined;
}
