/**
 * The rows of the page Audit: the lines of the audit trail in words.
 *
 * @module
 */
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { fleetAuditTexts } from "../texts/fleet-audit.ts";
import { searchFor } from "./rows.ts";
import { type FleetMay, type PlaceRight, rightsText, type RightsWords } from "./user-rights.ts";

/** A line, as the hub returns it. */
export type AuditLine = FleetRpcResult<"getaudit">[number];

/** A line in words. */
export interface AuditRow {
  readonly line: AuditLine;
  readonly time: string;
  readonly user: string;
  readonly call: string;
  /** The object of the call; empty if it has none. */
  readonly target: string;
}

/** The words and functions by which lines become texts. */
export interface AuditWords extends RightsWords {
  readonly audit: Pick<ReturnType<typeof fleetAuditTexts>, "calls" | "told" | "nobody" | "several">;
  /** Writes an instant in ISO 8601. */
  readonly timeOf: (instant: string) => string;
}

/** Returns the row of a line. A call that has no word keeps its name. */
export function auditRowOf(line: AuditLine, words: AuditWords): AuditRow {
  const calls: Readonly<Record<string, string>> = words.audit.calls;
  const { what, target } = line;
  // A console leaves out the user of calls that it has counted for several users together.
  const absent = line.console === undefined ? words.audit.nobody : words.audit.several;
  return {
    line,
    time: words.timeOf(line.time),
    user: line.user ?? absent,
    call: Object.hasOwn(calls, what) ? calls[what]! : what,
    target: line.console === undefined
      ? targetText(what, target, words)
      : toldText(line, line.console, words),
  };
}

/** Returns the rows that contain all words, also by the ids in their lines. */
export function foundLines(rows: readonly AuditRow[], words: string): AuditRow[] {
  const hasWords = searchFor(words);
  return rows.filter(({ line, time, user, call, target }) =>
    hasWords(
      ...[time, user, call, target, line.from, line.what, line.console ?? "", line.refused ?? ""],
      JSON.stringify(line.target ?? ""),
    )
  );
}

const ID = /\b[0-9a-f]{32}\b/g;

/** The path of a value of a console in the tree of a hub. */
const PATH_OF_CONSOLE = /^\/consoles\/([0-9a-f]{32})(?=\/)/;

function targetText(what: string, target: unknown, words: AuditWords): string {
  const { nameOf } = words;
  if (target === undefined) return "";
  if (typeof target === "string") {
    return target.replace(PATH_OF_CONSOLE, (_, id) => `${nameOf(id)}: `).replace(ID, nameOf);
  }
  if (typeof target !== "object" || target === null) return JSON.stringify(target);
  if (what === "adduser" || what === "modifyuser") {
    const { name, ...rights } = target as UserTarget;
    return `${name}: ${rightsText(rights, words)}`;
  }
  // An id stands beside the name that the console had then.
  return Object.entries(target).map(([name, value]) => {
    const text = JSON.stringify(value);
    return `${name} ${name === "id" ? text : text.replace(ID, nameOf)}`;
  }).join(", ");
}

/** Returns the details that a console has reported about a call. */
function toldText(
  { subject, target, changes = [], more = 0, durable, again = 0, lost = 0 }: AuditLine,
  console: string,
  { nameOf, audit: { told } }: AuditWords,
): string {
  const parts = [
    subject,
    ...changes.map(({ path, before, after }) =>
      `${path} ${JSON.stringify(before) ?? "–"} → ${JSON.stringify(after) ?? "–"}`
    ),
    more > 0 && told.more(more),
    typeof target === "string" ? target : JSON.stringify(target),
    durable === false && told.notStored,
    again > 0 && told.again(again),
    lost > 0 && told.lost(lost),
  ].filter(Boolean);
  return parts.length === 0 ? nameOf(console) : `${nameOf(console)}: ${parts.join("; ")}`;
}

/** The target of a call that gives a user rights. */
interface UserTarget {
  readonly name: string;
  readonly may?: FleetMay;
  readonly rights?: readonly PlaceRight[];
}
