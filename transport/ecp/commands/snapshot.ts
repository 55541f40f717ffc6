import { isRefusal } from "../../../core/errors.ts";
import { findNumbered, type Numbered } from "../../../core/snapshots/numbered.ts";
import type { State } from "../../../core/state.ts";
import { ALL_GROUPS } from "../../../core/users/groups.ts";
import type { Envelope } from "../../control-api/envelope.ts";
import type { Action, EcpCommand } from "../command.ts";
import { faderAt } from "../fader.ts";

const LOAD_CHANNEL = 0x00;
const SAVE_CHANNEL = 0x01;
const LOAD_MIXER = 0x0a;
const SAVE_MIXER = 0x0b;

/** Loads and saves snapshots by their numbers; to save one needs a user, whom ECP does not know. */
export const snapshot: EcpCommand = {
  number: 0x111c_0000,
  variants: {
    3(data) {
      const [kind, number, mixer] = data;
      if (kind !== LOAD_MIXER && kind !== SAVE_MIXER) return undefined;
      const numbered = { type: 2, number: number! } as const;
      return transfer(data, kind === LOAD_MIXER, numbered, () => ({ mixer: mixer! }));
    },
    4(data) {
      const [kind, number] = data;
      if (kind !== LOAD_CHANNEL && kind !== SAVE_CHANNEL) return undefined;
      const numbered = { type: 1, number: number! } as const;
      return transfer(data, kind === LOAD_CHANNEL, numbered, (state) => faderAt(state, data, 2));
    },
  },
};

function transfer(
  data: Uint8Array,
  isLoad: boolean,
  numbered: Numbered,
  targetIn: (state: State) => { readonly mixer: number } | undefined,
): Action {
  return {
    asking(state) {
      const target = targetIn(state);
      if (target === undefined) return undefined;
      const { type } = numbered;
      const id = idOf(state, numbered, target.mixer);
      return isLoad
        ? rpc("loadsnapshot", { id: id ?? String(numbered.number), type, ...target })
        : rpc("savesnapshot", { id: id ?? "", type, writegroups: ALL_GROUPS, ...target });
    },
    // Only a missing answer says that nothing was loaded.
    answer: (state, isDone) => isDone && targetIn(state) !== undefined ? [data] : [],
  };
}

/** Returns the id of a snapshot by its number; undefined where none has it. */
function idOf(state: State, numbered: Numbered, mixer: number): string | undefined {
  const found = findNumbered(state, numbered, mixer);
  return isRefusal(found) ? undefined : found.id;
}

function rpc(method: string, params: object): Envelope {
  return { method: "rpc", payload: { method, params } };
}
