import type { Database } from '../../src/platform/mysql/database.js';
import { NO_IDS } from '../../src/platform/mysql/ids/id-allocator.js';
import { completeGroups, type ImplodeDeps } from '../../src/engine/implode/complete-groups.js';

const MIB = 1024 * 1024;

/** A database in which each group is whole with one member, and a writer that holds what it is given until the next turn. */
function fakeDeps(groups: { groupKey: string; bytes: number }[]) {
  const rows = (sql: string, [key]: unknown[]) => {
    if (sql.includes('GROUP BY')) {
      return groups.splice(0).map((group) => ({ ...group, arrived: 1, least: 1, most: 1, expired: 0 }));
    }
    if (sql.includes('i.position')) return [{ deliveryId: Number(key), position: null, item: '1' }];
    return [{ id: 1, storyId: 1, agentId: 1 }];
  };
  const database = {
    read: (work: (session: unknown) => unknown) =>
      Promise.resolve(
        work({ rows: (sql: string, values: unknown[]) => Promise.resolve(rows(sql, values)), ids: NO_IDS }),
      ),
    facts: () => Promise.resolve({ maxAllowedPacket: 64 * MIB }),
  } as unknown as Database;
  const seen = { submitted: 0, together: 0, most: 0 };
  const submit = async () => {
    seen.submitted += 1;
    seen.together += 1;
    seen.most = Math.max(seen.most, seen.together);
    await new Promise(setImmediate);
    seen.together -= 1;
    return { applied: true, eventIds: [] };
  };
  const graphs = { find: () => Promise.resolve(undefined), findCurrent: () => Promise.resolve(undefined) };
  return { seen, deps: { database, outcomes: { submit }, graphs } as unknown as ImplodeDeps };
}

const groupsOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, key) => ({ groupKey: String(key), bytes }));

test('groups that become whole at once are joined together, so that they share a transaction, fifty at most', async () => {
  const { seen, deps } = fakeDeps(groupsOf(120, 10));
  await completeGroups(['any'], deps);
  expect(seen).toMatchObject({ submitted: 120, most: 50 });
});

test('large groups are joined few at a time: their lists are in memory together', async () => {
  const { seen, deps } = fakeDeps(groupsOf(6, 7 * MIB));
  await completeGroups(['any'], deps);
  expect(seen).toMatchObject({ submitted: 6, most: 2 });
});
