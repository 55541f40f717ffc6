/**
 * The leaves of the control tree that an operator may set. Every other writable leaf of the node
 * table (`table.ts`) sets the console up and needs a user who may configure. An operator cannot set
 * a new leaf of that table until it is listed here.
 *
 * @module
 */
import type { PartsBranch } from "./parts.ts";

const members = (names: string): PartsBranch =>
  Object.fromEntries(names.split(" ").map((name) => [name, true]));

/** The leaves that an operator may set. */
export const OPERATED: PartsBranch = {
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
