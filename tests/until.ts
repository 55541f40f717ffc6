/** Waits until a condition holds; fails after a minute, a limit that no slow machine reaches. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!await condition()) {
    if (performance.now() > end) throw new Error(`still not so after 60 s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
