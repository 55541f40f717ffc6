/**
 * The name of an organisation as a token, for subjects and for names of streams.
 *
 * @module
 */

/**
 * Returns the name as a token of letters, digits, hyphens and underscores: `_` and two hexadecimal
 * digits for each other byte.
 */
export function organisationToken(organisation: string): string {
  return Array.from(new TextEncoder().encode(organisation), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9-]/.test(character)) return character;
    return `_${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
