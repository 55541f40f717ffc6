/**
 * The limits of a hub.
 *
 * @module
 */

/** Maximum number of enrolled consoles. */
export const CONSOLES = 5000;

/** Maximum number of users of the fleet. */
export const FLEET_USERS = 1000;

/** Maximum number of sites and consoles for which one user has a right of their own. */
export const RIGHTS_OF_USER = 64;

/** Maximum number of characters of the name of a site. */
export const SITE_CHARACTERS = 128;

/** Maximum number of codes of enrolment that are valid at a time. */
export const CODES = 500;

/**
 * Time in ms without a sign of a console after which it is stale: its range, and the default.
 * Consoles and hubs beat once a second, so another hub may learn of a beat up to 2 s after it
 * learned of the one before.
 */
export const STALE_AFTER_MS = { min: 2500, max: 600_000, default: 3000 } as const;

/** Maximum number of sockets of one console for tickets, dialled already or still to be dialled. */
export const TICKET_SOCKETS = 256;

/** Maximum number of these sockets of one user, or of one address without a user. */
export const TICKET_SOCKETS_PER_USER = 128;

/**
 * Maximum number of these sockets that are kept without a request over HTTP, for one user of one
 * address: sessions need some, too.
 */
export const IDLE_LINES = 8;

/** Maximum number of WebSockets of clients: of all clients, and of one address. */
export const CLIENTS = 4000;
export const CLIENTS_PER_ADDRESS = 500;

/** Maximum number of consoles' sessions that one connection of a client holds. */
export const SESSIONS_PER_CLIENT = 4;

/** Maximum number of bytes of a client that wait for a console. */
export const WAITING_BYTES = 1024 * 1024;

/** Maximum number of bytes of a message of a client. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Maximum number of values of an update that has to be merged with others, and of a message of a
 * user of the fleet that may name a token.
 */
export const RELAYED_VALUES = 500_000;

/** Maximum number of bytes of a message before the login, where a login is required. */
export const LOGIN_BYTES = 64 * 1024;

/** Maximum number of bytes of a body that is searched for a token. */
export const INSPECTED_BODY_BYTES = 1024 * 1024;

/** Rate limits of a control socket: maximum number of frames and bytes at once, and per second. */
export const CONTROL_RATE = {
  frames: 200,
  framesPerSecond: 40,
  bytes: 4 * 1024 * 1024,
  bytesPerSecond: 128 * 1024,
} as const;

/**
 * Rate limit of the messages of one console on its sessions of one user, or of one address without
 * a user: maximum number of bytes at once, and per second; and the additional size of each message.
 */
export const SESSION_RATE = {
  bytes: 64 * 1024 * 1024,
  bytesPerSecond: 16 * 1024 * 1024,
  overhead: 512,
} as const;

/** Number of these limits that a hub remembers. */
export const SESSION_RATES = 10_000;

/** Rate limit of the births of a control socket: maximum number at once, and per second. */
export const BIRTH_RATE = { births: 10, perSecond: 1 } as const;

/**
 * Rate limit of the births and changes of one console that disconnect the clients who are
 * subscribed to it, because values are gone or because it is at another site: maximum number at
 * once, and per second (one a minute).
 */
export const CLOSING_RATE = { most: 10, perSecond: 1 / 60 } as const;

/** Time in ms for which a console that broke the protocol is not listened to. */
export const PENALTY_MS = 10_000;

/**
 * Time in ms that a console has for its first birth, and for a birth after growth beyond {@link
 * GROWTH_BYTES}.
 */
export const BIRTH_MS = 10_000;

/** Maximum number of bytes by which changes make the summary of a console grow between births. */
export const GROWTH_BYTES = 4 * 1024 * 1024;

/** Maximum number of bytes of the body of an enrolment request. */
export const ENROLMENT_BYTES = 4096;

/** Time in ms that a console has to answer a request over HTTP with the head of its answer. */
export const EXCHANGE_MS = 60_000;

/** Maximum number of requests over HTTP of one address at a time. */
export const REQUESTS_PER_ADDRESS = 256;

/**
 * Rate limit of audit lines for refused calls of one user, of one console, and of all strangers:
 * maximum at once, and per second (10 an hour).
 */
export const REFUSAL_LINES = { most: 100, perSecond: 10 / 3600 } as const;

/**
 * Rate limit of audit lines for calls that one user, not an admin of the whole fleet, had carried
 * out: maximum at once, and per second (360 an hour).
 */
export const CALL_LINES = { most: 300, perSecond: 0.1 } as const;

