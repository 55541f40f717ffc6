/**
 * The RPC `setsnapshot` (service.md, "RPC methods").
 *
 * @module
 */
import * as v from "valibot";
import { isRefusal } from "../../core/errors.ts";
import { setSnapshot, verifySnapshot } from "../../core/snapshots/setsnapshot.ts";
import { stillThere } from "../../core/users/user.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { rpcMethod } from "./method.ts";
import { mixer } from "./parameters.ts";

/** Takes a snapshot in. */
export const setsnapshot = rpcMethod({
  name: "setsnapshot",
  summary: "Add a snapshot as got from getsnapshot, or replace the one with its UUID.",
  params: v.object({
    snapshotdata: v.pipe(v.custom<object>(isBranch, "an object"), v.metadata({ type: "object" })),
    mixer,
  }),
  writes: true,
  async run(console, { snapshotdata, mixer }, actor, { pacer, hold }) {
    const decided = hold();
    try {
      const given = await pacer.alone(() => verifySnapshot(console.state, snapshotdata, pacer));
      if (isRefusal(given)) return given;
      const by = stillThere(console.state.users, actor);
      return console.dispatch(setSnapshot(given, mixer), by);
    } finally {
      decided();
    }
  },
});
