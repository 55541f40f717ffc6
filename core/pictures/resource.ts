/**
 * The pictures of resources: replaced by the REST action `updatepic`, fetched by viewers (service.md).
 *
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Command, Done } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import type { State } from "../state.ts";
import type { Picture } from "./picture.ts";
import { checkPng, type PictureSize } from "./png.ts";

/**
 * Replaces the picture of a resource: the REST action `updatepic`. Refused: anything but a PNG within
 * the limits (3), a resource that is not configured (6).
 *
 * What is kept is a copy of `bytes`, which may be a part of a whole request. A caller that gives them
 * away says so by `checked`, what checking them came to: both take long, and it can do them in pieces.
 */
export function updatePicture(
  id: number,
  bytes: Uint8Array,
  checked?: PictureSize,
): Command<Done> {
  return (state, _actor, { random }) => {
    const size = checked ?? checkPng(bytes);
    if (isRefusal(size)) return size;
    const resource = findResource(state, id);
    if (isRefusal(resource)) return resource;
    const version = bytesToHex(random.bytes(8));
    const kept = checked === undefined ? bytes.slice() : bytes;
    return { events: [{ type: "picturewritten", id, version, bytes: kept }], result: {} };
  };
}

/** The picture of a resource. Refused: no such resource, or none uploaded yet (6). */
export function findPicture(state: State, id: number): Picture | Refusal {
  const resource = findResource(state, id);
  if (isRefusal(resource)) return resource;
  return state.pictures.get(id) ??
    refuse("noSuchObject", `no picture was uploaded to resource ${id} yet`, "id");
}

function findResource({ configuration }: State, id: number): { readonly id: number } | Refusal {
  return configuration.resources.find((resource) => resource.id === id) ??
    refuse("noSuchObject", `there is no resource ${id}`, "id");
}
