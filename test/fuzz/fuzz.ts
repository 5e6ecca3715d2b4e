import type { OpenApiDocument } from '../../src/api/openapi/openapi-types.js';
import type { JsonValue } from '../../src/platform/json.js';
import { createRandomness, type Randomness } from '../chaos/randomness.js';
import { type Caller, type Callers, makeCallers } from './callers.js';
import { createJudge, type FuzzResponse, type Judge } from './contract.js';
import { type FuzzRequest, type Quality, requestFor, type Target, withIds } from './requests.js';
import { createThings, type Things } from './things.js';
import type { Making } from './values.js';

export interface FuzzOptions {
  /** Address of the server: `http://127.0.0.1:3000`. */
  url: string;
  /** An Owner's. */
  key: string;
  requests: number;
  seed: number;
  /** Requests under way together. */
  atOnce: number;
  /** A response that takes longer is a fault, in milliseconds. */
  slowMs: number;
}

/** One kind of fault, with the first request that showed it. */
export interface Fault {
  /** Operation and what is wrong with its response. */
  kind: string;
  count: number;
  example: string;
}

export interface FuzzResult {
  requests: number;
  statuses: Record<string, number>;
  operations: number;
  /** Operations that answered a success at least once. */
  reached: number;
  /** Operations that never did. */
  unreached: string[];
  slowestMs: number;
  faults: Fault[];
}

interface Run {
  url: string;
  random: Randomness;
  callers: Callers;
  things: Things;
  making: Making;
  judge: Judge;
  statuses: Record<string, number>;
  reached: Set<string>;
  faults: Map<string, Fault>;
  slowestMs: number;
}

/** No response within this time is a fault. */
const PATIENCE_MS = 60_000;
const SHOWN_CHARACTERS = 400;
const QUALITIES: readonly Quality[] = ['valid', 'valid', 'nearly valid', 'nearly valid', 'rubbish'];

/**
 * Sends requests to every operation of the server's document: valid, nearly valid and rubbish, with keys of each role.
 * Returns which answers did not agree with the document. The same seed makes the same choices, but for ids of what requests
 * under way together made.
 */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { url, requests, atOnce, seed } = options;
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument;
  const targets = targetsOf(document);
  const run = await startRun(document, options);
  for (let sent = 0; sent < requests; ) {
    const { examples, others } = roundOf(run, targets, seed + sent);
    const round = [...examples, ...others].slice(0, requests - sent);
    sent += round.length;
    // What one example makes, the next ones need.
    for (const send of round.splice(0, examples.length)) await send();
    await Promise.all(Array.from({ length: atOnce }, () => work(round)));
  }
  const names = targets.map(nameOf);
  return {
    requests,
    statuses: run.statuses,
    operations: names.length,
    reached: run.reached.size,
    unreached: names.filter((name) => !run.reached.has(name)),
    slowestMs: run.slowestMs,
    faults: [...run.faults.values()],
  };
}

async function startRun(document: OpenApiDocument, { url, key, seed, slowMs }: FuzzOptions): Promise<Run> {
  const random = createRandomness(seed);
  const callers = await makeCallers(url, key);
  const things = createThings(random, callers.teamId);
  const making = {
    random,
    schemas: document.components.schemas,
    idFor: (name: string) => things.idFor(name),
  };
  const counts = { statuses: {}, reached: new Set<string>(), faults: new Map<string, Fault>(), slowestMs: 0 };
  return { url, random, callers, things, making, judge: createJudge(document, slowMs), ...counts };
}

async function work(queue: (() => Promise<void>)[]): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
}

function targetsOf({ paths }: OpenApiDocument): Target[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      operation,
    })),
  );
}

const nameOf = ({ method, template }: Target): string => `${method} ${template}`;

/**
 * The examples of all that makes something, by the Owner, and one request to each operation. Each request makes its choices
 * by a seed of its own, so that they do not depend on which responses came first.
 */
function roundOf(run: Run, targets: Target[], seed: number) {
  const seeded = (place: number, send: () => Promise<void>) => () => {
    run.random.restart(seed + place);
    return send();
  };
  run.random.restart(seed);
  const mixed = run.random.shuffle(targets);
  const making = targets.filter(({ method, template }) => method === 'POST' && !template.endsWith('}'));
  return {
    examples: making.map((target, place) => seeded(place, () => sendExample(run, target))),
    others: mixed.map((target, place) => seeded(making.length + place, () => sendAny(run, target))),
  };
}

async function sendExample(run: Run, target: Target): Promise<void> {
  const { making, things, callers } = run;
  const request = requestFor(target, { making, things, quality: 'valid' });
  const example = target.operation.requestBody?.content['application/json'].example as JsonValue | undefined;
  const body = example === undefined ? request.body : JSON.stringify(withIds(example, making));
  await sendOne(run, target, { ...request, body }, callers.owner);
}

async function sendAny(run: Run, target: Target): Promise<void> {
  const { random, making, things, callers } = run;
  const caller = callerFor(random, callers);
  await sendOne(run, target, requestFor(target, { making, things, quality: random.pick(QUALITIES) }), caller);
}

/** The Owner reaches most; without a valid key there is little to see, and the address is refused for a while. */
function callerFor(random: Randomness, { all, owner, strangers }: Callers): Caller {
  if (random.between(0, 40) === 0) return random.pick(strangers);
  return random.between(0, 2) === 0 ? owner : random.pick(all);
}

async function sendOne(run: Run, target: Target, request: FuzzRequest, caller: Caller): Promise<void> {
  const response = await send(run.url, request, caller);
  const example = () => exampleOf(request, caller, response);
  if (typeof response === 'string') return addFault(run, `${nameOf(target)} ${response}`, example);
  run.statuses[response.status] = (run.statuses[response.status] ?? 0) + 1;
  run.slowestMs = Math.max(run.slowestMs, response.tookMs);
  for (const fault of run.judge(target.operation, response))
    addFault(run, `${nameOf(target)} ${fault}`, example);
  const isGone =
    response.status === 404
      ? caller === run.callers.owner
      : request.method === 'DELETE' && response.status < 300;
  if (isGone) run.things.forget(request.path);
  if (response.status < 300) {
    run.reached.add(nameOf(target));
    if (response.text.startsWith('{'))
      run.things.learn(request.method, request.path, JSON.parse(response.text));
  }
}

/** Sends a request; gives the response, or in words why there is none. */
async function send(url: string, request: FuzzRequest, { key }: Caller): Promise<FuzzResponse | string> {
  const { method, path, body = null } = request;
  const headers = { ...request.headers, ...(key === undefined ? {} : { 'x-user-token': key }) };
  const started = performance.now();
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url + path, { method, headers, body, signal });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    return { status: response.status, headers: response.headers, text, tookMs: performance.now() - started };
  } catch (error) {
    return `gives no answer: ${String(error)}`;
  }
}

function addFault({ faults }: Run, kind: string, example: () => string): void {
  const known = faults.get(kind) ?? { kind, count: 0, example: example() };
  faults.set(kind, { ...known, count: known.count + 1 });
}

function exampleOf(
  { method, path, headers, body }: FuzzRequest,
  caller: Caller,
  response: FuzzResponse | string,
): string {
  const given =
    typeof response === 'string'
      ? response
      : `${Math.round(response.tookMs)} ms ${response.status} ${response.text}`;
  return `${method} ${shown(path)} (${caller.name}) ${JSON.stringify(headers)}\n    ${shown(body ?? '')}\n    → ${shown(given)}`;
}

function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
