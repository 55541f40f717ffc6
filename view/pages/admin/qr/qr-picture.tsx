/**
 * A QR code on the page.
 *
 * @module
 */
import { qrCode } from "./qr-code.ts";

/** Width, in modules, of the light quiet zone around the code, which readers need to find it. */
const QUIET = 4;

/** The QR code of a text, black on white in all colour schemes; nothing if the text is too long. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const modules = qrCode(text);
  if (modules === undefined) return null;
  const size = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, y) =>
    row.map((isDark, x) => isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")
  ).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
