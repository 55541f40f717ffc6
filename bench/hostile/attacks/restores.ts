/**
 * Archives that an admin was made to restore.
 *
 * @module
 */
import { packFiles } from "../../../core/backup/pack.ts";
import { MANIFEST, SUMS } from "../../../core/backup/manifest.ts";
import { crc32 } from "../../../core/crc32.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { Target } from "../target.ts";

/** An archive of one file. */
export function archiveOf(name: string, tag: string, text: string): Promise<ArrayBuffer> {
  const encode = (value: string) => new TextEncoder().encode(value);
  const bytes = encode(text);
  const time = new Date(0).toISOString();
  const manifest = { format: 1, device: "hostile", firmware: "10.3.0", time, tags: [tag] };
  async function* files() {
    yield { name: MANIFEST, bytes: encode(JSON.stringify(manifest)) };
    yield { name, bytes };
    const sums = [{ name, bytes: bytes.length, crc32: crc32(bytes) }];
    yield { name: SUMS, bytes: encode(JSON.stringify(sums)) };
  }
  return new Response(packFiles(files(), withoutPauses)).arrayBuffer();
}

/** Restores an archive; what the answer says, and how long it is. */
export async function restore(
  port: number,
  token: string,
  tag: string,
  archive: ArrayBuffer,
): Promise<{ readonly status: number; readonly text: string }> {
  const body = new FormData();
  body.append("Tags", tag);
  body.append("Token", token);
  body.append("file", new File([archive], "backup.tgz"));
  const answer = await fetch(`http://127.0.0.1:${port}/action/restore`, { method: "POST", body });
  return { status: answer.status, text: await answer.text() };
}

async function restoreConfiguration({ port, admin, tell }: Target, text: string): Promise<void> {
  const archive = await archiveOf("fwconfig.json", "FWCONFIG", text);
  const answer = await restore(port, admin, "FWCONFIG", archive);
  const refused = answer.text.includes('"Error"') ? "refused" : "taken";
  tell(`HTTP ${answer.status}, ${refused}, an answer of ${answer.text.length} bytes`);
}

/** A configuration with 400,000 faults. */
export function manyFaults(target: Target): Promise<void> {
  return restoreConfiguration(target, `{"mixers":[${"0,".repeat(399_999)}0]}`);
}

/** A configuration of 4,096 faders with 4,096 mute groups each. */
export function hugeTree(target: Target): Promise<void> {
  return restoreConfiguration(target, '{"mixers":[{"faders":4096,"mutegroups":4096}]}');
}
