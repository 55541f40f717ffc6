/**
 * The log of the service: one line on standard error for each event, with its time, its level and
 * its fields. What writes it is loaded only where it is asked for.
 *
 * @module
 */
import { withoutTokens } from "../core/shown.ts";

/** The forms of a line. */
export const LOG_FORMATS = ["text", "json"] as const;

/** The form of a line: for people, or one JSON object. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The levels, the least first. */
export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const;

/** How much an event matters. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What an event has beside its sentence; undefined is left out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Takes an event: what happened, in a word or a sentence, and its fields. */
export type EventLog = (level: LogLevel, what: string, fields?: LogFields) => void;

/** The log of a service that is asked for none. */
export const noLog: EventLog = () => {};

/** Makes a log of a form, of events of a level and above. No token gets into it. */
export async function createEventLog(format: LogFormat, lowest: LogLevel): Promise<EventLog> {
  const { configureSync, getLogger, getTextFormatter } = await import("./logtape.ts");
  const encoder = new TextEncoder();
  // Both forms by the one formatter: LogTape's own for JSON has names of its own for the levels.
  const line = getTextFormatter({
    timestamp: "rfc3339",
    level: "full",
    format: ({ timestamp, level, message, record: { properties } }) =>
      format === "json"
        ? JSON.stringify({ "@timestamp": timestamp, level, message, ...properties })
        : [timestamp, level, message, ...fieldsOf(properties)].join(" "),
  });
  configureSync({
    sinks: {
      standardError: (record) =>
        void Deno.stderr.writeSync(encoder.encode(withoutTokens(line(record)))),
    },
    loggers: [
      { category: "faderd", lowestLevel: lowest, sinks: ["standardError"] },
      { category: ["logtape", "meta"], lowestLevel: "warning", sinks: ["standardError"] },
    ],
  });
  const logger = getLogger("faderd");
  // A sentence is no template: braces in it stand for themselves.
  return (level, what, fields = {}) =>
    logger[level](what.replaceAll(/[{}]/g, "$&$&"), given(fields));
}

function given(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function fieldsOf(fields: LogFields): string[] {
  return Object.entries(fields).map(([name, value]) => {
    const isPlain = typeof value === "number" || typeof value === "boolean" ||
      typeof value === "string" && /^[\w.:/@+-]+$/.test(value);
    return `${name}=${isPlain ? value : JSON.stringify(value)}`;
  });
}
