/**
 * The live state of the console in the page. Every part of the page reads the control tree by
 * {@link at}, changes it by {@link set} and {@link rpc}, and receives meters by {@link meters}.
 * There is one connection for all of them.
 *
 * @module
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import {
  type ClientWithoutHandles as Client,
  type ConnectionState,
  connectWithoutHandles,
  type DeskEvent,
  type Extent,
  type Part,
  RequestError,
  type RpcName,
  type RpcParams,
  type RpcResult,
  type ValueAt,
  type Writable,
} from "../../client/client.ts";
import { webWorld } from "../../client/world.ts";
import { type Asked, createAsked } from "./asked.ts";
import { createBeat } from "./beat.ts";
import { createMeterFeeds } from "./meter-feeds.ts";
import { notice } from "./notices.ts";
import { createTree } from "./tree.ts";
import { texts } from "../texts/texts.ts";

/** The codes of refusals that depend on the user: not logged in (4), and no right (5). */
const RIGHTS_CODES: readonly (number | string)[] = [4, 5];

/** The state of the connection between the page and the console. */
export interface Link {
  /** `silent` while the connection is open, but no messages arrive. */
  readonly state: ConnectionState | "silent";
  /** The reason for the state, as the client gives it. */
  readonly reason: string;
  /** The code with which the last connection was closed, if one was. */
  readonly code?: number | undefined;
  /** The time at which the state began, in ms since 1970. */
  readonly since: number;
}

const first: Link = { state: "connecting", reason: "", since: Date.now() };
const currentLink = signal<Link>(first);

/** The state of the connection. */
export const link: ReadonlySignal<Link> = currentLink;

/**
 * The address of the WebSocket: below the path of this page, so it includes the path prefix of a
 * proxy.
 */
const ADDRESS = new URL("api/ws", document.baseURI).href.replace(/^http/, "ws");

let desk: Client | undefined;
const openListeners = new Set<() => void>();
const rightsListeners = new Set<() => void>();
const eventListeners = new Set<(event: DeskEvent) => void>();
const meterFeeds = createMeterFeeds(() => desk);

const askedValues = createAsked();

const beat = createBeat({
  ask: () => desk!.get("/general/_uptime"),
  every: (ms, act) => void setInterval(act, ms),
  now: Date.now,
  changed(isSilent) {
    currentLink.value = { state: isSilent ? "silent" : "open", reason: "", since: Date.now() };
  },
});

/** The ports of the client; each message counts as a sign of life. */
const world = {
  ...webWorld,
  open(url: string) {
    const socket = new WebSocket(url);
    socket.addEventListener("message", beat.heard);
    return socket;
  },
};

/** The number of values that parts of the page have asked for. */
let readCount = 0;

const tree = createTree({
  subscribe(path, subscriber, extent) {
    readCount++;
    const end = desk?.subscribe(path, subscriber, extent === undefined ? {} : { extent });
    beat.reads();
    return end ?? (() => {});
  },
  // A refused value does not exist, and the page shows nothing for it. The values are requested
  // after the frame that first shows the known values, because many strips need many values.
  read(path) {
    readCount++;
    return drawn().then(() => desk!.get(path)).catch(() => undefined);
  },
});

/** Resolves once the page has been drawn. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/**
 * Resolves once the console has answered all reads of the page: once a round trip has passed
 * between two frames in which no part requested more. A console answers in the order of the
 * requests, and a part that reads more because of an answer requests it in the next frame.
 */
export async function settled(): Promise<void> {
  let before: number;
  do {
    before = readCount;
    await drawn();
    await desk!.get("/general/_uptime").catch(() => {});
    await drawn();
  } while (readCount > before);
}

/** Connects with a token, or without a user; subscriptions continue on the new connection. */
export function open(token?: string): void {
  desk?.close();
  beat.end();
  const client = connectWithoutHandles(ADDRESS, {
    world,
    ...(token === undefined ? {} : { token }),
  });
  desk = client;
  currentLink.value = { state: "connecting", reason: "", since: Date.now() };
  client.onState(({ state, reason, code }) => {
    if (client !== desk) return;
    const { state: before, since } = currentLink.peek();
    const goesOn = state === before || state === "lost" && before === "silent";
    currentLink.value = { state, reason, code, since: goesOn ? since : Date.now() };
    if (state !== "open") return beat.end();
    askedValues.clear();
    beat.begin();
    tree.renew();
    meterFeeds.renew(client);
    for (const listener of openListeners) listener();
  });
  client.onEvent((event) => eventListeners.forEach((listener) => listener(event)));
  client.onUnstored(() => notice(texts().link.unstored));
  tree.restart();
  meterFeeds.restart(client);
}

/**
 * The live value at a path of the control tree; undefined until it is known. Subscribed as long as
 * its `.value` is read in a component, a `computed` or an `effect`. Of nested paths only the
 * outermost is subscribed: so a page should {@link follow} the branch that it shows, and each of
 * its parts read its own leaf. Meters are not delivered here: see {@link meters}.
 */
