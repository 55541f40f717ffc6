/** Where a strip is: which fader of which mixer. */
export interface StripPlace {
  readonly mixer: number;
  readonly fader: number;
}
