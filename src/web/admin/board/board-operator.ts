import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';
import { operatorOf } from '../admin-auth.js';

const operators = new AsyncLocalStorage<string>();

/** Lets the queues of the board know who changes them: the person, or `account`, the board's own. */
export function asOperator(account: string): RequestHandler {
  return (_req, res, next) => operators.run(operatorOf(res) ?? account, next);
}

/** Returns who makes the request under way; empty outside of one. */
export function boardOperator(): string {
  return operators.getStore() ?? '';
}
