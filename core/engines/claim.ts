/**
 * Claims: an engine that is a client says which paths it renders, before it reports
 * (docs/engine.md).
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Command, Done } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import type { ConsoleEvent } from "../events.ts";
import { ENGINE_PATHS } from "../limits.ts";
import type { State } from "../state.ts";
import { nothingAt } from "../tree/get.ts";
import { metersThatDiffer } from "../tree/meters.ts";
import { combine, find, formatPath, nest, type Patch, type Path } from "../tree/tree.ts";
import { metersMoved, volatileChange } from "../tree/treechanged.ts";
import type { User } from "../users/user.ts";
import { claimOver, type Engines, engineState, overlaps } from "./engines.ts";
import { patchWithout } from "./paths-below.ts";

/** The path of the root. */
export const EVERYTHING: Path = [];

/** The name, in the audit trail, of the end of a claim that its engine did not give back. */
export const ENGINE_LOST = "engine lost";

const MIXERS: Path = ["audio", "mixers"];

interface MixerPart {
  readonly faders: Readonly<Record<string, { readonly _readystate: boolean }>>;
}

/** Says whether a user is an engine. */
export function isEngine(user: User | undefined): user is User {
  return user?.engine === true;
}

/** Refuses a user who is not an engine (5), and a caller who is not logged in (4). */
export function engineRefusal(user: User | undefined): Refusal {
  if (user === undefined) return refuse("notLoggedIn", "expected the token of an engine", "token");
  const who = `user ${user.name} is not an engine`;
  return refuse("noRight", `${who}, and only an engine may (user add --engine)`);
}

/** The refusal of a claim without a WebSocket connection. */
export function webSocketOnly(): Refusal {
  return refuse("webSocketOnly", "an engine claims paths over a WebSocket only");
}

/**
 * Claims paths for an engine; they replace the claim of its connection. From then on it reports at
 * and below them, and an engine of this program that only stands in stops. An empty list gives the
 * claim back. Below paths that are not claimed any more, meters fall to silence and no fader is
 * ready; such paths are not lost. Refused: a caller without a WebSocket connection (8); more paths
 * than {@linkcode ENGINE_PATHS} (11); an unknown path (6); a path that another engine has claimed,
 * or that is above or below such a path (11).
 */
export function claimPaths(user: User, paths: readonly Path[]): Command<undefined> {
  return (state, { connection }) => {
    if (connection === undefined) return webSocketOnly();
    const refusal = pathsRefusal(state, connection, paths);
    if (refusal !== undefined) return refusal;
    const { own, claims: before, lost } = state.engines;
    const claims = new Map(before);
    const isLate = before.get(connection)?.isLate ?? false;
    if (paths.length > 0) claims.set(connection, { user, paths, isLate });
    else claims.delete(connection);
    const stepsAside = own === "standsIn" && paths.length > 0;
    const engines: Engines = {
      own: stepsAside ? "none" : own,
      claims,
      lost: lost.filter((one) => !paths.some((path) => overlaps(one, path))),
    };
    const released = before.get(connection)?.paths ?? [];
    const events = [
      ...changed(state, engines),
      ...release(state, released, paths),
      ...(stepsAside ? metersMoved(silent(state, [EVERYTHING])) : []),
    ];
    return { events, result: undefined, waitsFor: changesConfiguration };
  };
}

function pathsRefusal(
  state: State,
  connection: number,
  paths: readonly Path[],
): Refusal | undefined {
  if (paths.length > ENGINE_PATHS) {
    const expected = `expected at most ${ENGINE_PATHS}, got ${paths.length}`;
    return refuse("limitReached", expected, "paths");
  }
  for (const path of paths) {
    if (!isThere(state, path)) return nothingAt(state, path);
    const over = claimOver(state.engines, connection, path);
    if (over !== undefined) {
      return refuse("limitReached", `${formatPath(path)} overlaps ${over}`, "paths");
    }
  }
}

/**
 * Ends the claim of a connection, if it has one: below its paths meters fall to silence, and no
 * fader is ready.
 */
export function endClaim(connection: number): Command<Done> {
  return (state) => {
    const { engines } = state;
    const ended = engines.claims.get(connection);
    if (ended === undefined) return { events: [], result: {}, waitsFor: changesConfiguration };
    const claims = new Map(engines.claims);
    claims.delete(connection);
    const lost = [...engines.lost, ...ended.paths].filter((path) => isThere(state, path));
    const events = [
      ...changed(state, { ...engines, claims, lost }),
      ...release(state, ended.paths, []),
    ];
    // The end of a claim is never refused.
    return { events, result: {}, uncharged: true, waitsFor: changesConfiguration };
  };
}

/** Takes the report of a connection's engine that it falls behind, or keeps up again. */
export function tellLate(connection: number, isLate: boolean): Command<Done> {
  return (state) => {
    const { engines } = state;
    const claim = engines.claims.get(connection);
    if (claim === undefined || claim.isLate === isLate) {
      return { events: [], result: {}, waitsFor: changesConfiguration };
    }
    const claims = new Map(engines.claims).set(connection, { ...claim, isLate });
    return {
      events: changed(state, { ...engines, claims }),
      result: {},
      waitsFor: changesConfiguration,
    };
  };
}

/** Makes the events that forget lost paths which the new configuration does not have. */
export function forgetLost(state: State): ConsoleEvent[] {
  const { engines } = state;
  const lost = engines.lost.filter((path) => isThere(state, path));
  return lost.length === engines.lost.length ? [] : changed(state, { ...engines, lost });
}

function isThere({ tree }: State, path: Path): boolean {
  return find(tree, path) !== undefined;
}

/** Makes the events of a change of the engines, and of `general/_engine` if its value changes. */
export function changed({ engines: before }: State, engines: Engines): ConsoleEvent[] {
  const is = engineState(engines);
  const patch = engineState(before) === is ? undefined : { general: { _engine: is } };
  return [{ type: "engineschanged", engines }, ...volatileChange(patch)];
}

/** Makes the events for paths that no engine renders any more, except for the paths `kept`. */
function release(state: State, paths: readonly Path[], kept: readonly Path[]): ConsoleEvent[] {
  const left = (patch: Patch | undefined) => patch && patchWithout(patch, kept);
  return [
    ...volatileChange(left(unready(state, paths))),
    ...metersMoved(left(silent(state, paths))),
  ];
}

/** Returns the patch that silences all meters at and below paths; undefined if they are silent. */
function silent({ tree, initial }: State, paths: readonly Path[]): Patch | undefined {
  return together(
    paths.map((path) => metersThatDiffer(find(tree, path), find(initial, path), path)),
  );
}

/**
 * Returns the patch after which no fader at or below paths is ready; undefined if none is ready.
 */
function unready({ tree }: State, paths: readonly Path[]): Patch | undefined {
  const mixers = Object.entries(find(tree, MIXERS) as unknown as Record<string, MixerPart>);
  const ready = mixers.flatMap(([mixer, { faders }]) =>
    Object.keys(faders).filter((fader) => faders[fader]!._readystate)
      .map((fader): Path => [...MIXERS, mixer, "faders", fader, "_readystate"])
  );
  const concerned = ready.filter((path) => paths.some((one) => overlaps(one, path)));
  return together(concerned.map((path) => nest(path, false) as Patch));
}

function together(patches: readonly (Patch | undefined)[]): Patch | undefined {
  let all: Patch | undefined;
  for (const patch of patches) if (patch !== undefined) all = all ? combine(all, patch) : patch;
  return all;
}
