/**
 * The interface of a client.
 *
 * @module
 */
import type { ConnectionState, StateChange } from "./connection.ts";
import type { ControlTree } from "./control-tree.ts";
import type { Handles } from "./handles.ts";
import type { Change, Part, ValueAt, Writable } from "./paths.ts";
import type { RequestError } from "./request-error.ts";
import type { RpcName, RpcParams, RpcResult } from "./rpcs.ts";
import type { Extent, SubscribeOptions, Subscriber } from "./subscriptions.ts";
import type { Watch } from "./watch.ts";
import type { World } from "./world.ts";

/** How to connect. */
export interface ConnectOptions {
  /** The token of a user; without one the client is anonymous. */
  readonly token?: string;
  /** Closes the client when it is aborted. */
  readonly signal?: AbortSignal;
  /** Sockets and time; by default those of the platform. */
  readonly world?: World;
}

/** A button of an external list was pressed (`on` 1) or released (`on` 0). */
export interface ListEvent {
  readonly type: "extlistnotified";
  readonly params: { readonly entry: number; readonly list: number; readonly on: 0 | 1 };
}

/** A code of `makehandover`, which this connection asked for, was used up. */
export interface HandoverEvent {
  readonly type: "handovertaken";
  readonly params: { readonly name: string };
}

/**
 * A view document for which `getviewdocument` was called on this connection has changed: `revision`
 * 0 and `document` null where it was removed.
 */
export interface ViewDocumentEvent {
  readonly type: "viewdocument";
  readonly params: RpcResult<"getviewdocument">;
}

/** Another fader has access now. Sent to a connection that has called `getaccess`. */
export interface AccessEvent {
  readonly type: "getaccess";
  readonly params: RpcResult<"getaccess">;
}

/** An event that the console sends to a connection that has asked for it. */
export type DeskEvent = ListEvent | HandoverEvent | ViewDocumentEvent | AccessEvent;

/**
 * A client of one console.
 *
 * A request is sent at once or not at all, and never twice. It rejects with a `RequestError` if the
 * console refuses it, without a connection, and if the connection is lost before the answer.
 * Subscriptions, live copies and the claim of an engine are made again on the next connection.
 */
export interface Client extends ClientWithoutHandles, Handles {}

/** The requests of a {@linkcode Client}: everything except its handles. */
export interface ClientWithoutHandles extends AsyncDisposable {
  readonly state: ConnectionState;
  /**
   * Calls `listener` with each change of `state`, each failed attempt, and the acceptance of a
   * claim that was refused before, until the returned function is called.
   */
  onState(listener: (change: StateChange) => void): () => void;
  /**
   * Resolves once the state is `open`. Rejects with the address and the reason when the current or
   * the next attempt fails; the client goes on trying unless it has ended.
   */
  ready(): Promise<void>;

  /** Reads the value at a path. */
  get<const Path extends string>(path: Path): Promise<ValueAt<Path>>;
  /**
   * Reads a part of the value at a path: levels below `depth` are missing, and so are members of
   * the last level that are not in `only`. A console that does not know these parameters answers
   * the whole value.
   */
  get<const Path extends string>(path: Path, extent: Extent): Promise<Part<ValueAt<Path>>>;
  /**
   * Writes a value, or some of the values below a path: all of them or none. Resolves with the
   * values in force, since numbers are clamped to their range.
   */
  set<const Path extends string>(
    path: Path,
    value: Writable<ValueAt<Path>>,
  ): Promise<Writable<ValueAt<Path>>>;
  /** Calls an RPC method, and resolves with its result. */
  rpc<Name extends RpcName>(name: Name, params: RpcParams<Name>): Promise<RpcResult<Name>>;

  /**
   * Calls `subscriber` with the value at a path, then with the changes at and below it, until the
   * returned function is called. Subscribers of the same path share one subscription: all receive
   * what the most demanding options ask for. Passing the same subscriber again replaces its
   * options. Subscribers of overlapping paths receive every update of any of them that is at or
   * below their own path: the same change once for each of these paths, and meters at the rate of
   * the most demanding one. Throws a `TypeError` for wrong arguments.
   */
  subscribe<const Path extends string>(
    path: Path,
    subscriber: Subscriber<ValueAt<Path>, Change<ValueAt<Path>>>,
    options?: SubscribeOptions,
  ): () => void;
  /** Subscribes, and reads a part of the value first, as `get` does. */
  subscribe<const Path extends string>(
    path: Path,
    subscriber: Subscriber<Part<ValueAt<Path>>, Change<ValueAt<Path>>>,
    options: SubscribeOptions & { readonly extent?: Extent },
  ): () => void;
  /** Keeps a live copy of the value at a path; resolves once there is a value. */
  watch<const Path extends string>(
    path: Path,
    options?: SubscribeOptions,
  ): Promise<Watch<ValueAt<Path>, Change<ValueAt<Path>>>>;
  /**
   * Calls `listener` with presses of buttons of the external lists that this connection has
   * registered, with the view documents that it has asked for whenever they change, with each
   * change of access once it has called `getaccess`, and with the use of codes that it made by
   * `makehandover`, until the returned function is called. After a loss of the connection lists
   * have to be registered again, documents asked for again, and `getaccess` called again; the use
   * of a code that was made before is not reported.
   */
  onEvent(listener: (event: DeskEvent) => void): () => void;
  /**
   * Calls `listener` for each answer that a change is in force but not stored (`durable` false), so
   * that a restart would lose it, until the returned function is called.
   */
  onUnstored(listener: () => void): () => void;

  /**
   * Claims the paths, with everything below them, as an audio engine; without a list, the whole
   * tree. An empty list gives the claim back. The claim is made again on each new connection. If it
   * is refused there, for example because a dead connection of the same engine still holds it,
   * subscriptions go on, `onRefusedReport` has the reason, and the claim is tried again. Once it is
   * accepted, `onState` says `open` again; until then no report is sent.
   */
  engine(paths?: readonly string[]): Promise<void>;
  /**
   * Reports read-only values as an engine, without an answer. Returns whether the report was sent:
   * it is not without a connection, nor while the claim is refused, nor while more than 64 KiB wait
   * to be sent, nor with more than 25,000 values, or more than 4096 in one object or list.
   */
  report(patch: Change<ControlTree>): boolean;
  /** Reports whether the engine falls behind; has to be repeated on each new connection. */
  reportLate(isLate: boolean): boolean;
  /**
   * Calls `listener` for each report without an answer that the console refuses, or that has too
   * many values to be sent, and for each refusal of the claim on a new connection, until the
   * returned function is called.
   */
  onRefusedReport(listener: (error: RequestError) => void): () => void;
  /** Reports, and resolves with the number of values that were taken. */
  reportCounted(patch: Change<ControlTree>): Promise<number>;

  /** Closes the client; resolves when the connection is gone. */
  close(): Promise<void>;
}
