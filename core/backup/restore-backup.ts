/**
 * Restores a backup, from its bytes to the last hook that is told of it: the same for the REST
 * action and for the command line.
 *
 * @module
 */
import type { Console } from "../console.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import type { Pacer } from "../ports.ts";
import type { SettingsDocument, SettingsTag } from "../settings/settings.ts";
import { adminRefusal } from "../users/admin.ts";
import { type Actor, DEVICE, stillThere, type User } from "../users/user.ts";
import { applyBackup } from "./apply.ts";
import type { Device } from "./device.ts";
import { badArchive } from "./manifest.ts";
import { readBackup } from "./read-backup.ts";
import { type AskedTags, type Tag, tagsFor, tagTable } from "./tags.ts";
import type { Packed } from "./unpack.ts";

/** What restoring a backup takes. */
export interface RestoreOptions {
  readonly tags: AskedTags;
  /**
   * Who asks for it over the network: this has to be an admin, and the backup must not take the
   * last one away. Undefined is the machine's owner, who may do anything.
   */
  readonly by: Actor | undefined;
  readonly device: Device;
  readonly pacer: Pacer;
}

/** What a restore came to, which is in force. */
export interface RestoreOutcome {
  readonly tags: readonly Tag[];
  /** Whether there is another configuration now. */
  readonly reconfigured: boolean;
  /** Why that configuration is not in its file yet; the next start writes it. */
  readonly unwritten: string | undefined;
  /** The settings that the firmware could not be told of, each with the reason. */
  readonly untold: readonly string[];
}

/**
 * Restores the tags that are asked for of a packed archive, all of them or nothing. Refused, with
 * nothing changed: tags that do not apply (3), what `readBackup` and `applyBackup` refuse, and over
 * the network whoever is no admin (4 or 5), and users of whom none is one (3).
 */
export async function restoreBackup(
  console: Console,
  packed: Packed,
  { tags: asked, by, device, pacer }: RestoreOptions,
): Promise<RestoreOutcome | Refusal> {
  const { configuration } = console.state;
  const tags = (by && adminRefusal(by)) ?? tagsFor(configuration, asked);
  if (isRefusal(tags)) return tags;
  const { siteKey } = configuration;
  const contents = await readBackup(packed, tags, { ...device, pacer, siteKey });
  if (isRefusal(contents)) return contents;
  // Whoever asked may be an admin no more by now.
  const refusal = by &&
    (adminRefusal(stillThere(console.state.users, by)) ?? lockOutRefusal(contents.users));
  if (refusal !== undefined) return refusal;
  const applied = await applyBackup(console, contents, by ?? DEVICE, pacer);
  if (isRefusal(applied)) return applied;
  const unwritten = await device.settled();
  const reconfigured = console.state.configuration !== configuration;
  const untold: string[] = [];
  for (const [tag, document] of Object.entries(contents.settings)) {
    const failure = await device.applied(tag as SettingsTag, document as SettingsDocument);
    if (failure !== undefined) untold.push(`${tag}: ${failure}`);
  }
  return { tags, reconfigured, unwritten: reconfigured ? unwritten : undefined, untold };
}

/**
 * Refuses users without an admin among them: once they are restored over the network, nobody could
 * restore anything again.
 */
function lockOutRefusal(users: readonly User[] | undefined): Refusal | undefined {
  return users === undefined || users.some(({ admin }) => admin) ? undefined : badArchive(
    `${tagTable.USERS.file} has no admin: nobody could back up, restore or change users any more`,
  );
}
