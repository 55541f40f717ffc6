/**
 * The commands for a fleet, which a hub carries out.
 *
 * @module
 */
import { MAY } from "../core/users/user.ts";
import type { ConsoleState } from "../fleet/hub/hub-core.ts";
import type { SectionName } from "../fleet/drift/sections.ts";
import { type Command, jsonOption, type Option } from "./command-line.ts";
import { tokenOption } from "./running-service.ts";

const hub: readonly Option[] = [
  ["--url URL", "the hub", "http://127.0.0.1:8090"],
  ["--token-file FILE", "a file with the token of a user of the fleet"],
  ["--ca FILE", "the certificate, PEM, that vouches for an https: hub"],
  [tokenOption[0], "the token itself; while the command runs others on this machine can read it"],
];

/** The options for the rights of a user. */
const rights: readonly Option[] = [
  [
    "--may RIGHT",
    "view, press, operate, configure or admin, on each console as far as that allows; without " +
    "it operate, or, with --site or --console, nothing on the others",
    undefined,
    [...MAY, "admin"],
  ],
  ["--site LIST", "rights for the consoles of sites, like Berlin=operate,Vienna=view"],
  ["--console LIST", "rights for single consoles, like van=configure, which take precedence"],
];

const load = () => import("./fleet-commands.ts");

/**
 * All states of consoles. Only their type is imported: a console in no fleet loads no code of
 * fleets.
 */
const STATES: readonly ConsoleState[] = ["live", "stale", "gone", "quarantined"];

const loadDrift = () => import("./fleet-drift.ts");

const loadBackup = () => import("./fleet-backup.ts");

/** All sections of consoles. */
const SECTIONS: readonly SectionName[] = [
  "labels",
  "processing",
  "setup",
  "snapshots",
  "users",
  "pictures",
  "views",
  "configuration",
  "settings",
];

const loadDo = () => import("./fleet-do.ts");

const wait: Option = ["--wait", "wait until each console has carried it out, or will not"];

