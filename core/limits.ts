/**
 * Every fixed limit and range of the specification stands here once, with its unit (service.md,
 * "Limits"; decisions.md). What an installation may change stands in the configuration's `limits`
 * instead.
 *
 * @module
 */
import { FADE_MAX, FADER_MAX, FADER_MIN } from "../fade/limits.ts";

/** Range of a fader level in dB: `fader` in the control tree, and the `value` of a fade. */
export const FADER_DB = { min: FADER_MIN, max: FADER_MAX } as const;

/** Range of the duration of a fade in s, in steps of 0.020 s. */
export const FADE_SECONDS = { min: 0, max: FADE_MAX } as const;

/** Maximum number of faders that move at the same time. Default of `limits.fades`. */
export const FADES = 1024;

/** Range of the number of an access group of a mixer. */
export const ACCESS_GROUPS = { min: 1, max: 8 } as const;

/** Range of the delay of a fader channel, in ms. */
export const DELAY_MS = { min: 0, max: 1000 } as const;

/** Reading in dB of a meter without an audio engine. */
export const METER_SILENCE_DB = -125;

/**
 * Range of a reported meter, in dB or the unit of the meter. No signal of a console is outside of
 * it.
 */
export const METER_RANGE = { min: -200, max: 200 } as const;

/** Length of a label in characters. It is stored in Unicode NFC. */
export const LABEL_LENGTH = { min: 0, max: 128 } as const;

/**
 * Length of the `name` of a snapshot in characters. The lower bound applies to `modifysnapshot`.
 */
export const SNAPSHOT_NAME_LENGTH = { min: 2, max: 64 } as const;

/** Range of the bitmask of groups that may change a snapshot. */
export const WRITEGROUPS = { min: 1, max: 255 } as const;

/**
 * Range of the bitmask of groups that may load a snapshot. 0 stands for everyone, including clients
 * without a login.
 */
export const READGROUPS = { min: 0, max: 255 } as const;

/**
 * Range of the number by which the deprecated REST calls name a snapshot. 0 is the default
 * snapshot.
 */
export const SNAPSHOT_ID = { min: 1, max: 65535 } as const;

/** Maximum number of saved snapshots of one type. Default of `limits.snapshots`. */
export const SNAPSHOTS = 1000;

/** Maximum number of users. */
export const USERS = 1000;

/**
 * Maximum size in bytes of all snapshots, pictures, settings and users together. Default of
 * `limits.stateBytes`.
 */
export const STATE_BYTES = 64 * 1024 * 1024;

/** Maximum number of view documents. */
export const VIEW_DOCUMENTS = 16;

/** Maximum size of a view document in bytes of JSON. */
export const VIEW_DOCUMENT_BYTES = 64 * 1024;

/** Maximum number of own pages that the device view shows of a view document `pages`. */
export const OWN_PAGES = 50;

/** Maximum number of items of an own page that the device view shows. */
export const OWN_PAGE_ITEMS = 200;

/** Maximum length in characters of the title of an own page, and of a text on it. */
export const OWN_PAGE_TEXT_LENGTH = 128;

/** Maximum length in characters of the name of a group in the view document `groups`. */
export const GROUP_NAME_LENGTH = 32;

/** Maximum number of VCA groups of a mixer. They are numbered from 1. */
export const VCA_GROUPS = 255;

/** Maximum number of names of view documents whose changes one connection is told of. */
export const FOLLOWED_VIEW_DOCUMENTS = 16;

/** Maximum number of entries of an external list. */
export const LIST_ENTRIES = 1000;

/** Number of entries on one page of an external list. Default of `lists[].pageSize`. */
export const LIST_PAGE_SIZE = 24;

/**
 * Maximum nesting depth of JSON from outside: far above any payload of the protocol, far below the
 * depth of the stack.
 */
export const JSON_DEPTH = 64;

/**
 * Maximum number of members of an object in JSON from outside, such as the faders of a mixer, and
 * of items of a list in a message.
 */
export const JSON_MEMBERS = 4096;

