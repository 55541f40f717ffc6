/**
 * The availability of REST actions by configuration, firmware and licenses (service.md,
 * "Versioning" and "Limits").
 *
 * @module
 */
import type { Configuration } from "../../core/configuration/configuration.ts";
import { LICENSES } from "../../core/configuration/schema.ts";
import { needsTokenForActions } from "../request-token.ts";
import type { Action } from "./action.ts";

/** First firmware version with the REST interface. */
const REST_SINCE = "9.1";
/** First firmware version in which the snapshot calls are deprecated. */
const SNAPSHOTS_DEPRECATED_SINCE = "10.2";

/**
 * Says why the interface, or one of its actions, is not available to anybody; undefined if it is.
 */
export function gateOf(
  { restApi, device, licenses }: Configuration,
  { name, since = REST_SINCE }: Pick<Action, "name" | "since"> = { name: "the REST API" },
): string | undefined {
  if (!restApi.enabled) return "the REST API is not enabled in the configuration";
  if (!isAtLeast(device.firmware, REST_SINCE)) {
    return `the REST API needs firmware ${REST_SINCE}, this is ${device.firmware}`;
  }
  if (!isAtLeast(device.firmware, since)) {
    return `${name} needs firmware ${since}, this is ${device.firmware}`;
  }
  if (!licenses.includes(LICENSES.rest)) return `the REST API needs license ${LICENSES.rest}`;
}

/** Returns the HTTP methods that an action accepts (`restApi.writesByGet`). */
function methodsOf(
  { restApi }: Configuration,
  { methods, reads }: Action,
): Action["methods"] {
  return restApi.writesByGet || reads ? methods : methods.filter((method) => method !== "GET");
}

/** Says whether an action is one of the snapshot calls, and the firmware has their replacement. */
function isDeprecated({ device }: Configuration, action: Action): boolean {
  return action.deprecated === true && isAtLeast(device.firmware, SNAPSHOTS_DEPRECATED_SINCE);
}

/** The rules of the configuration for an action. */
export interface ActionRules {
  /** Why it is not available; undefined if it is. */
  readonly closed: string | undefined;
  readonly methods: readonly string[];
  readonly isDeprecated: boolean;
  readonly needsToken: boolean;
}

/**
 * Makes the function that returns the rules of an action, which are kept until the configuration
 * changes.
 */
export function createActionRules(): (configuration: Configuration, action: Action) => ActionRules {
  const kept = new Map<Action, ActionRules>();
  let keptFor: Configuration | undefined;
  return (configuration, action) => {
    if (configuration !== keptFor) kept.clear();
    keptFor = configuration;
    const known = kept.get(action);
    if (known !== undefined) return known;
    const rules = {
      closed: gateOf(configuration, action),
      methods: methodsOf(configuration, action),
      isDeprecated: isDeprecated(configuration, action),
      needsToken: action.token === "required" || needsTokenForActions(configuration),
    };
    kept.set(action, rules);
    return rules;
  };
}

/**
 * Says whether a version is at least another: 10.1.0 is at least 9.1. A missing part counts as 0.
 */
function isAtLeast(version: string, least: string): boolean {
  const have = parts(version);
  const need = parts(least);
  for (let at = 0; at < Math.max(have.length, need.length); at++) {
    const difference = (have[at] ?? 0) - (need[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function parts(version: string): number[] {
  return version.split(".").map(Number);
}
