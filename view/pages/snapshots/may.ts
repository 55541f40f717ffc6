/**
 * The rights of the user to a snapshot, by its groups. The service decides; this module predicts
 * the decision.
 *
 * @module
 */

/** The known properties of a snapshot. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly factory: boolean;
  /** Bitmasks: group N (1..8) is 2^(N-1). */
  readonly readgroups: number;
  readonly writegroups: number;
}

/** The groups and the rights of a user; without a name a user who is not logged in. */
export interface Who {
  readonly name: string | null;
  readonly groups: number;
  readonly admin: boolean;
}

/** The reason of a refusal: the name of a text. */
export type Obstacle = "needsGroup" | "needsLogin" | "isFactory" | "isDefault";

/** This id stands for the default snapshot of a mixer. */
export const DEFAULT_ID = "default";

/** The reason for which this user may not load a snapshot; undefined if the user may. */
export function loadObstacle({ readgroups, writegroups }: Listed, who: Who): Obstacle | undefined {
  return readgroups === 0 ? undefined : groupObstacle(readgroups | writegroups, who);
}

/** The reason for which this user may not rename or remove a snapshot. */
export function changeObstacle(listed: Listed, who: Who): Obstacle | undefined {
  if (listed.id === DEFAULT_ID) return "isDefault";
  if (listed.factory) return "isFactory";
  return who.admin ? undefined : groupObstacle(listed.writegroups, who);
}

/**
 * The reason for which this user may not overwrite a snapshot; the default snapshot is made to be
 * overwritten.
 */
export function overwriteObstacle(listed: Listed, who: Who): Obstacle | undefined {
  return listed.id === DEFAULT_ID ? createObstacle(who) : changeObstacle(listed, who);
}

/** The reason for which this user may not save a new snapshot. */
export function createObstacle(who: Who): Obstacle | undefined {
  return groupObstacle(-1, who);
}

function groupObstacle(groups: number, who: Who): Obstacle | undefined {
  if (who.name === null) return "needsLogin";
  return (who.groups & groups) === 0 ? "needsGroup" : undefined;
}
