/**
 * The metrics of a hub, in the text format of Prometheus.
 *
 * @module
 */
import { family } from "../../transport/metrics.ts";
import { OUTCOMES } from "../commands/command.ts";
import type { Hub } from "./hub.ts";
import { CONSOLE_STATES } from "./hub-core.ts";

/** The figures of the process. */
export interface ProcessFigures {
  readonly version: string;
  /** When the process started, in seconds since 1970. */
  startedAt(): number;
  /** Seconds of processor time that it has used. */
  cpuSeconds(): number;
  /** WebSockets of the control API of the hub itself. */
  connections(): number;
  /** Bytes of memory. */
  residentBytes(): number;
  /** When the certificate of the hub expires, in s since 1970; undefined without a certificate. */
  certificateExpiry(): number | undefined;
}

/** Makes the text of the metrics of a hub; counts begin now. */
export function createHubMetrics(hub: Hub, process: ProcessFigures): () => string {
  const outcomes = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
  hub.commands.watch(({ outcome }) => outcomes.set(outcome, outcomes.get(outcome)! + 1));

  return () => {
    const { figures } = hub;
    const expiry = process.certificateExpiry();
    const states = new Map(CONSOLE_STATES.map((state) => [state, 0]));
    for (const { state } of hub.consoles().values()) states.set(state, states.get(state)! + 1);
    return [
      ...labelled(
        "build_info",
        "gauge",
        "Always 1; the label names the version that runs.",
        "version",
        [
          [process.version, 1],
        ],
      ),
      ...single("start_time_seconds", "gauge", "When the process started.", process.startedAt()),
      ...single("cpu_seconds_total", "counter", "Processor time used.", process.cpuSeconds()),
      ...single("resident_bytes", "gauge", "Memory of the process.", process.residentBytes()),
      ...labelled("fleet_consoles", "gauge", "Consoles, by their states.", "state", [...states]),
      ...single("fleet_uplinks", "gauge", "Consoles' connections.", figures.uplinks),
      ...single("connections", "gauge", "WebSockets to the hub itself.", process.connections()),
      ...single("fleet_sessions", "gauge", "Sessions and requests under way.", figures.sessions),
      ...single("fleet_frames_total", "counter", "Frames from consoles.", figures.frames),
      ...single("fleet_frame_bytes_total", "counter", "Bytes of these.", figures.bytes),
      ...labelled("fleet_commands_total", "counter", "Commands, by outcome.", "outcome", [
        ...outcomes,
      ]),
      ...single("fleet_stored", "gauge", "1 while the ledger stores.", Number(figures.isStoring)),
      ...single(
        "fleet_audit_left_out_total",
        "counter",
        "Calls that a limit kept out of the audit trail.",
        figures.linesLeftOut,
      ),
      ...single(
        "fleet_audit_told_left_out_total",
        "counter",
        "Lines of consoles that are not in the audit trail.",
        figures.toldLeftOut,
      ),
      ...expiry === undefined ? [] : single(
        "certificate_expiry_seconds",
        "gauge",
        "When the certificate expires, in s since 1970.",
        expiry,
      ),
      "",
    ].join("\n");
  };
}

function single(name: string, type: string, help: string, value: number): string[] {
  return [...family(name, type, help), `faderd_${name} ${value}`];
}

function labelled(
  name: string,
  type: string,
  help: string,
  label: string,
  values: readonly (readonly [string, number])[],
): string[] {
  const lines = values.map(([text, value]) => `faderd_${name}{${label}="${text}"} ${value}`);
  return [...family(name, type, help), ...lines];
}
