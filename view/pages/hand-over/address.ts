/**
 * What the address of the page says of how the console is reached.
 *
 * @module
 */

/** Whether the address is that of this machine itself, which no other device can open. */
export const isLoopback = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/** Whether others in the network can read what is sent. */
export const isPlainHttp = location.protocol === "http:" && !isLoopback;
