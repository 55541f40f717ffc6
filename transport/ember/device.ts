/**
 * The node `Device`, in the layout that consumers know of such consoles: identity, GPI and GPO,
 * channels, labels, routing, snapshots; and below it functions and the whole control tree. All but
 * the functions are leaves of the control tree, which has them in its own layout, too.
 *
 * @module
 */
import type { Configuration, Named } from "../../core/configuration/configuration.ts";
import {
  type EmberElement,
  type EmberPlace,
  emberPlace,
} from "../../core/configuration/ember-elements.ts";
import { tellAccess } from "../../core/access/access.ts";
import { isRefusal } from "../../core/errors.ts";
import { ACCESS_GROUPS } from "../../core/limits.ts";
import { findNumbered } from "../../core/snapshots/numbered.ts";
import type { State } from "../../core/state.ts";
import { find, formatPath, type Path } from "../../core/tree/tree.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { BerValue } from "./ber.ts";
import type { Carriers } from "./carriers.ts";
import {
  type Element,
  type MatrixElement,
  type NodeElement,
  nodeOf,
  type Numbered,
  type ParameterElement,
} from "./element.ts";
import { functionElements } from "./functions.ts";
import { leafParameter, type Seen } from "./parameter.ts";
import { treeElement } from "./tree-node.ts";

/** Stands for no fader, since Ember+ has no number that is none. */
const NOBODY = -1;

/** Maximum number of GPIs, and of GPOs, that consumers expect. */
const GPIOS = 50;

/** The version of this layout, which consumers read. */
const LAYOUT = "1";

/** The members of a fader that a channel shows. */
const CHANNEL_MEMBERS = {
  "Channels/Level": "fader",
  "Channels/On": "on",
  "Channels/PFL1": "pfl1",
  "Channels/PFL2": "pfl2",
  "Channels/Label": "label",
} as const;

const ROUTES: Path = ["audio", "routing", "routes"];
const MIXERS: Path = ["audio", "mixers"];
const LOGICS: Path = ["control", "logics"];
const LABELS: Path = ["control", "labels"];

/** Where the elements of `Device` stand, with what the configuration replaces. */
export interface Places {
  /** Returns the numbers of an element from the root on, and of elements below it. */
  pathOf(element: EmberElement, ...below: number[]): readonly number[];
  placeOf(element: EmberElement): EmberPlace;
}

/** Returns the places by a configuration. */
export function placesOf({ ember }: Configuration): Places {
  const placeOf = (element: EmberElement) => emberPlace(element, ember?.elements ?? {});
  return {
    placeOf,
    pathOf(element, ...below) {
      const names = element === "Device" ? [] : element.split("/");
      const above = names.map((_, at) =>
        placeOf(names.slice(0, at + 1).join("/") as EmberElement).number
      );
      return [placeOf("Device").number, ...above, ...below];
    },
  };
}

/** Returns the logics that GPI or GPO 1 and on are, by their numbers. */
export function gpioLogics(
  { ember, logics }: Configuration,
  which: "gpis" | "gpos",
): readonly (readonly [number, number])[] {
  const known = new Map(logics.map((logic) => [logic.id, logic]));
  const listed = ember?.[which]?.slice(0, GPIOS).map((id, at) => [at + 1, id] as const);
  if (listed !== undefined) return listed.filter(([, id]) => known.has(id));
  return logics
    .filter(({ id, follows }) =>
      id >= 1 && id <= GPIOS && (which === "gpos" || follows === undefined)
    )
    .map(({ id }) => [id, id] as const);
}

