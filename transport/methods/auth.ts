import { isRefusal } from "../../core/errors.ts";
import type { Method } from "../control-api/method.ts";
import { NO_TOKEN } from "../request-token.ts";
import { isGiven } from "../tokens.ts";

/**
 * Logs a connection in with a token; a wrong token logs it out. Over HTTP it only checks the token.
 */
export const auth: Method = {
  asks: () => ({ call: "auth" }),
  answer({ token }, { authenticate, connection }) {
    const user = isGiven(token) ? authenticate(token) : NO_TOKEN;
    const isRefused = user instanceof Promise || isRefusal(user);
    connection?.logIn(isRefused ? undefined : user);
    return isRefused ? user : { result: undefined };
  },
};
