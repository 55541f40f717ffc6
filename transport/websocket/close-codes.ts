/**
 * The codes with which this service closes a WebSocket (RFC 6455, section 7.4.1, and the registry
 * of codes there; docs/errors.md says when).
 *
 * @module
 */

/** "Normal closure": the session or the exchange is over. */
export const NORMAL_CLOSURE = 1000;

/** "Going away": the service stops. */
export const GOING_AWAY = 1001;

/** "Message too big": a message exceeds the limit, or is not finished in time. */
export const MESSAGE_TOO_BIG = 1009;

/** "Internal error": the service failed to answer because of a fault of its own. */
export const INTERNAL_ERROR = 1011;

/** "Service restart": the state that the client holds may be outdated. */
export const SERVICE_RESTART = 1012;

/** "Try again later": a limit or a memory quota is used up. */
export const TRY_AGAIN_LATER = 1013;

/**
 * A hub does not reach the console that the connection is for. It is a code of our own: Deno knows
 * no "bad gateway", 1014.
 */
export const UNREACHABLE = 4503;
