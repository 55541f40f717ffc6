/**
 * Compares consoles with each other and with templates (fleet/drift/drift.ts).
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Clock, CooperativeScheduler } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { createCounts } from "../../transport/counts.ts";
import type { ConsoleLinks } from "../api/console-links.ts";
import { noConsole } from "../hub/console-state.ts";
import { differencesOf } from "./difference.ts";
import { type ComparedDigests, digestDrift, modelOf, templateDigests } from "./digest-drift.ts";
import type { ComparedWith, Drift, DriftResult, ListedTemplate, SectionDrift } from "./drift.ts";
import type { ConsoleEntry, FleetActor, HubCore } from "../hub/hub-core.ts";
import { COMPARISONS, DIFFERENCES } from "../hub/hub-limits.ts";
import { readModel, readSection, type SectionSource } from "./read-section.ts";
import { digestOf } from "./section-values.ts";
import {
  isForAdmins,
  isSameModel,
  type Model,
  SECTION_NAMES,
  type SectionName,
  TREE_SECTION_NAMES,
} from "./sections.ts";
import { sectionsOf, type Template, templateRefusal, type TemplateSection } from "./templates.ts";
import type { ConsoleId, FleetMay } from "../wire.ts";

/** The ports of {@link createDrift}, and the ways to consoles. */
export interface DriftWorld {
  readonly links: ConsoleLinks;
  readonly clock: Pick<Clock, "now">;
  readonly scheduler: CooperativeScheduler;
}

/** One side of a comparison. */
interface Side {
  /** Its name in messages. */
  readonly called: string;
  digest(section: SectionName): string | undefined;
  read(section: SectionName): Promise<{ readonly value: Json } | Refusal>;
  model(): Promise<Model | Refusal>;
}

