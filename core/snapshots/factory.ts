/**
 * Factory snapshots, which a configuration predefines.
 *
 * @module
 */
import type { Configuration } from "../configuration/configuration.ts";
import { canonicalJson } from "../json.ts";
import type { Snapshot, Snapshots } from "./snapshot.ts";

/** Makes the factory snapshots, numbered from 1 for each type in the order of the configuration. */
export function factorySnapshots({ factorySnapshots }: Configuration): Snapshots {
  const highest = new Map<number, number>();
  return new Map(factorySnapshots.map((written): [string, Snapshot] => {
    const { id, type, readgroups, writegroups, mixer } = written;
    // Saved snapshots have their names in NFC, too, and a load by name looks for it.
    const name = written.name.normalize("NFC");
    const number = (highest.get(type) ?? 0) + 1;
    highest.set(type, number);
    const content = canonicalJson(written.content);
    const common = { id, number, type, name, readgroups, writegroups, factory: true, content };
    return [id, type === 2 ? { ...common, mixer } : common];
  }));
}
