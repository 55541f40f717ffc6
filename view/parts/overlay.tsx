/**
 * The overlay of the page while there is no connection.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { duration } from "../duration.ts";
import { link } from "../state/live.ts";
import { texts } from "../texts/texts.ts";

/** Says that the page is connecting, or since when the connection has been lost or silent. */
export function Overlay() {
  const { state, since, reason, code } = link.value;
  if (state !== "connecting" && state !== "lost" && state !== "silent") return null;
  const { link: own } = texts();
  const closed: Readonly<Record<number, string>> = own.closed;
  const why = code === undefined ? reason : closed[code] ?? reason;
  return (
    <div class="overlay" role="status">
      <div class="overlay-card form">
        <span class="spinner" aria-hidden="true" />
        <h2>{own[state]}</h2>
        {state !== "connecting" && <Since since={since} />}
        {state !== "connecting" && <p>{own.held}</p>}
        {why !== "" && <p class="muted small">{why}</p>}
      </div>
    </div>
  );
}

function Since({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  // Hidden from screen readers, which would read every second.
  return <p class="since" aria-hidden="true">{texts().link.since(duration(now - since))}</p>;
}
