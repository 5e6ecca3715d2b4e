import type { Response } from 'express';
import { jsonSteps } from '../../platform/json/json-steps.js';
import { inSlices } from '../../platform/steps.js';
import { BareResponse, RouteResponse } from '../route.js';

/** A response as it is sent. */
export interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  /** Undefined: no body. */
  body: { type: 'json' | 'text'; text: string } | undefined;
}

/** Renders what a handler returned, other than a list or a stream. */
export async function renderApiResponse(response: unknown, defaultStatus: number): Promise<RenderedResponse> {
  if (response instanceof BareResponse)
    return { status: defaultStatus, headers: {}, body: await bareBody(response) };
  const { body, options } = response instanceof RouteResponse ? response : new RouteResponse(response);
  const { status = defaultStatus, headers = {} } = options;
  return { status, headers, body: status === 204 ? undefined : await jsonBody(body) };
}

async function bareBody({ value }: BareResponse): Promise<RenderedResponse['body']> {
  return typeof value === 'string' ? { type: 'text', text: value } : jsonBody(value);
}

async function jsonBody(value: unknown): Promise<RenderedResponse['body']> {
  return { type: 'json', text: (await inSlices(jsonSteps(value))) as string };
}

export function sendRendered(res: Response, { status, headers, body }: RenderedResponse): void {
  res.status(status).set(headers);
  if (body === undefined) res.end();
  else res.type(body.type).send(body.text);
}
