import type { Choose } from "./choose.ts";

/** The texts of the parts of a console other than its mixers. */
export const consoleTexts = (t: Choose) => ({
  nothing: t(
    "This console has nothing to operate besides its mixers.",
    "Dieses Pult hat außer seinen Mischern nichts zu bedienen.",
  ),
  pots: t("Pots", "Regler"),
  logics: t("Logics", "Logiken"),
  selectors: t("Selectors", "Wahlschalter"),
  routing: t("Routing", "Kreuzschiene"),
  labels: t("Labels", "Beschriftungen"),
  labelsHint: t(
    "An empty label restores the configured one.",
    "Bleibt das Feld leer, gilt wieder die Beschriftung aus der Konfiguration.",
  ),
  label: (id: number, initial: string) =>
    t(`Label ${id}: ${initial}`, `Beschriftung ${id}: ${initial}`),
  place: (name: string, device: string) => device === "" ? name : `${name} (${device})`,
  noInput: t("Nothing", "Kein Eingang"),
  sides: (left: string, right: string) =>
    t(`Left ${left}, right ${right}`, `Links ${left}, rechts ${right}`),
  gpis: t("Inputs (GPI)", "Schalteingänge (GPI)"),
  gpos: t("Outputs (GPO)", "Schaltausgänge (GPO)"),
  channel: t("Channel", "Kanal"),
  channelOf: (name: string) => t(`Channel of ${name}`, `Kanal von ${name}`),
  streams: t("Streams", "Streams"),
  stream: (channels: number, state: string) =>
    [
      channels === 1 ? t("1 channel", "1 Kanal") : t(`${channels} channels`, `${channels} Kanäle`),
      state,
    ]
      .filter((part) => part !== "").join(" · "),
  clock: t("Network clock (PTP)", "Netzwerktakt (PTP)"),
  offset: t("Offset", "Abweichung"),
  clockMembers: {
    announce: t("Announce interval", "Announce-Intervall"),
    domain: t("Domain", "Domäne"),
    fs: t("Sample rate", "Abtastrate"),
    ip_dscp: "DSCP",
    prio1: t("Priority 1", "Priorität 1"),
    prio2: t("Priority 2", "Priorität 2"),
    delaymechanism: t("Delay mechanism", "Laufzeitmessung"),
    slaveonly: t("Slave only", "Nur Slave"),
  },
  device: t("Network device", "Netzwerkgerät"),
  temperature: t("Temperature", "Temperatur"),
  maxReceived: t("Streams received, at most", "Empfangene Streams, höchstens"),
  maxSent: t("Streams sent, at most", "Gesendete Streams, höchstens"),
  loadReceived: t("Load by receiving", "Last durch Empfangen"),
  loadSent: t("Load by sending", "Last durch Senden"),
  extended: t("Extended features", "Erweiterte Funktionen"),
  limited: t("Limited to 16 × 16 channels", "Auf 16 × 16 Kanäle begrenzt"),
  yesNo: (is: boolean) => is ? t("yes", "ja") : t("no", "nein"),
  on: t("On", "Ein"),
  off: t("Off", "Aus"),
});
