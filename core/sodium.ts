/**
 * libsodium. It takes up to 20 MB of memory, so it is imported with `import()` where it is first
 * needed.
 *
 * @module
 */
import sodium from "libsodium-wrappers";

await sodium.ready;

export { sodium };
