/**
 * The type of a REST action. Each action has a file of its own with its name in the specification,
 * and its parameters as schemas: validation, errors and the published description follow from them.
 *
 * @module
 */
import * as v from "valibot";
import type { Device } from "../../core/backup/device.ts";
import type { Console } from "../../core/console.ts";
import type { Outcome } from "../../core/command.ts";
import type { Clock, CooperativeScheduler, Timer } from "../../core/ports.ts";
import type { State } from "../../core/state.ts";
import type { Actor } from "../../core/users/user.ts";
import type { AnswerBody } from "../answer-body.ts";
import type { ParametersSchema } from "../parameters.ts";

/** The outcome of an action: members for the JSON answer, or an answer of another kind. */
export type ActionResult = Readonly<Record<string, unknown>> | Response;

/** The ports of actions, besides the console. */
export interface ActionWorld {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly bodyOf: AnswerBody;
  readonly device: Device;
}

interface ActionParts<Entries extends v.ObjectEntries> {
  readonly name: string;
  /** One sentence for the published description. */
  readonly summary: string;
  /** The HTTP methods by which it is called; by default both. */
  readonly methods?: readonly ("GET" | "POST")[];
  /**
   * Set for an action that changes nothing, so that GET may call it even if `restApi.writesByGet`
   * is false, and the audit trail has no entry for it.
   */
  readonly reads?: true;
  readonly parameters: Entries;
  /** The members of the answer besides those of every answer, for the published description. */
  readonly result?: v.ObjectEntries;
  /** The media type of an answer that is a file or text; without it the answer is JSON. */
  readonly media?: string;
  /** Whether a token is optional, which is the default, or required. */
  readonly token?: "optional" | "required";
  /** Set for the snapshot calls that the control API replaces. */
  readonly deprecated?: boolean;
  /** The firmware that introduced it, if later than that of the interface. */
  readonly since?: string;
  /** Returns the maximum size of its file in bytes; without this it has no file. */
  fileBytes?(state: State): number;
  /**
   * Set if only one request is carried out at a time. Its body counts for `Budget.restores`
   * until the request is carried out.
   */
  readonly exclusive?: true;
  run(
    console: Console,
    values: v.InferOutput<ParametersSchema<Entries>>,
    actor: Actor,
    world: ActionWorld,
  ): Outcome<ActionResult> | Promise<Outcome<ActionResult>>;
}

/** An action, ready to be called. */
export interface Action extends Omit<ActionParts<v.ObjectEntries>, "parameters"> {
  readonly methods: readonly ("GET" | "POST")[];
  readonly token: "optional" | "required";
  readonly parameters: ParametersSchema;
}

/** Makes an action of its parts. */
export function action<Entries extends v.ObjectEntries>(
  { parameters, ...parts }: ActionParts<Entries>,
): Action {
  return {
    methods: ["GET", "POST"],
    token: "optional",
    ...parts,
    parameters: v.object(parameters),
  };
}
