import { type Dispatcher, request as undiciRequest } from 'undici';
import type { HttpAnswer, HttpRequest } from './http-client.js';
import { readBody } from './read-body.js';
import { redirected, targetOf } from './redirect-target.js';

const MAX_REDIRECTS = 5;
/** A redirect's own body is thrown away; a long one is not waited for. */
const DISCARD_LIMIT = 64 * 1024;

/** The chain of redirects is too long, or goes round in a circle. */
export class TooManyRedirects extends Error {
  constructor() {
    super(`there were more than ${MAX_REDIRECTS} redirects`);
    this.name = 'TooManyRedirects';
  }
}

/** The caller's `checkHop` threw; `cause` is what. */
export class HopRefused extends Error {}

interface Channel {
  dispatcher: Dispatcher;
  signal: AbortSignal;
  maxResponseBytes: number;
}

/**
 * Makes the request, and those that its answers send on to (at most five, each through the guarded connections).
 * What was left out on the way to another origin stays out, also where a later redirect leads back.
 * @throws whatever the connection throws, HopRefused, TooManyRedirects, and the errors of `readBody`.
 */
export async function followRedirects(first: HttpRequest, channel: Channel): Promise<HttpAnswer> {
  let request = first;
  let bare = false;
  for (let hops = 0; ; hops += 1) {
    const url = new URL(request.url);
    checkHop(request, url, bare);
    const answer = await send(request, channel);
    const target = first.followRedirects === false ? undefined : targetOf(request, whereTo(answer));
    if (target === undefined) return await read(answer, channel);
    const next = redirected(request, answer.statusCode, target);
    if (next === undefined) return { ...(await read(answer, channel)), note: notFollowed(target) };
    await answer.body.dump({ limit: DISCARD_LIMIT, signal: channel.signal });
    if (hops === MAX_REDIRECTS) throw new TooManyRedirects();
    bare ||= url.origin !== target.origin;
    request = next;
  }
}

function checkHop(request: HttpRequest, url: URL, bare: boolean): void {
  try {
    request.checkHop?.(url, { bare });
  } catch (cause) {
    throw new HopRefused('the caller refuses this hop', { cause });
  }
}

function whereTo({ statusCode, headers }: Dispatcher.ResponseData) {
  return { status: statusCode, location: headers.location };
}

function notFollowed({ host }: URL): string {
  return `the redirect to ${host} was not followed: a body is not sent on to another origin`;
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
