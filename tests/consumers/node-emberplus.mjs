/** The consumer of `node-emberplus`, operated by a test. */
import { createRequire } from "node:module";
import { say, serve } from "./peer.mjs";

// The packages come from the working folder, where the test has installed them.
const library = createRequire(`${process.cwd()}/package.json`)("node-emberplus");

const { EmberClient, EmberLib } = library;
const client = new EmberClient({
  host: "127.0.0.1",
  port: Number(process.argv[2]),
  timeoutValue: 20_000,
});
client.on("error", ({ message }) => say({ event: "error", message }));

const NULL_TYPE = 0;
const REAL = 2;
const STRING = 3;
const argument = (value) =>
  new EmberLib.FunctionArgument(
    value === null ? NULL_TYPE : typeof value === "string" ? STRING : REAL,
    value,
  );

serve({
  async connect() {
    await client.connectAsync();
    await client.getDirectoryAsync();
  },
  async directory(path) {
    const node = await client.getElementByPathAsync(path);
    await client.getDirectoryAsync(node);
    return (node.getChildren() ?? [])
      .map((
        child,
      ) => [
        numberOf(child),
        child.contents.identifier,
        child.contents.value ?? null,
      ]);
  },
  async parameter(path) {
    const { contents } = await client.getElementByPathAsync(path);
    const { value, minimum, maximum, format, streamIdentifier } = contents;
    return { value, minimum, maximum, format, streamIdentifier };
  },
  async set(path, value) {
    const parameter = await client.getElementByPathAsync(path);
    await client.setValueAsync(parameter, value);
    return client.root.getElementByPath(path).contents.value;
  },
  async follow(path) {
    await client.getElementByPathAsync(
      path,
      ({ contents }) => say({ event: "value", path, value: contents.value }),
    );
  },
  async matrix(path) {
    const matrix = await client.getElementByPathAsync(path);
    await client.getDirectoryAsync(matrix);
    return connectionsOf(client.root.getElementByPath(path));
  },
  async take(path, target, source) {
    const matrix = await client.getElementByPathAsync(path);
    await client.matrixConnectAsync(matrix, target, [source]);
    return client.root.getElementByPath(path).connections[target].sources;
  },
  async invoke(path, ...values) {
    const element = await client.getElementByPathAsync(path);
    const { success, result } = await client.invokeFunctionAsync(
      element,
      values.map(argument),
    );
    return { success, result: result[0].value };
  },
  async expand(path) {
    await client.expandAsync(await client.getElementByPathAsync(path));
    return count(client.root.getElementByPath(path));
  },
  disconnect: () => client.disconnectAsync(),
});

const numberOf = (element) => Number(element.getPath().split(".").at(-1));

function connectionsOf({ connections }) {
  return Object.values(connections).map((
    { target, sources },
  ) => [target, sources ?? []]);
}

function count(node) {
  return (node.getChildren() ?? []).reduce(
    (sum, child) => sum + count(child),
    1,
  );
}
