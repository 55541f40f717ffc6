/**
 * The imports of `radio-hour.html`, as one module:
 *
 * ```sh
 * npx --yes esbuild@0.28.2 docs/examples/radio-hour-browser.ts --bundle --format=esm --outfile=docs/examples/radio-hour.js
 * ```
 *
 * @module
 */
export { connect } from "../../client/client.ts"; // "faderd-client"
export { playHour } from "./radio-hour.ts";
