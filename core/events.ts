/**
 * The table of all events. To add one, add its file and a line here. A checkpoint has their records
 * in the order of this table.
 *
 * @module
 */
import { accesschanged } from "./access/accesschanged.ts";
import { configurationwritten } from "./backup/configurationwritten.ts";
import { restored } from "./backup/restored.ts";
import { restoregivenup } from "./backup/restoregivenup.ts";
import { snapshotstaged } from "./backup/snapshotstaged.ts";
import { unknowndropped } from "./configuration/unknowndropped.ts";
import { engineschanged } from "./engines/engineschanged.ts";
import type { EventDefinition, Note } from "./event.ts";
import { commanddone } from "./fleet-commands/commanddone.ts";
import { fadeended } from "./fades/fadeended.ts";
import { fadestarted } from "./fades/fadestarted.ts";
import { listchanged } from "./lists/listchanged.ts";
import { listnotified } from "./lists/listnotified.ts";
import { picturewritten } from "./pictures/picturewritten.ts";
import { snapshotmodified } from "./snapshots/snapshotmodified.ts";
import { snapshotremoved } from "./snapshots/snapshotremoved.ts";
import { snapshotwritten } from "./snapshots/snapshotwritten.ts";
import type { State } from "./state.ts";
import { treechanged } from "./tree/treechanged.ts";
import { valueskept } from "./tree/valueskept.ts";
import { handovermade } from "./users/handovermade.ts";
import { handovertaken } from "./users/handovertaken.ts";
import { tokenused } from "./users/tokenused.ts";
import { userremoved } from "./users/userremoved.ts";
import { userwritten } from "./users/userwritten.ts";
import { viewdocumentwritten } from "./view-documents/viewdocumentwritten.ts";

const definitions = {
  restored,
  configurationwritten,
  snapshotstaged,
  restoregivenup,
  userwritten,
  userremoved,
  tokenused,
  handovermade,
  handovertaken,
  snapshotwritten,
  snapshotmodified,
  snapshotremoved,
  picturewritten,
  viewdocumentwritten,
  treechanged,
  valueskept,
  unknowndropped,
  fadestarted,
  fadeended,
  listchanged,
  listnotified,
  engineschanged,
  accesschanged,
  commanddone,
};

type Definitions = typeof definitions;
type EventOf<Definition> = Definition extends EventDefinition<infer Kind> ? Kind : never;

/**
 * Any event of a console. The `type` of an event has to be its name in the table, otherwise it
 * cannot be made.
 */
export type ConsoleEvent = {
  [Type in keyof Definitions]: Extract<EventOf<Definitions[Type]>, { readonly type: Type }>;
}[keyof Definitions];

/** The definitions by the type of their event. */
export const events: ReadonlyMap<string, EventDefinition<ConsoleEvent>> = new Map(
  Object.entries(definitions),
);

/**
 * Says whether an event comes into force only once it is stored; a volatile event is never stored.
 */
export function isDurable(event: ConsoleEvent): boolean {
  return events.get(event.type)!.log?.keeps(event) ?? false;
}

/**
 * Says whether an event comes into force in degraded mode, that is, although it cannot be stored: a
 * volatile event, or one of the live state.
 */
export function appliesInDegradedMode(event: ConsoleEvent): boolean {
  return !isDurable(event) || events.get(event.type)!.log!.ifNotStored === "inForce";
}

/**
 * Notes the values that an event changes for the audit trail; `before` is the state before its
 * command.
 */
export function tell(before: State, event: ConsoleEvent, note: Note): void {
  events.get(event.type)!.tell(before, event, note);
}

/** Returns the state after an event. */
export function reduce(state: State, event: ConsoleEvent): State {
  return events.get(event.type)!.reduce(state, event);
}
