/**
 * The messages between the hubs of an organisation over their bus (docs/fleet.md).
 *
 * @module
 */
import type { HubFacts } from "../hub/hub-core.ts";
import { organisationToken } from "./organisation-token.ts";
import type { ConsoleId, FleetUser, FromConsole, Summary } from "../wire.ts";

/** A running hub, as the other hubs know it: its boot. */
export type HubId = string;

/** The whole state of a console, from the hub that holds it. */
export interface PeerState {
  readonly type: "state";
  readonly hub: HubId;
  readonly console: ConsoleId;
  readonly boot: string;
  readonly epoch: number;
  readonly seq: number;
  readonly count: number;
  readonly hasGap: boolean;
  /** Time in ms since the console was last heard. */
  readonly silentMs: number;
  readonly summary: Summary;
  readonly digests: Readonly<Record<string, string>>;
}

/** A change that a console reported to the hub that holds it. */
export interface PeerChange {
  readonly type: "change";
  readonly hub: HubId;
  readonly console: ConsoleId;
  readonly epoch: number;
  readonly count: number;
  readonly change: Extract<FromConsole, { readonly type: "change" }>;
}

/** A hub no longer holds a console. */
export interface PeerEnded {
  readonly type: "ended";
  readonly hub: HubId;
  readonly console: ConsoleId;
}

/**
 * A message of `up`. Its `count` numbers the messages of the hub on the console, so that a lost
 * message shows.
 */
export type PeerReport = PeerState | PeerChange | PeerEnded;

/**
 * A console in a beat: its id, its epoch, the count of the last message on it, and the time in ms
 * since it was last heard; null while the hub waits for its birth.
 */
export type HeldConsoleBeat = readonly [ConsoleId, number, number, number | null];

/** A sign of life of a hub. */
export interface PeerBeat {
  readonly hub: HubId;
  /** All consoles that it holds. */
  readonly held: readonly HeldConsoleBeat[];
  /** Absent from hubs of earlier versions, and in the last beat. */
  readonly facts?: HubFacts;
  /** Whether it is the last beat: the hub stops. */
  readonly isLast?: boolean;
}

/**
 * Asks for the states of consoles: of some consoles that one hub holds, or of all that any hub
 * holds.
 */
export interface PeerAsk {
  readonly hub: HubId;
  readonly of?: HubId;
  readonly consoles?: readonly ConsoleId[];
}

/** Asks the hub that holds a console for a socket to it. */
export interface PeerOpen {
  readonly hub: HubId;
  readonly console: ConsoleId;
  readonly kind: "session" | "http";
  readonly as?: FleetUser;
  readonly from: string;
  /** Names the two subjects of the socket. */
  readonly socket: string;
}

/** The subjects of an organisation, whose name is one token in them. */
export interface PeerSubjects {
  /** {@link PeerReport} of a console; with `*`, the pattern of all consoles. */
  up(console: ConsoleId | "*"): string;
  /** {@link PeerBeat} of all hubs. */
  readonly beat: string;
  /** {@link PeerAsk}; it is answered by `to`. */
  readonly ask: string;
  /** {@link PeerState} for one hub alone. */
  to(hub: HubId): string;
  /** Requests to one hub: {@link PeerOpen}. */
  at(hub: HubId): string;
  /** Requests to one hub with a live command, and with a command to preview. */
  command(hub: HubId): string;
  preview(hub: HubId): string;
  /** Questions to the hub that has an object: {@link BetweenHubs}. */
  between(what: string): string;
  /** The messages of a socket, to the hub of the client and to the hub of the console. */
  socket(name: string, to: "client" | "console"): string;
}

/** Returns the subjects of an organisation. */
export function peerSubjects(organisation: string): PeerSubjects {
  const prefix = `fd.${organisationToken(organisation)}`;
  return {
    up: (console) => `${prefix}.up.${console}`,
    beat: `${prefix}.beat`,
    ask: `${prefix}.ask`,
    to: (hub) => `${prefix}.to.${hub}`,
    at: (hub) => `${prefix}.at.${hub}`,
    command: (hub) => `${prefix}.command.${hub}`,
    preview: (hub) => `${prefix}.preview.${hub}`,
    between: (what) => `${prefix}.between.${what}`,
    socket: (name, to) => `${prefix}.socket.${name}.${to}`,
  };
}
