/**
 * Puts JSON texts together.
 *
 * @module
 */

/** Answers the JSON of an object with one more member, whose value is JSON text already. */
export function withMember(object: object, member: string, json: string): string {
  const text = JSON.stringify(object);
  const before = text === "{}" ? "{" : `${text.slice(0, -"}".length)},`;
  return `${before}${JSON.stringify(member)}:${json}}`;
}
