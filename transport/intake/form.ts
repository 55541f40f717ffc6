/**
 * The parameters of an action: those of the query string and, on POST, of the body as
 * `application/x-www-form-urlencoded` or `multipart/form-data`. The body wins over the query
 * (decisions.md, "REST actions"). Names are case-sensitive.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Steps } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { decoded, parseMultipart, type Part, PARTS, type ReceivedFile } from "./multipart.ts";

/** The values of one name in their order: one, unless the parameter was repeated. */
export type ReceivedValues = readonly (string | ReceivedFile)[];

/** The received parameters, by name. */
export type Received = ReadonlyMap<string, ReceivedValues>;

/** The body of a POST, already bounded in size. */
export interface Form {
  /** The request's `Content-Type`, `null` if it has none. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/**
 * Returns the parameters in a query, which is a URL's `search`, with or without `?`; or the refusal
 * if they cannot be read: wrong percent-encoding, or too many.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const expected = new Map([["ObjectID", ["1"]], ["Name", ["News 1"]]]);
 * assertEquals(readQuery("?ObjectID=1&Name=News%201"), expected);
 * ```
 */
export function readQuery(query: string): Received | Refusal {
  return collected(parseEncoded(query.replace(/^\?/, ""), "the query"));
}

/**
 * Returns the parameters that can be read in a query with wrong percent-encoding, of at most the
 * first 65.
 */
export function readReadable(query: string): Received {
  const pairs = query.replace(/^\?/, "").split("&", PARTS + 1);
  const readable = pairs.filter((pair) => percentDecoded(pair) !== undefined);
  const read = readQuery(readable.join("&"));
  return isRefusal(read) ? new Map() : read;
}

/**
 * Returns the fields of a form, or the refusal if they cannot be read: wrong percent-encoding,
 * bytes that are not UTF-8, a malformed multipart body, or a body of another type. A body without
 * bytes and without a type is not a fault.
 */
export function* readForm({ contentType, bytes }: Form): Steps<Received | Refusal> {
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === "multipart/form-data") {
    return collected(yield* parseMultipart(contentType!, bytes));
  }
  if (bytes.length === 0) return new Map();
  if (type !== "application/x-www-form-urlencoded") {
    return refuse(
      "malformed",
      `the Content-Type must be application/x-www-form-urlencoded or multipart/form-data, not ${
        type === "" ? "absent" : shown(type)
      }`,
    );
  }
  const text = decoded(bytes);
  return text === undefined
    ? refuse("malformed", "the body is not UTF-8")
    : collected(parseEncoded(text, "the body"));
}

/** Refuses (3) a parameter that came more than once. */
export function repeated(values: ReceivedValues, name: string): Refusal | undefined {
  const sentence = `expected it once, got it ${values.length} times`;
  return values.length > 1 ? refuse("invalidParameter", sentence, name) : undefined;
}

/** Reads `name=value&…` with percent-encoding, where `+` is a space. */
function parseEncoded(text: string, where: string): Part[] | Refusal {
  const pairs = text.split("&", PARTS + 1);
  if (pairs.length > PARTS) {
    return refuse("malformed", `${where} has more than ${PARTS} parameters`);
  }
  const parts: Part[] = [];
  for (const pair of pairs) {
    if (pair === "") continue;
    const equals = pair.includes("=") ? pair.indexOf("=") : pair.length;
    const name = percentDecoded(pair.slice(0, equals));
    const value = percentDecoded(pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      // The value itself is not shown: it may be a token.
      const what = name === undefined ? "the name" : "the value of";
      const named = shown(name ?? pair.slice(0, equals));
      return refuse("malformed", `${what} ${named} in ${where} has wrong percent-encoding`);
    }
    parts.push({ name, value });
  }
  return parts;
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function collected(parts: readonly Part[] | Refusal): Received | Refusal {
  if (isRefusal(parts)) return parts;
  const values = new Map<string, Part["value"][]>();
  for (const { name, value } of parts) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  return values;
}