export function at<const Path extends string>(path: Path): ReadonlySignal<At<Path>> {
  return tree.at(path) as Signal<At<Path>>;
}

type At<Path extends string> = ValueAt<Path> | undefined;

/**
 * Subscribes to a branch for all parts that read values inside it; the returned function ends that.
 * For an effect of a page: `useEffect(() => follow("/audio/pots"), [])`. With an extent only that
 * part is read at first, and other values inside the branch when a part of the page reads them;
 * then it has to be a layout effect, which runs before the drawn values are requested.
 */
export function follow(path: string, extent?: Extent): () => void {
  return tree.follow(path, extent);
}

/**
 * Writes a value, or some of the values below a path. If the console refuses it, the message of the
 * refusal is shown as a notice. Resolves with the value then in force; undefined if it was refused.
 */
export function set<const Path extends string>(
  path: Path,
  value: Writable<ValueAt<Path>>,
): Promise<Writable<ValueAt<Path>> | undefined> {
  const answer = whileHeard(() => desk!.set(path, value));
  return noticed(() => askedValues.note(path, value, answer));
}

/** The value that was last set at a path; undefined once the console has answered. */
export function asked(path: string): ReadonlySignal<Asked | undefined> {
  return askedValues.at(path);
}

/**
 * Sends only while the console gives signs of life. A request into a silent connection would be
 * carried out when the console comes back, long after it was meant.
 */
async function whileHeard<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  if (await beat.lately()) return await send();
  throw new RequestError("closed", texts().link.unsent);
}

/**
 * Calls an RPC method. If the console refuses, its message is shown as a notice, and the result is
 * undefined.
 */
export function rpc<Name extends RpcName>(
  name: Name,
  params: RpcParams<Name>,
): Promise<RpcResult<Name> | undefined> {
  return noticed(() => whileHeard(() => desk!.rpc(name, params)));
}

/** Calls a method that releases something, which may be carried out at any time. */
export async function letGo<Name extends RpcName>(
  name: Name,
  params: RpcParams<Name>,
): Promise<void> {
  // A press may still wait for the console, and the release has to come after it.
  await beat.lately();
  // A button that is gone with its connection, or with its list, is released already.
  await desk!.rpc(name, params).catch(() => {});
}

/**
 * Calls an RPC method; rejects with a `RequestError`, for callers that show refusals themselves.
 * `send` sends the call on another way than the connection of the page.
 */
export async function tryRpc<Name extends RpcName>(
  name: Name,
  params: RpcParams<Name>,
  send = () => desk!.rpc(name, params),
): Promise<RpcResult<Name>> {
  try {
    return await whileHeard(send);
  } catch (fault) {
    // A refusal makes the page call `getuser`; if that were refused, too, it would never end.
    if (name !== "getuser") tellOfRights(fault);
    // The client's own message is about the protocol, and in English.
    const isLost = fault instanceof RequestError && fault.code === "lost";
    throw isLost ? new RequestError("lost", texts().link.unanswered) : fault;
  }
}

/**
 * Reads the value at a path once, or the part of it that `extent` describes; undefined if the
 * console refuses, and then its message is shown as a notice.
 */
export function read<const Path extends string>(path: Path): Promise<At<Path>>;
export function read<const Path extends string>(
  path: Path,
  extent: Extent,
): Promise<Part<At<Path>> | undefined>;
export function read(path: string, extent?: Extent): Promise<unknown> {
  return noticed(() => desk!.get(path, extent ?? {}));
}

/** Reads a part of the value at a path once; rejects if there is none. */
export function tryRead(path: string, extent: Extent): Promise<unknown> {
  return desk!.get(path, extent);
}

/** Calls a listener with a value, its meters and its changes, as `meter-feeds.ts` describes. */
export const { meters } = meterFeeds;

/**
 * Calls `listener` whenever the console begins to answer: now, if it answers, and after each loss
 * of the connection. The listener registers everything that belongs to a connection, such as
 * external lists.
 */
export function onOpen(listener: () => void): () => void {
  // A listener that throws here has no caller that could end it.
  if (link.peek().state === "open") listener();
  openListeners.add(listener);
  return () => openListeners.delete(listener);
}

/**
 * Calls `listener` with the events of the console that a connection has requested; the returned
 * function ends that.
 */
export function onEvent(listener: (event: DeskEvent) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

/**
 * Calls `listener` whenever the console refuses because of missing rights: they may have changed.
 */
export function onRightsRefused(listener: () => void): void {
  rightsListeners.add(listener);
}

function tellOfRights(fault: unknown): void {
  if (!(fault instanceof RequestError) || !RIGHTS_CODES.includes(fault.code)) return;
  for (const listener of rightsListeners) listener();
}

async function noticed<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask();
  } catch (fault) {
    tellOfRights(fault);
    const { code, message } = fault as RequestError;
    // The page itself shows that a connection is lost, or closed for another.
    if (code !== "lost" && code !== "closed") notice(message);
    return undefined;
  }
}