/** Makes the node. */
export function deviceElement(seen: Seen, carriers: Carriers, places: Places): NodeElement {
  const { configuration } = seen.state;
  const { placeOf } = places;

  const numbered = (element: EmberElement, make: (place: EmberPlace) => Element): Numbered => {
    const place = placeOf(element);
    return { number: place.number, element: make(place) };
  };
  const node = (
    element: EmberElement,
    children: () => Iterable<Numbered>,
    child?: (number: number) => Element | undefined,
  ) => numbered(element, (place) => nodeOf(place, children, child));
  const fixed = (element: EmberElement, value: string) =>
    numbered(element, ({ identifier }) => textParameter(identifier, value));
  const leaf = (path: Path, identifier: string, description?: string) =>
    leafParameter(seen, path, { identifier, description });

  function* identity(): Generator<Numbered> {
    const { kind, name } = configuration.device;
    const { number, identifier } = placeOf("Identity/Firmwareversion");
    const firmware = leaf(["general", "_firmware_version"], identifier);
    yield fixed("Identity/Company", "faderd");
    yield fixed("Identity/Series", kind);
    yield fixed("Identity/Product", name);
    if (firmware !== undefined) yield { number, element: readOnly(firmware) };
    yield fixed("Identity/DHD-ember-plus-struct", LAYOUT);
  }

  function* gpios(which: "gpis" | "gpos"): Generator<Numbered> {
    const name = which === "gpis" ? "GPI" : "GPO";
    for (const [number, logic] of gpioLogics(configuration, which)) {
      const path = [...LOGICS, String(logic)];
      const description = find(seen.state.tree, [...path, "_name"]) as string | undefined;
      const element = leaf([...path, "value"], `${name} ${number}`, description);
      if (element === undefined) continue;
      yield { number, element: which === "gpis" ? element : readOnly(element) };
    }
  }

  function channel(number: number): Element | undefined {
    if (!configuration.mixers.some(({ places }) => places.has(number))) return undefined;
    const carrier = carriers.pathOf(number);
    // An empty one takes back that of the fader before.
    const label = carrier ? find(seen.state.tree, [...carrier, "label"]) as string : "";
    const called = { identifier: `Channel ${number}`, description: label };
    return nodeOf(called, function* () {
      for (const [name, member] of Object.entries(CHANNEL_MEMBERS)) {
        const place = placeOf(name as EmberElement);
        const element = carrier && leaf([...carrier, member], place.identifier);
        if (element !== undefined) yield { number: place.number, element };
      }
    });
  }

  function* channels(): Generator<Numbered> {
    for (const { places } of configuration.mixers) {
      for (const number of places.keys()) yield { number, element: channel(number)! };
    }
  }

  function* globalLabels(): Generator<Numbered> {
    for (const { id } of configuration.globalLabels) {
      const element = leaf([...LABELS, String(id), "label"], `Label ${id}`);
      if (element !== undefined) yield { number: id + 1, element };
    }
  }

  const names = (element: EmberElement, ports: readonly Named[]) =>
    node(element, function* () {
      for (const { id, name } of ports) {
        yield { number: id, element: textParameter(`_${id}`, name) };
      }
    });

  function* labels(): Generator<Numbered> {
    yield names("Routing/labels/targets", configuration.routing.outputs);
    yield names("Routing/labels/sources", configuration.routing.inputs);
  }

  function* routing(): Generator<Numbered> {
    const labelsAt = places.pathOf("Routing/labels");
    yield numbered("Routing/matrix", ({ identifier }) => matrix(seen, identifier, labelsAt));
    yield node("Routing/labels", labels);
  }

  function* snapshots(): Generator<Numbered> {
    for (const { id, name } of configuration.mixers) {
      const called = { identifier: `Mixer ${id}`, description: name };
      const children = function* () {
        yield numbered("Snapshots/Load", ({ identifier }) => loadParameter(seen, identifier, id));
        const path = [...MIXERS, String(id), "_lastloadedsnap"];
        const last = placeOf("Snapshots/LastLoaded");
        const element = leaf(path, last.identifier);
        if (element !== undefined) yield { number: last.number, element };
      };
      yield { number: id + 1, element: nodeOf(called, children) };
    }
  }

  function* access(): Generator<Numbered> {
    for (const { id, name } of configuration.mixers) {
      const children = function* () {
        for (let group = ACCESS_GROUPS.min; group <= ACCESS_GROUPS.max; group++) {
          yield { number: group, element: accessParameter(seen, id, group) };
        }
      };
      const called = { identifier: `Mixer ${id}`, description: name };
      yield { number: id + 1, element: nodeOf(called, children) };
    }
  }

  const called = { ...placeOf("Device"), description: configuration.device.name };
  return nodeOf(called, function* () {
    yield node("Identity", identity);
    yield node("GPI", () => gpios("gpis"));
    yield node("GPO", () => gpios("gpos"));
    yield node("Channels", channels, channel);
    yield node("GlobalLabels", globalLabels);
    yield node("Routing", routing);
    yield node("Snapshots", snapshots);
    yield node("Access", access);
    yield node("Functions", functionElements);
    yield numbered("Tree", (place) => treeElement(seen, [], place)!);
  });
}

