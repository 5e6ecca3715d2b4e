import type { Response } from 'express';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** Responds with JSON. */
export function sendJson(res: Response, status: number, body: object): void {
  res.status(status).type('json').send(stringifyJson(body));
}
