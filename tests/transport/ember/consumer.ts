/**
 * A consumer of a console that provides Ember+.
 *
 * @module
 */
import {
  type BerElement,
  type BerValue,
  createBerWriter,
  fieldOf,
  integerOf,
  pathOf,
  readBer,
  valueOf,
} from "../../../transport/ember/ber.ts";
import { tags } from "../../../transport/ember/glow.ts";
import { createS101Reader, messagePackets } from "../../../transport/ember/s101.ts";
import { until } from "../../service.ts";
import { type ByteService, startByteService } from "../byte-service.ts";
import { ber } from "./bytes.ts";

/** A console that provides Ember+. */
export type EmberService = ByteService;

/** Starts a console with `ember` in its configuration. */
export const startEmber = startByteService;

/** The received contents of an element, by their numbers in Glow. */
export type Contents = Readonly<Record<number, BerValue>>;

/** A received element. */
export interface Came {
  readonly path: string;
  readonly tag: number;
  readonly contents: Contents;
  readonly element: BerElement;
  /** The time of its arrival, in monotonic ms. */
  readonly at: number;
}

/** A consumer. */
export interface TestConsumer extends AsyncDisposable {
  /** All received elements, in order. */
  readonly came: readonly Came[];
  /** The received values of streams. */
  readonly streams: readonly { readonly id: number; readonly value: BerValue }[];
  readonly results: readonly { readonly success: BerValue; readonly result: BerValue }[];
  /** The numbers of received messages, and of answers to a keep-alive. */
  readonly messages: number;
  readonly alive: number;
  /** Whether the provider has ended the connection. */
  readonly isClosed: boolean;
  send(bytes: Uint8Array): Promise<void>;
  /** Asks for the directory of an element, and returns the elements in it. */
  directory(path: string): Promise<readonly Came[]>;
  /** Finds an element by identifiers from the root on. */
  find(...identifiers: string[]): Promise<Came>;
  set(path: string, value: number | boolean | string): Promise<void>;
  command(path: string, number: number): Promise<void>;
  /** The next element at a path; earlier ones do not count. */
  next(path: string): Promise<Came>;
}

/** Writes a request for an element at a path, with its contents. */
export function requestFor(path: string, inside: string, tag = "6a"): Uint8Array {
  const writer = createBerWriter();
  writer.path(path.split(".").map(Number));
  const bytes = [...writer.bytes()].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return messagePackets(ber(`60{6b{a0{${tag}{a0{${bytes}}${inside}}}}}`));
}

/** Writes the request that sets a parameter. */
export function setRequest(path: string, value: number | boolean | string): Uint8Array {
  const writer = createBerWriter();
  if (typeof value === "boolean") writer.boolean(value);
  else if (typeof value === "string") writer.text(value);
  else writer.real(value);
  const bytes = [...writer.bytes()].map((byte) => byte.toString(16).padStart(2, "0"));
  return requestFor(path, `a1{31{a2{${bytes.join(" ")}}}}`, "69");
}

const commandOf = (number: number) =>
  `a2{64{a0{62{a0{02 01 ${number.toString(16).padStart(2, "0")}}}}}}`;

/** The request for the directory of the root. */
export const ROOT_DIRECTORY: Uint8Array = messagePackets(ber("60{6b{a0{62{a0{02 01 20}}}}}"));

/** Connects a consumer; `reads` says whether it reads from its socket. */
export async function connectConsumer(
  { port }: Pick<EmberService, "port">,
  reads = true,
): Promise<TestConsumer> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const came: Came[] = [];
  const streams: { id: number; value: BerValue }[] = [];
  const results: { success: BerValue; result: BerValue }[] = [];
  let messages = 0;
  let alive = 0;
  let isClosed = false;
  const reader = createS101Reader({ message: take, asksAlive() {}, tooLong() {} });

  function take(bytes: Uint8Array): void {
    messages++;
    const root = readBer(bytes)!;
    for (const inner of root.inside) {
      if (inner.tag === tags.streams) {
        for (const { inside: [entry] } of inner.inside) {
          const id = integerOf(fieldOf(entry!, 0))!;
          streams.push({ id, value: valueOf(fieldOf(entry!, 1))! });
        }
      } else if (inner.tag === tags.invocationResult) {
        const [item] = fieldOf(inner, 2)?.inside ?? [];
        const success = valueOf(fieldOf(inner, 1))!;
        results.push({ success, result: valueOf(item?.inside[0])! });
      } else {
        for (const { inside: [element] } of inner.inside) came.push(elementOf(element!));
      }
    }
  }

  async function read(): Promise<void> {
    const buffer = new Uint8Array(64 * 1024);
    for (;;) {
      const count = await connection.read(buffer).catch(() => null);
      if (count === null) break;
      const bytes = buffer.subarray(0, count);
      // An answer to a keep-alive has no contents.
      if (count === 9 && bytes[3] === 0x02) alive++;
      reader.read(bytes);
    }
    isClosed = true;
  }

  const reading = reads ? read() : Promise.resolve();

  async function send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  }

  async function directory(path: string): Promise<readonly Came[]> {
    const from = came.length;
    const count = messages;
    await send(path === "" ? ROOT_DIRECTORY : requestFor(path, commandOf(32)));
    const isIn = (one: Came) => above(one.path) === path || one.path === path;
    await until(() => messages > count && came.slice(from).some(isIn));
    return came.slice(from).filter(isIn);
  }

  return {
    came,
    streams,
    results,
    get messages() {
      return messages;
    },
    get alive() {
      return alive;
    },
    get isClosed() {
      return isClosed;
    },
    send,
    directory,
    async find(...identifiers) {
      let found: Came | undefined;
      for (const identifier of identifiers) {
        const listed = await directory(found?.path ?? "");
        found = listed.find(({ contents }) => contents[0] === identifier);
        if (found === undefined) throw new Error(`no ${identifier}`);
      }
      return found!;
    },
    set: (path, value) => send(setRequest(path, value)),
    command: (path, number) => send(requestFor(path, commandOf(number), "69")),
    async next(path) {
      const from = came.length;
      await until(() => came.slice(from).some((one) => one.path === path));
      return came.slice(from).find((one) => one.path === path)!;
    },
    async [Symbol.asyncDispose]() {
      try {
        connection.close();
      } catch {
        // The provider has ended the connection.
      }
      await reading;
    },
  };
}

/** Reads an element. */
export function elementOf(element: BerElement): Came {
  const place = fieldOf(element, 0);
  const path = (pathOf(place) ?? [integerOf(place)!]).join(".");
  const contents = fieldOf(element, 1)?.inside ?? [];
  return {
    path,
    tag: element.tag,
    contents: Object.fromEntries(
      contents.flatMap(({ tag, inside }) => {
        const value = valueOf(inside[0]);
        return value === undefined ? [] : [[tag - 0xa0, value]];
      }),
    ),
    element,
    at: performance.now(),
  };
}

/** The path of the node above. */
function above(path: string): string {
  return path.split(".").slice(0, -1).join(".");
}
