/**
 * What can be wrong with a configuration, each fault with the path to it.
 *
 * @module
 */
import type { BaseIssue } from "valibot";
import type { Configuration } from "./configuration.ts";

/** One fault: where (`mixers.0.faders.1.channel`) and why. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/**
 * The faults behind one schema issue. A short form that matches neither of its shapes is described by
 * the shape that was meant: the one whose fault lies deepest.
 */
export function describeIssue(issue: BaseIssue<unknown>, parents: readonly string[] = []): Fault[] {
  const path = [...parents, ...(issue.path ?? []).map((item) => String(item.key))];
  const meant = issue.type === "union" ? deeper(issue.issues ?? []) : [];
  return meant.length > 0
    ? meant.flatMap((inner) => describeIssue(inner, path))
    : [{ path: path.join(".") || "(document)", reason: issue.message }];
}

function deeper(issues: readonly BaseIssue<unknown>[]): BaseIssue<unknown>[] {
  return issues.filter((issue) => issue.path !== undefined);
}

/** What the schema cannot see: doubled numbers, and numbers that name nothing. */
export function configurationFaults(configuration: Configuration): Fault[] {
  const { mixers, routing, selectors } = configuration;
  return [
    ...doubled("mixers", "id", mixers.map((mixer) => mixer.id)),
    ...mixers.flatMap((mixer, index) => mixerFaults(`mixers.${index}`, mixer)),
    ...doubledChannels(mixers),
    ...([
      "processings",
      "globalLabels",
      "resources",
      "lists",
      "logics",
      "pots",
      "levels",
      "loudness",
    ] as const)
      .flatMap((part) => doubled(part, "id", configuration[part].map((item) => item.id))),
    ...doubled("routing.inputs", "id", routing.inputs.map((input) => input.id)),
    ...doubled("routing.outputs", "id", routing.outputs.map((output) => output.id)),
    ...doubled("selectors.selectors", "id", selectors.selectors.map((selector) => selector.id)),
    ...doubled("selectors.sourcelists", "id", selectors.sourcelists.map((sources) => sources.id)),
    ...doubled(
      "factorySnapshots",
      "id",
      configuration.factorySnapshots.map((snapshot) => snapshot.id),
    ),
    ...danglingFaults(configuration),
    ...configuration.pots.flatMap(({ min, max, value }, index) => [
      ...(min < max
        ? []
        : [{ path: `pots.${index}.max`, reason: `${max} is not above min ${min}` }]),
      ...(value >= min && value <= max
        ? []
        : [{ path: `pots.${index}.value`, reason: `${value} is outside ${min}..${max}` }]),
    ]),
  ];
}

function mixerFaults(path: string, mixer: Configuration["mixers"][number]): Fault[] {
  return [
    ...doubled(`${path}.faders`, "id", mixer.faders.map((fader) => fader.id)),
    ...doubled(`${path}.automix`, "", mixer.automix),
    ...doubled(`${path}.cleanfeeds`, "", mixer.cleanfeeds),
    ...doubled(`${path}.mutegroups`, "", mixer.mutegroups),
  ];
}

function doubled(path: string, member: string, keys: readonly (number | string)[]): Fault[] {
  const seen = new Map<number | string, number>();
  return keys.flatMap((key, index) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    const at = member === "" ? `${path}.${index}` : `${path}.${index}.${member}`;
    return first === undefined
      ? []
      : [{ path: at, reason: `${key} is already at ${path}.${first}` }];
  });
}

function doubledChannels(mixers: Configuration["mixers"]): Fault[] {
  const seen = new Map<number, string>();
  return mixers.flatMap((mixer, m) =>
    mixer.faders.flatMap(({ channel }, f) => {
      const path = `mixers.${m}.faders.${f}`;
      const first = seen.get(channel);
      if (first === undefined) seen.set(channel, path);
      return first === undefined
        ? []
        : [{ path: `${path}.channel`, reason: `fader channel ${channel} is already at ${first}` }];
    })
  );
}

function danglingFaults({ mixers, routing, selectors, factorySnapshots }: Configuration): Fault[] {
  const missing = (
    path: string,
    what: string,
    key: number | undefined,
    items: readonly { id: number }[],
  ) =>
    key === undefined || items.some((item) => item.id === key)
      ? []
      : [{ path, reason: `there is no ${what} ${key}` }];
  return [
    ...routing.outputs.flatMap(({ input }, index) =>
      missing(`routing.outputs.${index}.input`, "input", input, routing.inputs)
    ),
    ...selectors.selectors.flatMap(({ sourcelist }, index) =>
      missing(
        `selectors.selectors.${index}.sourcelist`,
        "sourcelist",
        sourcelist,
        selectors.sourcelists,
      )
    ),
    ...factorySnapshots.flatMap(({ type, mixer }, index) =>
      type === 2 ? missing(`factorySnapshots.${index}.mixer`, "mixer", mixer, mixers) : []
    ),
  ];
}
