/**
 * A QR code on the page.
 *
 * @module
 */
import { qrCode } from "./qr-code.ts";

/** Width of the light zone around the modules, in modules, without which readers find none. */
const QUIET = 4;

/** The QR code of a text, dark on white whatever the colours of the page; nothing for a long text. */
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
