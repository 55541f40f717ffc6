/** Copies a map without some of its keys. */
export function without<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  ...keys: readonly Key[]
): ReadonlyMap<Key, Value> {
  const left = new Map(map);
  for (const key of keys) left.delete(key);
  return left;
}
