/**
 * The core of a hub in memory, whose time passes when the test says so, and the consoles that dial
 * it: the test is the console at the other end of each socket.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { createHub, type Hub, type HubParts } from "../../fleet/hub/hub.ts";
import type { FleetActor } from "../../fleet/hub/hub-core.ts";
import type { FleetAuditEntry } from "../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../fleet/ledger/memory.ts";
import type { FromConsole, FromHub, Summary } from "../../fleet/wire.ts";
import { machine } from "../../runtimes/clock.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { createWrongTokens } from "../../transport/wrong-tokens.ts";
import type { Json } from "../service.ts";
import { until } from "../until.ts";
import { passingTime } from "../timers.ts";

/** One end of a socket in memory. */
export interface PlayedSocket {
  readonly socket: Socket;
  /** The messages sent to this end. */
  readonly sent: (string | Uint8Array)[];
  /** The frames of a type among them. */
  frames(type?: FromHub["type"]): Json[];
  /** The close code that came; undefined while it is open. */
  closedWith: number | undefined;
  /** Bytes that the network has not accepted. */
  bufferedAmount: number;
}

/** Makes a socket in memory. */
export function playedSocket(): PlayedSocket {
  const played: PlayedSocket = {
    sent: [],
    closedWith: undefined,
    bufferedAmount: 0,
    frames: (type) =>
      played.sent.filter((one) => typeof one === "string").map((one) => JSON.parse(one))
        .filter((frame) => type === undefined || frame.type === type),
    socket: {
      send: (text) => void played.sent.push(text),
      sendBytes: (bytes) => void played.sent.push(bytes),
      close: (code) => void (played.closedWith ??= code),
      get bufferedAmount() {
        return played.bufferedAmount;
      },
    },
  };
  return played;
}

/** A control socket, as the console sees it. */
export interface PlayedConsole extends PlayedSocket {
  readonly id: string;
  readonly listener: Listener;
  say(frame: FromConsole | Readonly<Record<string, unknown>>): void;
  birth(given?: {
    readonly boot?: string;
    readonly epoch?: number;
    readonly summary?: Partial<Summary>;
  }): void;
  beat(): void;
  /** Ends the connection. */
  end(): void;
  /** Dials a socket for the last ticket that came. */
  takeTicket(): PlayedSocket & { readonly listener: Listener };
}

let count = 0;

/** The default summary of a console. */
export function summaryOf(summary: Partial<Summary> = {}): Summary {
  return {
    name: "Studio 1",
    site: "berlin",
    may: "operate",
    version: "1.0.0",
    tree: {},
    alarms: [],
    ...summary,
  };
}

/** Opens the core of a hub with one admin, "anna". */
export async function openHub(parts: Partial<HubParts> = {}) {
  const { timer, pass } = passingTime();
  const START = Date.UTC(2026, 0, 1);
  const clock = { now: () => START + timer.monotonic(), monotonic: timer.monotonic };
  const ledger = parts.ledger ?? await openMemoryLedger();
  const hub: Hub = await createHub({
    ledger,
    clock,
    timer,
    random: machine.random,
    wrongTokens: createWrongTokens(() => {}),
    organisation: "Radio",
    name: "hub-a",
    version: "1.2.3",
    anonymous: "none",
    staleAfter: 3000,
    onFault(fault) {
      throw fault;
    },
    ...parts,
  });
  const anna = hub.people.list().some(({ name }) => name === "anna")
    ? undefined
    : expectDone(await hub.people.add({ name: "anna", may: "admin" }));
  const admin: FleetActor = { user: { name: "anna", may: "admin" }, from: "10.0.0.1" };

  /** Enrols a console, and returns its id. */
  async function enrol(name = "Studio 1"): Promise<string> {
    const { code } = expectDone(await hub.makeCode(admin));
    const id = (++count).toString(16).padStart(32, "0");
    expectDone(await hub.enrolments.enrol({ code, console: id, name, site: "berlin" }));
    return id;
  }

  /** Enrols and approves a console, and returns its id. */
  async function approved(name?: string): Promise<string> {
    const id = await enrol(name);
    expectDone(await hub.approve(id, admin) ?? {});
    return id;
  }

  /** Opens a control socket of an enrolled console. */
  function dial(id: string): PlayedConsole {
    const played = playedSocket();
    const listener = hub.dialled.open(id, "10.0.0.9", played.socket);
    let epoch = 0;
    return Object.assign(played, {
      id,
      listener,
      say: (frame: object) => listener.receive(JSON.stringify(frame)),
      birth(
        { boot = "boot-1", epoch: given, summary }: Parameters<PlayedConsole["birth"]>[0] = {},
      ) {
        listener.receive(JSON.stringify({
          type: "birth",
          console: id,
          boot,
          epoch: given ?? ++epoch,
          seq: 0,
          t: clock.now(),
          summary: summaryOf(summary),
          digests: {},
        }));
      },
      beat: () => listener.receive(JSON.stringify({ type: "beat", t: clock.now() })),
      end: () => listener.closed(1006, ""),
      takeTicket() {
        const { ticket } = played.frames("open").at(-1)!;
        const socket = playedSocket();
        return Object.assign(socket, { listener: hub.tickets.take(ticket)!(socket.socket) });
      },
    });
  }

  /** Enrols and approves a console, dials the hub for it, and sends its birth. */
  async function live(given?: Parameters<PlayedConsole["birth"]>[0]): Promise<PlayedConsole> {
    const console = dial(await approved(given?.summary?.name));
    console.birth(given);
    return console;
  }

  return {
    hub,
    ledger,
    clock,
    timer,
    pass,
    admin,
    token: anna?.token ?? "",
    enrol,
    approved,
    dial,
    live,
    state: (id: string) => hub.consoles().get(id)?.state,
    entry: (id: string) => hub.consoles().get(id)!,
  };
}

/** The outcome as a result; throws when it is a refusal. */
export function expectDone<Value extends object>(outcome: Value): Exclude<Value, { code: number }> {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome as Exclude<Value, { code: number }>;
}

/** Waits for an entry of the audit trail, the newest of its kind. */
export async function newest(hub: Hub, by: FleetActor, what: string): Promise<FleetAuditEntry> {
  let found: FleetAuditEntry | undefined;
  await until(async () => {
    found = expectDone(await hub.audit(100, by)).find((entry) => entry.what === what);
    return found !== undefined;
  });
  return found!;
}
