import type { Choose } from "./choose.ts";

/** What pages of a hub say in place of what they do not show. */
export const fleetRefusedTexts = (t: Choose) => ({
  forAdmins: t(
    "This page is for admins of the whole fleet.",
    "Diese Seite ist Administratoren der ganzen Flotte vorbehalten.",
  ),
  again: t("Ask again", "Erneut fragen"),
});
