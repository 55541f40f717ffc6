/**
 * The page Hubs: the hubs of the organisation that this hub hears, and itself.
 *
 * @module
 */
import { timeText } from "../parts/time-text.ts";
import { me } from "../state/rights.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetHubsTexts } from "../texts/fleet-hubs.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { hubRowOf } from "./hub-rows.ts";
import { NotAdmin } from "./not-admin.tsx";
import { Refused } from "./refused.tsx";

/** Interval in ms at which the page asks for the list. */
const EVERY_MS = 5000;

/** The page. */
export function Hubs() {
  const own = textsOf(fleetHubsTexts);
  const user = me.value;
  const isAdmin = user?.admin === true;
  const [{ result, refusal }, ask] = useHubAnswer(
    "fleethublist",
    isAdmin ? {} : undefined,
    EVERY_MS,
  );
  if (user !== undefined && !isAdmin) return <NotAdmin />;
  if (refusal !== undefined) return <Refused refusal={refusal} onAsk={ask} />;
  if (result === undefined) return <p class="muted">{texts().shell.loading}</p>;
  return (
    <ul class="list" aria-label={textsOf(fleetTexts).titles.hubs}>
      {result.map((hub) => hubRowOf(hub, own, timeText)).map((row) => (
        <li key={row.id} class="fleet-user">
          <p class="toolbar">
            <strong>
              <bdi>{row.name}</bdi>
            </strong>
            {row.here && <span class="badge">{own.here}</span>}
          </p>
          <p>
            {row.connected}, <span class={row.isBad ? "fleet-bad" : undefined}>{row.ledger}</span>
          </p>
          <p class="muted small">{row.facts}</p>
        </li>
      ))}
    </ul>
  );
}
