import type { JsonObject } from '../../../src/platform/json.js';
import { type Account, buildAccount, buildKey, buildMembership } from '../../support/builders.js';
import { isSampled } from '../../../src/trial/shadows/advance-shadow.js';
import { findDueShadows } from '../../../src/trial/shadows/shadow-store.js';
import { eventually } from '../../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { call, says } from '../../support/run-api.js';
import { type ListedRun, shadowWorld } from '../../support/shadows.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { env: { SHADOW_CPU_SHARE: '1' } });
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/risk': ({ text }) => ({ status: 200, body: { risk: (JSON.parse(text) as { n: number }).n } }),
    },
  });
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const asks = (url: string): ShortAgent => [
  'HTTPRequest',
  { url, method: 'post', content_type: 'json', payload: { n: '=hook.n' } },
];
const grade = (limit: number) =>
  says({ grade: `=IF(ask.body.risk > ${limit}, "high", "low")`, at: '=NOW()', id: '=UUID()' });
const colour = (limit: number) => says({ ...(grade(limit)[1]['payload'] as JsonObject), colour: 'red' })[1];
const isHigh: ShortAgent = [
  'Trigger',
  { rules: [{ type: 'field==value', path: '=grade.grade', value: 'high' }] },
];
const flow = () =>
  storyOf({ Hook: HOOK, Ask: asks(`${target.url}/risk`), Grade: grade(5), High: isHigh }, [
    'Hook > Ask > Grade > High',
  ]);
const begin = (data: JsonObject = flow()) => shadowWorld(fabula, data);
const reasonAndRun = (run: ListedRun) => `${run.not_compared_because} ${run.run_guid}`;
/** The options of an action that calls the other team's story. */
const sends = (n: string, story: number): JsonObject => ({ story: String(story), payload: { n } });
const found = async (path: string, id: number, as: Account) => {
  const { body } = await call(fabula, `GET ${path}/${id}/differences`, { as });
  const { differences } = body as { differences: { id: number; action: { name: string } }[] };
  return differences;
};
const namesOf = (list: { action: { name: string } }[]) => list.map(({ action }) => action.name).toSorted();
const outer = (inner: number) =>
  storyOf({ Hook: HOOK, Send: ['SendToStory', sends('=hook.n', inner)], Done: says({ got: '=send.n' }) }, [
    'Hook > Send > Done',
  ]);
/** The guids of the story's runs that a sample takes. */
const sampledRuns = async (storyId: number, percent: number) => {
  const runs = await stores.db.read((session) =>
    session.rows<{ id: number; guid: string }>('SELECT id, guid FROM story_runs WHERE story_id = ?', [
      storyId,
    ]),
  );
  return runs.filter((run) => isSampled(run.id, percent)).map(({ guid }) => guid);
};
const NUMBERS = [1, 4, 6, 7, 8, 9, 3, 2, 10, 12];

