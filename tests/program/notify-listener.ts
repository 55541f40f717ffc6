/**
 * Prints the messages to systemd: each datagram that comes to a Unix socket, on a line. It is a
 * program of its own because it needs an unstable flag.
 *
 * @module
 */
const socket = Deno.listenDatagram({ transport: "unixpacket", path: Deno.args[0]! });
Deno.stdout.writeSync(new TextEncoder().encode("listening\n"));
for await (const [datagram] of socket) {
  Deno.stdout.writeSync(new TextEncoder().encode(new TextDecoder().decode(datagram).trim() + "\n"));
}
