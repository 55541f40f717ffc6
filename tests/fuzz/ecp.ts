/**
 * Valid blocks of ECP that are altered, and sent in pieces of any length.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import fc from "fast-check";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { createBudget } from "../../transport/budget.ts";
import { BLOCK_BYTES, readBlock } from "../../transport/ecp/block.ts";
import { createProvider } from "../../transport/ecp/provider.ts";
import { serviceOf, stillClock, testConsole, unlimitedWith } from "../service.ts";
import { passingTime } from "../timers.ts";
import { blocks } from "../transport/ecp/blocks.ts";
import { byteMutated, byteMutation, few } from "./odd.ts";

/** Clients may only view, so that nothing that they send changes anything. */
const ecp = { listen: "127.0.0.1:0", may: "view" } as const;
const console = await testConsole({
  configuration: unlimitedWith({ ecp }),
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

/** Each variant of each command, with known and unknown objects. */
const VALID = [
  ...["02 00 110E0000 0002", "03 00 110E0000 0002 00", "03 00 110E0000 FFFF 01"],
  ...["01 00 11030000 01", "01 00 11030000 00", "02 00 11030000 0000", "02 00 11030000 10FF"],
  ...["04 00 11030000 0103 F830", "07 00 11030000 0000 FB50 07D0 01"],
  ...["02 00 11020000 0001", "03 00 11020000 0001 01"],
  ...["00 00 11160000", "01 00 11160000 00", "02 00 11160000 1001", "04 00 11160000 0001 01 01"],
  ...["02 00 110D0000 0000", "04 00 110D0000 0000 0005"],
  ...["02 00 01F50000 0001", "04 00 01F50000 0001 0002", "08 00 01F50000 00000001 00000002"],
  ...["02 00 11100000 0001", "04 00 11100000 0001 FB50"],
  ...["02 00 11140000 0001", "03 00 11140000 0001 01", "08 00 11140000 0001 00 00 416E6E61"],
  ...["03 00 111C0000 0A 01 00", "03 00 111C0000 0B 00 00", "04 00 111C0000 00 01 00 03"],
  ...["04 00 111C0000 01 05 10 01"],
].map((text) => blocks(text) as Uint8Array<ArrayBuffer>);

const block: fc.Arbitrary<Uint8Array> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom(...VALID), few(byteMutation, 3))
      .map(([one, some]) => byteMutated(one, some)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2 * BLOCK_BYTES }) },
);

/** A request for a logic, whose answer the client waits for. */
const ASK = blocks("02 00 110E0000 0002");

/**
 * Any blocks change nothing, cause no fault, have at most one answer each, of whole blocks, and
 * leave no timer or subscription after the end of the connection. A client whose connection is not
 * closed still gets answers.
 */
export const ecpProperty = fc.asyncProperty(
  fc.array(block, { minLength: 4, maxLength: 8 }),
  fc.integer({ min: 1, max: 64 }),
  async (parts, size) => {
    const before = console.state;
    const sent: Uint8Array[] = [];
    let isClosed = false;
    const client = provider.open({
      send: (bytes) => void sent.push(bytes),
      close: () => void (isClosed = true),
      bufferedAmount: 0,
    }, "127.0.0.1")!;
    const all = concat(parts);
    const rest = (BLOCK_BYTES - all.length % BLOCK_BYTES) % BLOCK_BYTES;
    const bytes = concat([all, new Uint8Array(rest), ASK]);
    for (let at = 0; at < bytes.length; at += size) client.receive(bytes.subarray(at, at + size));
    for (let turn = 0; turn < 100; turn++) await undefined;
    pass(100);
    assert(sent.length <= bytes.length / BLOCK_BYTES);
    for (const one of sent) {
      for (let at = 0; at < one.length; at += BLOCK_BYTES) {
        assert(readBlock(one.subarray(at, at + BLOCK_BYTES)), "an answer is whole blocks");
      }
    }
    if (!isClosed) assertEquals(sent.at(-1), blocks("03 00 110E0000 0002 01"));
    client.closed();
    assertEquals(faults, []);
    assert(console.state === before, "nothing has changed");
    assertEquals(pending(), idle, "nobody is waited for any more");
  },
);
