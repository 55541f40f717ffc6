/**
 * JSON that is put together of parts that are JSON already. Nowhere else is JSON text cut.
 *
 * @module
 */

/** The JSON of an object with one member more, which stands last and whose value is JSON already. */
export function jsonWith(object: object, member: string, json: string): string {
  const text = JSON.stringify(object);
  const comma = text === "{}" ? "" : ",";
  return `${text.slice(0, -1)}${comma}${JSON.stringify(member)}:${json}}`;
}
