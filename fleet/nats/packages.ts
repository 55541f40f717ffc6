/**
 * The packages of NATS. They are named only here and not in deno.json, because every start of the
 * service would download the packages that are listed there.
 *
 * @module
 */
export {
  type ConnectionOptions,
  createInbox,
  credsAuthenticator,
  delay,
  headers,
  InvalidArgumentError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  nkeyAuthenticator,
  RequestError,
} from "npm:@nats-io/nats-core@3.4.0";
export { connect } from "npm:@nats-io/transport-node@3.4.0";
export {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "npm:@nats-io/jetstream@3.4.0";
