/**
 * Starts what runs around a console, in the one order that works: its engine, the logics and
 * outputs that follow its faders, its fades, its connections, and the service that answers
 * requests.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { joinEngine, silence } from "../core/engine.ts";
import { createFadeDriver, type FadeDriver } from "../core/fades/fade-driver.ts";
import { followLogics } from "../core/logics/follow.ts";
import type { Engine, Timer } from "../core/ports.ts";
import type { Branch } from "../core/tree/tree.ts";
import { followExpiredLogins } from "../core/users/login.ts";
import type { Service } from "./arrival.ts";
import { createBudget } from "./budget.ts";
import { createService, type ServiceOptions } from "./service.ts";
import { createSessions, type Sessions, type SessionsOptions } from "./websocket/sessions.ts";

/** The ports of an engine in the same program. */
export interface EnginePorts {
  /** The control tree that is in force now. */
  readonly tree: () => Branch;
  /** Whether anybody subscribes to the meters of this engine. */
  readonly hasSubscribers: () => boolean;
}

/** The ports and options of all that runs around a console. */
export interface ServeConsoleOptions
  extends
    Omit<ServiceOptions, "console" | "sessions" | "budget">,
    Pick<SessionsOptions, "wrongTokens"> {
  /** The timer that wakes the fades; by default `timer`. */
  readonly fadeTimer?: Timer;
  /** The budget; by default one of its own, with the size of the configuration in force. */
  readonly budget?: ServiceOptions["budget"];
  /** Makes the engine, if one is configured; without it no engine is joined. */
  readonly engine?: (ports: EnginePorts) => Engine;
}

/** All that runs around a console. */
export interface ServedConsole {
  readonly sessions: Sessions;
  readonly service: Service;
  readonly fadeDriver: FadeDriver;
}

/** Starts all that runs around a console; the program hands the service what arrives. */
export function serveConsole(console: Console, options: ServeConsoleOptions): ServedConsole {
  const { timer, fadeTimer = timer, engine } = options;
  const { budget = createBudget(() => console.state.configuration.limits.memory) } = options;
  if (engine !== undefined) {
    const hasSubscribers = () => sessions.hearMeters() && console.state.engines.own !== "none";
    const hasEngine = console.state.configuration.engine !== "none";
    joinEngine(
      console,
      hasEngine ? engine({ tree: () => console.state.tree, hasSubscribers }) : silence,
    );
  }
  followLogics(console);
  followExpiredLogins(console);
  const fadeDriver = createFadeDriver(console, fadeTimer);
  const sessions = createSessions(console, { ...options, budget });
  const service = createService({ ...options, console, sessions, budget });
  return { sessions, service, fadeDriver };
}
