/** Messages of multicast DNS: a written message is read again, and a damaged one is refused. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  address,
  location,
  pointer,
  query,
  readMessage,
  response,
  text,
  TYPE,
} from "../../program/dns-message.ts";

Deno.test("a query is read with its names and types", () => {
  const questions = [
    { name: "studio-1._faderd._tcp.local", type: TYPE.ANY },
    { name: "_services._dns-sd._udp.local", type: TYPE.PTR },
  ];
  assertEquals(readMessage(query(questions)), { isResponse: false, questions, names: [] });
});

Deno.test("a response is read with the names of all its records", () => {
  const host = "studio-1.local";
  const answers = [pointer("_faderd._tcp.local", 1, "a._faderd._tcp.local")];
  const additional = [
    location("a._faderd._tcp.local", 1, 8080, host),
    text("a._faderd._tcp.local", 1, ["path=/api/rest"]),
    address(host, 1, "192.0.2.7"),
    address(host, 1, "fe80::1"),
  ];
  const names = [...answers, ...additional].map(({ name }) => name);
  const read = { isResponse: true, questions: [], names };
  assertEquals(readMessage(response(answers, additional)), read);
});

Deno.test("the name of a record that says goodbye is not read, because it is free", () => {
  const records = [address("gone.local", 0, "192.0.2.7"), address("here.local", 1, "192.0.2.7")];
  assertEquals(readMessage(response(records))?.names, ["here.local"]);
});

Deno.test("addresses are sent as their bytes", () => {
  const rows = [
    ["192.0.2.7", [192, 0, 2, 7]],
    ["2001:db8::7:10", [0x20, 1, 0xd, 0xb8, ...Array(9).fill(0), 7, 0, 16]],
    ["::1", [...Array(15).fill(0), 1]],
    ["1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ] as const;
  for (const [written, bytes] of rows) {
    assertEquals([...address("a.local", 1, written).data], [...bytes], written);
  }
});

Deno.test("a name may continue at an earlier place of the message", () => {
  const start = query([{ name: "_http._tcp.local", type: TYPE.PTR }]);
  const behind = [1, 0x61, 0xc0, 12, 0, TYPE.ANY, 0, 1];
  const bytes = Uint8Array.of(...start, ...behind);
  bytes[5] = 2;
  assertEquals(readMessage(bytes)?.questions[1], { name: "a._http._tcp.local", type: TYPE.ANY });
});

Deno.test("a name that points to itself, and a cut-off message, are refused", () => {
  const whole = query([{ name: "a.local", type: TYPE.ANY }]);
  const circle = Uint8Array.of(...whole.subarray(0, 12), 0xc0, 12, 0, 1, 0, 1);
  assertEquals(readMessage(circle), undefined);
  for (let length = 0; length < whole.length - 4; length++) {
    assertEquals(readMessage(whole.subarray(0, length)), undefined, `${length} bytes`);
  }
});

Deno.test("a message with more than 1,024 labels is refused", () => {
  const label = [1, 0x61];
  const name = [...Array.from({ length: 100 }, () => label).flat(), 0, 0, TYPE.ANY, 0, 1];
  const toName = [0xc0, 12, 0, TYPE.ANY, 0, 1];
  const asking = (times: number) => {
    const again = Array.from({ length: times - 1 }, () => toName).flat();
    return readMessage(Uint8Array.of(0, 0, 0, 0, 0, times, 0, 0, 0, 0, 0, 0, ...name, ...again));
  };
  assertEquals(asking(10)?.questions.length, 10);
  assertEquals(asking(11), undefined);
});

Deno.test("reading a message throws for no bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
    readMessage(bytes);
  }));
});
