import { LRUCache } from 'lru-cache';
import { type Actor, canWrite, visibleTeamIds } from '../../../api/face.js';
import { findEndingCredentials, findUnconnected } from '../../../data/face.js';
import type { ReadQueueHealth } from '../../../engine/face.js';
import type { DeadLetterService } from '../../../observe/face.js';
import type { QuotaService } from '../../../people/face.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { findTroubledSchedules, lastChangesBefore } from '../../../stories/face.js';
import type { ReadRefusedWebhooks } from '../../../web/face.js';
import type { CountWork } from '../queues/counted-work.js';
import { credentialEntries } from './credential-entries.js';
import { failureEntries } from './failure-entries.js';
import { heldEntries } from './held-entries.js';
import { byUrgency, INBOX_KINDS, type InboxEntry, type InboxKind } from './inbox-entry.js';
import { findNamesOfActions } from './inbox-mark-store.js';
import { quotaEntries } from './quota-entries.js';
import { createRestedTurns } from './rested-turns.js';
import { scheduleEntries } from './late-schedule-entries.js';
import { webhookEntries } from './webhook-entries.js';

/** All entries that one caller may see. */
export interface InboxEntries {
  /** The most urgent first. */
  entries: InboxEntry[];
  /** False: there are more. */
  isComplete: boolean;
  /** Kinds that could not be read. */
  unread: InboxKind[];
  checkedAt: Date;
}

export interface InboxEntriesDeps {
  database: Pick<Database, 'read'>;
  work: CountWork;
  states: ReadQueueHealth;
  deadLetters: Pick<DeadLetterService, 'groups'>;
  quotas: Pick<QuotaService, 'usage'>;
  refusals: ReadRefusedWebhooks;
  /** Returns the database's time. */
  nowMs: () => Promise<number>;
  logger: Logger;
}

/** The entries of one kind; `isComplete`: there are no more. */
interface Part {
  entries: InboxEntry[];
  isComplete?: boolean;
}

/** Dead letters of the installation that are read. */
const MOST_LETTERS = 100_000;
/** Groups of dead letters, and things of each other kind. */
const MOST_GROUPS = 200;
const MOST_THINGS = 100;
/** A kind that takes longer is left out. */
const LIMIT_MS = 5_000;
/** Entries serve all callers with the same rights so long, and at least so many times as long as reading them took. */
const LEAST_MS = 5_000;
const MOST_MS = 60_000;
const REST_PER_READING = 20;
const MOST_SCOPES = 500;
/** Failures wait their turn so long if older ones are known, which serve for so long. */
const PATIENCE_MS = 1_000;
const MOST_OLD_MS = 600_000;

/** Reads the entries that a caller may see. */
export interface InboxReader {
  /** Returns all of them, at most a minute old, mostly some seconds. */
  all: (actor: Actor) => Promise<InboxEntries>;
  /** Returns those of one kind as they are now. @throws Error if it takes too long. */
  kind: (actor: Actor, kind: InboxKind) => Promise<InboxEntry[]>;
}

/** Creates the reader. Callers with the same rights share what was read. */
export function createInboxReader(deps: InboxEntriesDeps): InboxReader {
  const known = new LRUCache<string, Promise<InboxEntries>>({ max: MOST_SCOPES, ttl: MOST_MS });
  const withFailures = { ...deps, failures: createFailures(deps) };
  return {
    all(actor) {
      const scope = scopeOf(actor);
      const found = known.get(scope);
      if (found !== undefined) return found;
      const beganAt = performance.now();
      const reading = readAll(actor, withFailures);
      known.set(scope, reading);
      const settle = () => {
        const took = performance.now() - beganAt;
        const ttl = Math.min(MOST_MS, Math.max(LEAST_MS, REST_PER_READING * took));
        known.set(scope, reading, { ttl });
      };
      reading.then(settle, () => known.delete(scope));
      return reading;
    },
    async kind(actor, kind) {
      const { entries } = await withTimeout(readersOf(actor, withFailures)[kind](), LIMIT_MS);
      return entries;
    },
  };
}

/**
 * Creates the reader of failures: one set of rights at a time, so that many of them cost no more than a small part of the
 * database's time. A caller whose turn does not come in time gets what was read last.
 */
