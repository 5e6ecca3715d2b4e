import { createJudge } from '../../../src/trial/face.js';
import { createRepositorySyncs } from '../../../src/stories/git/repository-loop.js';
import { findDueRepositories } from '../../../src/stories/git/repository-store.js';
import { ThreadsBusy } from '../../../src/platform/threads/thread-errors.js';
import type { JudgeStory } from '../../../src/stories/tests/test-gate.js';
import type { Database } from '../../../src/platform/mysql/database.js';
import { draftWorld } from '../../support/draft-world.js';
import {
  type GitRepositoryOfTest,
  hasGit,
  makeGitRepository,
  startGitHttpHost,
} from '../../support/git-host.js';
import { WITHOUT_WORKERS } from '../../support/manage-api.js';
import { useManageApiHere } from '../../support/manage-api-here.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApiHere(stores, WITHOUT_WORKERS);
const withStory = draftWorld(stores, api);

let host: Awaited<ReturnType<typeof startGitHttpHost>>;
let repository: GitRepositoryOfTest;

beforeEach(async () => {
  if (!hasGit) return;
  repository = makeGitRepository();
  host = await startGitHttpHost(repository.folder);
});
afterEach(async () => {
  if (!hasGit) return;
  await host.close();
  repository.remove();
});

const loop = (other: { workMs?: number; database?: Database; judge?: JudgeStory } = {}) => {
  const { core } = api.fabula().web;
  const made = createRepositorySyncs({ ...core, judge: createJudge(core), logger: stores.logger, ...other });
  if (made === undefined) throw new Error('Syncs are off');
  return made;
};

/** A database whose process is killed once the draft of a pull is made, before it is whole. */
function killedAtDraft(): Database {
  const { database } = api.fabula().web.core;
  return {
    ...database,
    transaction: (work) =>
      database.transaction((session) =>
        work({
          ...session,
          run: (sql, values) =>
            sql.startsWith('DELETE FROM repository_bases') && values?.at(2) === 'draft'
              ? Promise.reject(new Error('The process was killed'))
              : session.run(sql, values),
        }),
      ),
  };
}

async function world(settings: object = {}) {
  const made = await withStory();
  const { account, ask } = made;
  await stores.sql("UPDATE memberships SET role = 'TEAM_ADMIN' WHERE user_id = ?", [account.user.id]);
  const team = `/api/v1/teams/${account.team.id}`;
  await ask(`PUT ${team}/repository`, { url: host.url, ...settings });
  return {
    ...made,
    state: () => ask(`GET ${team}/repository`),
    dryRun: () => ask(`POST ${team}/repository/sync`, { dry_run: true }),
  };
}

