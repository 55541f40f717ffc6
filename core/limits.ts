/**
 * Every fixed limit and range of the specification stands here once, with its unit (service.md,
 * "Limits"; decisions.md). What an installation may change stands in the configuration's `limits`
 * instead.
 *
 * @module
 */
import { FADE_MAX, FADER_MAX, FADER_MIN } from "../fade/limits.ts";

/**
 * The level of a fader, in dB, has this range: `fader` in the control tree, and a fade's `value`.
 */
export const FADER_DB = { min: FADER_MIN, max: FADER_MAX } as const;

/** A fade takes so long, in s, in steps of 0.020 s. */
export const FADE_SECONDS = { min: 0, max: FADE_MAX } as const;

/** So many faders may move at the same time, unless the configuration has `limits.fades`. */
export const FADES = 1024;

/** A meter without an audio engine reads this, in dB. */
export const METER_SILENCE_DB = -125;

/**
 * What an engine reports of a meter has this range, in dB or whatever its unit is: no signal of any
 * console comes to more or less.
 */
export const METER_RANGE = { min: -200, max: 200 } as const;

/** A label has so many characters; it is stored in Unicode NFC. */
export const LABEL_LENGTH = { min: 0, max: 128 } as const;

/** The `name` of a snapshot has so many characters; the lower bound holds for `modifysnapshot`. */
export const SNAPSHOT_NAME_LENGTH = { min: 2, max: 64 } as const;

/** The groups that may change a snapshot are a bitmask in this range. */
export const WRITEGROUPS = { min: 1, max: 255 } as const;

/**
 * The groups that may load a snapshot are a bitmask in this range: 0 is everyone, also not logged
 * in.
 */
export const READGROUPS = { min: 0, max: 255 } as const;

/** The deprecated REST calls name a snapshot by such an integer; 0 is the default snapshot. */
export const SNAPSHOT_ID = { min: 1, max: 65535 } as const;

/** So many snapshots of a type may be saved, unless the configuration has `limits.snapshots`. */
export const SNAPSHOTS = 1000;

/** There may be so many users. */
export const USERS = 1000;

/**
 * Snapshots, pictures, settings and users may have so many bytes together, unless the configuration
 * has `limits.stateBytes`.
 */
export const STATE_BYTES = 64 * 1024 * 1024;

/** One external list has at most so many entries. */
export const LIST_ENTRIES = 1000;

/** One page of an external list has so many entries, unless its configuration has a `pageSize`. */
export const LIST_PAGE_SIZE = 24;

/**
 * JSON from outside may nest so deep: far beyond any payload of the protocol, far below the stack.
 */
export const JSON_DEPTH = 64;

/**
 * An object in JSON from outside has at most so many members, as a mixer has faders; and so many
 * items has a list in a message.
 */
export const JSON_MEMBERS = 4096;

/**
 * One message has at most so many values, its objects and lists counted; `setsnapshot` twice as
 * many as the largest snapshot of the console, where that is more. All that can be set of a mixer
 * of 128 faders and 32 mute groups are 20,000.
 */
export const MESSAGE_VALUES = 25_000;

/** A path has at most so many characters. The longest of a console have 100. */
export const PATH_CHARACTERS = 1024;

/** Maximum length of a `msgID`, in characters of its JSON. */
export const MESSAGE_ID_CHARACTERS = 256;

/**
 * One message has at most so many bytes, unless the configuration has `limits.maxMessageBytes`;
 * `setsnapshot` may be as long as twice the largest snapshot of the console.
 */
export const MESSAGE_BYTES = 1024 * 1024;

/** When more bytes than these wait for a client that does not read, its connection is closed. */
export const UNREAD_BYTES = 1024 * 1024;

/** So many WebSocket connections may be open, unless the configuration has `limits.connections`. */
export const CONNECTIONS = 1000;

/**
 * One address may have so many connections and requests under way, unless the configuration has
 * `limits.connectionsPerAddress`.
 */
export const CONNECTIONS_PER_ADDRESS = 64;

/**
 * All clients together may make the service take so many bytes over what it takes when it is idle,
 * unless the configuration has `limits.memory`.
 */
export const MEMORY_BYTES = 192 * 1024 * 1024;

/** So many bytes may wait unsent for a client before its updates are merged instead of queued. */
export const UPDATE_BACKLOG_BYTES = 64 * 1024;

/** One connection may have requests of so many characters waiting for answers. */
export const WAITING_REQUESTS = 4 * 1024 * 1024;

/** One connection may be subscribed to so many paths. */
export const SUBSCRIPTIONS = 1000;

/** Subscriptions that a connection always has room for, whatever the quota of all is. */
export const FEW_SUBSCRIPTIONS = 32;

/** A subscription hears of meters once in so many ms; without an `interval` as often as may be. */
export const METER_INTERVAL_MS = { min: 40, max: 10_000 } as const;

/** One engine may claim so many paths. */
export const ENGINE_PATHS = 64;

/** A configuration makes a control tree of so many values: 512 faders on each of 16 mixers fit. */
export const TREE_VALUES = 2_000_000;

/**
 * A configuration has at most so many values, its objects and lists counted: those 8,192 faders,
 * each written out with all its blocks, have 120,000.
 */
export const CONFIGURATION_VALUES = 200_000;

/** A settings document has at most so many values, its objects and lists counted. */
export const SETTINGS_VALUES = 10_000;

/** Of the faults of a document so many are named, and of the rest how many there are. */
export const NAMED_FAULTS = 20;

/** A picture file has at most so many bytes. */
export const PICTURE_BYTES = 4 * 1024 * 1024;

/** A picture is at most so many pixels wide, and so many high. */
export const PICTURE_SIDE = 4096;