/** Makes the drift of a fleet. */
export function createDrift(core: HubCore, { links, clock, scheduler }: DriftWorld): Drift {
  const { templates } = core;
  const running = createCounts();
  let runningInAll = 0;

  /**
   * Reads sections, for a few users at a time, so that nobody makes a hub read all consoles at
   * once.
   */
  async function limited<Result>(
    { user, from }: FleetActor,
    work: () => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    const who = user?.name ?? from;
    if (runningInAll >= COMPARISONS.all || running.of(who) >= COMPARISONS.ofUser) {
      return refuse("limitReached", "too many comparisons are running already: try again");
    }
    running.add(who);
    runningInAll++;
    try {
      return await work();
    } finally {
      running.remove(who);
      runningInAll--;
    }
  }

  function userRefusal({ user }: FleetActor): Refusal | undefined {
    if (user && core.refresh(user) !== undefined) return undefined;
    return refuse("notLoggedIn", "expected the token of a user of the fleet", "token");
  }

  function allRefusal(by: FleetActor, needs: FleetMay): Refusal | undefined {
    const now = by.user && core.refresh(by.user);
    return now === undefined ? userRefusal(by) : templateRefusal(now, needs);
  }

  function consoleSide(id: ConsoleId, by: FleetActor): Side | Refusal {
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

  function otherSide(other: ComparedWith, by: FleetActor): Side | Refusal {
    if ("console" in other) return consoleSide(other.console, by);
    const refusal = allRefusal(by, "view");
    if (refusal !== undefined) return refusal;
    const template = templates.find(other.template);
    return isRefusal(template) ? template : templateSide(template, by);
  }

  function templateSide({ name, model, sections }: Template, by: FleetActor): Side {
    return {
      called: `template ${shown(name)}`,
      digest: (section) => sections[section]?.digest,
      read(section) {
        const refusal = isForAdmins(section) ? allRefusal(by, "admin") : undefined;
        return Promise.resolve(refusal ?? { value: sections[section]?.value ?? {} });
      },
      model: () => Promise.resolve(model),
    };
  }

  /** Returns the digests with which all consoles are compared. */
  function digestsOf(other: ComparedWith, by: FleetActor): ComparedDigests | Refusal {
    if ("template" in other) {
      const found = allRefusal(by, "view") ?? templates.find(other.template);
      return isRefusal(found) ? found : templateDigests(found);
    }
    const entry = core.consoles().get(other.console);
    if (entry === undefined || core.mayAt(by.user, other.console) === undefined) {
      return noConsole(other.console);
    }
    const { digests } = entry;
    return {
      sections: SECTION_NAMES,
      digest: (section) => digests?.[section],
      model: modelOf(entry),
    };
  }

  /** Returns the consoles that a user may compare. */
  function comparable({ user }: FleetActor): readonly ConsoleEntry[] {
    return [...core.consoles().values()]
      .filter(({ id, state }) => state !== "quarantined" && core.mayAt(user, id) !== undefined);
  }

  async function compareSection(section: SectionName, here: Side, there: Side) {
    const [one, other] = [here.digest(section), there.digest(section)];
    if (one !== undefined && one === other) return equal(section);
    const values = await Promise.all([here.read(section), there.read(section)]);
    const [mine, theirs] = values;
    if (isRefusal(mine)) return unread(section, here, mine);
    if (isRefusal(theirs)) return unread(section, there, theirs);
    const { differences, more } = await scheduler.run(
      differencesOf(mine.value, theirs.value, DIFFERENCES),
    );
    return { section, same: differences.length === 0, differences, more };
  }

  /** Refuses to compare the control trees of consoles that have other mixers or faders. */
  async function modelRefusal(
    sections: readonly SectionName[],
    here: Side,
    there: Side,
  ): Promise<Refusal | undefined> {
    const differ = sections.some((section) =>
      (TREE_SECTION_NAMES as readonly string[]).includes(section) &&
      (here.digest(section) === undefined || here.digest(section) !== there.digest(section))
    );
    if (!differ) return undefined;
    const [one, other] = await Promise.all([here.model(), there.model()]);
    // Each section says why it cannot be read.
    if (isRefusal(one) || isRefusal(other) || isSameModel(one, other)) return undefined;
    const sentence = `${here.called} is another model than ${there.called}: ` +
      `it has ${modelText(one)}, that has ${modelText(other)}`;
    return refuse("invalidParameter", sentence, "with");
  }

  async function compare(
    console: ConsoleId,
    other: ComparedWith,
    section: SectionName | undefined,
    by: FleetActor,
  ): Promise<DriftResult | Refusal> {
    const here = consoleSide(console, by);
    if (isRefusal(here)) return here;
    const there = otherSide(other, by);
    if (isRefusal(there)) return there;
    const known = "template" in other
      ? templateSections(templates.find(other.template))
      : undefined;
    if (section !== undefined && known?.includes(section) === false) {
      const sentence = `${there.called} has no section ${section}, only ${known.join(", ")}`;
      return refuse("noSuchObject", sentence, "section");
    }
    const sections = section === undefined ? known ?? SECTION_NAMES : [section];
    const foreign = await modelRefusal(sections, here, there);
    if (foreign !== undefined) return foreign;
    const compared: SectionDrift[] = [];
    for (const name of sections) compared.push(await compareSection(name, here, there));
    return {
      same: compared.every(({ same }) => same),
      sections: compared,
      sets: compared.flatMap(setsOf),
    };
  }

  return {
    compare: async (console, other, section, by) =>
      userRefusal(by) ?? await limited(by, () => compare(console, other, section, by)),
    digests(other, by) {
      const compared = userRefusal(by) ?? digestsOf(other, by);
      if (isRefusal(compared)) return compared;
      return comparable(by).map((entry) => digestDrift(entry, compared));
    },
    fromTemplates(by) {
      const refusal = allRefusal(by, "view");
      if (refusal !== undefined) return refusal;
      const all = templates.list().map((template) => templateDigests(template));
      return comparable(by).flatMap((entry) => {
        let model: { readonly of: Model | undefined } | undefined;
        const own = () => (model ??= { of: modelOf(entry) }).of;
        const differing = all.filter((template) => {
          const { differs, foreign } = digestDrift(entry, template, own);
          return differs.length > 0 && !foreign;
        });
        return differing.length === 0
          ? []
          : [{ console: entry.id, templates: differing.map(({ name }) => name) }];
      });
    },
    async save(name, console, sections, by) {
      const outcome = allRefusal(by, "configure") ??
        await limited(by, () => makeTemplate(name, console, sections, by));
      core.tell({
        user: by.user?.name,
        from: by.from,
        what: "savetemplate",
        target: { name, console, sections },
        ...(isRefusal(outcome) ? { refused: outcome.message } : {}),
      });
      return isRefusal(outcome) ? outcome : listed(outcome);
    },
    list: (by) => allRefusal(by, "view") ?? templates.list().map(listed),
    async remove(name, by) {
      const refusal = allRefusal(by, "configure") ?? await templates.remove(name);
      core.tell({
        user: by.user?.name,
        from: by.from,
        what: "removetemplate",
        target: name,
        ...(refusal === undefined ? {} : { refused: refusal.message }),
      });
      return refusal;
    },
  };

  async function makeTemplate(
    name: string,
    console: ConsoleId,
    names: readonly SectionName[],
    by: FleetActor,
  ): Promise<Template | Refusal> {
    const side = consoleSide(console, by);
    if (isRefusal(side)) return side;
    const model = await side.model();
    if (isRefusal(model)) return model;
    const sections: Partial<Record<SectionName, TemplateSection>> = {};
    for (const section of names) {
      const read = await side.read(section);
      if (isRefusal(read)) return read;
      // The digest of the console may be from a moment before.
      const digest = await scheduler.run(digestOf(read.value));
      sections[section] = { digest, value: read.value };
    }
    const template: Template = {
      name,
      console,
      from: nameOf(core.consoles().get(console)),
      model,
      saved: new Date(clock.now()).toISOString(),
      by: by.user!.name,
      sections,
    };
    return await templates.save(template) ?? template;
  }
}

/** The refusal of a section that breaks off, or has a form in which it cannot be compared. */
const BROKEN = refuse("malformed", "the console did not answer whole, or not as a console does");

function templateSections(template: Template | Refusal): readonly SectionName[] {
  return isRefusal(template) ? [] : sectionsOf(template);
}

function listed(template: Template): ListedTemplate {
  const { name, console, from, saved, by } = template;
  return { name, console, from, saved, by, sections: sectionsOf(template) };
}

function nameOf(entry: ConsoleEntry | undefined): string {
  return entry?.summary.name || entry?.id || "";
}

function equal(section: SectionName): SectionDrift {
  return { section, same: true, differences: [], more: 0 };
}

function unread(section: SectionName, { called }: Side, { message }: Refusal): SectionDrift {
  return { section, same: false, differences: [], more: 0, refused: `${called}: ${message}` };
}

function modelText(model: Model): string {
  const mixers = Object.entries(model).map(([id, faders]) => `mixer ${id} with ${faders.length}`);
  return mixers.length === 0 ? "no mixer" : `${mixers.join(", ")} faders`;
}

/** Returns the requests that make a section of the control tree equal, as far as it is listed. */
function setsOf({ section, differences }: SectionDrift): DriftResult["sets"] {
  if (!(TREE_SECTION_NAMES as readonly string[]).includes(section)) return [];
  return differences.filter(({ here, there }) => here !== undefined && isLeaf(there))
    .map(({ path, there }) => ({ method: "set", path, payload: there! }));
}

function isLeaf(value: Json | undefined): boolean {
  return value !== undefined && typeof value !== "object";
}
