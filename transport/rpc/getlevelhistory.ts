import { readHistory } from "../../core/loudness/read-history.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { historyPart, historyResult, resource } from "../schemas.ts";

/** Reads the history of a level. An addition to the specification. */
export const getlevelhistory = rpcMethod({
  name: "getlevelhistory",
  summary: "Read what a level of the console has shown in the last hour; a restart forgets it.",
  params: { level: resource("level of the console"), ...historyPart },
  result: historyResult,
  reads: true,
  answersMuch: true,
  run: (console, { level, ...part }, _actor, { history }) =>
    readHistory(console, history, "levels", level, part),
});
