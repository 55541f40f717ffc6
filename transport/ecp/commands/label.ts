import { isRefusal } from "../../../core/errors.ts";
import { findChannel } from "../../../core/labels/channels.ts";
import { LABEL_LENGTH } from "../../../core/limits.ts";
import type { State } from "../../../core/state.ts";
import { faderPath } from "../../../core/tree/resources.ts";
import { find } from "../../../core/tree/tree.ts";
import type { Envelope } from "../../control-api/envelope.ts";
import { wordAt } from "../block.ts";
import type { Data, EcpCommand } from "../command.ts";

/** The number of characters of a label in one block. */
const SEGMENT = 4;

const SPACE = 0x20;
const LAST_PRINTABLE = 0x7e;

/**
 * Reads four characters of the label of a channel, sets them, or puts the configured label back.
 */
export const label: EcpCommand = {
  number: 0x1114_0000,
  variants: {
    2: (data) => ({
      asking: () => setLabel(wordAt(data), ""),
      answer: (_, isDone) => isDone ? [data] : [],
    }),
    3: (data) => isSegment(data[2]!) ? { answer: (state) => labelData(state, data) } : undefined,
    8(data) {
      const characters = [...data.subarray(4)].map((byte) => byte === 0 ? SPACE : byte);
      if (!isSegment(data[2]!) || !characters.every(isPrintable)) return undefined;
      return {
        asking(state) {
          const before = labelOf(state, wordAt(data));
          if (before === undefined) return undefined;
          const text = withSegment(before, data[2]!, String.fromCharCode(...characters));
          return setLabel(wordAt(data), text);
        },
        answer: (state) => labelData(state, data),
      };
    },
  },
};

function isSegment(segment: number): boolean {
  return segment < LABEL_LENGTH.max / SEGMENT;
}

function isPrintable(byte: number): boolean {
  return byte >= SPACE && byte <= LAST_PRINTABLE;
}

function setLabel(sourceid: number, text: string): Envelope {
  return {
    method: "rpc",
    payload: { method: "setchannellabel", params: { sourceid, label: text } },
  };
}

/** Returns the label of a channel; undefined where no fader carries it. */
function labelOf(state: State, channel: number): string | undefined {
  const address = findChannel(state, channel);
  if (isRefusal(address)) return undefined;
  return find(state.tree, [...faderPath(address), "label"]) as string;
}

function labelData(state: State, data: Uint8Array): readonly Data[] {
  const text = labelOf(state, wordAt(data));
  if (text === undefined) return [];
  const from = data[2]! * SEGMENT;
  const bytes = [...text].slice(from, from + SEGMENT).map((character) => {
    const code = character.codePointAt(0)!;
    return isPrintable(code) ? code : "?".charCodeAt(0);
  });
  while (bytes.length < SEGMENT) bytes.push(SPACE);
  return [[...data.subarray(0, 3), 0, ...bytes]];
}

function withSegment(text: string, segment: number, four: string): string {
  const from = segment * SEGMENT;
  const characters = [...text];
  while (characters.length < from) characters.push(" ");
  characters.splice(from, SEGMENT, ...four);
  return characters.join("").trimEnd();
}