/** The commands of a fleet at its hub. */
export const fleetCommands: readonly Command[] = [
  {
    usage: "fleet list",
    summary: "list the consoles of a fleet, with site, state and alarms",
    options: [...hub, jsonOption],
    run: async (given) => (await load()).fleetList(given),
  },
  {
    usage: "fleet code",
    summary: "print a code by which one console can be enrolled within 15 minutes",
    options: [...hub, jsonOption],
    run: async (given) => (await load()).fleetCode(given),
  },
  {
    usage: "fleet approve CONSOLE",
    summary: "take a console out of quarantine, by its name, its id or the beginning of the id",
    options: hub,
    run: async (given) => (await load()).fleetApprove(given),
  },
  {
    usage: "fleet remove CONSOLE",
    summary: "remove a console, by its name, its id or the beginning of the id",
    options: hub,
    run: async (given) => (await load()).fleetRemove(given),
  },
  {
    usage: "fleet do",
    summary: "have many consoles carry out one request, with a line for each",
    options: [
      ...hub,
      ["--site NAME", "consoles of this site; * stands for any characters, here and below"],
      ["--name NAME", "consoles of this name"],
      ["--label TEXT", "consoles with a fader of this label"],
      ["--firmware VERSION", "consoles with this version of faderd"],
      ["--state STATE", "consoles in this state", undefined, STATES],
      ["--drift TEMPLATE", "consoles of the model of this template that differ from it"],
      ["--consoles LIST", "consoles of these names, ids or beginnings of ids, separated by commas"],
      ["--all", "all consoles"],
      ["--set PATH=VALUE", "set a value: JSON, or else a text"],
      ["--rpc METHOD", "call an RPC method of the consoles"],
      ["--params JSON", 'with --rpc: its parameters, like \'{"id": "default"}\''],
      [
        "--require PATH=VALUE",
        "only where a path has this value; or a JSON object of values by paths",
      ],
      ["--force", "consoles that are on air, too"],
      ["--kept", "keep it for consoles that are not connected: labels, users, saved snapshots"],
      ["--together", "all consoles begin at the same instant"],
      ["--at TIME", "all consoles begin at this time of the hub, like 2026-11-24T20:15:00Z"],
      ["--expires MS", "time in ms after which a console does not begin it (3000; kept: 7 days)"],
      ["--preview", "do nothing, and say what it would change on each console"],
      ["--id ID", "the id of the batch, 32 hexadecimal digits: given again, it is done once"],
      wait,
      jsonOption,
    ],
    run: async (given) => (await loadDo()).fleetDo(given),
  },
  {
    usage: "fleet batch ID",
    summary: "print the outcome of a batch, with a line for each console",
    options: [...hub, wait, jsonOption],
    run: async (given) => (await loadDo()).fleetBatch(given),
  },
  {
    usage: "fleet again ID",
    summary: "do a batch again where it was refused, has expired or is unknown",
    options: [...hub, wait, jsonOption],
    run: async (given) => (await loadDo()).fleetAgain(given),
  },
  {
    usage: "fleet diff CONSOLE [OTHER]",
    summary: "list where a console differs from another or from a template, and change nothing",
    options: [
      ...hub,
      ["--template NAME", "a template, instead of another console"],
      ["--section NAME", "only this section", undefined, SECTIONS],
      jsonOption,
    ],
    run: async (given) => (await loadDrift()).fleetDiff(given),
  },
  {
    usage: "fleet template save NAME CONSOLE",
    summary: "save sections of a console as a template, never levels or ON",
    options: [
      ...hub,
      ["--sections LIST", "sections with commas between", "labels,processing,setup", SECTIONS],
      jsonOption,
    ],
    run: async (given) => (await loadDrift()).fleetTemplateSave(given),
  },
  {
    usage: "fleet template list",
    summary: "list the templates of a fleet",
    options: [...hub, jsonOption],
    run: async (given) => (await loadDrift()).fleetTemplateList(given),
  },
  {
    usage: "fleet template remove NAME",
    summary: "remove a template",
    options: hub,
    run: async (given) => (await loadDrift()).fleetTemplateRemove(given),
  },
  {
    usage: "fleet backup list [CONSOLE]",
    summary: "list the newest backup that a hub has of each console, or all of one, and its alarm",
    options: [...hub, jsonOption],
    run: async (given) => (await loadBackup()).fleetBackupList(given),
  },
  {
    usage: "fleet backup now [CONSOLE]",
    summary: "have a hub make a backup of a console, or of all that are live",
    options: hub,
    run: async (given) => (await loadBackup()).fleetBackupNow(given),
  },
  {
    usage: "fleet backup get CONSOLE FILE",
    summary: "write the newest backup of a console, for faderd restore; FILE - is standard output",
    options: [
      ...hub,
      ["--time TIME", "the backup of this time, or of a time that begins so, such as 2026-11-24"],
    ],
    run: async (given) => (await loadBackup()).fleetBackupGet(given),
  },
  {
    usage: "fleet user add NAME",
    summary: "add a user of the fleet, and print the token, which is not shown again",
    options: [
      ...hub,
      ...rights,
      jsonOption,
    ],
    run: async (given) => (await load()).fleetUserAdd(given),
  },
  {
    usage: "fleet user modify NAME",
    summary: "give a user of the fleet other rights in place of all before; the token stays",
    options: [...hub, ...rights],
    run: async (given) => (await load()).fleetUserModify(given),
  },
  {
    usage: "fleet user list",
    summary: "list the users of the fleet, with their rights and when they were added",
    options: [...hub, jsonOption],
    run: async (given) => (await load()).fleetUserList(given),
  },
  {
    usage: "fleet user remove NAME",
    summary: "remove a user of the fleet, whose connections are closed",
    options: hub,
    run: async (given) => (await load()).fleetUserRemove(given),
  },
  {
    usage: "fleet hubs",
    summary: "list the hubs that a hub hears, itself first, with the numbers of their consoles",
    options: [...hub, jsonOption],
    run: async (given) => (await load()).fleetHubs(given),
  },
  {
    usage: "fleet audit",
    summary: "print the audit trail of a fleet, the newest line first",
    options: [...hub, ["--limit LINES", "maximum number of lines", "100"], jsonOption],
    run: async (given) => (await load()).fleetAudit(given),
  },
];