function createFailures(deps: InboxEntriesDeps): (actor: Actor) => Promise<Part> {
  const turns = createRestedTurns(REST_PER_READING);
  const awaited = new Map<string, Promise<Part>>();
  const last = new LRUCache<string, Part>({ max: MOST_SCOPES, ttl: MOST_OLD_MS });
  return async (actor) => {
    const scope = scopeOf(actor);
    const read = async () => {
      const part = await readFailures(actor, deps);
      last.set(scope, part);
      return part;
    };
    const turn = awaited.get(scope) ?? turns(read).finally(() => awaited.delete(scope));
    awaited.set(scope, turn);
    const older = last.get(scope);
    return older === undefined
      ? turn
      : withTimeout(turn, PATIENCE_MS).catch(() => ({ ...older, isComplete: false }));
  };
}

/** Texts of errors differ by what the actor may do in a team. */
function scopeOf(actor: Actor): string {
  const teams = visibleTeamIds(actor).toSorted((a, b) => a - b);
  return `${actor.tenantId}:${teams.map((id) => `${id}${canWrite(actor, id) ? 'w' : 'r'}`).join()}`;
}

type Failures = { failures: (actor: Actor) => Promise<Part> };

function readersOf(actor: Actor, deps: InboxEntriesDeps & Failures): Record<InboxKind, () => Promise<Part>> {
  const scope = { tenantId: actor.tenantId, teamIds: visibleTeamIds(actor) };
  const { database } = deps;
  return {
    failures: () => deps.failures(actor),
    held: () => readHeld(scope, deps),
    quota: async () => ({ entries: quotaEntries(await deps.quotas.usage(actor)) }),
    schedule: async () =>
      bounded(scheduleEntries(await database.read((s) => findTroubledSchedules(s, scope, MOST_THINGS)))),
    webhook: async () => bounded(webhookEntries(await deps.refusals(scope, MOST_THINGS))),
    credential: () =>
      database.read(async (session) => {
        const unconnected = await findUnconnected(session, scope, MOST_THINGS);
        return bounded(
          credentialEntries(unconnected, await findEndingCredentials(session, scope, MOST_THINGS)),
        );
      }),
  };
}

async function readAll(actor: Actor, deps: InboxEntriesDeps & Failures): Promise<InboxEntries> {
  const readers = readersOf(actor, deps);
  const unread: InboxKind[] = [];
  const parts = await Promise.all(
    INBOX_KINDS.map((kind) =>
      withTimeout(readers[kind](), LIMIT_MS).catch((error: unknown): Part => {
        deps.logger.info('could not read a part of an inbox', { kind, error: messageOf(error) });
        unread.push(kind);
        return { entries: [], isComplete: false };
      }),
    ),
  );
  return {
    entries: parts.flatMap(({ entries }) => entries).toSorted(byUrgency),
    isComplete: parts.every(({ isComplete = true }) => isComplete),
    unread,
    checkedAt: new Date(),
  };
}

function bounded(entries: InboxEntry[]): Part {
  return { entries, isComplete: entries.length < MOST_THINGS };
}

async function readFailures(actor: Actor, { deadLetters, database }: InboxEntriesDeps): Promise<Part> {
  const bounds = { within: { newest: MOST_LETTERS }, most: MOST_GROUPS };
  const { groups, complete } = await deadLetters.groups(actor, { agentIds: [] }, bounds);
  const times = groups.map(({ storyId, firstAt }) => ({ storyId, time: firstAt }));
  const changes = await database.read((session) => lastChangesBefore(times, session));
  return {
    entries: failureEntries(groups, changes),
    isComplete: complete,
  };
}

async function readHeld(
  { teamIds }: { teamIds: readonly number[] },
  { work, states, database, nowMs }: InboxEntriesDeps,
): Promise<Part> {
  const [counted, known, now] = await Promise.all([work(), states(), nowMs()]);
  if (counted === null) throw new Error('deliveries could not be counted');
  const teams = new Set(teamIds);
  return heldEntries(
    counted.counts.filter(({ teamId }) => teams.has(teamId)),
    {
      states: known,
      nowMs: now,
      findNames: (ids) => database.read((session) => findNamesOfActions(session, ids)),
    },
  );
}
