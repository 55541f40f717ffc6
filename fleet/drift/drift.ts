/**
 * Drift: how a console differs from a template, or from another console. Only sections whose
 * digests differ are read. The requests that would make the console equal are shown, and never sent
 * by themselves.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { CommandRequest } from "../commands/command.ts";
import type { Difference } from "./difference.ts";
import type { FleetActor } from "../hub/hub-core.ts";
import type { SectionName } from "./sections.ts";
import type { Template } from "./templates.ts";
import type { ConsoleId } from "../wire.ts";

/** The peer of a comparison. */
export type ComparedWith = { readonly console: ConsoleId } | { readonly template: string };

/** The comparison of one section. */
export interface SectionDrift {
  readonly section: SectionName;
  readonly same: boolean;
  /** The first differences: `here` is the value of the console, `there` the value of the peer. */
  readonly differences: readonly Difference[];
  /** Number of further differences. */
  readonly more: number;
  /** The reason for which the section could not be read; then only its digests were compared. */
  readonly refused?: string;
}

/** The differences of a console from another console, or from a template. */
export interface DriftResult {
  readonly same: boolean;
  readonly sections: readonly SectionDrift[];
  /** The requests that remove the listed differences in the control tree, for `fleetdo`. */
  readonly sets: readonly Extract<CommandRequest, { readonly method: "set" }>[];
}

/** The differences of a console by its digests; the console itself is not read. */
export interface DigestDrift {
  readonly console: ConsoleId;
  readonly differs: readonly SectionName[];
  /** The sections for which at least one side has no digest. */
  readonly unknown: readonly SectionName[];
  /** Whether it has other mixers or faders, so that its control tree cannot be compared. */
  readonly foreign: boolean;
}

/** A console that differs from templates by its digests. */
export interface TemplateDrift {
  readonly console: ConsoleId;
  /** The names of the templates: at least one. */
  readonly templates: readonly string[];
}

/** A template, as a list shows it. */
export interface ListedTemplate
  extends Pick<Template, "name" | "console" | "from" | "saved" | "by"> {
  readonly sections: readonly SectionName[];
}

/** The drift of a fleet. */
export interface Drift {
  /**
   * Compares a console; the sections are the sections of the template, or all, or the named
   * section.
   */
  compare(
    console: ConsoleId,
    other: ComparedWith,
    section: SectionName | undefined,
    by: FleetActor,
  ): Promise<DriftResult | Refusal>;
  /** Compares all consoles that the user sees by their digests, and reads none of them. */
  digests(other: ComparedWith, by: FleetActor): readonly DigestDrift[] | Refusal;
  /**
   * Returns the consoles that differ from a template of their model, and these templates; it reads
   * no console. For users who may view all consoles.
   */
  fromTemplates(by: FleetActor): Promise<readonly TemplateDrift[] | Refusal>;
  /** Saves sections of a console as a template. For users who may configure all consoles. */
  save(
    name: string,
    console: ConsoleId,
    sections: readonly SectionName[],
    by: FleetActor,
  ): Promise<ListedTemplate | Refusal>;
  /** Lists the templates. For users who may view all consoles. */
  list(by: FleetActor): readonly ListedTemplate[] | Refusal;
  /** Removes a template. For users who may configure all consoles. */
  remove(name: string, by: FleetActor): Promise<Refusal | undefined>;
}
