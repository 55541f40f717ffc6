/**
 * What a client does for a program.
 *
 * @module
 */
import type { ConnectionState, StateChange } from "./connection.ts";
import type { ControlTree } from "./control-tree.ts";
import type { Handles } from "./handles.ts";
import type { Change, ValueAt, Writable } from "./paths.ts";
import type { RequestError } from "./request-error.ts";
import type { RpcName, RpcParams, RpcResult } from "./rpcs.ts";
import type { SubscribeOptions, Subscriber } from "./subscriptions.ts";
import type { Watch } from "./watch.ts";
import type { World } from "./world.ts";

/** How to connect. */
export interface ConnectOptions {
  /** The token of a user; without one the client acts as nobody, where the console lets it. */
  readonly token?: string;
  /** Closes the client when it is aborted. */
  readonly signal?: AbortSignal;
  /** Sockets and time; those of the platform, unless a test gives others. */
  readonly world?: World;
}

/** A button of an external list was pressed (`on` 1) or released (`on` 0). */
export interface ListEvent {
  readonly type: "extlistnotified";
  readonly params: { readonly entry: number; readonly list: number; readonly on: 0 | 1 };
}

/**
 * A client of one console.
 *
 * A request is sent at once or not at all, and never twice. It is rejected with a `RequestError`
 * where the console refuses it, where there is no connection, and where the connection is lost
 * before the answer came. Subscriptions, live copies and the claim of an engine outlast the
 * connection: they are made again on the next one.
 */
export interface Client extends AsyncDisposable, Handles {
  readonly state: ConnectionState;
  /**
   * Tells `listener` of each change of `state`, and of each attempt that failed, with the reason;
   * the answer ends that.
   */
  onState(listener: (change: StateChange) => void): () => void;
  /**
   * Resolves once the state is `open`. Rejects with the address and the reason when the attempt
   * that is under way, or comes next, fails; the client goes on trying unless it has ended.
   */
  ready(): Promise<void>;

  /** Reads what stands at a path. */
  get<const Path extends string>(path: Path): Promise<ValueAt<Path>>;
  /**
   * Writes a value, or some of the values below a path: all of them or none. Resolves with what is
   * in force then, for numbers go to the nearest bound.
   */
  set<const Path extends string>(
    path: Path,
    value: Writable<ValueAt<Path>>,
  ): Promise<Writable<ValueAt<Path>>>;
  /** Calls an RPC method, and resolves with its result. */
  rpc<Name extends RpcName>(name: Name, params: RpcParams<Name>): Promise<RpcResult<Name>>;

  /**
   * Tells `subscriber` what stands at a path, then what changes at and below it; the answer ends
   * that. A path may be subscribed to more than once: then all are told what the one wants who
   * wants most. What changes below a path and one inside it may be told twice.
   */
  subscribe<const Path extends string>(
    path: Path,
    subscriber: Subscriber<ValueAt<Path>, Change<ValueAt<Path>>>,
    options?: SubscribeOptions,
  ): () => void;
  /** Keeps a live copy of what stands at a path; resolves once there is one. */
  watch<const Path extends string>(
    path: Path,
    options?: SubscribeOptions,
  ): Promise<Watch<ValueAt<Path>, Change<ValueAt<Path>>>>;
  /**
   * Tells `listener` of buttons of those external lists that this connection has registered; the
   * answer ends that. After a loss of the connection lists have to be registered again.
   */
  onEvent(listener: (event: ListEvent) => void): () => void;
  /**
   * Calls `listener` when the console answers that what was asked for is in force, but not on its
   * medium (`durable` false), so that a restart would lose it; the answer ends that.
   */
  onUnstored(listener: () => void): () => void;

  /**
   * Claims to be the audio engine of what lies at and below the paths, or, without a list, of
   * everything; an empty list gives back what was claimed. The claim is made again on each new
   * connection; while it is refused there, as by a dead connection of this very engine, that counts
   * as a loss.
   */
  engine(paths?: readonly string[]): Promise<void>;
  /**
   * Reports read-only values as an engine, without an answer. Answers whether it was sent: not
   * without a connection, nor while much that was sent before is still on its way.
   */
  report(patch: Change<ControlTree>): boolean;
  /** Reports whether the engine falls behind; to be said again on each new connection. */
  reportLate(isLate: boolean): boolean;
  /**
   * Tells `listener` of each report without an answer that the console refuses, and why: the user
   * is an engine no more, say. The answer ends that.
   */
  onRefusedReport(listener: (error: RequestError) => void): () => void;
  /** Reports, too, and resolves with how many values were taken. */
  reportCounted(patch: Change<ControlTree>): Promise<number>;

  /** Ends everything; resolves when the connection is gone. */
  close(): Promise<void>;
}
