/**
 * Optional parts of a console: they are read once, because a missing part cannot be followed.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Extent } from "../../../client/client.ts";
import { onOpen, tryRead } from "../../state/live.ts";

/** Returns a part of a branch as it was last read; undefined until then. */
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
