/**
 * Facts about the connection to the console, from the address of the page.
 *
 * @module
 */

/** Whether the address names this machine itself, so that no other device can open it. */
export const isLoopback = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/** Whether others in the network can read the messages. */
export const isPlainHttp = location.protocol === "http:" && !isLoopback;
