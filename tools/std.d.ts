// The types of the std library, which the npm package `deno-std` lacks (docs/maintaining.md). Only
// what is used here.

declare module "@std/assert" {
  export class AssertionError extends Error {}
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertAlmostEquals(
    actual: number,
    expected: number,
    tolerance?: number,
    msg?: string,
  ): void;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertGreater<T>(actual: T, expected: T, msg?: string): void;
  export function assertLess<T>(actual: T, expected: T, msg?: string): void;
  export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
  export function assertRejects<E extends Error>(
    fn: () => PromiseLike<unknown>,
    ErrorClass: abstract new (...args: never[]) => E,
    msgIncludes?: string,
    msg?: string,
  ): Promise<E>;
  export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
  export function assertThrows(fn: () => unknown, msg?: string): unknown;
  export function assertThrows<E extends Error>(
    fn: () => unknown,
    ErrorClass: abstract new (...args: never[]) => E,
    msgIncludes?: string,
    msg?: string,
  ): E;
  export function equal(a: unknown, b: unknown): boolean;
}

declare module "@std/bytes/concat" {
  export function concat(buffers: readonly Uint8Array[]): Uint8Array<ArrayBuffer>;
}

declare module "@std/crypto/timing-safe-equal" {
  export function timingSafeEqual(
    a: ArrayBufferView | ArrayBufferLike,
    b: ArrayBufferView | ArrayBufferLike,
  ): boolean;
}

declare module "@std/http/etag" {
  export function ifNoneMatch(value: string | null, etag: string | undefined): boolean;
}

declare module "@std/cli/parse-args" {
  /** Options by their names; `_` has the other arguments. */
  export function parseArgs<Text extends string = never, Flag extends string = never>(
    args: readonly string[],
    options?: {
      readonly string?: readonly Text[];
      readonly boolean?: readonly Flag[];
      readonly default?: { readonly [name in Text | Flag]?: string | boolean };
      readonly unknown?: (arg: string, name?: string, value?: unknown) => unknown;
    },
  ): { [name in Text]?: string } & { [name in Flag]: boolean } & { _: (string | number)[] };
}
