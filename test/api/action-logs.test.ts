import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { insertLogLines } from '../../src/engine/state/events/log-store.js';
import { buildAccount } from '../support/builders.js';
import { places, TIME } from '../support/manage-api.js';
import { agentIds, call, eventsIn, sorted } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const failing = storyOf({ Hook: ['Webhook', {}], Mail: ['Email', {}] }, ['Hook > Mail']);
const WORDS = ['actions', 'agents'] as const;
const both = (...words: string[]) => [...words, ...words];

/** A story whose mail has lines of every level in its log, oldest first: debug, info, warn, error, twice in all. */
async function logged() {
  const story = await fabula.importStory(failing);
  const agents = await agentIds(fabula, story.id);
  const guids = [newRunGuid(), newRunGuid()];
  const lines = guids.flatMap((storyRunGuid) =>
    (['debug', 'info', 'warn', 'error'] as const).map((level) => ({
      agentId: agents['Mail']!,
      storyRunGuid,
      inboundEventId: 0,
      level,
      message: level,
    })),
  );
  const others = { ...lines[0]!, agentId: agents['Hook']!, message: 'of another action' };
  await stores.db.read((session) => insertLogLines(session, [...lines, others]));
  return { id: agents['Mail']!, guids };
}

const logOf = async (id: number, query = '') =>
  (await call(fabula, `GET /api/v1/actions/${id}/logs${query}`)).body;
const messages = async (id: number, query = '') =>
  (await logOf(id, query)).action_logs.map(({ message }: { message: string }) => message);

describe('the log of an action', () => {
  it.each(WORDS)('is listed under /%s, newest line first', async (word) => {
    const story = await fabula.importStory(failing);
    const guid = (await fabula.fire(story.webhooks['Hook']!)).headers.get('x-service-story-run');
    await fabula.settled();
    const agents = await agentIds(fabula, story.id);
    const [event] = await eventsIn(fabula, `?story_id=${story.id}`);
    const path = `/api/v1/${word}/${agents['Mail']}/logs`;
    expect((await call(fabula, `GET ${path}`)).body).toEqual({
      action_logs: [
        {
          id: expect.any(Number),
          level: 4,
          severity: 'error',
          message: expect.stringContaining('recipients'),
          created_at: TIME,
          story_run_guid: guid,
          inbound_event_id: event!.id,
          inbound_event: event,
          attempt: 1,
          delivery_id: expect.any(Number),
          cause: null,
        },
      ],
      meta: {
        current_page: `${fabula.url}${path}?page=1`,
        previous_page: null,
        next_page: null,
        next_page_number: null,
        per_page: 20,
        pages: 1,
        count: 1,
      },
    });
    await stores.sql('DELETE FROM events');
    expect((await logOf(agents['Mail']!)).action_logs).toMatchObject([
      { inbound_event_id: null, inbound_event: null },
    ]);
    expect((await logOf(agents['Hook']!)).action_logs).toEqual([]);
  });

  it('of an action that begins the run names no event: the input is none', async () => {
    const story = await fabula.importStory(failing);
    const agents = await agentIds(fabula, story.id);
    await call(fabula, `POST /api/v1/stories/${story.id}/runs`, { body: { agent_id: agents['Mail']! } });
    await fabula.settled();
    expect((await logOf(agents['Mail']!)).action_logs).toMatchObject([{ level: 4, inbound_event_id: null }]);
  });

  it('is narrowed to a level and those above it, and to a run', async () => {
    const { id, guids } = await logged();
    expect(await messages(id)).toEqual(both('error', 'warn', 'info', 'debug'));
    expect(await messages(id, '?level=1')).toEqual(both('error', 'warn', 'info', 'debug'));
    expect(await messages(id, '?level=2')).toEqual(both('error', 'warn', 'info'));
    expect(await messages(id, '?level=3')).toEqual(both('error', 'warn', 'info'));
    expect(await messages(id, '?severity=warn')).toEqual(both('error', 'warn'));
    expect(await messages(id, '?severity=debug&level=4')).toEqual(both('error'));
    expect((await logOf(id)).action_logs.slice(0, 4)).toMatchObject([
      { level: 4, severity: 'error' },
      { level: 3, severity: 'warn' },
      { level: 3, severity: 'info' },
      { level: 1, severity: 'debug' },
    ]);
    expect(await messages(id, '?level=4')).toEqual(both('error'));
    expect(await messages(id, `?story_run_guid=${guids[0]}`)).toEqual(['error', 'warn', 'info', 'debug']);
    expect(await messages(id, `?story_run_guid=${guids[1]!.toUpperCase()}&level=4`)).toEqual(['error']);
    expect(await messages(id, `?story_run_guid=${newRunGuid()}`)).toEqual([]);
    const wrong = await call(
      fabula,
      `GET /api/v1/actions/${id}/logs?level=5&severity=odd&story_run_guid=odd&odd=1`,
    );
    expect([wrong.status, sorted(places(wrong) as string[])]).toEqual([
      422,
      ['level', 'odd', 'severity', 'story_run_guid'],
    ]);
  });

  it('is given in pages that do not overlap', async () => {
    const { id } = await logged();
    const first = await logOf(id, '?severity=warn&per_page=3');
    const second = await logOf(id, '?severity=warn&per_page=3&page=2');
    const ids = [...first.action_logs, ...second.action_logs].map((line: { id: number }) => line.id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
    expect([ids.length, first.meta.count, first.meta.pages]).toEqual([4, 4, 2]);
    expect(second.meta.next_page).toBeNull();
    expect((await logOf(id, '?page=9')).action_logs).toEqual([]);
  });

  it('is read by viewers, and is not to be seen from another team or another tenant', async () => {
    const { id } = await logged();
    const { team, tenantId } = fabula.account;
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    const other = await buildAccount(stores.db, { tenantId, role: 'TEAM_ADMIN' });
    const stranger = await buildAccount(stores.db, { owner: true });
    for (const word of WORDS) {
      const status = async (as: typeof viewer) =>
        (await call(fabula, `GET /api/v1/${word}/${id}/logs`, { as })).status;
      expect([await status(viewer), await status(other), await status(stranger)]).toEqual([200, 404, 404]);
      expect((await call(fabula, `GET /api/v1/${word}/99999999/logs`)).status).toBe(404);
    }
  });
});
