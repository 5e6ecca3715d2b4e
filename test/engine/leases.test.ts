import { randomUUID } from 'node:crypto';
import {
  ensureLeases,
  freeLease,
  type HeldLease,
  renewLease,
  takeLease,
} from '../../src/platform/mysql/lease/lease-store.js';
import { LeaseLost, underLease } from '../../src/platform/mysql/lease/under-lease.js';
import { createWorkLease } from '../../src/platform/mysql/lease/work-lease.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
afterEach(() => jest.restoreAllMocks());
const SECONDS = 60;
const BUSY = 'somebody else is at it';

/** Runs with two sessions, which stand for two processes. */
const withTwo = (work: (one: Session, other: Session) => Promise<void>) =>
  stores.db.read((one) => stores.db.read((other) => work(one, other)));
const take = (session: Session, name: string) => takeLease(session, { name, holder: randomUUID() }, SECONDS);
const expire = (session: Session, name: string) =>
  session.run('UPDATE leases SET held_until = NOW(3) - INTERVAL 1 SECOND WHERE name = ?', [name]);

async function taken(session: Session, name: string): Promise<HeldLease> {
  const lease = await take(session, name);
  if (lease === undefined) throw new Error('The lease is not free');
  return lease;
}

test('a lease that nobody has taken before goes to one of many', async () => {
  await stores.db.read(ensureLeases);
  const all = await Promise.all([1, 2, 3, 4].map(() => stores.db.read((session) => take(session, 'new'))));
  expect(all.filter((lease) => lease !== undefined)).toHaveLength(1);
});

test('a lease is refused to others until it is freed, also to those that only renew', async () => {
  await withTwo(async (one, other) => {
    const lease = await taken(one, 'freed');
    expect(await take(other, 'freed')).toBeUndefined();
    expect(await renewLease(other, { ...lease, holder: randomUUID() }, SECONDS)).toBe(false);
    await freeLease(other, { ...lease, holder: randomUUID() });
    expect(await take(other, 'freed')).toBeUndefined();
    await freeLease(one, lease);
    expect((await taken(other, 'freed')).generation).toBe(lease.generation + 1);
  });
});

test('a lease that has expired goes to another, and does not come back by renewal', async () => {
  await withTwo(async (one, other) => {
    const lost = await taken(one, 'expired');
    await expire(other, 'expired');
    expect(await renewLease(one, lost, SECONDS)).toBe(true);
    expect(await take(other, 'expired')).toBeUndefined();
    await expire(other, 'expired');
    const lease = await taken(other, 'expired');
    expect(lease.generation).toBe(lost.generation + 1);
    expect(await renewLease(one, lost, SECONDS)).toBe(false);
    await freeLease(one, lost);
    expect(await renewLease(other, lease, SECONDS)).toBe(true);
  });
});

test('work under a lease waits for its turn, and learns that it has lost it', async () => {
  await withTwo(async (one, other) => {
    const lease = await taken(one, 'turn');
    let isIn = false;
    const work = underLease(other, { name: 'turn', waitSeconds: SECONDS, busy: BUSY }, async (turn) => {
      isIn = true;
      await turn.prolong();
      await one.run("UPDATE leases SET generation = generation + 1, holder = 'x' WHERE name = 'turn'");
      await turn.prolong();
    });
    work.catch(() => undefined);
    expect(isIn).toBe(false);
    await freeLease(one, lease);
    await eventually(() => isIn);
    await expect(work).rejects.toThrow(LeaseLost);
  });
});

test('work under a lease that another holds on to is given up with the reason', async () => {
  await withTwo(async (one, other) => {
    await taken(one, 'held');
    const work = underLease(other, { name: 'held', waitSeconds: 0, busy: BUSY }, () => Promise.resolve());
    await expect(work).rejects.toThrow(BUSY);
  });
});

test('a lease is free after the work, and after work that failed', async () => {
  await withTwo(async (one, other) => {
    const options = { name: 'after', waitSeconds: 0, busy: BUSY };
    expect(await underLease(one, options, () => Promise.resolve('done'))).toBe('done');
    const fails = underLease(other, options, () => Promise.reject(new Error('as planned')));
    await expect(fails).rejects.toThrow('as planned');
    expect(await take(one, 'after')).toBeDefined();
  });
});

/** Lets so much time pass for a lease of work. */
function pass(seconds: number): void {
  const now = performance.now() + seconds * 1000;
  jest.spyOn(performance, 'now').mockReturnValue(now);
}

test('long work renews its lease, learns that it has lost it, and then frees nothing', async () => {
  const [one, other] = [createWorkLease(stores.db, 'long'), createWorkLease(stores.db, 'long')];
  expect([await one.take(), await other.take()]).toEqual([true, false]);
  await stores.db.read((session) => expire(session, 'long'));
  pass(20);
  await one.keep();
  expect(await other.take()).toBe(false);
  await stores.db.read((session) => expire(session, 'long'));
  expect(await other.take()).toBe(true);
  pass(40);
  await expect(one.keep()).rejects.toThrow(LeaseLost);
  await one.release();
  expect(await createWorkLease(stores.db, 'long').take()).toBe(false);
  await other.release();
  expect(await one.take()).toBe(true);
});

test('the leases that retention and the archive had in the settings are removed', async () => {
  await stores.sql(
    "INSERT INTO settings (name, value) VALUES ('retention_lease', '0 -'), ('archive_lease', '0 -'), ('other', '1')",
  );
  await MIGRATIONS['20261129180000_remove_leases_from_settings']!.up(stores.db.knex);
  const left = await stores.db.read((session) =>
    session.rows("SELECT name FROM settings WHERE name LIKE '%_lease' OR name = 'other'"),
  );
  expect(left).toEqual([{ name: 'other' }]);
});
