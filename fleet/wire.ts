/**
 * The protocol between a console and its hub. The console dials; each frame is a text with one JSON
 * object. One control socket carries the frames below. Each session and each HTTP exchange has a
 * socket of its own, which the console dials for a ticket, so that nothing is multiplexed
 * (docs/fleet.md).
 *
 * @module
 */
import type { Json } from "../core/json.ts";
import type { Change } from "../core/noted-changes.ts";
import type { Branch, Patch } from "../core/tree/tree.ts";
import type { May } from "../core/users/user.ts";

/** The id of a console in its fleet: 32 lower-case hexadecimal digits, made at enrolment. */
export type ConsoleId = string;

/** The form of the ids of consoles, batches and commands. */
export const FLEET_ID = /^[0-9a-f]{32}$/;

/** {@link FLEET_ID} in words. */
export const FLEET_ID_FORM = "32 lower-case hexadecimal digits";

/**
 * The rights of the fleet on a console, each more than the right before: the rights of a user, and
 * `admin`, which is a user's right to back up, to restore and to change users.
 */
export const FLEET_MAY = ["view", "press", "operate", "configure", "admin"] as const;

/** A right of the fleet on a console: one of {@link FLEET_MAY}. */
export type FleetMay = May | "admin";

/** A user of the fleet for whom a hub vouches to a console. */
export interface FleetUser {
  readonly name: string;
  /** The right on this console, which the console limits to its own `fleet.may`. */
  readonly may: FleetMay;
}

/** The paths of the hub for consoles. */
export const UPLINK_PATHS = {
  /** POST, with {@link Enrolment}; answered with {@link Enrolled}. */
  enrol: "/uplink/enrol",
  /** The WebSocket of control frames. `Authorization: Bearer`, followed by the console's token. */
  control: "/uplink/control",
  /** The WebSocket of a ticket: `/uplink/ticket/`, followed by the ticket. */
  ticket: "/uplink/ticket/",
} as const;

/** The enrolment request of a console. */
export interface Enrolment {
  readonly code: string;
  readonly console: ConsoleId;
  /** `device.name`, for the admin who approves the console. */
  readonly name: string;
  /** The site of the console; empty if it has none. */
  readonly site: string;
}

/** The console is enrolled, and in quarantine until somebody approves it. */
export interface Enrolled {
  /** The console keeps it; the hub keeps only its hash. */
  readonly token: string;
  readonly organisation: string;
}

/** The part of a console that the hub shows without a session. */
export interface Summary {
  readonly name: string;
  readonly site: string;
  /** The highest right of fleet users there: `fleet.may`. */
  readonly may: FleetMay;
  /** The version of faderd. */
  readonly version: string;
  /** The shown part of the control tree, which `change` frames patch; never levels or meters. */
  readonly tree: Branch;
  /** Sentences that say what is wrong, such as a full medium; empty where all is well. */
  readonly alarms: readonly string[];
  /** Whether the console sends its hub `told` frames. */
  readonly tells?: true;
}

/**
 * A call of a user of the fleet on a console, as the console's own audit trail has it: a change
 * that is in force, or an attempt that was refused.
 */
export interface ToldLine {
  /** The name of the fleet user; undefined for calls of several users. */
  readonly user?: string;
  /** The address of the client of the hub. */
  readonly from?: string;
  /** The call, as the interface of the console names it. */
  readonly what: string;
  /** The name of a loaded snapshot, or the undone step. */
  readonly subject?: string;
  /** The first values that changed; a value that is too long is left out. */
  readonly changes?: readonly {
    readonly path: string;
    readonly before?: Json;
    readonly after?: Json;
  }[];
  /** The number of further changed values. */
  readonly more?: number;
  /** Set if the change is in force but could not be stored. */
  readonly durable?: false;
  /** The subject of a refused attempt: a path, or the parameters. */
  readonly target?: Json;
  readonly refused?: string;
  /** The number of equal calls that were merged into this line. */
  readonly again?: number;
}

/** A request that a command carries: a `set` of a path, or an RPC, as in the envelope. */
export type CommandRequest =
  | { readonly method: "set"; readonly path: string; readonly payload: Json }
  | {
    readonly method: "rpc";
    readonly payload: { readonly method: string; readonly params?: Json };
  };

/**
 * `live`: it is sent once, and never again after an unknown outcome; for levels, fades, buttons and
 * loads. `kept`: it waits in the ledger until the console is there; for labels, users and saved
 * snapshots.
 */
export type CommandKind = "live" | "kept";

/** A frame of the control socket from a console. */
export type FromConsole =
  /** The whole summary, after a connect, a gap and a `rebirth`. Sequence number 0. */
  | {
    readonly type: "birth";
    readonly console: ConsoleId;
    /** Random at each start of the program. */
    readonly boot: string;
    /**
     * Larger at each connect of the console: of two connections, the one with the larger epoch is
     * newer.
     */
    readonly epoch: number;
    readonly seq: 0;
    /** Wall time of the console, in ms since 1970. */
    readonly t: number;
    readonly summary: Summary;
    /** The digests of the sections of the console (fleet/uplink/digests.ts), by their names. */
    readonly digests: Readonly<Record<string, string>>;
  }
  /** Changed members of the summary; `tree` is a patch. Each has the next sequence number. */
  | {
    readonly type: "change";
    readonly seq: number;
    readonly t: number;
    readonly summary?: Partial<Omit<Summary, "tree">> & { readonly tree?: Patch };
    readonly digests?: Readonly<Record<string, string>>;
  }
  /**
   * `seq` is the number of the last change or birth, so that a gap shows even if nothing changes.
   */
  | { readonly type: "beat"; readonly seq?: number; readonly t: number }
  /** A ticket that the console does not use, and the reason. */
  | { readonly type: "unused"; readonly ticket: string; readonly why: string }
  /** The outcome of a command. */
  | {
    readonly type: "did";
    readonly id: string;
    readonly outcome: "done" | "refused" | "expired";
    readonly why?: string;
    readonly code?: number;
    /** The result; absent if it is too long, and for a command that was done before. */
    readonly result?: Json;
  }
  /** The preview of a command. */
  | {
    readonly type: "would";
    readonly id: string;
    /** The values of the control tree that would change; absent if they are too many. */
    readonly before?: Patch;
    readonly after?: Patch;
    /**
     * The values outside the control tree that would change, as the audit trail of the console has
     * them.
     */
    readonly changes?: readonly Change[];
    /** The number of further values that would change. */
    readonly more?: number;
    readonly refused?: string;
  }
  /**
   * Calls of users of the fleet, for the audit trail of the fleet; only to a hub that takes them.
   * `lost` is the number of lines before these that the console has left out.
   */
  | { readonly type: "told"; readonly lines: readonly ToldLine[]; readonly lost?: number };

