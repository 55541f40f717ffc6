/**
 * The metrics of the service in the text format of Prometheus: `GET /metrics`, if it is configured.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { errorCodes } from "../core/errors.ts";
import type { HttpRequest } from "./arrival.ts";
import { refuseMethod } from "./json-answers.ts";
import { readRefusal } from "./request-token.ts";
import type { Tokens } from "./tokens.ts";

/** The path of the metrics. */
export const METRICS_PATH = "/metrics";

/** The media type of the text. */
export const METRICS_MEDIA = "text/plain; version=0.0.4; charset=utf-8";

/** Answers a request for metrics. */
export async function metricsResponse(
  console: Console,
  tokens: Tokens,
  asked: HttpRequest,
  text: () => string,
): Promise<Response> {
  const refusal = refuseMethod(asked.request, "GET") ?? await readRefusal(console, tokens, asked);
  if (refusal !== undefined) return refusal;
  const headers = { "content-type": METRICS_MEDIA, "cache-control": "no-store" };
  return new Response(text(), { headers });
}

/**
 * Upper bounds of the histogram buckets in s: of the time that answers take, of the time that syncs
 * take, and of the lateness of ticks.
 */
const ANSWER_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const SYNC_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const LATE_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];

/** A value that is measured at the moment of a scrape; its name may have labels behind it. */
export type Gauge = readonly [name: string, help: string, value: number];

/** The metrics of a service. */
export interface Metrics {
  /**
   * A request was answered, `seconds` after it was begun. `kind` is of a small set; `outcome` is
   * "ok", or the status or error code of a refusal.
   */
  answered(over: "http" | "websocket", kind: string, seconds: number, outcome: string): void;
  /** A call was refused, be it by a status of HTTP or in an answer with status 200. */
  refused(code: number): void;
  /** The medium took this long to sync the log. */
  synced(seconds: number): void;
  /** A tick of fades came this late. */
  ticked(lateSeconds: number): void;
  /** The event loop was blocked for this long. */
  stalled(seconds: number): void;
  /** Returns the text of all metrics. */
  text(): string;
}

/** Makes metrics, all 0; `gauges` is called at each scrape. */
export function createMetrics(gauges: () => readonly Gauge[]): Metrics {
  const requests = new Map<string, number>();
  const answers = {
    http: createHistogram(ANSWER_BOUNDS),
    websocket: createHistogram(ANSWER_BOUNDS),
  };
  // An alert counts refused tokens: the increase of a count begins at the first sample.
  const refusals = new Map<number, number>([[errorCodes.notLoggedIn, 0]]);
  const syncs = createHistogram(SYNC_BOUNDS);
  const ticks = createHistogram(LATE_BOUNDS);
  let stalls = 0;
  let stalledSeconds = 0;

  return {
    answered(over, kind, seconds, outcome) {
      const labels = `over="${over}",kind="${kind}",outcome="${outcome}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      answers[over].observe(seconds);
    },
    refused(code) {
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
    },
    synced: syncs.observe,
    ticked: ticks.observe,
    stalled(seconds) {
      stalls++;
      stalledSeconds += seconds;
    },
    text() {
      return [
        ...family("requests_total", "counter", "Requests that were answered, by outcome."),
        ...[...requests].map(([labels, count]) => `faderd_requests_total{${labels}} ${count}`),
        ...family("refusals_total", "counter", "Calls that were refused, by the error code."),
        ...[...refusals].map(([code, count]) => `faderd_refusals_total{code="${code}"} ${count}`),
        ...family("answer_seconds", "histogram", "How long requests took to be answered."),
        ...answers.http.lines("faderd_answer_seconds", 'over="http"'),
        ...answers.websocket.lines("faderd_answer_seconds", 'over="websocket"'),
        ...family("log_sync_seconds", "histogram", "How long the medium took to sync the log."),
        ...syncs.lines("faderd_log_sync_seconds"),
        ...family("tick_late_seconds", "histogram", "How late the ticks of fades were."),
        ...ticks.lines("faderd_tick_late_seconds"),
        ...single("stalls_total", "counter", "How often the event loop stalled.", stalls),
        ...single(
          "stalled_seconds_total",
          "counter",
          "For how long in total the event loop stalled.",
          stalledSeconds,
        ),
        ...gauges().flatMap(([name, help, value]) => single(name, "gauge", help, value)),
        "",
      ].join("\n");
    },
  };
}

/** Returns the lines before the values of a metric, whose name gets `faderd_` in front. */
export function family(name: string, type: string, help: string): string[] {
  return [`# HELP faderd_${name} ${help}`, `# TYPE faderd_${name} ${type}`];
}

function single(name: string, type: string, help: string, value: number): string[] {
  return [...family(name.split("{", 1)[0]!, type, help), `faderd_${name} ${value}`];
}

interface Histogram {
  observe(value: number): void;
  lines(name: string, labels?: string): string[];
}

function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Array<number>(bounds.length).fill(0);
  let count = 0;
  let sum = 0;
  return {
    observe(value) {
      count++;
      sum += value;
      const at = bounds.findIndex((bound) => value <= bound);
      if (at !== -1) counts[at]!++;
    },
    lines(name, labels) {
      const before = labels === undefined ? "" : `${labels},`;
      const alone = labels === undefined ? "" : `{${labels}}`;
      let below = 0;
      const buckets = bounds.map((bound, at) => {
        below += counts[at]!;
        return `${name}_bucket{${before}le="${bound}"} ${below}`;
      });
      return [
        ...buckets,
        `${name}_bucket{${before}le="+Inf"} ${count}`,
        `${name}_sum${alone} ${sum}`,
        `${name}_count${alone} ${count}`,
      ];
    },
  };
}
