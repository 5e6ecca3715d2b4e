import { buildAccount, buildTeam } from '../support/builders.js';
import { agentIds, call, type EventResponse, eventsIn, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const WORDS = ['actions', 'agents'] as const;
const pair = storyOf({ Hook: ['Webhook', { include_headers: false }], Say: says({ n: '=hook.n' }) }, [
  'Hook > Say',
]);

/** A story of which each of these bodies has made a run. */
async function ran(bodies: object[], name = 'Pair') {
  const story = await fabula.importStory({ ...pair, name });
  for (const body of bodies) {
    await fabula.fire(story.webhooks['Hook']!, body);
    await fabula.settled();
  }
  return { id: story.id, agents: await agentIds(fabula, story.id) };
}

const payloads = (events: EventResponse[]) => events.map(({ payload }) => payload);
const ofAction = async (id: number, query = '') =>
  (await call(fabula, `GET /api/v1/actions/${id}/events${query}`)).body.events as EventResponse[];

const hours = (hour: number) => `2026-11-21T0${hour}:00:00Z`;

describe('the events of an action', () => {
  it.each(WORDS)('are listed under /%s, newest first, narrowed by ids and in pages', async (word) => {
    const { agents } = await ran([{ n: 1 }, { n: 2 }, { n: 3 }]);
    const path = `/api/v1/${word}/${agents['Say']}/events`;
    const list = async (query: string) => (await call(fabula, `GET ${path}${query}`)).body;
    const all = await list('');
    expect(payloads(all.events)).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }]);
    const [, middle] = all.events as EventResponse[];
    expect(payloads((await list(`?since_id=${middle!.id}`)).events)).toEqual([{ n: 3 }]);
    expect(payloads((await list(`?until_id=${middle!.id}`)).events)).toEqual([{ n: 2 }, { n: 1 }]);
    const second = await list('?per_page=2&page=2');
    expect(payloads(second.events)).toEqual([{ n: 1 }]);
    expect(second.meta).toMatchObject({ count: 3, pages: 2 });
    expect((await list('?exclude_previous_event_payloads=false&per_page=1')).events[0].payload).toEqual({
      hook: { n: 3 },
      say: { n: 3 },
    });
  });

  it('are only those of an action that can be seen', async () => {
    const { agents } = await ran([{ n: 1 }]);
    const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId, role: 'TEAM_ADMIN' });
    const path = `GET /api/v1/actions/${agents['Say']}/events`;
    expect((await call(fabula, path, { as: other })).status).toBe(404);
    expect((await call(fabula, 'GET /api/v1/actions/99999999/events')).status).toBe(404);
  });
});

describe('events that were emitted again', () => {
  it('are listed alone, by action, story, run, team, or all of them', async () => {
    const { id, agents } = await ran([{ n: 1 }, { n: 2 }]);
    await ran([{ n: 3 }], 'Other');
    const [say] = await ofAction(agents['Say']!);
    expect(await ofAction(agents['Say']!, '?show_reemitted_events_only=true')).toEqual([]);
    const { body } = await call(fabula, `POST /api/v1/events/${say!.id}/reemit`);
    await fabula.settled();
    const only = 'show_reemitted_events_only=true';
    expect((await ofAction(agents['Say']!, `?${only}`)).map((event) => event.id)).toEqual([body.id]);
    for (const query of [
      '',
      `&story_id=${id}`,
      `&story_run_guid=${say!.story_run_guid}`,
      `&team_id=${fabula.account.team.id}`,
      `&agent_id=${agents['Say']}&since_id=${say!.id}`,
    ]) {
      expect((await eventsIn(fabula, `?${only}${query}`)).map((event) => event.id)).toEqual([body.id]);
    }
    expect(await ofAction(agents['Hook']!, `?${only}`)).toEqual([]);
    expect(await eventsIn(fabula, `?${only}&since_id=${body.id}`)).toEqual([]);
  });
});

describe('the list of all events', () => {
  it('is narrowed by time: from the beginning of one, up to the end of the other', async () => {
    const { id } = await ran(Array.from({ length: 4 }, (_, n) => ({ n })));
    const hooks = (await eventsIn(fabula, `?story_id=${id}`)).toReversed();
    for (const [index, event] of hooks.entries()) {
      await stores.sql('UPDATE events SET created_at = ? WHERE id = ?', [
        new Date(hours(Math.floor(index / 2))),
        event.id,
      ]);
    }
    const ids = hooks.map((event) => event.id);
    const between = async (query: string) =>
      (await eventsIn(fabula, query)).map((event) => event.id).toReversed();
    expect(await between(`?since=${hours(1)}`)).toEqual(ids.slice(2));
    expect(await between(`?until=${hours(1)}`)).toEqual(ids.slice(0, 2));
    expect(await between(`?since=${hours(1)}&until=${hours(3)}`)).toEqual(ids.slice(2, 6));
    expect(await between(`?story_id=${id}&since=${hours(2)}&until=${hours(3)}`)).toEqual(ids.slice(4, 6));
    expect(await between(`?since=${hours(1)}&until_id=${ids[3]}`)).toEqual(ids.slice(2, 4));
    expect(await between(`?since=${hours(4)}`)).toEqual([]);
    expect(await between(`?until=${hours(0)}`)).toEqual([]);
  });

  it('finds events by their exact time, though ids and times are a little out of order', async () => {
    const { id } = await ran([{ n: 1 }, { n: 2 }]);
    const events = await eventsIn(fabula, `?story_id=${id}`);
    const late = new Date('2026-11-21T10:00:00.500Z');
    await stores.sql("UPDATE events SET created_at = '2026-11-21 10:00:00.400'");
    await stores.sql('UPDATE events SET created_at = ? WHERE id = ?', [late, events.at(-1)!.id]);
    const found = await eventsIn(fabula, '?since=2026-11-21T10:00:00.500Z');
    expect(found.map((event) => event.id)).toEqual([events.at(-1)!.id]);
    expect(await eventsIn(fabula, '?until=2026-11-21T10:00:00.500Z')).toHaveLength(3);
  });

  it('is narrowed by team, and takes what public clients send', async () => {
    const { id } = await ran([{ n: 1 }]);
    const { account } = fabula;
    const mine = await eventsIn(fabula, `?team_id=${account.team.id}&include_groups=true`);
    expect(mine).toHaveLength(2);
    const empty = await buildTeam(stores.db, { tenantId: account.tenantId });
    const admin = await buildAccount(stores.db, { tenantId: account.tenantId, owner: true });
    const as = async (query: string) =>
      (await call(fabula, `GET /api/v1/events${query}`, { as: admin })).body;
    expect((await as(`?team_id=${account.team.id}`)).events).toHaveLength(2);
    expect((await as(`?team_id=${empty.id}`)).events).toEqual([]);
    expect((await as(`?team_id=${empty.id}&story_id=${id}`)).events).toEqual([]);
    expect((await call(fabula, 'GET /api/v1/events?team_id=99999999')).status).toBe(404);
    expect((await call(fabula, 'GET /api/v1/events?since=soon')).status).toBe(422);
  });
});
