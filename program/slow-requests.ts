/**
 * Requests that took long, over HTTP and over a WebSocket.
 *
 * @module
 */
import { SLOW_REQUEST_MS } from "../core/limits.ts";
import type { Clock } from "../core/ports.ts";
import type { Service } from "../transport/arrival.ts";
import type { Visits } from "../transport/websocket/sessions.ts";
import type { EventLog } from "./event-log.ts";

/** Makes a service that tells the log of each request whose answer took long. */
export function logSlow(service: Service, log: EventLog, clock: Clock): Service {
  return async (arrival) => {
    const from = clock.monotonic();
    const response = await service(arrival);
    const ms = Math.round(clock.monotonic() - from);
    if (ms >= SLOW_REQUEST_MS) {
      const { request: { method, url }, client } = arrival;
      // The query may have a token in it.
      const path = URL.parse(url)?.pathname;
      log("warning", "slow request", { from: client, method, path, status: response.status, ms });
    }
    return response;
  };
}

/**
 * Makes what tells the log of each message over a WebSocket whose answer took long. The time on the
 * medium is in it, the time in line behind other requests of the connection is not.
 */
export function logSlowMessages(log: EventLog): NonNullable<Visits["answered"]> {
  return (from, method, took, code) => {
    const ms = Math.round(took);
    if (ms >= SLOW_REQUEST_MS) log("warning", "slow request", { from, method, code, ms });
  };
}
