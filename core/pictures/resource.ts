/**
 * The pictures of resources: replaced by the REST action `updatepic`, fetched by viewers
 * (service.md).
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { growthRefusal } from "../growth.ts";
import { hexOf } from "../hex.ts";
import { PIECE_BYTES } from "../limits.ts";
import type { Steps } from "../ports.ts";
import type { State } from "../state.ts";
import type { Picture } from "./picture.ts";
import { pngRefusal } from "./png.ts";

/**
 * Minimum ratio of the size of a picture to that of its buffer for which the buffer is kept; a
 * smaller picture is copied.
 */
const MOSTLY = 0.95;

/** A checked PNG. */
export interface CheckedPicture {
  /**
   * The bytes of the PNG. Their buffer, which may be a whole request, contains little else, so it
   * may be kept in memory.
   */
  readonly bytes: Uint8Array;
}

/**
 * Checks a picture, and copies it if it is only a part of its buffer; both take long. Refuses (3)
 * anything but a PNG within the limits.
 */
export function* checkPicture(bytes: Uint8Array): Steps<CheckedPicture | Refusal> {
  const refusal = yield* pngRefusal(bytes);
  if (refusal !== undefined) return refusal;
  if (bytes.length >= MOSTLY * bytes.buffer.byteLength) return { bytes };
  const kept = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    kept.set(bytes.subarray(at, at + PIECE_BYTES), at);
    yield;
  }
  return { bytes: kept };
}

/**
 * Replaces the picture of a resource: the REST action `updatepic`. Refused: a resource that is not
 * configured (6), and a picture that would exceed `limits.stateBytes` (11).
 */
export function updatePicture(id: number, { bytes }: CheckedPicture): Command<Done> {
  return (state, _actor, { random }) => {
    const resource = findResource(state, id);
    if (isRefusal(resource)) return resource;
    const version = hexOf(random.bytes(8));
    const pictures = new Map(state.pictures).set(id, { version, bytes });
    return growthRefusal(state, { ...state, pictures }, state.configuration) ??
      { events: [{ type: "picturewritten", id, version, bytes }], result: {} };
  };
}

/**
 * Returns the picture of a resource. Refused (6): an unknown resource, and one without a picture
 * yet.
 */
export function findPicture(state: State, id: number): Picture | Refusal {
  const resource = findResource(state, id);
  if (isRefusal(resource)) return resource;
  return state.pictures.get(id) ??
    refuse("noSuchObject", `resource ${id} has no picture yet`, "id");
}

function findResource({ configuration }: State, id: number): { readonly id: number } | Refusal {
  return configuration.resources.find((resource) => resource.id === id) ??
    refuse("noSuchObject", `there is no resource ${id}`, "id");
}
