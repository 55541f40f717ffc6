/** The messages to a controller: each only once, unless the controller begins anew. */
import { assertEquals } from "@std/assert";
import { createFeedback } from "../../../view/midi/feedback.ts";
import { display, lamp, type MidiBytes, motor } from "../../../view/midi/mackie.ts";

function controller() {
  const sent: MidiBytes[] = [];
  const feedback = createFeedback(0x14, (bytes) => void sent.push(bytes));
  feedback.motor(0, 0.5);
  feedback.lamp(0, "mute", "on");
  feedback.text(0, 0, "Host");
  return { feedback, taken: () => sent.splice(0) };
}

const all = (model: number) => [
  motor(0, 0.5),
  lamp(0, "mute", "on"),
  display(model, 0, 0, "Host"),
];

Deno.test("a message that equals the last one to the same place is not sent", () => {
  const { feedback, taken } = controller();
  assertEquals(taken(), all(0x14));
  feedback.motor(0, 0.5);
  feedback.lamp(0, "mute", "on");
  feedback.text(0, 0, "Host");
  assertEquals(taken(), []);
});

Deno.test("a controller that identifies itself again is sent everything again, in its own model", () => {
  const { feedback, taken } = controller();
  taken();
  feedback.restore(0x14);
  assertEquals(taken(), all(0x14));
  feedback.restore(0x10);
  assertEquals(taken(), all(0x10));
});

Deno.test("a controller that identifies itself again gets no position of a fader that a hand has moved", () => {
  const { feedback, taken } = controller();
  taken();
  feedback.moved(0);
  feedback.restore(0x14);
  assertEquals(taken(), all(0x14).slice(1));
  feedback.motor(0, 0.5);
  assertEquals(taken(), [motor(0, 0.5)]);
});
