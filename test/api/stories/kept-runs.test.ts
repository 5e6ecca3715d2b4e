import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { buildAccount } from '../../support/builders.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { call, runsOf, says } from '../../support/run-api.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/token': () => ({
        status: 200,
        headers: {
          'x-auth-token': 'secret-in-header',
          location: 'https://a.example.com/in?code=secret-in-query',
        },
        body: { access_token: 'secret-of-answer', token_type: 'Bearer' },
      }),
      '/as/secret-of-answer': ({ headers }) => ({
        status: 200,
        body: { echo: headers['authorization'] ?? null },
      }),
      '/risk': ({ text }) => ({
        status: 200,
        body: { risk: 7, asked: JSON.parse(text || 'null') as JsonValue },
      }),
    },
  });
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const isHigh = { rules: [{ type: 'field>value', path: '=ask.body.risk', value: '5' }] };

const flow = (more: JsonObject = {}) =>
  storyOf(
    {
      Hook: HOOK,
      Ask: [
        'HTTPRequest',
        { url: `${target.url}/risk`, method: 'post', content_type: 'json', payload: { host: '=hook.host' } },
      ],
      High: ['Trigger', isHigh],
      Low: ['Trigger', { rules: [{ type: 'field<value', path: '=ask.body.risk', value: '5' }] }],
      Page: says({ to: '=RESOURCE.on_call', at: '=NOW()', id: '=UUID()', n: '=hook.n' }),
      Note: says({ noted: true }),
    },
    ['Hook > Ask > High > Page', 'Ask > Low > Note'],
    more,
  );

async function ran(data: JsonObject = flow()) {
  const story = await fabula.importStory(data);
  const resource = { team_id: fabula.account.team.id, name: 'on call', value: 'ann@example.com' };
  await call(fabula, 'POST /api/v1/global_resources', { body: resource });
  await fabula.fire(story.webhooks['Hook']!, { host: 'web-1', n: 3 });
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  return { id: story.id, guid: run!.guid, at: run!.created_at };
}

type Kept = JsonObject & { test: JsonObject & { expect: JsonObject } };
const keep = async (id: number, body: JsonObject) => {
  const response = await call(fabula, `POST /api/v1/stories/${id}/tests/from_run`, { body });
  return {
    status: response.status,
    body: response.body as Kept & { errors: { message: string; details?: string }[] },
  };
};

