import { assertEquals } from "@std/assert";
import { EMBER_DEPTH } from "../../../core/limits.ts";
import { readRequests, type Request } from "../../../transport/ember/glow.ts";
import { ber, bytes } from "./bytes.ts";

const DIRECTORY = "62{a0{02 01 20}}";

/** The requests of consumers: a name, the bytes, and the requests read from them. */
const requests: readonly (readonly [string, string, readonly Request[]])[] = [
  ["the directory of the root", `60{6b{a0{${DIRECTORY}}}}`, [{ path: [], kind: "directory" }]],
  [
    "the directory of a node by its path",
    `60{6b{a0{6a{a0{0d 02 01 03}a2{64{a0{${DIRECTORY}}}}}}}}`,
    [{ path: [1, 3], kind: "directory" }],
  ],
  [
    "the directory of a node by the numbers of the nodes above",
    `60{6b{a0{63{a0{02 01 01}a2{64{a0{63{a0{02 01 03}a2{64{a0{${DIRECTORY}}}}}}}}}}}}`,
    [{ path: [1, 3], kind: "directory" }],
  ],
  [
    "two directories in one message",
    `60{6b{a0{6a{a0{0d 01 01}a2{64{a0{${DIRECTORY}}}}}}a0{${DIRECTORY}}}}`,
    [{ path: [1], kind: "directory" }, { path: [], kind: "directory" }],
  ],
  [
    "a value set by a path",
    "60{6b{a0{69{a0{0d 03 01 02 05}a1{31{a2{01 01 01}}}}}}}",
    [{ path: [1, 2, 5], kind: "set", value: true }],
  ],
  [
    "a value set by numbers, with other contents behind it and no children",
    "60{6b{a0{63{a0{02 01 01}a2{64{a0{61{a0{02 01 05}a1{31{a2{09 03 c0 03 19}a5{02 01 03}}}" +
    "a2{64{}}}}}}}}}}",
    [{ path: [1, 5], kind: "set", value: -12.5 }],
  ],
  [
    "a subscription with the present contents, which sets nothing",
    "60{6b{a0{69{a0{0d 03 01 02 05}a1{31{a2{01 01 ff}}}a2{64{a0{62{a0{02 01 1e}}}}}}}}}",
    [{ path: [1, 2, 5], kind: "subscribe" }],
  ],
  [
    "the end of a subscription",
    "60{6b{a0{69{a0{0d 01 05}a2{64{a0{62{a0{02 01 1f}}}}}}}}}",
    [{ path: [5], kind: "unsubscribe" }],
  ],
  [
    "connections of a matrix",
    "60{6b{a0{71{a0{0d 02 01 06}a5{30{a0{70{a0{02 01 02}a1{0d 01 04}a2{02 01 01}}}" +
    "a0{70{a0{02 01 03}}}}}}}}}",
    [{
      path: [1, 6],
      kind: "connect",
      connections: [
        { target: 2, sources: [4], operation: 1 },
        { target: 3, sources: [], operation: 0 },
      ],
    }],
  ],
  [
    "a call of a function",
    "60{6b{a0{74{a0{0d 02 01 09}a2{64{a0{62{a0{02 01 21}a2{76{a0{02 01 07}" +
    "a1{30{a0{02 01 05}a0{05 00}}}}}}}}}}}}}",
    [{ path: [1, 9], kind: "invoke", id: 7, arguments: [5, null] }],
  ],
];

for (const [what, sent, expected] of requests) {
  Deno.test(`a request for ${what} is read, with lengths of both kinds`, () => {
    assertEquals(readRequests(ber(sent)), expected);
    assertEquals(readRequests(ber(sent, "indefinite")), expected);
  });
}

Deno.test("a message that is not a request is read as no request", () => {
  const others = [
    "66{a0{65{a0{02 01 01}a1{02 01 05}}}}",
    "60{66{}}",
    "60{6b{a0{62{a0{02 01 63}}}}}",
    "60{6b{a0{69{a1{31{a2{01 01 ff}}}}}}}",
    "60{6b{a0{69{a0{0d 01 05}a1{31{a2{31{}}}}}}}}",
    "60{6b{a0{78{a0{02 01 01}}}}}",
  ];
  for (const sent of others) assertEquals(readRequests(ber(sent)), [], sent);
  assertEquals(readRequests(bytes("60 05")), undefined);
});

Deno.test("a path longer than any message can nest is read as no request, for all of its children", () => {
  const children = `a0{63{a0{02 01 01}a2{64{a0{${DIRECTORY}}}}}}`.repeat(1000);
  const below = (numbers: number) => {
    const path = `a0{0d{${"01".repeat(numbers)}}}`;
    return readRequests(ber(`60{6b{a0{6a{${path}a2{64{${children}}}}}}}`))?.length;
  };
  assertEquals(below(EMBER_DEPTH - 1), 1000);
  assertEquals(below(EMBER_DEPTH), 0);
  assertEquals(below(30_000), 0);
});

Deno.test("a target of a matrix is connected to more sources than a path has numbers", () => {
  const sources = Array.from({ length: EMBER_DEPTH + 1 }, (_, source) => source);
  const packed = sources.map((source) => source.toString(16).padStart(2, "0")).join("");
  const sent = `60{6b{a0{71{a0{0d 01 06}a5{30{a0{70{a0{02 01 02}a1{0d{${packed}}}}}}}}}}}`;
  assertEquals(readRequests(ber(sent)), [{
    path: [6],
    kind: "connect",
    connections: [{ target: 2, sources, operation: 0 }],
  }]);
});
