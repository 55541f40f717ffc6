/**
 * Hubs and their consoles in simulated time: the real uplink, the real core of a hub, and a network
 * between them that delays, holds, and cuts.
 *
 * @module
 */
import type { AuditEntry } from "../../core/audit.ts";
import type { Console } from "../../core/console.ts";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import { createHub, type Hub } from "../../fleet/hub/hub.ts";
import { type Ledger, LedgerError } from "../../fleet/ledger/ledger.ts";
import type { Dial, LineListener } from "../../fleet/uplink/line.ts";
import { openMemoryLedger } from "../../fleet/ledger/memory.ts";
import { startUplink, type Uplink } from "../../fleet/uplink/uplink.ts";
import { machine } from "../../runtimes/clock.ts";
import type { Listener } from "../../transport/arrival.ts";
import { createWrongTokens } from "../../transport/wrong-tokens.ts";
import { demoWith, stillClock, testConsole } from "../service.ts";
import type { Chance } from "../storage/random.ts";
import { passingTime } from "../timers.ts";
import { type BusPlace, memoryBus } from "./memory-bus.ts";
import { whole } from "../../storage/records.ts";
import { expectDone } from "./open-hub.ts";
import {
  type LedgerWay,
  ledgerWay,
  type SimulatedMedium,
  simulatedMedium,
  storeOn,
} from "./simulated-media.ts";

/** The wall time at the start, in ms since 1970. */
const START = 1_700_000_000_000;

/** Maximum time in ms that a frame is on its way. */
const LATENCY_MS = 30;

/** Time in ms after which an end notices that the network cut its connection, if it does. */
const CUT_NOTICED_MS = 8000;

/** The probability that it never notices, as behind a router that forgets connections. */
const UNNOTICED = 0.4;

/** A program whose timers wait while it is stopped. */
interface Node {
  readonly isDead: boolean;
  readonly isPaused: boolean;
  readonly timer: Timer;
  /** Runs work at once, or when the program goes on. */
  run(work: () => void): void;
  pause(): void;
  goOn(): void;
  /** Ends it: none of its code runs any more. */
  kill(): void;
}

