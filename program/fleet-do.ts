/**
 * `faderd fleet do|batch|again`: one request for many consoles, and its results.
 *
 * @module
 */
import type { Json } from "../core/json.ts";
import type { FleetRpcParams, FleetRpcResult } from "../fleet/api/rpc-methods.ts";
import { CONSOLE_STATES } from "../fleet/hub/hub-core.ts";
import { after } from "../core/ports.ts";
import { machineTimer } from "../runtimes/clock.ts";
import type { Given } from "./command-line.ts";
import { meant } from "./did-you-mean.ts";
import { Failure, misuse } from "./failure.ts";
import { ask, named, numberIn, plain } from "./fleet-commands.ts";
import { print, printJson, report } from "./print.ts";
import { serviceOf } from "./running-service.ts";

type Order = FleetRpcParams<"fleetdo">;
type Batch = FleetRpcResult<"fleetbatch">;
type Previews = Extract<FleetRpcResult<"fleetdo">, { readonly preview: unknown }>["preview"];

/** Interval in ms between two polls of a batch: the first interval, and the maximum. */
const LOOK_MS = { first: 50, most: 1000 };

/**
 * Number of polls after which kept commands are left to the hub, or the command line says that it
 * still waits: by then each live console has its command.
 */
const KEPT_LOOKS = 4;

/** Number of changes of a console that are printed. */
const CHANGES = 5;

/** Number of digits of an id that tell consoles of the same name apart. */
const ID_DIGITS = 8;

/**
 * Has consoles carry out a request; throws {@link Failure} if one of them has not carried it out.
 */
export async function fleetDo(given: Given): Promise<void> {
  const order = await orderIn(given);
  const done = await ask(given, "fleetdo", order).catch((fault) => suggest(given, fault));
  if ("preview" in done) return sayPreviews(given, done.preview);
  await sayBatch(given, done.id, order.kind === "kept" ? KEPT_LOOKS : Infinity);
}

/** Prints the results of a batch; throws {@link Failure} as {@link fleetDo} does. */
export async function fleetBatch(given: Given): Promise<void> {
  await sayBatch(given, given.get("id")!, 0);
}

/**
 * Repeats a batch at the consoles where it has failed; throws {@link Failure} as {@link fleetDo}
 * does.
 */
export async function fleetAgain(given: Given): Promise<void> {
  const { id, kind } = await ask(given, "fleetagain", { batch: given.get("id")! });
  await sayBatch(given, id, kind === "kept" ? KEPT_LOOKS : Infinity);
}

async function orderIn(given: Given): Promise<Order> {
  const id = given.get("id");
  return {
    select: await selectionIn(given),
    request: requestIn(given),
    kind: given.has("kept") ? "kept" : "live",
    together: given.has("together"),
    force: given.has("force"),
    preview: given.has("preview"),
    ...(id === undefined ? {} : { id }),
    ...(given.has("at") ? { at: timeIn(given.get("at")!) } : {}),
    ...(given.has("expires") ? { expires: numberIn(given, "expires", "ms") } : {}),
    ...(given.has("require") ? { require: requiredIn(given.get("require")!) } : {}),
  };
}

/** Reads a time as `faderd fleet batch --json` prints it, into ms since 1970. */
function timeIn(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw misuse(`--at: expected a time like 2026-11-24T20:15:00Z, got ${text}`);
  }
}

async function selectionIn(given: Given): Promise<Order["select"]> {
  const state = given.get("state");
  if (state !== undefined && !CONSOLE_STATES.some((one) => one === state)) {
    const expected = `expected ${CONSOLE_STATES.join(", ")}, got ${state}`;
    throw misuse(`--state: ${expected}${meant(state, CONSOLE_STATES)}`);
  }
  const texts = {
    site: "site",
    name: "name",
    label: "label",
    version: "firmware",
    state: "state",
    drift: "drift",
  };
  const selection = Object.fromEntries(
    Object.entries(texts).filter(([, option]) => given.has(option))
      .map(([member, option]) => [member, given.get(option)!]),
  );
  const list = given.get("consoles");
  if (list === undefined && !given.has("all") && Object.keys(selection).length === 0) {
    const options = Object.values(texts).map((option) => `--${option}`).join(", ");
    throw misuse(`which consoles? expected ${options}, --consoles or --all`);
  }
  const all = given.has("all") ? { all: true } : {};
  if (list === undefined) return { ...selection, ...all };
  const consoles = await ask(given, "fleetlist", {});
  const ids = list.split(",").map((text) => named(consoles, text).id);
  return { ...selection, ...all, ids };
}

function requestIn(given: Given): Order["request"] {
  const [set, method, params] = [given.get("set"), given.get("rpc"), given.get("params")];
  if ((set === undefined) === (method === undefined)) {
    throw misuse("expected --set PATH=VALUE or --rpc METHOD, and one of them");
  }
  if (set !== undefined) {
    if (params !== undefined) throw misuse("--params goes with --rpc");
    const [path, payload] = valueIn("set", set);
    return { method: "set", path, payload };
  }
  const parsed = params === undefined ? undefined : parse(params);
  if (params !== undefined && (typeof parsed !== "object" || parsed === null)) {
    throw misuse(`--params: expected a JSON object, got ${params}`);
  }
  return {
    method: "rpc",
    payload: { method: method!, ...(parsed === undefined ? {} : { params: parsed }) },
  };
}

function requiredIn(text: string): Readonly<Record<string, Json>> {
  const parsed = parse(text);
  if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, Json>;
  return Object.fromEntries([valueIn("require", text)]);
}

