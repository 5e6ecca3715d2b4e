import { buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

async function makeStory() {
  const { key, team } = await buildAccount(stores.db);
  const { body } = await api.call(key, 'POST /api/v1/stories', { name: 'S', team_id: team.id });
  const make = (type: string, options: object) =>
    api.call(key, 'POST /api/v1/actions', { story_id: body.id, type: `Agents::${type}`, name: 'A', options });
  return { key, storyId: body.id as number, team, make };
}

describe('A4 clients: the response to a write of actions', () => {
  it.each<[string, object, string]>([
    ['HTTPRequestAgent', {}, '"A", options.url: option url is required'],
    ['HTTPRequestAgent', { URL: 'https://a.example' }, '"A", options.URL: unknown option: did you mean url?'],
    ['Nope', {}, '"A", type: this server has no action type Agents::Nope'],
    ['LLMAgent', {}, '"A", type: this server does not call language models'],
    [
      'EventTransformationAgent',
      { mode: 'bad' },
      '"A", options.mode: the transformation mode "bad" is unknown',
    ],
    [
      'TriggerAgent',
      { rules: [{ type: 'nope' }] },
      '"A", options.rules[0].type: option rules[0]: unknown rule type "nope"',
    ],
  ])('names what cannot work: %s %j', async (type, options, warning) => {
    const { make, key } = await makeStory();
    const { status, body } = await make(type, options);
    expect(status).toBe(201);
    expect(body.warnings).toContain(warning);
    const again = await api.call(key, `PUT /api/v1/actions/${body.id}`, { ...body, name: 'B' });
    expect(again.status).toBe(200);
    expect(again.body.warnings).toContain(warning.replace('"A"', '"B"'));
    const patched = await api.call(key, `PATCH /api/v1/actions/${body.id}`, { options });
    expect(patched.body.warnings).toContain(warning.replace('"A"', '"B"'));
  });

  it('names faults of templates, also in options that a thread checks', async () => {
    const { make } = await makeStory();
    const filling = 'x'.repeat(20_000);
    for (const more of [{}, { filling }]) {
      const { body } = await make('EventTransformationAgent', {
        mode: 'message_only',
        payload: { a: '<<NOPE(>>', ...more },
      });
      expect(body.warnings).toEqual([
        expect.stringMatching(/^"A", options\.payload\.a: .*\(line 1, column \d+\)$/),
      ]);
    }
  });

  it('has no warnings for an action that runs, and a reader gets none', async () => {
    const { make, key } = await makeStory();
    const { body } = await make('HTTPRequestAgent', { url: 'https://a.example', method: 'get' });
    expect(body).not.toHaveProperty('warnings');
    const faulty = await make('HTTPRequestAgent', {});
    const read = await api.call(key, `GET /api/v1/actions/${faulty.body.id}`);
    expect(read.body).not.toHaveProperty('warnings');
  });

  it('names them for a whole graph, which may be sent back as it came', async () => {
    const { key, storyId } = await makeStory();
    const graph = { agents: [agent('Agents::EmailAgent', '1', {}, { name: 'Mail' })], links: [] };
    const put = await api.call(key, `PUT /api/v1/stories/${storyId}/graph`, graph);
    expect(put.status).toBe(200);
    expect(put.body.warnings).toEqual(['"Mail", options.recipients: option recipients is required']);
    const again = await api.call(key, `PUT /api/v1/stories/${storyId}/graph`, put.body);
    expect(again.body.warnings).toEqual(put.body.warnings);
    expect((await api.call(key, `GET /api/v1/stories/${storyId}/graph`)).body).not.toHaveProperty('warnings');
  });

  it('and an import names the same', async () => {
    const { key, team } = await makeStory();
    const data = smallExport({
      agents: [
        agent('Agents::HTTPRequestAgent', '1', { url: 'nowhere', Method: 'get' }, { name: 'Call' }),
        agent('Agents::Nope', '2', {}, { name: 'Odd' }),
      ],
      links: [],
    });
    const { body } = await api.call(key, 'POST /api/v1/stories/import', {
      new_name: 'I',
      data,
      team_id: team.id,
    });
    expect(body.warnings).toEqual([
      'Agents::Nope was stored but cannot run (this server has no action type Agents::Nope): "Odd"',
      `"Call" of "I", options.url: url: not an address that starts with http:// or https://`,
      `"Call" of "I", options.Method: unknown option: did you mean method?`,
    ]);
  });
});
