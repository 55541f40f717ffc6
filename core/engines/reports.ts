/**
 * Meters that clients report come 25 times a second, and mostly nobody looks. So they are checked
 * and noted as they come, in place, and put in force only for whoever reads them or hears of them:
 * a thousand reports a second cost little more than to parse them.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Outcome } from "../command.ts";
import type { Console } from "../console.ts";
import { ALL_METERS, mayHaveMeters, metersBelow, type MetersTable } from "../tree/meters.ts";
import {
  type Branch,
  isBranch,
  type Leaf,
  type Patch,
  type Path,
  type Tree,
} from "../tree/tree.ts";
import { metersMoved } from "../tree/treechanged.ts";
import { DEVICE } from "../users/user.ts";
import type { Claim } from "./engines.ts";
import {
  type Count,
  counted,
  differs,
  fits,
  isAll,
  leavesIn,
  pathsBelow,
  type Reported,
  takeReport,
} from "./report.ts";
import { isSameButNumbers } from "./same-but-numbers.ts";

/** What clients report. */
export interface Reports {
  /**
   * Takes a report of an engine, whose claim it is held to. `text` is the message that brought it,
   * where another like it may be taken unread.
   */
  take(
    claim: Claim,
    report: Branch,
    text?: string,
  ): Outcome<Reported> | Promise<Outcome<Reported>>;
  /**
   * Takes a message unread where it brings other numbers for the same meters as one before, all of
   * which were taken; says whether it does. It is read when its meters are.
   */
  renew(claim: Claim, text: string): boolean;
  /** Reads the messages that were taken unread. */
  read(): void;
  /** Puts in force what was reported. */
  settle(): void;
}

/** Meters that were reported, in the shape of the tree. They are altered in place. */
interface Noted {
  [member: string]: Noted | Leaf;
}

/** What an engine has reported of meters. */
interface Meters {
  readonly noted: Noted;
  /** Messages all of whose meters were taken, and for each whether it is unread. */
  readonly texts: { text: string; isUnread: boolean }[];
}

/** So many messages of an engine are remembered: it may report each mixer in one of its own. */
const TEXTS = 16;

/** A message of more characters is not. */
const TEXT_CHARACTERS = 256 * 1024;

/** Makes the reports of a console, none at first; `noted` is told when meters were reported. */
export function createReports(console: Console, noted: () => void): Reports {
  const all = new Map<Claim, Meters>();
  let isSettled = true;

  console.watch((event) => {
    if (changesConfiguration(event)) all.clear();
    if (event.type !== "engineschanged") return;
    const claims = [...event.engines.claims.values()];
    for (const claim of all.keys()) if (!claims.includes(claim)) all.delete(claim);
  });
  console.beforeReading((path) => {
    if (mayHaveMeters(path)) settle();
  });

  function settle(): void {
    if (isSettled) return;
    isSettled = true;
    read();
    for (const { noted } of all.values()) {
      console.dispatch(({ tree }) => {
        return { events: metersMoved(moved(noted, tree)), result: {} };
      }, DEVICE);
    }
  }

  function read(): void {
    for (const [claim, meters] of all) readTexts(claim, meters);
  }

  function readTexts(claim: Claim, { noted, texts }: Meters): void {
    for (const one of texts) {
      if (!one.isUnread) continue;
      one.isUnread = false;
      const { payload } = JSON.parse(one.text);
      noteAll(noted, payload, claim);
    }
  }

  function noteAll(noted: Noted, report: Branch, { paths }: Claim) {
    const count = { taken: 0, dropped: 0 };
    const rest = note(noted, console.state.tree, report, ALL_METERS, paths, count);
    return { rest, count };
  }

  return {
    take(claim, report, text) {
      let meters = all.get(claim);
      if (meters === undefined) all.set(claim, meters = { noted: {}, texts: [] });
      readTexts(claim, meters);
      const { rest, count } = noteAll(meters.noted, report, claim);
      if (rest === undefined && count.dropped === 0 && text !== undefined) remember(meters, text);
      isSettled = false;
      noted();
      if (rest === undefined) return { result: counted(count) };
      return console.dispatch(takeReport(rest, claim.paths, count), DEVICE);
    },
    renew(claim, text) {
      const texts = all.get(claim)?.texts ?? [];
      const at = texts.findIndex((one) => isSameButNumbers(one.text, text));
      if (at === -1) return false;
      // What was reported last counts, and is read last.
      texts.splice(at, 1);
      texts.push({ text, isUnread: true });
      isSettled = false;
      noted();
      return true;
    },
    read,
    settle,
  };
}

function remember({ texts }: Meters, text: string): void {
  if (text.length > TEXT_CHARACTERS) return;
  if (texts.length === TEXTS) texts.shift();
  texts.push({ text, isUnread: false });
}

/**
 * Notes the meters of a report that fit; answers the rest, undefined where there is none. All but
 * the first two arguments go on from here.
 */
function note(
  noted: Noted,
  node: Branch,
  report: Branch,
  table: MetersTable,
  paths: readonly Path[],
  count: Count,
): Patch | undefined {
  let rest: Record<string, Patch[string]> | undefined;
  for (const member of Object.keys(report)) {
    const value = report[member]!;
    const inside = metersBelow(table, member);
    if (inside === undefined) {
      (rest ??= {})[member] = value as Patch[string];
      continue;
    }
    const current = Object.hasOwn(node, member) ? node[member] : undefined;
    if (isBranch(value) && isBranch(current)) {
      const below = pathsBelow(paths, member);
      const known = (noted[member] ??= {}) as Noted;
      const beside = note(known, current, value, inside, below, count);
      if (beside !== undefined) (rest ??= {})[member] = beside;
    } else if (inside === true && keeps(noted, member, current, value, paths)) count.taken++;
    else count.dropped += leavesIn(value);
  }
  return rest;
}

/** Keeps a meter where it fits; says whether it does. */
function keeps(
  noted: Noted,
  member: string,
  current: Tree | undefined,
  value: Tree,
  paths: readonly Path[],
): boolean {
  if (current === undefined) return false;
  const known = noted[member];
  if (Array.isArray(known)) return renews(known, value);
  if (!isAll(pathsBelow(paths, member)) || !fits(current, value, member)) return false;
  noted[member] = Array.isArray(value) ? value.slice() : value as Leaf;
  return true;
}

/** Both sides of a meter are a list, which stays: a new one for each report would be half its cost. */
function renews(known: number[], value: Tree): boolean {
  if (!Array.isArray(value) || value.length !== known.length) return false;
  if (!value.every(Number.isFinite)) return false;
  for (let side = 0; side < known.length; side++) known[side] = value[side];
  return true;
}

/** Answers the noted meters that are others than those in force. */
function moved(noted: Noted, node: Branch): Patch | undefined {
  let patch: Record<string, Patch[string]> | undefined;
  for (const member of Object.keys(noted)) {
    const value = noted[member]!;
    const current = node[member];
    let other: Patch[string] | undefined;
    if (isBranch(value)) other = isBranch(current) ? moved(value, current) : undefined;
    else if (differs(current, value)) other = Array.isArray(value) ? value.slice() : value;
    if (other !== undefined) (patch ??= {})[member] = other;
  }
  return patch;
}