// Skipped where the program git is not installed.
(hasGit ? describe : describe.skip)('stories as software: repositories in the background', () => {
  it('are synced when they are due, and after a story was published', async () => {
    const { mark, story, state, dryRun } = await world();
    const one = loop();
    expect(await one.tick()).toBe(1);
    expect(repository.files()).toEqual(['triage.yaml']);
    expect(await one.tick()).toBe(0);
    await mark(story.id, { by: 'second' });
    await dryRun();
    expect(await one.tick()).toBe(1);
    expect(repository.read('triage.yaml')).toContain('by: second');
    expect(await one.tick()).toBe(0);
    const { error, next_at: next, ended_at: ended } = await state();
    expect(error).toBeNull();
    const restMs = Date.parse(next) - Date.parse(ended);
    expect(restMs).toBeGreaterThan(200_000);
    expect(restMs).toBeLessThan(400_000);
  });

  it('go on in parts, each of which is pushed, where one sync takes too long', async () => {
    const { ask, account, state } = await world();
    const data = { schema_version: 3, agents: [], links: [] };
    for (const name of ['Second', 'Third', 'Fourth'])
      await ask('POST /api/v1/stories/import', { new_name: name, team_id: account.team.id, data });
    const counts: number[] = [];
    for (let sync = 1; sync <= 4; sync += 1) {
      expect(await loop({ workMs: 0 }).tick()).toBe(1);
      counts.push(repository.files().length);
      expect(await state()).toMatchObject({ left: 4 - sync, error: null });
    }
    expect(counts).toEqual([1, 2, 3, 4]);
    expect((await state()).changes).toHaveLength(4);
    expect(await loop().tick()).toBe(0);
    expect(repository.log('%s').toSorted()).toEqual(['Add Fourth', 'Add Second', 'Add Third', 'Add Triage']);
  });

  it('begin a new round where the branch has moved, and miss no story', async () => {
    const { ask, account, state, story, payloadOf } = await world();
    const data = { schema_version: 3, agents: [], links: [] };
    const add = (name: string) =>
      ask('POST /api/v1/stories/import', { new_name: name, team_id: account.team.id, data });
    for (const name of ['Second', 'Third']) await add(name);
    await loop({ workMs: 0 }).tick();
    expect(await state()).toMatchObject({ left: 2 });
    await add('Fourth');
    repository.update();
    const text = repository.read('triage.yaml').replace('by: first', 'by: git');
    repository.commit({ 'triage.yaml': `${text}\n` });
    for (let sync = 1; sync <= 4; sync += 1) await loop({ workMs: 0 }).tick();
    expect(await state()).toMatchObject({ left: 0, error: null });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git' });
    expect(repository.files()).toEqual(['fourth.yaml', 'second.yaml', 'third.yaml', 'triage.yaml']);
    expect(await loop().tick()).toBe(0);
  });

  it('look at a story that was added between two parts', async () => {
    const { ask, account, state } = await world();
    const data = { schema_version: 3, agents: [], links: [] };
    const add = (name: string) =>
      ask('POST /api/v1/stories/import', { new_name: name, team_id: account.team.id, data });
    for (const name of ['Second', 'Third']) await add(name);
    await loop({ workMs: 0 }).tick();
    await add('Fourth');
    for (let sync = 1; sync <= 3; sync += 1) await loop({ workMs: 0 }).tick();
    expect(await state()).toMatchObject({ left: 0, error: null });
    expect(repository.files()).toEqual(['fourth.yaml', 'second.yaml', 'third.yaml', 'triage.yaml']);
  });

  it('look at all stories of a rewritten branch before its commit counts', async () => {
    const { ask, account, state } = await world();
    const data = { schema_version: 3, agents: [], links: [] };
    await ask('POST /api/v1/stories/import', { new_name: 'Second', team_id: account.team.id, data });
    await loop().tick();
    repository.update();
    const renamed = (file: string) => `${repository.read(file).replace(/^name: (.*)$/m, 'name: $1 again')}\n`;
    const files = Object.fromEntries(['second.yaml', 'triage.yaml'].map((file) => [file, renamed(file)]));
    const lost = repository.commit(files);
    const sync = async () => {
      await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
      expect(await loop({ workMs: 0 }).tick()).toBe(1);
      return state();
    };
    await sync();
    expect(await sync()).toMatchObject({ left: 0, commit: lost });
    repository.git(['push', '--quiet', '--force', 'origin', 'HEAD~1:main']);
    expect(await sync()).toMatchObject({ left: 1, commit: lost, changes: [{ state: 'conflict' }] });
    const { left, commit, changes } = await sync();
    expect({ left, commit }).toEqual({ left: 0, commit: repository.log('%H')[0] });
    expect(changes.map(({ message }: { message: string }) => message.includes('rewritten'))).toEqual([
      true,
      true,
    ]);
  });

  it('keep their conflicts through a sync that fails before any change', async () => {
    const { mark, story, state } = await world();
    await loop().tick();
    repository.update();
    const text = repository.read('triage.yaml').replace('by: first', 'by: git');
    repository.commit({ 'triage.yaml': `${text}\n` });
    await mark(story.id, { by: 'server' });
    await loop().tick();
    repository.git(['update-ref', '-d', 'refs/heads/main'], repository.bare);
    await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
    await loop().tick();
    expect(await state()).toMatchObject({ failures: 1, changes: [{ state: 'conflict' }] });
    const kept = await stores.db.read((session) => session.rows('SELECT conflicts FROM team_repositories'));
    expect(kept).toEqual([{ conflicts: 1 }]);
  });

  it('are not fetched while neither side has changed', async () => {
    const { story, mark } = await world();
    await loop().tick();
    await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
    host.seen.length = 0;
    expect(await loop().tick()).toBe(1);
    expect(host.seen.filter((request) => request.startsWith('POST')).length).toBeLessThanOrEqual(1);
    const { length } = host.seen;
    await mark(story.id, { by: 'second' });
    expect(await loop().tick()).toBe(1);
    expect(host.seen.length).toBeGreaterThan(2 * length);
    expect(repository.read('triage.yaml')).toContain('by: second');
    repository.update();
    repository.commit({ 'triage.yaml': `${repository.read('triage.yaml').replace('second', 'third')}\n` });
    await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
    expect(await loop().tick()).toBe(1);
    const [newest] = await stores.db.read((session) =>
      session.rows<{ pulled: number }>('SELECT pulled FROM repository_syncs ORDER BY id DESC LIMIT 1'),
    );
    expect(newest?.pulled).toBe(1);
  });

  it('are not fetched again for a conflict and a deleted file that stay as they are', async () => {
    const { mark, story, state, ask, account } = await world();
    const data = { schema_version: 3, agents: [], links: [] };
    await ask('POST /api/v1/stories/import', { new_name: 'Second', team_id: account.team.id, data });
    const one = loop();
    const sync = async () => {
      await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
      host.seen.length = 0;
      expect(await one.tick()).toBe(1);
      return host.seen.filter((request) => request.startsWith('POST')).length;
    };
    await sync();
    repository.update();
    const text = repository.read('triage.yaml');
    repository.commit({ 'second.yaml': null, 'triage.yaml': `${text.replace('by: first', 'by: git')}\n` });
    await mark(story.id, { by: 'server' });
    await sync();
    const looked = await sync();
    const { changes } = await state();
    expect(changes.map((change: { state: string }) => change.state)).toEqual(['conflict', 'held']);
    for (let times = 1; times <= 2; times += 1) expect(await sync()).toBeLessThan(looked);
    expect(await state()).toMatchObject({ changes, error: null });
    const counted = await stores.db.read((session) =>
      session.rows('SELECT conflicts, troubled_at IS NULL AS isWell FROM team_repositories'),
    );
    expect(counted).toEqual([{ conflicts: 1, isWell: 0 }]);
    await ask(`DELETE /api/v1/drafts/${changes[0].draft_id}`);
    expect(await sync()).toBeGreaterThanOrEqual(looked);
    expect((await state()).changes).toMatchObject([{ state: 'held' }, { state: 'done', direction: 'push' }]);
  });

  it('keep what both sides have in common, also where a sync ends between a draft and its publication', async () => {
    const { story, state, ask, payloadOf } = await world();
    const sync = async (one: ReturnType<typeof loop>) => {
      await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
      await one.tick();
      return state();
    };
    await sync(loop());
    await ask(`PUT /api/v1/teams/${story.team_id}/repository`, { url: host.url, direction: 'pull' });
    await ask(`PUT /api/v1/stories/${story.id}`, { description: 'Of the server' });
    repository.update();
    const text = `${repository.read('triage.yaml')}\n`;
    repository.commit({ 'triage.yaml': text.replace('by: first', 'by: git') });
    const killed = await sync(loop({ database: killedAtDraft() }));
    expect(killed.error).toContain('killed');
    await sync(loop());
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git' });
    repository.commit({ 'triage.yaml': text });
    await sync(loop());
    expect(await payloadOf(story.id)).toMatchObject({ by: 'first' });
    const { drafts } = await ask(`GET /api/v1/stories/${story.id}/drafts`);
    expect(drafts).toEqual([]);
  });

  it('are settled after a person has published a draft that a killed sync left', async () => {
    const { story, ask } = await world();
    await loop().tick();
    repository.update();
    repository.commit({
      'triage.yaml': `${repository.read('triage.yaml').replace('by: first', 'by: git')}\n`,
    });
    await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
    await loop({ database: killedAtDraft() }).tick();
    const { drafts } = await ask(`GET /api/v1/stories/${story.id}/drafts`);
    await ask(`POST /api/v1/drafts/${drafts[0].id}/publish`);
    await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
    await loop().tick();
    const rows = await stores.db.read((session) => session.rows('SELECT draft_id FROM repository_stories'));
    expect(rows).toEqual([{ draft_id: null }]);
  });

  it('try again soon where the server was too busy to publish, and call that no conflict', async () => {
    const { story, ask, state, payloadOf, path } = await world();
    await ask(`PUT ${path}`, { tests_on_publish: 'block' });
    await ask(`PUT ${path}/tests`, { test: { name: 'Starts', body: { n: 1 }, expect: {} } });
    await loop().tick();
    repository.update();
    repository.commit({
      'triage.yaml': `${repository.read('triage.yaml').replace('by: first', 'by: git')}\n`,
    });
    let isBusy = true;
    const judge = createJudge(api.fabula().web.core);
    const one = loop({
      judge: (...given) => (isBusy ? Promise.reject(new ThreadsBusy()) : judge(...given)),
    });
    const sync = async () => {
      await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
      await one.tick();
      return state();
    };
    expect(await sync()).toMatchObject({ error: expect.stringContaining('busy') });
    await sync();
    isBusy = false;
    expect(await sync()).toMatchObject({ error: null, changes: [{ state: 'done' }] });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git' });
  });

  it('cost nothing while they rest, however many stories there are', async () => {
    const { story } = await world();
    await loop().tick();
    const [columns] = await stores.db.read((session) =>
      session.rows<{ names: string }>(
        `SELECT GROUP_CONCAT(column_name) AS names FROM information_schema.columns WHERE table_schema = DATABASE()
         AND table_name = 'stories' AND column_name NOT IN ('id', 'guid', 'updated_at')`,
      ),
    );
    const copied = `INSERT INTO stories (guid, updated_at, ${columns?.names}) SELECT REPLACE(UUID(), '-', ''),
      NOW(3) - INTERVAL 1 DAY, ${columns?.names} FROM stories WHERE team_id = (SELECT team_id FROM (SELECT team_id
      FROM stories WHERE id = ?) t)`;
    for (let times = 1; times <= 11; times += 1) await stores.sql(copied, [story.id]);
    await stores.sql('UPDATE stories SET updated_at = NOW(3) - INTERVAL 1 DAY');
    await stores.sql('ANALYZE TABLE stories, team_repositories');
    const [due, reads] = await stores.db.transaction(async (session) => {
      const readsUntilNow = async () => {
        const rows = await session.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'");
        return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const before = await readsUntilNow();
      return [await findDueRepositories(3, session), (await readsUntilNow()) - before] as const;
    });
    expect(due).toEqual([]);
    expect(reads).toBeLessThan(100);
  });

  it('are synced by one of several processes', async () => {
    await world();
    await Promise.all([loop().tick(), loop().tick()]);
    expect(repository.log('%H')).toHaveLength(1);
  });

  it('act with the rights of who set them, and rest longer after each failure', async () => {
    const { account, state } = await world();
    const colleague = account.user.id;
    await stores.sql("UPDATE memberships SET role = 'EDITOR' WHERE user_id = ?", [colleague]);
    await loop().tick();
    const rests: number[] = [];
    for (let failure = 1; failure <= 3; failure += 1) {
      await stores.sql("UPDATE memberships SET role = 'TEAM_ADMIN' WHERE user_id = ?", [colleague]);
      const { failures, error, next_at: next, ended_at: ended } = await state();
      expect(failures).toBe(failure);
      expect(error).toContain('TEAM_ADMIN');
      rests.push(Date.parse(next) - Date.parse(ended));
      await stores.sql("UPDATE memberships SET role = 'EDITOR' WHERE user_id = ?", [colleague]);
      await stores.sql('UPDATE team_repositories SET next_at = NOW(3)');
      await loop().tick();
    }
    expect(rests[1]).toBeGreaterThan(rests[0] ?? Infinity);
    expect(rests[2]).toBeGreaterThan(rests[1] ?? Infinity);
    expect(() => repository.files()).toThrow();
  });

  it('go with their team, and rest while its tenant is moved', async () => {
    const { account } = await world();
    await stores.sql('UPDATE tenants SET frozen_at = NOW(3) WHERE id = ?', [account.tenantId]);
    expect(await loop().tick()).toBe(0);
    await stores.sql('DELETE FROM teams WHERE id = ?', [account.team.id]);
    await loop().tick();
    const left = await stores.db.read((session) => session.rows('SELECT id FROM team_repositories'));
    expect(left).toEqual([]);
  });
});
