/**
 * A link between consoles and their hub that can be cut as a WAN is: nothing arrives, and neither
 * side is told.
 *
 * @module
 */
import { sleep } from "./report.ts";

/** A link. */
export interface CutLink {
  /** The port on this machine that the consoles dial. */
  readonly port: number;
  /**
   * Cuts the way to the hub at once, and the way to the consoles some ms later: so consoles carry out
   * commands whose answers do not arrive.
   */
  cut(laterMs: number): void;
  /** Lets pass what was sent meanwhile, also the ends of connections. */
  heal(): void;
  close(): void;
}

/**
 * Time in ms after each SYN until TCP repeats it. A connection that is dialled while the link is cut
 * is made at the first repetition after the heal.
 */
const SYN_REPEATED_MS = [1000, 2000, 4000, 8000, 16_000];

/** Starts a link to a port of this machine. */
export function startLink(target: number): CutLink {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let healed: PromiseWithResolvers<void> | undefined;
  let isCutBack = false;
  const heldTo = () => healed?.promise;
  const heldBack = () => isCutBack ? healed?.promise : undefined;

  async function join(near: Deno.TcpConn): Promise<void> {
    for (const ms of SYN_REPEATED_MS) if (healed !== undefined) await sleep(ms);
    await healed?.promise;
    let far: Deno.TcpConn;
    try {
      far = await Deno.connect({ hostname: "127.0.0.1", port: target });
    } catch {
      // A hub that is killed refuses the connection, and so does its link.
      return near.close();
    }
    for (const end of [near, far]) end.setNoDelay(true);
    passOn(near, far, heldTo);
    passOn(far, near, heldBack);
  }

  /** Passes on what one end sends, and its end. */
  async function passOn(
    from: Deno.TcpConn,
    to: Deno.TcpConn,
    held: () => Promise<void> | undefined,
  ): Promise<void> {
    const gate = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      async transform(bytes, controller) {
        await held();
        controller.enqueue(bytes);
      },
    });
    const options = { preventClose: true, preventAbort: true };
    await from.readable.pipeThrough(gate).pipeTo(to.writable, options).catch(() => {});
    await healed?.promise;
    for (const end of [from, to]) closeOnce(end);
  }

  (async () => {
    for await (const near of listener) join(near);
  })();

  return {
    port: listener.addr.port,
    cut(laterMs) {
      const cut = healed = Promise.withResolvers<void>();
      setTimeout(() => isCutBack = healed === cut, laterMs);
    },
    heal() {
      isCutBack = false;
      healed?.resolve();
      healed = undefined;
    },
    close: () => listener.close(),
  };
}

function closeOnce(end: Deno.TcpConn): void {
  try {
    end.close();
  } catch (fault) {
    if (!(fault instanceof Deno.errors.BadResource)) throw fault;
  }
}
