/** Where a strip is: which fader of which mixer. */
export interface StripPlace {
  readonly mixer: number;
  readonly fader: number;
}

/** Of the strips of a row those of one alone are reached by Tab: its controls have 0, others -1. */
export interface TabStop {
  readonly tabIndex: 0 | -1;
}
