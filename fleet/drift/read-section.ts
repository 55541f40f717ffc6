/**
 * Reads the sections of a console for a hub: by a session and by HTTP exchanges of the user who
 * asks, so that nobody reads more of a console than their right allows.
 *
 * @module
 */
import { type Tag, tagTable } from "../../core/backup/tags.ts";
import { unpack, type UnpackedFile } from "../../core/backup/unpack.ts";
import { errorCodes, isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import { canonicalForm, type Json, jsonSteps, parseUtf8 } from "../../core/json.ts";
import { BACKUP_JSON_VALUES, PICTURE_BYTES } from "../../core/limits.ts";
import type { PictureListEntry } from "../../core/pictures/getpicturelist.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import { createSha256 } from "../../core/sha256.ts";
import type { SnapshotListEntry } from "../../core/snapshots/getsnapshotlist.ts";
import type { SnapshotData } from "../../core/snapshots/snapshotdata.ts";
import { type Branch, isBranch, merge, nest, type Patch } from "../../core/tree/tree.ts";
import type { UserListEntry } from "../../core/users/getuserlist.ts";
import { PICTURE_PATH } from "../../transport/pictures.ts";
import type { ConsoleAnswer, ConsoleRequest } from "../api/console-link.ts";
import { refusalOf, sentenceOf } from "../hub/console-state.ts";
import {
  COMPARED_SETTINGS,
  type DigestedSnapshot,
  isCompared,
  picturesValue,
  snapshotsValue,
  textDigest,
  usersValue,
} from "./section-values.ts";
import { type Model, type SectionName, treeSection, type TreeSectionName } from "./sections.ts";

/** The requests to a console as a user. */
export interface SectionSource {
  ask(request: ConsoleRequest): Promise<ConsoleAnswer | Refusal>;
  /** Requests a path of the console over HTTP. */
  fetch(target: string): Promise<Response>;
  readonly scheduler: CooperativeScheduler;
}

/**
 * The value of a section. A member of it may have any name, so the bare value could look like a
 * refusal.
 */
export interface SectionValue {
  readonly value: Json;
}

/** Number of requests to one console at a time. */
const REQUESTS_AT_ONCE = 8;

/** A part of the tree that is read for a section; `*` stands for each member. */
interface Read {
  readonly at: string;
  readonly depth?: number;
  readonly only?: readonly string[];
}

const READS: Readonly<Record<TreeSectionName, readonly Read[]>> = {
  labels: [
    { at: "control/labels", depth: 2, only: ["label"] },
    { at: "audio/mixers/*/faders", depth: 2, only: ["label"] },
  ],
  processing: [
    { at: "audio/flexprocessings/*" },
    { at: "audio/mixers/*/faders/*/params" },
  ],
  setup: [
    { at: "general/ptp" },
    { at: "streams" },
    { at: "control/gpis" },
    { at: "control/gpos" },
    { at: "audio/routing/routes" },
    { at: "audio/selectors/selectors" },
    { at: "audio/mixers/*/automix" },
    { at: "audio/mixers/*/cleanfeeds" },
    { at: "audio/mixers/*/options" },
    { at: "audio/mixers/*/faders/*" },
  ],
};

/** Reads a section of a console; passes on the refusal of the console. */
export async function readSection(
  name: SectionName,
  source: SectionSource,
): Promise<SectionValue | Refusal> {
  switch (name) {
    case "labels":
    case "processing":
    case "setup":
      return await readTree(name, source);
    case "snapshots":
      return await readSnapshots(source);
    case "users": {
      const users = await rpc<readonly UserListEntry[]>(source, "getuserlist");
      return isRefusal(users) ? users : { value: usersValue(users) };
    }
    case "pictures":
      return await readPictures(source);
    case "views": {
      const files = await readArchive(["VIEW"], source);
      return isRefusal(files) ? files : { value: files.VIEW ?? {} };
    }
    case "configuration": {
      const files = await readArchive(["FWCONFIG"], source);
      return isRefusal(files) ? files : { value: files.FWCONFIG ?? {} };
    }
    case "settings": {
      const files = await readArchive(COMPARED_SETTINGS, source);
      return isRefusal(files) ? files : { value: files };
    }
  }
}

/** Reads the numbers of the mixers and faders of a console. */
export async function readModel(source: SectionSource): Promise<Model | Refusal> {
  const mixers = await get(source, { at: "audio/mixers", depth: 3 });
  if (mixers === undefined) return {};
  if (isRefusal(mixers)) return mixers;
  const model = Object.entries(mixers).map(([id, mixer]) => {
    const faders = isBranch(mixer) ? mixer.faders : undefined;
    return [id, isBranch(faders) ? Object.keys(faders) : []] as const;
  });
  return Object.fromEntries(model);
}

async function readTree(
  name: TreeSectionName,
  source: SectionSource,
): Promise<SectionValue | Refusal> {
  let tree: Branch = {};
  for (const read of READS[name]) {
    const paths = await pathsOf(read.at.split("/"), source);
    if (isRefusal(paths)) return paths;
    const values = await inParallel(
      paths,
      (path) => get(source, { ...read, at: path.join("/") }),
    );
    for (const [at, value] of values.entries()) {
      if (value === undefined) continue;
      if (isRefusal(value)) return value;
      tree = merge(tree, nest(paths[at]!, value as Patch) as Patch);
    }
  }
  return { value: await source.scheduler.run(treeSection(name, tree)) };
}

/** Returns the paths that a path with `*` stands for. */
async function pathsOf(
  members: readonly string[],
  source: SectionSource,
): Promise<readonly (readonly string[])[] | Refusal> {
  const at = members.indexOf("*");
  if (at === -1) return [members];
  const before = members.slice(0, at);
  const branch = await get(source, { at: before.join("/"), depth: 1 });
  if (branch === undefined) return [];
  if (isRefusal(branch)) return branch;
  const found: (readonly string[])[] = [];
  for (const member of Object.keys(branch)) {
    if (member.startsWith("_")) continue;
    const below = await pathsOf([...before, member, ...members.slice(at + 1)], source);
    if (isRefusal(below)) return below;
    found.push(...below);
  }
  return found;
}

/** Reads a branch; undefined where the console has none there. */
async function get(
  { ask }: SectionSource,
  { at, ...extent }: Read,
): Promise<Branch | Refusal | undefined> {
  const answer = await ask({ method: "get", path: `/${at}`, ...extent });
  const refusal = isRefusal(answer) ? answer : answer.error;
  // The refusal for a console that is not there has the same code, and comes without an answer.
  const isAbsent = !isRefusal(answer) && refusal?.code === errorCodes.noSuchObject;
  if (isAbsent) return undefined;
  if (refusal !== undefined) return refusal;
  const { payload } = answer as ConsoleAnswer;
  return isBranch(payload) ? payload : WRONG;
}

async function rpc<Result>(
  { ask }: SectionSource,
  method: string,
  params: object = {},
): Promise<Result | Refusal> {
  const answer = await ask({ method: "rpc", payload: { method, params } });
  const refusal = isRefusal(answer) ? answer : answer.error;
  if (refusal !== undefined) return refusal;
  const { payload } = answer as ConsoleAnswer;
  const result = isBranch(payload) ? payload.result : undefined;
  return result === undefined ? WRONG : result as Result;
}

async function readSnapshots(source: SectionSource): Promise<SectionValue | Refusal> {
  const model = await readModel(source);
  if (isRefusal(model)) return model;
  const channel = await readSnapshotList(source, { type: 1 });
  if (isRefusal(channel)) return channel;
  const processing = await readSnapshotList(source, { type: 3 });
  if (isRefusal(processing)) return processing;
  const mixers: Record<string, Json> = {};
  for (const mixer of Object.keys(model)) {
    const list = await readSnapshotList(source, { type: 2, mixer: Number(mixer) });
    if (isRefusal(list)) return list;
    mixers[mixer] = list.value;
  }
  return { value: { channel: channel.value, processing: processing.value, mixers } };
}

async function readSnapshotList(
  source: SectionSource,
  which: { readonly type: number; readonly mixer?: number },
): Promise<SectionValue | Refusal> {
  const list = await rpc<readonly SnapshotListEntry[]>(source, "getsnapshotlist", which);
  if (isRefusal(list)) return list;
  const digested = await inParallel(
    list.filter(isCompared),
    async (entry): Promise<DigestedSnapshot | Refusal> => {
      const params = { id: entry.id };
      const got = await rpc<{ readonly snapshotdata: SnapshotData }>(source, "getsnapshot", params);
      if (isRefusal(got)) return got;
      const { scheduler } = source;
      const text = await scheduler.run(jsonSteps(got.snapshotdata.content, canonicalForm));
      return { ...entry, content: await scheduler.run(textDigest(text)) };
    },
  );
  const refusal = digested.find((one) => isRefusal(one));
  return refusal ?? { value: snapshotsValue(digested as readonly DigestedSnapshot[]) };
}

async function readPictures(source: SectionSource): Promise<SectionValue | Refusal> {
  const list = await rpc<readonly PictureListEntry[]>(source, "getpicturelist");
  if (isRefusal(list)) return list;
  const digests = new Map<number, string>();
  for (const { id, version } of list) {
    if (version === null) continue;
    const answer = await source.fetch(`${PICTURE_PATH}${id}`);
    if (!answer.ok) return await refusalIn(answer);
    const hash = createSha256();
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > PICTURE_BYTES) return WRONG;
      hash.update(chunk);
    }
    digests.set(id, hexOf(hash.digest()));
  }
  return { value: picturesValue(list, digests) };
}

