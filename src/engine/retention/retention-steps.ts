import {
  clearAudit,
  clearLogs,
  countOldDeadLetters,
  countOldPrompts,
  deleteOldDeadLetters,
  deleteOldPrompts,
  findLogOwners,
} from './stores/expiry-retention-store.js';
import {
  clearEvents,
  clearInputs,
  findEventOwners,
  findInputOwners,
} from './stores/event-retention-store.js';
import {
  ENDED_LINKS,
  ENDED_SESSIONS,
  OLD_CANARIES,
  OLD_IDEMPOTENCY_KEYS,
  OLD_SHADOWS,
  OLD_INBOX_HISTORY,
  OLD_INBOX_MARKS,
} from './stores/expired-rows-store.js';
import {
  clearItems,
  clearMarks,
  deleteMemoryPage,
  clearSchedules,
} from './stores/leftover-retention-store.js';
import type { Config } from '../../config/face.js';
import type { Session } from '../../platform/mysql/session.js';
import { walkRemoval } from './finish-removal.js';
import { endRemoval, findRemovals, removeRows } from './stores/removal-store.js';
import type { RetentionKind } from './retention-kind.js';
import type { RetentionRound } from './retention-round.js';
import { FIRST_ROW } from './stores/retention-rows-store.js';
import { clearOwned, clearRows, type ClearPage, type OwnedRows, type SettledRows } from './retention-walk.js';
import { clearDeadLettersOfStory, clearRuns, findRunOwners } from './stores/run-retention-store.js';

/** Retention periods that are configured for the server, not by story. */
export interface RetentionPeriods {
  deadLetterDays: number;
  /** 0: never deleted. */
  auditDays: number;
}

/** Returns the configured periods. */
export function periodsOf(
  config: Pick<Config, 'deadLetterRetentionDays' | 'auditRetentionDays'>,
): RetentionPeriods {
  return { deadLetterDays: config.deadLetterRetentionDays, auditDays: config.auditRetentionDays };
}

/** One part of a pass. */
export type RetentionStep = (round: RetentionRound) => Promise<void>;

/**
 * THE list of steps. The order matters: dead letters keep the events of their run, events keep their run. Between passes
 * steps remember due rows that had to stay; a thorough pass checks them again.
 */
export function createRetentionSteps({ deadLetterDays, auditDays }: RetentionPeriods): RetentionStep[] {
  return [
    finishRemovals,
    expired('dead_letters', {
      count: (session) => countOldDeadLetters(session, deadLetterDays),
      clear: (session, limit, { onlyArchived }) =>
        deleteOldDeadLetters(session, limit, { days: deadLetterDays, onlyArchived }),
    }),
    owned({ kind: 'dead_letters', ...ofStories, clear: clearDeadLettersOfStory }),
    expired('prompts', { count: countOldPrompts, clear: deleteOldPrompts }),
    owned({ kind: 'events', ...ofAgents('events'), owners: findEventOwners, clear: clearEvents }),
    owned({ kind: 'events', ...ofStories, owners: findInputOwners, clear: clearInputs }),
    owned({ kind: 'logs', ...ofAgents('agent_logs'), owners: findLogOwners, clear: clearLogs }),
    owned({ kind: 'runs', ...ofStories, owners: findRunOwners, clear: clearRuns }),
    owned({ kind: 'deduplicated_values', ...memory('deduplicated_values') }),
    owned({ kind: 'memory', ...memory('agent_memory') }),
    expired('sign_ins', ENDED_SESSIONS),
    expired('sign_ins', ENDED_LINKS),
    expired('idempotency_keys', OLD_IDEMPOTENCY_KEYS),
    expired('inbox_marks', OLD_INBOX_MARKS),
    expired('inbox_history', OLD_INBOX_HISTORY),
    expired('canaries', OLD_CANARIES),
    expired('shadows', OLD_SHADOWS),
    leftover('schedules', clearSchedules),
    leftover('implode_items', clearItems),
    leftover('event_marks', clearMarks),
    ...(auditDays === 0 ? [] : [audit(auditDays)]),
  ];
}

/** Requested removals in one pass; the others follow in the next one. */
const REMOVALS_AT_ONCE = 100;

/** Goes on with removals that took longer than their request. */
const finishRemovals: RetentionStep = async (round) => {
  if (round.countOnly) return;
  for (const removal of await round.look((session) => findRemovals(session, REMOVALS_AT_ONCE))) {
    await walkRemoval(({ afterId }) =>
      round.batch(removal.kind, (session, limit) => removeRows(session, removal, { afterId, limit })),
    );
    await round.batch(removal.kind, async (session) => {
      await endRemoval(session, removal);
      return { deleted: 0 };
    });
  }
};

const ofStories = { owner: 'stories', place: { table: 'story_runs', column: 'story_id' } } as const;

function ofAgents(table: string) {
  return { owner: 'agents', place: { table, column: 'agent_id' } } as const;
}

function memory(table: 'agent_memory' | 'deduplicated_values') {
  const clear: ClearPage = (session, page) => deleteMemoryPage(session, table, page);
  return { ...ofAgents(table), clear };
}

function owned(rows: OwnedRows): RetentionStep {
  const settled: SettledRows = new Map();
  return (round) => {
    if (round.thorough) settled.clear();
    return clearOwned(rows, settled, round);
  };
}

/** Rows with an index by expiry. */
interface Expired {
  count: (session: Session) => Promise<number>;
  /** Deletes up to `limit` rows; returns the number. */
  clear: (session: Session, limit: number, round: RetentionRound) => Promise<number>;
}

function expired(kind: RetentionKind, { count, clear }: Expired): RetentionStep {
  return async (round) => {
    if (round.countOnly) return round.count(kind, await round.look(count));
    for (let deleted = 1; deleted > 0; )
      ({ deleted } = await round.batch(kind, async (session, limit) => ({
        deleted: await clear(session, limit, round),
      })));
  };
}

/** A step for a small table that is scanned for rows of deleted owners. */
function leftover(kind: RetentionKind, clear: ClearPage): RetentionStep {
  return async (round) => {
    if (round.thorough)
      await clearRows({ kind, clear }, { ownerId: 0, after: FIRST_ROW, probe: false }, round);
  };
}

function audit(days: number): RetentionStep {
  const clear: ClearPage = (session, page) => clearAudit(session, page, days);
  return async (round) => {
    await clearRows({ kind: 'audit_logs', clear }, { ownerId: 0, after: FIRST_ROW, probe: true }, round);
  };
}
