import { isSettled } from '../../../src/stories/git/sync/is-settled.js';
import { whileHeld } from '../../../src/stories/git/sync/held-write.js';
import { listed } from '../../../src/stories/git/sync/repository-sync.js';
import { leftOf } from '../../../src/stories/git/sync/sync-stories.js';
import {
  changeOf,
  newRow,
  type ChangeState,
  type SyncCase,
  type SyncRun,
} from '../../../src/stories/git/sync/sync-types.js';
import { findOriginGuids } from '../../../src/stories/git/sync/synced-story-store.js';
import type { ComparedSides } from '../../../src/stories/git/sides/compare-sides-task.js';
import { paired } from '../../../src/stories/git/sides/pair-sides.js';
import { createPlaceHeads } from '../../../src/stories/git/sides/place-heads.js';
import type { TeamRepository } from '../../../src/stories/git/repository-store.js';
import type { Database } from '../../../src/platform/mysql/database.js';
import type { Session } from '../../../src/platform/mysql/session.js';

const caseOf = (id: number, { is = 'open' }: { is?: 'open' | 'in common' } = {}): SyncCase => ({
  story: { id, guid: `${id}`, name: `Story ${id}`, version: 2 },
  row: { ...newRow(id, `story-${id}`), digest: is === 'open' ? 'old' : 'same', storyVersion: 2 },
  place: { stem: `story-${id}`, entries: [], digest: 'same', problem: undefined },
  baseKind: 'base',
});
const change = (id: number, state: ChangeState) =>
  changeOf(caseOf(id), { direction: 'pull', kind: 'change', state });
const ids = (cases: readonly SyncCase[]) => cases.map(({ story }) => story?.id);

describe('stories as software: parts of a sync', () => {
  const cases = [caseOf(1), caseOf(2, { is: 'in common' }), caseOf(3), caseOf(4)];
  const lastReport = JSON.stringify([change(1, 'conflict'), change(3, 'done')]);

  it('look at all that is not in common', () => {
    expect(ids(leftOf(cases, { goesOn: false, repository: { left: 0, lastReport } }))).toEqual([1, 3, 4]);
  });
  it('go on with what the last one has not told, or has done before it changed again', () => {
    expect(ids(leftOf(cases, { goesOn: true, repository: { left: 1, lastReport } }))).toEqual([3, 4]);
  });
  it('begin again with what was not told, and leave nothing out', () => {
    expect(ids(leftOf(cases, { goesOn: false, repository: { left: 1, lastReport } }))).toEqual([3, 4, 1]);
  });
});

describe('stories as software: a team with more stories than are listed', () => {
  const place = { stem: 'new', entries: [], digest: 'new', problem: undefined };
  const run = { repository: { teamId: 1, direction: 'both' } } as unknown as SyncRun;
  const heldOf = async (count: number, name: string) => {
    const stories = Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      guid: `${at}`,
      name: `${at}`,
      version: 1,
    }));
    const { cases } = await paired(
      run,
      { stories, rows: [], places: new Map([['new', place]]) },
      {
        database: { read: () => Promise.resolve(new Map()) } as unknown as Database,
        headsOf: () =>
          Promise.resolve(new Map([['new', { head: { name, guid: 'x' }, problem: undefined }]])) as never,
      },
    );
    return cases.find((each) => each.place === place)?.held;
  };

  it('makes no copy of a story whose files are not known to be another', async () => {
    expect(await heldOf(1_000, 'Beyond')).toContain('The team has 1,000 stories or more');
    expect(await heldOf(1_000, '7')).toBeUndefined();
    expect(await heldOf(999, 'Beyond')).toBeUndefined();
  });
});

