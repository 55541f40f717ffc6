/**
 * The public clients of ECP, as they send and read (interop facts): the module of Companion, and
 * the integration of Home Assistant. Both use only logics.
 *
 * @module
 */
import { BLOCK_BYTES } from "../../../transport/ecp/block.ts";
import { until } from "../../service.ts";
import type { ByteService } from "../byte-service.ts";
import { blocks } from "./blocks.ts";

const LOGIC = "110E0000";

function word(number: number): string {
  return number.toString(16).padStart(4, "0");
}

async function write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** The state of a logic in a block. */
interface Told {
  readonly logic: number;
  readonly isOn: boolean;
}

/** The logics in the bytes of one read; bytes behind the last whole block are lost. */
function* toldIn(read: Uint8Array): Generator<Told> {
  for (let at = 0; at + BLOCK_BYTES <= read.length; at += BLOCK_BYTES) {
    const view = new DataView(read.buffer, read.byteOffset + at, BLOCK_BYTES);
    if (view.getUint8(0) < 3 || view.getUint32(2) !== 0x110e_0000) continue;
    yield { logic: view.getUint16(6), isOn: view.getUint8(8) !== 0 };
  }
}

/** The module of Companion: sends nothing at first, and shows the last state that it got. */
export async function connectCompanion({ port }: Pick<ByteService, "port">) {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const shown = new Map<number, boolean>();
  const reading = readAll(connection, ({ logic, isOn }) => void shown.set(logic, isOn));
  const set = (logic: number, isOn: boolean) =>
    write(connection, blocks(`03 00 ${LOGIC} ${word(logic)} 0${isOn ? 1 : 0}`));
  return {
    shown,
    ask: (logic: number) => write(connection, blocks(`02 00 ${LOGIC} ${word(logic)}`)),
    set,
    /** Sets a logic, and sets it back at once; the module itself does so after 50 ms or more. */
    async pulse(logic: number) {
      await set(logic, true);
      await set(logic, false);
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await reading;
    },
  };
}

/**
 * The integration of Home Assistant: after each block that it sends it waits for one of the same
 * logic, and gives up without it.
 */
export async function connectHomeAssistant({ port }: Pick<ByteService, "port">) {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const pushed: Told[] = [];
  let awaited: { readonly logic: number; take(isOn: boolean): void } | undefined;
  const reading = readAll(connection, (told) => {
    if (awaited?.logic === told.logic) awaited.take(told.isOn);
    else pushed.push(told);
  });

  async function answered(logic: number, text: string): Promise<boolean> {
    let state: boolean | undefined;
    awaited = {
      logic,
      take(isOn) {
        awaited = undefined;
        state = isOn;
      },
    };
    await write(connection, blocks(text));
    await until(() => state !== undefined);
    return state!;
  }

  return {
    /** The states that came without a request. */
    pushed,
    poll: (logic: number) => answered(logic, `02 00 ${LOGIC} ${word(logic)}`),
    set: (logic: number, isOn: boolean) =>
      answered(logic, `03 00 ${LOGIC} ${word(logic)} 0${isOn ? 1 : 0}`),
    async [Symbol.asyncDispose]() {
      connection.close();
      await reading;
    },
  };
}

async function readAll(connection: Deno.Conn, told: (one: Told) => void): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const count = await connection.read(buffer).catch(() => null);
    if (count === null) return;
    for (const one of toldIn(buffer.subarray(0, count))) told(one);
  }
}
