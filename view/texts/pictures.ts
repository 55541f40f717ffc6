import type { Choose } from "./choose.ts";

/** The texts of the pictures. */
export const picturesTexts = (t: Choose) => ({
  none: t(
    "This console has no place for pictures.",
    "Auf diesem Pult sind keine Bilder vorgesehen.",
  ),
  absent: t("No picture yet", "Noch kein Bild vorhanden"),
  hint: t(
    "A PNG of at most 4 MiB and 4096 x 4096 pixels",
    "PNG mit höchstens 4 MiB und 4096 x 4096 Pixeln",
  ),
  upload: t("Upload", "Hochladen"),
  replace: t("Replace", "Ersetzen"),
  sending: (name: string) => t(`Sending ${name} …`, `${name} wird gesendet …`),
  size: (width: number, height: number, kib: number) =>
    t(`${width} x ${height} pixels, ${kib} KiB`, `${width} x ${height} Pixel, ${kib} KiB`),
});
