/**
 * Budgets for tests.
 *
 * @module
 */
import { createBudget } from "../transport/budget.ts";

/** A budget that is never used up. */
export const ample = createBudget(() => Infinity);
