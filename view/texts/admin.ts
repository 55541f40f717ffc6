import type { Choose } from "./choose.ts";

/** The texts of the administration. */
export const adminTexts = (t: Choose) => ({
  notAdmin: t(
    "The users, clients and files of the console are shown to admins.",
    "Benutzer, Verbindungen und Dateien des Pultes werden Administratoren gezeigt.",
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
    "The token is worth nothing from then on, and the user is logged out everywhere.",
    "Das Token gilt dann nicht mehr, und der Benutzer wird überall abgemeldet.",
  ),
  remove: t("Remove", "Entfernen"),
  save: t("Save", "Speichern"),
  name: "Name",
  nameHint: t("Letters, digits, and . _ @ -", "Buchstaben, Ziffern und . _ @ -"),
  may: t("May", "Darf"),
  rights: {
    view: t("View", "Ansehen"),
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
    "Darf sichern, wiederherstellen und Benutzer ändern.",
  ),
  engine: t("Audio engine", "Audio-Engine"),
  engineHint: t("May report meters.", "Darf Pegel melden."),
  expires: t("Token good until the end of (UTC)", "Token gilt bis zum Ende des (UTC)"),
  expiresHint: t("Empty: it does not end.", "Leer: es endet nicht."),
  never: t("no end", "ohne Ende"),
  until: (day: string) => t(`until ${day}`, `bis ${day}`),
  lastUsed: (time: string) => t(`last used ${time}`, `zuletzt ${time}`),
  notUsed: t("not used yet", "noch nie benutzt"),
  noGroups: t("no groups", "keine Gruppen"),
  inGroups: (groups: string) => t(`groups ${groups}`, `Gruppen ${groups}`),
  newToken: t("New token", "Neues Token"),
  newTokenOf: (name: string) => t(`New token of ${name}`, `Neues Token von ${name}`),
  newTokenQuestion: t(
    "The old token is worth nothing from then on, and its connections are closed.",
    "Das alte Token gilt dann nicht mehr, und seine Verbindungen werden geschlossen.",
  ),
  gains: (name: string) =>
    t(
      `${name} may only view, but may operate by logging out, as anybody without a token may. ` +
        'To close that, set "anonymous": "view" in the configuration.',
      `${name} darf nur ansehen, aber nach dem Abmelden bedienen, wie jeder ohne Token. ` +
        'Dagegen hilft "anonymous": "view" in der Konfiguration.',
    ),
  tokenOf: (name: string) => t(`Token of ${name}`, `Token von ${name}`),
  tokenOnce: t(
    "It is shown this once: nobody can ask for it again. Hand it over now.",
    "Es wird nur dieses eine Mal gezeigt: Niemand kann es erfragen. Geben Sie es jetzt weiter.",
  ),
  copy: t("Copy", "Kopieren"),
  copied: t("Copied", "Kopiert"),
  notCopied: t(
    "The browser does not copy here: select it and copy it.",
    "Der Browser kopiert hier nicht: Bitte auswählen und kopieren.",
  ),
  clients: t("Connected clients", "Verbundene Clients"),
  address: t("Address", "Adresse"),
  user: t("User", "Benutzer"),
  since: t("Since", "Seit"),
  subscriptions: t("Subscriptions", "Abos"),
  unread: t("Unread", "Ungelesen"),
  nobody: t("nobody", "niemand"),
  backup: t("Backup", "Sicherung"),
  backupHint: t(
    "A file of what is ticked. With the certificate it holds its private key: keep it safe.",
    "Eine Datei mit dem, was angekreuzt ist. Mit dem Zertifikat enthält sie dessen privaten " +
      "Schlüssel: Bewahren Sie sie sicher auf.",
  ),
  everything: t("Everything", "Alles"),
  someParts: t("Parts", "Teile"),
  take: t("Take a backup", "Sichern"),
  received: (size: string) => t(`${size} received`, `${size} empfangen`),
  taken: (name: string, size: string) => `${name}, ${size}`,
  stop: t("Stop", "Anhalten"),
  restore: t("Restore", "Wiederherstellen"),
  restoreHint: t(
    "A file is looked into here first; nothing changes before it is applied.",
    "In eine Datei wird hier zuerst hineingesehen; bevor sie angewendet wird, ändert sich nichts.",
  ),
  choose: t("Choose a file", "Datei wählen"),
  file: t("File", "Datei"),
  notArchive: (file: string) =>
    t(
      `${file} is not a backup of a console: nothing of it can be read.`,
      `${file} ist keine Sicherung eines Pultes: Nichts davon ist zu lesen.`,
    ),
  from: t("Made by", "Gemacht von"),
  firmware: "Firmware",
  made: t("Made", "Gemacht am"),
  holds: t("Apply of it", "Davon anwenden"),
  overwritten: t(
    "What is ticked is overwritten here, all of it or nothing. The console checks it first.",
    "Was angekreuzt ist, wird hier überschrieben, alles oder nichts. Das Pult prüft es zuerst.",
  ),
  certificateGoes: t(
    "Where the backup has no certificate, the certificate of this console is removed.",
    "Enthält die Sicherung kein Zertifikat, wird das dieses Pultes entfernt.",
  ),
  apply: t("Apply", "Anwenden"),
  applyTitle: (file: string) => t(`Apply ${file}?`, `${file} anwenden?`),
  applyQuestion: (tags: string) =>
    t(
      `What this console holds of it now is overwritten: ${tags}. A backup of it is saved first.`,
      `Was dieses Pult davon jetzt hat, wird überschrieben: ${tags}. Davon wird zuerst eine ` +
        "Sicherung gespeichert.",
    ),
  foreign: (device: string) =>
    t(
      `This is a backup of another console, ${device}. Its users would take the place of those ` +
        "here, and lock out whoever is not among them, perhaps you. So they are not ticked.",
      `Das ist die Sicherung eines anderen Pultes, ${device}. Dessen Benutzer träten an die ` +
        "Stelle der hiesigen und sperrten aus, wer nicht darunter ist, vielleicht auch Sie. Darum " +
        "sind sie nicht angekreuzt.",
    ),
  saving: t("A backup of what is there is saved …", "Was da ist, wird gesichert …"),
  applying: t("The console checks and applies it …", "Das Pult prüft sie und wendet sie an …"),
  applied: (tags: string, saved: string) =>
    t(
      `Applied: ${tags}. What was there before is in ${saved}.`,
      `Angewendet: ${tags}. Was vorher da war, ist in ${saved}.`,
    ),
  nothingTicked: t("Tick what is meant.", "Bitte ankreuzen, was gemeint ist."),
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
    ok: t("Takes writes", "Lässt sich beschreiben"),
    slow: t("Slow", "Langsam"),
    full: t("Full", "Voll"),
    readonly: t("Takes no writes", "Lässt sich nicht beschreiben"),
    damaged: t("Damaged", "Beschädigt"),
  },
  connections: "WebSockets",
  ofAtMost: (count: number, most: number) =>
    t(`${count} of at most ${most}`, `${count} von höchstens ${most}`),
  certificate: t("Certificate", "Zertifikat"),
  noCertificate: t("None", "Keines"),
  endsIn: (days: number) =>
    t(
      days === 1 ? "ends in 1 day" : `ends in ${days} days`,
      days === 1 ? "endet in 1 Tag" : `endet in ${days} Tagen`,
    ),
  ended: t("It has ended.", "Es ist abgelaufen."),
  metrics: t("Metrics", "Messwerte"),
  showMetrics: t("Show log space and metrics", "Platz des Logs und Messwerte zeigen"),
  metricsOff: t(
    'Metrics are off. "metrics": true in the configuration turns them on.',
    'Messwerte sind aus. „"metrics": true“ in der Konfiguration schaltet sie ein.',
  ),
  logBytes: t("Log on the medium", "Log auf dem Speicher"),
  residentBytes: t("Memory", "Arbeitsspeicher"),
});
