import type { IncomingMessage } from 'node:http';
import type { ConnectionSlots } from './connection-slots.js';
import type { HopRules } from '../addresses/hop-rules.js';
import type { Pools } from './connections.js';
import { createCookies } from './cookies.js';
import { headersOf, rawHeaderValues } from './response-head.js';
import { headerOf } from '../../headers/header-of.js';
import { discard, type Memory, visit } from './visit.js';
import type { HttpResponse, HttpRequest } from '../http-exchange.js';
import { readResponseBody } from './read-body.js';

const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that state only the wanted format and the client. Any other may be a secret. */
const HARMLESS = ['accept', 'accept-language', 'user-agent'];

const MAX_REDIRECTS = 5;

/** The chain of redirects is too long, or circular. */
export class TooManyRedirects extends Error {
  constructor() {
    super(`there were more than ${MAX_REDIRECTS} redirects`);
    this.name = 'TooManyRedirects';
  }
}

/** The caller's `checkHop` threw; `cause` is its error. */
export class HopRefused extends Error {}

/** Progress of a request. */
export interface Progress {
  /** URL of the current hop. */
  url: string;
  /** The request is waiting for a connection slot. */
  waits: boolean;
}

interface Channel {
  pools: Pools;
  /** Used instead of `pools` until the request is led to another origin: they show who it is. */
  ownPools?: Pools;
  rules: HopRules;
  slots: ConnectionSlots;
  signal: AbortSignal;
  maxResponseBytes: number;
  /** Updated with each hop. */
  progress: Progress;
}

/** A channel, and what this request has learned on it. */
type Trip = Channel & { memory: Memory };

/** Result of one hop: the response, or the next request. */
type Hop = { response: HttpResponse } | { next: HttpRequest };

/**
 * Sends the request and follows redirects (at most five, each through the guarded connections).
 * Headers and body left out for another origin stay out, even if a later redirect leads back.
 * @throws whatever the connection throws, OutboundRefused, AddressBlocked, HopRefused, TooManyRedirects, and the
 * errors of `readResponseBody`.
 */
export async function followRedirects(first: HttpRequest, channel: Channel): Promise<HttpResponse> {
  const trip = { ...channel, memory: { cookies: createCookies(), digests: new Map() } };
  let request = first;
  let bare = false;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    channel.signal.throwIfAborted();
    const url = new URL(request.url);
    channel.progress.url = request.url;
    checkHop(request, { url, bare }, channel.rules);
    const { ownPools } = channel;
    const hop = await inSlot(
      url,
      request,
      ownPools === undefined || bare ? trip : { ...trip, pools: ownPools },
    );
    if ('response' in hop) return hop.response;
    bare ||= url.origin !== new URL(hop.next.url).origin;
    request = hop.next;
  }
  throw new TooManyRedirects();
}

function checkHop(request: HttpRequest, { url, bare }: { url: URL; bare: boolean }, rules: HopRules): void {
  const refusal = rules.refusalOfUrl(url);
  if (refusal !== undefined) throw refusal;
  try {
    request.checkHop?.(url, { bare });
  } catch (cause) {
    throw new HopRefused('the caller refuses this hop', { cause });
  }
}

/** The slot stays taken until the connection is released, even if the caller no longer waits. */
async function inSlot(url: URL, request: HttpRequest, channel: Trip): Promise<Hop> {
  channel.progress.waits = true;
  const release = await channel.slots.take(url.origin, request.group, channel.signal);
  channel.progress.waits = false;
  try {
    channel.signal.throwIfAborted();
    return await makeHop(url, request, channel);
  } finally {
    release();
  }
}

async function makeHop(url: URL, request: HttpRequest, channel: Trip): Promise<Hop> {
  const response = await send(url, request, channel);
  const { statusCode: status = 0 } = response;
  const [location] = status < 300 || status > 399 ? [] : rawHeaderValues(response, 'location');
  const target = request.followRedirects === false ? undefined : targetOf(request, { status, location });
  if (target === undefined) return { response: await read(response, channel) };
  const next = redirected(request, status, target);
  if (next === undefined)
    return { response: { ...(await read(response, channel)), note: notFollowed(target) } };
  await discard(response);
  return { next };
}

function notFollowed({ host }: URL): string {
  return `the redirect to ${host} was not followed: bodies are not sent to another origin`;
}

async function send(
  url: URL,
  request: HttpRequest,
  { pools, signal, memory }: Trip,
): Promise<IncomingMessage> {
  const ofHop = await request.hopHeaders?.(url);
  const headers = { 'accept-encoding': 'gzip, deflate, br', ...request.headers, ...ofHop };
  return visit({ ...request, headers }, { url, memory, pools, signal });
}

async function read(response: IncomingMessage, { maxResponseBytes }: Channel): Promise<HttpResponse> {
  const headers = headersOf(response);
  const body = await readResponseBody(response, {
    encoding: headerOf(headers, 'content-encoding'),
    limit: maxResponseBytes,
  });
  return { answered: true, status: response.statusCode ?? 0, headers, body };
}

/** Returns the target of a redirect; `location` has one character for each byte. Undefined: the response is final. */
function targetOf(
  request: HttpRequest,
  { status, location }: { status: number; location: string | undefined },
): URL | undefined {
  if (!REDIRECTS.includes(status) || location === undefined) return undefined;
  const reference = escaped(location);
  if (!URL.canParse(reference, request.url)) return undefined;
  const target = new URL(reference, request.url);
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return undefined;
  target.username = '';
  target.password = '';
  return target;
}

/** Returns a reference, given as one character for each byte, with `%xx` for bytes that are not ASCII: UTF-8 in an address. */
function escaped(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the request that follows a redirect. 303, and 301 or 302 after a POST, ask for a GET without a body. To
 * another origin (scheme, host or port) only harmless headers are sent; returns undefined if a body would be sent there.
 */
function redirected(request: HttpRequest, status: number, target: URL): HttpRequest | undefined {
  const asGet = becomesGet(request, status);
  const sameOrigin = new URL(request.url).origin === target.origin;
  if (!sameOrigin && !asGet && request.body !== undefined) return undefined;
  const { body, digest, ...rest } = request;
  return {
    ...rest,
    ...(digest === undefined || !sameOrigin ? {} : { digest }),
    ...(body === undefined || asGet ? {} : { body }),
    url: target.href,
    method: asGet ? 'GET' : request.method,
    headers: headersFor(request, { sameOrigin, asGet }),
  };
}

function becomesGet({ method }: HttpRequest, status: number): boolean {
  return (status === 303 && method !== 'HEAD') || (status <= 302 && method === 'POST');
}

function headersFor(
  { headers, secretHeaders = [] }: HttpRequest,
  { sameOrigin, asGet }: { sameOrigin: boolean; asGet: boolean },
): Record<string, string> {
  const kept = (name: string) =>
    sameOrigin
      ? name !== 'host' && !(asGet && name.startsWith('content-'))
      : HARMLESS.includes(name) && !secretHeaders.includes(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept(name)));
}
