/**
 * The program: `faderd serve`, `faderd user`, `faderd config`. As a library, import `mod.ts`.
 *
 * @module
 */
import { runProgram } from "./run.ts";

await runProgram();
