import { assertEquals } from "@std/assert";
import { consoleNames } from "../../../view/fleet/console-names.ts";
import { placeOf, type PlaceRight, rightOf, rightsText } from "../../../view/fleet/user-rights.ts";
import { fleetUsersTexts } from "../../../view/texts/fleet-users.ts";

const id = (digit: string) => digit.repeat(32);
const nameOf = consoleNames([
  { _id: id("1"), _name: "Studio" },
  { _id: id("2"), _name: "Van" },
  { _id: id("3"), _name: "Van" },
]);
const english = { own: fleetUsersTexts((text) => text), nameOf };
const german = { own: fleetUsersTexts((_, text) => text), nameOf };

Deno.test("a console is named by its name, by its id too where two have it, by its id where it is unknown", () => {
  assertEquals(nameOf(id("1")), "Studio");
  assertEquals(nameOf(id("3")), "Van (33333333)");
  assertEquals(nameOf(id("4")), id("4"));
});

Deno.test("rights are shown with their places, and with what counts elsewhere", () => {
  const rights: PlaceRight[] = [
    { site: "Berlin", may: "operate" },
    { console: id("1"), may: "configure" },
  ];
  assertEquals(rightsText({ may: "admin", rights: [] }, english), "admin on all consoles");
  assertEquals(
    rightsText({ may: null, rights }, english),
    "operate at site Berlin, configure on Studio, no right elsewhere",
  );
  assertEquals(
    rightsText({ may: "view", rights }, german),
    "Bedienen am Standort Berlin, Einrichten auf Studio, sonst Ansehen",
  );
  assertEquals(rightsText({}, english), "no right");
});

Deno.test("a row of the form is the right that it was made from, whatever its site is called", () => {
  const rights: PlaceRight[] = [
    { site: "Köln, console 2", may: "press" },
    { site: " ", may: "view" },
    { console: id("2"), may: "admin" },
  ];
  assertEquals(rights.map((right) => rightOf({ place: placeOf(right), may: right.may })), rights);
});
