/**
 * Data that the console tells only when it is asked.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { RpcName, RpcResult } from "../../client/client.ts";
import { onOpen, tryRpc } from "./live.ts";
import { askWho } from "./rights.ts";

/** How often the console is asked, in ms. */
const EVERY_MS = 5000;

/** The methods that take no parameters. */
type Asked = Extract<
  RpcName,
  "getuserlist" | "getclientlist" | "getcertificate" | "getpicturelist"
>;

/**
 * Calls `ask` now, where there is a connection, after each loss of it, and every 5 s while the page
 * is seen; anew where `about` has changed.
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
    // Who may not ask any more is told so by the page, once it knows.
    tryRpc<Asked>(name, {}).then((result) => setAnswer(() => result as RpcResult<Name>), askWho);
  };
  usePolling(ask);
  return [answer, ask];
}
