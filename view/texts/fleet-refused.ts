import type { Choose } from "./choose.ts";

/** The texts of pages of a hub that are not shown to a user. */
export const fleetRefusedTexts = (t: Choose) => ({
  forAdmins: t(
    "This page is for admins of the whole fleet.",
    "Diese Seite ist Administratoren der ganzen Flotte vorbehalten.",
  ),
  again: t("Ask again", "Erneut fragen"),
});
