/**
 * The messages of the WebSocket, as an AsyncAPI document.
 *
 * @module
 */
import { WEBSOCKET_PATH } from "../../transport/service.ts";
import { VERSION } from "../version.ts";
import { JSON_MEDIA } from "./actions.ts";
import type { Described } from "./json-schema.ts";
import { describeMessages } from "./messages.ts";

/** The place of the only channel in the document. */
const CHANNEL = "#/channels/socket";

/**
 * Describes the WebSocket by AsyncAPI 3: an operation for each method of the envelope and each RPC,
 * with the answers to it, and one for each message that the service sends by itself. The service
 * receives and sends; a client does the opposite.
 */
export function describeAsyncApi(): Described {
  const { requests, answers, failure, update, events } = describeMessages();
  const messages = {
    ...messagesOf("request", requests),
    ...messagesOf("answer", answers),
    failure: message("failure", failure),
    update: message("update", update),
    ...messagesOf("event", events),
  };
  return {
    asyncapi: "3.0.0",
    info: {
      title: "faderd",
      version: VERSION,
      description:
        "The control service of an audio mixing console, over a WebSocket. Its answers " +
        "over HTTP are in another document: faderd api --openapi.",
      license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
      contact: { name: "The developers of faderd" },
      tags: [{ name: "console", description: "Audio mixing consoles." }],
    },
    defaultContentType: JSON_MEDIA,
    servers: {
      console: {
        host: "127.0.0.1:8080",
        protocol: "ws",
        description: "A console as it is without a configuration; wss where it has a certificate.",
      },
    },
    channels: { socket: { ...channel, messages: referring(messages) } },
    operations: {
      ...Object.fromEntries(
        Object.entries(requests).map(([name, { description }]) => [name, {
          action: "receive",
          channel: { $ref: CHANNEL },
          summary: description,
          messages: [inChannel(`request.${name}`)],
          reply: {
            channel: { $ref: CHANNEL },
            messages: [inChannel(`answer.${name}`), inChannel("failure")],
          },
        }]),
      ),
      update: sends("update", update),
      ...Object.fromEntries(
        Object.entries(events).map(([type, event]) => [
          `event.${type}`,
          sends(`event.${type}`, event),
        ]),
      ),
    },
    components: { messages },
  };
}

const channel: Described = {
  address: WEBSOCKET_PATH,
  title: "The WebSocket",
  description:
    "Each message is a JSON object in one text frame. A request is answered once, with the " +
    "same msgID. An upgrade is refused with status 400, 401, 403, 421, " +
    "426 or 503.",
  bindings: {
    ws: {
      method: "GET",
      query: {
        type: "object",
        properties: {
          token: { type: "string", description: "The token of a user; without it, auth logs in." },
        },
      },
      bindingVersion: "0.1.0",
    },
  },
};

function messagesOf(kind: string, schemas: Readonly<Record<string, Described>>): Described {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      `${kind}.${name}`,
      message(`${kind}.${name}`, schema),
    ]),
  );
}

function message(name: string, { description, ...payload }: Described): Described {
  const [kind, ...rest] = name.split(".");
  const title = [...rest, kind].join(" ");
  return {
    name,
    title,
    summary: description ?? "The answer to a request that was carried out.",
    payload,
  };
}

function referring(messages: Described): Described {
  return Object.fromEntries(
    Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

function inChannel(message: string): Described {
  return { $ref: `${CHANNEL}/messages/${message}` };
}

function sends(message: string, { description }: Described): Described {
  return {
    action: "send",
    channel: { $ref: CHANNEL },
    summary: description,
    messages: [inChannel(message)],
  };
}
