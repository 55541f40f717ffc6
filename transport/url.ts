/** Reads a URL; undefined where it is none. (`URL.parse` came to Node 20 in the midst of its life.) */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
