import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { promotionWorld } from '../../support/promotion-world.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';
import { storyOf } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, {});

/** Two stories that were promoted; then both sides changed the payload of the first. */
async function world() {
  const made = await promotionWorld(stores, api);
  const { source, target, storyIn, promote, mark, ask } = made;
  const plain = storyOf(
    {
      Mark: ['EventTransformation', { mode: 'message_only', payload: { by: 'test', of: 'test', to: 'all' } }],
    },
    [],
  );
  const [one, two] = [await storyIn(source, 'One', plain), await storyIn(source, 'Two', plain)];
  const [{ story_id: first }, { story_id: second }] = (await promote([one, two])).stories;
  await mark(target, first, { by: 'live', of: 'live', to: 'live only' });
  await mark(source, one, { by: 'second', of: 'second' });
  await mark(source, two, { by: 'second' });
  const { guid } = await ask(source, `GET /api/v1/stories/${one}`);
  return { ...made, ids: [one, two], first, second, guid };
}

const pick = ({ path: place, take }: Parsed) => [place, take];

describe('stories as software: choices of a promotion', () => {
  it('decides each conflict, shows it in the check, and keeps the other changes of both sides', async () => {
    const { target, ids, first, second, guid, check, tried, promote, payloadOf } = await world();
    const [open] = (await check(ids)).stories;
    expect(open).toMatchObject({ conflict_count: 2, open_count: 2 });
    expect(open.conflicts.map(pick)).toEqual([
      ['options.payload.by', null],
      ['options.payload.of', null],
    ]);
    const [by, of] = open.conflicts;
    const half = { choices: [{ source_guid: guid, resolve: [{ entry: by.entry, take: 'incoming' }] }] };
    const refused = await tried(ids, half);
    expect(refused.status).toBe(412);
    expect(refused.body.errors).toMatchObject([{ details: 'bundle.stories[0]', entry: of.entry }]);

    const resolve = [
      { entry: by.entry, take: 'incoming' },
      { entry: of.entry, take: 'live' },
    ];
    const choices = [{ source_guid: guid, resolve }];
    const checked = await check(ids, { choices });
    expect(checked.ok).toBe(true);
    expect(checked.stories[0]).toMatchObject({
      open_count: 0,
      story_diff: [{ path: 'options.payload.by', before: 'live', after: 'second' }],
      kept: [
        { path: 'options.payload.of', after: 'live' },
        { path: 'options.payload.to', after: 'live only' },
      ],
    });
    expect(checked.stories[0].conflicts.map(pick)).toEqual([
      ['options.payload.by', 'incoming'],
      ['options.payload.of', 'live'],
    ]);
    await promote(ids, { choices });
    expect(await payloadOf(target, first)).toEqual({ by: 'second', of: 'live', to: 'live only' });
    expect(await payloadOf(target, second)).toMatchObject({ by: 'second' });
    // The next promotion is compared with what came, so nothing is asked twice.
    expect((await check(ids)).stories[0]).toMatchObject({ state: 'unchanged', conflict_count: 0 });
  });

  it('takes one side for a whole story, unless the story has changed since', async () => {
    const { target, ids, first, guid, check, tried, promote, mark, payloadOf } = await world();
    const { live_version: seen } = (await check(ids)).stories[0];
    const rest = (take: string, live_version: number) => ({
      choices: [{ source_guid: guid, resolve_rest: { take, live_version } }],
    });
    await mark(target, first, { of: 'later' });
    const refused = await tried(ids, rest('incoming', seen));
    expect(refused.status).toBe(412);
    expect(await payloadOf(target, first)).toEqual({ by: 'live', of: 'later', to: 'live only' });
    const { live_version: now } = (await check(ids)).stories[0];
    await promote(ids, rest('incoming', now));
    expect(await payloadOf(target, first)).toEqual({ by: 'second', of: 'second', to: 'live only' });
  });

  it('leaves a story out, and promotes the others', async () => {
    const { target, ids, first, second, guid, check, tried, promote, payloadOf, bundle } = await world();
    const choices = [{ source_guid: guid, leave_out: true }];
    expect((await check(ids, { choices })).stories.map(({ name }: Parsed) => name)).toEqual(['Two']);
    const done = await promote(ids, { choices });
    expect(done.stories.map(({ story_id: id }: Parsed) => id)).toEqual([second]);
    expect(await payloadOf(target, first)).toMatchObject({ by: 'live' });
    const all = (await bundle(ids)).stories.map((story: Parsed) => ({
      source_guid: story.guid,
      leave_out: true,
    }));
    for (const wrong of [all, [...choices, ...choices], [{ source_guid: 'nobody' }]])
      expect((await tried(ids, { choices: wrong })).status).toBe(422);
  });
});

describe('stories as software: choices of fabula promote', () => {
  it('takes a side for all stories or for one, and leaves stories out', async () => {
    const { source, target, ids, first, second, mapping, payloadOf } = await world();
    const folder = await mkdtemp(path.join(tmpdir(), 'promote-'));
    const file = path.join(folder, 'mapping.json');
    await writeFile(file, JSON.stringify(mapping));
    const { url } = api.fabula();
    const env = {
      FABULA_URL: url,
      FABULA_KEY: source.key,
      FABULA_TARGET_URL: url,
      FABULA_TARGET_KEY: target.key,
    };
    const run = (...more: string[]) =>
      runCli(['promote', ...ids.map(String), '--mapping', file, ...more], { env });
    const open = await run();
    expect(open.code).toBe(1);
    const denied = await runCli(['promote', String(first)], { env: { ...env, FABULA_KEY: 'nobody' } });
    expect(denied.err).toContain('401: A valid API key is required: look at FABULA_KEY');
    expect(open.out).toContain('conflict: "Mark", options.payload.by');
    expect(open.out).toContain('--take incoming');
    const applied = await run('--apply');
    expect([applied.code, applied.err]).toEqual([1, expect.stringMatching(/412: .*--take incoming/)]);
    const dry = await run('--take', 'live');
    expect({ code: dry.code, err: dry.err }).toEqual({ code: 0, err: '' });
    expect(dry.out).toContain('unchanged "One"');
    expect((await run('--take', 'incoming=Nobody')).err).toContain(
      'no story of the bundle is named "Nobody"',
    );
    const left = await run('--leave-out', 'One', '--apply');
    expect({ code: left.code, err: left.err }).toEqual({ code: 0, err: '' });
    expect(left.out).toContain('left out "One"');
    expect(await payloadOf(target, second)).toMatchObject({ by: 'second' });
    expect(await payloadOf(target, first)).toMatchObject({ by: 'live' });
    const done = await run('--take', 'incoming=One', '--apply');
    expect({ code: done.code, err: done.err }).toEqual({ code: 0, err: '' });
    expect(await payloadOf(target, first)).toEqual({ by: 'second', of: 'second', to: 'live only' });
    await rm(folder, { recursive: true });
  });
});
