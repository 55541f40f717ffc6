/**
 * The texts of the page in English. Every page has its own part; `de.ts` has the same ones.
 *
 * @module
 */

/** The English texts. */
export const en = {
  shell: {
    pages: "Pages",
    skip: "Go to the page",
    menu: "Settings of this page",
    close: "Close",
    nobody: "Looking on",
    logIn: "Log in",
    logOut: "Log out",
    lock: "Lock against touch",
    unlock: "Hold to unlock",
    viewOnly: "View only",
    noPage: "There is no such page.",
    loading: "Loading …",
    dismiss: "Put away",
  },
  login: {
    title: "Log in",
    token: "Token",
    hint: "xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx, as whoever looks after the console gave it to you",
    keep: "Keep it on this device",
    keepHint: "Else it is forgotten with this tab.",
    refused: "The console does not take this token.",
    needed: "This console shows itself to known users only.",
  },
  link: {
    connecting: "Connecting to the console …",
    lost: "The connection to the console is lost",
    since: (duration: string) => `for ${duration}`,
    held: "What you see is how it was. It goes on by itself when the console is back.",
    open: "Connected",
  },
  alarms: {
    engineLost: "The audio engine of this console is gone: what is set here is not heard.",
    storageFull: "The medium is full: changes are in force, but a restart would lose them.",
    storageReadonly:
      "The medium takes no writes: changes are in force, but a restart would lose them.",
    storageDamaged: "The medium is damaged: changes are in force, but a restart may lose them.",
  },
  rights: {
    noConnection: "There is no connection to the console.",
    viewOnly: "This page only looks on.",
    locked: "This page is locked against touch.",
    needsLogin: "Log in to do this.",
    needsAdmin: "This is for admins.",
    needsRight: (right: string) => `This needs the right to ${right}.`,
    names: { view: "view", operate: "operate", configure: "configure" },
  },
  preferences: {
    theme: "Colours",
    dark: "Dark",
    light: "Light",
    contrast: "Contrast",
    normal: "Normal",
    high: "High",
    language: "Language",
    touch: "A touched fader",
    relative: "Moves from where it is",
    jump: "Goes where it is touched",
  },
  mixer: {
    title: "Mixer",
  },
  snapshots: {
    title: "Snapshots",
  },
  lists: {
    title: "Lists",
  },
  pictures: {
    title: "Pictures",
  },
  console: {
    title: "Console",
  },
  plots: {
    title: "Plots",
  },
  admin: {
    title: "Administration",
  },
};

/** What every language has: a text, or a function that makes one. */
export type Texts = typeof en;
