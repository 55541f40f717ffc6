/**
 * Valid requests over HTTP that are altered: envelopes, paths of the tree, and actions with their
 * parameters in every form.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import fc from "fast-check";
import { tokens } from "../service.ts";
import { type ActionCall, actionCalls, type CorpusFile, settings } from "./corpus.ts";
import { assertUnchanged, atDesk } from "./desk.ts";
import { assertEnvelope, assertError, caller, messageText } from "./messages.ts";
import { byteMutated, byteMutation, few, oddText } from "./odd.ts";

/** The parts of a request that may be altered. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

const encode = (text: string) => new TextEncoder().encode(text);
const NOTHING = new Uint8Array();

/** Encodes text for a URL, which cannot hold lone surrogates. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const contentTypes = [
  "application/json",
  "text/plain",
  "",
  ",",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=utf-16",
  ...["", "; boundary=x", "; boundary="].map((boundary) => `multipart/form-data${boundary}`),
];

/** Odd values of headers that the request does not have, by name. */
const stray = {
  "content-length": ["-1", "1e9", "x"],
  "content-encoding": ["gzip"],
  "transfer-encoding": ["chunked"],
  authorization: ["Bearer", `Bearer ${tokens.admin}`, "Basic YTpi"],
  "x-forwarded-for": [","],
  origin: ["null", "http://evil.example"],
  "sec-fetch-site": ["cross-site"],
  upgrade: ["websocket"],
};

/** At most one header that does not belong to the request. */
const strayHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  ...Object.entries({ "content-type": contentTypes, ...stray })
    .map(([name, values]) => fc.constantFrom(...values).map((value) => ({ [name]: value }))),
);

const postedEnvelope: fc.Arbitrary<Sent> = fc.record({
  path: fc.constantFrom("", "/", "/general", "/audio/mixers/0/faders/0/fader", "//", "/%"),
  token: caller,
  text: messageText,
}).map(({ path, token, text }) => ({
  method: "POST",
  path: `/api/rest${path}`,
  headers: {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  },
  body: encode(text),
}));

const treePath: fc.Arbitrary<Sent> = fc.record({
  setting: fc.constantFrom(...settings),
  more: fc.oneof({ weight: 2, arbitrary: fc.constant("") }, oddText),
  what: fc.constantFrom("", "?set=", "?set=", "?flat=true", "?set=&token="),
  value: fc.oneof(fc.constant(undefined), oddText),
  token: caller,
}).map(({ setting: [path, right], more, what, value, token }) => ({
  method: "GET",
  path: `/api/rest${path}${more === "" ? "" : `/${encoded(more)}`}${what}${
    what.endsWith("=") ? encoded(value ?? right) : ""
  }`,
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  body: NOTHING,
}));

type Pair = readonly [name: string, value: string | CorpusFile];

/** An alteration of the parameters of an action. */
const parameterMutation = fc.record({
  kind: fc.constantFrom("drop", "copy", "rename", "replace", "replace", "file"),
  at: fc.nat(100),
  text: oddText,
});

function parametersMutated(
  call: ActionCall,
  token: string | undefined,
  mutations: readonly { readonly kind: string; readonly at: number; readonly text: string }[],
): Pair[] {
  const pairs: Pair[] = Object.entries(call);
  if (token !== undefined) pairs.push(["Token", token]);
  for (const { kind, at: number, text } of mutations) {
    if (pairs.length === 0) break;
    const at = number % pairs.length;
    const [name, value] = pairs[at]!;
    if (kind === "drop") pairs.splice(at, 1);
    else if (kind === "copy") pairs.push([name, value]);
    else if (kind === "rename") pairs[at] = [text, value];
    else if (kind === "file") pairs[at] = [name, { name: text, content: text }];
    else if (typeof value === "string") pairs[at] = [name, text];
    else pairs[at] = [name, { ...value, content: text }];
  }
  return pairs;
}

const BOUNDARY = "fuzz";

