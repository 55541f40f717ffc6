import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Branch,
  combine,
  isBranch,
  merge,
  type Patch,
  patchBelow,
  type Tree,
} from "../../core/tree/tree.ts";

const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string({ maxLength: 3 }),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const member = fc.constantFrom("0", "1", "7", "label", "fader", "_x");

/** An item of a list. */
const item: fc.Arbitrary<Branch> = fc.dictionary(member, leaf, {
  minKeys: 1,
  noNullPrototype: true,
});

/** Trees as a node table builds them: branches, leaves, and lists of branches. */
const { tree } = fc.letrec<{ tree: Branch; node: Tree; list: Branch[] }>((tie) => ({
  tree: fc.dictionary(member, tie("node"), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<
    Branch
  >,
  node: fc.oneof({ depthSize: "small" }, leaf, tie("tree"), tie("list")) as fc.Arbitrary<Tree>,
  list: fc.array(item, { minLength: 1, maxLength: 3 }),
}));

/**
 * A patch of a tree: some of its leaves, with other values, or a whole list.
 */
function patchOf(node: Tree): fc.Arbitrary<Patch[string]> {
  if (Array.isArray(node) ? !node.every(isBranch) || node.length === 0 : !isBranch(node)) {
    return leaf;
  }
  if (Array.isArray(node)) return fc.oneof(itemsOf(node), fc.tuple(...node.map(() => item)));
  return itemsOf(node as Branch);
}

function itemsOf(node: Branch | readonly Branch[]): fc.Arbitrary<Patch> {
  const members = Object.entries(node)
    .map(([member, value]) => fc.option(patchOf(value)).map((patch) => [member, patch] as const));
  return fc.tuple(...members).map((some) =>
    Object.fromEntries(some.filter(([, patch]) => patch !== null)) as Patch
  );
}

const treeWithPatches = tree.chain((tree) =>
  fc.record({
    tree: fc.constant(tree),
    p: patchOf(tree) as fc.Arbitrary<Patch>,
    q: patchOf(tree) as fc.Arbitrary<Patch>,
    r: patchOf(tree) as fc.Arbitrary<Patch>,
  })
);

Deno.test("merging two patches in turn equals merging their combination", () => {
  fc.assert(fc.property(treeWithPatches, ({ tree, p, q }) => {
    assertEquals(merge(merge(tree, p), q), merge(tree, combine(p, q)));
  }));
});

Deno.test("combining three patches is associative", () => {
  fc.assert(fc.property(treeWithPatches, ({ p, q, r }) => {
    assertEquals(combine(combine(p, q), r), combine(p, combine(q, r)));
  }));
});

Deno.test("an empty patch changes nothing, and the same patch twice has the effect of one", () => {
  fc.assert(fc.property(treeWithPatches, ({ tree, p }) => {
    assertEquals(merge(tree, {}), tree);
    assertEquals(merge(merge(tree, p), p), merge(tree, p));
    assertEquals(combine(p, p), p);
  }));
});

Deno.test("merging and combining do not alter their arguments", () => {
  fc.assert(fc.property(treeWithPatches, ({ tree, p, q }) => {
    const before = JSON.stringify([tree, p, q]);
    merge(tree, p);
    combine(p, q);
    assertEquals(JSON.stringify([tree, p, q]), before);
  }));
});

Deno.test("merging shares every part of the tree that a patch does not name", () => {
  fc.assert(fc.property(treeWithPatches, ({ tree, p }) => {
    const after = merge(tree, p);
    for (const member of Object.keys(tree)) {
      if (!Object.hasOwn(p, member)) assert(after[member] === tree[member], member);
    }
  }));
});

Deno.test("the part of a patch below a path has the same effect there as the whole patch", () => {
  fc.assert(fc.property(treeWithPatches, member, ({ tree, p }, member) => {
    const part = patchBelow(p, [member]);
    assertEquals(part !== undefined, Object.hasOwn(p, member));
    if (part !== undefined) assertEquals(merge(tree, part)[member], merge(tree, p)[member]);
  }));
});
