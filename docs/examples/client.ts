/**
 * A WebSocket client for the command line: sends each line of standard input as a message, and
 * prints what comes. It ends when nothing has come for a second after the last line.
 *
 * ```sh
 * npx --yes deno@2.9.6 task client ws://127.0.0.1:8080/api/ws
 * ```
 *
 * @module
 */
const QUIET_MS = 1000;

const url = Deno.args[0] ?? "ws://127.0.0.1:8080/api/ws";
const encoder = new TextEncoder();
const print = (line: string) => Deno.stdout.writeSync(encoder.encode(`${line}\n`));

const socket = new WebSocket(url);
await new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = () => reject(new Error(`no WebSocket at ${url}`));
});

let waitForQuiet = () => {};
socket.onmessage = ({ data }) => {
  print(`<- ${data}`);
  waitForQuiet();
};
socket.onclose = ({ code, reason }) => {
  print(`closed: ${code} ${reason}`);
  Deno.exit(0);
};

let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines.filter((line) => line.trim() !== "")) {
    print(`-> ${line}`);
    socket.send(line);
  }
}

let quiet: ReturnType<typeof setTimeout> | undefined;
waitForQuiet = () => {
  clearTimeout(quiet);
  quiet = setTimeout(() => socket.close(), QUIET_MS);
};
waitForQuiet();
