/**
 * The certificate that a service shows to whoever connects.
 *
 * @module
 */
import type { X509Certificate } from "node:crypto";
import { Failure } from "./failure.ts";
import { reasonOf } from "./print.ts";

/** How long the service may take, in ms. */
const ANSWER_MS = 3000;

/**
 * Reads the certificate that is shown at an address, whoever made it and however long it is valid;
 * throws {@link Failure} where none is.
 */
export async function shownCertificate(
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<X509Certificate> {
  const { connect } = await import("node:tls");
  const { isIP } = await import("node:net");
  const { X509Certificate } = await import("node:crypto");
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const name = isIP(hostname) === 0 ? { servername: hostname } : {};
  // It is only looked at: nothing is sent, and nothing that comes is believed.
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
