import type { Choose } from "./choose.ts";

/** The texts of the administration. */
export const adminTexts = (t: Choose) => ({
  notAdmin: t(
    "The users, clients and files of the console are shown to admins only.",
    "Benutzer, Verbindungen und Dateien des Pults werden nur Administratoren angezeigt.",
  ),
  view: t("Shown", "Gezeigt"),
  views: {
    console: t("Users and console", "Benutzer und Pult"),
    audit: t("Audit trail", "Protokoll"),
  },
  users: t("Users", "Benutzer"),
  addUser: t("Add user", "Benutzer anlegen"),
  changeUser: (name: string) => t(`Change ${name}`, `${name} ändern`),
  removeUser: (name: string) => t(`Remove ${name}`, `${name} entfernen`),
  removeUserQuestion: t(
    "The token is no longer valid from then on, and the user is logged out everywhere.",
    "Das Token wird ungültig, und der Benutzer wird überall abgemeldet.",
  ),
  remove: t("Remove", "Entfernen"),
  done: t("Done", "Fertig"),
  save: t("Save", "Speichern"),
  name: "Name",
  nameHint: t("Letters, digits, and . _ @ -", "Buchstaben, Ziffern und . _ @ -"),
  may: t("May", "Darf"),
  rights: {
    view: t("View", "Ansehen"),
    press: t("Press list buttons", "Listentasten drücken"),
    operate: t("Operate", "Bedienen"),
    configure: t("Configure", "Einrichten"),
  },
  groups: t("Groups", "Gruppen"),
  groupsHint: t(
    "Each snapshot names the groups that may change and load it.",
    "Jeder Snapshot nennt die Gruppen, die ihn ändern und laden dürfen.",
  ),
  admin: t("Admin", "Administrator"),
  adminHint: t(
    "May back up, restore and change users.",
    "Darf Sicherungen erstellen und wiederherstellen sowie Benutzer ändern.",
  ),
  engine: t("Audio engine", "Audio-Engine"),
  engineHint: t("May report meters.", "Darf Pegel melden."),
  expires: t("Token valid until the end of (UTC)", "Token gültig bis einschließlich (UTC)"),
  expiresHint: t("Empty: it does not expire.", "Leer: unbegrenzt gültig."),
  never: t("does not expire", "unbegrenzt gültig"),
  until: (day: string) => t(`until ${day}`, `bis ${day}`),
  lastUsed: (time: string) => t(`last used ${time}`, `zuletzt benutzt ${time}`),
  notUsed: t("not used yet", "noch nie benutzt"),
  noGroups: t("no groups", "keine Gruppen"),
  inGroups: (groups: string) => t(`groups ${groups}`, `Gruppen ${groups}`),
  newToken: t("New token", "Neues Token"),
  newTokenOf: (name: string) => t(`New token of ${name}`, `Neues Token von ${name}`),
  newTokenQuestion: t(
    "The old token is no longer valid from then on, and its connections are closed.",
    "Das alte Token wird ungültig, und seine Verbindungen werden getrennt.",
  ),
  gains: (name: string) =>
    t(
      `${name} may not operate, but may do so by logging out, as anybody without a token may. ` +
        'To close that, set "anonymous": "view" in the configuration.',
      `${name} darf das Pult nicht bedienen, kann es nach dem Abmelden aber wie jeder ohne ` +
        'Token. Die Einstellung "anonymous": "view" in der Konfiguration verhindert das.',
    ),
  tokenOf: (name: string) => t(`Token of ${name}`, `Token von ${name}`),
  tokenOnce: t(
    "It is shown only this once: nobody can ask for it again. Hand it over now.",
    "Es wird nur dieses eine Mal angezeigt und lässt sich später nicht mehr abrufen. Geben Sie es " +
      "jetzt weiter.",
  ),
  clients: t("Connected clients", "Verbundene Clients"),
  address: t("Address", "Adresse"),
  user: t("User", "Benutzer"),
  since: t("Since", "Seit"),
  subscriptions: t("Subscriptions", "Abonnements"),
  unread: t("Unread", "Nicht gelesen"),
  nobody: t("nobody", "niemand"),
  backup: t("Backup", "Sicherung"),
  backupHint: t(
    "A file with all that is ticked. With the certificate it also holds its private key: keep it " +
      "safe.",
    "Eine Datei mit allem, was angekreuzt ist. Mit dem Zertifikat enthält sie auch dessen " +
      "privaten Schlüssel: Bewahren Sie sie sicher auf.",
  ),
  everything: t("Everything", "Alles"),
  someParts: t("Parts", "Teile"),
  take: t("Take a backup", "Sicherung erstellen"),
  received: (size: string) => t(`${size} received`, `${size} empfangen`),
  taken: (name: string, size: string) => `${name}, ${size}`,
  stop: t("Stop", "Abbrechen"),
  restore: t("Restore", "Wiederherstellen"),
  restoreHint: t(
    "The page first shows what a file contains; nothing changes before it is applied.",
    "Zuerst wird nur der Inhalt der Datei angezeigt; erst beim Anwenden ändert sich etwas.",
  ),
  choose: t("Choose a file", "Datei wählen"),
  file: t("File", "Datei"),
  notArchive: (file: string) =>
    t(
      `${file} is not a backup of a console: it cannot be read.`,
      `${file} ist keine Sicherung eines Pults und lässt sich nicht lesen.`,
    ),
  from: t("Made by", "Erstellt von"),
  firmware: "Firmware",
  made: t("Made", "Erstellt am"),
  holds: t("Parts to apply", "Davon anwenden"),
  overwritten: t(
    "All that is ticked is overwritten on this console, either all of it or nothing. The console " +
      "checks the backup first.",
    "Alles Angekreuzte wird auf diesem Pult überschrieben, entweder ganz oder gar nicht. Das Pult " +
      "prüft die Sicherung zuerst.",
  ),
  certificateGoes: t(
    "Where the backup has no certificate, the certificate of this console is removed.",
    "Enthält die Sicherung kein Zertifikat, wird das Zertifikat dieses Pults entfernt.",
  ),
  apply: t("Apply", "Anwenden"),
  applyTitle: (file: string) => t(`Apply ${file}?`, `${file} anwenden?`),
  applyQuestion: (tags: string) =>
    t(
      `This is overwritten on this console: ${tags}. A backup of the present state is saved first.`,
      `Auf diesem Pult wird überschrieben: ${tags}. Der jetzige Stand wird zuvor als Sicherung ` +
        "gespeichert.",
    ),
  foreign: (device: string) =>
    t(
      `This is a backup of another console, ${device}. Its users would take the place of those ` +
        "here, and lock out whoever is not among them, perhaps you. So they are not ticked.",
      `Dies ist die Sicherung eines anderen Pults, ${device}. Dessen Benutzer würden die ` +
        "Benutzer dieses Pults ersetzen. Wer nicht darunter ist, wäre ausgesperrt, vielleicht auch " +
        "Sie. Deshalb sind sie nicht angekreuzt.",
    ),
  saving: t("A backup of the present state is saved …", "Der jetzige Stand wird gesichert …"),
  applying: t(
    "The console checks and applies the backup …",
    "Das Pult prüft die Sicherung und wendet sie an …",
  ),
  applied: (tags: string, saved: string) =>
    t(
      `Applied: ${tags}. The previous state is in ${saved}.`,
      `Angewendet: ${tags}. Der vorherige Stand ist in ${saved} gesichert.`,
    ),
  nothingTicked: t("Tick at least one part.", "Bitte kreuzen Sie mindestens einen Teil an."),
  tags: {
    FWCONFIG: t("Configuration", "Konfiguration"),
    NETWORK: t("Network and name", "Netzwerk und Name"),
    TIMEZONE: t("Time zone", "Zeitzone"),
    TLS: t("Certificate and key", "Zertifikat und Schlüssel"),
    SERVICES: t("Services", "Dienste"),
    LOG: t("Logging", "Protokoll"),
    SNMP: "SNMP",
    USERS: t("Users", "Benutzer"),
    MXSNAPS: t("Mixer snapshots", "Mischer-Snapshots"),
    CHSNAPS: t("Channel and processing snapshots", "Kanal- und Processing-Snapshots"),
    SNAPZERO: t("Default snapshots", "Standard-Snapshots"),
    AES67CONFIG: "AES67",
    VIEW: t("Pages and names of the device view", "Seiten und Namen der Bedienoberfläche"),
  },
  device: t("This console", "Dieses Pult"),
  version: "Firmware",
  api: t("Interface", "Schnittstelle"),
  serial: t("Serial number", "Seriennummer"),
  uptime: t("Running for", "Läuft seit"),
  hours: t("Hours of operation", "Betriebsstunden"),
  time: t("Console time", "Uhrzeit des Pults"),
  engineState: t("Audio engine", "Audio-Engine"),
  engineStates: {
    none: t("None", "Keine"),
    running: t("Running", "Läuft"),
    late: t("Falls behind", "Kommt nicht nach"),
    lost: t("Lost", "Verloren"),
  },
  storage: t("Storage", "Speicher"),
  storageStates: {
    ok: t("Takes writes", "Beschreibbar"),
    slow: t("Slow", "Langsam"),
    full: t("Full", "Voll"),
    readonly: t("Takes no writes", "Nicht beschreibbar"),
    damaged: t("Damaged", "Beschädigt"),
  },
  connections: "WebSockets",
  ofAtMost: (count: number, most: number) =>
    t(`${count} of at most ${most}`, `${count} von höchstens ${most}`),
  certificate: t("Certificate", "Zertifikat"),
  noCertificate: t("None", "Keines"),
  endsIn: (days: number) =>
    t(
      days === 1 ? "expires in 1 day" : `expires in ${days} days`,
      days === 1 ? "läuft in 1 Tag ab" : `läuft in ${days} Tagen ab`,
    ),
  ended: t("It has expired.", "Es ist abgelaufen."),
  metrics: t("Metrics", "Messwerte"),
  showMetrics: t("Show log space and metrics", "Größe des Logs und Messwerte anzeigen"),
  metricsOff: t(
    'Metrics are off. "metrics": true in the configuration turns them on.',
    'Messwerte sind ausgeschaltet. Mit "metrics": true in der Konfiguration werden sie eingeschaltet.',
  ),
  logBytes: t("Log on the medium", "Log auf dem Speicher"),
  residentBytes: t("Memory", "Arbeitsspeicher"),
});
