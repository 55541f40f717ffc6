/**
 * What an operator may set in the control tree. Every other writable leaf of the node table
 * (`table.ts`) sets the console up, and needs a user who may configure: a leaf that is new there is
 * out of an operator's reach until it is named here.
 *
 * @module
 */
import type { Refusal } from "../errors.ts";
import type { State } from "../state.ts";
import { mayRefusal } from "../users/may.ts";
import type { Actor } from "../users/user.ts";
import { formatPath, isBranch, type Leaf, nest, type Patch, type Path } from "./tree.ts";

/** The shape of the tree; `*` stands for every number. */
interface Operated {
  readonly [member: string]: true | Operated;
}

const members = (names: string): Operated =>
  Object.fromEntries(names.split(" ").map((name) => [name, true]));

const OPERATED: Operated = {
  control: {
    labels: { "*": members("label") },
    logics: { "*": members("value") },
  },
  audio: {
    pots: { "*": members("value") },
    mixers: {
      "*": {
        mutegroups: members("*"),
        faders: {
          "*": {
            ...members("fader on pfl1 pfl2 altinput bypass isolate label"),
            ...members("memo offair preparation solo voice"),
          },
        },
      },
    },
  },
};

/**
 * Refuses (5) a set of which one leaf or more is beyond what its user may do, naming the first.
 * `written` is all that was set at the path.
 */
export function settingRefusal(
  { configuration }: State,
  actor: Actor,
  path: Path,
  written: Leaf | Patch,
): Refusal | undefined {
  if (mayRefusal(configuration, actor, "configure") === undefined) return undefined;
  const beyond = firstBeyond(nest(path, written) as Patch, OPERATED, []);
  return beyond && mayRefusal(configuration, actor, "configure", formatPath(beyond));
}

function firstBeyond(written: Patch, operated: Operated, path: Path): Path | undefined {
  for (const [member, value] of Object.entries(written)) {
    const at = [...path, member];
    const below = Object.hasOwn(operated, member) ? operated[member] : operated["*"];
    if (below === true) continue;
    const beyond = isBranch(value) ? firstBeyond(value as Patch, below ?? {}, at) : at;
    if (beyond !== undefined) return beyond;
  }
}
