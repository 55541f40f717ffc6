/**
 * The content of a snapshot.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { RequestError } from "../../../client/client.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { onOpen, tryRpc } from "../../state/live.ts";

/** The content of a snapshot, or the message with which it was refused. */
export interface Got {
  readonly id: string;
  readonly content?: Branch;
  readonly refusal?: string;
}

/**
 * Asks for a snapshot, and again after a loss of the connection, because the request may not have
 * arrived. Undefined until it is answered, and without an `id`. The mixer matters for the default
 * snapshot only.
 */
export function useSnapshot(id: string | undefined, mixer: number): Got | undefined {
  const [got, setGot] = useState<Got>();
  useEffect(() => {
    if (id === undefined) return;
    return onOpen(() =>
      void tryRpc("getsnapshot", { id, mixer }).then(
        ({ snapshotdata: { content } }) => setGot({ id, content }),
        ({ code, message }: RequestError) => code !== "lost" && setGot({ id, refusal: message }),
      )
    );
  }, [id, mixer]);
  return got?.id === id ? got : undefined;
}
