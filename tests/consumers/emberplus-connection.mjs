/** The consumer of `emberplus-connection`, operated by a test. */
import { createRequire } from "node:module";
import { say, serve } from "./peer.mjs";

// The packages come from the working folder, where the test has installed them.
const library = createRequire(`${process.cwd()}/package.json`)("emberplus-connection");

const client = new library.EmberClient(
  "127.0.0.1",
  Number(process.argv[2]),
  20_000,
);
client.on("error", ({ message }) => say({ event: "error", message }));
client.on("warn", ({ message }) => say({ event: "warn", message }));
client.on(
  "streamUpdate",
  (path, value) => say({ event: "stream", path, value }),
);

/** Waits for the response to a request. */
const answered = async (request) => (await request).response;
const typed = (value) => ({
  type: value === null ? "NULL" : typeof value === "string" ? "STRING" : "REAL",
  value,
});

serve({
  async connect() {
    await client.connect();
    await answered(client.getDirectory(client.tree));
  },
  async directory(path) {
    const node = await client.getElementByPath(path);
    if (node.children === undefined) await answered(client.getDirectory(node));
    return Object.values(node.children ?? {})
      .map((
        { number, contents },
      ) => [number, contents.identifier, contents.value ?? null]);
  },
  async parameter(path) {
    const { contents } = await client.getElementByPath(path);
    const { value, minimum, maximum, format, streamIdentifier } = contents;
    return { value, minimum, maximum, format, streamIdentifier };
  },
  async set(path, value) {
    const { contents } = await answered(
      client.setValue(await client.getElementByPath(path), value),
    );
    return contents.value;
  },
  async follow(path) {
    await client.getElementByPath(
      path,
      ({ contents }) => say({ event: "value", path, value: contents.value }),
    );
  },
  async subscribe(path) {
    await client.subscribe(await client.getElementByPath(path));
  },
  async matrix(path) {
    const matrix = await client.getElementByPath(path);
    await answered(client.getDirectory(matrix));
    return connectionsOf(matrix.contents);
  },
  async take(path, target, source) {
    const matrix = await client.getElementByPath(path);
    const { contents } = await answered(
      client.matrixConnect(matrix, target, [source]),
    );
    return Object.values(contents.connections).find((one) => one.target === target).sources;
  },
  async invoke(path, ...values) {
    const element = await client.getElementByPath(path);
    const { success, result } = await answered(
      client.invoke(element, ...values.map(typed)),
    );
    return { success, result: result[0].value };
  },
  async expand(path) {
    await client.expand(await client.getElementByPath(path));
    return count(await client.getElementByPath(path));
  },
  disconnect: () => client.disconnect(),
});

function connectionsOf({ connections }) {
  return Object.values(connections).map((
    { target, sources },
  ) => [target, sources ?? []]);
}

function count(node) {
  return Object.values(node.children ?? {}).reduce(
    (sum, child) => sum + count(child),
    1,
  );
}
