import * as v from "valibot";
import { errorCodes, isRefusal } from "../../core/errors.ts";
import { takeHandover } from "../../core/users/takehandover.ts";
import { DEVICE } from "../../core/users/user.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { newToken, textResult } from "../schemas.ts";
import { whenKnown } from "../when-known.ts";

/** Redeems a code of `makehandover`, without a login. An addition to the specification. */
export const takehandover = rpcMethod({
  name: "takehandover",
  summary:
    "Use up a code of makehandover: the old token of its user is no longer valid, and the new one in the result is not shown again. Needs no token.",
  params: {
    code: v.pipe(v.string("a string"), v.description("the code, as makehandover answered it")),
  },
  result: v.object({ name: textResult("name of the user"), token: newToken }),
  logsIn: true,
  // Not marked as `writes`, so it does not overlap with others: if it closes its own connection, it
  // is answered before.
  run(console, { code }, { address, connection, call }, { refuseLate }) {
    // The actor is the device: the code itself gives the right, whichever user is logged in.
    const outcome = console.dispatch(takeHandover(code), { ...DEVICE, address, connection, call });
    return whenKnown(
      outcome,
      (known) =>
        isRefusal(known) && known.code === errorCodes.notLoggedIn ? refuseLate(known) : known,
    );
  },
});
