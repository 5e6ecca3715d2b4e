import { type Actor, canWrite, visibleTeamIds } from '../../../api/face.js';
import { findEndingCredentials, findUnconnected } from '../../../data/face.js';
import type { ReadQueueHealth } from '../../../engine/face.js';
import type { DeadLetterService } from '../../../observe/face.js';
import { findEndingKeys, type QuotaService } from '../../../people/face.js';
import { messageOf, Unavailable } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { findTroubledRepositories, findTroubledSchedules, lastChangesBefore } from '../../../stories/face.js';
import type { ReadRefusedWebhooks } from '../../../web/face.js';
import type { CountWork } from '../queues/counted-work.js';
import { keyEntries } from './api-key-entries.js';
import { credentialEntries } from './credential-entries.js';
import { failureEntries } from './failure-entries.js';
import { heldEntries } from './held-entries.js';
import { byUrgency, INBOX_KINDS, type InboxEntry, type InboxKind } from './inbox-entry.js';
import { findNamesOfActions } from './inbox-mark-store.js';
import { BEHIND_MS, createKeptParts } from './kept-inbox-parts.js';
import { quotaEntries } from './quota-entries.js';
import { repositoryEntries } from './repository-entries.js';
import { createRestedTurns, type TakeTurn } from './rested-turns.js';
import type { NoteEntries } from './history/inbox-history.js';
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
  /** A part is older than a minute. */
  isBehind: boolean;
  /** The time at which the oldest part was read. */
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
  /** Notes what was read of a kind, for the history, in the background. Never throws. */
  note: NoteEntries;
  logger: Logger;
}

/** The entries of one kind; `isComplete`: there are no more. */
export interface InboxPart {
  entries: InboxEntry[];
  isComplete?: boolean;
  /** The time at which they were read; absent: now. */
  readAt?: Date;
}

/** Newest dead letters of the reader's teams that are read. */
const MOST_LETTERS = 100_000;
/** Groups of dead letters, and things of each other kind. */
const MOST_GROUPS = 200;
const MOST_THINGS = 100;
/** A kind of which nothing is known is left out if reading it takes longer. */
const LIMIT_MS = 5_000;
/** If reading a kind takes longer, its older entries are returned. */
const PATIENCE_MS = 1_000;
/** Entries are forgotten after this time. */
const MOST_OLD_MS = 600_000;
/** Entries serve callers with the same rights for so long, and for at least so many times as long as reading them took. */
const LEAST_MS = 1_000;
const MOST_MS = 60_000;
const REST_PER_READING = 20;
/** Failures are read for one set of rights at a time; its tenant rests for at most this. */
const MOST_REST_MS = 60_000;

/** Reads the entries that a caller may see. */
export interface InboxReader {
  /** Returns all of them: mostly some seconds old; `checkedAt` tells when they are older. */
  all: (actor: Actor) => Promise<InboxEntries>;
  /** Returns those of one kind as they are now, or were within a minute if that takes too long. @throws Unavailable without them. */
  kind: (actor: Actor, kind: InboxKind) => Promise<InboxEntry[]>;
  /** Returns those of one kind, read since the call. Failures take too long for that. @throws Unavailable without them. */
  anew: (actor: Actor, kind: Exclude<InboxKind, 'failures'>) => Promise<InboxEntry[]>;
}

const keyOf = (actor: Actor, kind: InboxKind) => `${kind} ${scopeOf(actor, kind)}`;

