/**
 * The control tree as a type (docs/spec/control-tree.md): the value at each path, with its unit.
 * Members that begin with `_` are read-only. A test holds it to the tree that the service builds.
 *
 * @module
 */
import type { Ranges } from "../core/wire.ts";

/** The items of one kind, by their numbers. */
export interface Numbered<Item> {
  readonly [id: number]: Item;
}

/** The whole tree. */
export interface ControlTree {
  readonly general: General;
  readonly control: Control;
  readonly audio: Audio;
  /** The streams of a device for audio over IP; absent elsewhere. */
  readonly streams?: Numbered<Stream>;
  /** The range of each writable member, in the shape of the rest. */
  readonly range: Ranges;
}

/** The device. */
export interface General {
  readonly _api_version: string;
  readonly _firmware_version: string;
  readonly _hardwareserial: string;
  /** Hours of operation, over all starts. */
  readonly _hourmeter: number;
  readonly _name: string;
  readonly _sync2ok: boolean;
  readonly _syncsource: number;
  /** In Hz. */
  readonly _systemfrequency: number;
  /** In s since 1970. */
  readonly _systemtime: number;
  /** In s. */
  readonly _uptime: number;
  readonly _activewebsockets: number;
  readonly _maxwebsockets: number;
  /** Whether an audio engine acts on this console; absent where the service does not tell. */
  readonly _engine?: "none" | "running" | "late" | "lost";
  /** Whether changes reach the medium; absent where the service does not tell. */
  readonly _storage?: "ok" | "slow" | "full" | "readonly" | "damaged";
  /** In degrees Celsius; this member and the next two exist only on a device for audio over IP. */
  readonly _temperature?: number;
  readonly capabilities?: Capabilities;
  readonly ptp?: NetworkClock;
}

/** The capabilities of a device for audio over IP. */
export interface Capabilities {
  readonly _extendedfeature: boolean;
  /** Whether the device is limited to 16 channels in and 16 out. */
  readonly _limited16x16: boolean;
  readonly _maxrxstreams: number;
  readonly _maxtxstreams: number;
  readonly _rxload: number;
  readonly _txload: number;
}

/** The clock of the network, IEEE 1588. */
export interface NetworkClock {
  /** The interval between announcements, as an exponent of 2, in s. */
  readonly announce: number;
  readonly domain: number;
  /** The sample rate, in Hz. */
  readonly fs: number;
  readonly ip_dscp: number;
  readonly prio1: number;
  readonly prio2: number;
  readonly delaymechanism: string;
  readonly slaveonly: boolean;
  readonly state: { readonly _clockoffset: number };
}

/** A stream of audio over IP. */
export interface Stream {
  readonly _name: string;
  readonly _state: string;
  readonly _channels: number;
  readonly on: boolean;
}

/** Displays and switches beside the audio. */
export interface Control {
  readonly labels: Numbered<GlobalLabel>;
  /** Absent without license 52-8583. */
  readonly extlists?: Numbered<ExternalList>;
  readonly logics: Numbered<Logic>;
  /** Absent where the console has none. */
  readonly gpis?: Numbered<SwitchingPort>;
  /** Absent where the console has none. */
  readonly gpos?: Numbered<SwitchingPort>;
}

/** A switching input (GPI) or output (GPO). */
export interface SwitchingPort {
  readonly _label: string;
  /** The state; for an output the value of the logic of its channel. */
  readonly _state: boolean;
  /** The channel of the hardware, such as 1.2.3. */
  readonly channel: string;
}

/** A label of the console as a whole. */
export interface GlobalLabel {
  /** An empty one puts `_defaultlabel` back. */
  readonly label: string;
  readonly _defaultlabel: string;
}

/** A list of buttons that clients fill. */
export interface ExternalList {
  readonly _name: string;
  readonly _exists: boolean;
  readonly _entries: readonly ExternalListEntry[];
  /** The page that is shown, from 0. */
  readonly _page: number;
  readonly _subscribers: number;
}

