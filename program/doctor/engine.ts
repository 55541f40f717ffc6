import { type Check, note, well, wrong } from "./check.ts";

/** Checks whether the audio engine keeps up. */
export const engine: Check = ({ health, stored, configuration }) => {
  // A service that answers while no process uses the folder is another console.
  if (health === undefined || stored !== undefined) {
    return configuration.engine === "none"
      ? well("an engine claims its paths once the service runs")
      : well("the simulated engine runs with the service until another claims paths");
  }
  switch (health.engine) {
    case "late":
      return wrong(
        "an engine falls behind: its sound has gaps",
        "see docs/engine.md, When it falls behind",
      );
    case "lost":
      return wrong("an engine that had claimed paths has gone", "start it again; see its log");
    case "none":
      return note("no engine runs", "start one: it claims its paths with the token of an engine");
    default:
      return well("it runs, and keeps up");
  }
};
