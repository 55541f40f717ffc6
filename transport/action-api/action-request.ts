/**
 * What comes with a request for an action: its parameters, and the token in them.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { FORM_BYTES } from "../../core/limits.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import type { HttpRequest } from "../arrival.ts";
import type { BodyOutcome, BodyReader } from "../intake/body.ts";
import { readForm, readQuery, type Received, type ReceivedValues } from "../intake/form.ts";
import type { MemoryQuota } from "../memory-quota.ts";
import { bearerToken } from "../request-token.ts";
import { isGiven } from "../tokens.ts";

/** What a request has brought. */
export interface Brought {
  /** What of its query and its body could be read; the body wins. */
  readonly received: Received;
  /** Why not all could be read. */
  readonly malformed: Refusal | undefined;
  /** The tokens of the body, else of the query, else of the header: one, unless it was repeated. */
  readonly tokens: ReceivedValues;
  /** The body counts no more for the quota that was given for it. */
  release(): void;
}

/** A body that was not received completely, with its limit in bytes. */
export interface Unread {
  readonly unread: Exclude<BodyOutcome["outcome"], "read">;
  readonly limit: number;
}

const NOTHING: Received = new Map();

/**
 * Takes in what a request brings. Its form may have `formBytes` where it may hold a file, and counts
 * for `quota` until it is released; without one it counts for that of all bodies until it is whole.
 */
export async function receive(
  readBody: BodyReader,
  scheduler: CooperativeScheduler,
  { request, url, client }: HttpRequest,
  formBytes: number,
  quota?: MemoryQuota,
): Promise<Brought | Unread> {
  const query = readQuery(url.search);
  let fields: Received | Refusal = NOTHING;
  let release = () => {};
  if (request.method === "POST") {
    const contentType = request.headers.get("content-type");
    const isMultipart = contentType?.toLowerCase().startsWith("multipart/form-data");
    const limit = isMultipart ? formBytes : FORM_BYTES;
    const body = await readBody(request, limit, client, quota);
    if (body.outcome !== "read") return { unread: body.outcome, limit };
    if (quota === undefined) body.release();
    else release = body.release;
    fields = await scheduler.run(readForm({ contentType, bytes: body.bytes }), client);
  }
  // Of a malformed body nothing is known, but the query is.
  const ofQuery = isRefusal(query) ? NOTHING : query;
  const ofBody = isRefusal(fields) ? NOTHING : fields;
  return {
    received: new Map([...ofQuery, ...ofBody]),
    malformed: [query, fields].find(isRefusal),
    tokens: tokensOf([ofBody, ofQuery], request),
    release,
  };
}

function tokensOf(received: readonly Received[], request: Request): ReceivedValues {
  for (const values of received) {
    const given = (values.get("Token") ?? []).filter(isGiven);
    if (given.length > 0) return given;
  }
  const bearer = bearerToken(request);
  return bearer === undefined ? [] : [bearer];
}
