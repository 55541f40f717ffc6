/**
 * Follows a fader by the typed client: prints where it is, fades it to -10 dB and back, and ends.
 * Stop and start the service meanwhile: it goes on by itself.
 *
 * ```sh
 * npx --yes deno@2.9.6 task follow ws://127.0.0.1:8080/api/ws "$TOKEN"
 * ```
 *
 * @module
 */
import { connect } from "../../client/client.ts";

const SECONDS = 0.5;

const [url = "ws://127.0.0.1:8080/api/ws", token] = Deno.args;
const encoder = new TextEncoder();
const print = (line: string) => Deno.stdout.writeSync(encoder.encode(`${line}\n`));

await using desk = connect(url, token === undefined ? {} : { token });
desk.onState(({ state, reason }) => print(`${state}: ${reason}`));
await desk.ready();

const fader = desk.mixer(0).fader(0);
const live = await fader.watch();
const before = live.value.fader;
live.listen(({ value }) => print(`${value.label}: ${value.fader.toFixed(1)} dB`));

for (const level of [-10, before]) {
  await fader.fadeTo(level, SECONDS);
  await live.until(({ fader }) => fader === level);
}
