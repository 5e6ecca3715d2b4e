import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, buildAccount, buildTeam } from '../../support/builders.js';
import { draftWorld } from '../../support/draft-world.js';
import {
  type GitRepositoryOfTest,
  hasGit,
  makeGitRepository,
  startGitHttpHost,
} from '../../support/git-host.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { eventually } from '../../support/eventually.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const withStory = draftWorld(stores, api);

let host: Awaited<ReturnType<typeof startGitHttpHost>>;
let repository: GitRepositoryOfTest;
let before: (() => unknown) | undefined;

beforeEach(async () => {
  if (!hasGit) return;
  before = undefined;
  repository = makeGitRepository();
  host = await startGitHttpHost(repository.folder, { login: 'git:sesame', before: () => before?.() });
});
afterEach(async () => {
  if (!hasGit) return;
  await host.close();
  repository.remove();
});

/** A team with a story, and its repository. */
async function world(settings: object = {}) {
  const made = await withStory();
  const { account, ask } = made;
  await stores.sql("UPDATE memberships SET role = 'TEAM_ADMIN' WHERE user_id = ?", [account.user.id]);
  const team = `/api/v1/teams/${account.team.id}`;
  const credential = await ask('POST /api/v1/user_credentials', {
    name: 'git',
    mode: 'TEXT',
    value: 'git:sesame',
    team_id: account.team.id,
  });
  const set = (more: object = {}) =>
    ask(`PUT ${team}/repository`, {
      url: host.url,
      credential_id: credential.id,
      folder: 'stories',
      ...settings,
      ...more,
    });
  await set();
  const sync = async (body: object = {}): Promise<Parsed> => ask(`POST ${team}/repository/sync`, body);
  const changes = async (body: object = {}): Promise<Parsed[]> => {
    const result = await sync(body);
    expect(result.error).toBeNull();
    return result.changes;
  };
  return { ...made, team, set, sync, changes, credential };
}

const FILE = 'stories/triage.yaml';
const inFile = (find: string | RegExp, put: string, branch = 'main') => {
  const text = repository.read(FILE, branch);
  const next = text.replace(find, put);
  expect(next).not.toBe(text);
  return `${next}\n`;
};
/** Changes the file as another person. */
const edit = (find: string | RegExp, put: string, message = 'Change it'): string => {
  repository.update();
  return repository.commit({ [FILE]: inFile(find, put) }, message);
};

/** A story as a person writes it. */
const byHand = (by: string) =>
  [
    'schema_version: 30',
    'name: By hand',
    'agents:',
    '- type: Agents::WebhookAgent',
    '  name: Receive',
    `  options: { path: by-hand-${process.pid}, secret: sesame, verbs: post }`,
    '- type: Agents::EventTransformationAgent',
    '  name: Mark',
    `  options: { mode: message_only, payload: { by: ${by}, to: all } }`,
    'links:',
    '- { source: 0, receiver: 1 }',
    '',
  ].join('\n');