/** A button of an external list. */
export interface ExternalListEntry {
  readonly label: string;
  readonly background?: boolean;
  /** Hexadecimal RRGGBB. */
  readonly color?: string;
  readonly pagination?: boolean;
  readonly disabled?: boolean;
  readonly _page: number;
  /** Whether somebody holds it down. */
  readonly _on: boolean;
}

/** A switch of the console. */
export interface Logic {
  readonly value: boolean;
  readonly _name: string;
  readonly _path: string;
}

/** Everything that is heard, measured or routed. */
export interface Audio {
  readonly pots: Numbered<Pot>;
  readonly levels: Numbered<Level>;
  readonly loudness: Numbered<Loudness>;
  readonly routing: Routing;
  readonly selectors: Selectors;
  readonly flexprocessings: Numbered<FlexProcessing>;
  readonly mixers: Numbered<Mixer>;
}

/** A value in dB, with the range and the step that the device gives it. */
interface Stepped {
  readonly value: number;
  readonly _min: number;
  readonly _max: number;
  readonly _step: number;
}

/** A knob. */
export interface Pot extends Stepped {
  readonly _name: string;
}

/** A level meter. */
export interface Level {
  readonly _name: string;
  readonly _mode: "PPM" | "VU" | "TruePeak";
  /** In dB. */
  readonly _left: number;
  /** In dB. */
  readonly _right: number;
  readonly _correlation: number;
}

/** The values of a loudness meter, in LUFS; the peaks in dBTP. */
type LoudnessValue =
  | ("_levelm" | "_levels" | "_leveli" | "_levelo" | "_levelu" | "_maxm" | "_maxs")
  | ("_peak" | "_maxpeak");

/** A loudness meter. */
export interface Loudness extends Readonly<Record<LoudnessValue, number>> {
  readonly _name: string;
  readonly _mode: string;
}

/** Inputs and outputs. */
export interface Routing {
  readonly inputs: Numbered<InputPort>;
  readonly outputs: Numbered<Port>;
  /** By the number of an output, the number of the input routed to it, as text; "" for none. */
  readonly routes: Numbered<string>;
}

/** An input or an output. */
export interface Port {
  readonly _name: string;
  readonly _device: string;
  readonly _channels: number;
}

/** An input. */
export interface InputPort extends Port {
  /** Whether it has an analogue gain. */
  readonly _hasagain: boolean;
  /** Whether it has phantom power. */
  readonly _hasp48: boolean;
}

/** Selectors, and their lists of sources. */
export interface Selectors {
  readonly selectors: Numbered<Selector>;
  readonly sourcelists: Numbered<SelectorSources>;
}

/** A selector; its two sides change together. */
export interface Selector {
  readonly _name: string;
  /** The number of a source list as text; "0" for none. */
  readonly _sourcelist: string;
  readonly left: string;
  readonly right: string;
}

/** A list that a selector selects from. */
export interface SelectorSources {
  readonly _name: string;
  readonly entries: Numbered<SelectorSource>;
}

/** An entry of such a list. */
export interface SelectorSource {
  readonly _label: string;
  readonly _sourcel: string;
  readonly _sourcer: string;
}

/** A processing that belongs to no fader. */
export interface FlexProcessing {
  readonly _name: string;
  readonly params: Params;
}

/** A virtual mixer. */
export interface Mixer {
  readonly _name: string;
  /** The name of the snapshot, or empty. */
  readonly _lastloadedsnap: string;
  /** The id of that snapshot, as several may have the same name; may also be "default" or empty. */
  readonly _lastloadedsnapid: string;
  /** The name of the user who is logged in, or empty. */
  readonly _user: string;
  readonly automix: Numbered<Automix>;
  readonly cleanfeeds: Numbered<Cleanfeed>;
  readonly mutegroups: Numbered<boolean>;
  readonly options: MixerOptions;
  /** The fader channels that its faders may carry. */
  readonly sourcelist: readonly FaderChannel[];
  readonly faders: Numbered<Fader>;
}

