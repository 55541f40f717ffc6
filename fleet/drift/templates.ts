/**
 * The templates of a fleet: sections as one console had them, with which other consoles are
 * compared.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { shown } from "../../core/shown.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import { TEMPLATE_CHARACTERS, TEMPLATES } from "../hub/hub-limits.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type Model, SECTION_NAMES, type SectionName } from "./sections.ts";
import { storeRefusal } from "../ledger/unavailable.ts";
import type { Person } from "../hub/rights.ts";
import { type ConsoleId, FLEET_MAY, type FleetMay } from "../wire.ts";

/** The syntax of the name of a template. */
export const TEMPLATE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

/** The description of that syntax in messages. */
export const TEMPLATE_NAME_FORM =
  "1 to 64 letters, digits, '.', '_' and '-', of which the first is a letter or a digit";

/** A section of a template. */
export interface TemplateSection {
  /** The digest of the value, as a console makes it. */
  readonly digest: string;
  readonly value: Json;
}

/** A template. */
export interface Template {
  readonly name: string;
  /** The console that it was read from, and its name. */
  readonly console: ConsoleId;
  readonly from: string;
  readonly model: Model;
  /** The time at which it was saved, in ISO 8601 and UTC, and the user who saved it. */
  readonly saved: string;
  readonly by: string;
  readonly sections: Readonly<Partial<Record<SectionName, TemplateSection>>>;
}

/** Returns the names of the sections of a template, in their order. */
export function sectionsOf({ sections }: Template): readonly SectionName[] {
  return SECTION_NAMES.filter((name) => sections[name] !== undefined);
}

/**
 * Refuses (5) a user without a right on all consoles: a template may be made from any console, and
 * a comparison with it shows its values.
 */
export function templateRefusal({ name, may }: Person, needs: FleetMay): Refusal | undefined {
  if (may !== undefined && FLEET_MAY.indexOf(may) >= FLEET_MAY.indexOf(needs)) return undefined;
  const sentence = `user ${name} has no right to ${needs} all consoles, which a template requires`;
  return refuse("noRight", sentence);
}

/** The templates of a fleet. */
export interface Templates {
  /** Returns all templates, by their names. */
  list(): readonly Template[];
  find(name: string): Template | Refusal;
  /** Saves a template; replaces a template of the same name. */
  save(template: Template): Promise<Refusal | undefined>;
  remove(name: string): Promise<Refusal | undefined>;
}

/** Follows the templates in a ledger. */
export async function followTemplates(ledger: Ledger): Promise<Templates> {
  const templates = await followBucket(ledger, "templates", readTemplate);

  function find(name: string): Template | Refusal {
    return templates.values.get(name) ??
      refuse("noSuchObject", `there is no template ${shown(name)}`, "template");
  }

  return {
    list: () => [...templates.values.values()].sort((one, other) => one.name < other.name ? -1 : 1),
    find,
    async save(template) {
      const { name } = template;
      if (!templates.values.has(name) && templates.values.size >= TEMPLATES) {
        return refuse("limitReached", `there are ${TEMPLATES} templates already: remove one first`);
      }
      const { length } = JSON.stringify(template);
      if (length > TEMPLATE_CHARACTERS) {
        const expected = `expected at most ${TEMPLATE_CHARACTERS} characters, got ${length}`;
        return refuse("limitReached", `${expected}: choose fewer sections`, "sections");
      }
      return await storeRefusal(templates.put(name, template));
    },
    async remove(name) {
      const template = find(name);
      if ("code" in template) return template;
      return await storeRefusal(templates.remove(name));
    },
  };
}

function readTemplate(value: Json): Template | undefined {
  const template = value as unknown as Template;
  const { name, console, from, model, saved, by, sections } = template;
  const isTemplate = [name, console, from, saved, by].every((text) => typeof text === "string") &&
    typeof model === "object" && typeof sections === "object" && sections !== null &&
    Object.keys(sections).every((section) =>
      (SECTION_NAMES as readonly string[]).includes(section)
    );
  return isTemplate ? template : undefined;
}
