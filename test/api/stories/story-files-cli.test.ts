import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../../src/platform/json.js';
import { type FilesForm, filesOfStory, storyOfFiles } from '../../../src/stories/face.js';
import { type Account, buildAccount } from '../../support/builders.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { runCli } from '../../support/run-cli.js';
import { realExports, storyOf, tellMissingExports } from '../../support/stories.js';
import { galleryFolders } from '../../support/gallery.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
let account: Account;
let folder = '';
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const environment = (env: NodeJS.ProcessEnv = {}) => ({
  FABULA_URL: api.fabula().url,
  FABULA_KEY: account.key,
  CI: '',
  ...env,
});

/** Runs `fabula --json story …`. */
async function story(args: string[], env: NodeJS.ProcessEnv = {}) {
  const {
    code,
    out: stdout,
    err: stderr,
  } = await runCli(['--json', 'story', ...args], { env: environment(env) });
  const parsed: Parsed = stdout === '' ? undefined : JSON.parse(stdout);
  return { code, stderr, json: parsed };
}

async function text(args: string[]): Promise<string> {
  return (await runCli(['story', ...args], { env: environment() })).out;
}

async function ask(request: string, body?: unknown): Promise<Parsed> {
  const response = await api.call(account.key, request, body);
  if (response.status >= 300)
    throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

async function importStory(data: Parsed, new_name: string): Promise<number> {
  return (await ask('POST /api/v1/stories/import', { new_name, team_id: account.team.id, data })).id;
}

const withoutTimes = (key: string, value: unknown) => (key === 'exported_at' ? undefined : value);

async function exported(id: number): Promise<Parsed> {
  // Not checked against its schema, which does not know the stories in it.
  const response = await fetch(`${api.fabula().url}/api/v1/stories/${id}/export`, {
    headers: { 'x-user-token': account.key },
  });
  return JSON.parse(await response.text(), withoutTimes);
}

let made = 0;
const chain = (): Parsed =>
  storyOf(
    {
      Receive: [
        'Webhook',
        { path: `files-${process.pid}-${++made}`, secret: 'open sesame words', verbs: 'post' },
      ],
      Mark: ['EventTransformation', { mode: 'message_only', payload: { one: 'a', two: 'b' } }],
      Last: ['EventTransformation', { mode: 'message_only', payload: { by: '=mark.one' } }],
    },
    ['Receive > Mark > Last'],
  );

const file = (name: string) => path.join(folder, name);
const fileText = (name: string) => readFile(file(name), 'utf8');

async function edit(name: string, from: string, to: string): Promise<void> {
  const before = await fileText(name);
  expect(before).toContain(from);
  await writeFile(file(name), before.replace(from, to));
}

/** A story that was pulled into `triage.yaml`. */
async function pulled(...more: string[]): Promise<number> {
  const id = await importStory(chain(), 'Triage');
  expect((await story(['pull', String(id), '--dir', folder, ...more])).code).toBe(0);
  return id;
}

/** Changes the payload of an action on the server, as another person would. */
async function theyChange(id: number, name: string, payload: object): Promise<void> {
  const { agents } = await ask(`GET /api/v1/stories/${id}/agents`);
  const { id: agentId, options } = agents.find((each: Parsed) => each.name === name);
  await ask(`PUT /api/v1/actions/${agentId}`, {
    options: { ...options, payload: { ...options.payload, ...payload } },
  });
}

/** Pushes as CI does of a fresh checkout, with a draft of this name. */
async function ofCi(draft: string) {
  await rm(file('.fabula'), { recursive: true, force: true });
  return story(['push', folder, '--apply', '--draft', draft, '--request'], { CI: 'true' });
}

/** Promotes the change request of the draft. */
async function promoted(id: number, draft: string): Promise<void> {
  const { drafts } = await ask(`GET /api/v1/stories/${id}/drafts`);
  const { id: draftId } = drafts.find(({ name }: Parsed) => name === draft);
  const { change_request: request } = await ask(
    `GET /api/v1/stories/${id}/change_request/view?draft_id=${draftId}`,
  );
  await ask(`POST /api/v1/stories/${id}/change_request/promote`, {
    change_request_id: request.id,
    bypass_approval: true,
    bypass_approval_reason: 'a test',
  });
}

/** A commit whose push is approved. */
async function approvedInCi(id: number, from: string, to: string): Promise<void> {
  await edit('triage.yaml', from, to);
  expect((await ofCi(to)).json).toMatchObject([{ state: 'pushed' }]);
  await promoted(id, to);
}

/** Changes the payload of `Mark` by a draft, under change control. */
async function theyPublish(id: number, payload: object): Promise<void> {
  const { id: draftId } = await ask(`POST /api/v1/stories/${id}/drafts`, { name: 'Theirs' });
  const { agents } = await ask(`GET /api/v1/drafts/${draftId}/agents`);
  const { id: agentId, options } = agents.find((each: Parsed) => each.name === 'Mark');
  await ask(`PUT /api/v1/actions/${agentId}`, {
    options: { ...options, payload: { ...options.payload, ...payload } },
  });
  await ask(`POST /api/v1/stories/${id}/change_request`, { draft_id: draftId, title: 'Theirs' });
  await promoted(id, 'Theirs');
}

/** A file that a person wrote: a story without actions. */
const written = (name: string) => `schema_version: 30\nname: ${name}\nagents: []\nlinks: []\n`;

const payloadOf = async (id: number, at: number) => (await exported(id)).agents[at].options.payload;

describe('stories as software: pulling and pushing files', () => {
  it.each(['file', 'folder'])('pulls and pushes a %s without a change of the story', async (layout) => {
    const id = await pulled('--layout', layout);
    const before = await exported(id);
    const place = layout === 'file' ? 'triage.yaml' : 'triage';

    const pushed = await story(['push', file(place)]);

    expect(pushed.json).toMatchObject([{ state: 'unchanged', story_id: id, differences: [] }]);
    expect(await exported(id)).toEqual(before);
    const texts = await Promise.all(
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')),
    );
    expect(texts.join()).not.toContain('sesame');
    expect(texts.join()).not.toContain(account.key);
  });

  it('pushes a change, keeps secrets and ids, and notes it as a version from files', async () => {
    const id = await pulled();
    const before = await exported(id);
    await edit('triage.yaml', 'one: a', 'one: changed');

    const dry = await story(['push', folder, '--dry-run']);
    const pushed = await story(['push', folder, '--message', 'Commit 7']);
    const again = await story(['push', folder]);

    expect(dry.json).toMatchObject([
      { state: 'would_push', differences: [{ path: 'options.payload.one', after: 'changed' }] },
    ]);
    expect(pushed.json).toMatchObject([{ state: 'pushed', conflicts: [], notes: [] }]);
    expect(again.json).toMatchObject([{ state: 'unchanged' }]);
    const after = await exported(id);
    expect(after.agents[1].options.payload).toEqual({ one: 'changed', two: 'b' });
    expect(after.agents[0]).toEqual(before.agents[0]);
    const { story_versions: versions } = await ask(`GET /api/v1/stories/${id}/versions`);
    expect(versions[0]).toMatchObject({ source: 'files', description: 'Commit 7' });
  });

  it('merges what others have changed, and brings it into the files', async () => {
    const id = await pulled();
    await theyChange(id, 'Mark', { two: 'theirs' });
    await edit('triage.yaml', 'one: a', 'one: ours');

    const pushed = await story(['push', folder]);

    expect(pushed.json).toMatchObject([{ state: 'pushed', differences: [{ path: 'options.payload.one' }] }]);
    expect(await payloadOf(id, 1)).toEqual({ one: 'ours', two: 'theirs' });
    expect(await fileText('triage.yaml')).toContain('two: theirs');
    await edit('triage.yaml', 'two: theirs', 'two: b');
    await story(['push', folder]);
    expect(await payloadOf(id, 1)).toEqual({ one: 'ours', two: 'b' });
  });

  it('refuses what both have changed, with exit code 3, until a side is chosen', async () => {
    const id = await pulled();
    await theyChange(id, 'Mark', { one: 'theirs' });
    await edit('triage.yaml', 'one: a', 'one: ours');

    const refused = await story(['push', folder]);
    const shown = await text(['push', folder]);
    const pull = await story(['pull', String(id), '--dir', folder]);

    expect(refused.code).toBe(3);
    expect(refused.json).toMatchObject([
      { state: 'refused', conflicts: [{ place: '"Mark", options.payload.one' }] },
    ]);
    expect(shown).toContain(
      '! "Mark", options.payload.one: was "a"; the server has "theirs", the files have "ours"',
    );
    expect([pull.code, pull.json[0].state]).toEqual([3, 'refused']);
    expect(await payloadOf(id, 1)).toMatchObject({ one: 'theirs' });
    expect((await story(['push', folder, '--take', 'mine'])).json).toMatchObject([{ state: 'pushed' }]);
    expect(await payloadOf(id, 1)).toMatchObject({ one: 'ours' });
  });

  it('pulls what others have changed into files that have changes of their own', async () => {
    const id = await pulled('--layout', 'folder');
    await theyChange(id, 'Last', { more: 'theirs' });
    await edit('triage/actions/mark.yaml', 'one: a', 'one: ours');

    const pull = await story(['pull', String(id), '--dir', folder]);

    expect(pull.json).toMatchObject([
      { state: 'pulled', notes: ['the files have changes that are not pushed'] },
    ]);
    expect(await fileText('triage/actions/last.yaml')).toContain('more: theirs');
    expect(await fileText('triage/actions/mark.yaml')).toContain('one: ours');
    await story(['push', folder]);
    expect(await payloadOf(id, 1)).toMatchObject({ one: 'ours' });
    expect(await payloadOf(id, 2)).toMatchObject({ more: 'theirs' });
  });

  it('leaves a file that says the same as it is written', async () => {
    const id = await pulled();
    const own = `# About this story\n${await fileText('triage.yaml')}`;
    await writeFile(file('triage.yaml'), own);

    expect((await story(['pull', String(id), '--dir', folder])).json).toMatchObject([{ state: 'unchanged' }]);
    expect((await story(['push', folder])).json).toMatchObject([{ state: 'unchanged' }]);

    expect(await fileText('triage.yaml')).toBe(own);
  });

  it('pulls into a fresh checkout whose files are as they were pushed last', async () => {
    const id = await pulled();
    await edit('triage.yaml', 'one: a', 'one: pushed');
    await story(['push', folder]);
    const committed = await fileText('triage.yaml');
    await theyChange(id, 'Mark', { two: 'theirs' });

    for (const [text, state] of [
      [committed.replace('one: pushed', 'one: ours'), 'refused'],
      [committed, 'pulled'],
    ]) {
      await rm(file('.fabula'), { recursive: true, force: true });
      await writeFile(file('triage.yaml'), text ?? '');
      expect((await story(['pull', String(id), '--dir', folder])).json).toMatchObject([{ state }]);
    }

    expect(await fileText('triage.yaml')).toContain('two: theirs');
  });

  it('keeps the comments at the top of a file that it writes anew', async () => {
    await pulled();
    const top = '# yaml-language-server: $schema=story.schema.json\n# Ours\n';
    await writeFile(file('triage.yaml'), `${top}${await fileText('triage.yaml')}`);
    await edit('triage.yaml', 'one: a', 'new: c\n      one: a # not at the top');

    expect((await story(['push', folder])).json).toMatchObject([{ state: 'pushed' }]);
    await edit('triage.yaml', 'one: a', 'one: d');
    await story(['pull', 'Triage', '--dir', folder, '--overwrite']);

    const now = await fileText('triage.yaml');
    expect(now.startsWith(`${top}schema_version`)).toBe(true);
    expect(now).toContain('one: a');
  });

  it('only shows what would change if CI is set, and takes the last push as the base', async () => {
    const id = await pulled();
    await edit('triage.yaml', 'one: a', 'one: first');
    await story(['push', folder]);
    await rm(file('.fabula'), { recursive: true });
    await edit('triage.yaml', 'one: first', 'one: a');
    const ci = { CI: 'true' };

    expect((await story(['push', folder])).json).toMatchObject([{ state: 'refused' }]);
    expect((await story(['push', folder], ci)).json).toMatchObject([{ state: 'would_push' }]);
    expect(await payloadOf(id, 1)).toMatchObject({ one: 'first' });
    expect((await story(['push', folder, '--apply'], ci)).json).toMatchObject([{ state: 'pushed' }]);
    expect(await payloadOf(id, 1)).toMatchObject({ one: 'a' });

    await theyChange(id, 'Mark', { two: 'theirs' });
    await rm(file('.fabula'), { recursive: true });
    await edit('triage.yaml', 'one: a', 'one: second');
    const drifted = await story(['push', folder, '--apply'], ci);
    expect(drifted.code).toBe(3);
    expect(drifted.json[0].notes[0]).toContain('the server has changes that the files lack');
    expect(await payloadOf(id, 1)).toEqual({ one: 'a', two: 'theirs' });
  });

  it('makes a story of files that were written by hand, and knows it again', async () => {
    const hello = `schema_version: 30
name: Hello ${++made}
agents:
- type: Agents::EventTransformationAgent
  name: Greet
  options: {mode: message_only, payload: {text: Hello}}
links: []
`;
    await writeFile(file('hello.yaml'), hello);

    const dry = await story(['push', file('hello.yaml'), '--dry-run']);
    const created = await story(['push', file('hello.yaml'), '--team', String(account.team.id)]);

    expect(dry.json).toMatchObject([{ state: 'would_create' }]);
    expect(created.json).toMatchObject([{ state: 'created' }]);
    const id = created.json[0].story_id;
    expect(await fileText('hello.yaml')).toContain(`guid: ${(await exported(id)).guid}`);
    await edit('hello.yaml', 'text: Hello', 'text: Good morning');
    expect((await story(['push', file('hello.yaml')])).json).toMatchObject([
      { state: 'pushed', story_id: id },
    ]);
    expect(await payloadOf(id, 0)).toEqual({ text: 'Good morning' });
    await rm(file('.fabula'), { recursive: true });
    await writeFile(file('other.yaml'), hello.replace('name: Hello', 'name: Other'));
    const other = await story(['push', file('other.yaml'), '--apply'], { CI: '1' });
    expect(other.json).toMatchObject([
      { state: 'created', notes: [expect.stringContaining('pull the story, and commit')] },
    ]);
    await rm(file('.fabula'), { recursive: true });
    await writeFile(file('hello.yaml'), hello.replace('Hello}', 'Good morning}'));
    const ofCi = await story(['push', file('hello.yaml'), '--apply'], { CI: '1' });
    expect(ofCi.json).toMatchObject([{ state: 'unchanged', story_id: id }]);
  });

  it('goes on in CI under change control, approval after approval', async () => {
    const id = await pulled('--layout', 'file');
    await ask(`PUT /api/v1/stories/${id}`, { change_control_enabled: true });

    expect((await ofCi('first')).json).toMatchObject([{ state: 'unchanged' }]);
    await approvedInCi(id, 'one: a', 'one: b');
    await approvedInCi(id, 'one: b', 'one: c');

    expect(await payloadOf(id, 1)).toEqual({ one: 'c', two: 'b' });
    expect((await ofCi('again')).json).toMatchObject([{ state: 'unchanged' }]);
    const { story_versions: versions } = await ask(`GET /api/v1/stories/${id}/versions`);
    expect(versions[0]).toMatchObject({ source: 'files', name: 'one: c' });
  });

  it('goes on in CI with a story that was pushed before change control, and needs an overwrite for one that was not', async () => {
    const id = await pulled('--layout', 'file');
    await edit('triage.yaml', 'one: a', 'one: b');
    await ask(`PUT /api/v1/stories/${id}`, { change_control_enabled: true });
    const unknown = await ofCi('one');
    expect([unknown.code, unknown.json[0].notes[0]]).toEqual([
      3,
      expect.stringContaining('push the files once as they are pulled'),
    ]);
    await ask(`PUT /api/v1/stories/${id}`, { change_control_enabled: false });
    expect((await story(['push', folder, '--apply', '--overwrite'], { CI: '1' })).code).toBe(0);
    await ask(`PUT /api/v1/stories/${id}`, { change_control_enabled: true });

    await approvedInCi(id, 'one: b', 'one: c');
    await approvedInCi(id, 'one: c', 'one: d');

    expect(await payloadOf(id, 1)).toMatchObject({ one: 'd' });
  });

  it('loses no change by hand between approvals in CI', async () => {
    const id = await pulled('--layout', 'file');
    await ofCi('first');
    await ask(`PUT /api/v1/stories/${id}`, { change_control_enabled: true });
    await edit('triage.yaml', 'one: a', 'one: b');
    await ofCi('one: b');
    // Merged into the draft at its approval: the files lack it.
    await theyPublish(id, { two: 'theirs' });
    await promoted(id, 'one: b');
    expect(await payloadOf(id, 1)).toEqual({ one: 'b', two: 'theirs' });

    await edit('triage.yaml', 'by: =mark.one', 'by: =mark.two');
    const lacking = await ofCi('lacking');
    expect([lacking.code, lacking.json[0].notes[0]]).toEqual([
      3,
      expect.stringContaining('the server has changes that the files lack'),
    ]);
    await edit('triage.yaml', 'two: b', 'two: theirs');
    expect((await ofCi('pulled')).json).toMatchObject([{ state: 'pushed' }]);
    await promoted(id, 'pulled');
    await approvedInCi(id, 'one: b', 'one: c');

    expect(await payloadOf(id, 1)).toEqual({ one: 'c', two: 'theirs' });
    await theyPublish(id, { one: 'theirs' });
    await edit('triage.yaml', 'one: c', 'one: d');
    expect((await ofCi('both')).code).toBe(3);
  });

  it('brings what others have changed into the files with a draft, too', async () => {
    const id = await pulled();
    await theyChange(id, 'Mark', { two: 'theirs' });
    await edit('triage.yaml', 'one: a', 'one: ours');

    expect((await story(['push', folder, '--draft', 'Mine'])).json).toMatchObject([{ state: 'pushed' }]);

    expect(await fileText('triage.yaml')).toContain('two: theirs');
    expect((await story(['pull', String(id), '--dir', folder])).json).toMatchObject([{ state: 'unchanged' }]);
    expect(await fileText('triage.yaml')).toContain('one: ours');
  });

  it('writes a draft, and asks for its approval under change control', async () => {
    const id = await pulled();
    await ask(`PUT /api/v1/stories/${id}`, { change_control_enabled: true });
    await edit('triage.yaml', 'one: a', 'one: ours');

    const refused = await story(['push', folder]);
    const pushed = await story(['push', folder, '--draft', 'From git', '--request']);
    const again = await story(['push', folder, '--draft', 'From git', '--request']);

    expect([refused.code, refused.json[0].notes[0]]).toEqual([
      3,
      'the story is under change control: use --draft NAME --request',
    ]);
    expect(pushed.json).toMatchObject([{ state: 'pushed', notes: ['a change request was opened'] }]);
    expect(again.json).toMatchObject([
      { state: 'pushed', draft_id: pushed.json[0].draft_id, notes: ['its change request is open already'] },
    ]);
    expect(await payloadOf(id, 1)).toMatchObject({ one: 'a' });
    const { change_request: request } = await ask(
      `GET /api/v1/stories/${id}/change_request/view?draft_id=${pushed.json[0].draft_id}`,
    );
    expect(request.story_diff).toMatchObject([{ path: 'options.payload.one', after: 'ours' }]);
    const { agents } = await ask(`GET /api/v1/drafts/${pushed.json[0].draft_id}/agents`);
    await ask(`PUT /api/v1/actions/${agents[1].id}`, { name: 'Edited' });
    expect((await story(['push', folder, '--draft', 'From git'])).code).toBe(3);
  });

  it('refuses a story that was deleted, says how to make it anew, and pushes the others', async () => {
    const ids = [await importStory(chain(), 'Doomed'), await importStory(chain(), 'Other')];
    await story(['pull', ...ids.map(String), '--dir', folder]);
    await ask(`DELETE /api/v1/stories/${ids[0]}`);
    await edit('other.yaml', 'one: a', 'one: b');

    const pushed = await story(['push', folder]);

    expect(pushed.code).toBe(3);
    expect(pushed.json).toMatchObject([
      { state: 'refused', name: 'Doomed' },
      { state: 'pushed', story_id: ids[1] },
    ]);
    const [, kept = ''] =
      /^story \d+ was deleted, or .*: delete (\S+), and the push makes/.exec(pushed.json[0].notes[0]) ?? [];
    await rm(path.resolve(kept));
    const draft = await story(['push', file('doomed.yaml'), '--draft', 'A draft']);
    expect([draft.code, draft.json[0].notes[0]]).toEqual([3, expect.stringContaining('without --draft')]);
    expect((await story(['push', file('doomed.yaml')])).json).toMatchObject([{ state: 'created' }]);
  });

  it('does the others if the server refuses one, and names each', async () => {
    const ids = [await importStory(chain(), 'First'), await importStory(chain(), 'Last')];
    await story(['pull', ...ids.map(String), '--dir', folder]);
    for (const name of ['first.yaml', 'last.yaml']) await edit(name, 'one: a', 'one: b');
    await edit('first.yaml', 'name: Last\n', 'name: Last\n  keep_events_for: -7\n');

    const pushed = await story(['push', folder]);

    expect([pushed.code, pushed.stderr]).toEqual([1, '']);
    expect(pushed.json).toMatchObject([
      { state: 'failed', name: 'First', notes: [expect.stringContaining('422')] },
      { state: 'pushed', story_id: ids[1] },
    ]);
    expect(await payloadOf(ids[1] ?? 0, 1)).toMatchObject({ one: 'b' });
    await writeFile(file('first.yaml'), 'agents: [');
    const pull = await story(['pull', ...ids.map(String), '--dir', folder]);
    expect(pull.code).toBe(1);
    expect(pull.json).toMatchObject([{ state: 'failed', story_id: ids[0] }, { state: 'unchanged' }]);
  });

  it('refuses a second file that would change the same story', async () => {
    const id = await pulled();
    const copy = (await fileText('triage.yaml')).replace('one: a', 'one: copied');
    await story(['push', folder, '--apply'], { CI: '1' });
    await edit('triage.yaml', 'two: b', 'two: changed');
    await writeFile(file('triage-2.yaml'), copy);
    await rm(file('.fabula'), { recursive: true });

    const pushed = await story(['push', file('triage.yaml'), folder, '--apply'], { CI: '1' });

    expect(pushed.code).toBe(3);
    expect(pushed.json).toMatchObject([
      { state: 'pushed' },
      { state: 'refused', notes: [expect.stringContaining('triage.yaml is the same story')] },
      { state: 'unchanged' },
    ]);
    expect(await payloadOf(id, 1)).toEqual({ one: 'a', two: 'changed' });
  });

  it('makes one story of two new files that have one guid, or one name and no guid', async () => {
    const guid = `guid: ${'c'.repeat(32)}\n`;
    await writeFile(file('a.yaml'), guid + written('First'));
    await writeFile(file('b.yaml'), guid + written('Second'));
    await writeFile(file('c.yaml'), written('Third'));
    await writeFile(file('d.yaml'), written('Third'));
    const refused = { state: 'refused', notes: [expect.stringContaining('is the same story')] };
    const push = ['push', folder, '--team', String(account.team.id)];

    const dry = await story([...push, '--dry-run']);
    const pushed = await story(push);

    const would = { state: 'would_create' };
    expect(dry.json).toMatchObject([would, refused, would, refused]);
    const made = { state: 'created' };
    expect(pushed.json).toMatchObject([made, refused, made, refused]);
    expect(pushed.code).toBe(3);
  });

  it('pulls all stories of a team, and finds one by name, slug and address', async () => {
    const ids = [
      await importStory(chain(), 'Same name'),
      await importStory(chain(), 'Same name'),
      await importStory(chain(), 'Other, one'),
    ];

    const all = await story(['pull', '--team', String(account.team.id), '--dir', folder]);

    expect(new Set(all.json.map((each: Parsed) => each.story_id))).toEqual(new Set(ids));
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining([
        '.fabula',
        'other-one.yaml',
        'same-name.yaml',
        expect.stringMatching(/^same-name-[0-9a-f]{6}\.yaml$/),
      ]),
    );
    for (const named of ['Other, one', 'other_one', `${api.fabula().url}/stories/${ids[2]}/edit`]) {
      expect((await story(['pull', named, '--dir', folder])).json).toMatchObject([
        { story_id: ids[2], state: 'unchanged' },
      ]);
    }
    expect((await story(['pull', 'Same name', '--dir', folder])).stderr).toContain('name one by id');
    expect((await story(['push', folder])).json.map((each: Parsed) => each.state)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
  });

  it('keeps two stories of one export apart, in pulls and pushes', async () => {
    const data = await exported(await importStory(chain(), 'Exported'));
    const first = await importStory(data, 'Twin');
    await story(['pull', String(first), '--dir', folder]);
    const before = await fileText('twin.yaml');
    const second = await importStory(data, 'Twin');
    const all = await story(['pull', '--team', String(account.team.id), '--dir', folder]);
    const paths = new Map(all.json.map((each: Parsed) => [each.story_id, path.basename(each.path)]));
    expect(paths.get(first)).toBe('twin.yaml');
    expect(paths.get(second)).toMatch(/^twin-[0-9a-f]{6}\.yaml$/);
    expect(await fileText('twin.yaml')).toBe(before);
  });

  it('takes the story that was imported with the guid before one of the name', async () => {
    const data = { ...chain(), guid: 'a'.repeat(32) };
    const id = await importStory(data, 'Mine');
    await story(['pull', String(id), '--dir', folder]);
    await ask(`DELETE /api/v1/stories/${id}`);
    const imported = await importStory(data, 'Imported');
    await importStory(chain(), 'Mine');
    await rm(file('.fabula'), { recursive: true });
    expect((await story(['push', file('mine.yaml'), '--dry-run'])).json).toMatchObject([
      { story_id: imported },
    ]);
  });

  it('never writes through a symbolic link, nor over a file of something else', async () => {
    const id = await importStory(chain(), 'Package');
    await writeFile(file('package.json'), '{"name": "mine"}');
    await writeFile(file('chart.yaml'), 'a: {{ .Values.a }}\n- b\n');
    await mkdir(file('elsewhere'));
    await symlink(file('elsewhere'), file('link'));

    const pull = await story(['pull', String(id), '--dir', folder, '--format', 'json']);

    expect(pull.json[0].path).toMatch(/package-[0-9a-f]{6}\.json$/);
    expect(await fileText('package.json')).toBe('{"name": "mine"}');
    const linked = await story(['pull', String(id), '--dir', file('link')]);
    expect([linked.code, linked.stderr]).toEqual([1, expect.stringContaining('is a symbolic link')]);
    expect(await readdir(file('elsewhere'))).toEqual([]);
  });

  it('says what is wrong with the server, the key and the files', async () => {
    await writeFile(file('a.yaml'), 'agents: [\nname: x\n');
    const unknown = { FABULA_URL: 'http://127.0.0.1:9' };

    expect((await story(['pull', '1'], { FABULA_URL: '' })).stderr).toContain('set FABULA_URL');
    expect((await story(['pull', '1'], { FABULA_KEY: '' })).stderr).toContain('set FABULA_KEY');
    expect((await story(['pull', '1'], { FABULA_KEY: 'wrong' })).stderr).toContain('401');
    expect((await story(['pull', '1'], unknown)).stderr).toContain('127.0.0.1:9 cannot be reached');
    expect((await story(['pull', '999999999'])).stderr).toContain('404: Story not found');
    expect((await story(['push', folder])).stderr).toMatch(/a\.yaml:\d/);
  });
});

/** Calls the diff driver as git does for an action. */
const ofGit = (old: string, made: string) =>
  text(['diff', 'triage/actions/mark.yaml', old, 'a1b2c3d', '100644', made, 'd4c3b2a', '100644']);
/** The same for a file that has become executable. */
const ofMode = (old: string, made: string) =>
  text(['diff', 'a.yaml', old, 'a1b2c3d', '100644', made, 'd4c3b2a', '100755']);
const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args]);

