/**
 * No attack: clients as normal as can be, which must meet no limit.
 *
 * @module
 */
import { noted, sleep, type Target } from "../target.ts";

const PER_SECOND = 20;
const SUBSCRIPTIONS = 200;
const HEARTBEAT_MS = 5000;

/** 20 requests a second over HTTP, and a Stream Deck with 200 subscriptions that also sets. */
export async function normal(target: Target): Promise<void> {
  const deck = await noted(target, { token: target.user });
  if (deck === undefined) return;
  for (let number = 0; number < SUBSCRIPTIONS; number++) {
    const path = `/audio/mixers/0/faders/${number % 128}/${number < 128 ? "on" : "label"}`;
    deck.send(JSON.stringify({ msgID: number, method: "subscribe", path }));
  }
  let beat = 0;
  for (let number = 0, due = performance.now(); !target.over; number++) {
    if (performance.now() > beat) {
      deck.send('{"method":"get","path":"/general/_uptime"}');
      beat = performance.now() + HEARTBEAT_MS;
    }
    const path = `/audio/mixers/0/faders/${64 + number % 64}/on`;
    deck.send(JSON.stringify({ method: "set", path, payload: number % 128 < 64 }));
    const post = JSON.stringify({ method: "get", path, token: target.user });
    fetch(`http://127.0.0.1:${target.port}/api/rest`, { method: "POST", body: post })
      .then(async (answer) => {
        const text = await answer.text();
        const well = answer.status === 200 && text.endsWith('"success":true}');
        target.tell(well ? "HTTP answered" : `HTTP ${answer.status} ${text.slice(0, 200)}`);
      }, (fault) => target.tell(`HTTP: ${fault}`));
    due += 1000 / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
  }
}
