/**
 * The messages of the WebSocket as a set of JSON Schemas.
 *
 * @module
 */
import { type Described, DIALECT } from "./json-schema.ts";
import { describeMessages } from "./messages.ts";

/**
 * Describes the messages in one document: each under `$defs`, and `request` and `received` for any
 * message that a client may send and receive. The document itself takes either.
 */
export function describeWebSocket(): Described {
  const { requests, answers, failure, update, events } = describeMessages();
  const named = (kind: string, schemas: Readonly<Record<string, Described>>) =>
    Object.entries(schemas).map(([name, schema]) => [`${kind}.${name}`, schema] as const);
  const sent = named("request", requests);
  const got = [
    ...named("answer", answers),
    ["failure", failure] as const,
    ["update", update] as const,
    ...named("event", events),
  ];
  const anyOf = (all: readonly (readonly [string, Described])[]) => ({
    anyOf: all.map(([name]) => ({ $ref: `#/$defs/${name}` })),
  });
  return {
    $schema: DIALECT,
    title: "faderd: messages of /api/ws",
    anyOf: [{ $ref: "#/$defs/request" }, { $ref: "#/$defs/received" }],
    $defs: {
      request: anyOf(sent),
      received: anyOf(got),
      ...Object.fromEntries([...sent, ...got]),
    },
  };
}
