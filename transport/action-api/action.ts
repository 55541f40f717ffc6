/**
 * What a REST action is. Each stands in a file of its own, named as the specification names it,
 * with its parameters as schemas: validation, errors and the published description come from those.
 *
 * @module
 */
import * as v from "valibot";
import type { Device } from "../../core/backup/device.ts";
import type { Console } from "../../core/console.ts";
import type { Outcome } from "../../core/command.ts";
import { isRefusal, type Refusal, renamed } from "../../core/errors.ts";
import type { Clock, CooperativeScheduler, Timer } from "../../core/ports.ts";
import type { State } from "../../core/state.ts";
import type { Actor } from "../../core/users/user.ts";
import type { AnswerBody } from "../answer-body.ts";
import type { Received } from "../intake/form.ts";
import { type Parameters, readParameters } from "../parameters.ts";
import { namedParameters } from "./action-parameters.ts";

/** What an action comes to: members for the JSON answer, or an answer of another kind. */
export type ActionResult = Readonly<Record<string, unknown>> | Response;

/** What an action may ask of the world beside the console. */
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
   * It changes nothing, so that GET may call it also where `restApi.writesByGet` is false, and the
   * audit trail has nothing of it.
   */
  readonly reads?: true;
  readonly parameters: Entries;
  /** What the answer has beside what every answer has, for the published description. */
  readonly result?: v.ObjectEntries;
  /** The media type of an answer that is a file, or text: without it the answer is JSON. */
  readonly media?: string;
  /** By default optional. */
  readonly token?: "optional" | "required";
  /** One of the snapshot calls that the control API replaces. */
  readonly deprecated?: boolean;
  /** The firmware that it came with, where that is later than the interface's. */
  readonly since?: string;
  /** The most bytes of the file that comes with it; without this none does. */
  fileBytes?(state: State): number;
  /** One request at a time. The bodies of waiting ones share the memory of one. */
  readonly alone?: true;
  run(
    console: Console,
    values: v.InferOutput<Parameters<Entries>>,
    actor: Actor,
    world: ActionWorld,
  ): Outcome<ActionResult> | Promise<Outcome<ActionResult>>;
}

/** Parameters that were read by their schemas. */
export type ReadParameters = v.InferOutput<Parameters>;

/** An action, ready to be called with what was received. */
export interface Action extends Omit<ActionParts<v.ObjectEntries>, "run"> {
  readonly methods: readonly ("GET" | "POST")[];
  readonly token: "optional" | "required";
  /** The parameters, or why the first that is not as expected is refused (3). */
  read(received: Received): ReadParameters | Refusal;
  call(
    console: Console,
    values: ReadParameters,
    actor: Actor,
    world: ActionWorld,
  ): Promise<Outcome<ActionResult>>;
}

/** The parameters that refusals of the core name, and the names that actions have for them. */
const NAMES = [
  ["id", "ObjectID"],
  ["sourceid", "ObjectID"],
  ["mixer", "ObjectID"],
  ["snapshotdata", "file"],
] as const;

/** Makes an action of its parts. */
export function action<Entries extends v.ObjectEntries>(parts: ActionParts<Entries>): Action {
  const { run, ...rest } = parts;
  const schema = v.object(parts.parameters);
  const names = Object.fromEntries(NAMES.filter(([, name]) => name in parts.parameters));
  return {
    methods: ["GET", "POST"],
    token: "optional",
    ...rest,
    read(received) {
      const given = namedParameters(parts.parameters, received);
      return isRefusal(given) ? given : readParameters(schema, given);
    },
    async call(console, values, actor, world) {
      const outcome = await run(console, values as v.InferOutput<typeof schema>, actor, world);
      return isRefusal(outcome) ? renamed(outcome, names) : outcome;
    },
  };
}