/** Reads the JSON files of tags of a backup, by their tags. */
async function readArchive<Name extends Tag>(
  tags: readonly Name[],
  { fetch, scheduler }: SectionSource,
): Promise<{ readonly [tag in Name]?: Json } | Refusal> {
  const answer = await fetch(`/action/backup?Tags=${tags.join(",")}`);
  const { body } = answer;
  const isArchive = answer.headers.get("content-type") === "application/octet-stream";
  if (!isArchive || body === null) return await refusalIn(answer);
  const files: Partial<Record<Tag, Json>> = {};
  function take({ tag, bytes }: UnpackedFile): Promise<Refusal | undefined> {
    const value = parseUtf8(bytes, BACKUP_JSON_VALUES);
    if (value === undefined) {
      return Promise.resolve(refuse("malformed", `${tagTable[tag].file} is not JSON`));
    }
    files[tag] = value as Json;
    return Promise.resolve(undefined);
  }
  const chunks = body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const refusal = await unpack(chunks, { wanted: tags }, take, scheduler);
  return refusal ?? files as { readonly [tag in Name]?: Json };
}

/** Maximum number of characters of the body of a refusal over HTTP; a longer body is not read. */
const REFUSAL_CHARACTERS = 64 * 1024;

/** Returns the refusal for a failed request over HTTP to a console. */
export async function refusalIn(
  { status, body }: { readonly status: number; readonly body: ReadableStream<Uint8Array> | null },
): Promise<Refusal> {
  const said = await textIn(body).then(JSON.parse).catch(() => undefined);
  // The hub itself answers so for a console that it does not reach, or that breaks off.
  if (typeof said?.error?.code === "number") return refusalOf(said.error);
  const message = said?.error?.message ?? said?.Error;
  return typeof message === "string"
    ? refuse(status === 401 ? "notLoggedIn" : "noRight", sentenceOf(message))
    : WRONG;
}

async function textIn(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the body, which a console may send without end.
    if (text.length > REFUSAL_CHARACTERS) break;
  }
  return text;
}

const WRONG = refuse("malformed", "the console did not answer as a console does");

/** Does work for each item, some at a time; the results are in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, async () => {
    for (const [at, item] of left) results[at] = await work(item);
  }));
  return results;
}
