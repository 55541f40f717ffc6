/**
 * The REST action interface: `/action/<name>` (service.md, "REST actions"). The order of its checks
 * is set in decisions.md: known action, enabled, licensed, rate, HTTP method, parameters, token,
 * rights, object.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { FORM_BYTES } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import type { State } from "../../core/state.ts";
import type { Actor } from "../../core/users/user.ts";
import type { HttpRequest } from "../arrival.ts";
import type { Budget } from "../budget.ts";
import type { BodyReader } from "../intake/body.ts";
import { type ReceivedValues, repeated } from "../intake/form.ts";
import { authenticateActor, needsToken, NO_TOKEN, TOKEN_CALL } from "../request-token.ts";
import type { Tokens } from "../tokens.ts";
import { whenKnown } from "../when-known.ts";
import { createActionAnswers, type Echo, echoed } from "./action-answer.ts";
import { readReceived, renamedFor } from "./action-parameters.ts";
import { type Brought, receive } from "./action-request.ts";
import type { Action, ActionResult, ActionWorld } from "./action.ts";
import { actions } from "./actions.ts";
import { type ActionRules, createActionRules } from "./gate.ts";
import { limitedAddresses } from "./limited-addresses.ts";

/** The path of all actions; the name of an action follows. */
export const ACTION_PATH = "/action/";

interface ActionApiParts {
  readonly readBody: BodyReader;
  readonly tokens: Tokens;
  readonly budget: Pick<Budget, "restores">;
}

/** Makes the REST actions of a console. */
export function createActionApi(
  console: Console,
  { readBody, tokens, budget, ...world }: ActionWorld & ActionApiParts,
): (asked: HttpRequest) => Response | Promise<Response> {
  const { clock } = world;
  const answers = createActionAnswers(console, clock);
  const clients = limitedAddresses();
  const rulesOf = createActionRules();
  const underWay = new Set<Action>();

  function respond(asked: HttpRequest, echo: KnownEcho): Response | Promise<Response> {
    const { action, rules: { closed, methods } } = echo;
    if (closed !== undefined) return answers.problem(echo, 405, closed);
    const { rest } = console.state.configuration.limits;
    const admission = clients.admit(asked.client, echo.start, rest);
    if (!admission.accepted) {
      const wait = String(admission.retryAfter);
      const error = `too many requests: wait ${wait} s`;
      return answers.problem(echo, 423, error, { "retry-after": wait });
    }
    const { method } = asked.request;
    if (!methods.includes(method)) {
      const allow = methods.join(", ");
      const error = `expected ${methods.join(" or ")}, got ${method}`;
      const call = action.reads ? undefined : action.name;
      console.tellRefused({ address: asked.client, call }, refuse("malformed", error));
      return answers.problem(echo, 405, error, { allow });
    }
    if (underWay.has(action)) return answers.busy(echo);
    const limit = formBytes(action, console.state);
    const quota = action.exclusive ? budget.restores : undefined;
    const brought = receive(readBody, world.scheduler, asked, limit, quota);
    return whenKnown(brought, (known) => {
      if ("unread" in known) return answers.unread(echo, known);
      const { received, release } = known;
      const goOn = () => carryOut(known, asked, { ...echo, received });
      return release === undefined ? goOn() : Promise.resolve().then(goOn).finally(release);
    });
  }

  function carryOut(
    { received, malformed, tokens: given }: Brought,
    asked: HttpRequest,
    echo: KnownEcho,
  ): Response | Promise<Response> {
    const { action } = echo;
    return whenKnown(actorFor(action, given, asked), (known) => {
      const mayKnow = !isRefusal(known);
      const actor = {
        ...(mayKnow ? known : { address: asked.client }),
        call: callOf(action, known),
      };
      const refused = (refusal: Refusal) => {
        console.tellRefused(actor, refusal, echoed(echo));
        return answers.outcome({ ...echo, mayKnow }, refusal);
      };
      // If every request needs a token, the parameters are not disclosed without one.
      if (!mayKnow && needsToken(console.state.configuration)) return refused(known);
      const values = malformed ?? readReceived(action.parameters, received);
      if (isRefusal(values)) return refused(values);
      if (!mayKnow) return refused(known);
      if (underWay.has(action)) return answers.busy(echo);
      return whenKnown(
        run(action, values, actor),
        (outcome) =>
          isRefusal(outcome)
            ? refused(renamedFor(action.parameters, outcome))
            : answers.outcome({ ...echo, mayKnow }, outcome),
      );
    });
  }

  function run(
    action: Action,
    values: Parameters<Action["run"]>[1],
    actor: Actor,
  ): Outcome<ActionResult> | Promise<Outcome<ActionResult>> {
    const outcome = action.run(console, values, actor, world);
    if (!action.exclusive || !(outcome instanceof Promise)) return outcome;
    underWay.add(action);
    return outcome.finally(() => underWay.delete(action));
  }

  function actorFor(
    action: Action,
    given: ReceivedValues,
    asked: HttpRequest,
  ): Actor | Refusal | Promise<Refusal> {
    // The configuration may have changed since the head of the request came.
    const rules = rulesOf(console.state.configuration, action);
    if (given.length === 0 && rules.needsToken && asked.vouched?.user === undefined) {
      return NO_TOKEN;
    }
    return repeated(given, "Token") ?? authenticateActor(tokens, asked, given[0]);
  }

  return (asked) => {
    const name = asked.url.pathname.slice(ACTION_PATH.length);
    const action = actions.get(name);
    const start = clock.monotonic();
    if (action === undefined) {
      return answers.problem({ name, start }, 404, `there is no action ${shown(name)}`);
    }
    const rules = rulesOf(console.state.configuration, action);
    const answered = respond(asked, { name, action, rules, start });
    // An action with its own media type answers with a file, unless it answers at once.
    asked.waits = action.media !== undefined && answered instanceof Promise;
    return rules.isDeprecated ? whenKnown(answered, withDeprecation) : answered;
  };
}

/** The data of a request for an action that exists. */
type KnownEcho = Echo & { readonly action: Action; readonly rules: ActionRules };

function withDeprecation(response: Response): Response {
  response.headers.set("deprecation", "true");
  return response;
}

/**
 * Returns the name of a call in the audit trail: that of the action, or that of a wrong token if
 * the action only reads; undefined if it only reads and came with a right token or with none.
 */
function callOf({ name, reads }: Action, known: Actor | Refusal): string | undefined {
  if (reads !== true) return name;
  return isRefusal(known) && known !== NO_TOKEN ? TOKEN_CALL : undefined;
}

/**
 * Returns the maximum number of bytes of a form that may contain a file: the limit of the file and
 * that of a form.
 */
function formBytes({ fileBytes }: Action, state: State): number {
  return FORM_BYTES + (fileBytes?.(state) ?? 0);
}
