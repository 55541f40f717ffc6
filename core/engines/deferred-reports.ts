/**
 * Clients report meters 25 times a second, and mostly nobody reads them. So a report that has the
 * form of an earlier one, with other numbers for the same meters, is deferred: it is parsed and
 * taken once somebody reads meters, and dropped if a later report comes first.
 *
 * @module
 */
import type { Outcome } from "../command.ts";
import type { Console } from "../console.ts";
import { atOnce } from "../cooperative-scheduler.ts";
import type { Steps } from "../ports.ts";
import { mayHaveMeters, splitMeters } from "../tree/meters.ts";
import type { Branch, Patch } from "../tree/tree.ts";
import { DEVICE } from "../users/user.ts";
import type { Claim } from "./engines.ts";
import { type Reported, takeReport } from "./report.ts";
import { withoutNumbers } from "./without-numbers.ts";

/** The reports of clients. */
export interface DeferredReports {
  /** Takes a report of the engine that has a claim, after its deferred reports. */
  take(claim: Claim, report: Branch): Outcome<Reported> | Promise<Outcome<Reported>>;
  /** Learns the form of a message whose `report` was taken completely, if it has only meters. */
  learn(claim: Claim, report: Patch, text: string): void;
  /** Defers a message if its form is known; returns whether it was deferred. */
  defer(claim: Claim, text: string): boolean;
  /** Takes all deferred reports. */
  takeDeferred(): Steps<void>;
  /** Takes these members of `audio` from all deferred reports, which stay deferred. */
  takePart(members: readonly string[]): Steps<void>;
}

/**
 * The deferred message of each known form of an engine; undefined if no message is deferred. The
 * form of the latest message is last.
 */
type Forms = Map<string, string | undefined>;

/** Maximum number of known forms of an engine, which may report each mixer in its own message. */
const FORMS = 16;

/** Maximum number of characters in the known forms of one engine. */
const CHARACTERS = 128 * 1024;

/** Maximum number of characters in the known forms of all engines. */
const CHARACTERS_OF_ALL = 512 * 1024;

/** Maximum ratio of the length of a message to that of its form, with numbers of usual length. */
const WITH_NUMBERS = 4;

/** Makes the reports of a console; `onDeferred` is called for each deferred report. */
export function createDeferredReports(console: Console, onDeferred: () => void): DeferredReports {
  const formsOf = new Map<Claim, Forms>();

  console.watch((event) => {
    if (event.type !== "engineschanged") return;
    const claims = [...event.engines.claims.values()];
    for (const claim of formsOf.keys()) if (!claims.includes(claim)) formsOf.delete(claim);
  });
  console.beforeReading((path) => {
    if (formsOf.size > 0 && mayHaveMeters(path)) atOnce(takeDeferred());
  });

  function* takeDeferred(): Steps<void> {
    for (const claim of [...formsOf.keys()]) yield* takeOf(claim);
  }

  function* takeOf(claim: Claim): Steps<void> {
    for (const [form, text] of [...formsOf.get(claim) ?? []]) {
      if (text === undefined) continue;
      const { payload } = JSON.parse(text);
      yield;
      // Meanwhile its engine may have left, or a read of meters may have taken the report.
      const deferred = formsOf.get(claim)?.get(form);
      if (deferred === undefined) continue;
      if (deferred === text) formsOf.get(claim)!.set(form, undefined);
      console.dispatch(takeReport(payload, claim.paths), DEVICE);
      yield;
    }
  }

  function* takePart(members: readonly string[]): Steps<void> {
    for (const claim of [...formsOf.keys()]) {
      for (const form of [...formsOf.get(claim)?.keys() ?? []]) {
        if (!members.some((member) => form.includes(`"${member}"`))) continue;
        // Parsed and taken in one step, so that nothing later is in force by then.
        const text = formsOf.get(claim)?.get(form);
        if (text === undefined) continue;
        const { audio = {} } = JSON.parse(text).payload;
        const part = Object.fromEntries(
          members.filter((member) => Object.hasOwn(audio, member))
            .map((member) => [member, audio[member]]),
        );
        console.dispatch(takeReport({ audio: part }, claim.paths), DEVICE);
        yield;
      }
    }
  }

  return {
    take(claim, report) {
      atOnce(takeOf(claim));
      return console.dispatch(takeReport(report, claim.paths), DEVICE);
    },
    learn(claim, report, text) {
      if (splitMeters(report).rest !== undefined) return;
      const form = withoutNumbers(text);
      const forms: Forms = formsOf.get(claim) ?? new Map();
      const [oldest] = forms.keys();
      if (forms.size === FORMS) forms.delete(oldest!);
      if (charactersIn([forms]) + form.length > CHARACTERS) return;
      if (charactersIn(formsOf.values()) + form.length > CHARACTERS_OF_ALL) return;
      formsOf.set(claim, forms.set(form, undefined));
    },
    defer(claim, text) {
      const forms = formsOf.get(claim);
      if (forms === undefined || text.length > WITH_NUMBERS * CHARACTERS) return false;
      const form = withoutNumbers(text);
      if (!forms.has(form) || text.length > WITH_NUMBERS * form.length) return false;
      forms.delete(form);
      forms.set(form, text);
      onDeferred();
      return true;
    },
    takeDeferred,
    takePart,
  };
}

function charactersIn(engines: Iterable<Forms>): number {
  let sum = 0;
  for (const forms of engines) for (const form of forms.keys()) sum += form.length;
  return sum;
}
