/**
 * The types of the value at a path of the control tree, of what may be written there, and of a
 * change of it. They are `unknown` for a path that is not a literal type, or not in the type of the
 * tree.
 *
 * @module
 */
import type { ControlTree } from "./control-tree.ts";

/** The type of the value at a path: a number at `/audio/mixers/0/faders/3/fader`. */
export type ValueAt<Path extends string> = Below<ControlTree, Path>;

type Below<Node, Path extends string> = string extends Path ? unknown
  : Path extends "" ? Node
  : Path extends `/${infer Rest}` ? Below<Node, Rest>
  : Path extends `${infer Member}/${infer Rest}` ? Below<Child<Node, Member>, Rest>
  : Child<Node, Path>;

type Child<Node, Member extends string> = Member extends keyof Node ? NonNullable<Node[Member]>
  : Member extends `${infer Index extends number}`
    ? Index extends keyof Node ? NonNullable<Node[Index]> : unknown
  : unknown;

/** The type that may be written in place of a value: a leaf, or some of the leaves of a branch. */
export type Writable<Value> = Value extends object ? {
    readonly [Member in keyof Value as Member extends `_${string}` ? never : Member]?: Writable<
      Value[Member]
    >;
  }
  : Value;

/**
 * The type of a change: the new leaf; for a branch, its changed members; for a list, the new list
 * or its changed items, by index.
 */
export type Change<Value> = Value extends readonly (infer Item)[]
  ? Value | { readonly [index: number]: Change<Item> }
  : Value extends object ? { readonly [Member in keyof Value]?: Change<Value[Member]> }
  : Value;

/** The type of a part of a value: of a branch, some of its members. */
export type Part<Value> = Value extends readonly unknown[] ? Value
  : Value extends object
    ? number extends keyof Value ? { readonly [number: number]: Part<Value[number]> }
    : { readonly [Member in keyof Value]?: Part<Value[Member]> }
  : Value;
