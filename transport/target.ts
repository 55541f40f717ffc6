/**
 * What a request asks for. `new URL` would tell as much, but it is asked for every request, and a
 * request's URL has one form only.
 *
 * @module
 */

/** The path and the query of a request, as they were sent. */
export interface RequestTarget {
  /** `/action/login` */
  readonly pathname: string;
  /** `?ObjectID=0`, or nothing. */
  readonly search: string;
}

/** The target of a URL of the form `http://host/path?query`; without a path it is `/`. */
export function targetOf(url: string): RequestTarget {
  const host = url.indexOf("//") + 2;
  const start = url.indexOf("/", host);
  const query = url.indexOf("?", host);
  if (query === -1) return { pathname: start === -1 ? "/" : url.slice(start), search: "" };
  // A request for `?a=/b` has a slash, but no path.
  const pathname = start === -1 || query < start ? "/" : url.slice(start, query);
  return { pathname, search: url.slice(query) };
}
