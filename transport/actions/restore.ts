import { tagsFor } from "../../core/backup/tags.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import { BACKUP_PACKED_BYTES } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import type { SettingsDocument, SettingsTag } from "../../core/settings/settings.ts";
import { adminRefusal } from "../../core/users/admin.ts";
import { stillThere } from "../../core/users/user.ts";
import { action } from "../action-api/action.ts";
import { BACKUP_SINCE } from "./backup.ts";
import type { Device } from "../action-api/device.ts";
import type { ReceivedFile } from "../intake/intake.ts";
import {
  FORM_AROUND_FILE_BYTES,
  namedFile,
  type QuickReader,
  tags,
} from "../action-api/action-parameters.ts";

const namedBackup = namedFile("a backup", [".bin", ".tgz"]);

/** The file of a backup, by its name and by how it begins. */
const archive: QuickReader<ReceivedFile> = {
  ...namedBackup,
  read(received, parameter) {
    const read = namedBackup.read(received, parameter);
    if (isRefusal(read)) return read;
    const { name, bytes } = read.value;
    return bytes[0] === 0x1f && bytes[1] === 0x8b ? read : refuse(
      "invalidParameter",
      `expected a backup, a gzip-compressed tar; ${shown(name)} does not begin like one`,
      parameter,
    );
  },
};

/** Applies a backup: all that is named of it, or nothing. */
export const restore = action({
  name: "restore",
  summary: "Upload and apply the tags named of a backup (.bin or .tgz).",
  methods: ["POST"],
  parameters: { file: archive, Tags: tags },
  token: "required",
  since: BACKUP_SINCE,
  alone: true,
  bodyBytes: () => BACKUP_PACKED_BYTES + FORM_AROUND_FILE_BYTES,
  async run(console, { file, Tags }, actor, { device, pacer }) {
    const { configuration } = console.state;
    const refusal = adminRefusal(actor);
    if (refusal !== undefined) return refusal;
    const chosen = tagsFor(configuration, Tags);
    if (isRefusal(chosen)) return chosen;
    // Loaded when first needed: an idle service does without it.
    const { readBackup } = await import("../../core/backup/read-backup.ts");
    const { applyBackup } = await import("../../core/backup/apply.ts");
    const { lockOutRefusal } = await import("../../core/backup/admin.ts");
    const contents = await readBackup(pieces(file.bytes), chosen, {
      ...device,
      pacer,
      siteKey: configuration.siteKey,
    });
    if (isRefusal(contents)) return contents;
    const refused = adminRefusal(stillThere(console.state.users, actor)) ??
      lockOutRefusal(contents.users);
    if (refused !== undefined) return refused;
    const outcome = await applyBackup(console, contents, actor, pacer);
    if (isRefusal(outcome)) return outcome;
    const unwritten = await device.settled();
    const reconfigured = console.state.configuration !== configuration;
    const failures = reconfigured && unwritten !== undefined ? [unwritten] : [];
    const untold = await tell(device, contents.settings);
    if (untold.length > 0) failures.push(`hooks.applied failed: ${untold.join("; ")}`);
    const Error = `restored, but ${failures.join("; ")}`;
    return { result: { Restored: chosen, ...(failures.length === 0 ? {} : { Error }) } };
  },
});

const PIECE_BYTES = 16 * 1024;

/** The bytes of a file, piece by piece and without a copy. */
function pieces(bytes: ReceivedFile["bytes"]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at += PIECE_BYTES) as Uint8Array<ArrayBuffer>);
    },
  }, { highWaterMark: 0 });
}

async function tell(
  { applied }: Device,
  settings: Readonly<Partial<Record<SettingsTag, SettingsDocument>>>,
): Promise<string[]> {
  const failures: string[] = [];
  for (const [tag, document] of Object.entries(settings) as [SettingsTag, SettingsDocument][]) {
    const failure = await applied(tag, document);
    if (failure !== undefined) failures.push(`${tag}: ${failure}`);
  }
  return failures;
}
