/**
 * Writes the types of the RPC methods out. In the sources they are derived from the schemas of the
 * service; the package of the client has neither the schemas nor the package that makes them.
 *
 * @module
 */
import { createRequire } from "node:module";
import { dist } from "./places.ts";

/** The part of TypeScript's interface that is used; flags are those of its version 5. */
interface TypeScript {
  createProgram(files: readonly string[], options: object): {
    getTypeChecker(): Checker;
    getSourceFile(file: string): unknown;
  };
  getPreEmitDiagnostics(program: object): readonly { readonly messageText: unknown }[];
}

interface Checker {
  getSymbolAtLocation(node: unknown): Symbol | undefined;
  getExportsOfModule(symbol: Symbol): readonly Symbol[];
  getDeclaredTypeOfSymbol(symbol: Symbol): Type;
  getPropertiesOfType(type: Type): readonly Symbol[];
  getTypeOfSymbol(symbol: Symbol): Type;
  getIndexInfosOfType(type: Type): readonly IndexInfo[];
  getTypeArguments(type: Type): readonly Type[];
  isArrayType(type: Type): boolean;
  isTupleType(type: Type): boolean;
  typeToString(type: Type): string;
}

interface Symbol {
  readonly name: string;
  readonly flags: number;
  readonly checkFlags?: number;
  readonly links?: { readonly checkFlags?: number };
  readonly declarations?: readonly { readonly modifiers?: readonly { readonly kind: number }[] }[];
}

interface Type {
  readonly flags: number;
  readonly types?: readonly Type[];
  readonly symbol?: Symbol;
  readonly aliasSymbol?: Symbol;
}

interface IndexInfo {
  readonly keyType: Type;
  readonly type: Type;
  readonly isReadonly: boolean;
}

const OPTIONAL_SYMBOL = 16_777_216;
const OBJECT = 524_288;
const UNION = 1_048_576;
const INTERSECTION = 2_097_152;

/**
 * The recursive types of the control tree, by the names that the client has for them, and their
 * modules.
 */
const NAMED: Readonly<Record<string, string>> = {
  Branch: "../core/tree/tree.js",
  Tree: "../core/tree/tree.js",
  Patch: "../core/tree/tree.js",
};

/** Returns the declarations that replace `client/rpcs.d.ts` below `types`. */
export async function rpcTypes(types: URL): Promise<string> {
  const typescript: TypeScript = createRequire(new URL("x.js", dist))("typescript-api");
  const file = new URL("client/all-rpcs.d.ts", types).pathname;
  await Deno.writeTextFile(
    file,
    `import type { RpcName, RpcParams, RpcResult } from "./rpcs.js";
export type Params = { [Name in RpcName]: RpcParams<Name> };
export type Results = { [Name in RpcName]: RpcResult<Name> };
`,
  );
  const options = { strict: true, exactOptionalPropertyTypes: true, module: 99, target: 9 };
  const program = typescript.createProgram([file], { ...options, moduleResolution: 100 });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))!;
  const used = new Set<string>();
  const written = checker.getExportsOfModule(module).map((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    return [symbol.name, print(checker, type, used, [])] as const;
  });
  await Deno.remove(file);
  const { Params: params, Results: results } = Object.fromEntries(written);
  const imports = [...used].map((name) => `import type { ${name} } from "${NAMED[name]}";\n`);
  return `/** The types of the RPC methods, written out from the schemas of the service. */
${imports.join("")}type ParamsOf = ${params};
type ResultsOf = ${results};
/** The name of an RPC method. */
export type RpcName = keyof ParamsOf;
/** The parameters of a method. */
export type RpcParams<Name extends RpcName> = ParamsOf[Name];
/** The result of a method. */
export type RpcResult<Name extends RpcName> = ResultsOf[Name];
export {};
`;
}

/** Writes a type out; throws if a type contains itself and has no name that the client knows. */
function print(checker: Checker, type: Type, used: Set<string>, above: readonly Type[]): string {
  const go = (inner: Type) => print(checker, inner, used, [...above, type]);
  const name = type.aliasSymbol?.name ?? type.symbol?.name ?? "";
  if (name in NAMED) {
    used.add(name);
    return name;
  }
  if (above.includes(type)) throw new Error(`${checker.typeToString(type)} contains itself`);
  if (type.flags & (UNION | INTERSECTION)) {
    const texts = [...new Set(type.types!.map(go))];
    const both = texts.includes("true") && texts.includes("false");
    const shown = both
      ? ["boolean", ...texts.filter((text) => !/^(true|false)$/.test(text))]
      : texts;
    if (shown.length === 1) return shown[0]!;
    return type.flags & UNION ? shown.join(" | ") : `(${shown.join(") & (")})`;
  }
  if (!(type.flags & OBJECT)) return checker.typeToString(type);
  if (checker.isArrayType(type)) {
    const isReadonly = type.symbol?.name === "ReadonlyArray";
    return `${isReadonly ? "ReadonlyArray" : "Array"}<${go(checker.getTypeArguments(type)[0]!)}>`;
  }
  if (checker.isTupleType(type)) {
    return `readonly [${checker.getTypeArguments(type).map(go).join(", ")}]`;
  }
  const members = checker.getPropertiesOfType(type).map((symbol) => {
    const mark = symbol.flags & OPTIONAL_SYMBOL ? "?" : "";
    const written = go(checker.getTypeOfSymbol(symbol));
    return `${isReadonly(symbol) ? "readonly " : ""}${symbol.name}${mark}: ${written}`;
  });
  for (const { keyType, type: value, isReadonly } of checker.getIndexInfosOfType(type)) {
    members.push(
      `${isReadonly ? "readonly " : ""}[key: ${checker.typeToString(keyType)}]: ${go(value)}`,
    );
  }
  if (members.length === 0) return "{}";
  return above.length === 0 ? `{\n  ${members.join(";\n  ")};\n}` : `{ ${members.join("; ")} }`;
}

const READONLY_CHECK = 8;
const READONLY_KEYWORD = 148;

function isReadonly({ declarations = [], links }: Symbol): boolean {
  if (links?.checkFlags !== undefined && links.checkFlags & READONLY_CHECK) return true;
  return declarations.some(({ modifiers = [] }) =>
    modifiers.some(({ kind }) => kind === READONLY_KEYWORD)
  );
}
