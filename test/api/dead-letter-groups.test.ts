import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { agentIds, call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useFabula } from '../support/use-fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const fabula = useFabula(stores);

/** A story with two actions that never ran. */
async function scene() {
  const { id: storyId } = await fabula.importStory(storyOf({ Ask: says({}), Tell: says({}) }, []));
  const { Ask, Tell } = await agentIds(fabula, storyId);
  return { storyId, Ask: Ask!, Tell: Tell! };
}

/** Adds dead letters that failed `at` seconds after noon, the day before yesterday. */
const failed = (story: { storyId: number }, agentId: number, letters: [error: string | null, at: number][]) =>
  stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, retries, due_at, failed_at)
     SELECT UUID(), ?, ?, 1, 'event-transformation', 1, 'failed', v.error, v.at % 2, t.noon + INTERVAL v.at SECOND,
            t.noon + INTERVAL v.at SECOND
     FROM JSON_TABLE(?, '$[*]' COLUMNS (error TEXT PATH '$[0]', at INT PATH '$[1]')) v
     JOIN (SELECT UTC_DATE() - INTERVAL 36 HOUR AS noon) t`,
    [story.storyId, agentId, JSON.stringify(letters)],
  );

const groups = async (query = '') => (await call(fabula, `GET /api/v1/dead_letters/groups${query}`)).body;
const kindOf = (letter: { error_kind: string; dead_letters: number }) => [
  letter.error_kind,
  letter.dead_letters,
];
const REFUSED = 'Host # refused the connection';
const refused = (count: number): [string, number][] =>
  Array.from({ length: count }, (_, n) => [`Host ${7 + n} refused the connection`, n]);

describe('groups of dead letters', () => {
  it('count them by action and kind of error, the last failure first', async () => {
    const story = await scene();
    await failed(story, story.Ask, [...refused(3), ['Too large', 90]]);
    await failed(story, story.Tell, [[null, 80], ...refused(2)]);
    const { groups: found, complete } = await groups();
    expect(complete).toBe(true);
    expect(found.map((group: never) => kindOf(group))).toEqual([
      ['Too large', 1],
      ['no error message', 1],
      [REFUSED, 3],
      [REFUSED, 2],
    ]);
    expect(found[2]).toMatchObject({
      team_id: fabula.account.team.id,
      story_id: story.storyId,
      story_name: 'Story',
      agent_id: story.Ask,
      agent_name: 'Ask',
      retried: 1,
      first_failed_at: expect.stringMatching(/T12:00:00Z$/),
      last_failed_at: expect.stringMatching(/T12:00:02Z$/),
    });
    const ofTell = await groups(`?agent_id=${story.Tell}&error=REFUSED`);
    expect(ofTell.groups.map((group: never) => kindOf(group))).toEqual([[REFUSED, 2]]);
  });

  it('quote the letter that was made last where several failed at once', async () => {
    const story = await scene();
    const atOnce = Array.from({ length: 12 }, (_, n): [string, number] => [
      `Host ${n} refused the connection`,
      5,
    ]);
    await failed(story, story.Ask, [...atOnce, ['Host 3 refused the connection', 5]]);
    const { groups: found } = await groups(`?agent_id=${story.Ask}`);
    expect(found).toMatchObject([{ dead_letters: 13, error: 'Host 3 refused the connection' }]);
  });

  it('are those of teams that the caller may read', async () => {
    const story = await scene();
    await failed(story, story.Ask, refused(1));
    const as = await buildAccount(stores.db);
    expect((await call(fabula, 'GET /api/v1/dead_letters/groups', { as })).body.groups).toEqual([]);
    const { status } = await call(fabula, `GET /api/v1/dead_letters/groups?story_id=${story.storyId}`, {
      as,
    });
    expect(status).toBe(404);
  });

  it('select their letters in lists, without those whose kind is another', async () => {
    const story = await scene();
    await failed(story, story.Ask, [...refused(3), ['Host 1 refused', 5], [null, 6], ['', 7]]);
    const list = async (kind: string) => {
      const query = `agent_id=${story.Ask}&error_kind=${encodeURIComponent(kind)}&per_page=2`;
      const { body } = await call(fabula, `GET /api/v1/dead_letters?${query}`);
      return [body.meta.count, body.dead_letters.map(({ error }: { error: string }) => error)];
    };
    expect(await list(REFUSED)).toEqual([
      3,
      ['Host 9 refused the connection', 'Host 8 refused the connection'],
    ]);
    expect(await list('no error message')).toEqual([2, ['', null]]);
    expect(await list('Host # refused the')).toEqual([0, []]);
  });

  it('are dropped and retried step by step, the oldest first', async () => {
    const story = await scene();
    await failed(story, story.Ask, [...refused(5), ['Too large', 9]]);
    const body = { agent_id: story.Ask, error_kind: REFUSED, limit: 2 };
    const post = async (verb: string, more = {}) =>
      (await call(fabula, `POST /api/v1/dead_letters/${verb}`, { body: { ...body, ...more } })).body;
    expect(await post('drop')).toEqual({ dropped: 2, remaining: 3 });
    const { groups: left } = await groups(`?error_kind=${encodeURIComponent(REFUSED)}`);
    expect(left[0].first_failed_at).toMatch(/T12:00:02Z$/);
    const until = new Date(Date.parse(left[0].last_failed_at) + 1_000).toISOString();
    expect(await post('retry', { until })).toEqual({ retried: 2, remaining: 1 });
    // Their events are no more, so they fail again: later than `until`.
    await eventually(async () => (await groups()).groups.length === 3);
    expect(await post('retry', { until })).toEqual({ retried: 1, remaining: 0 });
    await eventually(async () => {
      const { groups: now } = await groups(`?agent_id=${story.Ask}`);
      const kinds = now.map((group: never) => kindOf(group));
      return (
        kinds.length === 2 && kinds.some(([kind, count]: unknown[]) => kind !== 'Too large' && count === 3)
      );
    });
  });

  it('of a deleted action are found by their story', async () => {
    const story = await scene();
    await failed(story, 999_999, refused(2));
    const { groups: found } = await groups(`?story_id=${story.storyId}`);
    expect(found).toEqual([
      expect.objectContaining({ agent_id: 999_999, agent_name: null, dead_letters: 2 }),
    ]);
    const body = { story_id: story.storyId, agent_id: 999_999, error_kind: REFUSED };
    expect((await call(fabula, 'POST /api/v1/dead_letters/drop', { body })).body).toEqual({
      dropped: 2,
      remaining: 0,
    });
    expect((await call(fabula, 'GET /api/v1/dead_letters/groups?agent_id=999999')).status).toBe(404);
  });

  it('name no link that a reader may not see', async () => {
    const story = await scene();
    const secret = 'a'.repeat(32);
    await failed(story, story.Ask, [[`No answer at /webhook/small/${secret} there`, 1]]);
    const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    const { body } = await call(fabula, 'GET /api/v1/dead_letters/groups', { as: viewer });
    expect(JSON.stringify(body)).not.toContain('aaaa');
    const kind = body.groups[0].error_kind;
    const listed = await call(fabula, `GET /api/v1/dead_letters?error_kind=${encodeURIComponent(kind)}`, {
      as: viewer,
    });
    expect(listed.body.meta.count).toBe(1);
  });
});
