/**
 * What a console may have or not have: read once, for what is not there cannot be followed.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Extent } from "../../../client/client.ts";
import { onOpen, tryRead } from "../../state/live.ts";

/** Reads a part of a branch, as it was read last; undefined until then. */
export function usePart<Part extends object>(
  path: string,
  extent: Extent,
): Partial<Part> | undefined {
  const [part, setPart] = useState<Partial<Part>>();
  useEffect(
    () => onOpen(() => void tryRead(path, extent).then((read) => setPart(read as Part), () => {})),
    [path],
  );
  return part;
}
