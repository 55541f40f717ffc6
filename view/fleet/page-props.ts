/** The properties of a page of a hub. */
export interface PageProps {
  /** The address behind the name of the page: `#/backups/0a1b` gives `["0a1b"]`. */
  readonly parts: readonly string[];
}
