/**
 * Pictures: resource files that device views show (service.md, "REST resources").
 *
 * @module
 */

/** A picture, whole. */
export interface Picture {
  /** A PNG. */
  readonly bytes: Uint8Array;
  /** Another one for every replacement: the picture's `ETag`. */
  readonly version: string;
}

/** The pictures that were uploaded, by resource number. */
export type Pictures = ReadonlyMap<number, Picture>;
