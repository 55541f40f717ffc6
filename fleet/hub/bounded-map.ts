/**
 * Maps of a bounded size, such as of a rate limit for each caller.
 *
 * @module
 */

/**
 * Returns the value of a key. A missing value is made, and replaces that of the oldest key if there
 * are `most` keys.
 */
export function knownOf<Value>(
  all: Map<string, Value>,
  key: string,
  most: number,
  make: () => Value,
): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const [oldest] = all.keys();
  if (all.size >= most) all.delete(oldest!);
  const made = make();
  all.set(key, made);
  return made;
}
