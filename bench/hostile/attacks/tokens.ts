/**
 * Guessing tokens.
 *
 * @module
 */
import { atOnce, noted, sleep, type Target } from "../target.ts";
import { attackerAt } from "../wire.ts";

const CONNECTIONS = 8;
/** So many guesses of one connection are on their way. */
const ON_THE_WAY = 50;

/** As many wrong tokens as can be, over 8 connections of one address. */
export async function guessing(target: Target): Promise<void> {
  await atOnce(CONNECTIONS, async () => {
    while (!target.over) {
      let going = 0;
      const wire = await noted(target, { from: attackerAt(0), answered: () => going-- });
      if (wire === undefined) {
        await sleep(100);
        continue;
      }
      while (!target.over && !wire.socket.destroyed) {
        while (going < ON_THE_WAY) {
          going++;
          const parts = crypto.getRandomValues(new Uint32Array(4));
          const token = [...parts].map((part) => part.toString(16).padStart(8, "0")).join("-");
          wire.send(JSON.stringify({ method: "auth", token }));
        }
        await sleep(1);
      }
    }
  });
}
