/**
 * What the console tells only when it is asked.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { RpcName, RpcResult } from "../../../client/client.ts";
import { onOpen, tryRpc } from "../../state/live.ts";
import { askWho } from "../../state/rights.ts";

const EVERY_MS = 5000;

/** The methods that take no parameters. */
type Asked = Extract<RpcName, "getuserlist" | "getclientlist" | "getcertificate">;

/** Asks by a method now and every 5 s while the page is seen; undefined until it is answered. */
export function usePolled<Name extends Asked>(
  name: Name,
): readonly [answer: RpcResult<Name> | undefined, ask: () => void] {
  const [answer, setAnswer] = useState<RpcResult<Name>>();
  const ask = () => {
    // Who may not ask any more is told so by the page, once it knows.
    tryRpc<Asked>(name, {}).then((result) => setAnswer(() => result as RpcResult<Name>), askWho);
  };
  useEffect(() => {
    const end = onOpen(ask);
    const timer = setInterval(() => document.visibilityState === "visible" && ask(), EVERY_MS);
    return () => {
      end();
      clearInterval(timer);
    };
  }, []);
  return [answer, ask];
}
