import type { Method } from "../control-api/method.ts";
import { BAD_TOKEN, isGiven, NO_TOKEN, userOf } from "../request-token.ts";

/**
 * Logs a connection in with a token; a wrong one logs it out. Over HTTP it only tries the token.
 */
export const auth: Method = {
  answer({ token }, { console, connection }) {
    const user = userOf(console, token);
    connection?.logIn(user);
    if (user !== undefined) return { result: undefined };
    return isGiven(token) ? BAD_TOKEN : NO_TOKEN;
  },
};
