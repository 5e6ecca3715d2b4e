import { buildAccount } from '../../support/builders.js';
import { places, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';
import { agent, smallExport } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = 'POST /api/v1/stories/check';

const faulty = smallExport({
  agents: [
    agent('Agents::WebhookAgent', '1', { path: 'in', secret: 'a-secret-of-webhooks' }, { name: 'In' }),
    agent(
      'Agents::EventTransformationAgent',
      '2',
      { mode: 'message_only', payload: { a: '{{ .in | nosuch }}', b: '{{ .in' } },
      { name: 'Broken' },
    ),
    agent('Agents::LLMAgent', '3', {}, { name: 'Chat' }),
  ],
  links: [{ source: 0, receiver: 1 }],
});

describe('the check of a story', () => {
  it('reports each action of an export with its faults', async () => {
    const { key } = await buildAccount(stores.db);
    const { status, body } = await api.call(key, PATH, { data: faulty });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: false, refusals: [], counts: { actions: 3, import_only: 1 } });
    const states = body.story.actions.map(({ name, state }: { name: string; state: string }) => [
      name,
      state,
    ]);
    expect(states).toEqual([
      ['In', 'runs'],
      ['Broken', 'fails'],
      ['Chat', 'import_only'],
    ]);
    const found = body.story.actions[1].findings;
    expect(found).toContainEqual(expect.objectContaining({ level: 'error', option: 'payload.b', line: 1 }));
    expect(found).toContainEqual(expect.objectContaining({ option: 'payload.a', kind: 'filter' }));
  });

  it('says why an import would refuse it', async () => {
    const { key } = await buildAccount(stores.db);
    const { body } = await api.call(key, PATH, { data: { name: 'S' } });
    expect(body).toMatchObject({ ok: false, story: null });
    expect(body.refusals.length).toBeGreaterThan(0);
  });

  it('checks a stored story, for those who may see it', async () => {
    const mine = await buildAccount(stores.db);
    const others = await buildAccount(stores.db);
    const { body: story } = await api.call(mine.key, 'POST /api/v1/stories/import', {
      new_name: 'Stored',
      data: faulty,
      team_id: mine.team.id,
    });
    const { body } = await api.call(mine.key, PATH, { story_id: story.id });
    expect(body).toMatchObject({ story: { name: 'Stored' }, counts: { actions: 3 } });
    expect((await api.call(others.key, PATH, { story_id: story.id })).status).toBe(404);
    const draft = await api.call(mine.key, `POST /api/v1/stories/${story.id}/drafts`, { name: 'D' });
    const ofDraft = await api.call(mine.key, PATH, { draft_id: draft.body.id });
    expect(ofDraft.body).toMatchObject({ counts: { actions: 3 } });
  });

  it('needs an export, a story or a draft', async () => {
    const { key } = await buildAccount(stores.db);
    expect((await api.call(key, PATH, {})).status).toBe(422);
    expect((await api.call(key, PATH, { data: faulty, draft_id: 0 })).status).toBe(422);
    expect(places(await api.call(key, PATH, { data: faulty, more: 1 }))).toEqual(['more']);
  });
});
