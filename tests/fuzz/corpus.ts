/**
 * Valid requests of every kind, which fuzzers alter.
 *
 * @module
 */
import { smallPng } from "../core/pictures/made-png.ts";
import { tokens } from "../service.ts";
import { atDesk, handoverCode, ownSnapshots } from "./desk.ts";

const [channel, mixer, processing] = ownSnapshots;
const FACTORY = "0f0c0002-0000-4000-8000-000000000001";

/** The `snapshotdata` of the own snapshots. */
const snapshotdata: unknown[] = [];
await atDesk(async (desk) => {
  for (const id of ownSnapshots) {
    const payload = { method: "getsnapshot", params: { id } };
    const body = JSON.stringify({ method: "rpc", token: tokens.admin, payload });
    const answer = await (await desk.ask("/api/rest", { method: "POST", body }))!.json();
    snapshotdata.push(answer.payload.result.snapshotdata);
  }
});

const save = { id: "", name: "New", writegroups: 1, readgroups: 0 };

/** Calls of every RPC, by its name. */
export const rpcCalls: Readonly<Record<string, readonly object[]>> = {
  getsnapshotlist: [{ type: 2, mixer: 0 }, { type: 1 }, { type: 3 }],
  loadsnapshot: [
    { id: channel, mixer: 0, fader: 1 },
    { id: mixer, mixer: 1 },
    { id: processing, fp: 1 },
    { id: "default", type: 2, mixer: 0 },
    { id: FACTORY },
  ],
  savesnapshot: [
    { ...save, type: 1, mixer: 0, fader: 0 },
    { ...save, type: 2, mixer: 1 },
    { ...save, type: 3, fp: 0 },
    { ...save, type: 2, id: mixer, usergroups: 3 },
    { ...save, type: 2, id: "default" },
  ],
  modifysnapshot: [{ id: mixer, name: "Renamed", writegroups: 3, readgroups: 1 }],
  removesnapshot: [{ id: channel }],
  getsnapshot: [{ id: mixer }, { id: "default", mixer: 0 }],
  setsnapshot: snapshotdata.map((snapshotdata) => ({ snapshotdata, mixer: 0 })),
  fadetovalue: [
    { mixer: 0, fader: 0, time: 1, value: -20 },
    { mixer: 1, fader: 2, fadetime: 0, value: 10 },
  ],
  setchannellabel: [{ sourceid: 1, label: "New" }, { sourceid: 101, label: "" }],
  registerextlist: [{ list: 1 }],
  unregisterextlist: [{ list: 1 }],
  setextlist: [{
    list: 1,
    select: 0,
    entries: [
      { label: "A", color: "ff0000", background: true },
      { label: "B", pagination: true, disabled: false },
    ],
  }],
  getaccess: [{}],
  setaccess: [{ mixer: 0, accessgroup: 1, fader: 2 }, { fader: null }],
  getviewdocument: [{ name: "pages" }, { name: "groups" }],
  setviewdocument: [
    { name: "pages", document: { pages: [{ title: "Studio", items: [] }] }, revision: 0 },
    { name: "groups", document: null },
  ],
  pressextlist: [{ list: 1, entry: 0, on: 1 }],
  login: [{}, { mixer: 1 }],
  logout: [{}, { mixer: 1 }],
  getpicturelist: [{}],
  getuser: [{}],
  getuserlist: [{}],
  adduser: [
    { name: "new", groups: 1, admin: false, engine: false, may: "view", expires: "2999-01-31" },
  ],
  modifyuser: [
    { name: "two", groups: 3, admin: false, newtoken: true },
    { name: "one", may: "configure", expires: null },
  ],
  removeuser: [{ name: "two" }],
  makehandover: [{ name: "two", minutes: 5 }],
  takehandover: [{ code: handoverCode }],
  getclientlist: [{}],
  getcertificate: [{}],
  getaudit: [{}, {
    since: "2027-01-31T18:00:00Z",
    until: "2027-02-01T18:00:00+01:00",
    user: "one",
    path: "/audio/mixers/0/faders/0",
    outcome: "refused",
    limit: 10,
  }],
  getundolist: [{}, { step: 1 }],
  undo: [{ step: 1 }, { step: 1, force: true }],
  getloudnesshistory: [{ loudness: 1 }, { loudness: 1, since: "2027-01-31T18:00:00Z", step: 6 }],
  getlevelhistory: [{ level: 1, step: 60 }],
};

const FADER = "/audio/mixers/0/faders/0";
const ofFader = (members: object) => ({ audio: { mixers: { 0: { faders: { 0: members } } } } });