/**
 * Maximum number of values in one message, including objects and lists. For `setsnapshot` it is
 * twice the number in the largest snapshot of the console, if that is more. All settable values of
 * a mixer of 128 faders and 32 mute groups are 20,000.
 */
export const MESSAGE_VALUES = 25_000;

/** Maximum length of a path in characters. The longest path of a console has 100. */
export const PATH_CHARACTERS = 1024;

/** Maximum length of a `msgID` that is not a number, in characters of its JSON. */
export const MESSAGE_ID_CHARACTERS = 256;

/**
 * Maximum size of one message in bytes. Default of `limits.maxMessageBytes`. For `setsnapshot` it
 * is twice the size of the largest snapshot of the console, if that is more.
 */
export const MESSAGE_BYTES = 1024 * 1024;

/**
 * Maximum number of bytes that wait for a client that does not read. Above it, its connection is
 * closed.
 */
export const UNREAD_BYTES = 1024 * 1024;

/** Maximum number of open WebSocket connections. Default of `limits.connections`. */
export const CONNECTIONS = 1000;

/**
 * Maximum number of connections and pending requests of one address. Default of
 * `limits.connectionsPerAddress`.
 */
export const CONNECTIONS_PER_ADDRESS = 64;

/**
 * Maximum number of connections of one address that are being closed because they gave way to newer
 * ones.
 */
export const GIVING_WAY = 8;

/**
 * Maximum memory in bytes that all clients together may cause the service to use above its use at
 * idle. Default of `limits.memory`.
 */
export const MEMORY_BYTES = 192 * 1024 * 1024;

/** Number of unsent bytes for a client above which its updates are merged instead of queued. */
export const UPDATE_BACKLOG_BYTES = 64 * 1024;

/** Maximum size in characters of the unanswered requests of one connection. */
export const WAITING_REQUESTS = 4 * 1024 * 1024;

/** Maximum number of paths to which one connection is subscribed. */
export const SUBSCRIPTIONS = 1000;

/**
 * Number of subscriptions that are always granted to a connection, whatever the memory quota of all
 * clients.
 */
export const FEW_SUBSCRIPTIONS = 32;

/**
 * Range of the interval in ms between updates of meters for a subscription. Without an `interval`,
 * the shortest one applies.
 */
export const METER_INTERVAL_MS = { min: 40, max: 10_000 } as const;

/** Maximum number of paths that one engine may claim. */
export const ENGINE_PATHS = 64;

/**
 * Maximum number of values in the control tree of a configuration. 16 mixers of 512 faders each
 * fit.
 */
export const TREE_VALUES = 2_000_000;

/** Maximum number of values in a settings document, including objects and lists. */
export const SETTINGS_VALUES = 10_000;

/** Maximum number of faults of a document that are named. The others are counted. */
export const NAMED_FAULTS = 20;

/** Maximum size of a picture file in bytes. */
export const PICTURE_BYTES = 4 * 1024 * 1024;

/** Maximum width and height of a picture in pixels. */
export const PICTURE_SIDE = 4096;

/**
 * Maximum size of a snapshot file in bytes, unless the snapshots of the console itself are larger.
 */
export const SNAPSHOT_FILE_BYTES = 1024 * 1024;

/**
 * Maximum number of bytes that are searched, summed or copied in one step before other work may
 * run. Such a step takes 0.1 ms, or 0.6 ms before the code is compiled.
 */
export const PIECE_BYTES = 128 * 1024;

/**
 * Maximum size in bytes of the body of a REST action without a file, and of the fields beside a
 * file.
 */
export const FORM_BYTES = 64 * 1024;

/** Maximum number of REST requests of one client in one second. Default of `limits.rest.burst`. */
export const REST_BURST = 10;

/**
 * Average number of REST requests per second of one client. Default of `limits.rest.perSecond`.
 */
export const REST_PER_SECOND = 1;

/**
 * Time in ms by which a REST client may come early. The rest of its wait is added to its next wait.
 */
export const REST_JITTER_MS = 250;

/** Time in s for which a browser may cache the answer to a CORS preflight. */
export const PREFLIGHT_SECONDS = 600;

