/**
 * The commands of faderd, in one table. Code that `serve` does not need is loaded only when its
 * command is called.
 *
 * @module
 */
import { tagNames } from "../core/backup/tags.ts";
import { MAY } from "../core/users/user.ts";
import type { Address } from "../runtimes/deno/server.ts";
import type { BackupOptions } from "./backup.ts";
import { type Command, type Given, jsonOption, type Option } from "./command-line.ts";
import { folderOf, folderOption } from "./data-folder.ts";
import { LOG_FORMATS, LOG_LEVELS } from "./event-log.ts";
import { misuse } from "./failure.ts";
import { listenAddress } from "./listen-option.ts";
import { fleetCommands } from "./fleet-table.ts";
import { openerOf, recipientOf } from "./seal/keys.ts";
import { sealOptions, unsealOptions } from "./seal/options.ts";
import { print } from "./print.ts";
import { serviceOf, serviceOptions, tokenOption } from "./running-service.ts";
import { serve, type ServeOptions } from "./serve.ts";
import { VERSION } from "./version.ts";

const data: Option = ["--data DIR", "folder that keeps snapshots, users and levels", "./data"];
const config: Option = [
  "--config FILE",
  "the console; without it, the one restored to the data folder, else a demo console",
];
const tags: Option = [
  "--tags LIST",
  "ALL, or backup tags separated by commas, like TLS,USERS",
  "ALL",
  ["ALL", ...tagNames],
];

/** The options of commands that find the console of the Debian package by themselves. */
const consoleOptions: readonly Option[] = [
  ["--data DIR", "the data folder (default ./data, else that of the Debian package)"],
  ["--config FILE", "its configuration; without it, the one restored to the data folder"],
];

/** The groups of users, and the shells that have completions. */
const GROUPS = ["1", "2", "3", "4", "5", "6", "7", "8"];
const SHELLS = ["bash", "zsh", "fish"];

