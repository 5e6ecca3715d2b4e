import { Pool } from 'undici';
import { loadBody } from './load-story.js';
import { type LoadResponse, NEVER_SENT, UNANSWERED } from './load-response.js';

/*
 * Calls a webhook at a steady rate, each call with a number of its own, and tells its parent what became of each. A
 * process of its own, so that the suite's own work does not hold it up.
 */
const [, , url = '', rateText = '200'] = process.argv;
const TICK_MS = 5;
const ANSWER_LIMIT_MS = 30_000;
/** More open calls than this are a generator that is not steady any more: it pauses, and says so. */
const MAX_OPEN = 4_000;
/** The server says itself that it does not know whether it took the event. */
const NOT_KNOWN = 504;
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: 500, connectTimeout: 5_000, headersTimeout: ANSWER_LIMIT_MS });
const open = new Set<Promise<void>>();
let next = 0;
let heldBack = 0;

async function callAndTell(number: number): Promise<void> {
  const response = await responseTo(number);
  process.send?.(response);
}

async function responseTo(number: number): Promise<LoadResponse> {
  const began = performance.now();
  const response = await call(number);
  return { number, ...response, answeredAtMs: Date.now(), tookMs: Math.round(performance.now() - began) };
}

async function call(number: number): Promise<Pick<LoadResponse, 'status' | 'guid' | 'saysWhen'>> {
  try {
    const { statusCode, headers, body } = await pool.request({
      path: pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(loadBody(number)),
    });
    await body.dump();
    const guid = headers['x-service-story-run'];
    return {
      status: statusCode === NOT_KNOWN ? UNANSWERED : statusCode,
      guid: typeof guid === 'string' ? guid : undefined,
      saysWhen: headers['retry-after'] !== undefined,
    };
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    return { status: NOT_CONNECTED.has(code) ? NEVER_SENT : UNANSWERED, guid: undefined, saysWhen: false };
  }
}

const began = performance.now();
const timer = setInterval(() => {
  const due = Math.floor(((performance.now() - began) / 1000) * Number(rateText));
  for (; next + heldBack < due; ) {
    if (open.size >= MAX_OPEN) {
      heldBack += 1;
      continue;
    }
    const running: Promise<void> = callAndTell(next).finally(() => open.delete(running));
    next += 1;
    open.add(running);
  }
}, TICK_MS);

async function finish(): Promise<void> {
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(open);
  process.send?.({ calls: next, heldBack, seconds }, () => process.exit(0));
}

process.on('message', () => void finish());
process.on('disconnect', () => process.exit(0));