describe('stories as software: shadows of drafts', () => {
  test('the last runs with one changed rule: exactly those that differ are named, with the place, and nothing is sent', async () => {
    const w = await begin();
    await w.fire(NUMBERS);
    await w.change('Grade', grade(7)[1]);
    const requests = target.requests.length;
    const { id } = await w.start({ kind: 'last', runs: 1000 });
    expect(await w.ended(id)).toMatchObject({
      state: 'completed',
      same: 8,
      different: 2,
      not_compared: 0,
      partly_compared: 0,
      draft_changed: false,
      started_by: { id: fabula.account.user.id },
    });
    const guids = await w.guids();
    const [changed, missing, ...more] = await w.differences(id);
    expect(more).toEqual([]);
    expect(changed).toMatchObject({
      action: { id: w.draftAgents['Grade'], name: 'Grade' },
      kind: 'changed',
      path: 'grade',
      before: 'text',
      after: 'text',
      runs: 2,
    });
    expect(new Set(changed!['run_guids'] as string[])).toEqual(new Set([guids.get(6), guids.get(7)]));
    expect(missing).toMatchObject({ action: { name: 'High' }, kind: 'missing', path: '', runs: 2 });
    expect(target.requests).toHaveLength(requests);
    const listed = await w.listed(id);
    expect(new Set(listed.map((run) => run.run_guid))).toEqual(new Set([guids.get(6), guids.get(7)]));
    expect(listed[0]).toMatchObject({ verdict: 'different', not_compared_because: null });
    expect(await w.listed(id, `&difference_id=${changed!['id'] as number}`)).toEqual(listed);
    expect(await w.listed(id, '&verdict=not_compared')).toEqual([]);
    expect((await call(fabula, `GET ${w.path}/${id}/runs?difference_id=999999999`)).status).toBe(404);
    expect((await call(fabula, `GET ${w.path}/${id}/runs?verdict=same`)).status).toBe(422);
  });

  test('an unchanged draft does the same, times and random values aside', async () => {
    const w = await begin();
    await w.fire(NUMBERS);
    const { id } = await w.start({ kind: 'last', runs: 4 });
    expect(await w.ended(id)).toMatchObject({ same: 4, different: 0, not_compared: 0 });
    expect(await w.differences(id)).toEqual([]);
  });

  test('what the live story does otherwise by now is no difference of the draft', async () => {
    const w = await begin();
    await w.fire([9]);
    const live = await call(fabula, `GET /api/v1/stories/${w.id}/agents`);
    const { id: gradeId } = (live.body as { agents: { id: number; name: string }[] }).agents.find(
      ({ name }) => name === 'Grade',
    )!;
    await call(fabula, `PUT /api/v1/actions/${gradeId}`, { body: { options: colour(5) } });
    await w.change('Grade', colour(5));
    const { id } = await w.start({ kind: 'last', runs: 10 });
    expect(await w.ended(id)).toMatchObject({ same: 1, different: 0, partly_compared: 1 });
    // The same place with another value is one.
    await w.change('Grade', { ...colour(20) });
    const other = await w.start({ kind: 'last', runs: 10 });
    expect(await w.ended(other.id)).toMatchObject({ same: 0, different: 1, partly_compared: 1 });
    expect(await w.differences(other.id)).toMatchObject([
      { path: 'grade', runs: 1 },
      { kind: 'missing', action: { name: 'High' } },
    ]);
  });

  test('the next runs are taken as they end, up to the number; a change of the draft begins again', async () => {
    const w = await begin();
    await w.fire([1]);
    const { id } = await w.start({ kind: 'next', runs: 3 });
    await w.fire([6, 9]);
    await eventually(async () => (await w.shown(id)).same === 2, 30_000);
    await w.change('Grade', grade(7)[1]);
    await eventually(async () => {
      const { same, different } = await w.shown(id);
      return different === 1 && same === 1;
    }, 30_000);
    expect(await w.shown(id)).toMatchObject({ state: 'running', restarts: 1 });
    expect(await w.listed(id)).toMatchObject([{ verdict: 'different' }]);
    await w.fire([8, 7]);
    expect(await w.ended(id)).toMatchObject({ state: 'completed', same: 2, different: 1, restarts: 1 });
    await w.change('Grade', grade(5)[1]);
    expect(await w.shown(id)).toMatchObject({ state: 'completed', draft_changed: true });
  });

  test('a run that goes on is waited for, one that was cancelled is not compared', async () => {
    const w = await begin(
      storyOf({ Hook: HOOK, Wait: ['EventTransformation', { mode: 'delay', seconds: 3_600 }] }, [
        'Hook > Wait',
      ]),
    );
    const { id } = await w.start({ kind: 'next', runs: 2 });
    await w.begin([1, 2]);
    await eventually(async () => (await w.shown(id))['waiting'] === 2, 30_000);
    const guids = await w.guids();
    const cancelled = await call(fabula, `POST /api/v1/stories/${w.id}/runs/${guids.get(1)}/cancel`, {
      body: {},
    });
    expect(cancelled.status).toBe(200);
    await eventually(async () => (await w.shown(id))['not_compared'] === 1, 30_000);
    expect(await w.shown(id)).toMatchObject({ not_compared_because: { cancelled: 1 }, waiting: 1 });
    // Of the last runs, none is waited for.
    await call(fabula, `POST ${w.path}/${id}/stop`, { body: {} });
    const last = await w.start({ kind: 'last', runs: 2 });
    expect(await w.ended(last.id)).toMatchObject({
      not_compared: 2,
      not_compared_because: { cancelled: 1, not_ended: 1 },
    });
    expect(new Set((await w.listed(last.id, '&verdict=not_compared')).map(reasonAndRun))).toEqual(
      new Set([`cancelled ${guids.get(1)}`, `not_ended ${guids.get(2)}`]),
    );
    expect(await w.listed(last.id, '&verdict=different')).toEqual([]);
  });

  test('new failures, requests without an answer and actions that are gone are named', async () => {
    const w = await begin();
    await w.fire([1, 9]);
    await w.change('Ask', { ...asks(`${target.url}/other`)[1], fail_on_status: ['200'] });
    const fails = await w.start({ kind: 'last', runs: 2 });
    expect(await w.ended(fails.id)).toMatchObject({ different: 2 });
    expect(await w.differences(fails.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'fails', runs: 2, action: expect.objectContaining({ name: 'Ask' }) }),
        expect.objectContaining({
          kind: 'missing',
          runs: 2,
          action: expect.objectContaining({ name: 'Grade' }),
        }),
      ]),
    );
    await fabula.api('DELETE', `/api/v1/agents/${w.draftAgents['Hook']}`);
    const gone = await w.start({ kind: 'last', runs: 2 });
    expect(await w.ended(gone.id)).toMatchObject({ not_compared: 2, not_compared_because: { no_start: 2 } });
  });

  test('runs whose first event was deleted are counted with that reason', async () => {
    const w = await begin();
    await w.fire([1, 2]);
    const guids = await w.guids();
    await stores.sql('DELETE FROM events WHERE story_run_guid = ?', [guids.get(1)!]);
    const { id } = await w.start({ kind: 'last', runs: 2 });
    expect(await w.ended(id)).toMatchObject({ same: 1, not_compared_because: { events_deleted: 1 } });
  });

  test('a sample takes its part of the runs that begin before its time is over, and ends then', async () => {
    const w = await begin();
    await w.change('Grade', colour(5));
    const { id } = await w.start({ kind: 'sample', percent: 50, hours: 1 });
    await w.fire(Array.from({ length: 20 }, (_, n) => n));
    const sampled = await sampledRuns(w.id, 50);
    expect([sampled.length > 0, sampled.length < 20]).toEqual([true, true]);
    await eventually(async () => (await w.shown(id)).different === sampled.length, 30_000);
    expect(await w.shown(id)).toMatchObject({ state: 'running', same: 0, not_compared: 0 });

    // The hour is over with the last of these runs: those that follow are too late.
    await stores.sql(
      `UPDATE shadows SET until_at = (SELECT MAX(created_at) FROM story_runs WHERE story_id = ?) WHERE id = ?`,
      [w.id, id],
    );
    await w.fire(Array.from({ length: 20 }, (_, n) => 100 + n));
    expect((await sampledRuns(w.id, 50)).length).toBeGreaterThan(sampled.length);
    expect(await w.ended(id)).toMatchObject({
      state: 'completed',
      stop_reason: null,
      different: sampled.length,
    });
    expect(new Set((await w.listed(id)).map((run) => run.run_guid))).toEqual(new Set(sampled));
  });

  test('one of a draft runs at a time; a stop keeps what was found; the draft takes it with it', async () => {
    const w = await begin();
    const { id } = await w.start({ kind: 'sample', percent: 100, hours: 1 });
    const second = await call(fabula, `POST ${w.path}`, { body: { kind: 'last' } });
    expect(second).toMatchObject({
      status: 409,
      body: { errors: [{ message: expect.stringContaining('already') }] },
    });
    await w.fire([9]);
    await eventually(async () => (await w.shown(id)).same === 1, 30_000);
    const stopped = await call(fabula, `POST ${w.path}/${id}/stop`, { body: {} });
    expect(stopped.body).toMatchObject({ state: 'stopped', stop_reason: 'by_hand', same: 1 });
    const next = await w.start({ kind: 'next', runs: 5 });
    const listed = (await call(fabula, `GET ${w.path}`)).body as { shadows: { id: number }[] };
    expect(listed.shadows.map((shadow) => shadow.id)).toEqual([next.id, id]);
    await call(fabula, `POST /api/v1/stories/${w.id}/drafts/${w.draft}/publish`, { body: {} });
    expect((await call(fabula, `GET ${w.path}`)).status).toBe(404);
    const rows = () =>
      stores.db.read((session) =>
        session.rows('SELECT id FROM shadows WHERE id = ? AND expires_at > NOW(3)', [next.id]),
      );
    await eventually(async () => (await rows()).length === 0, 30_000);
  });

  test('a draft keeps its ten newest shadows: an older one expires, with its runs', async () => {
    const w = await begin();
    await w.fire([9]);
    await w.change('Grade', grade(20)[1]);
    const first = await w.start({ kind: 'last', runs: 1 });
    await w.ended(first.id);
    for (let at = 0; at < 10; at += 1) {
      const { id } = await w.start({ kind: 'next', runs: 1 });
      await call(fabula, `POST ${w.path}/${id}/stop`, { body: {} });
    }
    const expired = await stores.db.read((session) =>
      session.rows('SELECT id FROM shadows WHERE draft_id = ? AND expires_at <= NOW(3)', [w.draft]),
    );
    expect(expired).toEqual([{ id: first.id }]);
  });

  test('the shadow of a tenant that is being moved rests, and goes on afterwards', async () => {
    const w = await begin();
    await w.fire([1, 2]);
    await stores.sql('UPDATE tenants SET frozen_at = NOW(3) WHERE id = ?', [fabula.account.tenantId]);
    await stores.sql(
      `INSERT INTO shadows (tenant_id, user_id, story_id, draft_id, open_draft, draft_version, kind, most, percent,
                            until_at, from_at, from_id, last_at, last_id, waiting, expires_at)
       SELECT tenant_id, ?, draft_of, id, id, version, 'last', 2, 100, NOW(3), '2000-01-01', 0, '2000-01-01', 0, '[]',
              NOW(3) + INTERVAL 1 DAY FROM stories WHERE id = ?`,
      [fabula.account.user.id, w.draft],
    );
    const due = await stores.db.read(findDueShadows);
    expect(due.filter(({ tenantId }) => tenantId === fabula.account.tenantId)).toEqual([]);
    await stores.sql('UPDATE tenants SET frozen_at = NULL WHERE id = ?', [fabula.account.tenantId]);
    const [shown] = ((await call(fabula, `GET ${w.path}`)).body as { shadows: { id: number }[] }).shadows;
    expect(await w.ended(shown!.id)).toMatchObject({ state: 'completed', same: 2 });
  });

  test('a body that asks for what a kind does not have is refused', async () => {
    const w = await begin();
    for (const body of [
      { kind: 'last', hours: 2 },
      { kind: 'next', percent: 5 },
      { kind: 'all' },
      { kind: 'last', runs: 10_001 },
    ])
      expect(await call(fabula, `POST ${w.path}`, { body })).toMatchObject({ status: 422 });
  });

  test('a reader sees it and cannot start one; who may no longer write does not go on', async () => {
    const w = await begin();
    const team = fabula.account.team;
    const reader = await buildAccount(stores.db, { team, role: 'VIEWER' });
    const writer = await buildAccount(stores.db, { team, role: 'EDITOR' });
    const made = await call(fabula, `POST ${w.path}`, { body: { kind: 'next', runs: 5 }, as: writer });
    const { id } = made.body as { id: number };
    expect((await call(fabula, `GET ${w.path}/${id}`, { as: reader })).status).toBe(200);
    expect((await call(fabula, `GET ${w.path}/${id}/differences`, { as: reader })).status).toBe(200);
    expect((await call(fabula, `POST ${w.path}`, { body: { kind: 'last' }, as: reader })).status).toBe(403);
    expect((await call(fabula, `POST ${w.path}/${id}/stop`, { body: {}, as: reader })).status).toBe(403);
    await stores.sql('DELETE FROM memberships WHERE user_id = ?', [writer.user.id]);
    await w.fire([1]);
    expect(await w.ended(id)).toMatchObject({ state: 'stopped', stop_reason: 'no_rights' });
  });

  describe('of a story that calls one of another team', () => {
    let other: Account;
    let member: Account;
    let inner: number;

    beforeEach(async () => {
      const { tenantId, team } = fabula.account;
      other = await buildAccount(stores.db, { tenantId });
      member = await buildAccount(stores.db, { team, role: 'EDITOR' });
      const data = storyOf({ Start: HOOK, Say: says({ n: '=start.body.n' }) }, ['Start > Say'], {
        name: 'Inner',
        entry_agent_guid: 'Start',
        exit_agent_guids: ['Say'],
        send_to_story_enabled: true,
        send_to_story_access: 'global',
      });
      const body = { new_name: 'Inner', team_id: other.team.id, data };
      const made = await call(fabula, 'POST /api/v1/stories/import', { body });
      inner = (made.body as { id: number }).id;
    });

    test('an action that was deleted is still shown to those of its team alone', async () => {
      const w = await begin(outer(inner));
      await w.fire([1, 2]);
      await w.change('Send', sends('=hook.n + 1', inner));
      const { id } = await w.start({ kind: 'last', runs: 2 });
      expect(await w.ended(id)).toMatchObject({ different: 2, not_compared: 0 });
      const all = await found(w.path, id, fabula.account);
      expect(namesOf(all)).toContain('Say');
      const before = namesOf(await found(w.path, id, member));
      expect(before).not.toContain('Say');
      await fabula.api('DELETE', `/api/v1/stories/${inner}`);
      expect(namesOf(await found(w.path, id, fabula.account))).toEqual(namesOf(all));
      const seen = await found(w.path, id, member);
      expect(namesOf(seen)).toEqual(before);
      const hidden = all.find(({ action }) => action.name === 'Say')!.id;
      const runs = `GET ${w.path}/${id}/runs?difference_id=`;
      expect((await call(fabula, `${runs}${hidden}`, { as: member })).status).toBe(404);
      expect((await call(fabula, `${runs}${seen[0]!.id}`, { as: member })).status).toBe(200);
      expect((await call(fabula, `${runs}${hidden}`)).status).toBe(200);
    });

    test('one that a key of a team began reads that team alone, and ends when the key is revoked', async () => {
      const { tenantId, team } = fabula.account;
      const { key, record } = await buildKey(stores.db, {
        tenantId,
        kind: 'team',
        teamId: team.id,
        role: 'EDITOR',
      });
      await buildMembership(stores.db, { teamId: other.team.id, userId: record.userId, role: 'EDITOR' });
      const w = await begin(outer(inner));
      await w.fire([1, 2]);
      const as = { key } as Account;
      const made = await call(fabula, `POST ${w.path}`, { body: { kind: 'last', runs: 2 }, as });
      const last = (made.body as { id: number }).id;
      expect(await w.ended(last)).toMatchObject({ not_compared_because: { incomplete: 2 } });
      const next = await call(fabula, `POST ${w.path}`, { body: { kind: 'next', runs: 2 }, as });
      await fabula.api('DELETE', `/api/v1/api_keys/${record.id}`);
      await w.fire([3]);
      expect(await w.ended((next.body as { id: number }).id)).toMatchObject({
        state: 'stopped',
        stop_reason: 'no_rights',
        same: 0,
      });
    });
  });
});
