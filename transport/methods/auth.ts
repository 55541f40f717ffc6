import { failed, succeeded } from "../envelope.ts";
import { BAD_TOKEN, userOf } from "../token.ts";
import type { Method } from "./method.ts";

/** Logs a connection in with a token; a wrong one logs it out. Over HTTP it only tries the token. */
export const auth: Method = {
  writes: () => false,
  answer(request, { console, connection }) {
    const user = userOf(console.state, request.token);
    connection?.logIn(user);
    return user === undefined ? failed(request, BAD_TOKEN) : succeeded(request);
  },
};
