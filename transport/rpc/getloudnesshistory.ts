import { readHistory } from "../../core/loudness/read-history.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { historyPart, historyResult, resource } from "../schemas.ts";

/** Reads the history of a loudness meter. An addition to the specification. */
export const getloudnesshistory = rpcMethod({
  name: "getloudnesshistory",
  summary: "Read what a loudness meter has shown in the last hour; a restart forgets it.",
  params: { loudness: resource("loudness meter"), ...historyPart },
  result: historyResult,
  reads: true,
  answersMuch: true,
  run: (console, { loudness, ...part }, _actor, { history }) =>
    readHistory(console, history, "loudness", loudness, part),
});
