import { buildAccount } from '../../support/builders.js';
import { call, says } from '../../support/run-api.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const story = storyOf({ Hook: ['Webhook', {}], Say: says({ n: '=hook.body.n' }) }, ['Hook > Say']);
const liquid = { ...story, schema_version: 3, standard_lib_version: null };

interface Told {
  subject: string | null;
  match?: { event_id: number; path: string | null } | null;
}

async function ran(bodies: object[], data: typeof story = story) {
  const { id, webhooks } = await fabula.importStory(data);
  const guids: string[] = [];
  for (const body of bodies) {
    const response = await fabula.fire(webhooks['Hook']!, body);
    guids.push(response.headers.get('x-service-story-run')!);
  }
  await fabula.settled();
  return { id, guids, hook: webhooks['Hook']! };
}

const runsOf = async (id: number, query = '') =>
  (await call(fabula, `GET /api/v1/stories/${id}/runs?${query}`)).body.story_runs as Told[];
const subjectsOf = async (id: number) => (await runsOf(id)).map(({ subject }) => subject);
const search = async (query: string) =>
  (await call(fabula, `GET /api/v1/runs?${query}`)).body.story_runs as Told[];
const placesOf = async (query: string) => (await search(query)).map(({ match }) => match);
const setTemplate = (id: number, template: string | null) =>
  call(fabula, `PUT /api/v1/stories/${id}`, { body: { run_subject: template } });
const exported = async (id: number) => ({
  ...(await call(fabula, `GET /api/v1/stories/${id}/export`)).body,
  exported_at: 0,
});

it('tells what a run is about by telling fields of its first event, wherever a run is read', async () => {
  const { id, guids } = await ran([{ title: 'Disk full', host: 'web-17', n: 1 }, {}]);
  expect(await subjectsOf(id)).toEqual([null, 'Disk full · web-17']);
  expect((await search(`story_id=${id}`)).map(({ subject }) => subject)).toEqual([
    null,
    'Disk full · web-17',
  ]);
  const path = `/api/v1/stories/${id}/runs/${guids[0]}`;
  expect((await call(fabula, `GET ${path}`)).body.subject).toBe('Disk full · web-17');
  expect((await call(fabula, `GET ${path}/summary`)).body.story_run.subject).toBe('Disk full · web-17');
  const started = await call(fabula, `POST /api/v1/stories/${id}/runs`, {
    body: { payload: { body: { title: 'By hand' } } },
  });
  expect(started.body.subject).toBe('By hand');
  await fabula.settled();
  expect((await subjectsOf(id))[0]).toBe('By hand');
});

it('renders the template of the story, in its language; its faults and empty results change nothing', async () => {
  const { id } = await ran([{ title: 'Disk full', n: 7 }]);
  const shown = async (template: string) => {
    expect((await setTemplate(id, template)).body.run_subject).toBe(template);
    return (await subjectsOf(id))[0];
  };
  expect(await shown('Alert <<hook.body.n>>: <<hook.body.title>>')).toBe('Alert 7: Disk full');
  expect(await shown('=UPCASE(hook.body.title)')).toBe('DISK FULL');
  expect(await shown('<<hook.body.absent>>')).toBe('Disk full');
  expect(await shown('<<UPCASE(>>')).toBe('Disk full');
  expect(await shown('<<CREDENTIAL.password>><<RESOURCE.any>>')).toBe('Disk full');
  expect((await setTemplate(id, '')).body.run_subject).toBe(null);
  expect(await subjectsOf(id)).toEqual(['Disk full']);
  expect((await setTemplate(id, 'x'.repeat(256))).status).toBe(422);
});

it('renders Liquid in a story that is written in it, and gives up a template that takes long', async () => {
  const { id } = await ran([{ title: 'Disk full', n: 7 }], liquid);
  await setTemplate(id, 'Alert {{ hook.body.n }}');
  expect(await subjectsOf(id)).toEqual(['Alert 7']);
  await setTemplate(id, '{% for i in (1..3000) %}{% for j in (1..3000) %}{{ j }}{% endfor %}{% endfor %}');
  expect(await subjectsOf(id)).toEqual(['Disk full']);
});

it('keeps the template in the export, and leaves an export as it was where there is none', async () => {
  const { id } = await ran([{ title: 'Disk full' }]);
  const before = await exported(id);
  expect(before).not.toHaveProperty('run_subject');
  const { body } = await call(fabula, `GET /api/v1/stories/${id}`);
  await call(fabula, `PUT /api/v1/stories/${id}`, {
    body: { description: body.description, run_subject: body.run_subject },
  });
  expect({ ...(await exported(id)), description: null }).toEqual({ ...before, description: null });
  await setTemplate(id, 'About <<hook.body.title>>');
  const data = await exported(id);
  expect(data.run_subject).toBe('About <<hook.body.title>>');
  const again = await call(fabula, 'POST /api/v1/stories/import', {
    body: { new_name: 'Again', team_id: fabula.account.team.id, data },
  });
  expect(again.body.run_subject).toBe('About <<hook.body.title>>');
  const odd = await call(fabula, 'POST /api/v1/stories/import', {
    body: { new_name: 'Odd', team_id: fabula.account.team.id, data: { ...data, run_subject: { a: 1 } } },
  });
  expect(odd.body.run_subject).toBe(null);
});

it('tells nothing of a payload that is gone or large, and hides what lets a reader do more', async () => {
  const { id, guids, hook } = await ran([
    { title: 'Gone' },
    { title: 'Large', text: 'x'.repeat(70_000) },
    { title: `See https://fabula.test/webhook/${'a'.repeat(8)}/${'b'.repeat(8)}` },
  ]);
  await stores.sql('DELETE FROM events WHERE story_run_guid = ? ORDER BY id LIMIT 1', [guids[0]!]);
  expect(await subjectsOf(id)).toEqual([
    `See https://fabula.test/webhook/${'a'.repeat(8)}/[hidden]`,
    null,
    null,
  ]);
  await fabula.fire(hook, { title: 'Signed in' });
  await fabula.settled();
  await setTemplate(id, '<<hook.headers.authorization>>|<<hook.body.title>>');
  expect((await subjectsOf(id))[0]).toBe('|Signed in');
  const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId });
  expect((await call(fabula, `GET /api/v1/stories/${id}/runs`, { as: other })).status).toBe(404);
});

it('says where a run has the searched value', async () => {
  const { guids, id } = await ran([{ alerts: [{ id: 'A-1' }, { id: 'A-17' }], n: 7 }]);
  const details = (await call(fabula, `GET /api/v1/stories/${id}/runs/${guids[0]}`)).body;
  const [first, second] = (details.events as { id: number }[]).map((event) => event.id);
  expect(await placesOf('value=A-17')).toEqual([{ event_id: first, path: 'body.alerts[1].id' }]);
  expect(await placesOf('path=body.alerts[0].id&value=A-1')).toEqual([{ event_id: first, path: null }]);
  expect(await placesOf('path=n')).toEqual([{ event_id: second, path: null }]);
  expect(await placesOf('')).toEqual([null]);
});
