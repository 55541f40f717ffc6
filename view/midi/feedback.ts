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
   * Addresses the display by another number from now on, and sends its texts to that number, too.
   */
  address(model: number): void;
  /** Moves a fader, unless that was its last message. */
  motor(strip: number, travel: number): void;
  /** A hand has moved a fader: its last message is out of date. */
  moved(strip: number): void;
  lamp(strip: number, key: KeyName, state: Lamp): void;
  text(line: 0 | 1, strip: number, text: string): void;
  meter(strip: number, dB: number): void;
}

/** Makes the feedback of a controller, whose display is addressed by `model` at first. */
export function createFeedback(model: number, send: (bytes: MidiBytes) => void): Feedback {
  const sent = new Map<string, string>();
  const put = (what: string, bytes: MidiBytes) => {
    const text = bytes.join();
    if (sent.get(what) === text) return;
    sent.set(what, text);
    send(bytes);
  };
  const texts = new Map<string, () => void>();
  return {
    address(next) {
      model = next;
      for (const write of texts.values()) write();
    },
    motor: (strip, travel) => put(`motor ${strip}`, motor(strip, travel)),
    moved: (strip) => void sent.delete(`motor ${strip}`),
    lamp: (strip, key, state) => put(`${key} ${strip}`, lamp(strip, key, state)),
    text(line, strip, text) {
      const what = `text ${line} ${strip}`;
      const write = () => put(what, display(model, line, strip, text));
      texts.set(what, write);
      write();
    },
    // The meter of a controller falls by itself, so an equal level is sent again.
    meter: (strip, dB) => send(meter(strip, dB)),
  };
}
