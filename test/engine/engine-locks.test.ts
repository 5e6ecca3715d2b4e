import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { POOL_IDLE_MS } from '../../src/platform/mysql/connections/connection-settings.js';
import { isLockConflict } from '../../src/platform/mysql/db-errors.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { ClaimOutcome } from '../../src/engine/state/outcome.js';
import { leaseParked } from '../../src/engine/implode/parked-store.js';
import {
  type DueDelivery,
  leaseDue,
  nextGeneration,
  postpone,
  setAside,
} from '../../src/engine/recovery/relay-store.js';
import { deleteDeadLetters, reviveDeadLetters } from '../../src/engine/recovery/dead-letter-store.js';
import {
  consumeTokens,
  type DeliveryRow,
  type DeliveryUpdate,
  updateDeliveries,
} from '../../src/engine/state/deliveries/delivery-store.js';
import { holdDeliveries, lockHeld, passOver, releaseHeld } from '../../src/engine/dispatch/held-store.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { done, outputs, recordingWriter, storeDeliveries } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LOCK_WAIT_MS = 3_000;
/** A deadlock is found at once; only waits that a busy machine makes long are let go on by this. */
const PATIENT_SECONDS = 25;

/** A second pool, as another process has it. */
function openDatabase(): Database {
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 4, logger: createSilentLogger() });
  stores.onClose(() => database.close());
  return database;
}

/** The database, with every transaction that others got in the way of for good. */
function counting(database: Database) {
  const conflicts: unknown[] = [];
  type Transaction = Database['transaction'];
  const counted =
    (begin: Transaction): Transaction =>
    async (work) => {
      try {
        return await begin(async (session) => {
          await session.run('SET SESSION innodb_lock_wait_timeout = ?', [PATIENT_SECONDS]);
          return work(session);
        });
      } catch (error) {
        if (isLockConflict(error)) conflicts.push(error);
        throw error;
      }
    };
  return {
    conflicts,
    database: {
      ...database,
      transaction: counted((work) => database.transaction(work)),
      groupTransaction: counted((work) => database.groupTransaction(work)),
    },
  };
}

const known = ({ id, generation }: DeliveryRow): DueDelivery => ({
  id,
  generation,
  queue: 'trigger',
  storyId: 1,
  state: 'pending',
  losses: 0,
});
const job = ({ id, generation }: DeliveryRow) => ({
  deliveryId: id,
  generation,
  queue: 'trigger' as const,
  storyId: 1,
});
const idsOf = (rows: DeliveryRow[]) => rows.map(({ id }) => id);
const update = (
  session: Session,
  rows: DeliveryRow[],
  change: Pick<DeliveryUpdate, 'state' | 'attempt' | 'delayMs' | 'error'>,
) =>
  updateDeliveries(
    session,
    rows.map(({ id }) => ({ id, generation: 0, ...change })),
  );

describe('a row that another process has locked is in the way of nobody who works on others', () => {
  const actions: Record<string, (session: Session, rows: DeliveryRow[]) => Promise<unknown>> = {
    'tokens are consumed': (session, rows) => consumeTokens(session, idsOf(rows)),
    'attempts have failed': (session, rows) =>
      update(session, rows, { state: 'waiting', attempt: 1, delayMs: 1_000, error: 'no' }),
    'they are parked': (session, rows) =>
      update(session, rows, { state: 'parked', attempt: 0, delayMs: 1_000, error: null }),
    'jobs are given anew': (session, rows) => nextGeneration(session, rows.map(known), new Set()),
    'jobs were found': (session, rows) => postpone(session, rows.map(known)),
    'they are set aside': (session, rows) => setAside(session, rows.map(known)),
    'they are held back': (session, rows) =>
      holdDeliveries(
        session,
        rows.map((row) => ({ ...job(row), turnMs: 1 })),
      ),
    'they are fed': (session, rows) => releaseHeld(session, idsOf(rows)),
    'they are passed over': (session, rows) => passOver(session, idsOf(rows)),
    'they are sent again': (session, rows) => reviveDeadLetters(session, rows.map(known), 30),
    'they are dropped': (session, rows) => deleteDeadLetters(session, rows.map(known)),
  };

  test.each(Object.entries(actions))('%s', async (_what, act) => {
    // A table this small is scanned when the server is free to choose.
    const rows = await storeDeliveries(stores.db, 6);
    const began = Date.now();
    await openDatabase().transaction(async (other) => {
      for (const { id } of [rows[0]!, rows[5]!])
        await other.rows('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', [id]);
      await stores.db.transaction((session) => act(session, rows.slice(1, 5)));
    });
    expect(Date.now() - began).toBeLessThan(LOCK_WAIT_MS);
  });
});

test.each<[string, (session: Session) => Promise<unknown[]>]>([
  ['pending', (session) => leaseDue(session, 10)],
  ['parked', (session) => leaseParked(session, 10)],
  ['held', (session) => lockHeld(session, 10)],
])(
  'who looks for what is due among %s deliveries passes over what another has in hand',
  async (state, look) => {
    const rows = await storeDeliveries(stores.db, 6);
    await stores.sql('UPDATE deliveries SET state = ?, due_at = NOW(3) - INTERVAL 1 SECOND', [state]);
    const began = Date.now();
    await openDatabase().transaction(async (other) => {
      for (const { id } of [rows[0]!, rows[5]!])
        await other.rows('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', [id]);
      expect(await stores.db.transaction(look)).toHaveLength(4);
    });
    expect(Date.now() - began).toBeLessThan(LOCK_WAIT_MS);
  },
);

