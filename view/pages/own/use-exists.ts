/**
 * Whether the console has a resource that an own page shows.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { RequestError } from "../../../client/client.ts";
import { onOpen, tryRead } from "../../state/live.ts";

/** A branch is read without its members. */
const NOTHING = { depth: 1, only: [] };

/** Asks whether a path exists; undefined until the console has answered. */
export function useExists(path: string): boolean | undefined {
  const [is, setIs] = useState<boolean>();
  useEffect(() => {
    setIs(undefined);
    return onOpen(() =>
      tryRead(path, NOTHING).then(() => setIs(true), (fault) => {
        // Without a connection the question is repeated on the next one.
        if (typeof (fault as RequestError).code === "number") setIs(false);
      })
    );
  }, [path]);
  return is;
}