/**
 * Rate limit of audit lines that one console tells: maximum at once, and per second (360 an hour).
 */
export const TOLD_RATE = { most: 300, perSecond: 0.1 } as const;

/** Maximum number of consoles of a batch. */
export const BATCH_CONSOLES = CONSOLES;

/** Maximum number of bytes of a request of a batch, with its required values, as JSON. */
export const BATCH_REQUEST_BYTES = 64 * 1024;

/** Maximum number of bytes of the requests of all consoles of a batch. */
export const BATCH_BYTES = 32 * 1024 * 1024;

/** Maximum number of batches whose results a hub keeps, of all users and of one. */
export const BATCHES = { all: 500, ofUser: 100 } as const;

/** Maximum number of results in them, of all users and of one. */
export const BATCH_RESULTS = { all: 50_000, ofUser: 20_000 } as const;

/** Time in ms for which the results of a batch are kept, from the last of them on. */
export const BATCH_KEPT_MS = 24 * 60 * 60_000;

/** Maximum number of characters of a result of a request; a longer result is not kept. */
export const BATCH_RESULT_CHARACTERS = 4096;

/** Number of changed values in a preview: the maximum of all consoles, and the minimum for each. */
export const PREVIEW_VALUES = { all: 20_000, each: 20 } as const;

/**
 * Maximum number of bytes of the changes in a preview, as JSON; each console has an equal share.
 */
export const PREVIEW_BYTES = 16 * 1024 * 1024;

/** Time in ms until a live and a kept command expire: the maximum, and the default. */
export const EXPIRY_MS = {
  live: { max: 30_000, default: 3000 },
  kept: { max: 7 * 24 * 60 * 60_000, default: 7 * 24 * 60 * 60_000 },
} as const;

/** Time in ms after which the consoles of a batch begin together: long enough to reach them all. */
export const TOGETHER_MS = 500;

/** Maximum number of templates. */
export const TEMPLATES = 100;

/** Maximum number of characters of a template as JSON. */
export const TEMPLATE_CHARACTERS = 768 * 1024;

/** Maximum number of differences of a section that are listed. */
export const DIFFERENCES = 500;

/** Maximum number of comparisons with consoles that run at a time, of all users and of one. */
export const COMPARISONS = { all: 16, ofUser: 2 } as const;

/** Time in ms after which a comparison reads nothing more of a console. */
export const COMPARISON_MS = 120_000;

/** Maximum number of live commands of one console that are not answered. */
export const LIVE_COMMANDS = 200;

/**
 * Maximum number of kept commands in the ledger: of all, for one console, of one user, and of one
 * user for one console.
 */
export const KEPT_COMMANDS = {
  all: 20_000,
  ofConsole: 500,
  ofUser: 5000,
  ofUserForConsole: 125,
} as const;

/** Maximum number of bytes of them as JSON, of all users and of one. */
export const KEPT_BYTES = { all: 32 * 1024 * 1024, ofUser: 8 * 1024 * 1024 } as const;

/** Maximum number of kept commands that a console was sent and has not answered. */
export const KEPT_SENT = 16;

/** Time in ms that a console has to answer a command that it began in time. */
export const COMMAND_ANSWER_MS = 10_000;

/**
 * Time in ms after its expiry at which a live command without an answer is `unknown`. An answer
 * within {@link COMMAND_ANSWER_MS} still replaces that outcome.
 */
export const LIVE_GRACE_MS = 1000;

/** Time in ms that a console has to answer a preview of a command. */
export const PREVIEW_MS = 5000;

/**
 * Time in ms after the expiry of an `unknown` kept command, for which its console is still asked
 * for the outcome when it comes back.
 */
export const UNKNOWN_ASKED_MS = 7 * 24 * 60 * 60_000;

/** Maximum number of results of kept commands that are kept, and the time in ms for each. */
export const RESULTS = { most: 20_000, ms: 30 * 24 * 60 * 60_000 } as const;

/** Maximum number of batches of kept commands in the ledger, of all users and of one. */
export const STORED_BATCHES = { all: 2000, ofUser: 500 } as const;

/** Maximum number of bytes of them as JSON, of all users and of one. */
export const STORED_BATCH_BYTES = { all: 16 * 1024 * 1024, ofUser: 4 * 1024 * 1024 } as const;

/**
 * Interval in ms at which failed writes to the ledger are tried again, and kept commands that have
 * expired are looked for.
 */
export const KEPT_LOOK_MS = 1000;
