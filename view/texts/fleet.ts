import type { Choose } from "./choose.ts";
import { shellTexts } from "./shell.ts";

/** The texts of the parts that the page of a hub shares with the page of a console. */
export const hubTexts = (t: Choose) => {
  const { link, login } = shellTexts(t);
  return {
    login: {
      ...login,
      hint: t(
        "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, from the person who looks after the fleet",
        "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, wie vom Betreuer der Flotte erhalten",
      ),
      refused: t("The hub does not accept this token.", "Der Hub hat dieses Token abgelehnt."),
      needed: t(
        "This hub shows its consoles to known users only.",
        "Dieser Hub ist nur für angemeldete Benutzer zugänglich.",
      ),
    },
    link: {
      ...link,
      connecting: t("Connecting to the hub …", "Verbindung zum Hub wird aufgebaut …"),
      lost: t("The connection to the hub is lost", "Die Verbindung zum Hub ist unterbrochen"),
      silent: t("Nothing comes from the hub", "Der Hub antwortet nicht"),
      unsent: t(
        "Nothing comes from the hub: this was not sent.",
        "Der Hub antwortet nicht: Die Änderung wurde nicht gesendet.",
      ),
      held: t(
        "You see the last known state. The page goes on by itself when the hub is back.",
        "Zu sehen ist der letzte Stand. Es geht von selbst weiter, sobald der Hub wieder da ist.",
      ),
      closed: {
        ...link.closed,
        1001: t("The hub is being shut down.", "Der Hub wird heruntergefahren."),
        1006: t(
          "The hub, or the network to it, does not answer.",
          "Der Hub oder das Netzwerk dorthin antwortet nicht.",
        ),
        1012: t(
          "The users of the fleet or a console were changed.",
          "Die Benutzer der Flotte oder ein Pult wurden geändert.",
        ),
        1013: t(
          "The hub has no room for this connection now, or this page could not keep up.",
          "Der Hub hat zurzeit keinen Platz für diese Verbindung, oder die Seite kam nicht nach.",
        ),
      },
    },
  };
};

/** The texts of the Fleet page. */
export const fleetTexts = (t: Choose) => ({
  pages: t("Pages", "Seiten"),
  titles: {
    fleet: t("Fleet", "Flotte"),
    do: t("Do", "Ausführen"),
    drift: t("Drift", "Abweichungen"),
    backups: t("Backups", "Sicherungen"),
    users: t("Users", "Benutzer"),
    audit: t("Audit", "Protokoll"),
    hubs: "Hubs",
  },
  consoles: t("Consoles", "Pulte"),
  search: t("Search", "Suchen"),
  searchHint: t("Name, site, version, alarm", "Name, Standort, Version, Alarm"),
  site: t("Site", "Standort"),
  allSites: t("All sites", "Alle Standorte"),
  noSite: t("No site", "Ohne Standort"),
  shown: t("Shown", "Angezeigt"),
  shows: {
    all: t("All", "Alle"),
    alarms: t("Alarms", "Alarme"),
    live: "Live",
    away: t("Not live", "Nicht live"),
    quarantined: t("To approve", "Freizugeben"),
  },
  states: {
    live: t("live", "live"),
    stale: t("stale", "veraltet"),
    gone: t("gone", "getrennt"),
    quarantined: t("to be approved", "wartet auf Freigabe"),
  },
  since: (state: string, time: string) => t(`${state} since ${time}`, `${state} seit ${time}`),
  awaited: (state: string, time: string) =>
    t(`${state}, waited for since ${time}`, `${state}, erwartet seit ${time}`),
  back: t("Back to all consoles", "Zurück zu allen Pulten"),
  left: t("has left the fleet", "nicht mehr in der Flotte"),
  waiting: t("To be approved", "Warten auf Freigabe"),
  alarms: (count: number) =>
    t(
      count === 1 ? "1 alarm" : `${count} alarms`,
      count === 1 ? "1 Alarm" : `${count} Alarme`,
    ),
  storage: t("Medium", "Speicher"),
  engine: t("Engine", "Engine"),
  storages: {
    ok: t("takes writes", "beschreibbar"),
    slow: t("slow", "langsam"),
    full: t("full", "voll"),
    readonly: t("takes no writes", "nicht beschreibbar"),
    damaged: t("damaged", "beschädigt"),
  },
  engines: {
    none: t("none", "keine"),
    running: t("runs", "läuft"),
    late: t("late", "kommt nicht nach"),
    lost: t("lost", "verloren"),
  },
  open: (name: string) => t(`Open ${name}`, `${name} öffnen`),
  approve: t("Approve", "Freigeben"),
  approveTitle: (name: string) => t(`Approve ${name}?`, `${name} freigeben?`),
  approveQuestion: (id: string) =>
    t(
      `From then on users of the fleet can reach it, as far as it allows. Its id is ${id}.`,
      "Danach erreichen es alle Benutzer der Flotte, soweit es das zulässt. " +
        `Seine Kennung ist ${id}.`,
    ),
  remove: t("Remove", "Entfernen"),
  removeTitle: (name: string) => t(`Remove ${name}?`, `${name} entfernen?`),
  removeQuestion: t(
    "The fleet forgets it and closes its connections. The console itself goes on, and can be " +
      "enrolled again.",
    "Die Flotte vergisst es und trennt seine Verbindungen. Das Pult selbst läuft weiter und kann " +
      "erneut angemeldet werden.",
  ),
  enrol: t("Add a console", "Pult aufnehmen"),
  enrolHint: t(
    "Run this on the console, at the latest when the code expires. Then approve it here.",
    "Führen Sie dies auf dem Pult aus, solange der Code gilt. Geben Sie es danach hier frei.",
  ),
  command: t("Command", "Befehl"),
  codeUntil: (time: string) =>
    t(`Valid for one console, until ${time}.`, `Gilt für ein Pult, bis ${time}.`),
  none: t(
    "There is no console in this fleet yet.",
    "In dieser Flotte ist noch kein Pult.",
  ),
  noneFound: t("No console matches.", "Kein Pult entspricht dem."),
  found: (count: number, all: number) =>
    t(`${count} of ${all} consoles`, `${count} von ${all} Pulten`),
});
