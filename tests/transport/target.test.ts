import { assertEquals } from "@std/assert";
import { targetOf } from "../../transport/target.ts";

const table: readonly (readonly [url: string, pathname: string, search: string])[] = [
  ["http://host/", "/", ""],
  ["http://host:8080/action/login?ObjectID=0", "/action/login", "?ObjectID=0"],
  ["http://host/a?b=/c?d", "/a", "?b=/c?d"],
  ["http://host/a?", "/a", "?"],
  ["http://host?a=/b", "/", "?a=/b"],
  ["http://host?a=b", "/", "?a=b"],
  ["http://host", "/", ""],
];

Deno.test("a target is the path and the query of a URL, as they were sent", () => {
  for (const [url, pathname, search] of table) {
    assertEquals([url, targetOf(url)], [url, { pathname, search }]);
  }
});
