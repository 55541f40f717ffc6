/**
 * The certificate that a service shows to its clients.
 *
 * @module
 */
import type { X509Certificate } from "node:crypto";
import { reasonOf } from "../core/errors.ts";
import { Failure } from "./failure.ts";

/** Maximum time in ms for the handshake of the service. */
const ANSWER_MS = 3000;

/**
 * Reads the certificate that is shown at an address, from any authority, valid or not; throws
 * {@link Failure} if none is shown.
 */
export async function shownCertificate(
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<X509Certificate> {
  const { connect } = await import("node:tls");
  const { isIP } = await import("node:net");
  const { X509Certificate } = await import("node:crypto");
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const name = isIP(hostname) === 0 ? { servername: hostname } : {};
  // The certificate is only read: nothing is sent, and nothing received is trusted.
  const options = { host: hostname, port, ...name, rejectUnauthorized: false };
  const socket = connect(options, () => resolve(socket.getPeerCertificate(true).raw));
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the connection was closed")));
  socket.setTimeout(ANSWER_MS, () => reject(new Error(`no answer within ${ANSWER_MS / 1000} s`)));
  try {
    return new X509Certificate(await promise);
  } catch (fault) {
    throw new Failure(`${hostname}:${port} shows no certificate: ${reasonOf(fault)}`);
  } finally {
    socket.destroy();
  }
}
