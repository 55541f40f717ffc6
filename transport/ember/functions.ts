/**
 * The functions of Ember+: RPC methods of the control API.
 *
 * @module
 */
import type { RpcMethod } from "../control-api/rpc-method.ts";
import { type RpcMethods, rpcMethods } from "../control-api/rpc-methods.ts";
import type { Argument, FunctionElement, Numbered, ParameterType } from "./element.ts";

/**
 * The number of each method among the functions; an assigned number stays, and so does the place of
 * each argument: a new parameter of one of these methods comes behind the others
 * (`tests/transport/ember/functions.test.ts`). Undefined for methods that are not offered here,
 * most of them because they need a user, an admin or a WebSocket.
 */
const FUNCTIONS: Readonly<Record<keyof RpcMethods, number | undefined>> = {
  loadsnapshot: 1,
  getsnapshotlist: 2,
  getsnapshot: 3,
  fadetovalue: 4,
  setchannellabel: 5,
  getpicturelist: 6,
  undo: 7,
  getundolist: 8,
  getlevelhistory: 9,
  getloudnesshistory: 10,
  savesnapshot: undefined,
  modifysnapshot: undefined,
  removesnapshot: undefined,
  setsnapshot: undefined,
  registerextlist: undefined,
  unregisterextlist: undefined,
  setextlist: undefined,
  pressextlist: undefined,
  login: undefined,
  logout: undefined,
  getuser: undefined,
  getuserlist: undefined,
  adduser: undefined,
  modifyuser: undefined,
  removeuser: undefined,
  getclientlist: undefined,
  getcertificate: undefined,
  getaudit: undefined,
  getaccess: 11,
  // The node Access has parameters for it.
  setaccess: undefined,
  getviewdocument: undefined,
  setviewdocument: undefined,
  makehandover: undefined,
  takehandover: undefined,
};

/** Returns the functions with their numbers. */
export function* functionElements(): Generator<Numbered> {
  for (const [name, number] of Object.entries(FUNCTIONS)) {
    if (number === undefined) continue;
    yield { number, element: functionElement(rpcMethods.get(name)!) };
  }
}

function functionElement({ name, summary, params }: RpcMethod): FunctionElement {
  const entries = Object.entries(params.entries) as [string, Entry][];
  const args = entries.map(([name, entry]): Argument => ({ name, type: typeOf(entry) }));
  return {
    kind: "function",
    identifier: name,
    description: summary,
    arguments: args,
    calling: (values) => ({
      method: "rpc",
      payload: {
        method: name,
        params: Object.fromEntries(
          args.flatMap(({ name, type }, index) => {
            const value = values[index] ?? null;
            const isLeftOut = value === null || isOmitted(entries[index]![1], value, type);
            return isLeftOut ? [] : [[name, value]];
          }),
        ),
      },
    }),
  };
}

/** The parts of the schema of a parameter that determine its type. */
interface Entry {
  readonly type: string;
  readonly wrapped?: Entry;
  readonly pipe?: readonly { readonly type: string }[];
  readonly options?: readonly unknown[];
}

/**
 * Whether an optional argument is left out: some consumers cannot leave one out, and send an empty
 * text or a negative number, which no optional parameter here takes.
 */
function isOmitted({ type }: Entry, value: unknown, of: ParameterType): boolean {
  if (type !== "optional") return false;
  const isNumber = of === "integer" || of === "real";
  return value === "" || (isNumber && typeof value === "number" && value < 0);
}

function typeOf(entry: Entry): ParameterType {
  const { type, wrapped, pipe = [], options = [] } = entry;
  if (wrapped !== undefined) return typeOf(wrapped);
  if (type === "boolean") return "boolean";
  if (type === "picklist") return typeof options[0] === "number" ? "integer" : "string";
  if (type !== "number") return "string";
  return pipe.some((action) => action.type === "safe_integer") ? "integer" : "real";
}
