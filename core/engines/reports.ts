/**
 * Meters that clients report come 25 times a second, and mostly nobody looks. So a message that
 * brings other numbers for the same meters as one before is kept unread until somebody does.
 *
 * @module
 */
import type { Outcome } from "../command.ts";
import type { Console } from "../console.ts";
import { isRefusal } from "../errors.ts";
import type { Steps } from "../ports.ts";
import { mayHaveMeters, splitMeters } from "../tree/meters.ts";
import type { Branch, Patch } from "../tree/tree.ts";
import { DEVICE } from "../users/user.ts";
import type { Claim } from "./engines.ts";
import { type Reported, takeReport } from "./report.ts";
import { withoutNumbers } from "./without-numbers.ts";

/** What clients report. */
export interface Reports {
  /**
   * Takes a report of an engine, whose claim it is held to. `text` is the message that brought it,
   * where others like it may be taken unread.
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
  /** Reads the messages that were taken unread, and puts in force what they bring. */
  read(): Steps<void>;
}

/**
 * What an engine has sent, by what it is without its numbers: the message that is unread, undefined
 * where none is. What came last is last.
 */
type Messages = Map<string, string | undefined>;

/** So many messages of an engine are remembered: it may report each mixer in one of its own. */
const MESSAGES = 16;

/**
 * All that is remembered of one engine, and of all together, has so many characters at most without
 * its numbers. With them a message has up to {@linkcode WITH_NUMBERS} times as many: more than that
 * are no numbers that any engine means.
 */
const CHARACTERS = 128 * 1024;
const CHARACTERS_OF_ALL = 512 * 1024;
const WITH_NUMBERS = 4;

/** Makes the reports of a console, none at first; `unread` is told when there is one to be read. */
export function createReports(console: Console, unread: () => void): Reports {
  const all = new Map<Claim, Messages>();

  console.watch((event) => {
    if (event.type !== "engineschanged") return;
    const claims = [...event.engines.claims.values()];
    for (const claim of all.keys()) if (!claims.includes(claim)) all.delete(claim);
  });
  console.beforeReading((path) => {
    if (mayHaveMeters(path)) atOnce(read());
  });

  function* read(): Steps<void> {
    for (const claim of [...all.keys()]) yield* readOf(claim);
  }

  function* readOf(claim: Claim): Steps<void> {
    for (const [form, text] of [...all.get(claim) ?? []]) {
      if (text === undefined) continue;
      const { payload } = JSON.parse(text);
      yield;
      // Meanwhile its engine may have gone, or somebody got a meter and had it read.
      const waiting = all.get(claim)?.get(form);
      if (waiting === undefined) continue;
      if (waiting === text) all.get(claim)!.set(form, undefined);
      console.dispatch(takeReport(payload, claim.paths), DEVICE);
      yield;
    }
  }

  function remember(claim: Claim, text: string): void {
    const form = withoutNumbers(text);
    const messages: Messages = all.get(claim) ?? new Map();
    const [oldest] = messages.keys();
    if (messages.size === MESSAGES) messages.delete(oldest!);
    if (charactersOf([messages]) + form.length > CHARACTERS) return;
    if (charactersOf(all.values()) + form.length > CHARACTERS_OF_ALL || isSpaces(form)) return;
    all.set(claim, messages.set(form, undefined));
  }

  return {
    take(claim, report, text) {
      atOnce(readOf(claim));
      const taken = console.dispatch(takeReport(report, claim.paths), DEVICE);
      const isWhole = !(taken instanceof Promise) && !isRefusal(taken) &&
        taken.result.dropped === undefined;
      const isAllMeters = () => splitMeters(report as Patch).rest === undefined;
      if (text !== undefined && isWhole && isAllMeters()) remember(claim, text);
      return taken;
    },
    renew(claim, text) {
      const messages = all.get(claim);
      if (messages === undefined || text.length > WITH_NUMBERS * CHARACTERS) return false;
      const form = withoutNumbers(text);
      if (!messages.has(form) || text.length > WITH_NUMBERS * form.length) return false;
      messages.delete(form);
      messages.set(form, text);
      unread();
      return true;
    },
    read,
  };
}

/** Answers how many characters messages have without their numbers. */
function charactersOf(engines: Iterable<Messages>): number {
  let sum = 0;
  for (const messages of engines) for (const form of messages.keys()) sum += form.length;
  return sum;
}

/** Says whether a text is mostly spaces, which are not worth remembering. */
function isSpaces(text: string): boolean {
  return 2 * text.replace(/\s+/g, "").length < text.length;
}

function atOnce(steps: Steps<void>): void {
  for (const _ of steps);
}
