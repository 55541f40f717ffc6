/**
 * The place of the page: its path on its host.
 *
 * @module
 */

const path = new URL(".", document.baseURI).pathname;

/** The path of the page of the hub behind which this console is; undefined without a hub. */
export const hubPath = /^(.*)consoles\/[0-9a-f]{32}\/$/.exec(path)?.[1];

/** The path of this page. */
export const ownPath = path;
