/**
 * Guessing tokens.
 *
 * @module
 */
import { flood } from "../flood.ts";
import { atOnce, type Target } from "../target.ts";
import { attackerAt } from "../wire.ts";

const CONNECTIONS = 8;
/** So many guesses of one connection are on their way. */
const ON_THE_WAY = 50;

/** As many wrong tokens as can be, over 8 connections of one address. */
export async function guessing(target: Target): Promise<void> {
  const options = { from: attackerAt(0), onTheWay: ON_THE_WAY };
  await atOnce(CONNECTIONS, () =>
    flood(target, options, () => {
      const parts = crypto.getRandomValues(new Uint32Array(4));
      const token = [...parts].map((part) => part.toString(16).padStart(8, "0")).join("-");
      return { method: "auth", token };
    }));
}