/** An automix group. */
export interface Automix {
  readonly _active: boolean;
  /** In dB. */
  readonly maxattenuation: number;
  /** In dB. */
  readonly passiveattenuation: number;
  /** An older name of `maxattenuation`. */
  readonly attmax: number;
  /** An older name of `passiveattenuation`. */
  readonly attpassive: number;
  /** In ms. */
  readonly hold: number;
  /** In ms. */
  readonly release: number;
  readonly ratio: number;
}

/** A clean feed: the sum without one's own source. */
export interface Cleanfeed {
  readonly _active: boolean;
  readonly cut: boolean;
  readonly n: boolean;
  readonly outsel: boolean;
  /** In dB. */
  readonly outgain: number;
  readonly srcsel: number;
}

/** Options of a mixer. */
export interface MixerOptions {
  readonly directoffair: boolean;
  readonly pfl1: PflOptions;
  readonly pfl2: PflOptions;
}

/** Options of a PFL bus. */
export type PflOptions = Readonly<
  Record<"afl" | "aflwhenon" | "mix" | "reset" | "resetfader" | "return", boolean>
>;

/** A channel that a fader may carry. */
export interface FaderChannel {
  readonly _defaultlabel: string;
  readonly _label: string;
  readonly _sourceid: number;
}

/** The switches of a fader. */
type FaderSwitch =
  | ("on" | "pfl1" | "pfl2" | "altinput" | "bypass" | "isolate")
  | ("memo" | "offair" | "preparation" | "solo" | "voice");

/** A fader. */
export interface Fader extends Readonly<Record<FaderSwitch, boolean>> {
  /** In dB, -160 to 10. */
  readonly fader: number;
  /** The label of the channel that the fader carries; an empty one puts `_defaultlabel` back. */
  readonly label: string;
  /** The channel that the fader carries; 0 for none. */
  readonly sourceid: number;
  /** 0 for none. */
  readonly vcagroup: number;
  /** In dB. */
  readonly autolevelgain: number;
  readonly _channelcnt: number;
  /** The purpose of the fader, such as Mic; empty if not configured. */
  readonly _category: string;
  readonly _hasagain: boolean;
  readonly _defaultlabel: string;
  readonly _lastloadedsnap: string;
  readonly _faderstart: boolean;
  readonly _poolavailable: boolean;
  readonly _readystate: boolean;
  readonly _usecleanfeed: number;
  /** The blocks of the processing, in order. */
  readonly _paramlist: readonly string[];
  readonly mutegroups: Numbered<boolean>;
  readonly meter: FaderMeter;
  readonly fade: FaderFade;
  readonly options: FaderOptions;
  readonly params: Params;
  readonly busparams: BusParams;
}

/** The sends of a fader to the automix, the buses and the preparation bus of its mixer. */
export interface BusParams {
  readonly automix: AutomixParams;
  readonly bus: Numbered<BusSend>;
  readonly preparation: PreparationParams;
}

/** The automix block of a fader. */
export interface AutomixParams extends SwitchedBlock {
  /** In dB. */
  readonly _gainreduction: number;
  readonly passive: boolean;
  readonly group: number;
  /** In dB. */
  readonly weight: number;
}

/** The send of a fader to the preparation bus. */
export interface PreparationParams extends Block {
  /** In dB. */
  readonly gain: number;
}

/** The send of a fader to a bus. */
export interface BusSend extends SwitchedBlock {
  /** In dB. */
  readonly gain: number;
  readonly type: number;
}

/** The meters of a fader, in dB: a number for each channel. */
export type FaderMeter = Readonly<Record<"_input" | "_pfl" | "_afl", readonly number[]>>;

/** The running fade of a fader, or its last fade. */
export interface FaderFade {
  /** The level at which it began, in dB. */
  readonly _from: number;
  /** The level at which it ends, in dB. */
  readonly _to: number;
  /** Its total duration, in s; 0 while no fade runs. */
  readonly _time: number;
}

/** Options of a fader. */
export type FaderOptions = Readonly<Record<FaderOption, boolean>>;