describe('stories as software: the report of a sync', () => {
  it('keeps what is open, however much was done', async () => {
    const done = Array.from({ length: 600 }, (_, id) => change(id + 1, 'done'));
    const kept = listed([...done, change(601, 'held'), change(602, 'conflict')]);
    expect(kept).toHaveLength(500);
    expect(kept.slice(0, 3).map(({ state }) => state)).toEqual(['conflict', 'held', 'done']);
  });
  it('is not of a settled repository while its conflicts are counted', async () => {
    const session = { rows: () => Promise.resolve([]) } as unknown as Session;
    const repository = { lastError: null, lastReport: '[]', left: 0, direction: 'pull' };
    const settled = (conflicts: number) =>
      isSettled({ ...repository, conflicts } as unknown as TeamRepository, session);
    expect([await settled(0), await settled(1)]).toEqual([true, false]);
  });
});

describe('stories as software: guids of imported stories', () => {
  it('are read here where the database cannot read the JSON', async () => {
    const asked: string[] = [];
    const rows = (sql: string, [value]: unknown[]) => {
      asked.push(sql);
      if (sql.startsWith('SELECT extra')) return [{ extra: `{"guid":"of ${String(value)}","n":1e400}` }];
      return [
        { id: 1, guid: 'first', isRead: 1 },
        { id: 2, guid: null, isRead: 0 },
        { id: 3, guid: null, isRead: null },
      ];
    };
    const session = { rows: async (...given: [string, unknown[]]) => rows(...given) } as unknown as Session;
    expect([...(await findOriginGuids(7, session))]).toEqual([
      [1, 'first'],
      [2, 'of 2'],
    ]);
    expect(asked[0]).toContain('IF(JSON_VALID(extra), ');
    expect(asked).toHaveLength(2);
  });
});

describe('stories as software: the lease of a sync', () => {
  it('is renewed while git works, and no longer, also if the database fails', async () => {
    let renewals = 0;
    const transaction = () => {
      renewals += 1;
      return renewals === 1 ? Promise.reject(new Error('away')) : Promise.resolve(true);
    };
    const database = { transaction } as unknown as Pick<Database, 'transaction'>;
    const enough = new Promise<string>((resolve) => {
      const look = setInterval(() => {
        if (renewals < 3) return;
        clearInterval(look);
        resolve('done');
      }, 1);
    });
    const held = { repository: { id: 1 }, holder: 'x' };
    expect(await whileHeld(held, () => enough, { database, everyMs: 1 })).toBe('done');
    const after = renewals;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(renewals).toBe(after);
  });
});

describe('stories as software: files at new places', () => {
  const places = Array.from({ length: 250 }, (_, index) => ({
    stem: `s${index}`,
    entries: [{ path: `s${index}.yaml`, mode: '100644', oid: `${index}`, size: 10 }],
    digest: `${index}`,
    problem: undefined,
  }));
  const world = (problems: string[] = []) => {
    const batches: number[] = [];
    const git = {
      read: (oids: readonly string[]) => {
        batches.push(oids.length);
        return Promise.resolve(new Map(oids.map((oid) => [oid, Buffer.from(`name: ${oid}`)])));
      },
    };
    let compared = 0;
    const headsOf = createPlaceHeads({
      comparer: () => {
        compared += 1;
        const head = problems.length > 0 ? null : { name: 'x', guid: null };
        return Promise.resolve({ head, problems } as ComparedSides);
      },
    });
    const read = (isOver: () => boolean) =>
      headsOf(
        { git, isOver, repository: { tenantId: 1, layout: 'file', format: 'yaml' } } as unknown as SyncRun,
        places,
      );
    return { batches, read, count: () => compared };
  };

  it('are read many at once', async () => {
    const { batches, read } = world();
    expect((await read(() => false)).size).toBe(250);
    expect(batches).toEqual([100, 100, 50]);
  });
  it.each([[[]], [['a fault']]])(
    'are read on where the time was over, with the faults %j',
    async (problems) => {
      const { read, count } = world(problems);
      expect((await read(() => true)).size).toBe(1);
      expect((await read(() => count() >= 120)).size).toBe(120);
      expect((await read(() => false)).size).toBe(250);
      expect(count()).toBe(250);
      await read(() => false);
      expect(count()).toBe(problems.length === 0 ? 250 : 500);
    },
  );
});