describe('stories as software: differences for people and git', () => {
  it('compares files with the server and with each other', async () => {
    const id = await pulled();
    await writeFile(file('before.yaml'), await fileText('triage.yaml'));
    await edit('triage.yaml', 'one: a', 'one: ours');

    expect(await text(['diff', file('triage.yaml')])).toBe(
      `${file('triage.yaml')}, compared with story ${id}\n  "Mark"\n    ~ options.payload.one: "a" → "ours"\n`,
    );
    const two = await story(['diff', file('before.yaml'), file('triage.yaml'), '--exit-code']);
    expect([two.code, two.json.differences]).toMatchObject([1, [{ path: 'options.payload.one' }]]);
    const same = await story(['diff', file('before.yaml'), file('before.yaml'), '--exit-code']);
    expect([same.code, same.json.differences]).toEqual([0, []]);
  });

  it('takes the seven arguments of git for a story, and for an action of a folder', async () => {
    await pulled('--layout', 'folder');
    const action = file('triage/actions/mark.yaml');
    await writeFile(file('old.yaml'), await readFile(action, 'utf8'));
    await edit('triage/actions/mark.yaml', 'one: a', 'one: |-\n      first\n      second');
    await edit('old.yaml', 'one: a', 'one: |-\n      first\n      third');

    expect(await ofGit(file('old.yaml'), action)).toBe(
      'triage/actions/mark.yaml\n  "Mark"\n    ~ options.payload.one:\n        - third\n        + second\n',
    );
    expect(await ofGit('/dev/null', action)).toContain('+ action "Mark"');
    await writeFile(file('old.yaml'), 'a: [');
    expect(await ofGit(file('old.yaml'), action)).toContain('triage/actions/mark.yaml:');
  });

  it('shows the lines of a file that cannot be read, and a mode that changed', async () => {
    const [old, made] = [
      await fileWith('old.yaml', 'a: 1\nb: [\n'),
      await fileWith('made.yaml', 'a: 1\nb: {\n'),
    ];

    expect(await ofGit(old, made)).toMatch(/mark\.yaml:\d.*\n +- b: \[\n +\+ b: \{/);
    expect(await ofMode(old, old)).toBe('a.yaml\n  mode 100644 → 100755\n');
    await writeFile(made, 'a: 2\n');
    await writeFile(old, 'a: 1\n');
    expect(await ofMode(old, made)).toMatch(/^a\.yaml\n {2}mode 100644 → 100755\n.*a: 1 → 2/);
  });

  it('is a diff driver of git', async () => {
    await pulled();
    await git('init', '-q');
    const page = await readFile('docs/build/story-format.md', 'utf8');
    const [attributes = ''] = /^printf .* >> \.gitattributes$/m.exec(page) ?? [];
    await promisify(execFile)('sh', ['-c', attributes], { cwd: folder });
    const names = ['a.yml', 'b/story.yaml', 'b/actions/c.json', 'README.md'].map((name) => `stories/${name}`);
    const { stdout: drivers } = await git('check-attr', 'diff', ...names, 'triage.yaml');
    expect(drivers.match(/(?<=: diff: ).*/g)).toEqual([
      ...Array.from({ length: 3 }, () => 'fabula'),
      ...Array.from({ length: 2 }, () => 'unspecified'),
    ]);
    await writeFile(file('.gitattributes'), '*.yaml diff=fabula\n');
    await writeFile(file('driver'), '#!/bin/sh\necho "$# $1"\n', { mode: 0o755 });
    await git('config', 'diff.fabula.command', file('driver'));
    await git('add', '.');
    await edit('triage.yaml', 'one: a', 'one: b');

    expect((await git('diff')).stdout).toBe('7 triage.yaml\n');
    expect((await git('status', '--short')).stdout).not.toContain('.fabula');
  });
});

describe('stories as software: checks of files', () => {
  it('checks a folder with stories, and names file and line of a fault', async () => {
    await pulled('--layout', 'folder');
    expect((await story(['check', folder])).json).toMatchObject({
      files: [{ file: file('triage'), refusals: [] }],
    });

    await writeFile(file('triage/actions/mark.yaml'), 'name: a\nname: b\n');
    const { code, json } = await story(['check', folder]);
    expect(code).toBe(1);
    expect(JSON.stringify(json)).toContain('line 2: the key \\"name\\" is there twice');
  });

  it('tries a story in a folder', async () => {
    await pulled('--layout', 'folder');
    const tried = await text(['try', file('triage'), '--event', await fileWith('event.json', '{}')]);
    expect(tried).toContain('Mark');
  });
});

async function fileWith(name: string, content: string): Promise<string> {
  await writeFile(file(name), content);
  return file(name);
}

/** Stories with all kinds of actions and links, schedules, notes, tests, and one that calls another. */
const SOME = ['send-to-story-library', 'records-and-case', 'temporary-access', 'scheduled-report'];
const FORMS = ['file', 'folder'].flatMap((layout) =>
  ['yaml', 'json'].map((format): [layout: string, format: string] => [layout, format]),
);
const of = (layout: string, format: string) => ['--dir', folder, '--layout', layout, '--format', format];

/** The story in the files of a form. */
async function storyIn(place: string): Promise<JsonObject> {
  const names = (await stat(file(place))).isDirectory()
    ? (await readdir(file(place), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    : [place];
  return storyOfFiles(
    await Promise.all(names.map(async (name) => ({ path: name, text: await fileText(name) }))),
  );
}

/** Writes a story over its files. */
async function writeStory(place: string, data: JsonObject, [layout, format]: string[]): Promise<void> {
  await rm(file(place), { recursive: true });
  const stem = path.parse(place).name;
  for (const { path: name, text: written } of filesOfStory(data, { layout, format, stem } as FilesForm)) {
    await mkdir(path.dirname(file(name)), { recursive: true });
    await writeFile(file(name), written);
  }
}

/** Changes a bit of everything: a text, an option, a link, an action, a note, a test. */
function changed(data: Parsed): Parsed {
  const {
    agents,
    links,
    diagram_notes: notes = [],
    fabula_tests: tests = [],
    ...rest
  } = structuredClone(data);
  const [first, ...others] = agents;
  const added = {
    type: 'Agents::EventTransformationAgent',
    name: 'Added in files',
    guid: 'ab'.repeat(16),
    disabled: false,
    options: { mode: 'message_only', payload: { text: 'first\n  second\n\nthird: 1', 'a.b': [1, null] } },
  };
  return {
    ...rest,
    description: 'Changed\nin files',
    agents: [
      { ...first, disabled: true, options: { ...first.options, note: 'two\nlines' } },
      ...others,
      added,
    ],
    links: [...links.slice(1), { source: 0, receiver: agents.length }],
    diagram_notes: notes.map((note: Parsed, at: number) =>
      at === 0 ? { ...note, content: '# Changed' } : note,
    ),
    fabula_tests: [...tests.slice(1), { name: 'Added', event: { body: 1 }, expect: { nothing_else: true } }],
  };
}

/** A story without what each server gives of its own: guids, the secrets of webhooks, the order of links. */
function ofAnyServer(data: Parsed): Parsed {
  const places = new Map<string, string>();
  const number = ({ guid, agents, send_to_stories: called = [] }: Parsed, place: string) => {
    places.set(guid, place);
    agents.forEach((each: Parsed, at: number) => places.set(each.guid, `${place}, action ${at}`));
    (called ?? []).forEach((each: Parsed, at: number) => number(each, `${place}, story ${at}`));
  };
  number(data, 'story');
  let plain = JSON.stringify(data, (key, value: unknown) => {
    if (key === 'secret') return 'its own';
    // A path is kept, also one that was made of a guid.
    return key === 'path' && typeof value === 'string' ? value.split('').join(' ') : value;
  });
  for (const [guid, place] of places) plain = plain.replaceAll(guid, place);
  const story = JSON.parse(plain);
  return { ...story, links: new Set(story.links.map((link: Parsed) => JSON.stringify(link))) };
}

describe('stories as software: all exports', () => {
  const all = [
    ...galleryFolders().map(([name, { text: json }]): [string, string] => [name, json]),
    ...realExports(),
  ];
  /** Few of them go through a server in each form: `test/unit/stories/story-files.test.ts` takes all. */
  const some = [
    ...all.filter(([name]) => SOME.includes(name)),
    ...all.slice(galleryFolders().length).filter((_, at) => at % 20 === 0),
  ];

  tellMissingExports();

  it('are the same after pull and push', async () => {
    const ids: number[] = [];
    for (const [name, json] of all) ids.push(await importStory(JSON.parse(json), name.slice(0, 100)));
    const before = new Map<number, Parsed>();
    for (const id of ids) before.set(id, await exported(id));
    const pull = await story(['pull', ...ids.map(String), ...of('folder', 'yaml')]);
    expect(pull.json.filter((each: Parsed) => each.state === 'refused')).toEqual([]);
    const push = await story(['push', folder]);
    expect(push.json.map((each: Parsed) => each.state)).toEqual(ids.map(() => 'unchanged'));
    for (const id of ids) expect(await exported(id)).toEqual(before.get(id));
  }, 300_000);

  it.each(FORMS)('are made on another tenant from a %s in %s, as they were', async (...form) => {
    const ids: number[] = [];
    for (const [name, json] of some) ids.push(await importStory(JSON.parse(json), `Made ${name}`));
    const before = await Promise.all(ids.map(exported));
    const pull = await story(['pull', ...ids.map(String), ...of(...form)]);
    const places: string[] = pull.json.map((each: Parsed) => path.basename(each.path));
    await rm(file('.fabula'), { recursive: true });
    // Addresses of webhooks are free there, as on another server.
    const { stories } = await ask(`GET /api/v1/stories?team_id=${account.team.id}&per_page=100`);
    for (const { id } of stories) await ask(`DELETE /api/v1/stories/${id}`);
    account = await buildAccount(stores.db, { owner: true });

    const push = await story(['push', folder, '--team', String(account.team.id)]);

    const made = new Map<string, Parsed>(push.json.map((each: Parsed) => [path.basename(each.path), each]));
    for (const [at, place] of places.entries()) {
      expect(made.get(place)).toMatchObject({ state: 'created' });
      const { story_id: id } = made.get(place);
      expect(ids).not.toContain(id);
      expect(ofAnyServer(await exported(id))).toEqual(ofAnyServer(before[at]));
    }
    expect((await story(['push', folder])).json.map((each: Parsed) => each.state)).toEqual(
      places.map(() => 'unchanged'),
    );
  });

  it.each(FORMS)('are changed by a push of a %s in %s, in that and nothing else', async (...form) => {
    const ids: number[] = [];
    for (const [name, json] of some) ids.push(await importStory(JSON.parse(json), `Changed ${name}`));
    const before = await Promise.all(ids.map(exported));
    const pull = await story(['pull', ...ids.map(String), ...of(...form)]);
    const places: string[] = pull.json.map((each: Parsed) => path.basename(each.path));
    for (const place of places) await writeStory(place, changed(await storyIn(place)), form);

    const push = await story(['push', folder]);

    expect(push.json.map((each: Parsed) => [each.state, each.conflicts])).toEqual(
      places.map(() => ['pushed', []]),
    );
    for (const [at, id] of ids.entries()) {
      expect(ofAnyServer(await exported(id))).toEqual(ofAnyServer(changed(before[at])));
    }
    expect((await story(['push', folder])).json.map((each: Parsed) => each.state)).toEqual(
      places.map(() => 'unchanged'),
    );
  });

  it('are pushed as new stories from files that were never pulled', async () => {
    const [first] = all;
    await writeFile(file('a.json'), first?.[1] ?? '');
    const created = await story(['push', file('a.json'), '--team', String(account.team.id)]);
    expect(created.json).toMatchObject([{ state: 'created' }]);
    expect((await story(['push', file('a.json')])).json).toMatchObject([{ state: 'unchanged' }]);
  });
});
