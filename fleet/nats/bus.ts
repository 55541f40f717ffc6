/**
 * The bus between hubs on core NATS, which stores no messages.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Bus } from "../several-hubs/bus.ts";
import type { NatsLine } from "./connection.ts";
import type { Msg } from "./packages.ts";

/** Makes the bus of a connection; `onFault` is called with each fault of a send or a read. */
export function createNatsBus(line: NatsLine, onFault: (fault: unknown) => void): Bus {
  const { connection } = line;

  /** Subscribes, and passes each message on; a fault of one message does not affect others. */
  function listen(pattern: string, on: (message: Msg) => void): () => void {
    const subscription = connection.subscribe(pattern, {
      callback(fault, message) {
        if (fault !== null) return onFault(fault);
        try {
          on(message);
        } catch (wrong) {
          onFault(wrong);
        }
      },
    });
    return () => subscription.unsubscribe();
  }

  function attempt(send: () => void): void {
    // Without a connection the message would be sent late, once the connection is back.
    if (!line.isConnected()) return;
    try {
      send();
    } catch (fault) {
      // The message may be longer than the servers take (max_payload), for example.
      onFault(fault);
    }
  }

  return {
    publish: (subject, value) => attempt(() => connection.publish(subject, JSON.stringify(value))),
    subscribe: (pattern, on) =>
      listen(pattern, (message) => on(message.subject, message.json<Json>())),
    async ask(subject, value, ms) {
      const answer = await connection.request(subject, JSON.stringify(value), { timeout: ms });
      return answer.json<Json>();
    },
    serve: (subject, answer) =>
      listen(subject, (message) => {
        answer(message.json<Json>()).then(
          (value) => attempt(() => message.respond(JSON.stringify(value))),
          onFault,
        );
      }),
  };
}
