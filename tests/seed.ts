/**
 * Sets the seed of the run for the properties of a test file, before the file is loaded.
 *
 * @module
 */
import fc from "fast-check";
import { seedOfRun } from "./storage/random.ts";

fc.configureGlobal({ seed: seedOfRun() | 0 });