/** The commands; without a name the first one is meant. */
export const commands: readonly Command[] = [
  {
    usage: "serve",
    summary: "run the service until SIGTERM or SIGINT",
    options: [
      ["--listen HOST:PORT", "where to listen; port 0 means any free port", "127.0.0.1:8080"],
      [
        "--listen-tls HOST:PORT",
        "where to listen for HTTPS, once a certificate is restored (Tags=TLS)",
      ],
      config,
      data,
      [
        "--log-format FORMAT",
        "text or json: a line for each event, with its time and level",
        undefined,
        LOG_FORMATS,
      ],
      [
        "--log-level LEVEL",
        "debug, info, warning or error: the lowest level that is logged",
        "info",
        LOG_LEVELS,
      ],
      ["--no-view", "do not serve the device view, the page that operates the console"],
    ],
    run: (given) =>
      serve({
        log: logOf(given),
        listen: addressOf(given, "listen")!,
        listenTls: addressOf(given, "listen-tls"),
        config: given.get("config"),
        data: given.get("data")!,
        view: !given.has("no-view"),
      }),
  },
  {
    usage: "hub",
    summary: "run a hub, where many consoles are in one view, until SIGTERM or SIGINT",
    options: [
      ["--listen HOST:PORT", "where to listen; port 0 means any free port", "127.0.0.1:8090"],
      ["--listen-tls HOST:PORT", "where to listen for HTTPS, with the certificate of tls"],
      [
        "--config FILE",
        "the hub's configuration; without it, a hub with the default configuration",
      ],
      ["--data DIR", "folder that keeps enrolments and users of the fleet", "./hub-data"],
      ["--no-view", "serve neither the page of the fleet nor those of consoles"],
    ],
    run: async (given) =>
      (await import("./hub.ts")).serveHub({
        listen: addressOf(given, "listen")!,
        listenTls: addressOf(given, "listen-tls"),
        config: given.get("config"),
        data: given.get("data")!,
        view: !given.has("no-view"),
      }),
  },
  {
    usage: "user add NAME",
    summary: "add a user, and print the token, which is not shown again",
    options: [
      ["--groups LIST", "user groups 1..8, like 1,4", undefined, GROUPS],
      [
        "--may RIGHT",
        "view, press, operate or configure; an admin may configure in any case",
        "operate",
        MAY,
      ],
      ["--expires TIME", "when the token expires: a date, or an instant like 2027-01-31T18:00:00Z"],
      ["--admin", "may back up, restore and change users"],
      ["--engine", "is an audio engine, and may claim and report"],
      [
        "--token TOKEN",
        "32 hexadecimal digits, xxxxxxxx-…; else a new one. With --url: that of the admin who asks",
      ],
      config,
      folderOption,
      ...serviceOptions,
      jsonOption,
    ],
    run: async (given) => (await import("./user-commands.ts")).userAdd(given),
  },
  {
    usage: "user list",
    summary: "list the users, with their groups and when they were added",
    options: [config, folderOption, ...serviceOptions, tokenOption, jsonOption],
    run: async (given) => (await import("./user-commands.ts")).userList(given),
  },
  {
    usage: "user remove NAME",
    summary: "remove a user; the token is no longer valid from then on",
    options: [config, folderOption, ...serviceOptions, tokenOption],
    run: async (given) => (await import("./user-commands.ts")).userRemove(given),
  },
  {
    usage: "backup FILE",
    summary: "write a backup; FILE - is standard output",
    options: [tags, config, folderOption, ...serviceOptions, tokenOption, ...sealOptions],
    async run(given) {
      const service = serviceOf(given);
      if (service === undefined) return (await import("./backup.ts")).backupTo(backupOf(given));
      await (await import("./service-backup.ts")).downloadBackup(service, backupOf(given));
    },
  },
  {
    usage: "restore FILE",
    summary: "restore a backup: all parts that the tags name, or none",
    options: [tags, config, folderOption, ...serviceOptions, tokenOption, ...unsealOptions],
    async run(given) {
      const service = serviceOf(given);
      if (service === undefined) return (await import("./backup.ts")).restoreFrom(backupOf(given));
      await (await import("./service-backup.ts")).uploadBackup(service, backupOf(given));
    },
  },
  {
    usage: "copy save FILE",
    summary: "write a whole copy of a console, which may run; FILE - is standard output",
    options: [...consoleOptions, ...sealOptions],
    run: async (given) => (await import("./copy/save.ts")).copySave(given),
  },
  {
    usage: "copy restore FILE",
    summary: "make a console of a whole copy: its data, its configuration, its keys",
    options: [
      ...consoleOptions,
      ...unsealOptions,
      ["--replace", "move what is there aside, as on a machine where a console has run"],
    ],
    run: async (given) => (await import("./copy/restore.ts")).copyRestore(given),
  },
  {
    usage: "copy check FILE",
    summary: "read all of a whole copy, and say which console it is of",
    options: [...unsealOptions, jsonOption],
    run: async (given) => (await import("./copy/restore.ts")).copyCheck(given),
  },
  {
    usage: "copy keys FILE",
    summary: "make a secret key, FILE, and its public key, FILE.pub, to encrypt copies for",
    run: async (given) => (await import("./copy/keys.ts")).copyKeys(given),
  },
  {
    usage: "health",
    summary: "report the health of a running service, with exit status 1 if it is not ready",
    options: [
      ["--url URL", "where it listens", "http://127.0.0.1:8080"],
      ["--ca FILE", "the certificate, PEM, that vouches for an https: service"],
      ["--json", "no effect: the health is printed as JSON in any case"],
    ],
    run: async (given) => (await import("./health.ts")).sayHealth(serviceOf(given)!),
  },
  {
    usage: "doctor",
    summary: "check all that a console needs: say what is in order, and what to do",
    options: [
      ["--data DIR", "the data folder (default ./data, else that of the Debian package)"],
      config,
      ["--listen HOST:PORT", "where the service listens (default 127.0.0.1:8080)"],
      ["--listen-tls HOST:PORT", "where it listens for HTTPS"],
      ["--defaults FILE", "a file with FADERD_OPTIONS, as the Debian package has one"],
      jsonOption,
    ],
    run: async (given) => (await import("./doctor/doctor.ts")).doctor(given),
  },
  {
    usage: "tls pack CERT KEY FILE",
    summary: "write an archive with a certificate and its key, PEM, to restore with Tags=TLS",
    async run(given) {
      const { tlsPack } = await import("./tls-pack.ts");
      await tlsPack(given.get("cert")!, given.get("key")!, given.get("file")!);
    },
  },
  {
    usage: "tls show",
    summary: "print whom the certificate is for, and until when it is valid",
    options: [
      folderOption,
      [
        "--url URL",
        "the certificate that a service shows at an https: address, instead of that in a folder",
      ],
      jsonOption,
    ],
    run: async (given) => (await import("./tls-show.ts")).tlsShow(given),
  },
  {
    usage: "fleet enrol URL CODE",
    summary: "enrol a console in a fleet, by a code of its hub; URL like wss://hub.example",
    options: [
      ["--site NAME", "the site at which the console is"],
      [
        "--ca FILE",
        "the certificate, PEM, that alone vouches for the hub from then on; it is kept",
      ],
      config,
      ["--data DIR", "the data folder of the console, which may be running", "./data"],
    ],
    run: async (given) => (await import("./fleet-enrol.ts")).fleetEnrol(given),
  },
  ...fleetCommands,
  {
    usage: "settings schema",
    summary: "print the JSON Schemas of the settings documents in a backup",
    run: async () => (await import("./describe.ts")).printSettingsSchemas(),
  },
  {
    usage: "config check FILE",
    summary: "say whether a configuration is valid, and every fault of it",
    options: [jsonOption],
    run: async (given) => (await import("./config-check.ts")).checkConfiguration(given),
  },
  {
    usage: "config schema",
    summary: "print the JSON Schema of configurations",
    run: async () => (await import("./describe.ts")).printConfigurationSchema(),
  },
  {
    usage: "log verify",
    summary:
      "read the whole log and report damage; of a running service, report what it knows of its log",
    options: [folderOption, ...serviceOptions, tokenOption, jsonOption],
    run: async (given) => (await import("./log-commands.ts")).logVerify(given),
  },
  {
    usage: "log dump",
    summary: "print the log of a stopped service, one record a line, as JSON",
    options: [data],
    run: async (given) => (await import("./log-commands.ts")).logDump(given),
  },
  {
    usage: "log repair",
    summary: "end a damaged log at its damage, or skip it; the damaged files are kept as *.damaged",
    options: [
      data,
      ["--skip", "continue after each damage with the next valid record"],
      jsonOption,
    ],
    run: async (given) => (await import("./log-commands.ts")).logRepair(given),
  },
  {
    usage: "log compact",
    summary: "write the log of a stopped service anew, without its history",
    options: [data, jsonOption],
    run: async (given) => (await import("./log-commands.ts")).logCompact(given),
  },
  {
    usage: "log drop-unknown",
    summary: "drop the values of resources that the configuration does not have, for good",
    options: [
      ["--config FILE", "the console's configuration"],
      ["--demo", "instead of --config: the data is that of a demo console"],
      data,
      jsonOption,
    ],
    run: async (given) => (await import("./log-commands.ts")).logDropUnknown(given),
  },
  {
    usage: "api",
    summary: "print the RPC methods, REST actions, messages, tree and errors as JSON",
    options: [
      ["--openapi", "the interface over HTTP, as OpenAPI 3.1"],
      ["--asyncapi", "the interface over WebSocket, as AsyncAPI 3"],
      ["--websocket", "the messages over WebSocket, as JSON Schemas"],
    ],
    async run(given) {
      const { printApi } = await import("./describe.ts");
      printApi((form) => given.has(form));
    },
  },
  {
    usage: "completions SHELL",
    summary: "print what bash, zsh or fish needs to complete command lines of faderd",
    values: SHELLS,
    async run(given) {
      const { completionScript } = await import("./completions.ts");
      print(completionScript(commands, given.get("shell")!));
    },
  },
  {
    usage: "version",
    summary: "print the version",
    run: () => print(VERSION),
  },
];

function logOf(given: Given): ServeOptions["log"] {
  const level = choiceOf(given, "log-level", LOG_LEVELS)!;
  const format = choiceOf(given, "log-format", LOG_FORMATS);
  return format === undefined ? undefined : { format, level };
}

function choiceOf<Choice extends string>(
  given: Given,
  option: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = given.get(option);
  const choice = choices.find((one) => one === text);
  if (text === undefined || choice !== undefined) return choice;
  throw misuse(`--${option}: expected ${choices.join(", ")}, got ${text}`);
}

function addressOf(given: Given, option: string): Address | undefined {
  const text = given.get(option);
  return text === undefined ? undefined : listenAddress(text, option);
}

function backupOf(given: Given): BackupOptions {
  return {
    file: given.get("file")!,
    tags: given.get("tags")!,
    data: folderOf(given),
    config: given.get("config"),
    recipient: recipientOf(given),
    opener: openerOf(given),
  };
}
