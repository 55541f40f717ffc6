/**
 * Mutants of a fleet, each without one of the rules by which a command is carried out once: the
 * simulation has to find each.
 *
 * @module
 */
import { eventsIn } from "../../core/record.ts";
import type { CommandOutcome, CommandResult } from "../../fleet/commands/command.ts";
import type { Bucket } from "../../fleet/ledger/ledger.ts";
import type { FromHub } from "../../fleet/wire.ts";
import { runCommands, STATES } from "./simulated-commands.ts";
import type { Mutant } from "./simulated-fleet.ts";

/** A fleet whose ledger stores some values whatever revision is expected. */
function withoutExpecting(isMeant: (bucket: Bucket, outcome: CommandOutcome) => boolean): Mutant {
  return {
    ledger: (ledger) => ({
      ...ledger,
      put(bucket, key, value, expect) {
        const { outcome } = value as unknown as CommandResult;
        return ledger.put(bucket, key, value, isMeant(bucket, outcome) ? undefined : expect);
      },
    }),
  };
}

/** A fleet whose hubs send the live commands again on each further connection of a console. */
function withLiveAgain(): Mutant {
  const frames = new Map<string, string[]>();
  return {
    sent(text, console) {
      const frame = JSON.parse(text) as FromHub;
      const before = frames.get(console) ?? [];
      frames.set(console, before);
      if (frame.type === "do" && frame.kind === "live") before.push(text);
      return frame.type === "welcome" ? [text, ...before] : [text];
    },
  };
}

/** A fleet whose consoles forget which commands they have done when they end. */
function withForgetfulConsoles(): Mutant {
  const encoder = new TextEncoder();
  return {
    found: (records) =>
      records.map((record) => {
        const events = eventsIn(record).filter(({ type }) => type !== "commanddone");
        return encoder.encode(JSON.stringify(events));
      }),
  };
}

/** A mutant. */
export interface CommandMutant {
  /** The fault, as a clause on the fleet. */
  readonly what: string;
  make(): Mutant;
}

/** All mutants. */
export const MUTANTS: readonly CommandMutant[] = [
  {
    what: "whose ledger compares no revisions",
    make: () => withoutExpecting(() => true),
  },
  {
    what: "whose hubs send a kept command again that another hub has settled",
    make: () => withoutExpecting((bucket, outcome) => bucket === "results" && outcome === "sent"),
  },
  {
    what: "whose hubs store an expiry though another hub has sent the command",
    make: () =>
      withoutExpecting((bucket, outcome) => bucket === "results" && outcome === "expired"),
  },
  {
    what: "whose hubs store a refusal though another hub has sent the command since",
    make: () =>
      withoutExpecting((bucket, outcome) => bucket === "results" && outcome === "refused"),
  },
  { what: "whose hubs send a live command again", make: withLiveAgain },
  {
    what: "whose consoles forget what they have done",
    make: withForgetfulConsoles,
  },
];

/**
 * Runs a mutant for a number of runs at most; returns the number of states after which it was
 * found, and the broken rule, or undefined where it was not found.
 */
export async function tryMutant(
  { make }: CommandMutant,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<{ readonly states: number; readonly why: string } | undefined> {
  for (let run = 0; run < runs; run++) {
    try {
      await runCommands(seed, run, make);
    } catch (fault) {
      const [why] = (fault as Error).message.split("\n");
      return { states: (run + 1) * STATES, why: why! };
    }
  }
}
