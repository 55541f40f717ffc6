import { urlOf } from "../listeners.ts";
import { type Check, note, well, wrong } from "./check.ts";

/** The advice for each state of the medium but `ok`. */
const ADVICE: Readonly<Record<string, string>> = {
  slow: "find what keeps the medium busy, or replace it",
  full: "make room on the medium",
  readonly: "repair the medium, or mount it for writing",
  damaged: "stop the service, copy the folder, then see faderd log verify and faderd log repair",
};

/** Checks whether a service runs on the folder, answers, and stores changes. */
export const service: Check = ({ listen, health, isInUse, stored, data }) => {
  if (health === undefined) {
    return isInUse
      ? wrong(
        `a process uses ${data}, and does not answer at ${urlOf(listen)}`,
        "name the address with --listen; else restart the service",
      )
      : note(
        `no service answers at ${urlOf(listen)}`,
        "start it, or name its address with --listen",
      );
  }
  if (stored !== undefined) {
    return note(
      `the service at ${urlOf(listen)} is of another console: no process uses ${data}`,
      "name the address of this console with --listen",
    );
  }
  if (health.ready !== true) return wrong("it answers, and is not ready", "see its log");
  const storage = String(health.storage);
  if (storage !== "ok") {
    return wrong(`it answers, and its medium is ${storage}`, ADVICE[storage] ?? "see its log");
  }
  return well(`it answers at ${urlOf(listen)}, and stores what is changed`);
};
