/**
 * Compares consoles with each other and with templates (fleet/drift/drift.ts).
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { after, type Steps } from "../../core/ports.ts";
import { createCounts } from "../../transport/counts.ts";
import { noConsole } from "../hub/console-state.ts";
import { differencesOf, shortened } from "./difference.ts";
import { type ComparedDigests, digestDrift, modelOf, templateDigests } from "./digest-drift.ts";
import type {
  ComparedWith,
  Drift,
  DriftResult,
  ListedTemplate,
  SectionDrift,
  TemplateDrift,
} from "./drift.ts";
import type { ConsoleEntry, FleetActor, HubCore } from "../hub/hub-core.ts";
import { COMPARISON_MS, COMPARISONS, DIFFERENCES } from "../hub/hub-limits.ts";
import { allRefusal, userRefusal } from "./rights.ts";
import { digestOf } from "./section-values.ts";
import {
  isSameModel,
  type Model,
  SECTION_NAMES,
  type SectionName,
  TREE_SECTION_NAMES,
} from "./sections.ts";
import {
  consoleSide,
  type DriftParts,
  nameOf,
  peerSide,
  type Reading,
  type Side,
} from "./sides.ts";
import { sectionsOf, type Template, type TemplateSection } from "./templates.ts";
import type { ConsoleId } from "../wire.ts";

/** Makes the drift of a fleet. */
export function createDrift(parts: DriftParts): Drift {
  const { core, timer } = parts;
  const { templates } = core;
  const running = createCounts();
  let runningInAll = 0;

  /**
   * Reads sections, for a few users at a time and for a limited time, so that nobody makes a hub
   * read all consoles at once, and no console keeps users from comparing others.
   */
  async function limited<Result>(
    { user, from }: FleetActor,
    work: (reading: Reading) => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    const who = user?.name ?? from;
    if (runningInAll >= COMPARISONS.all || running.of(who) >= COMPARISONS.ofUser) {
      return refuse("limitReached", "too many comparisons are running already: try again");
    }
    running.add(who);
    runningInAll++;
    const late = new AbortController();
    const stopWaiting = after(timer, COMPARISON_MS, () => late.abort());
    try {
      return await work({ ...parts, signal: late.signal });
    } finally {
      stopWaiting();
      running.remove(who);
      runningInAll--;
    }
  }

  return {
    compare: async (console, other, section, by) =>
      userRefusal(by, core) ??
        await limited(by, (reading) => compare(console, other, section, by, reading)),
    digests(other, by) {
      const compared = userRefusal(by, core) ?? digestsOf(other, by, core);
      if (isRefusal(compared)) return compared;
      return comparable(by, core).map((entry) => digestDrift(entry, compared));
    },
    fromTemplates: async (by) =>
      allRefusal(by, "view", core) ??
        await parts.scheduler.run(driftFromTemplates(by, core), by.from),
    async save(name, console, sections, by) {
      const outcome = allRefusal(by, "configure", core) ??
        await limited(by, (reading) => saveTemplate(name, console, sections, by, reading));
      core.tell({
        user: by.user?.name,
        from: by.from,
        what: "savetemplate",
        target: { name, console, sections },
        ...(isRefusal(outcome) ? { refused: outcome.message } : {}),
      });
      return isRefusal(outcome) ? outcome : listed(outcome);
    },
    list: (by) => allRefusal(by, "view", core) ?? templates.list().map(listed),
    async remove(name, by) {
      const refusal = allRefusal(by, "configure", core) ?? await templates.remove(name);
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
}

async function compare(
  console: ConsoleId,
  other: ComparedWith,
  section: SectionName | undefined,
  by: FleetActor,
  reading: Reading,
): Promise<DriftResult | Refusal> {
  const here = consoleSide(console, by, reading);
  if (isRefusal(here)) return here;
  const there = peerSide(other, by, reading);
  if (isRefusal(there)) return there;
  const known = "template" in other
    ? templateSections(reading.core.templates.find(other.template))
    : undefined;
  if (section !== undefined && known?.includes(section) === false) {
    const sentence = `${there.called} has no section ${section}, only ${known.join(", ")}`;
    return refuse("noSuchObject", sentence, "section");
  }
  const sections = section === undefined ? known ?? SECTION_NAMES : [section];
  const foreign = await modelRefusal(sections, here, there);
  if (foreign !== undefined) return foreign;
  const compared: SectionDrift[] = [];
  for (const name of sections) compared.push(await compareSection(name, here, there, reading));
  return {
    same: compared.every(({ same }) => same),
    sections: compared.map((one) => ({ ...one, differences: one.differences.map(shortened) })),
    sets: compared.flatMap(setsOf),
  };
}

async function compareSection(
  section: SectionName,
  here: Side,
  there: Side,
  { scheduler }: Reading,
): Promise<SectionDrift> {
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

/** Returns the digests with which all consoles are compared. */
function digestsOf(
  other: ComparedWith,
  by: FleetActor,
  core: HubCore,
): ComparedDigests | Refusal {
  if ("template" in other) {
    const found = allRefusal(by, "view", core) ?? core.templates.find(other.template);
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
function comparable({ user }: FleetActor, core: HubCore): readonly ConsoleEntry[] {
  return [...core.consoles().values()]
    .filter(({ id, state }) => state !== "quarantined" && core.mayAt(user, id) !== undefined);
}

/** Compares all consoles with all templates, one console at each step. */
function* driftFromTemplates(
  by: FleetActor,
  core: HubCore,
): Steps<readonly TemplateDrift[]> {
  const all = core.templates.list().map((template) => templateDigests(template));
  const found: TemplateDrift[] = [];
  for (const entry of comparable(by, core)) {
    let model: { readonly of: string | undefined } | undefined;
    const own = () => (model ??= { of: modelOf(entry) }).of;
    const differing = all.filter((template) => {
      const { differs, foreign } = digestDrift(entry, template, own);
      return differs.length > 0 && !foreign;
    });
    if (differing.length > 0) {
      found.push({ console: entry.id, templates: differing.map(({ name }) => name) });
    }
    yield;
  }
  return found;
}

/** Saves sections of a console as a template. */
async function saveTemplate(
  name: string,
  console: ConsoleId,
  names: readonly SectionName[],
  by: FleetActor,
  reading: Reading,
): Promise<Template | Refusal> {
  const { core, clock, scheduler } = reading;
  const side = consoleSide(console, by, reading);
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
  return await core.templates.save(template) ?? template;
}

function templateSections(template: Template | Refusal): readonly SectionName[] {
  return isRefusal(template) ? [] : sectionsOf(template);
}

function listed(template: Template): ListedTemplate {
  const { name, console, from, saved, by } = template;
  return { name, console, from, saved, by, sections: sectionsOf(template) };
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

/** Returns the requests that remove the listed differences of a section of the control tree. */
function setsOf({ section, differences }: SectionDrift): DriftResult["sets"] {
  if (!(TREE_SECTION_NAMES as readonly string[]).includes(section)) return [];
  return differences.filter(({ here, there }) => here !== undefined && isLeaf(there))
    .map(({ path, there }) => ({ method: "set", path, payload: there! }));
}

function isLeaf(value: Json | undefined): boolean {
  return value !== undefined && typeof value !== "object";
}
