/**
 * What the hub tells only when it is asked.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { RequestError } from "../../client/client.ts";
import { onOpen } from "../state/live.ts";
import { hubRpc } from "./hub.ts";

/** What the hub has answered; neither until it has. */
export interface Answer<Result> {
  readonly result?: Result;
  /** Why it refuses; the result that was there before stays. */
  readonly refusal?: RequestError | undefined;
}

/** How the asking stands. */
interface Asking {
  isUnderWay: boolean;
  /** Whether nothing is asked by itself any more. */
  readonly isOver: boolean;
}

/** How soon it is asked again in ms where the request or its answer was lost. */
const AGAIN_MS = 5000;

/**
 * Asks the hub now, where there is a connection, after each loss of it, every `ms` while the page is
 * seen, and whenever the returned function is called. Nothing is asked without parameters. With
 * other ones it is asked anew, and an answer to those before is dropped. One request is under way at
 * a time; after a refusal nothing is asked by itself on this connection.
 */
export function useHubAnswer<Name extends FleetRpcName>(
  name: Name,
  params: FleetRpcParams<Name> | undefined,
  ms?: number,
): readonly [answer: Answer<FleetRpcResult<Name>>, ask: () => void] {
  const about = params && JSON.stringify(params);
  const [answer, setAnswer] = useState<Answer<FleetRpcResult<Name>> & { about?: string }>({});
  const request = useRef<Asking>({ isUnderWay: false, isOver: false });

  function ask(): void {
    if (params === undefined || about === undefined || request.current.isUnderWay) return;
    const own: Asking = request.current = { isUnderWay: true, isOver: false };
    const settle = (said: Answer<FleetRpcResult<Name>>) => {
      if (request.current !== own) return;
      request.current = { isUnderWay: false, isOver: said.refusal !== undefined || !ms };
      setAnswer((before) => ({ ...before.about === about ? before : {}, about, ...said }));
    };
    hubRpc(name, params).then(
      (result) => settle({ result, refusal: undefined }),
      (fault: RequestError) => {
        // What was lost says nothing: it is asked again.
        if (typeof fault.code === "number") settle({ refusal: fault });
        else own.isUnderWay = false;
      },
    );
  }

  useEffect(() => {
    request.current = { isUnderWay: false, isOver: false };
    const end = onOpen(ask);
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && !request.current.isOver) ask();
    }, ms ?? AGAIN_MS);
    return () => {
      end();
      clearInterval(timer);
      request.current = { isUnderWay: false, isOver: true };
    };
  }, [about]);
  return [answer.about === about ? answer : {}, ask];
}
