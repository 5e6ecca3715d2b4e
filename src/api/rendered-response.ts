import type { Response } from 'express';
import { stringifyJson } from '../platform/json/exact-number.js';
import { BareResponse, RouteResponse } from './route.js';

/** A response as it is sent. */
export interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  /** Undefined: no body. */
  body: { type: 'json' | 'text'; text: string } | undefined;
}

/** Renders what a handler returned, other than a list or a stream. */
export function renderResponse(answer: unknown, defaultStatus: number): RenderedResponse {
  if (answer instanceof BareResponse) return { status: defaultStatus, headers: {}, body: bareBody(answer) };
  const { body, options } = answer instanceof RouteResponse ? answer : new RouteResponse(answer);
  const { status = defaultStatus, headers = {} } = options;
  return { status, headers, body: status === 204 ? undefined : { type: 'json', text: stringifyJson(body) } };
}

function bareBody({ value }: BareResponse): RenderedResponse['body'] {
  if (typeof value === 'string') return { type: 'text', text: value };
  return { type: 'json', text: stringifyJson(value) };
}

export function sendRendered(res: Response, { status, headers, body }: RenderedResponse): void {
  res.status(status).set(headers);
  if (body === undefined) res.end();
  else res.type(body.type).send(body.text);
}
