/**
 * The check of a TLS certificate that is to be served.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Tls } from "../core/backup/tls.ts";
import { certificateFault } from "../runtimes/certificate.ts";
import { listen } from "../runtimes/deno/server.ts";
import { machineTimer } from "../runtimes/clock.ts";

/**
 * Returns the fault of a certificate: that of {@link certificateFault}, or that HTTPS cannot be
 * served with it. Undefined without a fault.
 */
export async function checkCertificate(tls: Tls): Promise<string | undefined> {
  return await certificateFault(tls) ?? await serveFault(tls);
}

// A server is started, because `node:crypto` knows more kinds of keys than the TLS server.
async function serveFault(tls: Tls): Promise<string | undefined> {
  try {
    const service = () => Promise.resolve(new Response());
    const parts = { service, timer: machineTimer, onFault: () => {} };
    const behind = { tls, connectionAt: () => undefined };
    await listen({ hostname: "127.0.0.1", port: 0 }, parts, behind).stop();
    return undefined;
  } catch (fault) {
    return `HTTPS cannot be served with it: ${reasonOf(fault)}`;
  }
}
