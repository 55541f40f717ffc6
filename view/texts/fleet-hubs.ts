import type { Choose } from "./choose.ts";

/** The texts of the page of the hubs of an organisation. */
export const fleetHubsTexts = (t: Choose) => ({
  here: t("this hub", "dieser Hub"),
  id: (id: string) => t(`id ${id}`, `Kennung ${id}`),
  since: (time: string) => t(`runs since ${time}`, `läuft seit ${time}`),
  connected: (count: number) =>
    t(
      count === 1 ? "1 console connected" : `${count} consoles connected`,
      count === 1 ? "1 Pult verbunden" : `${count} Pulte verbunden`,
    ),
  stores: t("its ledger stores changes", "speichert Änderungen"),
  storesNot: t(
    "its ledger stores no changes now",
    "speichert jetzt keine Änderungen",
  ),
  older: t(
    "it has an earlier version, which reports nothing more",
    "hat eine ältere Version, die nichts Weiteres mitteilt",
  ),
});
