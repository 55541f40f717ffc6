/**
 * The connected clients.
 *
 * @module
 */
import { adminTexts } from "../../texts/admin.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { size } from "./amounts.ts";
import { usePolled } from "../../state/polled.ts";
import { timeText } from "../../parts/time-text.ts";

/** A row for each open WebSocket. */
export function ClientsCard() {
  const own = textsOf(adminTexts);
  const { decimal } = texts();
  const [clients] = usePolled("getclientlist");
  return (
    <section class="card form">
      <h2>{own.clients}</h2>
      {/* Long addresses scroll sideways on a phone, also by the keyboard. */}
      <div class="table" tabIndex={0} role="region" aria-label={own.clients}>
        <table>
          <thead>
            <tr>
              <th scope="col">{own.user}</th>
              <th scope="col">{own.address}</th>
              <th scope="col">{own.since}</th>
              <th scope="col" class="number">{own.subscriptions}</th>
              <th scope="col" class="number">{own.unread}</th>
            </tr>
          </thead>
          <tbody>
            {clients?.map(({ user, address, since, subscriptions, unread }, index) => (
              <tr key={index}>
                <td>{user ?? <span class="muted">{own.nobody}</span>}</td>
                <td>{address}</td>
                <td>{timeText(since)}</td>
                <td class="number">{subscriptions}</td>
                <td class="number">{size(unread, decimal)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
