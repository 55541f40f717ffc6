/**
 * Gives the properties of a test file the seed of the run, before the file is loaded.
 *
 * @module
 */
import fc from "fast-check";
import { seedOfRun } from "./storage/random.ts";

fc.configureGlobal({ seed: seedOfRun() | 0 });
