/**
 * The numbers of the members of the control tree, in the paths of Ember+. A consumer keeps such
 * paths for years, so this table only grows: a new name is added at its end, none is removed or
 * moved (`tests/transport/ember/numbers.test.ts`).
 *
 * @module
 */

/** The names in the order of their numbers, the first of which is 1. */
const NAMES = (
  "general _api_version _firmware_version _hardwareserial _hourmeter _name _sync2ok _syncsource " +
  "_systemfrequency _systemtime _uptime _activewebsockets _maxwebsockets _storage _engine " +
  "control labels label _defaultlabel extlists _exists _entries _page _subscribers logics value " +
  "_path audio pots _min _max _step levels _mode _left _right _correlation loudness _leveli " +
  "_levelm _levelo _levels _levelu _maxm _maxpeak _maxs _peak routing inputs _device _channels " +
  "outputs routes selectors _sourcelist left right sourcelists entries _label _sourcel _sourcer " +
  "flexprocessings params gain _active _hasagain _hasp48 dgain p48 phase again inc subsonic on " +
  "frequency eq1 q type eq2 eq3 eq4 varfilter1 hipass order varfilter2 compressor " +
  "_gainreduction attack release threshold ratio expander limiter gate attenuation agc freeze " +
  "level velocity r128agc deesser bandwidth sharpness deesser2 panbal divergency lfesend matrix " +
  "rear lfeonly swc direction width mixers _lastloadedsnap _lastloadedsnapid _user automix " +
  "maxattenuation passiveattenuation hold cleanfeeds cut n outsel outgain srcsel mutegroups " +
  "options directoffair pfl1 afl aflwhenon mix reset resetfader return pfl2 sourcelist " +
  "_sourceid faders fader altinput bypass isolate memo offair preparation solo voice sourceid " +
  "vcagroup _channelcnt _faderstart _poolavailable _readystate _usecleanfeed _paramlist meter " +
  "_input _pfl _afl fade _from _to _time autooffair combilogic0 timerreset background color " +
  "pagination disabled _on busparams group passive weight bus _category autolevelgain delay eq " +
  "varfilter combilogic1 combilogic2 combilogic3 attmax attpassive gpis gpos _state channel " +
  "streams ptp _temperature capabilities accessgroup announce domain fs ip_dscp prio1 prio2 " +
  "delaymechanism slaveonly state _clockoffset _extendedfeature _limited16x16 _maxrxstreams " +
  "_maxtxstreams _rxload _txload"
).split(" ");

/** The number of each name. */
export const NUMBERS: ReadonlyMap<string, number> = new Map(
  NAMES.map((name, index) => [name, index + 1]),
);

const INDEX = /^(0|[1-9]\d{0,8})$/;

/**
 * Returns the number of a member: for a resource or an item of a list its own number plus one,
 * because some consumers take 0 for no number; for a name the number in the table. Undefined for a
 * name that the table does not have yet.
 */
export function numberOf(member: string): number | undefined {
  return INDEX.test(member) ? Number(member) + 1 : NUMBERS.get(member);
}

/** Returns the member of a branch or list by its number; undefined if it has no such member. */
export function memberOf(branch: object, number: number): string | undefined {
  const index = String(number - 1);
  if (Object.hasOwn(branch, index)) return index;
  const name = NAMES[number - 1];
  return name !== undefined && Object.hasOwn(branch, name) ? name : undefined;
}

/** Returns the identifier of a member: identifiers of Ember+ do not begin with a digit. */
export function identifierOf(member: string): string {
  return INDEX.test(member) ? `_${member}` : member;
}
