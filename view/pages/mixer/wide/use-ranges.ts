/**
 * The ranges that a part of the wide strip reads from the console.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Ranges } from "../../../../core/tree/leaf.ts";
import { onOpen, read } from "../../../state/live.ts";

/**
 * Reads the range of the value at a path, or the ranges of the values below it, and again after
 * each loss of the connection. Undefined until they are read for the first time. When the path
 * changes, the ranges of the former path stay until those of the new path are read.
 */
export function useRanges(path: string): Ranges | undefined {
  const [ranges, setRanges] = useState<Ranges>();
  const ask = () =>
    void read(`/range${path}` as string).then((all) => all && setRanges(all as Ranges));
  useEffect(() => onOpen(ask), [path]);
  return ranges;
}
