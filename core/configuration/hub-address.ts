/**
 * Reads the address of the hub of a fleet, like `wss://hub.example`, perhaps with a path; `https:`,
 * as in a browser, means the same. Returns the address for WebSockets, without a slash at the end;
 * undefined for any other text, and for an address with a query or with a name and a password.
 */
export function readHubAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username, password } = new URL(text);
  const scheme = SCHEMES[protocol];
  if (scheme === undefined || search + hash + username + password !== "") return undefined;
  return `${scheme}//${host}${pathname.replace(/\/+$/, "")}`;
}

const SCHEMES: Readonly<Record<string, string>> = {
  "ws:": "ws:",
  "wss:": "wss:",
  "http:": "ws:",
  "https:": "wss:",
};
