/**
 * Reads the parameters and the token of a request for an action.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { FORM_BYTES } from "../../core/limits.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import type { HttpRequest } from "../arrival.ts";
import type { BodyOutcome, BodyReader } from "../intake/body.ts";
import {
  readForm,
  readQuery,
  readReadable,
  type Received,
  type ReceivedValues,
} from "../intake/form.ts";
import type { MemoryQuota } from "../memory-quota.ts";
import { bearerToken } from "../request-token.ts";
import { isGiven } from "../tokens.ts";

/** The parameters and the tokens of a request. */
export interface Brought {
  /** The readable parameters of the query and the body; those of the body take precedence. */
  readonly received: Received;
  /** The reason why the query or the body could not be read; undefined if both could be read. */
  readonly malformed: Refusal | undefined;
  /** The tokens of the body, else of the query, else of the header: one, unless it was repeated. */
  readonly tokens: ReceivedValues;
  /** Returns the memory of the body to its quota; undefined where it holds none. */
  readonly release: (() => void) | undefined;
}

/** A body that was not received completely, with its limit in bytes. */
export interface Unread {
  readonly unread: Exclude<BodyOutcome["outcome"], "read">;
  readonly limit: number;
}

const NOTHING: Received = new Map();

/**
 * Reads the parameters and the token of a request. A multipart form may have `formBytes` bytes. The
 * body counts against `quota` until it is released; without `quota` it counts against the quota of
 * all bodies until it is complete. The parameters of a GET are returned at once.
 */
export function receive(
  readBody: BodyReader,
  scheduler: CooperativeScheduler,
  asked: HttpRequest,
  formBytes: number,
  quota?: MemoryQuota,
): Brought | Promise<Brought | Unread> {
  return asked.request.method === "POST"
    ? receiveForm(readBody, scheduler, asked, formBytes, quota)
    : broughtBy(asked, NOTHING);
}

async function receiveForm(
  readBody: BodyReader,
  scheduler: CooperativeScheduler,
  asked: HttpRequest,
  formBytes: number,
  quota: MemoryQuota | undefined,
): Promise<Brought | Unread> {
  const { request, client } = asked;
  const contentType = request.headers.get("content-type");
  const isMultipart = contentType?.toLowerCase().startsWith("multipart/form-data");
  const limit = isMultipart ? formBytes : FORM_BYTES;
  const body = await readBody(request, limit, client, quota);
  if (body.outcome !== "read") return { unread: body.outcome, limit };
  if (quota === undefined) body.release();
  const fields = await scheduler.run(readForm({ contentType, bytes: body.bytes }), client);
  return broughtBy(asked, fields, quota === undefined ? undefined : body.release);
}

function broughtBy(
  { request, url }: HttpRequest,
  fields: Received | Refusal,
  release?: () => void,
): Brought {
  const query = readQuery(url.search);
  // The parameters of the query count even if the body is malformed.
  const ofQuery = isRefusal(query) ? readReadable(url.search) : query;
  const ofBody = isRefusal(fields) ? NOTHING : fields;
  return {
    received: ofBody.size === 0 ? ofQuery : new Map([...ofQuery, ...ofBody]),
    malformed: isRefusal(query) ? query : isRefusal(fields) ? fields : undefined,
    tokens: tokensOf([ofBody, ofQuery], request),
    release,
  };
}

function tokensOf(received: readonly Received[], request: Request): ReceivedValues {
  for (const values of received) {
    const given = values.get("Token")?.filter(isGiven) ?? [];
    if (given.length > 0) return given;
  }
  const bearer = bearerToken(request);
  return bearer === undefined ? [] : [bearer];
}
