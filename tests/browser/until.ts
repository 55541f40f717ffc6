/** So long something may take before it counts as never, in ms. */
const PATIENCE_MS = 20_000;

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!await isSo()) {
    if (performance.now() > end) throw new Error(`still not so after ${PATIENCE_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