/**
 * A frame of the control socket from a hub. A console ignores a frame of a type that it does not
 * know, while a hub ends the connection: a console sends a frame that older versions do not have
 * only to a hub whose `welcome` says that it takes it.
 */
export type FromHub =
  /** The first frame; sent again, with a `rebirth`, when somebody approves the console. */
  | {
    readonly type: "welcome";
    readonly hub: string;
    /** Random at each start of the hub. */
    readonly boot: string;
    readonly t: number;
    /** A console in quarantine is shown to people who approve; no ticket reaches it. */
    readonly quarantined: boolean;
    /** Whether the hub takes `told` frames. */
    readonly takesTold?: true;
  }
  | {
    readonly type: "beat";
    readonly t: number;
    readonly boot: string;
    /** The time of the console's last beat, and the time in ms since the hub heard it. */
    readonly heard?: { readonly t: number; readonly ms: number };
  }
  /** Asks for a birth, at once. Consoles of earlier versions refuse a frame without `within`. */
  | { readonly type: "rebirth"; readonly within: 0 }
  /**
   * Asks the console to dial a socket with this ticket, once and within 10 s. `session`: the socket
   * is then a WebSocket of the console's own `/api/ws`. `http`: it carries exchanges of
   * fleet/exchange.ts. `as` is the user; without it the socket is anonymous.
   */
  | {
    readonly type: "open";
    readonly ticket: string;
    readonly kind: "session" | "http";
    readonly as?: FleetUser;
    /** The address of the client of the hub, for the console's audit trail. */
    readonly from: string;
  }
  /** A command, which is answered with `did`. */
  | {
    readonly type: "do";
    readonly id: string;
    readonly batch: string;
    readonly kind: CommandKind;
    readonly expires: number;
    readonly at?: number;
    readonly require?: Readonly<Record<string, Json>>;
    readonly request: CommandRequest;
    readonly as: FleetUser;
    readonly from: string;
  }
  /** Asks for the preview of a command; it is answered with `would`. */
  | {
    readonly type: "preview";
    readonly id: string;
    readonly require?: Readonly<Record<string, Json>>;
    readonly request: CommandRequest;
    readonly as: FleetUser;
    readonly from: string;
  };

/** Interval of beats on the control socket in ms, in both directions. */
export const BEAT_MS = 1000;

/** Number of beats in a row that may be missing; then the other end is stale. */
export const MISSED_BEATS = 3;

/** Maximum rate of changes: messages per second, and bytes per second. */
export const CHANGES = { perSecond: 4, bytesPerSecond: 8192 } as const;

/** Maximum number of bytes that wait on a control socket; beyond it a birth replaces changes. */
export const UNSENT_BYTES = 64 * 1024;

/** Maximum number of bytes of a control frame. */
export const FRAME_BYTES = 1024 * 1024;

/**
 * Maximum number of bytes of the result of a command. A console keeps 2,048 results, and a hub
 * keeps none that is longer.
 */
export const RESULT_BYTES = 4096;

/** Maximum number of bytes of the values of a preview. */
export const ANSWER_BYTES = 64 * 1024;

/** Maximum number of bytes of the frame of an answer to a command. */
export const ANSWER_FRAME_BYTES = 2 * ANSWER_BYTES;

/** Maximum number of characters of the sentence that says why a command was refused. */
export const WHY_CHARACTERS = 500;

/** Maximum number of commands and previews that wait at a console, or are being carried out. */
export const COMMANDS_UNDER_WAY = 256;

/** Maximum number of lines of a `told` frame, and of characters of each as JSON. */
export const TOLD_LINES = 64;
export const TOLD_CHARACTERS = 4096;

/** Maximum number of characters of a name, a path and the like in a line of a `told` frame. */
export const TOLD_TEXT = 256;

/** Maximum number of values that a command requires. */
export const REQUIRED_VALUES = 8192;

/** Time in ms for which a ticket is valid. */
export const TICKET_MS = 10_000;

/** Time in ms for which a code of enrolment is valid, unless it was used. */
export const CODE_MS = 15 * 60_000;

/** Close codes of the control socket, after which dialling again at once is of no use. */
export const UPLINK_CLOSE = {
  /** The token belongs to no enrolled console, or no longer does. */
  notEnrolled: 4401,
  /** A frame that is not in the protocol. */
  malformed: 4400,
  /** A newer connection of the same console is there. */
  replaced: 4409,
} as const;

/**
 * A client may not close a WebSocket with a code below 3000, so a console closes the socket of a
 * session with the close code of its service (1000 to 1999) plus this number; the hub subtracts it.
 */
export const SESSION_CLOSE_OFFSET = 3000;
