/**
 * Data that the console returns only on request.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { RpcName, RpcResult } from "../../client/client.ts";
import { onOpen, tryRpc } from "./live.ts";
import { askWho } from "./rights.ts";

/** Interval in ms at which the console is asked. */
const EVERY_MS = 5000;

/** The polled methods, which take no parameters. */
type Asked = Extract<
  RpcName,
  "getuserlist" | "getclientlist" | "getcertificate" | "getpicturelist"
>;

/**
 * Calls `ask` now, if there is a connection, whenever a connection opens, and every 5 s while the
 * page is visible; begins anew if `about` has changed.
 */
export function usePolling(ask: () => void, about: readonly unknown[] = []): void {
  useEffect(() => {
    const end = onOpen(ask);
    const timer = setInterval(() => document.visibilityState === "visible" && ask(), EVERY_MS);
    return () => {
      end();
      clearInterval(timer);
    };
  }, about);
}

/** Asks by a method as {@link usePolling} does; undefined until it is answered. */
export function usePolled<Name extends Asked>(
  name: Name,
): readonly [answer: RpcResult<Name> | undefined, ask: () => void] {
  const [answer, setAnswer] = useState<RpcResult<Name>>();
  const ask = () => {
    // The page itself tells a user who has lost the right, once it knows.
    tryRpc<Asked>(name, {}).then((result) => setAnswer(() => result as RpcResult<Name>), askWho);
  };
  usePolling(ask);
  return [answer, ask];
}
