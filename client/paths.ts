/**
 * What stands at a path of the control tree, what may be written there, and what a change of it
 * looks like, as types. Of a path that is no literal, or that the type of the tree does not have,
 * nothing is known: it is `unknown`.
 *
 * @module
 */
import type { ControlTree } from "./control-tree.ts";

/** What stands at a path: at `/audio/mixers/0/faders/3/fader` a number. */
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

/** What may be written in the place of a value: a leaf, or some of the leaves of a branch. */
export type Writable<Value> = Value extends object ? {
    readonly [Member in keyof Value as Member extends `_${string}` ? never : Member]?: Writable<
      Value[Member]
    >;
  }
  : Value;

/**
 * What a value changes by: a leaf by another, a branch by those of its leaves that changed, a list
 * by another, or by items of it, by their index.
 */
export type Change<Value> = Value extends readonly (infer Item)[]
  ? Value | { readonly [index: number]: Change<Item> }
  : Value extends object ? { readonly [Member in keyof Value]?: Change<Value[Member]> }
  : Value;
