/**
 * The difference of two values of JSON: the paths at which they differ, with both values.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Steps } from "../../core/ports.ts";

/** A path at which two values differ; where one of them has nothing there, its member is absent. */
export interface Difference {
  /** The members from the root down, as a JSON pointer (RFC 6901). */
  readonly path: string;
  readonly here?: Json;
  readonly there?: Json;
}

/** The differences of two values. */
export interface Differences {
  readonly differences: readonly Difference[];
  /** Number of further differences, which are not listed. */
  readonly more: number;
}

/** Maximum number of characters of a text in a difference that is shown; a longer one is cut. */
const SHOWN_CHARACTERS = 200;

/**
 * Lists the differences of two values, in steps: the first `most`, and the number of further ones.
 */
export function* differencesOf(
  here: Json | undefined,
  there: Json | undefined,
  most: number,
): Steps<Differences> {
  const differences: Difference[] = [];
  let more = 0;

  function note(path: string, one: Json | undefined, other: Json | undefined): void {
    if (differences.length === most) return void more++;
    differences.push({
      path: path === "" ? "/" : path,
      ...(one === undefined ? {} : { here: one }),
      ...(other === undefined ? {} : { there: other }),
    });
  }

  function* compare(
    path: string,
    one: Json | undefined,
    other: Json | undefined,
  ): Steps<void> {
    if (one === other) return;
    const members = isParent(one) && isParent(other) && Array.isArray(one) === Array.isArray(other)
      ? membersOf(one, other)
      : isParent(one ?? other) && (one === undefined || other === undefined)
      ? membersOf(one ?? other, undefined)
      : [];
    if (members.length === 0) {
      if (!isEmptyAlike(one, other)) note(path, one, other);
      return;
    }
    for (const member of members) {
      yield* compare(`${path}/${escaped(member)}`, memberOf(one, member), memberOf(other, member));
    }
    yield;
  }

  yield* compare("", here, there);
  return { differences, more };
}

/** Returns a difference as it is shown: with the beginnings of long texts. */
export function shortened({ path, here, there }: Difference): Difference {
  return {
    path,
    ...(here === undefined ? {} : { here: cut(here) }),
    ...(there === undefined ? {} : { there: cut(there) }),
  };
}

type Parent = readonly Json[] | { readonly [member: string]: Json };

function isParent(value: Json | undefined): value is Parent {
  return typeof value === "object" && value !== null;
}

function membersOf(one: Json | undefined, other: Json | undefined): readonly string[] {
  const of = (value: Json | undefined) => isParent(value) ? Object.keys(value) : [];
  return [...new Set([...of(one), ...of(other)])];
}

function memberOf(value: Json | undefined, member: string): Json | undefined {
  return isParent(value) && Object.hasOwn(value, member)
    ? (value as { readonly [member: string]: Json })[member]
    : undefined;
}

function isEmptyAlike(one: Json | undefined, other: Json | undefined): boolean {
  return isParent(one) && isParent(other) && Array.isArray(one) === Array.isArray(other);
}

function escaped(member: string): string {
  return member.replaceAll("~", "~0").replaceAll("/", "~1");
}

function cut(value: Json): Json {
  if (typeof value !== "string" || value.length <= SHOWN_CHARACTERS) return value;
  return `${value.slice(0, SHOWN_CHARACTERS).toWellFormed()}…`;
}