/** Maximum size of a packed backup in bytes. */
export const BACKUP_PACKED_BYTES = 64 * 1024 * 1024;

/** Maximum size of an unpacked backup in bytes, including the headers of the tar archive. */
export const BACKUP_BYTES = 256 * 1024 * 1024;

/**
 * Maximum number of consecutive bytes of an unpacked backup that belong to no file, and of bytes
 * that are read ahead of a file.
 */
export const BACKUP_PADDING_BYTES = 6 * 1024 * 1024;

/** Maximum number of files in a backup. */
export const BACKUP_FILES = 10_000;

/** Maximum size of the manifest of a backup in bytes. */
export const BACKUP_MANIFEST_BYTES = 64 * 1024;

/** Maximum size in bytes of a settings document, and of a certificate with its key. */
export const SETTINGS_BYTES = 256 * 1024;

/**
 * Maximum size in bytes of any other file in a backup: a snapshot, the configuration, users,
 * checksums.
 */
export const BACKUP_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Maximum number of values in a JSON file of a backup. A parsed value takes far more memory than
 * its text.
 */
export const BACKUP_JSON_VALUES = 500_000;

/** Maximum time in ms for which a client may leave a large answer unread. */
export const UNREAD_MS = 60_000;

/**
 * Time in ms for which a request with an unread body lives on after its answer, so that a client
 * that is still sending can read the answer. The rest of the body is lost.
 */
export const UNREAD_BODY_MS = 200;

/** Minimum interval in ms at which the use of a token is stored. */
export const TOKEN_USE_KEPT_MS = 3_600_000;

/** Maximum number of client addresses whose requests and wrong tokens are remembered. */
export const ADDRESSES = 10_000;

/**
 * Number of wrong tokens of one address that are answered without delay, within {@linkcode
 * WRONG_TOKENS_MS} of the first.
 */
export const WRONG_TOKENS = 10;

/**
 * Period in ms in which {@linkcode WRONG_TOKENS} applies, and time without wrong tokens after which
 * an address is forgotten.
 */
export const WRONG_TOKENS_MS = 60_000;

/**
 * Initial delay in ms of the answer to a wrong token. Doubles with each further one, up to the
 * maximum.
 */
export const WRONG_TOKEN_DELAY_MS = { first: 250, most: 5000 } as const;

/**
 * Maximum number of codes for a hand-over that are not used up, void or expired. Used, void and
 * expired codes are kept while there is room, to say what became of them.
 */
export const HANDOVERS = 64;

/** Time in minutes for which a code for a hand-over is valid. */
export const HANDOVER_MINUTES = { min: 1, max: 60, default: 15 } as const;

/** Maximum number of addresses, and of users, whose writes are remembered. */
export const WRITERS = 4096;

/**
 * Maximum rate at which one address, and one user, may write: 200 changes per second and 16 MiB per
 * minute, plus a burst of whatever it left unused in the last five minutes. Default of
 * `limits.writes`.
 */
export const WRITES = {
  perMinute: 12_000,
  bytesPerMinute: 16 * 1024 * 1024,
  burstMinutes: 5,
} as const;

/**
 * Maximum number of kept commands of a fleet that a console remembers by their ids. A further
 * command makes it forget the expired ones.
 */
export const COMMANDS_REMEMBERED = 1024;

/** Maximum number of changed values in an entry of the audit trail. The others are counted. */
export const AUDIT_CHANGES = 20;

/** Time in ms after which the answer to an HTTP request is logged as slow. */
export const SLOW_REQUEST_MS = 1000;

/**
 * Initial delay in ms after which a failed medium is tried again. Doubles with each attempt, up to
 * the maximum.
 */
export const STORAGE_RETRY_MS = { first: 250, most: 5000 } as const;

/**
 * Maximum length of a text in the audit trail in characters. Longer texts are cut; a label is
 * shorter.
 */
export const AUDIT_CHARACTERS = 200;

/** Maximum number of members of an object in the audit trail. */
export const AUDIT_MEMBERS = 12;

/** Length of the history of levels and loudness in s; it has one point a second. */
export const HISTORY_SECONDS = 3600;