type FaderOption =
  | ("autooffair" | "timerreset")
  | ("combilogic0" | "combilogic1" | "combilogic2" | "combilogic3");

/** The bands of the equalizer. */
type EqualizerBlock = "eq" | "eq1" | "eq2" | "eq3" | "eq4";

/** The processing of a fader or a flex processing, by blocks. */
export interface Params extends Readonly<Record<EqualizerBlock, EqualizerParams>> {
  readonly gain: GainParams;
  readonly subsonic: SubsonicParams;
  readonly varfilter: VarfilterParams;
  readonly varfilter1: VarfilterParams;
  readonly varfilter2: VarfilterParams;
  readonly compressor: DynamicsParams;
  readonly expander: DynamicsParams;
  readonly limiter: LimiterParams;
  readonly gate: GateParams;
  readonly agc: AutomaticGainParams;
  readonly r128agc: AutomaticGainParams;
  readonly deesser: DeesserParams;
  readonly deesser2: Deesser2Params;
  readonly delay: DelayParams;
  readonly panbal: PanoramaParams;
  readonly swc: StereoWidthParams;
}

/** A block of the processing. */
interface Block {
  readonly _active: boolean;
}

/** A block that may be switched off. */
interface SwitchedBlock extends Block {
  readonly on: boolean;
}

/** A block that reduces the gain above or below a threshold. */
interface Dynamics extends SwitchedBlock {
  /** In dB. */
  readonly _gainreduction: number;
  /** In dB. */
  readonly threshold: number;
}

/** Gain and phase. */
export interface GainParams extends Block {
  readonly _hasagain: boolean;
  readonly _hasp48: boolean;
  /** Digital, in dB. */
  readonly dgain: number;
  /** Phantom power. */
  readonly p48: boolean;
  readonly phase: boolean;
  readonly again: AnalogueGain;
}

/** The gain of a microphone amplifier. */
export interface AnalogueGain extends Stepped {
  /** A number written here is added to `value`; this member itself is always 0. */
  readonly inc: number;
}

/** The subsonic filter. */
export interface SubsonicParams extends SwitchedBlock {
  /** In Hz. */
  readonly frequency: number;
}

/** A band of the equalizer. */
export interface EqualizerParams extends SubsonicParams {
  /** In dB. */
  readonly gain: number;
  readonly q: number;
  readonly type: number;
}

/** A filter of variable order. */
export interface VarfilterParams extends SubsonicParams {
  readonly hipass: boolean;
  readonly order: number;
}

/** The limiter. */
export interface LimiterParams extends Dynamics {
  /** In ms. */
  readonly release: number;
}

/** The compressor and the expander. */
export interface DynamicsParams extends LimiterParams {
  /** In ms. */
  readonly attack: number;
  /** In dB. */
  readonly gain: number;
  readonly ratio: number;
}

/** The gate. */
export interface GateParams extends LimiterParams {
  /** In ms. */
  readonly attack: number;
  /** In dB. */
  readonly attenuation: number;
}

/** Automatic gain control, by level or by loudness. */
export interface AutomaticGainParams extends Dynamics {
  readonly freeze: boolean;
  /** In dB. */
  readonly gain: number;
  /** In dB. */
  readonly level: number;
  readonly velocity: number;
}

/** The de-esser. */
export interface DeesserParams extends SwitchedBlock {
  readonly bandwidth: number;
  readonly ratio: number;
  readonly sharpness: number;
}

/** The second kind of de-esser. */
export interface Deesser2Params extends Dynamics {
  /** In Hz. */
  readonly frequency: number;
}

/** The delay. */
export interface DelayParams extends SwitchedBlock {
  /** In ms. */
  readonly delay: number;
}

/** Panorama and balance. */
export interface PanoramaParams extends Block {
  readonly panbal: number;
  readonly divergency: number;
  readonly lfesend: number;
  readonly matrix: number;
  readonly rear: number;
  readonly lfeonly: boolean;
}

/** The width of the stereo picture. */
export interface StereoWidthParams extends Block {
  readonly direction: number;
  readonly width: number;
  readonly type: boolean;
}
