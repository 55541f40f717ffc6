/**
 * A responder of multicast DNS (RFC 6762): it claims names in the local network, announces their
 * records, and answers questions for them.
 *
 * @module
 */
import { after, type Timer } from "../core/ports.ts";
import {
  type DnsRecord,
  query,
  type Question,
  readMessage,
  response,
  TYPE,
} from "./dns-message.ts";

/**
 * Number of questions for a name, and the time between them in ms; without an answer the name is
 * ours.
 */
const PROBES = 3;
const PROBE_MS = 250;

/**
 * Our records are sent again after 1 s, and then each time after 3 times the interval before, as
 * long as that is less than an hour.
 */
const AGAIN_MS = 1000;
const AGAIN_FACTOR = 3;
const HOUR_MS = 3_600_000;

/** The TTL, the group address and the port of multicast DNS (RFC 6762, section 11). */
const HOPS = 255;
const GROUP = "224.0.0.251";
const PORT = 5353;

/** A responder; it has the records of one claim at most. */
export interface Responder {
  /**
   * Asks the network for names, and announces records if nobody has answered within 1 s. If another
   * machine has one of the names it calls `onTaken`, and announces nothing.
   */
  claim(names: readonly string[], records: readonly DnsRecord[], onTaken: () => void): void;
  /** Withdraws its announcements and questions; resolves when the network was told. */
  withdraw(): Promise<void>;
  /** From now on it sends and listens in the networks of these IPv4 addresses of this machine. */
  join(addresses: readonly string[]): void;
  /** Ends the responder; its announcements have to be withdrawn before. */
  close(): Promise<void>;
}

/**
 * Opens a responder; resolves once it listens to the network. Faults of the network go to `say`.
 */
export async function openResponder(
  timer: Timer,
  say: (fault: unknown) => void,
): Promise<Responder> {
  // Loaded here, because it takes 3 MB that a service which does not advertise itself does not
  // need.
  const { createSocket } = await import("node:dgram");
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  /** The addresses of this machine from which it sends. */
  let own: readonly string[] = [];
  /** Resolves once all messages so far are sent. */
  let sent = Promise.resolve();
  let announced: readonly DnsRecord[] = [];
  let onResponse = (_: readonly string[]) => {};
  let stopWaiting = () => {};

  /** Sends a message in each network: one after the other, as the socket has one at a time. */
  function send(message: Uint8Array): Promise<void> {
    return sent = sent.then(async () => {
      for (const address of own) await sendFrom(address, message).catch(say);
    });
  }

  function sendFrom(address: string, message: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.setMulticastInterface(address);
      socket.send(message, PORT, GROUP, (fault) => fault ? reject(fault) : resolve());
    });
  }

  function wait(ms: number, then: () => void): void {
    stopWaiting = after(timer, ms, then);
  }

  function announce(records: readonly DnsRecord[], nextMs: number): void {
    onResponse = () => {};
    announced = records;
    void send(response(records));
    if (nextMs < HOUR_MS) wait(nextMs, () => announce(records, nextMs * AGAIN_FACTOR));
  }

  socket.on("message", (bytes) => {
    const message = readMessage(bytes);
    if (message?.isResponse) return onResponse(message.names);
    const { answers, additional } = answersTo(message?.questions ?? [], announced);
    if (answers.length > 0) void send(response(answers, additional));
  });
  const bound = Promise.withResolvers<void>();
  socket.once("error", bound.reject).bind(PORT, bound.resolve);
  await bound.promise;
  socket.off("error", bound.reject).on("error", say);
  socket.setMulticastTTL(HOPS);
  return {
    claim(names, records, onTaken) {
      const questions = names.map((name) => ({ name, type: TYPE.ANY }));
      const ask = (times: number): void => {
        if (times === PROBES) return announce(records, AGAIN_MS);
        void send(query(questions));
        wait(PROBE_MS, () => ask(times + 1));
      };
      const begin = () => {
        onResponse = (found) => {
          if (!found.some((one) => names.some((name) => isSame(name, one)))) return;
          onResponse = () => {};
          stopWaiting();
          onTaken();
        };
        ask(0);
      };
      // The wait is random, so that machines that start together do not ask together. Answers count
      // only after it, because our own last announcement may come back during it.
      wait(Math.random() * PROBE_MS, begin);
    },
    async withdraw() {
      stopWaiting();
      onResponse = () => {};
      const gone = announced.map((record) => ({ ...record, ttl: 0 }));
      announced = [];
      if (gone.length > 0) void send(response(gone));
      await sent;
    },
    join(addresses) {
      own = addresses;
      for (const address of addresses) {
        try {
          socket.addMembership(GROUP, address);
        } catch {
          // It is a member there already, or there is no multicast.
        }
      }
    },
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

/**
 * Returns the records that answer any of the questions, each once even if it is asked for several
 * times, and the records that are likely asked for next.
 */
function answersTo(questions: readonly Question[], records: readonly DnsRecord[]) {
  const answers = records.filter((record) =>
    questions.some(({ name, type }) =>
      (type === TYPE.ANY || type === record.type) && isSame(record.name, name)
    )
  );
  const targetsOf = (from: readonly DnsRecord[]) =>
    records.filter(({ name }) => from.some(({ target }) => target && isSame(name, target)));
  const next = targetsOf(answers);
  const additional = new Set([...next, ...targetsOf(next)]).difference(new Set(answers));
  return { answers, additional: [...additional] };
}

/** Whether two names are the same by the rules of DNS. */
function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