function createNode(timer: Timer): Node {
  let isPaused = false;
  let isDead = false;
  const waiting: (() => void)[] = [];

  function run(work: () => void): void {
    if (isDead) return;
    if (isPaused) waiting.push(work);
    else work();
  }

  return {
    get isDead() {
      return isDead;
    },
    get isPaused() {
      return isPaused;
    },
    run,
    timer: {
      monotonic: timer.monotonic,
      at(due, wake) {
        let isCancelled = false;
        const cancel = timer.at(due, () => run(() => isCancelled || wake()));
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    },
    pause() {
      isPaused = true;
    },
    goOn() {
      isPaused = false;
      while (!isPaused && waiting.length > 0) waiting.shift()!();
    },
    kill() {
      isDead = true;
    },
  };
}

/** A console of a simulated fleet. */
export interface SimulatedConsole {
  readonly id: string;
  /** The console of the present program: another one after a kill. */
  readonly console: Console;
  /** The medium of its log, where the fleet has media. */
  readonly medium: SimulatedMedium;
  /** The records on it. */
  readonly records: readonly Uint8Array[];
  /** Sets its clock, by this many ms. */
  setClock(ms: number): void;
  /** The time in ms at which its last frame reached the hub. */
  readonly heardAt: number;
  /**
   * Kills the program and starts a new one; `isNoticed` says whether the connections of the old one
   * are cut then, so that the hub may notice.
   */
  restart(isNoticed: boolean): Promise<void>;
  pause(): void;
  goOn(): void;
  /** Cuts, or mends, the network between it and one hub; without `hub` that to all hubs. */
  cut(isCut: boolean, hub?: number): void;
  /** Loses the next change that it sends. */
  loseChange(): void;
}

/** A simulated fleet. */
export interface SimulatedFleet {
  readonly consoles: readonly SimulatedConsole[];
  hub(at?: number): Hub;
  /** Says whether a hub is there, and is not paused. */
  isRunning(at?: number): boolean;
  /** Says whether a hub was not killed. */
  isThere(hub: Hub, at: number): boolean;
  now(): number;
  pass(ms: number): void;
  /** Kills the hub, and starts it again on the same ledger after `awayMs`. */
  restartHub(awayMs: number, at?: number): Promise<void>;
  killHub(at?: number): void;
  /** Starts a killed hub on the same ledger; does nothing where it is there. */
  startHub(at?: number): Promise<void>;
  pauseHub(at?: number): void;
  resumeHub(at?: number): void;
  /** Cuts a hub off from the others, or joins it again. */
  cutBus(at: number, isCut: boolean): void;
  /** Loses the next message of another hub to it. */
  loseOnBus(at: number): void;
  /** Has the messages to it wait, or passes them on. */
  holdBus(at: number, isHeld: boolean): void;
  readonly ledger: Ledger;
  /** The way of a hub to the ledger. */
  way(at?: number): LedgerWay;
  /** Returns the time by the clock of a hub. */
  hubTime(at?: number): number;
  /** Sets the clock of a hub, by this many ms. */
  setHubClock(ms: number, at?: number): void;
  /** Sets the clocks of all hubs by that of the first. */
  agreeOnTime(): void;
}

/** The events of a fleet with media, where a restarted console has the state of its records. */
export interface OnMedia {
  /** A console has begun to write a record. */
  begun(record: Uint8Array, console: string): void;
  /** A change by a console is in force. */
  changed(entry: AuditEntry, console: string): void;
  /** A hub has started. */
  started(hub: Hub, at: number, world: { readonly clock: Clock; readonly timer: Timer }): void;
}

/** A fault of the product, which a simulation has to find. */
export interface Mutant {
  /** The ledger that the hubs share, instead of the right one. */
  ledger?(ledger: Ledger): Ledger;
  /** The records that a console finds when it starts. */
  found?(records: readonly Uint8Array[]): readonly Uint8Array[];
  /** The frames that a hub sends a console where it should send `frame`. */
  sent?(frame: string, console: string): readonly string[];
}

/** The options of a simulated fleet. */
export interface FleetOptions {
  /** Number of consoles. */
  readonly consoles: number;
  /** Number of hubs, which share a ledger and a bus; 1 by default. */
  readonly hubs?: number;
  readonly media?: OnMedia;
  readonly mutant?: Mutant;
}

interface HubNode {
  /** Its place in the list of each console. */
  readonly index: number;
  readonly node: Node;
  readonly hub: Hub;
  /** The functions that end the connections to it. */
  readonly connections: Set<() => void>;
  /** Its place at the bus, if there are several hubs. */
  readonly place: BusPlace | undefined;
}

/** Starts hubs, and approved consoles. */
export async function simulatedFleet(
  chance: Chance,
  { consoles: count, hubs: hubCount = 1, media, mutant = {} }: FleetOptions,
): Promise<SimulatedFleet> {
  const { timer, pass } = passingTime();
  const indices = Array.from({ length: hubCount }, (_, index) => index);
  const hubsSetBy = indices.map(() => 0);
  const clocks = indices.map((index): Clock => ({
    now: () => START + hubsSetBy[index]! + timer.monotonic(),
    monotonic: timer.monotonic,
  }));
  const ways = indices.map(() => ledgerWay(timer, chance, hubCount > 1));
  const ledger: Ledger = await openMemoryLedger();
  const shared = mutant.ledger?.(ledger) ?? ledger;
  const hubs: (HubNode | undefined)[] = [];
  const join = memoryBus(timer, () => chance.between(0, LATENCY_MS));
  let isBuilt = false;

  async function startHub(index: number): Promise<HubNode> {
    const node = createNode(timer);
    const clock = clocks[index]!;
    const place = hubCount === 1 ? undefined : join(node.run);
    const hub = await createHub({
      ledger: ways[index]!.ledger(node, shared, () => isBuilt && media !== undefined),
      bus: place?.bus,
      clock,
      timer: node.timer,
      random: machine.random,
      wrongTokens: createWrongTokens(() => {}),
      organisation: "Radio",
      name: "hub",
      version: "1.2.3",
      anonymous: "none",
      staleAfter: 3000,
      onFault(fault) {
        // The medium did not take a line of the audit trail.
        if (!(fault instanceof LedgerError)) throw fault;
      },
    });
    media?.started(hub, index, { clock, timer: node.timer });
    return { index, node, hub, connections: new Set(), place };
  }

  /** Connects two programs: the frames of each reach the other in order, unless it has ended. */
  function connect(
    at: HubNode | undefined,
    id: string,
    console: { readonly node: Node; readonly link: Link },
    listener: LineListener,
  ): ReturnType<Dial> {
    const { link, node } = console;
    let hubEnd: Listener | undefined;
    let isOverHere = false;
    let isOverThere = false;
    let isLost = false;
    let arrivesAt = 0;

    function deliver(to: Node, work: () => void): void {
      arrivesAt = Math.max(arrivesAt, timer.monotonic() + chance.between(0, LATENCY_MS));
      timer.at(arrivesAt, () => isLost || to.run(work));
    }

    function endHere(code: number): void {
      if (isOverHere) return;
      isOverHere = true;
      link.lines.delete(lose);
      listener.closed(code, "");
    }

    function endThere(): void {
      if (isOverThere) return;
      isOverThere = true;
      at?.connections.delete(lose);
      hubEnd?.closed();
    }

    /** Each end notices by itself; later frames are lost. */
    function lose(): void {
      isLost = true;
      const notice = (work: () => void) => {
        if (!chance.hits(UNNOTICED)) after(timer, chance.between(0, CUT_NOTICED_MS), work);
      };
      notice(() => node.run(() => endHere(1006)));
      notice(() => at?.node.run(endThere));
    }

    link.lines.set(lose, at?.index);
    if (at === undefined || link.isCutFrom.has(at.index)) {
      after(timer, LATENCY_MS, () => node.run(() => endHere(1006)));
    } else {
      at.connections.add(lose);
      deliver(at.node, () => {
        hubEnd = at.hub.dialled.open(id, "10.0.0.9", {
          send(text) {
            for (const frame of mutant.sent?.(text, id) ?? [text]) {
              deliver(node, () => isOverHere || listener.received(frame));
            }
          },
          close: (code) => {
            deliver(node, () => endHere(code));
            endThere();
          },
          bufferedAmount: 0,
        });
      });
    }
    return {
      send(data) {
        if (isOverHere || at === undefined) return;
        // A faulty proxy loses a frame like this.
        if (link.loses && String(data).includes('"change"')) return void (link.loses = false);
        deliver(at.node, () => {
          if (isOverThere) return;
          link.heardAt = timer.monotonic();
          hubEnd?.receive(data);
        });
      },
      close(code) {
        if (at !== undefined) deliver(at.node, endThere);
        after(timer, 0, () => node.run(() => endHere(code)));
      },
      bufferedAmount: 0,
    };
  }

  async function addConsole(at: number): Promise<SimulatedConsole> {
    const { hub } = hubs[0]!;
    const id = at.toString(16).padStart(32, "0");
    await hub.people.add({ name: `admin${at}`, may: "admin" });
    const admin = { user: { name: `admin${at}`, may: "admin" }, from: "test" } as const;
    const { code } = expectDone(await hub.makeCode(admin));
    const name = `console-${at}`;
    expectDone(await hub.enrolments.enrol({ code, console: id, name, site: "berlin" }));
    expectDone(await hub.approve(id, admin) ?? {});
    const configuration = demoWith({ device: { name }, mixers: [{ faders: 4 }] });
    const ownMedium = simulatedMedium(timer, chance);
    const records: Uint8Array[] = [];
    let setBy = 0;
    const ownClock = {
      now: () => START + setBy + timer.monotonic(),
      monotonic: timer.monotonic,
    };
    let console = await openConsole(undefined);
    const link = createLink(indices);
    let boot = 0;
    let node = createNode(timer);
    let uplink: Uplink | undefined;

    /** Opens the console with the state of its records. */
    async function openConsole(own: Node | undefined): Promise<Console> {
      if (media === undefined) return await testConsole({ configuration, clock: stillClock() });
      return await testConsole({
        configuration,
        clock: ownClock,
        records: mutant.found?.(records) ?? records,
        audit: (entry) => media.changed(entry, id),
        store: own === undefined
          ? { append: (record) => Promise.resolve(void records.push(whole(record))) }
          : storeOn(ownMedium, own, records, (record) => media.begun(record, id)),
      });
    }

    async function start(): Promise<void> {
      const own = createNode(timer);
      node = own;
      if (media !== undefined) console = await openConsole(own);
      boot++;
      uplink = startUplink(console, {
        id,
        hubs: hubs.map((_, index) => `wss://${index}.test`),
        summary: { site: "berlin", may: "operate", version: "1" },
        service: () => new Response(null),
        sessions: { clients: () => [], history: { second: () => 0, of: () => undefined } },
        clock: ownClock,
        timer: own.timer,
        scheduler: withoutPauses,
        random: () => chance.between(0, 999) / 1000,
        boot: `boot-${boot}`,
        dial(url, _path, listener) {
          const at = hubs[Number(new URL(url).hostname.split(".")[0])];
          return connect(at, id, { node: own, link }, listener);
        },
        onFault(fault) {
          throw fault;
        },
        tell() {},
      });
    }

    await start();
    return {
      id,
      get console() {
        return console;
      },
      medium: ownMedium,
      records,
      setClock: (ms) => void (setBy += ms),
      get heardAt() {
        return link.heardAt;
      },
      async restart(isNoticed) {
        // Frames of the old program are not sent any more, also if it was stopped.
        node.kill();
        ownMedium.died(node);
        if (isNoticed) { for (const lose of [...link.lines.keys()]) lose(); }
        link.lines.clear();
        uplink?.stop();
        await start();
      },
      pause: () => node.pause(),
      goOn: () => node.goOn(),
      cut: link.cut,
      loseChange: () => void (link.loses = true),
    };
  }

  for (const index of indices) hubs.push(await startHub(index));
  const consoles: SimulatedConsole[] = [];
  for (let at = 1; at <= count; at++) consoles.push(await addConsole(at));
  isBuilt = true;

  function killHub(at = 0): void {
    const killed = hubs[at];
    if (killed === undefined) return;
    killed.node.kill();
    ways[at]!.medium.died(killed.node);
    for (const lose of [...killed.connections]) lose();
    hubs[at] = undefined;
  }

  async function start(at = 0): Promise<void> {
    hubs[at] ??= await startHub(at);
  }

  return {
    consoles,
    hub: (at = 0) => hubs[at]!.hub,
    isRunning: (at = 0) => hubs[at]?.node.isPaused === false,
    isThere: (hub, at) => hubs[at]?.hub === hub || !isBuilt,
    now: timer.monotonic,
    pass,
    async restartHub(awayMs, at) {
      killHub(at);
      pass(awayMs);
      await start(at);
    },
    killHub,
    startHub: start,
    pauseHub: (at = 0) => hubs[at]?.node.pause(),
    resumeHub: (at = 0) => hubs[at]?.node.goOn(),
    cutBus: (at, isCut) => hubs[at]?.place?.cut(isCut),
    loseOnBus: (at) => hubs[at]?.place?.lose(),
    holdBus: (at, isHeld) => hubs[at]?.place?.hold(isHeld),
    ledger,
    way: (at = 0) => ways[at]!,
    hubTime: (at = 0) => clocks[at]!.now(),
    setHubClock: (ms, at = 0) => void (hubsSetBy[at]! += ms),
    agreeOnTime: () => void hubsSetBy.fill(hubsSetBy[0]!),
  };
}

/** The network of one console. */
interface Link {
  /** The hubs that it is cut off from. */
  readonly isCutFrom: Set<number>;
  heardAt: number;
  /** The functions that end its connections, each with its hub. */
  readonly lines: Map<() => void, number | undefined>;
  /** Whether the next change of the console is lost, and only that. */
  loses: boolean;
  cut(isCut: boolean, hub?: number): void;
}

function createLink(hubs: readonly number[]): Link {
  const link: Link = {
    isCutFrom: new Set(),
    heardAt: -Infinity,
    lines: new Map(),
    loses: false,
    cut(isCut, hub) {
      for (const one of hub === undefined ? hubs : [hub]) {
        if (!isCut) link.isCutFrom.delete(one);
        else if (!link.isCutFrom.has(one)) {
          link.isCutFrom.add(one);
          for (const [lose, to] of [...link.lines]) if (to === one) lose();
        }
      }
    },
  };
  return link;
}
