/**
 * Serves the device view at `/`: a page that is a client of this service. Its files are in memory,
 * and already compressed; the published descriptions beside it are read when they are asked for,
 * which is seldom. They contain no secret and never need a token: requests of the page
 * itself are refused like those of any other client.
 *
 * @module
 */
import { ifNoneMatch } from "@std/http/etag";
import type { HttpRequest } from "./arrival.ts";
import { refuseMethod } from "./json-answers.ts";

/** A file of the view. */
export interface ViewFile {
  /** The media type. */
  readonly type: string;
  /** The entity tag: a text of letters and digits that changes with the content. */
  readonly version: string;
  /** Whether the name of the file changes with its content, so that it may be cached for ever. */
  readonly isImmutable: boolean;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Absent if the file is kept as gzip only. */
  readonly brotli?: Uint8Array<ArrayBuffer>;
}

/** The files of the view by their paths; the page itself is at `/`. */
export type View = ReadonlyMap<string, ViewFile>;

/**
 * Security headers of the page. They allow its own files and its own service only, no inline
 * scripts or styles, and no embedding in a page of another site.
 */
const HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  // The page itself may use the MIDI controllers of the device, but nothing that it might embed.
  "permissions-policy": "midi=(self)",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Makes the function that answers GET and HEAD requests for files of the view. */
export function createViewAnswers(): (asked: HttpRequest, file: ViewFile) => Promise<Response> {
  /**
   * The uncompressed files of the page, for clients that accept no compression: decompressed once
   * and shared. Files that may change under the same name, such as descriptions, are not kept.
   */
  const unpacked = new Map<ViewFile, Promise<Uint8Array<ArrayBuffer>>>();

  function unpack(file: ViewFile): Promise<Uint8Array<ArrayBuffer>> {
    const known = unpacked.get(file);
    if (known !== undefined) return known;
    const stream = new Blob([file.gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Response(stream).bytes();
    if (file.isImmutable) unpacked.set(file, bytes);
    return bytes;
  }

  return async (asked, file) => {
    const { method, headers: sent } = asked.request;
    const refused = refuseMethod(asked.request, "GET", "HEAD");
    if (refused !== undefined) return refused;
    // A weak tag, because it is the same for every content encoding.
    const etag = `W/"${file.version}"`;
    const headers = new Headers({
      ...HEADERS,
      etag,
      "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      "content-type": file.type,
      "vary": "accept-encoding",
    });
    if (!ifNoneMatch(sent.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers });
    }
    const encoding = encodingFor(sent.get("accept-encoding") ?? "", file);
    if (encoding !== undefined) headers.set("content-encoding", PACKED[encoding]);
    if (method === "HEAD") return new Response(null, { headers });
    asked.waits = true;
    const bytes = encoding === undefined ? await unpack(file) : file[encoding]!;
    headers.set("content-length", String(bytes.length));
    return new Response(asked.bodyOf(bytes, asked.client), { headers });
  };
}

/** The compressed forms of a file, with their names in HTTP. */
const PACKED = { brotli: "br", gzip: "gzip" } as const;

/**
 * Returns the best content encoding of a file among those that the client names without `q=0`;
 * undefined for none.
 */
function encodingFor(accepted: string, file: ViewFile): keyof typeof PACKED | undefined {
  const named = accepted.toLowerCase().split(",").map((entry) => entry.split(";"))
    .filter(([, weight]) => !/^\s*q=0(\.0*)?\s*$/.test(weight ?? ""))
    .map(([name]) => name!.trim());
  if (named.includes("br") && "brotli" in file) return "brotli";
  return named.includes("gzip") ? "gzip" : undefined;
}
