/**
 * The checks of `faderd doctor`, in the order in which they are printed.
 *
 * @module
 */
import { certificate } from "./certificate.ts";
import type { Check } from "./check.ts";
import { clock } from "./clock.ts";
import { configuration } from "./configuration.ts";
import { engine } from "./engine.ts";
import { folder } from "./folder.ts";
import { hooks } from "./hooks.ts";
import { log } from "./log.ts";
import { ports } from "./ports.ts";
import { rights } from "./rights.ts";
import { service } from "./service.ts";
import { space } from "./space.ts";
import { users } from "./users.ts";

/** Each check by its name. */
export const checks: Readonly<Record<string, Check>> = {
  configuration,
  folder,
  rights,
  space,
  log,
  users,
  service,
  ports,
  clock,
  certificate,
  hooks,
  engine,
};
