import { type ListenAddress, readListenAddress } from "../core/configuration/listen-address.ts";
import { misuse } from "./failure.ts";

/** Reads the value of an option that names an address to listen on; throws the {@link misuse}. */
export function listenAddress(text: string, option: string): ListenAddress {
  const address = readListenAddress(text);
  if (address !== undefined) return address;
  const expected = "expected HOST:PORT, like 127.0.0.1:8080 or [::1]:8080";
  throw misuse(`--${option}: ${expected}, got ${text}`);
}
