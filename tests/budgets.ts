/**
 * Budgets for tests.
 *
 * @module
 */
import { createBudget } from "../transport/budget.ts";

/** A budget that nothing uses up. */
export const ample = createBudget(() => Infinity);