/** A snapshot file has at most so many bytes, unless the console's own snapshots are larger. */
export const SNAPSHOT_FILE_BYTES = 1024 * 1024;

/**
 * At most so many bytes are searched, summed or copied at a stretch, before others have a turn: it
 * takes 0.1 ms, or 0.6 ms while the code is cold.
 */
export const PIECE_BYTES = 128 * 1024;

/**
 * The body of a REST action that takes no file has at most so many bytes, and so have the fields
 * beside a file.
 */
export const FORM_BYTES = 64 * 1024;

/**
 * One client may make so many REST requests in one second, unless the configuration has
 * `limits.rest.burst`.
 */
export const REST_BURST = 10;

/**
 * One client may make so many REST requests a second on average, unless the configuration has
 * `limits.rest.perSecond`.
 */
export const REST_PER_SECOND = 1;

/**
 * A REST client may come so much too early, in ms: what it had still to wait is added to its next
 * wait.
 */
export const REST_JITTER_MS = 250;

/** A browser may keep for so long, in s, what it was told that a listed page may send. */
export const PREFLIGHT_SECONDS = 600;

/** A packed backup has at most so many bytes. */
export const BACKUP_PACKED_BYTES = 64 * 1024 * 1024;

/** An unpacked backup has at most so many bytes, the tar's own headers included. */
export const BACKUP_BYTES = 256 * 1024 * 1024;

/**
 * At most so many bytes of an unpacked backup in a row belong to no file, and so many are read
 * ahead of one.
 */
export const BACKUP_PADDING_BYTES = 6 * 1024 * 1024;

/** A backup has at most so many files. */
export const BACKUP_FILES = 10_000;

/** The manifest of a backup has at most so many bytes. */
export const BACKUP_MANIFEST_BYTES = 64 * 1024;

/** A settings document has at most so many bytes, and so has a certificate with its key. */
export const SETTINGS_BYTES = 256 * 1024;

/**
 * Any other file in a backup (a snapshot, the configuration, users, sums) has at most so many
 * bytes.
 */
export const BACKUP_FILE_BYTES = 8 * 1024 * 1024;

/**
 * A JSON file of a backup has at most so many values: parsed, each takes far more memory than in
 * the file.
 */
export const BACKUP_JSON_VALUES = 500_000;

/** A client that fetches something large may leave it unread for so long, in ms. */
export const UNREAD_MS = 60_000;

/** That a token was used is kept so often at most, in ms: an hour. */
export const TOKEN_USE_KEPT_MS = 3_600_000;

/** Of so many client addresses is remembered what they asked for, and which wrong tokens came. */
export const ADDRESSES = 10_000;

/** So many wrong tokens of an address, in the minute that the first opens, are answered at once. */
export const WRONG_TOKENS = 10;

/** The minute of {@linkcode WRONG_TOKENS}, and the quiet after which all is forgotten, in ms. */
export const WRONG_TOKENS_MS = 60_000;

/**
 * The answer to the next wrong token is so late, in ms, that to each one after it twice as late, up
 * to the most.
 */
export const WRONG_TOKEN_DELAY_MS = { first: 250, most: 5000 } as const;

/** Of so many addresses, and of so many users, is remembered how much they have written. */
export const WRITERS = 4096;

/**
 * One address, and one user, may write so much, unless the configuration has `limits.writes`: 200
 * changes a second and 16 MiB a minute, and what was left of five minutes at once.
 */
export const WRITES = {
  perMinute: 12_000,
  bytesPerMinute: 16 * 1024 * 1024,
  burstMinutes: 5,
} as const;

/** An entry of the audit trail has at most so many values that changed, and says how many more. */
export const AUDIT_CHANGES = 20;

/** The log tells of a request over HTTP whose answer took so long, in ms. */
export const SLOW_REQUEST_MS = 1000;

/**
 * While the medium fails it is tried again: at first after so long, in ms, then after twice as long
 * each time, up to the most.
 */
export const STORAGE_RETRY_MS = { first: 250, most: 5000 } as const;

/** A text in the audit trail is cut after so many characters; a label is shorter. */
export const AUDIT_CHARACTERS = 200;

/** Of an object the audit trail has at most so many members. */
export const AUDIT_MEMBERS = 12;

/** A file of the audit trail has at most so many bytes, and one older file is kept. */
export const AUDIT_FILE_BYTES = 4 * 1024 * 1024;

/** Entries of the audit trail are gathered for so long, in ms, before they are written. */
export const AUDIT_WRITE_MS = 1000;

/**
 * So many bytes of the audit trail may wait to be written. At half of it they are written at
 * once; what comes beyond it, while the medium holds the writing up, is lost and counted.
 */
export const AUDIT_WAITING = 256 * 1024;

/** Period in ms in which repeated calls are merged into one entry of the audit trail. */
export const AUDIT_MERGE_MS = 60_000;

/**
 * Maximum bytes of first entries that the audit trail takes in a minute: 256 KiB in all. Calls
 * beyond them are only counted. Each first entry may be followed by a merged one, so that the trail grows
 * by 512 KiB a minute at most: its 8 MiB last 16 minutes. One caller has a quarter of each room, so
 * against one alone they last an hour.
 */
export const AUDIT_ROOM = {
  changes: 128 * 1024,
  snapshots: 64 * 1024,
  refused: 64 * 1024,
} as const;

/** So many lines has the log, in that time, of refused attempts of different kinds. */
export const LOGGED_REFUSALS = 100;

/**
 * So many answers to wrong tokens are late at a time, over all addresses: each holds its request,
 * also when its connection is gone. Further ones are counted and answered at once.
 */
export const LATE_ANSWERS = 64;
