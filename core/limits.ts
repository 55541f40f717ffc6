/**
 * Every fixed limit and range of the specification, once, with its unit (service.md, "Limits";
 * decisions.md). What an installation may change stands in the configuration's `limits` instead.
 *
 * @module
 */
import { FADE_MAX, FADER_MAX, FADER_MIN } from "../fade/limits.ts";

/** Level of a fader, in dB: the range of `fader` in the control tree and of a fade's `value`. */
export const FADER_DB = { min: FADER_MIN, max: FADER_MAX } as const;

/** Duration of a fade, in s; it goes in steps of 0.020 s. */
export const FADE_SECONDS = { min: 0, max: FADE_MAX } as const;

/** Faders that may move at the same time, unless the configuration has `limits.fades`. */
export const FADES = 1024;

/** What a meter without an audio engine reads, in dB. */
export const METER_SILENCE_DB = -125;

/** Characters in a label; it is stored in Unicode NFC. */
export const LABEL_LENGTH = { min: 0, max: 128 } as const;

/** Characters in a snapshot's `name`; the lower bound holds for `modifysnapshot`. */
export const SNAPSHOT_NAME_LENGTH = { min: 2, max: 64 } as const;

/** The bitmask of user groups that may load and modify a snapshot: at least one group. */
export const WRITEGROUPS = { min: 1, max: 255 } as const;

/** The bitmask of user groups that may load a snapshot: 0 is everyone, also not logged in. */
export const READGROUPS = { min: 0, max: 255 } as const;

/** The small integer by which the deprecated REST calls name a snapshot; 0 is the default snapshot. */
export const SNAPSHOT_ID = { min: 1, max: 65535 } as const;

/** Entries of one external list. */
export const LIST_ENTRIES = 1000;

/** Entries on one page of an external list, unless its configuration has a `pageSize`. */
export const LIST_PAGE_SIZE = 24;

/** How deep a message may nest: far beyond any payload of the protocol, far below the stack. */
export const MESSAGE_DEPTH = 64;

/**
 * Bytes of one message, unless the configuration has `limits.maxMessageBytes`; `setsnapshot` may be as
 * long as twice the largest snapshot of the console.
 */
export const MESSAGE_BYTES = 1024 * 1024;

/** Bytes waiting for a client that does not read, past which its connection is closed. */
export const UNREAD_BYTES = 1024 * 1024;

/** Open WebSocket connections, unless the configuration has `limits.connections`. */
export const CONNECTIONS = 1000;

/** Bytes that may wait unsent for a client before its updates are merged instead of queued. */
export const UPDATE_BACKLOG_BYTES = 64 * 1024;

/** Characters of requests that one connection may have waiting for answers. */
export const WAITING_REQUESTS = 4 * 1024 * 1024;

/** Paths that one connection may be subscribed to. */
export const SUBSCRIPTIONS = 1000;

/** The largest picture file, in bytes. */
export const PICTURE_BYTES = 4 * 1024 * 1024;

/** The largest width and the largest height of a picture, in pixels. */
export const PICTURE_SIDE = 4096;

/** The largest snapshot file, in bytes, unless the console's own snapshots are larger. */
export const SNAPSHOT_FILE_BYTES = 1024 * 1024;

/**
 * The most bytes that are searched, summed or copied at a stretch, before others have a turn: in
 * 0.1 ms, or 0.6 ms while the code is cold.
 */
export const PIECE_BYTES = 128 * 1024;

/** The largest body of a REST action that takes no file, and the fields of one beside it, in bytes. */
export const FORM_BYTES = 64 * 1024;

/** REST requests of one client in one second, unless the configuration has `limits.rest.burst`. */
export const REST_BURST = 10;

/** REST requests a second on average, unless the configuration has `limits.rest.perSecond`. */
export const REST_PER_SECOND = 1;

/**
 * How much too early a REST client may come, in ms: what it had still to wait is added to its next
 * wait.
 */
export const REST_JITTER_MS = 250;

/** How long a browser may keep what it was told that a listed page may send, in s. */
export const PREFLIGHT_SECONDS = 600;

/** The largest packed backup, in bytes. */
export const BACKUP_PACKED_BYTES = 64 * 1024 * 1024;

/** The largest unpacked backup, the tar's own headers included, in bytes. */
export const BACKUP_BYTES = 256 * 1024 * 1024;

/** The most bytes of an unpacked backup in a row that belong to no file, and those read ahead of one. */
export const BACKUP_PADDING_BYTES = 6 * 1024 * 1024;

/** The most files in a backup. */
export const BACKUP_FILES = 10_000;

/** The largest manifest of a backup, in bytes. */
export const BACKUP_MANIFEST_BYTES = 64 * 1024;

/** The largest settings document, and the largest certificate with its key, in bytes. */
export const SETTINGS_BYTES = 256 * 1024;

/** The largest other file in a backup: a snapshot, the configuration, users, sums. In bytes. */
export const BACKUP_FILE_BYTES = 8 * 1024 * 1024;

/** The most values in a JSON file of a backup: parsed, each takes far more memory than in the file. */
export const BACKUP_JSON_VALUES = 500_000;

/** How long a client that fetches a backup may leave it unread, in ms. */
export const BACKUP_UNREAD_MS = 60_000;
