import type { Request, Response } from 'express';
import type { Cors } from '../../../agents/face.js';
import { makeResponse, sendResponse } from '../responses/response.js';

/** How long a browser remembers that it may call, in seconds. */
const MAX_AGE_SECONDS = 600;
const NAMES = /^[\w\-, ]{1,1000}$/;

/**
 * Sets the headers with which a page of an allowed origin may read the response, also a refusal. Never with credentials:
 * whoever calls knows the webhook's secret, and nobody is signed in on this origin (decision 0028).
 */
export function allowOrigin({ origins, given }: Cors, request: Request, response: Response): boolean {
  const origin = request.get('origin');
  if (origin === undefined) return false;
  if (origins !== 'any') response.vary('Origin');
  if (origins !== 'any' && !origins.has(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origins === 'any' ? '*' : origin);
  const exposed =
    given['access-control-expose-headers'] ?? 'X-Service-Story-Run, X-Service-Status, Retry-After';
  response.setHeader('Access-Control-Expose-Headers', exposed);
  return true;
}

/** Whether a browser asks if it may call; it sends neither secret headers nor a body, and starts no run. */
export function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.get('access-control-request-method') !== undefined;
}

/** Answers it, after `allowOrigin`. */
export function respondToPreflight(
  { given }: Cors,
  { request, response, verbs }: { request: Request; response: Response; verbs: string },
): void {
  const asked = request.get('access-control-request-headers') ?? '';
  const names = given['access-control-allow-headers'] ?? (NAMES.test(asked) ? asked : undefined);
  sendResponse(response, makeResponse(204, ''), {
    'Access-Control-Allow-Methods': given['access-control-allow-methods'] ?? verbs,
    ...(names !== undefined && { 'Access-Control-Allow-Headers': names }),
    'Access-Control-Max-Age': given['access-control-max-age'] ?? String(MAX_AGE_SECONDS),
  });
}