/**
 * Two processes, one from the beginning and one from the end, come upon the row in the middle, which a third has locked;
 * then it lets go. Who has taken locks in another order than the other holds what that one waits for.
 */
async function meet(
  third: { sql: string; values: (string | number)[] },
  waitingFor: string,
  work: (database: Database, inOrder: <T>(items: T[]) => T[]) => Promise<unknown>,
) {
  const processes = [counting(stores.db), counting(openDatabase())];
  const under: Promise<unknown>[] = [];
  await openDatabase().transaction(async (session) => {
    expect(await session.rows(third.sql, third.values)).toHaveLength(1);
    under.push(
      work(processes[0]!.database, (items) => items),
      work(processes[1]!.database, (items) => items.toReversed()),
    );
    await eventually(async () => (await running(waitingFor)) === 2);
  });
  await Promise.all(under);
  expect(processes.flatMap(({ conflicts }) => conflicts)).toEqual([]);
}

/** Statements under way in this test's database that begin so. */
const running = (beginning: string) =>
  stores.db.read(async (session) => {
    const [here] = await session.rows<{ name: string }>('SELECT DATABASE() AS name');
    const all = await session.rows<{ db: string; Info: string | null }>('SHOW FULL PROCESSLIST');
    return all.filter(({ db, Info }) => db === here!.name && Info?.trimStart().startsWith(beginning) === true)
      .length;
  });

describe('two processes with the same work, one from its beginning and one from its end', () => {
  test('never stand in a deadlock over tokens', async () => {
    const deliveries = await storeDeliveries(stores.db, 3);
    const middle = {
      sql: 'SELECT id FROM deliveries WHERE id = ? FOR UPDATE',
      values: [deliveries[1]!.id],
    };
    await meet(middle, 'DELETE d', (database, inOrder) => {
      const { writer } = recordingWriter(database);
      return Promise.all(inOrder(deliveries).map((delivery) => writer.submit(done(delivery, '{}', 0))));
    });
    expect(await outputs(stores.db)).toHaveLength(3);
  });

  test('never stand in a deadlock over what actions remember', async () => {
    const claimsFor = async (digit: string) =>
      (await storeDeliveries(stores.db, 3)).map((row, index) =>
        claim({ ...row, agentId: 101 + index }, digit),
      );
    await Promise.all((await claimsFor('0')).map((each) => recordingWriter(stores.db).writer.submit(each)));
    const works = [await claimsFor('1'), await claimsFor('2')];
    const middle = { sql: 'SELECT name FROM agent_memory WHERE agent_id = ? FOR UPDATE', values: [102] };
    await meet(middle, 'SELECT value FROM agent_memory', (database, inOrder) => {
      const { writer } = recordingWriter(database);
      return Promise.all(inOrder(works.pop()!).map((each) => writer.submit(each)));
    });
    expect(await outputs(stores.db)).toHaveLength(9);
  });

  test('never stand in a deadlock over the responses of runs', async () => {
    const mine = await storeDeliveries(stores.db, 3, { awaited: true });
    const others = await storeDeliveries(stores.db, 3, { awaited: true });
    // Two exits of each run, at work in two processes.
    const works = [mine, others.map((row, index) => ({ ...row, storyRunGuid: mine[index]!.storyRunGuid }))];
    const middle = {
      sql: 'SELECT id FROM story_runs WHERE guid = ? FOR UPDATE',
      values: [mine[1]!.storyRunGuid],
    };
    await meet(middle, 'UPDATE JSON_TABLE', (database, inOrder) => {
      const { writer } = recordingWriter(database);
      return Promise.all(inOrder(works.pop()!).map((delivery) => writer.submit(answering(delivery))));
    });
    const [row] = await stores.db.read((session) =>
      session.rows<{ answered: number }>('SELECT COUNT(response_event_id) AS answered FROM story_runs'),
    );
    expect(row).toEqual({ answered: 3 });
  });
});

test('connections leave the pool before the server would drop them', async () => {
  const [row] = await openDatabase().read((session) =>
    session.rows<{ seconds: number }>('SELECT @@wait_timeout AS seconds'),
  );
  expect(POOL_IDLE_MS).toBeLessThan(row!.seconds * 1000);
});

/** The work was done, and its event answers the run. */
function answering(delivery: DeliveryRow) {
  const outcome = done(delivery, '{}', 0);
  return { ...outcome, outputs: outcome.outputs.map((output) => ({ ...output, answers: true })) };
}

/** A value that its action has not had before. */
function claim(delivery: DeliveryRow, digit: string): ClaimOutcome {
  return {
    kind: 'claim',
    delivery,
    claim: { kind: 'deduplicate', digest: digit.repeat(64), lookback: 9, periodSeconds: 60, tolerance: 1 },
    story: { id: 1, name: 'Story', tenantId: 1, teamId: 1 },
    granted: done(delivery, '{}', 0),
    refused: { ...done(delivery), outputs: [] },
    logs: [],
  };
}
