/**
 * The method `auth` (decisions.md, "Control API endpoints").
 *
 * @module
 */
import { failed, succeeded } from "../control-api/envelope.ts";
import { BAD_TOKEN, isGiven, NO_TOKEN, userOf } from "../token.ts";
import type { Method } from "../control-api/method.ts";

/** Logs a connection in with a token; a wrong one logs it out. Over HTTP it only tries the token. */
export const auth: Method = {
  answersMuch: () => false,
  writes: () => false,
  answer(request, { console, connection }) {
    const { token } = request;
    const user = userOf(console.state, token);
    connection?.logIn(user);
    if (user !== undefined) return succeeded(request);
    return failed(request, isGiven(token) ? BAD_TOKEN : NO_TOKEN);
  },
};
