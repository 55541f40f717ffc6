/**
 * The storage alarm of the program, which prints its lines on standard error or in the log.
 *
 * @module
 */
import {
  createStorageAlarm as createAlarm,
  type StorageAlarm,
  type Watched,
} from "../runtimes/storage-alarm.ts";
import { warn } from "./print.ts";

export type { StorageAlarm } from "../runtimes/storage-alarm.ts";

/** Makes the alarm of a console, which has checked the medium once. */
export function createStorageAlarm(watched: Omit<Watched, "say">): StorageAlarm {
  return createAlarm({ ...watched, say: warn });
}
