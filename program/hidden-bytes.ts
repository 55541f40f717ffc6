/**
 * Bytes of this process that are not of its JavaScript: what Deno holds of the network is among
 * them.
 */
export function hiddenBytes(): number {
  const { rss, heapTotal, external } = Deno.memoryUsage();
  return rss - heapTotal - external;
}
