import { isRefusal } from "../../core/errors.ts";
import type { Method } from "../control-api/method.ts";
import { isGiven, NO_TOKEN } from "../request-token.ts";

/**
 * Logs a connection in with a token; a wrong one logs it out. Over HTTP it only tries the token.
 */
export const auth: Method = {
  asks: () => ({ call: "auth" }),
  answer({ token }, { judge, connection }) {
    const judged = isGiven(token) ? judge(token) : NO_TOKEN;
    const isRefused = judged instanceof Promise || isRefusal(judged);
    connection?.logIn(isRefused ? undefined : judged);
    return isRefused ? judged : { result: undefined };
  },
};
