/** The texts of the audit trail. */
import { assertEquals } from "@std/assert";
import { auditTexts } from "../../../view/texts/audit.ts";

Deno.test("the audit trail counts one value, call or line in the singular", () => {
  const counted = (t: (english: string, german: string) => string, count: number) => {
    const { more, again, lost } = auditTexts(t);
    return [more(count), again(count), lost(count)];
  };
  const english = (text: string) => text;
  const german = (_: string, text: string) => text;
  assertEquals(counted(english, 1), [
    "and 1 further value",
    "one further call within a minute",
    "1 line before this one could not be written",
  ]);
  assertEquals(counted(german, 1), [
    "und 1 weiterer Wert",
    "ein weiterer Aufruf binnen einer Minute",
    "1 Zeile davor ließ sich nicht schreiben",
  ]);
  assertEquals(counted(english, 2)[0], "and 2 further values");
});