/** Creates the reader. Callers with the same rights share what was read. */
export function createInboxReader(deps: InboxEntriesDeps): InboxReader {
  const parts = createKeptParts<InboxPart>({
    freshMs: (tookMs) => Math.min(MOST_MS, Math.max(LEAST_MS, REST_PER_READING * tookMs)),
    patienceMs: PATIENCE_MS,
    limitMs: LIMIT_MS,
    mostOldMs: MOST_OLD_MS,
  });
  const takeTurn = createRestedTurns(REST_PER_READING, MOST_REST_MS);
  const readerOf = (actor: Actor, kind: InboxKind) => async (): Promise<InboxPart> => {
    const readAt = new Date();
    const part = await readersOf(actor, deps, takeTurn)[kind]();
    deps.note(actor, kind, { readAt, ...part });
    return part;
  };
  return {
    async all(actor) {
      const unread: InboxKind[] = [];
      const found = await Promise.all(
        INBOX_KINDS.map((kind) =>
          parts.shared(keyOf(actor, kind), readerOf(actor, kind)).catch((error: unknown) => {
            deps.logger.info('could not read a part of an inbox', { kind, error: messageOf(error) });
            unread.push(kind);
            return { entries: [], isComplete: false, readAt: new Date() };
          }),
        ),
      );
      const checkedAt = Math.min(...found.map(({ readAt }) => readAt.getTime()));
      return {
        entries: found.flatMap(({ entries }) => entries).toSorted(byUrgency),
        isComplete: found.every(({ isComplete = true }) => isComplete),
        unread,
        isBehind: Date.now() - checkedAt > BEHIND_MS,
        checkedAt: new Date(checkedAt),
      };
    },
    kind: (actor, kind) => entriesOf(parts.current(keyOf(actor, kind), readerOf(actor, kind))),
    anew: (actor, kind) => entriesOf(parts.next(keyOf(actor, kind), readerOf(actor, kind))),
  };
}

/** Returns the entries of a part. @throws Unavailable if it could not be read. */
async function entriesOf(reading: Promise<InboxPart>): Promise<InboxEntry[]> {
  const { entries } = await reading.catch((error: unknown) => {
    throw new Unavailable('The inbox could not be read in time', { cause: error });
  });
  return entries;
}

/** Texts of errors differ by what the actor may do in a team; keys are of a person, or of all Owners. */
function scopeOf(actor: Actor, kind: InboxKind): string {
  const { tenantId, userId, isOwner } = actor;
  if (kind === 'api_key') return `${tenantId}:${userId}:${isOwner}`;
  const teams = visibleTeamIds(actor).toSorted((a, b) => a - b);
  return `${tenantId}:${teams.map((id) => `${id}${canWrite(actor, id) ? 'w' : 'r'}`).join()}`;
}

function readersOf(
  actor: Actor,
  deps: InboxEntriesDeps,
  takeTurn: TakeTurn,
): Record<InboxKind, () => Promise<InboxPart>> {
  const scope = { tenantId: actor.tenantId, teamIds: visibleTeamIds(actor) };
  const { database } = deps;
  return {
    failures: () => takeTurn(actor.tenantId, () => readFailures(actor, deps)),
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
    repository: async () =>
      bounded(repositoryEntries(await database.read((s) => findTroubledRepositories(s, scope, MOST_THINGS)))),
    api_key: async () =>
      bounded(keyEntries(await database.read((s) => findEndingKeys(s, actor, MOST_THINGS)))),
  };
}

function bounded(entries: InboxEntry[]): InboxPart {
  return { entries, isComplete: entries.length < MOST_THINGS };
}

async function readFailures(actor: Actor, { deadLetters, database }: InboxEntriesDeps): Promise<InboxPart> {
  const readAt = new Date();
  const bounds = { within: { found: MOST_LETTERS }, most: MOST_GROUPS };
  const { groups, complete } = await deadLetters.groups(actor, { agentIds: [] }, bounds);
  const times = groups.map(({ storyId, firstAt }) => ({ storyId, time: firstAt }));
  const changes = await database.read((session) => lastChangesBefore(times, session));
  return { entries: failureEntries(groups, changes), isComplete: complete, readAt };
}

async function readHeld(
  { teamIds }: { teamIds: readonly number[] },
  { work, states, database, nowMs }: InboxEntriesDeps,
): Promise<InboxPart> {
  const [counted, known, now] = await Promise.all([work(), states(), nowMs()]);
  if (counted === null) throw new Error('deliveries could not be counted');
  const teams = new Set(teamIds);
  const { entries, isComplete } = await heldEntries(
    counted.counts.filter(({ teamId }) => teams.has(teamId)),
    {
      states: known,
      nowMs: now,
      findNames: (ids) => database.read((session) => findNamesOfActions(session, ids)),
    },
  );
  return { entries, isComplete, readAt: counted.countedAt };
}
