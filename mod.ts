/**
 * faderd as a library: the console without its service, for any runtime. It needs a store, a clock,
 * a timer and random bytes ({@link ConsoleOptions}), and nothing of Deno.
 *
 * @example A console that forgets everything at its end
 * ```ts
 * import assert from "node:assert/strict";
 * import { createConsole, createFadeDriver, DEVICE, fadeToValue, get } from "faderd";
 * import { initialState, readConfiguration, set } from "faderd";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error("the configuration has faults");
 * const clock = { now: Date.now, monotonic: () => performance.now() };
 * const timer = {
 *   monotonic: clock.monotonic,
 *   at(due: number, wake: () => void) {
 *     const timeout = setTimeout(wake, Math.max(0, due - performance.now()));
 *     return () => clearTimeout(timeout);
 *   },
 * };
 * const desk = createConsole({
 *   state: initialState(read.configuration),
 *   store: { append: () => Promise.resolve() },
 *   clock,
 *   random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
 * });
 * const fadeDriver = createFadeDriver(desk, timer);
 *
 * await desk.dispatch(set("/audio/mixers/0/faders/0/on", true), DEVICE);
 * assert.deepEqual(get(desk, "/audio/mixers/0/faders/0/on"), { value: true });
 * desk.dispatch(fadeToValue({ mixer: 0, fader: 0, seconds: 2, value: -10 }), DEVICE);
 * await fadeDriver.stop(); // ends the fade where it is
 * ```
 *
 * @module
 */
export type * from "./core/audit.ts";
export type * from "./core/audit-query.ts";
export type * from "./core/noted-changes.ts";
export * from "./core/backup/device.ts";
export type { PackOptions } from "./core/backup/files.ts";
export { pack } from "./core/backup/pack.ts";
export * from "./core/backup/read-backup.ts";
export * from "./core/backup/restore-backup.ts";
export { type AskedTags, readTags, type Tag, tagsFor, tagTable } from "./core/backup/tags.ts";
export type { Tls } from "./core/backup/tls.ts";
export * from "./core/cooperative-scheduler.ts";
export { checkpointRecords } from "./core/record.ts";
export { connect, RequestError } from "./client/client.ts";
export type { Client, ConnectOptions } from "./client/client.ts";
export * from "./core/configuration/configuration.ts";
export { dropUnknown } from "./core/configuration/dropunknown.ts";
export { unknownPaths } from "./core/configuration/unknown.ts";
export { demoConfiguration } from "./core/configuration/demo.ts";
export type { Fault } from "./core/configuration/faults.ts";
export {
  configurationSchema,
  LICENSES,
  type WrittenConfiguration,
} from "./core/configuration/schema.ts";
export type * from "./core/command.ts";
export * from "./core/console.ts";
export * from "./core/ending-timer.ts";
export * from "./core/engine.ts";
export {
  errorCodes,
  type ErrorName,
  isRefusal,
  type Refusal,
  refuse,
  renamed,
} from "./core/errors.ts";
export { type FadeToValue, fadeToValue } from "./core/fades/fadetovalue.ts";
export * from "./core/fades/fade-driver.ts";
export { findChannel, NO_CHANNEL } from "./core/labels/channels.ts";
export { type ChannelLabel, setChannelLabel } from "./core/labels/setchannellabel.ts";
export * from "./core/labels/setgloballabel.ts";
export * from "./core/limits.ts";
export { followLogics } from "./core/logics/follow.ts";
export type { ExternalList, ListEntry } from "./core/lists/list.ts";
export { type PressList, pressList } from "./core/lists/pressextlist.ts";
export { closeConnection, registerList, unregisterList } from "./core/lists/registerextlist.ts";
export { type SetList, setList } from "./core/lists/setextlist.ts";
export * from "./core/pictures/resource.ts";
export type { Picture } from "./core/pictures/picture.ts";
export { getSnapshot } from "./core/snapshots/getsnapshot.ts";
export { listSnapshots, type SnapshotListEntry } from "./core/snapshots/getsnapshotlist.ts";
export { type LoadSnapshot, loadSnapshot } from "./core/snapshots/loadsnapshot.ts";
export { type ModifySnapshot, modifySnapshot } from "./core/snapshots/modifysnapshot.ts";
export { removeSnapshot } from "./core/snapshots/removesnapshot.ts";
export { type SaveSnapshot, saveSnapshot } from "./core/snapshots/savesnapshot.ts";
export { setSnapshot, verifySnapshot } from "./core/snapshots/setsnapshot.ts";
export type * from "./core/ports.ts";
export type { Snapshot, SnapshotType } from "./core/snapshots/snapshot.ts";
export type { SnapshotData, VerifiedSnapshot } from "./core/snapshots/snapshotdata.ts";
export {
  type SettingsDocument,
  settingsOf,
  settingsSchemas,
  type SettingsTag,
} from "./core/settings/settings.ts";
export * from "./core/replay.ts";
export type { ConsoleEvent } from "./core/events.ts";
export { initialState, type State } from "./core/state.ts";
export { type StorageState, tellStorage } from "./core/storage-alarm.ts";
export { childNames, get } from "./core/tree/get.ts";
export type { LeafDefinition } from "./core/tree/leaf.ts";
export type { FaderAddress, FaderAddress as ChannelAddress } from "./core/tree/resources.ts";
export {
  type Branch,
  find,
  formatPath,
  type Leaf,
  parsePath,
  type Patch,
  type Path,
  type Tree,
} from "./core/tree/tree.ts";
export { set } from "./core/tree/set.ts";
export { addUser, type NewUser, removeUser } from "./core/users/adduser.ts";
export { adminRefusal, byAdmin } from "./core/users/admin.ts";
export { listUsers, type UserListEntry } from "./core/users/getuserlist.ts";
export { followExpiredLogins, login, logout } from "./core/users/login.ts";
export { type ModifyUser, modifyUser } from "./core/users/modifyuser.ts";
export { userOfToken } from "./core/users/token.ts";
export { type Actor, DEVICE, type May, type User } from "./core/users/user.ts";
export * from "./fade/law.ts";
export { FADE_MAX, FADE_STEP, FADER_MAX, FADER_MIN } from "./fade/limits.ts";
export * from "./fade/plan.ts";
export * from "./fade/scheduler.ts";
export type { Condition, Log, LogOptions } from "./storage/contract.ts";
export { openMemoryLog } from "./storage/memory.ts";
export type { Arrival, HttpRequest, Listener, Service } from "./transport/arrival.ts";
export { type Budget, createBudget } from "./transport/budget.ts";
export type { AnsweredRequest, Observer } from "./transport/observer.ts";
export { createService, type ServiceOptions, WEBSOCKET_PATH } from "./transport/service.ts";
export type { View, ViewFile } from "./transport/view.ts";
export { createWrongTokens, type WrongTokens } from "./transport/wrong-tokens.ts";
export type { Peer, Session } from "./transport/websocket/session.ts";
export {
  createSessions,
  type Sessions,
  type SessionsOptions,
} from "./transport/websocket/sessions.ts";
export type { Socket } from "./transport/websocket/send-buffer.ts";
