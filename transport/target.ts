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

/** The target of a URL of the form `http://host/path?query`. */
export function targetOf(url: string): RequestTarget {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?", start);
  return query === -1
    ? { pathname: url.slice(start), search: "" }
    : { pathname: url.slice(start, query), search: url.slice(query) };
}