// Skipped where the program git is not installed.
(hasGit ? describe : describe.skip)('stories as software: the repository of a team', () => {
  it('pushes the stories of the team, and nothing else', async () => {
    const { changes, account, ask, path, draft } = await world();
    const other = await buildTeam(stores.db, { tenantId: account.tenantId, name: 'Other' });
    const colleague = await buildAccount(stores.db, { team: other });
    const data = { schema_version: 3, agents: [], links: [] };
    await ask('POST /api/v1/stories/import', { new_name: 'Of others', team_id: other.id, data }, colleague);
    await draft('Not yet');
    await ask(`POST ${path}/versions`, { name: 'First release', description: 'Because it works.' });
    const planned = await changes({ dry_run: true });
    expect(planned).toMatchObject([{ direction: 'push', kind: 'add', state: 'planned', name: 'Triage' }]);
    expect(() => repository.files()).toThrow();
    expect(await changes()).toMatchObject([
      { direction: 'push', kind: 'add', state: 'done', place: 'triage' },
    ]);
    expect(repository.files()).toEqual([FILE]);
    const text = repository.read(FILE);
    expect(text).toContain('name: Triage');
    expect(text).not.toContain('secret: open');
    expect(repository.log('%ae|%s|%b')[0]).toBe(
      `${account.user.email}|Triage: First release|Because it works.`,
    );
    expect(await changes()).toEqual([]);
    expect(repository.log('%H')).toHaveLength(1);
  });

  it('pushes what was published since, as its author', async () => {
    const { changes, mark, story, account, ask, agent } = await world();
    const colleague = await buildAccount(stores.db, { team: account.team });
    await changes();
    await mark(story.id, { by: 'second' });
    expect(await changes()).toMatchObject([{ direction: 'push', kind: 'change', state: 'done' }]);
    expect(repository.read(FILE)).toContain('by: second');
    const { id } = await agent(story.id, 'Last');
    await ask(`PUT /api/v1/actions/${id}`, { name: 'Very last' }, colleague);
    // The commit names the person that changed the story, not the one that syncs.
    expect(await changes()).toMatchObject([{ direction: 'push', kind: 'change', state: 'done' }]);
    expect(repository.read(FILE)).toContain('name: Very last');
    expect(repository.log('%ae|%s').slice(0, 2)).toEqual([
      `${colleague.user.email}|Change Triage`,
      `${account.user.email}|Change Triage`,
    ]);
    expect(colleague.user.email).not.toBe(account.user.email);
    expect(await changes()).toEqual([]);
  });

  it('pulls a commit into the story, as a version that names it', async () => {
    const { changes, payloadOf, story, ask, path, agentsOf } = await world();
    await changes();
    const agents = await agentsOf(story.id);
    const commit = edit('by: first', 'by: git', 'Say git');
    expect(await changes({ dry_run: true })).toMatchObject([
      { direction: 'pull', kind: 'change', state: 'planned' },
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'first' });
    expect(await changes()).toMatchObject([
      { direction: 'pull', kind: 'change', state: 'done', story_id: story.id },
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git' });
    const { story_versions: versions } = await ask(`GET ${path}/versions`);
    expect(versions[0].description).toBe(
      `Git commit ${commit.slice(0, 10)} by Ada Lovelace <ada@example.com>: Say git`,
    );
    const after = await agentsOf(story.id);
    expect(after.map(({ id, guid }) => [id, guid])).toEqual(agents.map(({ id, guid }) => [id, guid]));
    expect(after[0].options).toEqual(agents[0].options);
    expect((await ask(`GET ${path}/drafts`)).drafts).toEqual([]);
    expect(await changes()).toEqual([]);
    expect(repository.log('%H')).toHaveLength(2);
  });

  it('merges disjoint changes of both sides', async () => {
    const { changes, payloadOf, story, mark } = await world();
    await changes();
    edit('by: first', 'by: git');
    await mark(story.id, { to: 'server' });
    expect(await changes()).toMatchObject([
      { direction: 'pull', state: 'done' },
      { direction: 'push', state: 'done' },
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git', to: 'server' });
    expect(repository.read(FILE)).toMatch(/by: git\n *to: server/);
    expect(await changes()).toEqual([]);
  });

  it('takes over a new name with the change that brings it, as one version', async () => {
    const { changes, ask, story } = await world();
    await changes();
    const before = await ask(`GET /api/v1/stories/${story.id}/versions`);
    edit(/^name: .*$/m, 'name: Named in git');
    expect(await changes()).toMatchObject([{ direction: 'pull', state: 'done' }]);
    expect(await ask(`GET /api/v1/stories/${story.id}`)).toMatchObject({ name: 'Named in git' });
    const after = await ask(`GET /api/v1/stories/${story.id}/versions`);
    expect(after.story_versions).toHaveLength(before.story_versions.length + 1);
    expect(await changes()).toEqual([]);
  });

  it('tells what was pulled before a push failed', async () => {
    const { changes, sync, payloadOf, story, mark } = await world();
    await changes();
    edit('by: first', 'by: git');
    await mark(story.id, { to: 'server' });
    const hook = join(repository.bare, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { error, changes: done } = await sync();
    expect(error).not.toBeNull();
    expect(done).toMatchObject([{ direction: 'pull', state: 'done' }]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git', to: 'server' });
    rmSync(hook);
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'done' }]);
  });

  it('leaves both sides as they are in a conflict, until a person has decided', async () => {
    const { changes, payloadOf, story, mark, ask, path } = await world();
    await changes();
    edit('by: first', 'by: git');
    await mark(story.id, { by: 'server' });
    expect(await changes({ dry_run: true })).toMatchObject([
      { direction: 'pull', state: 'conflict', draft_id: null },
    ]);
    const [conflict] = await changes();
    expect(conflict).toMatchObject({
      direction: 'pull',
      state: 'conflict',
      message: 'Both sides changed the same parts',
    });
    expect(conflict.details[0]).toContain('by');
    expect(await payloadOf(story.id)).toMatchObject({ by: 'server' });
    expect(repository.read(FILE)).toContain('by: git');
    // The next sync makes no second draft.
    expect((await changes())[0]).toMatchObject({ state: 'conflict', draft_id: conflict.draft_id });
    expect((await ask(`GET ${path}/drafts`)).drafts).toHaveLength(1);
    const { conflicts } = await ask(`GET /api/v1/drafts/${conflict.draft_id}/diff`);
    await ask(`POST /api/v1/drafts/${conflict.draft_id}/publish`, {
      resolve: conflicts.map(({ entry }: Parsed) => ({ entry, take: 'live' })),
    });
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'done' }]);
    expect(repository.read(FILE)).toContain('by: server');
    expect(await changes()).toEqual([]);
  });

  it('is in the inbox of the team while stories conflict or syncs fail, until all is well', async () => {
    const { changes, sync, story, mark, ask, team } = await world();
    const entries = async (): Promise<Parsed[]> => (await ask('GET /api/v1/inbox?kind=repository')).entries;
    const shown = async (found: object[]) => {
      const open = await eventually(async () => {
        const list = await entries();
        return list.length === found.length ? list : undefined;
      });
      expect(open).toMatchObject(found);
    };
    await changes();
    edit('by: first', 'by: git');
    await mark(story.id, { by: 'server' });
    const [{ draft_id: draftId }] = await changes();
    const name = (await ask(`GET ${team}`)).name;
    await shown([
      {
        reason: 'conflicts',
        severity: 'warning',
        count: 1,
        title: `1 story of ${name} differs from the git repository`,
      },
    ]);
    await ask(`DELETE /api/v1/drafts/${draftId}`);
    await changes();
    await shown([]);
    repository.git(['update-ref', '-d', 'refs/heads/main'], repository.bare);
    await sync();
    await shown([]);
    await sync();
    await shown([{ reason: 'failing', severity: 'error', count: 2 }]);
  });

  it('takes the deletion of the draft as the answer that the story counts', async () => {
    const { changes, story, mark, ask, path } = await world();
    await changes();
    edit('by: first', 'by: git');
    await mark(story.id, { by: 'server' });
    const [{ draft_id: first }] = await changes();
    // A later commit replaces a draft that nobody has touched.
    edit('by: git', 'by: git again');
    const [{ draft_id: draftId }] = await changes();
    expect(draftId).not.toBe(first);
    expect((await ask(`GET ${path}/drafts`)).drafts.map(({ id }: Parsed) => id)).toEqual([draftId]);
    await ask(`DELETE /api/v1/drafts/${draftId}`);
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'done' }]);
    expect(repository.read(FILE)).toContain('by: server');
  });

  it('leaves a draft where tests block and one fails, and pulls it when the test passes', async () => {
    const { changes, payloadOf, story, ask, path } = await world();
    const test = { name: 'Marks', event: { body: {} }, expect: { events: { Mark: [{ by: 'first' }] } } };
    const drafts = async (): Promise<number[]> =>
      (await ask(`GET ${path}/drafts`)).drafts.map(({ id }: Parsed) => id);
    await ask(`PUT ${path}/tests`, { test });
    await ask(`PUT ${path}`, { tests_on_publish: 'block' });
    await changes();
    const commit = edit('by: first', 'by: git');
    const [waits] = await changes();
    expect(waits).toMatchObject({
      direction: 'pull',
      kind: 'change',
      state: 'conflict',
      message: 'The story is not published: 1 test of it failed',
      details: ['"Marks": Mark, event 1, by: expected "first", found "git"'],
    });
    expect(await payloadOf(story.id)).toMatchObject({ by: 'first' });
    expect(await payloadOf(waits.draft_id)).toMatchObject({ by: 'git' });
    // The next sync says it again, makes no other draft, and pushes nothing over the files.
    expect(await changes()).toEqual([waits]);
    expect(await drafts()).toEqual([waits.draft_id]);
    expect(repository.log('%H')[0]).toBe(commit);
    // Mended here: the draft is pulled at last, and the other test is pushed.
    await ask(`PUT ${path}/tests`, { test: { ...test, expect: {} }, replaces: 'Marks' });
    expect(await changes()).toMatchObject([
      { direction: 'pull', state: 'done' },
      { direction: 'push', state: 'done' },
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git' });
    expect(await drafts()).toEqual([]);
    expect(await changes()).toEqual([]);
  });

  it('pulls the commit that mends what waited, and the draft once a person has mended it', async () => {
    const { changes, payloadOf, story, ask, path, mark } = await world();
    const test = { name: 'Marks', event: { body: {} }, expect: { events: { Mark: [{ by: 'first' }] } } };
    await ask(`PUT ${path}/tests`, { test });
    await ask(`PUT ${path}`, { tests_on_publish: 'block' });
    await changes();
    edit('by: first', 'by: git');
    expect(await changes()).toMatchObject([{ direction: 'pull', state: 'conflict' }]);
    edit('by: git', 'by: first\n      more: git');
    expect(await changes()).toMatchObject([{ direction: 'pull', state: 'done' }]);
    edit('by: first', 'by: again');
    const [{ state, draft_id: draftId }] = await changes();
    expect(state).toBe('conflict');
    await mark(draftId, { by: 'first', to: 'mended' });
    expect(await changes()).toMatchObject([
      { direction: 'pull', state: 'done' },
      { direction: 'push', state: 'done' },
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'first', to: 'mended', more: 'git' });
    expect(repository.read(FILE)).toContain('to: mended');
    expect((await ask(`GET ${path}/drafts`)).drafts).toEqual([]);
    expect(await changes()).toEqual([]);
  });

  it('imports new files, and deletes nothing in silence', async () => {
    const { changes, story, ask, account } = await world();
    await changes();
    repository.update();
    const second = repository
      .read(FILE)
      .replace('name: Triage', 'name: Second')
      .replace('path: merges-', 'path: second-')
      .replace(/guid: .*/g, '');
    repository.commit(
      {
        'stories/second.yaml': `${second}\n`,
        'stories/README.md': 'x',
        'other.json': '{}',
        'stories/x.json': '{"a":1}',
      },
      'Add',
    );
    expect(await changes()).toMatchObject([
      { direction: 'pull', kind: 'add', state: 'done', name: 'Second' },
    ]);
    expect(await changes()).toEqual([]);
    repository.commit({ [FILE]: null }, 'Delete');
    expect(await changes()).toMatchObject([
      { direction: 'pull', kind: 'delete', state: 'held', story_id: story.id },
    ]);
    expect((await ask(`GET /api/v1/stories/${story.id}`)).name).toBe('Triage');
    expect(await changes({ restore_deleted: true })).toMatchObject([
      { direction: 'push', kind: 'add', state: 'done' },
    ]);
    expect(repository.files()).toContain(FILE);
    await ask(`DELETE /api/v1/stories/${story.id}`);
    expect(await changes()).toMatchObject([{ direction: 'push', kind: 'delete', state: 'done' }]);
    expect(repository.files()).not.toContain(FILE);
    const { stories: left } = await ask(`GET /api/v1/stories?team_id=${account.team.id}&per_page=50`);
    expect(left.map(({ name }: Parsed) => name)).toEqual(['Second']);
  });

  it('has the same files that the command line pulls, also of a story that came from elsewhere', async () => {
    const { changes, account } = await world();
    await changes();
    repository.update();
    const text = repository
      .read(FILE)
      .replace('name: Triage', 'name: Second')
      .replace('path: merges-', 'path: second-')
      .replace(/guid: "?(\w+)"?/g, (_, guid: string) => `guid: a1${guid.slice(2)}`);
    repository.commit({ 'stories/second.yaml': `${text}\n` }, 'Add');
    expect(await changes()).toMatchObject([{ direction: 'pull', kind: 'add', state: 'done' }]);
    const folder = mkdtempSync(join(tmpdir(), 'fabula-same-'));
    const env = { FABULA_URL: api.fabula().url, FABULA_KEY: account.key, CI: '' };
    const pull = ['story', 'pull', '--all', '--dir', folder, '--layout', 'file', '--format', 'yaml'];
    expect((await runCli(pull, { env })).code).toBe(0);
    for (const name of ['triage.yaml', 'second.yaml'])
      expect(readFileSync(join(folder, name), 'utf8')).toBe(`${repository.read(`stories/${name}`)}\n`);
    rmSync(folder, { recursive: true });
  });

  it('only pulls, or only pushes, as it is set', async () => {
    const { changes, story, mark, payloadOf, set } = await world();
    await changes();
    await set({ direction: 'pull' });
    await mark(story.id, { by: 'server' });
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'held' }]);
    await set({ direction: 'push' });
    edit('to: first', 'to: git');
    expect(await changes()).toMatchObject([{ direction: 'pull', state: 'conflict' }]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'server', to: 'first' });
    expect(repository.read(FILE)).toContain('by: first');
  });

  it('asks by pull requests', async () => {
    const { changes, story, mark, set, account } = await world();
    await changes();
    await set({ way: 'pull_request' });
    await mark(story.id, { by: 'server' });
    const [first] = await changes();
    const branch = first.message.replace('Pushed to the branch ', '');
    expect(first).toMatchObject({ direction: 'push', state: 'waiting' });
    expect(first.compare_url).toBe(`http://127.0.0.1:${host.port}/team/compare/main...${branch}`);
    expect(account.team.id).toBeGreaterThan(0);
    expect(repository.read(FILE, branch)).toContain('by: server');
    expect(repository.read(FILE)).toContain('by: first');
    expect(await changes()).toMatchObject([{ state: 'waiting', message: `Waits in the branch ${branch}` }]);
    await mark(story.id, { to: 'more' });
    await changes();
    expect(repository.log('%s', branch)).toHaveLength(2);
    // Merged, while the story has moved on.
    repository.git(['fetch', '--quiet', 'origin']);
    repository.git(['push', '--quiet', 'origin', `origin/${branch}:main`]);
    await mark(story.id, { by: 'third' });
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'waiting' }]);
    expect(repository.read(FILE, branch)).toContain('by: third');
  });

  it('does not follow a rewritten branch without a person, nor one that is gone', async () => {
    const { changes, story, mark, payloadOf, sync } = await world();
    await changes();
    await mark(story.id, { by: 'second' });
    await changes();
    repository.update();
    repository.git(['push', '--quiet', '--force', 'origin', 'HEAD~1:main']);
    expect(await changes()).toMatchObject([
      { direction: 'pull', state: 'conflict', message: expect.stringContaining('rewritten') },
    ]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'second' });
    repository.git(['push', '--quiet', 'origin', 'HEAD:other']);
    repository.git(['update-ref', '-d', 'refs/heads/main'], repository.bare);
    expect((await sync()).error).toMatch('The branch "main" is gone');
    expect(repository.git(['branch', '--format=%(refname:short)'], repository.bare)).toBe('other');
  });

  it('reads no links, no submodules, nothing outside, and no huge file', async () => {
    const { changes } = await world();
    await changes();
    repository.update();
    const blob = (text: string) => repository.git(['hash-object', '-w', '--stdin'], repository.copy, text);
    const add = (mode: string, oid: string, name: string) =>
      repository.git(['update-index', '--add', '--cacheinfo', `${mode},${oid},${name}`]);
    add('120000', blob('/etc/passwd'), 'stories/link.yaml');
    add('160000', '1'.repeat(40), 'stories/module.yaml');
    add('100644', blob('x'.repeat(9 * 1024 * 1024)), 'stories/huge.yaml');
    add('100644', blob('a: *x'), 'stories/wrong.yaml');
    add(
      '100644',
      blob('{"name":"No actions","schema_version":3,"agents":[{"type":"x"}],"links":[]}'),
      'stories/invalid.json',
    );
    add('100644', blob('[submodule "x"]\n\tpath = x\n\turl = ../x\n'), '.gitmodules');
    add('100644', blob('* filter=evil diff=evil\n'), '.gitattributes');
    repository.git(['commit', '--quiet', '-m', 'Hostile']);
    repository.git(['push', '--quiet', 'origin', 'HEAD:main']);
    const found = await changes();
    expect(found.map(({ place, state }) => `${place} ${state}`).toSorted()).toEqual(
      ['huge', 'invalid', 'link', 'module', 'wrong'].map((place) => `${place} conflict`),
    );
    expect(JSON.stringify(found)).not.toContain('root:');
  });

  it('goes on where a process was killed: after the push, and after the draft', async () => {
    const { changes, story, mark, payloadOf, ask, path } = await world();
    await changes();
    await mark(story.id, { by: 'server' });
    await changes();
    // As if the process had died between the push and its note of it.
    await stores.sql('UPDATE repository_stories SET pushed_digest = digest, story_version = NULL');
    await stores.sql("UPDATE repository_bases SET kind = 'pushed'");
    await stores.sql("UPDATE repository_stories SET digest = REPEAT('1', 64)");
    await mark(story.id, { to: 'later' });
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'done' }]);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'server', to: 'later' });
    // As if it had died with the lease, which ends by itself.
    edit('to: later', 'to: git');
    await stores.sql(
      "UPDATE team_repositories SET lease_holder = 'x', lease_until = NOW(3) - INTERVAL 1 SECOND",
    );
    expect(await changes()).toMatchObject([{ direction: 'pull', state: 'done' }]);
    expect((await ask(`GET ${path}/drafts`)).drafts).toEqual([]);
    expect(repository.log('%H')).toHaveLength(4);
  });

  it('syncs in one process at a time, and tries again when the branch moves', async () => {
    const { changes, sync, raw, team, mark, story } = await world();
    await changes();
    await mark(story.id, { by: 'server' });
    const found: Parsed[] = [];
    let hasMoved = false;
    before = async () => {
      if (hasMoved) return;
      hasMoved = true;
      repository.update();
      repository.commit({ 'NOTES.md': 'moved' }, 'Move on');
      found.push(await raw(`POST ${team}/repository/sync`, {}));
    };
    expect((await sync()).changes).toMatchObject([{ direction: 'push', state: 'done' }]);
    expect(found.map(({ status }) => status)).toEqual([409]);
    expect(repository.files()).toEqual(['NOTES.md', FILE]);
  });

  it('is nothing to other tenants, and to members who do not manage the team', async () => {
    const { raw, team } = await world();
    const stranger = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    for (const request of ['GET', 'DELETE'])
      expect((await raw(`${request} ${team}/repository`, undefined, stranger)).status).toBe(404);
    expect((await raw(`POST ${team}/repository/sync`, {}, stranger)).status).toBe(404);
    expect((await raw(`GET ${team}/repository/syncs`, undefined, stranger)).status).toBe(404);
    const theirs = `/api/v1/teams/${stranger.team.id}/repository`;
    const { credential_id: id } = (await raw(`GET ${team}/repository`)).body;
    expect(
      (await raw(`PUT ${theirs}`, { url: host.url, credential_id: id }, stranger)).body.errors[0].details,
    ).toBe('credential_id');
  });

  it('keeps the secret out of what it tells, and names what fails', async () => {
    const { ask, team, sync, set, credential } = await world();
    await ask(`PUT /api/v1/user_credentials/${credential.id}`, { value: 'git:wrong-password' });
    const { error } = await sync();
    expect(error).toContain('Authentication failed');
    const told = JSON.stringify([
      error,
      await ask(`GET ${team}/repository`),
      await ask(`GET ${team}/repository/syncs`),
    ]);
    expect(told).not.toContain('wrong-password');
    await ask(`PUT /api/v1/user_credentials/${credential.id}`, {
      value: 'git:sesame',
      allowed_hosts: ['git.example.com'],
    });
    expect((await sync()).error).toContain('may not be sent to the host');
    await set({ url: 'http://169.254.169.254/x.git', credential_id: null });
    expect((await sync()).error).toContain('OUTBOUND_ALLOW');
  });

  it('keeps actions and the address of the webhook of a story whose files have no guids', async () => {
    const { changes, ask, agentsOf } = await world();
    await changes();
    const place = 'stories/by-hand.yaml';
    repository.update();
    repository.commit({ [place]: byHand('first') });
    const [added] = await changes();
    expect(added).toMatchObject({ direction: 'pull', kind: 'add', state: 'done' });
    const { story_id: id } = added;
    const before = await agentsOf(id);
    expect(before[0].options).toMatchObject({ secret: 'sesame' });
    repository.commit({ [place]: byHand('second') });
    expect(await changes()).toMatchObject([{ direction: 'pull', kind: 'change', state: 'done' }]);
    const after = await agentsOf(id);
    expect(after.map((each: Parsed) => [each.id, each.guid])).toEqual(
      before.map((each: Parsed) => [each.id, each.guid]),
    );
    expect(after[0].options).toEqual(before[0].options);
    expect(after[1].options.payload).toEqual({ by: 'second', to: 'all' });
    expect(await changes()).toEqual([]);
    // A conflict is one of an option, not of the whole action.
    await ask(`PUT /api/v1/actions/${after[1].id}`, {
      options: { ...after[1].options, payload: { by: 'here', to: 'all' } },
    });
    repository.commit({ [place]: byHand('third') });
    const [conflict] = await changes();
    expect(conflict).toMatchObject({ state: 'conflict' });
    expect([conflict.message, ...conflict.details].join()).toContain('options.payload.by');
  });

  it('follows a file that got another name, and makes a story of a copy of it', async () => {
    const { changes, ask, story, mark, agentsOf } = await world();
    await changes();
    const before = await agentsOf(story.id);
    repository.update();
    repository.git(['mv', FILE, 'stories/other.yaml']);
    repository.commit({}, 'Rename the file');
    expect(await changes()).toEqual([]);
    const { stories } = await ask('GET /api/v1/stories?search=Triage');
    expect(stories.map(({ id }: Parsed) => id)).toEqual([story.id]);
    expect((await agentsOf(story.id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await mark(story.id, { by: 'server' });
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'done', place: 'other' }]);
    expect(repository.files()).toEqual(['stories/other.yaml']);
    repository.update();
    repository.commit({ 'stories/copy.yaml': `${repository.read('stories/other.yaml')}\n` }, 'Copy it');
    const [copy] = await changes();
    expect(copy).toMatchObject({ direction: 'pull', kind: 'add', state: 'done', place: 'copy' });
    expect(copy.story_id).not.toBe(story.id);
    expect(await changes()).toEqual([]);
  });

  it('refuses files that are not UTF-8, and goes on with the others', async () => {
    const { changes, payloadOf, story } = await world();
    await changes();
    edit('by: first', 'by: git');
    const text = 'schema_version: 30\nname: Latin\ndescription: caf\u00e9\nagents: []\nlinks: []\n';
    writeFileSync(join(repository.copy, 'stories/latin.yaml'), Buffer.from(text, 'latin1'));
    repository.commit({}, 'Latin 1');
    const [done, refused] = await changes();
    expect(done).toMatchObject({ state: 'done', name: 'Triage' });
    expect(refused).toMatchObject({ name: 'latin', state: 'conflict' });
    expect(refused.details).toEqual(['latin.yaml is not UTF-8']);
    expect(await payloadOf(story.id)).toMatchObject({ by: 'git' });
  });

  it('writes a story in the form that it has in the repository', async () => {
    const { changes, mark } = await world();
    await changes();
    repository.update();
    const data = {
      schema_version: 30,
      name: 'By hand',
      agents: [
        {
          type: 'Agents::EventTransformationAgent',
          name: 'Mark',
          options: { mode: 'message_only', payload: { by: 'first' } },
        },
      ],
      links: [],
    };
    repository.commit({ 'stories/by-hand.json': JSON.stringify(data) });
    const [{ story_id: id }] = await changes();
    await mark(id, { by: 'server' });
    expect(await changes()).toMatchObject([{ direction: 'push', state: 'done' }]);
    expect(repository.files()).toEqual(['stories/by-hand.json', FILE]);
    expect(JSON.parse(repository.read('stories/by-hand.json')).agents[0].options.payload).toEqual({
      by: 'server',
    });
  });

  it.each([
    [{ url: 'file:///etc' }, 'url'],
    [{ url: 'https://a:b@git.example.com/x' }, 'url'],
    [{ branch: '--upload-pack=x' }, 'branch'],
    [{ folder: '../x' }, 'folder'],
    [{ folder: '.git' }, 'folder'],
    [{ url: 'git@git.example.com:x.git' }, 'host_keys'],
  ])('refuses %j', async (settings, field) => {
    const account: Account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const body = { url: 'https://git.example.com/x.git', ...settings };
    const response = await api.call(account.key, `PUT /api/v1/teams/${account.team.id}/repository`, body);
    expect(response.status).toBe(422);
    expect(response.body.errors[0].details).toBe(field);
  });
});
