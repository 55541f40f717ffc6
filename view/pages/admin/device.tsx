/**
 * The console itself: its version, its uptime, its medium, its certificate.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { duration } from "../../duration.ts";
import { at } from "../../state/live.ts";
import { notice } from "../../state/notices.ts";
import { Button } from "../../parts/button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { adminTexts } from "../../texts/admin.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { daysUntil, size } from "./amounts.ts";
import { readMetrics } from "./files.ts";
import { usePolled } from "../../state/polled.ts";
import { timeText } from "../../parts/time-text.ts";

/** Remaining validity of the certificate in days below which it is shown as a warning. */
const SOON_DAYS = 30;

/** The facts of the console; the facts of the certificate are for admins only. */
export function DeviceCard({ isAdmin }: { readonly isAdmin: boolean }) {
  const own = textsOf(adminTexts);
  const general = at("/general").value;
  if (general === undefined) return null;
  const { _engine = "none", _storage = "ok" } = general;
  const time = new Date(general._systemtime * 1000).toISOString();
  const certificate = <Certificate />;
  return (
    <section class="card form">
      <h2>{own.device}</h2>
      <Facts
        facts={[
          [own.version, general._firmware_version],
          [own.api, general._api_version],
          [own.serial, general._hardwareserial],
          [own.time, timeText(time)],
          [own.uptime, duration(general._uptime * 1000)],
          [own.hours, general._hourmeter],
          [own.connections, own.ofAtMost(general._activewebsockets, general._maxwebsockets)],
          [own.engineState, own.engineStates[_engine], _engine === "lost" || _engine === "late"],
          [own.storage, own.storageStates[_storage], _storage !== "ok"],
          ...(isAdmin ? [[own.certificate, certificate] as const] : []),
        ]}
      />
      <MetricsPart />
    </section>
  );
}

function Certificate() {
  const own = textsOf(adminTexts);
  const [certificate] = usePolled("getcertificate");
  if (certificate === undefined) return null;
  const { from, until } = certificate;
  if (until === null) return own.noCertificate;
  const days = daysUntil(until, Date.now());
  return (
    <>
      {timeText(from)} – {timeText(until)}
      {days < SOON_DAYS && (
        <strong class="refusal">{days < 0 ? own.ended : own.endsIn(days)}</strong>
      )}
    </>
  );
}

function MetricsPart() {
  const own = textsOf(adminTexts);
  const { decimal } = texts();
  const [metrics, setMetrics] = useState<ReadonlyMap<string, number>>();
  const show = () =>
    readMetrics().then(
      (read) => read === undefined ? notice(own.metricsOff) : setMetrics(read),
      (fault) => notice(fault.message),
    );
  const amountOf = (name: string, value: number) => {
    if (name.endsWith("_bytes")) return size(value, decimal);
    return Number.isInteger(value) ? value : decimal(value, 4);
  };
  const named: Readonly<Record<string, string>> = {
    log_bytes: own.logBytes,
    resident_bytes: own.residentBytes,
  };
  return (
    <>
      {metrics !== undefined && (
        <Facts
          label={own.metrics}
          facts={[...metrics].map(([name, value]) => [named[name] ?? name, amountOf(name, value)])}
        />
      )}
      <div class="toolbar">
        <Button label={own.showMetrics} icon="plots" needs="admin" onPress={show} />
      </div>
    </>
  );
}
