/**
 * The rights of the user to a snapshot, by its groups. The service decides; this
 * says it beforehand.
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

/** A user, as far as groups go; without a name one who is not logged in. */
export interface Who {
  readonly name: string | null;
  readonly groups: number;
  readonly admin: boolean;
}

/** Why not: the name of a text. */
export type Obstacle = "needsGroup" | "needsLogin" | "isFactory" | "isDefault";

/** This id stands for the default snapshot of a mixer. */
export const DEFAULT_ID = "default";

/** Why this user may not load a snapshot; undefined where nothing is in the way. */
export function loadObstacle({ readgroups, writegroups }: Listed, who: Who): Obstacle | undefined {
  return readgroups === 0 ? undefined : groupObstacle(readgroups | writegroups, who);
}

/** Why this user may not rename or remove a snapshot. */
export function changeObstacle(listed: Listed, who: Who): Obstacle | undefined {
  if (listed.id === DEFAULT_ID) return "isDefault";
  if (listed.factory) return "isFactory";
  return who.admin ? undefined : groupObstacle(listed.writegroups, who);
}

/** Why this user may not save over a snapshot: the default one is made to be saved over. */
export function overwriteObstacle(listed: Listed, who: Who): Obstacle | undefined {
  return listed.id === DEFAULT_ID ? createObstacle(who) : changeObstacle(listed, who);
}

/** Why this user may not save a new snapshot. */
export function createObstacle(who: Who): Obstacle | undefined {
  return groupObstacle(-1, who);
}

function groupObstacle(groups: number, who: Who): Obstacle | undefined {
  if (who.name === null) return "needsLogin";
  return (who.groups & groups) === 0 ? "needsGroup" : undefined;
}