/** The report of an engine about a fader. */
const reported = ofFader({
  _readystate: true,
  meter: { _input: [-20, -21.5], _pfl: [-20, -21.5] },
  params: { compressor: { _gainreduction: -3 } },
});

/** The values of a fader that a client sets at once. */
const written = {
  on: true,
  fader: 99,
  label: "Anna",
  sourceid: 2,
  options: { timerreset: true },
  params: { gain: { again: { inc: 3 } }, eq1: { frequency: 100, q: 2 } },
};

/** Requests of every method of the envelope, by its name. */
export const envelopes: Readonly<Record<string, readonly object[]>> = {
  auth: [{ method: "auth", token: tokens.one }, { method: "auth", msgID: "a", token: "" }],
  get: [
    { msgID: 1, method: "get", path: `${FADER}/fader` },
    { msgID: "x", method: "get", path: "audio/mixers/" },
    { method: "get", path: "/range/audio/pots", token: tokens.two },
    { method: "get", path: "/" },
  ],
  set: [
    { msgID: 1, method: "set", path: `${FADER}/fader`, payload: -12.5 },
    { msgID: {}, method: "set", path: FADER, payload: written },
    { method: "set", path: "/audio/routing/routes", payload: { 1: "2", 2: "" } },
    { method: "set", path: "/audio/selectors/selectors/1", payload: { left: "1", right: "2" } },
    { method: "set", path: "/control", payload: { labels: { 1: { label: "x" } } } },
    { method: "set", path: "/audio/pots/1/value", payload: -20 },
  ],
  subscribe: [
    { msgID: null, method: "subscribe", path: FADER },
    { method: "subscribe", path: "/" },
  ],
  unsubscribe: [{ msgID: [1], method: "unsubscribe", path: FADER }],
  engine: [
    { msgID: 2, method: "engine", paths: ["/audio/mixers/0", "/audio/levels"] },
    { method: "engine" },
  ],
  report: [
    { msgID: 3, method: "report", payload: reported },
    { method: "report", payload: reported },
    { method: "report", payload: { audio: { levels: { 1: { _left: -9, _middle: -9 } } } } },
  ],
  rpc: Object.entries(rpcCalls).flatMap(([method, calls]) =>
    calls.map((params) => ({ msgID: 7, method: "rpc", payload: { method, params } }))
  ),
};

/** A file of a form. */
export interface CorpusFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer> | string;
}

/** The parameters of an action. */
export type ActionCall = Readonly<Record<string, string | CorpusFile>>;

const sfp = (data: unknown): CorpusFile => ({ name: "a.sfp", content: JSON.stringify(data) });

/** Calls of every REST action, by its name. */
export const actionCalls: Readonly<Record<string, readonly ActionCall[]>> = {
  setgloballabel: [{ ObjectID: "1", Name: "News" }, { ObjectID: "2", Name: "" }],
  getgloballabel: [{ ObjectID: "1" }],
  setchannellabel: [{ ObjectID: "1", Name: "Anna" }],
  updatepic: [{ ObjectID: "1", file: { name: "a.png", content: smallPng } }],
  login: [{ ObjectID: "0" }],
  logout: [{ ObjectID: "0" }],
  loadmx: [{ ObjectID: "0", SnapshotID: "1" }, { ObjectID: "1", SnapshotID: "0" }],
  loadch: [{ ObjectID: "1", SnapshotID: "1" }],
  savemx: [{ ObjectID: "0", SnapshotID: "7", Name: "Seven" }, { ObjectID: "0", SnapshotID: "0" }],
  savech: [{ ObjectID: "1", SnapshotID: "65535", Name: "Last" }],
  uploadmxsnap: [{ SnapshotID: "3", file: sfp(snapshotdata[1]) }],
  uploadchsnap: [{ SnapshotID: "3", file: sfp(snapshotdata[0]) }],
  downloadmxsnap: [{ SnapshotID: "1" }, { SnapshotID: "0" }],
  downloadchsnap: [{ SnapshotID: "1" }],
  backup: [{ Tags: "NETWORK,TIMEZONE" }],
  restore: [{ Tags: "ALL", file: { name: "a.bin", content: "no archive" } }],
};

/** Paths of the control tree, each with a value to set. */
export const settings: readonly (readonly [path: string, value: string])[] = [
  [`${FADER}/fader`, "-20"],
  [`${FADER}/label`, "Anna"],
  [`${FADER}/on`, "true"],
  [FADER, '{"on":true,"fader":5}'],
  ["/control/labels/1/label", "News"],
  ["/audio/routing/routes/1", "2"],
  ["/general", ""],
  ["/range/audio/mixers/0", ""],
  ["", ""],
];