function multipart(pairs: readonly Pair[]): Uint8Array<ArrayBuffer> {
  const parts = pairs.flatMap(([name, value]) => {
    const isFile = typeof value !== "string";
    const filename = isFile ? `; filename="${value.name}"` : "";
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${filename}`;
    const content = isFile ? value.content : value;
    return [
      encode(`${head}\r\n\r\n`),
      typeof content === "string" ? encode(content) : content,
      encode("\r\n"),
    ];
  });
  return concat([...parts, encode(`--${BOUNDARY}--\r\n`)]);
}

const urlencoded = (pairs: readonly Pair[]) =>
  pairs.map(([name, value]) =>
    `${encoded(name)}=${encoded(typeof value === "string" ? value : value.name)}`
  ).join("&");

const calls = Object.entries(actionCalls).flatMap(([name, calls]) =>
  calls.map((call) => [name, call] as const)
);

const action: fc.Arbitrary<Sent> = fc.record({
  call: fc.constantFrom(...calls),
  form: fc.constantFrom("query", "urlencoded", "multipart", "multipart"),
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant("POST") },
    { weight: 2, arbitrary: fc.constant("GET") },
    { weight: 1, arbitrary: fc.constantFrom("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH") },
  ),
  token: caller,
  mutations: few(parameterMutation, 2),
  stray: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, oddText),
}).map(({ call: [name, call], form, method, token, mutations, stray }) => {
  const pairs = parametersMutated(call, token, mutations);
  const query = form === "query" ? `?${urlencoded(pairs)}` : "";
  const [type, body] = method === "GET" || method === "HEAD" || form === "query"
    ? [undefined, NOTHING] as const
    : form === "urlencoded"
    ? ["application/x-www-form-urlencoded", encode(urlencoded(pairs))] as const
    : [`multipart/form-data; boundary=${BOUNDARY}`, multipart(pairs)] as const;
  return {
    method,
    path: `/action/${name}${encoded(stray)}${query}`,
    headers: type === undefined ? {} : { "content-type": type },
    body,
  };
});

/** Text that is inserted into an address: its place (a share of the length) and the text. */
const pathInsertion = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  text: fc.constantFrom("%", "%ff", "%00", "%2f", "&", "?", "#", "/", "..", "\\", "+", "=", ";"),
});

const request: fc.Arbitrary<Sent> = fc.tuple(
  fc.oneof(
    { weight: 3, arbitrary: postedEnvelope },
    { weight: 2, arbitrary: treePath },
    { weight: 4, arbitrary: action },
  ),
  strayHeaders,
  fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, few(byteMutation, 3)),
  fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, few(pathInsertion, 2)),
).map(([sent, stray, bytes, insertions]) => ({
  ...sent,
  path: insertions.reduce(inserted, sent.path),
  headers: { ...sent.headers, ...stray },
  body: byteMutated(sent.body, bytes),
}));

/** The address with the insertion, still below the address of the service. */
function inserted(path: string, { at, text }: { at: number; text: string }): string {
  const from = Math.max(1, Math.floor(at * path.length));
  return path.slice(0, from) + text + path.slice(from);
}

/** Whether an answer may have this status. */
const isStatus = (status: number) =>
  status >= 200 && status < 500 || status === 503 || status === 507;

/** Every request is answered, with no status of a fault; a refusal changes nothing. */
export const requestsProperty = fc.asyncProperty(
  request,
  ({ method, path, headers, body }) =>
    atDesk(async (desk) => {
      const before = desk.state;
      const init = { method, headers, ...(body.length === 0 ? {} : { body }) };
      const answer = await desk.ask(path, init);
      if (answer === undefined) return;
      const { status } = answer;
      const text = await answer.text();
      assert(isStatus(status), `${status}: ${text}`);
      const isJson = answer.headers.get("content-type") === "application/json";
      const read = isJson && method !== "HEAD" ? JSON.parse(text) : undefined;
      const isRefused = status >= 400 || read?.success === false || read?.Error !== undefined;
      if (isRefused) assertUnchanged(before, desk.state, text);
      if (read?.success !== undefined) {
        // A body that is too long or not UTF-8 cannot be echoed.
        assertEnvelope(read, status === 200 ? new TextDecoder().decode(body) : "");
      } else if (read?.error !== undefined && read.Error === undefined) assertError(read.error);
      if (read?.Error !== undefined) assertEquals(typeof read.Error, "string");
    }),
);
