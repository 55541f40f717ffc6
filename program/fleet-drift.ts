/**
 * `faderd fleet diff|template`: differences of consoles from each other and from templates.
 *
 * @module
 */
import type { FleetRpcParams, FleetRpcResult } from "../fleet/api/rpc-methods.ts";
import { SECTION_NAMES, type SectionName } from "../fleet/drift/sections.ts";
import type { Given } from "./command-line.ts";
import { meant } from "./did-you-mean.ts";
import { Failure, misuse } from "./failure.ts";
import { ask, named, plain } from "./fleet-commands.ts";
import { print, printJson } from "./print.ts";

type Drift = FleetRpcResult<"fleetdiff">;
type Value = Drift["sections"][number]["differences"][number]["here"];

/** Prints the differences of a console; throws {@link Failure} if there are any. */
export async function fleetDiff(given: Given): Promise<void> {
  const [other, template] = [given.get("other"), given.get("template")];
  if ((other === undefined) === (template === undefined)) {
    throw misuse("expected another console or --template, and one of them");
  }
  const section = given.get("section");
  const consoles = await ask(given, "fleetlist", {});
  const compared: FleetRpcParams<"fleetdiff">["with"] = template === undefined
    ? { console: named(consoles, other!).id }
    : { template };
  const drift = await ask(given, "fleetdiff", {
    console: named(consoles, given.get("console")!).id,
    with: compared,
    ...(section === undefined ? {} : { section: sectionIn("section", section) }),
  });
  if (given.has("json")) printJson(drift);
  else sayDrift(drift);
  if (drift.same) return;
  const differing = drift.sections.filter(({ same }) => !same).map(({ section }) => section);
  throw new Failure(`they differ in ${differing.join(", ")}`);
}

function sayDrift({ sections }: Drift): void {
  for (const { section, same, differences, more, refused } of sections) {
    if (same) print(`${section}\tthe same`);
    if (refused !== undefined) print(`${section}\tdiffers, and cannot be read: ${plain(refused)}`);
    for (const { path, here, there } of differences) {
      print([section, plain(path), text(here), text(there)].join("\t"));
    }
    if (more > 0) print(`${section}\tand ${more} more`);
  }
}

function text(value: Value): string {
  return value === undefined ? "nothing" : plain(JSON.stringify(value));
}

/** Saves a template of a console. */
export async function fleetTemplateSave(given: Given): Promise<void> {
  const consoles = await ask(given, "fleetlist", {});
  const saved = await ask(given, "fleettemplatesave", {
    name: given.get("name")!,
    console: named(consoles, given.get("console")!).id,
    sections: given.get("sections")!.split(",").map((name) => sectionIn("sections", name)),
  });
  if (given.has("json")) printJson(saved);
}

/** Prints each template. */
export async function fleetTemplateList(given: Given): Promise<void> {
  const templates = await ask(given, "fleettemplatelist", {});
  if (given.has("json")) return printJson(templates);
  for (const { name, from, saved, by, sections } of templates) {
    print([name, plain(from), `saved ${saved} by ${by}`, sections.join(",")].join("\t"));
  }
}

/** Removes a template. */
export async function fleetTemplateRemove(given: Given): Promise<void> {
  await ask(given, "fleettemplateremove", { name: given.get("name")! });
}

function sectionIn(option: string, name: string): SectionName {
  const found = SECTION_NAMES.find((one) => one === name);
  if (found !== undefined) return found;
  const expected = `expected ${SECTION_NAMES.join(", ")}, got ${name}`;
  throw misuse(`--${option}: ${expected}${meant(name, SECTION_NAMES)}`);
}
