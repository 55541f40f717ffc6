/**
 * What the log uses of LogTape. Loaded as a whole by its name it would be in the bundle as a whole.
 *
 * @module
 */
export { configureSync, getLogger, getTextFormatter } from "@logtape/logtape";
