/**
 * The log of the service: one line on standard error for each event, with its time, its level and
 * its fields.
 *
 * @module
 */
import { safeJson, withoutTokens } from "../core/shown.ts";
import { printable } from "./print.ts";

/** The forms of a line. */
export const LOG_FORMATS = ["text", "json"] as const;

/** The form of a line: readable text, or one JSON object. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The levels, from the lowest on. */
export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const;

/** The level of an event. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The fields of an event besides its message; undefined ones are omitted. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Logs an event: its message, a word or a sentence, and its fields. */
export type EventLog = (level: LogLevel, what: string, fields?: LogFields) => void;

/** The log of a service without a log. */
export const noLog: EventLog = () => {};

/** Makes a log in a form, of events from a level on. Tokens are masked. */
export function createEventLog(format: LogFormat, lowest: LogLevel): EventLog {
  const encoder = new TextEncoder();
  const least = LOG_LEVELS.indexOf(lowest);
  return (level, what, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < least) return;
    const time = new Date().toISOString();
    const line = format === "json"
      ? safeJson({ "@timestamp": time, level, message: what, ...fields })
      : [time, level, printable(what).replaceAll("\n", "\\n"), ...fieldsOf(fields)].join(" ");
    try {
      Deno.stderr.writeSync(encoder.encode(`${withoutTokens(line)}\n`));
    } catch {
      // The service continues if its standard error is closed.
    }
  };
}

function fieldsOf(fields: LogFields): string[] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => {
    const isPlain = typeof value === "number" || typeof value === "boolean" ||
      typeof value === "string" && /^[\w.:/@+-]+$/.test(value);
    return `${name}=${isPlain ? value : safeJson(value as string | object)}`;
  });
}