/** Maximum number of meters that have a history. */
export const HISTORY_METERS = 64;

/** Length in s of a point as `getloudnesshistory` answers it. */
export const HISTORY_STEP = { min: 1, max: 60, default: 1 } as const;

/** Number of lines of the audit trail that one call reads. */
export const AUDIT_LINES = { default: 100, max: 1000 } as const;

/** Maximum size of a file of the audit trail in bytes. One older file is kept. */
export const AUDIT_FILE_BYTES = 4 * 1024 * 1024;

/** Period in ms in which entries of the audit trail are collected before they are written. */
export const AUDIT_WRITE_MS = 1000;

/**
 * Maximum size in bytes of entries of the audit trail that wait to be written. At half of it they
 * are written at once. Entries above it, while the medium is slow, are lost and counted.
 */
export const AUDIT_WAITING = 256 * 1024;

/** Period in ms in which repeated calls are merged into one entry of the audit trail. */
export const AUDIT_MERGE_MS = 60_000;

/**
 * Maximum size in bytes of the first entries of calls that the audit trail accepts in a minute: 256
 * KiB in all. Calls beyond them are only counted. Each first entry may be followed by a merged one,
 * so the trail grows by at most 512 KiB a minute, and 16 minutes fill its 8 MiB. One caller may use
 * a quarter of each of these limits, so a single caller needs an hour to fill the trail.
 */
export const AUDIT_ROOM = {
  changes: 128 * 1024,
  snapshots: 64 * 1024,
  refused: 64 * 1024,
} as const;

/** Maximum number of log lines about different refused attempts in {@linkcode AUDIT_MERGE_MS}. */
export const LOGGED_REFUSALS = 100;

/**
 * Maximum number of delayed answers to wrong tokens, over all addresses. Each holds its request in
 * memory, even after its connection is gone. Further ones are counted and answered at once.
 */
export const LATE_ANSWERS = 64;

/** Number of steps that can be undone. */
export const UNDO_STEPS = 10;

/** Maximum interval in ms between the sets of one movement, which are undone as one step. */
export const UNDO_MERGE_MS = 2000;

/**
 * Maximum number of values that the steps keep in all. Above it the oldest steps are forgotten; a
 * step that exceeds it by itself cannot be undone. All settable values of a mixer of 256 faders are
 * 40,000.
 */
export const UNDO_VALUES = 50_000;

/** Maximum size in bytes of a message of Ember+, and of a frame of it. */
export const EMBER_MESSAGE_BYTES = 64 * 1024;

/** Maximum size in bytes of the part of a message in one packet of Ember+. */
export const EMBER_PACKET_BYTES = 1024;

/**
 * Maximum nesting depth of the containers in a message of Ember+, and maximum number of numbers in
 * a path. A path of 16 nodes has a depth of 68.
 */
export const EMBER_DEPTH = 96;

/** Minimum interval in ms between updates for a client of Ember+ or ECP: 25 a second. */
export const TCP_UPDATE_MS = 40;

/** Minimum interval in ms between updates of subscribed meters for a consumer of Ember+. */
export const EMBER_STREAM_MS = 50;

/** Maximum number of changed parameters in one message of Ember+. The others come with the next. */
export const EMBER_UPDATES = 500;

/**
 * Maximum number of directories that are remembered for a consumer of Ember+, which receives only
 * their changes. A consumer that has asked for more directories receives all changes.
 */
export const EMBER_DIRECTORIES = 4096;

/** Maximum number of meters that one consumer of Ember+ subscribes to. */
export const EMBER_STREAMS = 4096;

/** Maximum number of bytes that wait for a client of Ember+ or ECP that does not read. */
export const TCP_UNREAD_BYTES = 1024 * 1024;

/** Maximum time in ms until a message of Ember+ or a block of ECP is complete. */
export const TCP_WHOLE_MS = 10_000;

/**
 * Time in ms after which a silent consumer of Ember+ is asked whether it is alive; after the same
 * time without an answer its connection is closed.
 */
export const EMBER_IDLE_MS = 30_000;
