import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { isAllowedHost, parsedUrl } from "../../transport/host.ts";
import { createTargets, queryOf } from "../../transport/target.ts";
import { unlimitedWith } from "../service.ts";

function configured(hosts: string[]) {
  const read = readConfiguration(unlimitedWith({ hosts }));
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}

/** A request as a server makes it: its URL is the received text, not a parsed URL. */
function requestOf(url: string, host: string): Request {
  const headers = { get: (name: string) => name === "host" ? host : null };
  return { url, headers } as unknown as Request;
}

const configuration = configured(["console.example"]);

Deno.test("every target is read as URL parses it, also with a remembered Host", () => {
  const targetOf = createTargets("rack7");
  const names = ["127.0.0.1", "127.0.0.1:8080", "console.example", "[::1]", "evil.example", ""];
  const letters = [..."aZ09-_.~%/\\?#@:[]&=+' ü", "..", "%2e", "127.0.0.1", "/api/rest", "//"];
  const anyText = fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((all) =>
    all.join("")
  );
  const anyName = fc.oneof(fc.constantFrom(...names), anyText);
  const anyRequest = fc.record({ host: anyName, authority: fc.option(anyName), path: anyText });
  for (const name of names) targetOf(requestOf(`http://${name}/`, name), configuration);
  fc.assert(
    fc.property(anyRequest, ({ host, authority, path }) => {
      const url = `http://${authority ?? host}/${path}`;
      const request = requestOf(url, host);
      const read = parsedUrl(url);
      const expected = read && {
        pathname: read.pathname,
        search: read.search,
        sentPath: url.slice(url.indexOf("/", 8)).split(/[?#]/, 1)[0],
        isAllowed: isAllowedHost(request, configuration, "rack7"),
      };
      for (let time = 0; time < 2; time++) assertEquals(targetOf(request, configuration), expected);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("a remembered Host is checked again under another configuration", () => {
  const targetOf = createTargets(undefined);
  const isAllowed = (hosts: string[]) =>
    targetOf(requestOf("http://desk/api", "desk"), configured(hosts))?.isAllowed;
  assertEquals([isAllowed(["desk"]), isAllowed([]), isAllowed(["desk"])], [true, false, true]);
});

Deno.test("the query is read as URLSearchParams does, and undefined without one", () => {
  const targetOf = createTargets(undefined);
  const queryAt = (path: string) =>
    queryOf(targetOf(requestOf(`http://[::1]${path}`, "[::1]"), configuration)!);
  assertEquals(["x", "y", "z"].map((name) => queryAt("/a?x=1%202&y=&x=3")!.get(name)), [
    "1 2",
    "",
    null,
  ]);
  assertEquals(queryAt("/a"), undefined);
});