describe('stories as software: a run that is kept as a test', () => {
  it('has its start, its responses and the resources that it read, and expects what it did', async () => {
    const { id, guid, at } = await ran();
    const asked = target.requests.length;
    const { status, body } = await keep(id, { run_guid: guid, name: 'High pages' });
    expect([status, body.saved]).toEqual([200, false]);
    expect(Math.floor(Date.parse(body.test.at as string) / 1000)).toBe(Date.parse(at) / 1000);
    expect(body.test).toEqual({
      name: 'High pages',
      action: 'Hook',
      event: { host: 'web-1', n: 3 },
      at: expect.any(String),
      answers: [
        expect.objectContaining({
          action: 'Ask',
          method: 'POST',
          url: `${target.url}/risk*`,
          times: 1,
          status: 200,
          answer: { risk: 7, asked: { host: 'web-1' } },
        }),
      ],
      resources: { on_call: 'ann@example.com' },
      expect: {
        events: {
          Ask: [expect.objectContaining({ status: 200, body: { risk: 7, asked: { host: 'web-1' } } })],
          High: [{ rule_matched: true }],
          Page: [
            {
              to: 'ann@example.com',
              at: { $type: expect.any(String) },
              id: { $type: 'guid' },
              n: 3,
            },
          ],
          Low: [],
        },
        requests: { Ask: [expect.objectContaining({ method: 'POST', body: { host: 'web-1' } })] },
      },
    });
    expect(target.requests).toHaveLength(asked);
  });

  it('may be a trial instead: its event, the action and the responses that were given', async () => {
    const { id, guid } = await ran();
    const asked = target.requests.length;
    const responses = [{ url: `${target.url}/risk`, status: 200, answer: { risk: 2 } }];
    const { status, body } = await keep(id, {
      event: { host: 'web-2', n: 4 },
      action: 'Hook',
      responses,
      name: 'A low risk is noted',
      save: true,
    });
    expect([status, body.saved]).toEqual([200, true]);
    expect(body.test).toMatchObject({
      action: 'Hook',
      event: { host: 'web-2', n: 4 },
      answers: [{ action: 'Ask', answer: { risk: 2 } }],
      expect: { events: { Note: [{ noted: true }], High: [] } },
    });
    // The responses that are given come before those of a run.
    const mixed = await keep(id, { run_guid: guid, responses, name: 'Mixed' });
    expect(mixed.body.test.expect).toMatchObject({ events: { Note: [{ noted: true }] } });
    const bare = await keep(id, { event: { host: 'web-2' }, name: 'No response' });
    expect(bare).toMatchObject({
      status: 422,
      body: { errors: [{ message: `The trial has no response for POST ${target.url}/risk` }] },
    });
    expect((await keep(id, { name: 'Nothing to begin with' })).status).toBe(422);
    expect(target.requests).toHaveLength(asked);
  });

  it('is saved on request, passes, and fails after a change of an option', async () => {
    const { id, guid } = await ran();
    expect(await keep(id, { run_guid: guid, name: 'High pages', save: true })).toMatchObject({
      status: 200,
      body: { saved: true },
    });
    const run = async () =>
      (await call(fabula, `POST /api/v1/stories/${id}/tests/run`, { body: {} })).body as {
        ok: boolean;
        results: { differences: { text: string }[] }[];
      };
    expect(await run()).toMatchObject({ ok: true, results: [{ differences: [] }] });
    expect(await keep(id, { run_guid: guid, name: 'High pages', save: true })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'test.name' }] },
    });
    const { body: graph } = await call(fabula, `GET /api/v1/stories/${id}/graph`);
    const { agents, links } = graph as { agents: JsonObject[]; links: JsonValue };
    const changed = agents.map((agent) =>
      agent.name === 'Page'
        ? { ...agent, options: says({ to: '=RESOURCE.on_call', at: '=NOW()', id: '=UUID()', n: 4 })[1] }
        : agent,
    );
    await call(fabula, `PUT /api/v1/stories/${id}/graph`, { body: { agents: changed, links } });
    const { ok, results } = await run();
    expect([ok, results[0]!.differences.map(({ text }) => text)]).toEqual([
      false,
      ['Page, event 1, n: expected 3, found 4'],
    ]);
  });

  it('is refused for a run of another story, and for one whose events are deleted', async () => {
    const { id, guid } = await ran();
    const other = await ran(flow({ name: 'Other', guid: 'b'.repeat(32) }));
    expect(await keep(id, { run_guid: other.guid, name: 'x' })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'run_guid' }] },
    });
    await stores.db.read((session) => session.run('DELETE FROM events WHERE story_run_guid = ?', [guid]));
    expect(await keep(id, { run_guid: guid, name: 'x' })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'run_guid', message: expect.stringContaining('deleted') }] },
    });
  });

  it('is refused where the story needs a response that the run has not', async () => {
    const { id, guid } = await ran();
    await stores.db.read((session) =>
      session.run(
        `DELETE e FROM events e JOIN agents a ON a.id = e.agent_id WHERE e.story_run_guid = ? AND a.name = 'Ask'`,
        [guid],
      ),
    );
    const { status, body } = await keep(id, { run_guid: guid, name: 'x' });
    expect([status, body.errors.map(({ message }) => message)]).toEqual([
      422,
      [`The run has no response for POST ${target.url}/risk`],
    ]);
  });

  it('holds no secret of the event, the responses and the resources, and passes all the same', async () => {
    const headers = { authorization: 'Bearer <<login.body.access_token>>' };
    const data = storyOf(
      {
        Hook: HOOK,
        Login: ['HTTPRequest', { url: `${target.url}/token`, method: 'get' }],
        Use: ['HTTPRequest', { url: `${target.url}/as/<<login.body.access_token>>`, method: 'get', headers }],
        Out: says({
          echo: '=use.body.echo',
          type: '=login.body.token_type',
          in: '=hook.otp',
          key: '=RESOURCE.api_key',
        }),
      },
      ['Hook > Login > Use > Out'],
    );
    const story = await fabula.importStory(data);
    const resource = { team_id: fabula.account.team.id, name: 'api key', value: 'secret-of-resource' };
    await call(fabula, 'POST /api/v1/global_resources', { body: resource });
    await fabula.fire(story.webhooks['Hook']!, { otp: 'secret-of-event', n: 3 });
    await fabula.settled();
    const [run] = await runsOf(fabula, story.id);
    const { status, body } = await keep(story.id, { run_guid: run!.guid, name: 'Signs in', save: true });
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(JSON.stringify(body)).not.toContain('secret-');
    expect(body.test).toMatchObject({
      event: { otp: '<hidden otp>', n: 3 },
      answers: [{ answer: { access_token: '<hidden access_token>', token_type: 'Bearer' } }, { url: '*' }],
      resources: { api_key: '<hidden api_key>' },
      expect: {
        events: {
          Out: [
            {
              echo: 'Bearer <hidden access_token>',
              type: 'Bearer',
              in: '<hidden otp>',
              key: '<hidden api_key>',
            },
          ],
        },
      },
    });
    const again = await call(fabula, `POST /api/v1/stories/${story.id}/tests/run`, { body: {} });
    expect(again.body).toMatchObject({ ok: true });
  });

  it('is refused where a called story of another team reads resources', async () => {
    const { tenantId } = fabula.account;
    const other = await buildAccount(stores.db, { tenantId });
    const owner = await buildAccount(stores.db, { tenantId, owner: true });
    const resource = { team_id: other.team.id, name: 'place', value: 'theirs' };
    await call(fabula, 'POST /api/v1/global_resources', { body: resource, as: owner });
    const inner = storyOf({ Start: HOOK, Say: says({ place: '=RESOURCE.place' }) }, ['Start > Say'], {
      name: 'Inner',
      guid: 'e'.repeat(32),
      entry_agent_guid: 'Start',
      exit_agent_guids: ['Say'],
      send_to_story_enabled: true,
      send_to_story_access: 'global',
    });
    const body = { new_name: 'Inner', team_id: other.team.id, data: inner };
    const { body: imported } = await call(fabula, 'POST /api/v1/stories/import', { body, as: owner });
    const story = await fabula.importStory(
      storyOf(
        {
          Hook: HOOK,
          Send: ['SendToStory', { story: String((imported as { id: number }).id), payload: {} }],
        },
        ['Hook > Send'],
      ),
    );
    await fabula.fire(story.webhooks['Hook']!, { n: 1 });
    await fabula.settled();
    const [run] = await runsOf(fabula, story.id);
    const response = await call(fabula, `POST /api/v1/stories/${story.id}/tests/from_run`, {
      body: { run_guid: run!.guid, name: 'x' },
      as: owner,
    });
    expect(response).toMatchObject({
      status: 422,
      body: {
        errors: [
          { message: '"Inner" of another team reads resources: a test holds only those of its own team' },
        ],
      },
    });
  });
});
