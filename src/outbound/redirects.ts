import { type Dispatcher, request as undiciRequest } from 'undici';
import type { HttpAnswer, HttpRequest } from './http-client.js';
import { readBody } from './read-body.js';

const MAX_REDIRECTS = 5;
/** A redirect's own body is thrown away; a long one is not waited for. */
const DISCARD_LIMIT = 64 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that are secrets for one origin only. */
const ORIGIN_BOUND = ['authorization', 'cookie', 'proxy-authorization'];

/** The chain of redirects is too long, or goes round in a circle. */
export class TooManyRedirects extends Error {
  constructor() {
    super(`there were more than ${MAX_REDIRECTS} redirects`);
    this.name = 'TooManyRedirects';
  }
}

interface Channel {
  dispatcher: Dispatcher;
  signal: AbortSignal;
  maxResponseBytes: number;
}

/**
 * Makes the request, and those that its answers send on to (at most five, each through the guarded connections).
 * @throws whatever the connection throws, TooManyRedirects, and the errors of `readBody`.
 */
export async function followRedirects(first: HttpRequest, channel: Channel): Promise<HttpAnswer> {
  let request = first;
  for (let hops = 0; ; hops += 1) {
    const answer = await send(request, channel);
    const target = first.followRedirects === false ? undefined : targetOf(request, answer);
    if (target === undefined) return await read(answer, channel);
    await answer.body.dump({ limit: DISCARD_LIMIT, signal: channel.signal });
    if (hops === MAX_REDIRECTS) throw new TooManyRedirects();
    request = redirected(request, answer.statusCode, target);
  }
}

function send(request: HttpRequest, { dispatcher, signal }: Channel): Promise<Dispatcher.ResponseData> {
  return undiciRequest(request.url, {
    dispatcher,
    signal,
    method: request.method,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...request.headers },
    body: request.body ?? null,
  });
}

async function read(answer: Dispatcher.ResponseData, { maxResponseBytes }: Channel): Promise<HttpAnswer> {
  const headers = flatten(answer.headers);
  const body = await readBody(answer.body, {
    encoding: headers['content-encoding'],
    limit: maxResponseBytes,
  });
  return { answered: true, status: answer.statusCode, headers, body };
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Where an answer sends the request; undefined: it is the answer. */
function targetOf(request: HttpRequest, answer: Dispatcher.ResponseData): URL | undefined {
  const location = answer.headers.location;
  if (!REDIRECTS.includes(answer.statusCode) || typeof location !== 'string') return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const target = new URL(location, request.url);
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return undefined;
  target.username = '';
  target.password = '';
  return target;
}

/** 303, and 301 or 302 after a POST, ask for a GET without a body; secrets stay with their origin. */
function redirected(request: HttpRequest, status: number, target: URL): HttpRequest {
  const becomesGet =
    (status === 303 && request.method !== 'HEAD') || (status <= 302 && request.method === 'POST');
  const sameOrigin = new URL(request.url).origin === target.origin;
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) =>
        name !== 'host' &&
        (sameOrigin || !ORIGIN_BOUND.includes(name)) &&
        !(becomesGet && name.startsWith('content-')),
    ),
  );
  const { body, ...rest } = request;
  const kept = body === undefined || becomesGet ? {} : { body };
  return { ...rest, ...kept, url: target.href, headers, method: becomesGet ? 'GET' : request.method };
}
