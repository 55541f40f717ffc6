/**
 * The results that the hub returns only on request.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { RequestError } from "../../client/client.ts";
import { onOpen } from "../state/live.ts";
import { hubRpc } from "./hub.ts";

/** The answer of the hub; it has neither member before the first answer. */
export interface Answer<Result> {
  readonly result?: Result;
  /** The reason for which the hub refuses; an earlier result stays. */
  readonly refusal?: RequestError | undefined;
}

/** The state of the requests. */
interface Asking {
  isUnderWay: boolean;
  /** Whether no further request is sent automatically. */
  readonly isOver: boolean;
}

/** Time in ms after which a lost request is sent again, if no interval is given. */
const AGAIN_MS = 5000;

/**
 * Asks the hub when a connection opens, every `ms` while the page is visible, and whenever the
 * returned function is called. Without parameters it asks nothing. With other parameters it asks
 * anew, and drops an answer to the earlier ones. One request is under way at a time; after a
 * refusal it does not ask again on this connection by itself.
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
        // A lost request has no answer: it is sent again.
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
