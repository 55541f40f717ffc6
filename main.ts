/**
 * The program: `faderd serve`, `faderd user`, `faderd config`. As a library, import `mod.ts`.
 *
 * @module
 */
import { runProgram } from "./program/run.ts";

await runProgram();
