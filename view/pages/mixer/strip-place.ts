/** The address of a strip: its mixer and its fader. */
export interface StripPlace {
  readonly mixer: number;
  readonly fader: number;
}

/**
 * In a row of strips, Tab reaches the controls of one strip only: they have 0, the controls of
 * other strips -1.
 */
export interface TabStop {
  readonly tabIndex: 0 | -1;
}
