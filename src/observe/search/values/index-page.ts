import { setImmediate as breathe } from 'node:timers/promises';
import type { JsonValue } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { WalkPosition } from '../../backfill/position-store.js';
import { settledRows } from '../../backfill/settled-rows-store.js';
import type { WalkedPage } from '../../backfill/walk-page.js';
import { type FirstEvent, readFirstEvents, readPayloads } from './first-events-store.js';
import type { IsSecret } from './known-secrets.js';
import { leavesOf } from './payload-leaves.js';
import type { RunValues } from './run-value-store.js';
import { leafDigest } from './value-digest.js';

/** Runs of one page. */
const RUNS_AT_ONCE = 100;
/** Values of one run. */
const MOST_VALUES = 64;
/** Larger payloads are not indexed. */
const MOST_BYTES = 256 * 1024;
/** Payloads of one page together. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** The next runs, with their values; the position after them. */
export interface IndexPage extends WalkedPage {
  runs: number;
  values: RunValues[];
}

interface PageDeps {
  database: Pick<Database, 'read'>;
  secretsOf: (teamId: number) => Promise<IsSecret>;
  /** Younger runs are indexed later. */
  holdBackSeconds: number;
}

/** Reads the runs after a position, and changes nothing. Returns undefined if none can be indexed now. */
export async function readIndexPage(
  { afterId, afterAt }: WalkPosition,
  { database, secretsOf, holdBackSeconds }: PageDeps,
): Promise<IndexPage | undefined> {
  const { settled, runs } = await database.read(async (session) => {
    const rows = await readFirstEvents(session, { afterId, limit: RUNS_AT_ONCE, holdBackSeconds });
    const old = await settledRows(session, 'story_runs', { rows, afterId });
    return { settled: old, runs: cutByBytes(old) };
  });
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  const wanted = runs.filter(hasPayload);
  const ids = wanted.map(({ eventId }) => eventId);
  const payloads = await database.read((session) => readPayloads(session, ids));
  const values: RunValues[] = [];
  const secrets = new Map<number, IsSecret>();
  for (const { id, eventId, tenantId, teamId } of wanted) {
    const isSecret = secrets.get(teamId) ?? (await secretsOf(teamId));
    secrets.set(teamId, isSecret);
    const payload = payloads.get(eventId);
    if (payload === undefined) continue;
    values.push({ runId: id, eventId, digests: digestsIn(parsed(payload), { tenantId, isSecret }) });
    // A process may do other work beside this.
    await breathe();
  }
  const more = settled.length === RUNS_AT_ONCE || runs.length < settled.length;
  return { runs: runs.length, values, position: { afterId: last.id, afterAt }, more };
}

/** A payload is JSON when it is stored; one that is none has no values, and holds up nobody. */
function parsed(payload: string): JsonValue {
  try {
    return parseJson(payload);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

type WithPayload = FirstEvent & { eventId: number; tenantId: number; teamId: number };

function hasPayload(run: FirstEvent): run is WithPayload {
  const { eventId, tenantId, teamId, bytes } = run;
  return eventId !== null && tenantId !== null && teamId !== null && bytes !== null && bytes <= MOST_BYTES;
}

/** Returns the first of the runs, at least one, whose payloads may be read at once. */
function cutByBytes(runs: FirstEvent[]): FirstEvent[] {
  let sum = 0;
  const end = runs.findIndex((run, index) => {
    if (hasPayload(run)) sum += run.bytes ?? 0;
    return sum > PAGE_BYTES && index > 0;
  });
  return end === -1 ? runs : runs.slice(0, end);
}

/** Returns the digests of a payload's first values, each once, without secrets. */
function digestsIn(
  payload: JsonValue,
  { tenantId, isSecret }: { tenantId: number; isSecret: IsSecret },
): Buffer[] {
  const digests = new Map<string, Buffer>();
  for (const leaf of leavesOf(payload)) {
    if (digests.size >= MOST_VALUES) break;
    if (isSecret(leaf.text)) continue;
    const digest = leafDigest(tenantId, leaf);
    digests.set(digest.toString('hex'), digest);
  }
  return [...digests.values()];
}
