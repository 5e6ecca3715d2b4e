import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/platform/mysql/database.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { createRetentionLoop, type Retention } from '../../src/engine/retention/retention-loop.js';
import type { RetentionPeriods } from '../../src/engine/retention/retention-steps.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { writeOutside } from './stores.js';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;

/** A retention of its own memory, as a process has one. */
export function buildRetention(
  database: Pick<Database, 'read' | 'transaction'>,
  periods: Partial<RetentionPeriods> = {},
): Retention {
  return createRetentionLoop({
    database,
    periods: { deadLetterDays: 14, auditDays: 365, ...periods },
    logger: createSilentLogger(),
  });
}

export interface TestRun {
  id: number;
  guid: string;
  storyId: number;
}

/** Puts rows into the database as old as they are wanted; ages are in seconds. */
export function retentionWorld(db: Database) {
  const insert = async (table: string, row: Record<string, SqlValue>, times: Record<string, number> = {}) => {
    const columns = [...Object.keys(row), ...Object.keys(times)];
    const holders = [...Object.keys(row).map(() => '?'), ...Object.keys(times).map(() => AGO)];
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${holders.join(', ')})`;
    const values = [...Object.values(row), ...Object.values(times)];
    return db.read(async (session) => (await session.run(sql, values)).insertId);
  };
  return {
    insert,
    story: (keep: number = 7 * DAY) =>
      insert('stories', {
        tenant_id: 1,
        team_id: 1,
        user_id: 1,
        name: 'Story',
        guid: hex(),
        schema_version: 3,
        language: 'liquid',
        keep_events_for: keep,
        extra: '{}',
      }),
    agent: (storyId: number, keep = 0) =>
      insert('agents', {
        story_id: storyId,
        position: 0,
        type: 'Agents::TriggerAgent',
        name: 'Agent',
        guid: hex(),
        options: '{}',
        keep_events_for: keep,
        extra: '{}',
      }),
    run: async (storyId: number, age: number, source = 'webhook'): Promise<TestRun> => {
      const guid = randomUUID();
      const id = await insert('story_runs', { guid, story_id: storyId, source }, { created_at: age });
      return { id, guid, storyId };
    },
    event: (run: TestRun, agentId: number, age: number) =>
      insert(
        'events',
        {
          story_run_guid: run.guid,
          story_id: run.storyId,
          agent_id: agentId,
          payload: '{"a":1}',
          lineage: '{}',
        },
        { created_at: age },
      ),
    /** A delivery as old as its run; a dead letter failed `age` ago. */
    delivery: (run: TestRun, eventId: number, state: string, age = 0) =>
      insert(
        'deliveries',
        {
          story_run_guid: run.guid,
          story_id: run.storyId,
          agent_id: 1,
          event_id: eventId,
          queue: 'trigger',
          state,
          depth: 1,
        },
        { due_at: age, ...(state === 'failed' ? { failed_at: age } : {}) },
      ),
    prompt: (run: TestRun, eventId: number, options: { expired?: number; used?: boolean } = {}) =>
      insert(
        'prompts',
        {
          id: hex(),
          story_run_guid: run.guid,
          story_id: run.storyId,
          agent_id: 1,
          event_id: eventId,
          awaited: false,
          called: false,
          depth: 1,
          status: 'yes',
        },
        { expires_at: options.expired ?? -DAY, ...(options.used === true ? { used_at: HOUR } : {}) },
      ),
    log: (agentId: number, age: number) =>
      insert(
        'agent_logs',
        { agent_id: agentId, story_run_guid: randomUUID(), level: 2, message: 'm' },
        { created_at: age },
      ),
    audit: (age: number) =>
      insert(
        'audit_logs',
        {
          guid: randomUUID(),
          tenant_id: 1,
          user_id: 1,
          user_email: 'a@b.test',
          key_id: 1,
          action: 'a',
          target_type: 't',
          method: 'PUT',
          path: '/',
          request_id: 'r',
        },
        { created_at: age },
      ),
    /** A call of `child` by a delivery of `parent`. */
    call: (child: TestRun, parent: TestRun, deliveryId: number) =>
      insert('story_calls', {
        story_run_guid: child.guid,
        caller_delivery_id: deliveryId,
        caller_run_guid: parent.guid,
        caller_story_id: parent.storyId,
        caller_agent_id: 1,
        caller_event_id: 1,
        caller_depth: 1,
        caller_awaited: false,
        caller_called: false,
        path: '1',
      }),
    /** Ids that are there, ascending. */
    ids: (table: string, key = 'id') =>
      db.read(async (session) => {
        const rows = await session.rows<{ id: number }>(`SELECT ${key} AS id FROM ${table} ORDER BY ${key}`);
        return rows.map(({ id }) => id);
      }),
    sql: (text: string, values: SqlValue[] = []) => writeOutside(db, text, values),
  };
}

const AGO = 'NOW(3) - INTERVAL ? SECOND';
const hex = () => randomUUID().replaceAll('-', '');

/** Hooks of a test on statements on their way to the server. */
export interface Watcher {
  before?(sql: string): Promise<void> | void;
  after?(sql: string, affectedRows: number): void;
  /** Gives an answer in the server's place. */
  instead?(sql: string): { affectedRows: number; insertId: number } | undefined;
}

/** The database, with every statement shown to `watcher`. */
export function watchedDatabase(db: Database, watcher: Watcher): Pick<Database, 'read' | 'transaction'> {
  const watched = (session: Session): Session => ({
    ...session,
    async rows<Row>(sql: string, values?: SqlValue[]) {
      await watcher.before?.(sql);
      return session.rows<Row>(sql, values);
    },
    async run(sql, values) {
      await watcher.before?.(sql);
      const response = watcher.instead?.(sql) ?? (await session.run(sql, values));
      watcher.after?.(sql, response.affectedRows);
      return response;
    },
  });
  return {
    read: (work) => db.read((session) => work(watched(session))),
    transaction: (work) => db.transaction((session) => work(watched(session))),
  };
}