/** Reads `/path=value`, where the value is JSON or else a text. */
function valueIn(option: string, text: string): readonly [path: string, value: Json] {
  const end = text.indexOf("=");
  if (end < 1 || !text.startsWith("/")) {
    throw misuse(`--${option}: expected PATH=VALUE, like /audio/…/label=Host, got ${text}`);
  }
  const value = text.slice(end + 1);
  const parsed = parse(value);
  return [text.slice(0, end), parsed === undefined ? value : parsed];
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds a suggestion for a site or a console to a failure. */
async function suggest(given: Given, fault: unknown): Promise<never> {
  if (!(fault instanceof Failure) || !fault.message.startsWith("select: no console")) throw fault;
  const consoles = await ask(given, "fleetlist", {});
  const known = { site: consoles.map(({ site }) => site), name: consoles.map(({ name }) => name) };
  const questions = (["site", "name"] as const).map((option) => {
    const text = given.get(option);
    const isKnown = text === undefined || known[option].includes(text);
    return isKnown ? "" : meant(text, known[option]);
  });
  throw new Failure(plain(fault.message + questions.join("")));
}

function sayPreviews(given: Given, previews: Previews): void {
  if (given.has("json")) {
    printJson(previews);
  } else {
    const names = namesIn(previews);
    for (const preview of previews) {
      const { console, site } = preview;
      const fields = [names.get(console)!, `site ${site || "none"}`, previewText(preview)];
      print(fields.map(plain).join("\t"));
    }
  }
  const refused = previews.filter((preview) => preview.refused !== undefined).length;
  const without = previews.filter((preview) => preview.noPreview !== undefined).length;
  const all = `of ${previews.length} consoles`;
  const open = [
    ...(refused === 0 ? [] : [`${refused} ${all} would refuse it`]),
    ...(without === 0 ? [] : [`${without} ${all} have no preview`]),
  ];
  if (open.length > 0) throw new Failure(open.join("; "));
}

function previewText({ changes, more, refused, noPreview }: Previews[number]): string {
  if (refused !== undefined) return `refused: ${refused}`;
  if (noPreview !== undefined) return `no preview: ${noPreview}`;
  const shown = changes.slice(0, CHANGES).map(({ path, before, after }) =>
    `${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`
  );
  const others = changes.length - shown.length + more;
  if (shown.length === 0) {
    return others === 0 ? "nothing would change" : `${others} values would change`;
  }
  return [...shown, ...(others === 0 ? [] : [`and ${others} more`])].join("; ");
}

/**
 * Prints a batch once it is settled, or after a maximum number of polls, which does not apply with
 * `--wait`.
 */
async function sayBatch(given: Given, id: string, looks: number): Promise<void> {
  const most = given.has("wait") ? Infinity : looks;
  await settled(given, id, most);
  const batch = await ask(given, "fleetbatch", { batch: id });
  if (given.has("json")) printJson(batch);
  else sayResults(batch);
  const { consoles, counts } = batch;
  const waiting = most === Infinity ? 0 : counts.queued + counts.sent;
  if (counts.done + waiting === consoles) return;
  const others = Object.entries(counts).filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const all = consoles === 1 ? "1 console" : `${consoles} consoles`;
  throw new Failure(`of ${all}: ${others}; to repeat it there: faderd fleet again ${id}`);
}

function sayResults({ id, results, counts }: Batch): void {
  const names = namesIn(results);
  for (const { console, site, outcome, why } of results) {
    const fields = [names.get(console)!, `site ${site || "none"}`, outcome];
    print([...fields, ...(why === undefined ? [] : [why])].map(plain).join("\t"));
  }
  const waiting = counts.queued + counts.sent;
  if (waiting > 0) print(`${waiting} not done yet; faderd fleet batch ${id} tells of them`);
}

/**
 * Returns the name of each console by its id. Consoles that share a name, such as a dead console
 * and its replacement, have the start of their id as well, which `--consoles` accepts.
 */
function namesIn(
  consoles: readonly { readonly console: string; readonly name: string }[],
): ReadonlyMap<string, string> {
  const known = Map.groupBy(consoles, ({ name }) => name);
  return new Map(consoles.map(({ console, name }) => {
    const isShared = known.get(name)!.length > 1;
    return [console, isShared ? `${name} (${console.slice(0, ID_DIGITS)})` : name];
  }));
}

/**
 * Waits until each console of a batch has its result, for a maximum number of polls. It says how
 * to stop waiting, because kept commands may wait for days. With `--wait` it goes on while the hub
 * does not answer, as during its restart.
 */
async function settled(given: Given, id: string, looks: number): Promise<void> {
  const { url, request } = serviceOf(given)!;
  let isAway = false;
  for (let look = 0; look < looks; look++) {
    const ms = Math.min(LOOK_MS.first * 2 ** look, LOOK_MS.most);
    const answer = await request(`/api/rest/batches/${id}/_state`).catch((fault: Failure) => fault);
    const isFailure = answer instanceof Failure;
    if (isFailure && !given.has("wait")) throw answer;
    const state = isFailure ? undefined : await answer.json().catch(() => undefined);
    const wasAway = isAway;
    const why = isFailure
      ? answer.message
      : answer.status >= 500
      ? `${url} answers with status ${answer.status}`
      : answer.ok && state === undefined
      ? `the answer of ${url} was cut off`
      : undefined;
    isAway = given.has("wait") && why !== undefined;
    if (!isAway && state !== "running") return;
    if (isAway && !wasAway) report(`${why}; the waiting goes on`);
    if (look === KEPT_LOOKS) {
      report(
        "waiting for consoles that have not done it; Ctrl-C stops the waiting, not the batch: " +
          `faderd fleet batch ${id} tells of it`,
      );
    }
    await new Promise<void>((resolve) => after(machineTimer, ms, resolve));
  }
}
