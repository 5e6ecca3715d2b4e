import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { promotionWorld } from '../../support/promotion-world.js';
import { useStores } from '../../support/stores.js';
import { storyOf } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, {});

const hooked = (by: string, webhook: object = {}, name = 'Receive') =>
  storyOf(
    {
      [name]: ['Webhook', { verbs: 'post', ...webhook }],
      Mark: ['EventTransformation', { mode: 'message_only', payload: { by, to: 'all' } }],
    },
    [`${name} > Mark`],
  );

/** A story in both tenants that was never promoted. */
async function twins(test: object = hooked('test'), live: object = hooked('live')) {
  const made = await promotionWorld(stores, api);
  const { source, target, storyIn, actionsOf } = made;
  const [from, to] = [await storyIn(source, 'Twin', test), await storyIn(target, 'Twin', live)];
  return { ...made, from, to, before: await actionsOf(target, to) };
}

const ids = (actions: Parsed[]) => actions.map(({ id, guid }) => [id, guid]);
const overwrite = { overwrite: true, reason: 'the first time' };

describe('stories as software: the actions of a promoted story', () => {
  it('are those of their names in a story that never came before, and its webhook stays', async () => {
    const { source, target, from, to, before, check, promote, actionsOf, mark, ask } = await twins();
    const [checked] = (await check([from])).stories;
    expect(checked).toMatchObject({ story_id: to, conflict_count: 1 });
    expect(checked.conflicts).toMatchObject([{ action: 'Mark', path: 'options.payload.by' }]);
    expect(checked.webhooks).toMatchObject([{ path: before[0].options.path, is_kept: true }]);
    await promote([from], overwrite);
    const after = await actionsOf(target, to);
    expect(ids(after)).toEqual(ids(before));
    expect(after[0].options).toEqual(before[0].options);
    expect(after[1].options.payload).toEqual({ by: 'test', to: 'all' });
    // The next one is compared with what came, also for an action that has another name there.
    await mark(source, from, { by: 'next' });
    const [receive, changed] = await actionsOf(source, from);
    await ask(source, `PUT /api/v1/actions/${receive.id}`, { name: 'Receive alerts' });
    expect(changed.name).toBe('Mark');
    expect((await check([from])).stories[0]).toMatchObject({ conflict_count: 0, state: 'changed' });
    await promote([from]);
    const last = await actionsOf(target, to);
    expect(ids(last)).toEqual(ids(before));
    expect(last[0]).toMatchObject({ name: 'Receive alerts', options: before[0].options });
  });

  it('stay the same after a new name here, also if it is the first that came', async () => {
    const { source, target, from, to, before, promote, actionsOf, mark, ask } = await twins();
    await promote([from], overwrite);
    for (const { id, name } of before)
      await ask(target, `PUT /api/v1/actions/${id}`, { name: `${name} here` });
    await mark(source, from, { by: 'next' });
    await promote([from]);
    const after = await actionsOf(target, to);
    expect(ids(after)).toEqual(ids(before));
    expect(after.map(({ name }) => name)).toEqual(['Receive here', 'Mark here']);
    expect(after[1].options.payload).toMatchObject({ by: 'next' });
  });

  it('are the webhook that has the mapped path, whatever its name', async () => {
    const live = hooked('live', { path: 'live-path', secret: 'secret-of-live' }, 'Get alerts');
    const { target, from, to, before, check, promote, actionsOf, mapping } = await twins(
      hooked('test', { path: 'test-path', secret: 'secret-of-test' }),
      live,
    );
    const asked = { mapping: { ...mapping, webhook_paths: { 'test-path': 'live-path' } }, ...overwrite };
    expect((await check([from], asked)).stories[0].webhooks).toMatchObject([
      { action: 'Receive', path: 'live-path', is_kept: true },
    ]);
    await promote([from], asked);
    const [receive] = await actionsOf(target, to);
    expect(receive).toMatchObject({ id: before[0].id, name: 'Receive' });
    expect(receive.options).toMatchObject({ path: 'live-path', secret: 'secret-of-live' });
  });

  it('are the same on the way back: one change is one conflict at first, and none later', async () => {
    const made = await promotionWorld(stores, api);
    const { source, target, storyIn, promote, mark, ask, call, payloadOf, actionsOf } = made;
    const test = await storyIn(source, 'Twin', hooked('test'));
    const before = await actionsOf(source, test);
    const [{ story_id: live }] = (await promote([test])).stories;
    const back = async (more: object = {}) => {
      const bundle = await ask(target, 'POST /api/v1/promotions/bundle', { story_ids: [live] });
      const mapping = { teams: { [target.team.name]: source.team.name } };
      return call(source, 'POST /api/v1/promotions', { bundle, mapping, ...more });
    };
    await mark(target, live, { by: 'hotfix' });
    const refused = await back();
    expect(refused.status).toBe(412);
    expect(refused.body.errors).toHaveLength(1);
    expect(refused.body.errors[0].message).toContain('options.payload.by');
    expect((await back(overwrite)).status).toBe(201);
    await mark(target, live, { to: 'some' });
    expect((await back()).status).toBe(201);
    expect(await payloadOf(source, test)).toEqual({ by: 'hotfix', to: 'some' });
    const after = await actionsOf(source, test);
    expect(ids(after)).toEqual(ids(before));
    expect(after[0].options).toEqual(before[0].options);
  });
});

describe('stories as software: a bundle with two stories of one name', () => {
  it('makes both, and finds each again', async () => {
    const { source, target, storyIn, check, promote, namesIn, mark, payloadOf } = await promotionWorld(
      stores,
      api,
    );
    const both = [await storyIn(source, 'Twin', hooked('one')), await storyIn(source, 'Twin', hooked('two'))];
    expect((await check(both)).ok).toBe(true);
    const made = (await promote(both)).stories;
    expect(await namesIn(target)).toEqual(['Twin', 'Twin']);
    await mark(source, both[0]!, { by: 'next' });
    await promote(both);
    expect(await payloadOf(target, made[0].story_id)).toMatchObject({ by: 'next' });
    expect(await payloadOf(target, made[1].story_id)).toMatchObject({ by: 'two' });
  });
});
