/**
 * The answers of actions: JSON that echoes the received parameters (decisions.md, "REST actions").
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, renamed } from "../../core/errors.ts";
import type { Clock } from "../../core/ports.ts";
import { withoutTokens } from "../../core/shown.ts";
import type { Received, ReceivedValues } from "../intake/form.ts";
import { isFile } from "../intake/multipart.ts";
import { CLOSE, json, type ResponseHeaders } from "../json-answers.ts";
import { needsToken } from "../request-token.ts";
import { typed } from "./action-parameters.ts";
import type { Unread } from "./action-request.ts";
import type { Action, ActionResult } from "./action.ts";
import type { ActionRules } from "./gate.ts";

/** The data of a request for its answer: the action, the parameters and the time of arrival. */
export interface Echo {
  readonly name: string;
  /** The action and its rules; undefined if there is none of that name. */
  readonly action?: Action;
  readonly rules?: ActionRules;
  /** Time of arrival of the request in monotonic ms. */
  readonly start: number;
  /** The parameters that could be read. */
  readonly received?: Received;
  /** Whether the request is authenticated, so that the answer may name the firmware. */
  readonly mayKnow?: boolean;
}

/** Makes the functions for each kind of answer of the actions of a console. */
export function createActionAnswers(console: Console, clock: Clock) {
  /** Makes an answer from the members that every answer has, and from its own. */
  function answer(echo: Echo, own: object, status?: number, headers?: ResponseHeaders): Response {
    const { configuration } = console.state;
    const { name, rules, start, mayKnow } = echo;
    const isKnown = mayKnow || !needsToken(configuration);
    const members = {
      ...echoed(echo),
      Action: withoutTokens(name),
      Debug: {
        ...(isKnown ? { Firmware: configuration.device.firmware } : {}),
        DurationMs: Math.round(clock.monotonic() - start),
      },
      ...(rules?.isDeprecated ? { Deprecated: true } : {}),
      ...own,
    };
    return json(members, status, headers);
  }

  /** Makes the answer to a failed request. */
  function problem(echo: Echo, status: number, error: string, headers?: ResponseHeaders): Response {
    return answer(echo, { Error: error }, status, headers);
  }

  /** Makes the answer while another request for the same action is in progress. */
  function busy(echo: Echo): Response {
    const headers = { "retry-after": "5", ...CLOSE };
    return problem(echo, 503, `another ${echo.name} is under way`, headers);
  }

  /** Makes the answer to a request whose body was not received completely. */
  function unread(echo: Echo, { unread, limit }: Unread): Response {
    if (unread === "evicted") return busy(echo);
    return unread === "tooLarge"
      ? problem(echo, 413, `the body is too large: expected at most ${limit} bytes`, CLOSE)
      : problem(echo, 408, "the body is incomplete", CLOSE);
  }

  /** Makes the answer with the outcome of an action. */
  function outcome(echo: Echo, outcome: Outcome<ActionResult>): Response {
    if (isRefusal(outcome)) {
      return problem(echo, 200, renamed(outcome, { token: "Token" }).message);
    }
    const { result, durable } = outcome;
    if (result instanceof Response) return result;
    return answer(echo, durable === undefined ? result : { Durable: durable, ...result });
  }

  return { problem, busy, unread, outcome };
}

/** Members of an answer with a meaning of their own: parameters with such a name are not echoed. */
const OWN_MEMBERS = new Set(
  ["Action", "Debug", "Deprecated", "Durable", "Error", "Restored", "User"],
);

/** Returns the received parameters, as the answer echoes them. */
export function echoed({ action, received = new Map() }: Echo): object {
  const members = [...received].filter(([name]) => !OWN_MEMBERS.has(name))
    .map(([name, given]) => [withoutTokens(name), echoOf(name, given, action)]);
  return Object.fromEntries(members);
}

/**
 * Returns a received value as the answer echoes it: a file by its name, and never a token, even
 * under a name in the wrong case.
 */
function echoOf(name: string, given: ReceivedValues, action: Action | undefined): unknown {
  if (name.toLowerCase() === "token") return "***";
  const { entries = {} } = action?.parameters ?? {};
  const schema = Object.hasOwn(entries, name) ? entries[name] : undefined;
  const echoed = given.map((one) => {
    const value = isFile(one) ? one.name : typed(schema, one);
    return typeof value === "string" ? withoutTokens(value) : value;
  });
  return echoed.length === 1 ? echoed[0] : echoed;
}
