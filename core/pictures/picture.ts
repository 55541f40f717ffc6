/**
 * Pictures: resource files that device views show (service.md, "REST resources").
 *
 * @module
 */

/** A picture, whole. */
export interface Picture {
  /** A PNG. */
  readonly bytes: Uint8Array;
  /** The version, which changes with every replacement: the picture's `ETag`. */
  readonly version: string;
}

/** The pictures that were uploaded, by resource number. */
export type Pictures = ReadonlyMap<number, Picture>;
