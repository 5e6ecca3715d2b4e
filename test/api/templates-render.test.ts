import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';
import { HOSTILE } from '../support/hostile-previews.js';

const stores = useStores();
const api = useManageApi(stores, {});
const PATH = 'POST /api/v1/templates/render';
const event = { receive: { body: { name: 'Ada', items: [1, 2], large: 3 } } };

async function rendered(body: object, account?: { key: string }) {
  const { key } = account ?? (await buildAccount(stores.db));
  const { status, body: response } = await api.call(key, PATH, body);
  expect(status).toBe(200);
  return response;
}

describe('a rendered template', () => {
  it.each([
    ['=receive.body.items', 'formula', [1, 2]],
    ['Hi <<receive.body.name>>', 'formula', 'Hi Ada'],
    ['{{ .receive.body.items }}', 'liquid', [1, 2]],
    ['{{ .receive.body.name | upcase }}!', 'liquid', 'ADA!'],
    ['=receive.missing', 'formula', null],
    [{ a: ['=1 + 1'] }, 'formula', { a: [2] }],
  ])('%j is %s', async (template, language, value) => {
    expect(await rendered({ template, language, event })).toEqual({ value, error: null });
  });

  it('keeps the digits of numbers', async () => {
    const { key } = await buildAccount(stores.db);
    const response = await fetch(`${api.fabula().url}/api/v1/templates/render`, {
      method: 'POST',
      headers: { 'x-user-token': key, 'content-type': 'application/json' },
      body: '{"template": "=a.n", "event": {"a": {"n": 12345678901234567890.5}}}',
    });
    expect(await response.text()).toContain('"value":12345678901234567890.5');
  });

  it('renders whole options as the type of the action says', async () => {
    const options = { mode: 'explode', path: '{{ .receive.body.items }}', to: '{{ .receive.body.large }}' };
    const type = 'Agents::EventTransformationAgent';
    const { value } = await rendered({ options, type, language: 'liquid', event });
    expect(value).toEqual({ mode: 'explode', path: [1, 2], to: '3' });
  });

  it('says where a fault is', async () => {
    const options = { payload: { rows: [{ text: 'a\nb {{ "x" | append }}' }] } };
    expect(await rendered({ options, language: 'liquid', event })).toEqual({
      value: null,
      error: {
        message: 'append: wrong number of arguments (given 0, expected 1)',
        option: 'payload.rows[0].text',
        line: 2,
        column: 3,
        excerpt: 'b {{ "x" | append }}',
      },
    });
    const alone = await rendered({ template: '=UPCASE(' });
    expect(alone).toMatchObject({ value: null, error: { option: null, line: 1, excerpt: '=UPCASE(' } });
  });

  it('never shows a secret', async () => {
    const account = await buildAccount(stores.db, { owner: true });
    await api.fabula().inner.setCredential(account.team.id, 'My key', 'hunter2');
    const { value } = await rendered(
      { template: 'Bearer <<CREDENTIAL.my_key>> <<BASE64_ENCODE(CREDENTIAL.my_key)>>' },
      account,
    );
    expect(value).toContain('[credential My key]');
    expect(value).not.toContain('hunter2');
    expect(value).not.toContain(Buffer.from('hunter2').toString('base64'));
  });

  it('sees an event of a run with those before it', async () => {
    const account = await buildAccount(stores.db, { owner: true });
    const fabula = api.fabula();
    const story = await fabula.as(account).importStory(
      smallExport({
        agents: [
          agent('Agents::WebhookAgent', '1', { path: 'r', secret: 's' }, { name: 'Receive' }),
          agent(
            'Agents::EventTransformationAgent',
            '2',
            { mode: 'message_only', payload: { loud: '{{ .receive.body.name | upcase }}' } },
            { name: 'Shout' },
          ),
        ],
        links: [{ source: 0, receiver: 1 }],
      }),
    );
    await fabula.as(account).fire(story.webhooks['Receive'] ?? '', { name: 'ada' });
    await eventually(async () => (await fabula.events()).length === 2);
    const [, last] = await fabula.events();
    const { value } = await rendered(
      { template: '{{ .receive.body.name }} {{ .shout.loud }}', event_id: last!.id },
      account,
    );
    expect(value).toBe('ada ADA');
    const { key } = await buildAccount(stores.db);
    expect((await api.call(key, PATH, { template: 'x', event_id: last!.id })).status).toBe(404);
  });

  it('needs a template, and one event at most', async () => {
    const { key } = await buildAccount(stores.db);
    expect((await api.call(key, PATH, { event })).status).toBe(422);
    expect((await api.call(key, PATH, { template: 'x', options: {} })).status).toBe(422);
    expect(places(await api.call(key, PATH, { template: 'x', language: 'perl' }))).toEqual(['language']);
  });

  it.each(HOSTILE)(
    'cannot hold up the process: %s',
    async (_name, language, template) => {
      const account = await buildAccount(stores.db);
      const response = rendered({ template, language, event }, account);
      // Others are served meanwhile, by the same process.
      expect((await api.call(account.key, 'GET /api/v1/users/me')).status).toBe(200);
      expect((await response).error).toMatchObject({ message: expect.any(String) });
    },
    60_000,
  );
});
