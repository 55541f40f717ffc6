/**
 * The sides of a comparison: a console, read as the user who asks, or a template.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, CooperativeScheduler, Timer } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { ConsoleLinks } from "../api/console-links.ts";
import { noConsole } from "../hub/console-state.ts";
import type { ConsoleEntry, FleetActor, HubCore } from "../hub/hub-core.ts";
import { COMPARISON_MS } from "../hub/hub-limits.ts";
import type { ConsoleId } from "../wire.ts";
import type { ComparedWith } from "./drift.ts";
import { readModel, readSection, type SectionSource, type SectionValue } from "./read-section.ts";
import { allRefusal } from "./rights.ts";
import { isForAdmins, type Model, type SectionName } from "./sections.ts";
import type { Template } from "./templates.ts";

/** The ports of a drift, and the links to consoles. */
export interface DriftParts {
  readonly core: HubCore;
  readonly links: ConsoleLinks;
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
}

/** The parts of one comparison, or of one template that is saved. */
export interface Reading extends DriftParts {
  /** Ends the reading of consoles. */
  readonly signal: AbortSignal;
}

/** One side of a comparison. */
export interface Side {
  /** Its name in messages. */
  readonly called: string;
  digest(section: SectionName): string | undefined;
  read(section: SectionName): Promise<SectionValue | Refusal>;
  model(): Promise<Model | Refusal>;
}

/** Returns a console as a side; refuses a console that the user does not see. */
export function consoleSide(id: ConsoleId, by: FleetActor, reading: Reading): Side | Refusal {
  const { core, links, scheduler, signal } = reading;
  const entry = core.consoles().get(id);
  if (entry === undefined || core.mayAt(by.user, id) === undefined) return noConsole(id);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason))
  );
  late.catch(() => {});
  const source: SectionSource = {
    scheduler,
    ask: (request) =>
      signal.aborted ? Promise.resolve(LATE) : Promise.race([links.ask(id, by, request), late]),
    async fetch(target) {
      signal.throwIfAborted();
      const request = new Request(`http://console${target}`, { signal });
      const asked = core.fetch(id, by.user, by.from, request);
      const answer = await Promise.race([asked, late]).catch((fault) => {
        // A console that comes to its answer later sends the body to nobody.
        asked.then(({ body }) => body?.cancel()).catch(() => {});
        throw fault;
      });
      // The time limit also ends a body that a console sends slowly.
      const body = answer.body?.pipeThrough(new TransformStream<Uint8Array>(), { signal });
      return new Response(body, answer);
    },
  };

  async function inTime<Value extends object>(read: Promise<Value | Refusal>) {
    const outcome = await read.catch(() => BROKEN);
    return signal.aborted && isRefusal(outcome) ? LATE : outcome;
  }

  return {
    called: `console ${shown(nameOf(entry))}`,
    digest: (section) => entry.digests?.[section],
    read: (section) => inTime(readSection(section, source)),
    model: () => inTime(readModel(source)),
  };
}

/** Returns the peer of a comparison as a side; refuses one that the user may not see. */
export function peerSide(peer: ComparedWith, by: FleetActor, reading: Reading): Side | Refusal {
  if ("console" in peer) return consoleSide(peer.console, by, reading);
  const { core } = reading;
  const template = allRefusal(by, "view", core) ?? core.templates.find(peer.template);
  return isRefusal(template) ? template : templateSide(template, by, core);
}

function templateSide(
  { name, model, sections }: Template,
  by: FleetActor,
  core: HubCore,
): Side {
  return {
    called: `template ${shown(name)}`,
    digest: (section) => sections[section]?.digest,
    read(section) {
      const refusal = isForAdmins(section) ? allRefusal(by, "admin", core) : undefined;
      return Promise.resolve(refusal ?? { value: sections[section]?.value ?? {} });
    },
    model: () => Promise.resolve(model),
  };
}

/** Returns the name of a console, or its id if it has none. */
export function nameOf(entry: ConsoleEntry | undefined): string {
  return entry?.summary.name || entry?.id || "";
}

/** The refusal of a section that breaks off, or has a form in which it cannot be compared. */
const BROKEN = refuse("malformed", "the console did not answer whole, or not as a console does");

/** The refusal of a section that could not be read in the time of a comparison. */
const LATE = refuse(
  "noSuchObject",
  `the console was not read within ${COMPARISON_MS / 1000} s`,
);
