import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { messageOf } from '../../platform/errors.js';
import { isJsonObject } from '../../platform/json.js';
import type { Logger } from '../../platform/logger.js';
import { addressedThing, type AuditEntry, auditEntry, namedPlace } from './audit-entry.js';
import type { AuditedWrite } from '../../api/face.js';
import { type AuditedChange, auditedChanges, withoutUnnamed } from './audited-changes.js';
import { type AuditedState, findAuditedState, isWatched } from './audited-state-store.js';
import { findAuditedTeam, hasTeam } from './audited-team-store.js';
import { insertAuditEntry } from './audit-store.js';

/** A response waits at most this long for its entry; after that the entry is stored in the background. */
const ANSWER_WAIT_MS = 1_000;
/** Time to store entries at shutdown; those not stored by then are given up. */
const DRAIN_MS = 5_000;
/** Maximum number of entries that wait for the database; further ones are logged instead of stored. */
const MAX_PENDING = 1_000;

export interface AuditTrailDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
  /** Called when an entry of a tenant was stored. */
  onStored?: (tenantId: number) => void;
}

type LookedWrite = Pick<AuditedWrite, 'action' | 'actor' | 'params' | 'body' | 'targetId'>;

/** A thing as it was before a write; `state` undefined: the log keeps no changes of it. */
class LookedState {
  constructor(
    readonly thing: { type: string; id: number; teamId: number | undefined; tenantId: number },
    readonly state: AuditedState | undefined,
  ) {}
}

/** Changes of these kinds are compared with the state before. */
const LOOKED = /\.(?:update|disable|deactivate|delete|remove|append|replace|add_recipient|remove_recipient)$/;
/** After these changes the thing is gone, and its team can no longer be found. */
const ENDS = /\.(?:delete|drop)$/;

/** Writes the audit log. */
export interface AuditTrail {
  /**
   * Stores the entry of one write. Never throws: the write has succeeded, and its response must say so. Retries for
   * a minute or two while the database is unreachable. An entry that cannot be stored is logged completely, as an error.
   */
  record(write: AuditedWrite): Promise<void>;
  /** Returns the state of the thing that a write is about to change, or its team; undefined if the log keeps neither. */
  look(write: LookedWrite): Promise<LookedState | undefined>;
  /** Resolves within seconds, when every entry is stored or given up. */
  drain(): Promise<void>;
}

/** Creates the trail of one web process. */
export function createAuditTrail({ database, logger, onStored }: AuditTrailDeps): AuditTrail {
  const pending = new Map<Promise<void>, AuditEntry>();

  const lost = (entry: AuditEntry, reason: string) =>
    logger.error('could not store an audit log entry', { entry, error: reason });

  /** Read once, right after the write: later, what others changed meanwhile would be part of it. */
  const changesIn = async ({ action, before, body }: AuditedWrite): Promise<AuditedChange[] | null> => {
    if (!(before instanceof LookedState) || before.state === undefined) return null;
    const { thing, state } = before;
    try {
      const after = await database.read((session) => findAuditedState(thing.type, thing, session));
      return withoutUnnamed(auditedChanges(state, after), action, body);
    } catch (error) {
      logger.warn('could not compare the states of a change', { action, error: messageOf(error) });
      return null;
    }
  };

  /** The team of a thing that was there before, or of the story or action that the write names. */
  const teamOf = async (write: AuditedWrite): Promise<number | null> => {
    const { action, actor, before } = write;
    if (before instanceof LookedState && before.thing.teamId !== undefined) return before.thing.teamId;
    const place = namedPlace(write);
    if (place === undefined) return null;
    try {
      const found = await retryTransient(() =>
        database.read((session) => findAuditedTeam(session, actor.tenantId, place)),
      );
      return found ?? null;
    } catch (error) {
      logger.warn('could not find the team of a change', { action, error: messageOf(error) });
      return null;
    }
  };

  const store = async (entry: AuditEntry, write: AuditedWrite): Promise<void> => {
    try {
      const changes = await changesIn(write);
      const teamId = entry.teamId ?? (await teamOf(write));
      await retryTransient(() =>
        database.read((session) => insertAuditEntry({ ...entry, teamId, changes }, session)),
      );
      onStored?.(entry.tenantId);
    } catch (error) {
      lost(entry, messageOf(error));
    }
  };

  return {
    async look({ action, actor, params, body, targetId }) {
      const thing = addressedThing({ action, params, targetId });
      if (thing === undefined) return undefined;
      const isLooked = LOOKED.test(action) && (targetId !== undefined || !isOfDraft(body));
      const keepsChanges = isLooked && isWatched(thing.type);
      const needsTeam = thing.teamId === undefined && ENDS.test(action) && hasTeam(thing.type);
      if (!keepsChanges && !needsTeam) return undefined;
      const { tenantId } = actor;
      try {
        return await database.read(async (session) => {
          const teamId = needsTeam ? await findAuditedTeam(session, tenantId, thing) : thing.teamId;
          const wanted = { ...thing, tenantId, teamId };
          const state = keepsChanges ? await findAuditedState(thing.type, wanted, session) : undefined;
          return state === undefined && teamId === undefined ? undefined : new LookedState(wanted, state);
        });
      } catch (error) {
        // The write itself fails too, or its entry has no changes.
        logger.warn('could not read the state before a change', { action, error: messageOf(error) });
        return undefined;
      }
    },

    async record(write) {
      const entry = auditEntry(write);
      if (pending.size >= MAX_PENDING) {
        lost(entry, 'too many entries are waiting');
        return;
      }
      const stored = store(entry, write).finally(() => pending.delete(stored));
      pending.set(stored, entry);
      await atMost(ANSWER_WAIT_MS, stored);
    },
    async drain() {
      await atMost(DRAIN_MS, Promise.all(pending.keys()));
      for (const entry of pending.values()) lost(entry, 'the process is stopping');
    },
  };
}

/** Whether a write changes a draft of the thing that its path names. */
const isOfDraft = (body: unknown) => isJsonObject(body) && (body['draft_id'] ?? null) !== null;

/** Waits for `work`, which never rejects, but at most `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  done.abort();
}
