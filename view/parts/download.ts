/**
 * What the page gives to the browser to be kept as a file.
 *
 * @module
 */

/** Time after which a browser has read what it keeps, in ms. */
const READ_MS = 60_000;

/** Has the browser keep a file under a name. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(content);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
