/**
 * The feedback to a controller: a message to a fader, a lamp or a text is not sent if it equals the
 * last one that was sent there.
 *
 * @module
 */
import { display, type KeyName, type Lamp, lamp, meter, type MidiBytes, motor } from "./mackie.ts";

/** The feedback to one controller. */
export interface Feedback {
  /**
   * Sends everything again to a controller that has identified itself by its number: it may have
   * been restarted. Its display is addressed by that number from now on.
   */
  restore(model: number): void;
  /** Moves a fader, unless that was its last message. */
  motor(strip: number, travel: number): void;
  /** A hand moves a fader, or has moved it: its last message is out of date. */
  moved(strip: number): void;
  lamp(strip: number, key: KeyName, state: Lamp): void;
  text(line: 0 | 1, strip: number, text: string): void;
  meter(strip: number, dB: number): void;
}

/** Makes the feedback of a controller, whose display is addressed by `model` at first. */
export function createFeedback(model: number, send: (bytes: MidiBytes) => void): Feedback {
  const sent = new Map<string, string>();
  /** Makes the last message to each place, for the present model. */
  const messages = new Map<string, () => MidiBytes>();
  const put = (what: string, message: () => MidiBytes) => {
    messages.set(what, message);
    const bytes = message();
    const text = bytes.join();
    if (sent.get(what) === text) return;
    sent.set(what, text);
    send(bytes);
  };
  return {
    restore(next) {
      model = next;
      sent.clear();
      for (const [what, message] of messages) put(what, message);
    },
    motor: (strip, travel) => put(`motor ${strip}`, () => motor(strip, travel)),
    moved(strip) {
      sent.delete(`motor ${strip}`);
      messages.delete(`motor ${strip}`);
    },
    lamp: (strip, key, state) => put(`${key} ${strip}`, () => lamp(strip, key, state)),
    text: (line, strip, text) =>
      put(`text ${line} ${strip}`, () => display(model, line, strip, text)),
    // The meter of a controller falls by itself, so an equal level is sent again.
    meter: (strip, dB) => send(meter(strip, dB)),
  };
}
