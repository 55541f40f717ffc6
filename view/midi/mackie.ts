/**
 * Mackie Control Universal: the MIDI messages of a controller with eight strips (motor faders that
 * feel a touch, keys with lamps, a display of 7 characters for each strip), and the messages to it.
 * This module does not know the page.
 *
 * @module
 */

/** The keys of a strip, in the order of their notes: a key has eight notes, one for each strip. */
export const KEYS = ["rec", "solo", "mute", "select"] as const;

/** A key of a strip. */
export type KeyName = typeof KEYS[number];

/** The strips of a controller. */
export const STRIPS = 8;

/** An operation at a controller; `strip` is 0 to 7 from the left. */
export type Action =
  | { readonly what: "move"; readonly strip: number; readonly travel: number }
  | { readonly what: "touch"; readonly strip: number; readonly isTouched: boolean }
  | { readonly what: "press"; readonly strip: number; readonly key: KeyName }
  /** Moves on by the strips of all controllers, or by one strip; `by` is the direction. */
  | { readonly what: "bank" | "channel"; readonly by: 1 | -1 }
  /** A controller identifies itself; it waits for an answer if it has a challenge. */
  | { readonly what: "ready"; readonly model: number; readonly challenge?: readonly number[] };

/** The state of a lamp. */
export type Lamp = "off" | "on" | "blink";

/** A MIDI message. */
export type MidiBytes = readonly number[];

/** The number by which the main controller is addressed, and the number of an extender. */
export const MODELS = { main: 0x14, extender: 0x15 } as const;

/** All numbers by which a controller may be addressed, also the numbers of the Logic Control. */
export const ALL_MODELS: readonly number[] = [...Object.values(MODELS), 0x10, 0x11];

/** The models of the Logic Control, which does nothing before its challenge is answered. */
const CHALLENGING: readonly number[] = [0x10, 0x11];

const NOTE_OFF = 0x80;
const NOTE_ON = 0x90;
const CHANNEL_PRESSURE = 0xd0;
const PITCH_BEND = 0xe0;
const SYSEX = 0xf0;
const SYSEX_END = 0xf7;
const MACKIE = [0x00, 0x00, 0x66];
const TOUCH = 0x68;
const STEPS: Readonly<Record<number, Action>> = {
  0x2e: { what: "bank", by: -1 },
  0x2f: { what: "bank", by: 1 },
  0x30: { what: "channel", by: -1 },
  0x31: { what: "channel", by: 1 },
};

/** The highest position of a fader, which has 14 bits. */
const TOP = 0x3fff;

/** Lengths, in characters, of the text of a strip in the display, and of a line of the display. */
export const TEXT_LENGTH = 7;
const LINE_LENGTH = STRIPS * TEXT_LENGTH;

/** The highest level of a meter: 12 is 0 dBFS, and 1 the lowest segment. */
const METER_TOP = 12;

/** Reads a message of a controller; undefined for any unknown message. */
export function readMessage(bytes: MidiBytes): Action | undefined {
  const [status = 0, first = 0, second = 0] = bytes;
  if (status === SYSEX) return readSysEx(bytes);
  // A data byte of MIDI has 7 bits: a byte with the 8th bit set begins another message.
  if (first > 0x7f || second > 0x7f) return undefined;
  const strip = status & 0x0f;
  if ((status & 0xf0) === PITCH_BEND) {
    if (strip >= STRIPS || bytes.length < 3) return undefined;
    return { what: "move", strip, travel: (second << 7 | first) / TOP };
  }
  if (status !== NOTE_ON && status !== NOTE_OFF) return undefined;
  const isDown = status === NOTE_ON && second > 0;
  if (first >= TOUCH && first < TOUCH + STRIPS) {
    return { what: "touch", strip: first - TOUCH, isTouched: isDown };
  }
  if (!isDown) return undefined;
  const key = KEYS[first >> 3];
  return key === undefined ? STEPS[first] : { what: "press", strip: first & 7, key };
}

function readSysEx(bytes: MidiBytes): Action | undefined {
  const [, a, b, c, model, command] = bytes;
  const isMackie = [a, b, c].every((byte, at) => byte === MACKIE[at]);
  if (!isMackie || model === undefined || command !== 1) return undefined;
  // These are the serial number, of 7 bytes, and the challenge, of 4 bytes.
  const challenge = bytes.slice(6, 17);
  const hasChallenge = CHALLENGING.includes(model) && bytes.length === 18;
  return { what: "ready", model, ...(hasChallenge ? { challenge } : {}) };
}

/** Asks a controller to identify itself. */
export function query(model: number): MidiBytes {
  return sysEx(model, 0x00);
}

/**
 * Answers the challenge of a Logic Control, as its manual says; `challenge` begins with its serial
 * number.
 */
export function challengeAnswer(model: number, challenge: readonly number[]): MidiBytes {
  const serial = challenge.slice(0, 7);
  const [a = 0, b = 0, c = 0, d = 0] = challenge.slice(7);
  const answer = [
    a + (b ^ 0x0a) - d,
    c >> d ^ a + d,
    d - (c << 2) ^ (a | b),
    b - c + (0xf0 ^ d << 4),
  ];
  return sysEx(model, 0x02, ...serial, ...answer.map((byte) => byte & 0x7f));
}

/** Moves the motor of a fader to a travel, 0 to 1. */
export function motor(strip: number, travel: number): MidiBytes {
  const position = Math.round(Math.min(1, Math.max(0, travel)) * TOP);
  return [PITCH_BEND | strip, position & 0x7f, position >> 7];
}

const VELOCITIES: Readonly<Record<Lamp, number>> = { off: 0, blink: 1, on: 127 };

/** Lights the lamp of a key. */
export function lamp(strip: number, key: KeyName, state: Lamp): MidiBytes {
  return [NOTE_ON, KEYS.indexOf(key) * STRIPS + strip, VELOCITIES[state]];
}

/** Writes a text in the display of a strip, in the upper line (0) or the lower line (1). */
export function display(model: number, line: 0 | 1, strip: number, text: string): MidiBytes {
  const characters = ascii(text).slice(0, TEXT_LENGTH).padEnd(TEXT_LENGTH);
  const codes = Array.from(characters, (character) => character.charCodeAt(0));
  return sysEx(model, 0x12, line * LINE_LENGTH + strip * TEXT_LENGTH, ...codes);
}

/** Shows a level, in dBFS, on the meter of a strip; the meter then falls by itself. */
export function meter(strip: number, dB: number): MidiBytes {
  // The segments of the display, from the highest down.
  const below = METER_DB.findIndex((lowest) => dB >= lowest);
  const level = below === -1 ? 0 : METER_TOP - below;
  return [CHANNEL_PRESSURE, strip << 4 | level];
}

/** The lowest level, in dBFS, of each segment of a meter, from the top down. */
const METER_DB: readonly number[] = [0, -2, -4, -6, -8, -10, -14, -20, -30, -40, -50, -60];

/**
 * The display has only ASCII: accents are left out, and characters without an ASCII letter become a
 * question mark.
 */
function ascii(text: string): string {
  return text.replaceAll("ß", "ss").normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/gu, "?");
}

function sysEx(model: number, ...bytes: readonly number[]): MidiBytes {
  return [SYSEX, ...MACKIE, model, ...bytes, SYSEX_END];
}
