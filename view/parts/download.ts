/**
 * Downloads: contents that the browser saves as a file.
 *
 * @module
 */

/** Time in ms after which the browser has read the content. */
const READ_MS = 60_000;

/** Has the browser save content as a file with a name. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(content);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