/** Returns the paths below `Device`, beside that below `Tree`, of a leaf of the control tree. */
export function devicePaths(
  path: Path,
  { configuration }: State,
  carriers: Carriers,
  places: Places,
): (readonly number[])[] {
  const [root, kind, id, member] = path;
  const paths: (readonly number[])[] = [];
  if (root === "control" && kind === "logics" && member === "value") {
    for (const [which, element] of [["gpis", "GPI"], ["gpos", "GPO"]] as const) {
      for (const [number, logic] of gpioLogics(configuration, which)) {
        if (String(logic) === id) paths.push(places.pathOf(element, number));
      }
    }
  } else if (root === "control" && kind === "labels" && member === "label") {
    paths.push(places.pathOf("GlobalLabels", Number(id) + 1));
  } else if (root === "audio" && kind === "mixers" && member === "_lastloadedsnap") {
    const { number } = places.placeOf("Snapshots/LastLoaded");
    paths.push(places.pathOf("Snapshots", Number(id) + 1, number));
  } else if (root === "audio" && kind === "mixers" && member === "faders" && path.length === 6) {
    const channel = carriers.channelOf(path.slice(0, -1));
    if (channel === undefined) return paths;
    for (const [element, shown] of Object.entries(CHANNEL_MEMBERS)) {
      if (shown !== path[5]) continue;
      const { number } = places.placeOf(element as EmberElement);
      paths.push(places.pathOf("Channels", channel, number));
    }
  }
  return paths;
}

/** Returns the channel that has a leaf of the control tree as its description. */
export function describedChannel(path: Path, carriers: Carriers): number | undefined {
  const isLabel = path.length === 6 && path[3] === "faders" && path[5] === "label";
  return isLabel ? carriers.channelOf(path.slice(0, -1)) : undefined;
}

/** Returns the paths of all that a channel shows. */
export function channelPaths(channel: number, places: Places): readonly (readonly number[])[] {
  return (Object.keys(CHANNEL_MEMBERS) as EmberElement[])
    .map((element) => places.pathOf("Channels", channel, places.placeOf(element).number));
}

/** Returns the target of the matrix that a path of the control tree is the route of. */
export function routedTarget(path: Path): number | undefined {
  const isRoute = path.length === ROUTES.length + 1 &&
    ROUTES.every((member, at) => path[at] === member);
  return isRoute ? Number(path.at(-1)) : undefined;
}

function textParameter(identifier: string, text: string): ParameterElement {
  return { kind: "parameter", identifier, type: "string", access: "read", value: () => text };
}

function readOnly({ setting: _, ...parameter }: ParameterElement): ParameterElement {
  return { ...parameter, access: "read" };
}

/** A number that loads the mixer snapshot of that number, as the deprecated REST calls do. */
function loadParameter(seen: Seen, identifier: string, mixer: number): ParameterElement {
  const parameter: ParameterElement = {
    kind: "parameter",
    identifier,
    description: "The number of a mixer snapshot to load; 0 is the default one.",
    type: "integer",
    access: "read",
    min: 0,
    max: 65_535,
    value: () => 0,
  };
  const setting = (value: BerValue): Envelope => ({
    method: "rpc",
    payload: {
      method: "loadsnapshot",
      params: { id: idOfNumbered(seen.state, value, mixer), type: 2, mixer },
    },
  });
  // Also of who may not load: the console refuses it, and the audit trail says so.
  return { ...parameter, access: seen.may === "view" ? "read" : "readWrite", setting };
}

/** The fader of a mixer that has the access of a group; -1 is none. */
function accessParameter(seen: Seen, mixer: number, group: number): ParameterElement {
  return {
    kind: "parameter",
    identifier: `Group ${group}`,
    description: "The number of the fader that has access; -1 for none.",
    type: "integer",
    access: seen.may === "view" ? "read" : "readWrite",
    min: NOBODY,
    max: 65_535,
    value: () => tellAccess(seen.state).mixer[mixer]?.accessgroup[group] ?? NOBODY,
    setting: (fader) => ({
      method: "rpc",
      payload: {
        method: "setaccess",
        params: { mixer, accessgroup: group, fader: fader === NOBODY ? null : fader },
      },
    }),
  };
}

/** Returns the path of the access of a group. */
export function accessPath(mixer: number, group: number, places: Places): readonly number[] {
  return places.pathOf("Access", mixer + 1, group);
}

/** Returns the id of a mixer snapshot by its number; what has none is refused by the call. */
function idOfNumbered(state: State, number: BerValue, mixer: number): unknown {
  if (typeof number !== "number") return number;
  const found = findNumbered(state, { type: 2, number }, mixer);
  return isRefusal(found) ? String(number) : found.id;
}

function matrix(seen: Seen, identifier: string, labels: readonly number[]): MatrixElement {
  const { inputs, outputs } = seen.state.configuration.routing;
  return {
    kind: "matrix",
    identifier,
    description: "The inputs that are routed to the outputs.",
    targets: outputs.map(({ id }) => id),
    sources: inputs.map(({ id }) => id),
    labels,
    sourceOf(target) {
      const route = find(seen.state.tree, [...ROUTES, String(target)]);
      return route === undefined || route === "" ? undefined : Number(route);
    },
    connecting: (target, source) => ({
      method: "set",
      path: formatPath([...ROUTES, String(target)]),
      payload: source === undefined ? "" : String(source),
    }),
  };
}
