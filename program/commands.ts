/**
 * The commands of faderd, in one table.
 *
 * @module
 */
import { groupMask } from "../core/users/groups.ts";
import type { Address } from "../transport/deno/server.ts";
import type { BackupOptions } from "./backup.ts";
import type { Command, Given } from "./command-line.ts";
import { Failure } from "./failure.ts";
import { print } from "./print.ts";
import { serve } from "./serve.ts";
import { VERSION } from "./version.ts";

const data = {
  name: "data",
  value: "dir",
  summary: "folder that keeps snapshots, users and levels",
  default: "./data",
};

const config = {
  name: "config",
  value: "file",
  summary: "the console; without it, a demo console",
};

const backupOptions = [
  {
    name: "tags",
    value: "list",
    summary: "ALL, or backup tags with commas between, like TLS,USERS",
    default: "ALL",
  },
  config,
  data,
];

/** The commands; the first is meant where none is named. */
export const commands: readonly Command[] = [
  {
    words: "serve",
    summary: "run the service until SIGTERM or SIGINT",
    options: [
      {
        name: "listen",
        value: "host:port",
        summary: "where to listen; port 0 is any",
        default: "127.0.0.1:8080",
      },
      {
        name: "listen-tls",
        value: "host:port",
        summary: "where to listen for HTTPS, once a certificate is restored (Tags=TLS)",
      },
      config,
      data,
    ],
    run: (given) =>
      serve({
        listen: address("listen", given.value("listen")!),
        listenTls: optionalAddress("listen-tls", given.value("listen-tls")),
        config: given.value("config"),
        data: given.value("data")!,
      }),
  },
  {
    words: "user add",
    argument: "name",
    summary: "add a user to a stopped service, and print the token, which is not shown again",
    options: [
      { name: "groups", value: "list", summary: "user groups 1..8, like 1,4" },
      { name: "admin", summary: "may back up, restore and change users" },
      { name: "engine", summary: "is an audio engine; nothing depends on it yet" },
      {
        name: "token",
        value: "token",
        summary: "32 hexadecimal digits, xxxxxxxx-…; else a new one",
      },
      data,
    ],
    // Loaded when it is called, as what else `serve` does without.
    async run(given) {
      const { userAdd } = await import("./user.ts");
      await userAdd(given.value("data")!, given.argument("name"), {
        groups: groups(given.value("groups")),
        admin: given.isSet("admin"),
        engine: given.isSet("engine"),
        token: given.value("token"),
      });
    },
  },
  {
    words: "user list",
    summary: "list the users of a stopped service, with their groups and when they were added",
    options: [data],
    run: async (given) => await (await import("./user.ts")).userList(given.value("data")!),
  },
  {
    words: "user remove",
    argument: "name",
    summary: "remove a user from a stopped service; the token is worth nothing from then on",
    options: [data],
    async run(given) {
      const { userRemove } = await import("./user.ts");
      await userRemove(given.value("data")!, given.argument("name"));
    },
  },
  {
    words: "backup",
    argument: "file",
    summary: "write a backup of a stopped service",
    options: backupOptions,
    run: async (given) => await (await import("./backup.ts")).backupTo(backupOf(given)),
  },
  {
    words: "restore",
    argument: "file",
    summary: "restore a backup to a stopped service, all that the tags say or nothing",
    options: backupOptions,
    run: async (given) => await (await import("./backup.ts")).restoreFrom(backupOf(given)),
  },
  {
    words: "tls pack",
    argument: "cert key file",
    summary: "write an archive with a certificate and its key, PEM, to restore with Tags=TLS",
    options: [],
    async run(given) {
      const { tlsPack } = await import("./tls.ts");
      await tlsPack(given.argument("cert"), given.argument("key"), given.argument("file"));
    },
  },
  {
    words: "settings schema",
    summary: "print the JSON Schemas of the settings documents in a backup",
    options: [],
    run: async () => await (await import("./settings.ts")).settingsSchema(),
  },
  {
    words: "config check",
    argument: "file",
    summary: "say whether a configuration is valid, and every fault of it",
    options: [],
    run: async (given) => (await import("./config.ts")).configCheck(given.argument("file")),
  },
  {
    words: "config schema",
    summary: "print the JSON Schema of configurations",
    options: [],
    run: async () => await (await import("./config.ts")).configSchema(),
  },
  {
    words: "log verify",
    summary: "read the whole log of a stopped service, and say where it is damaged",
    options: [data],
    run: async (given) => await (await import("./log.ts")).logVerify(given.value("data")!),
  },
  {
    words: "log dump",
    summary: "print the log of a stopped service, one record a line, as JSON",
    options: [data],
    run: async (given) => await (await import("./log.ts")).logDump(given.value("data")!),
  },
  {
    words: "log repair",
    summary: "cut a damaged log at its damage; what was there is kept under other names",
    options: [data],
    run: async (given) => await (await import("./log.ts")).logRepair(given.value("data")!),
  },
  {
    words: "log compact",
    summary: "write the state of a stopped service anew, without its history",
    options: [data],
    run: async (given) => await (await import("./log.ts")).logCompact(given.value("data")!),
  },
  {
    words: "log drop-unknown",
    summary: "drop the values of resources that the configuration does not have, for good",
    options: [
      { name: "config", value: "file", summary: "the console's configuration" },
      { name: "demo", summary: "in its place: the data is a demo console's" },
      data,
    ],
    async run(given) {
      const file = given.value("config");
      if ((file === undefined) !== given.isSet("demo")) {
        throw new Failure(
          "expected either --config FILE or --demo; see faderd log drop-unknown --help",
        );
      }
      const { logDropUnknown } = await import("./log.ts");
      await logDropUnknown(given.value("data")!, file);
    },
  },
  {
    words: "api",
    summary: "print the RPC methods, REST actions and error codes as JSON",
    options: [],
    run: async () => await (await import("./api.ts")).describeApi(),
  },
  {
    words: "version",
    summary: "print the version",
    options: [],
    run: () => print(VERSION),
  },
];

function optionalAddress(option: string, text: string | undefined): Address | undefined {
  return text === undefined ? undefined : address(option, text);
}

function address(option: string, text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new Failure(
      `--${option}: expected HOST:PORT, like 127.0.0.1:8080 or [::1]:8080, got ${text}`,
    );
  }
  return { hostname: match[1] ?? match[2]!, port };
}

function backupOf(given: Given): BackupOptions {
  return {
    file: given.argument("file"),
    tags: given.value("tags")!,
    data: given.value("data")!,
    config: given.value("config"),
  };
}

function groups(text: string | undefined): number {
  const mask = text === undefined ? undefined : groupMask(text);
  if (mask === undefined) {
    throw new Failure(
      `--groups: expected groups 1..8, like 1,4, ${
        text === undefined ? "it is missing" : `got ${text}`
      }`,
    );
  }
  return mask;
}
