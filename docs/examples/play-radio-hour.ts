/**
 * Plays an hour of radio on a console, in Deno and in Node from version 23.6 on, which runs
 * TypeScript as it is:
 *
 * ```sh
 * npx --yes deno@2.9.6 run --allow-net docs/examples/play-radio-hour.ts ws://127.0.0.1:8080/api/ws "$TOKEN" 60
 * ```
 *
 * The last argument is the speed: how many times as fast as real time.
 *
 * @module
 */
import process from "node:process";
import { connect } from "../../client/client.ts"; // "faderd-client"
import { playHour } from "./radio-hour.ts";

const [url = "ws://127.0.0.1:8080/api/ws", token, speed = "1"] = process.argv.slice(2);
const desk = connect(url, token === undefined ? {} : { token });
await desk.ready();
await playHour(desk, {
  speed: Number(speed),
  done: (what) => process.stdout.write(`${what}\n`),
});
await desk.close();
