/**
 * The sides of a comparison: a console, read as the user who asks, or a template.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, CooperativeScheduler } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { ConsoleLinks } from "../api/console-links.ts";
import { noConsole } from "../hub/console-state.ts";
import type { ConsoleEntry, FleetActor, HubCore } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";
import type { ComparedWith } from "./drift.ts";
import { readModel, readSection, type SectionSource, type SectionValue } from "./read-section.ts";
import { allRefusal } from "./rights.ts";
import { isForAdmins, type Model, type SectionName } from "./sections.ts";
import type { Template } from "./templates.ts";

/** The ports of a drift, and the ways to consoles. */
export interface DriftParts {
  readonly core: HubCore;
  readonly links: ConsoleLinks;
  readonly clock: Pick<Clock, "now">;
  readonly scheduler: CooperativeScheduler;
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
export function consoleSide(id: ConsoleId, by: FleetActor, parts: DriftParts): Side | Refusal {
  const { core, links, scheduler } = parts;
  const entry = core.consoles().get(id);
  if (entry === undefined || core.mayAt(by.user, id) === undefined) return noConsole(id);
  const source: SectionSource = {
    scheduler,
    ask: (request) => links.ask(id, by, request),
    fetch: (target) => core.fetch(id, by.user, by.from, new Request(`http://console${target}`)),
  };
  return {
    called: `console ${shown(nameOf(entry))}`,
    digest: (section) => entry.digests?.[section],
    read: (section) => readSection(section, source).catch(() => BROKEN),
    model: () => readModel(source).catch(() => BROKEN),
  };
}

/** Returns the peer of a comparison as a side; refuses one that the user may not see. */
export function peerSide(peer: ComparedWith, by: FleetActor, parts: DriftParts): Side | Refusal {
  if ("console" in peer) return consoleSide(peer.console, by, parts);
  const { core } = parts;
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
