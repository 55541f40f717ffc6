/**
 * The console itself: its version, how long it runs, its medium, its certificate.
 *
 * @module
 */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { duration } from "../../duration.ts";
import { at } from "../../state/live.ts";
import { notice } from "../../state/notices.ts";
import { Button } from "../../parts/button.tsx";
import { texts } from "../../texts/texts.ts";
import { daysUntil, size } from "./amounts.ts";
import { readMetrics } from "./files.ts";
import { usePolled } from "./polled.ts";
import { timeText } from "./time-text.ts";

/** An end of the certificate that is nearer is told in the colour of a warning, in days. */
const SOON_DAYS = 30;

/** What the console tells of itself; of the certificate to an admin alone. */
export function DeviceCard({ isAdmin }: { readonly isAdmin: boolean }) {
  const own = texts().admin;
  const general = at("/general").value;
  if (general === undefined) return null;
  const { _engine = "none", _storage = "ok" } = general;
  const time = new Date(general._systemtime * 1000).toISOString();
  return (
    <section class="card form">
      <h2>{own.device}</h2>
      <dl class="facts">
        <dt>{own.version}</dt>
        <dd>{general._firmware_version}</dd>
        <dt>{own.api}</dt>
        <dd>{general._api_version}</dd>
        <dt>{own.serial}</dt>
        <dd>{general._hardwareserial}</dd>
        <dt>{own.time}</dt>
        <dd>{timeText(time)}</dd>
        <dt>{own.uptime}</dt>
        <dd>{duration(general._uptime * 1000)}</dd>
        <dt>{own.hours}</dt>
        <dd>{general._hourmeter}</dd>
        <dt>{own.connections}</dt>
        <dd>{own.ofAtMost(general._activewebsockets, general._maxwebsockets)}</dd>
        <dt>{own.engineState}</dt>
        <dd class={_engine === "lost" || _engine === "late" ? "refusal" : ""}>
          {own.engineStates[_engine]}
        </dd>
        <dt>{own.storage}</dt>
        <dd class={_storage === "ok" ? "" : "refusal"}>{own.storageStates[_storage]}</dd>
        {isAdmin && <Certificate />}
      </dl>
      <MetricsPart />
    </section>
  );
}

function Certificate() {
  const own = texts().admin;
  const [certificate] = usePolled("getcertificate");
  if (certificate === undefined) return null;
  const { from, until } = certificate;
  const days = until === null ? undefined : daysUntil(until, Date.now());
  return (
    <>
      <dt>{own.certificate}</dt>
      <dd>
        {until === null ? own.noCertificate : `${timeText(from)} – ${timeText(until)}`}
        {days !== undefined && days < SOON_DAYS && (
          <strong class="refusal">{days < 0 ? own.ended : own.endsIn(days)}</strong>
        )}
      </dd>
    </>
  );
}

function MetricsPart() {
  const { admin: own, decimal } = texts();
  const [metrics, setMetrics] = useState<ReadonlyMap<string, number>>();
  const show = () =>
    readMetrics().then(
      (read) => read === undefined ? notice(own.metricsOff) : setMetrics(read),
      (fault) => notice(String(fault)),
    );
  const named: Readonly<Record<string, string>> = {
    log_bytes: own.logBytes,
    resident_bytes: own.residentBytes,
  };
  return (
    <>
      {metrics !== undefined && (
        <dl class="facts" aria-label={own.metrics}>
          {[...metrics].map(([name, value]) => (
            <Fragment key={name}>
              <dt>{named[name] ?? name}</dt>
              <dd>
                {name.endsWith("_bytes")
                  ? size(value, decimal)
                  : Number.isInteger(value)
                  ? value
                  : decimal(value, 4)}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      <div class="toolbar">
        <Button label={own.showMetrics} icon="plots" needs="admin" onPress={show} />
      </div>
    </>
  );
}
