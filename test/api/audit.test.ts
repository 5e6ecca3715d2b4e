import Joi from 'joi';
import { createAuditService } from '../../src/people/audit/audit-service.js';
import { auditEntry } from '../../src/people/audit/audit-entry.js';
import { auditRoutes } from '../../src/people/audit/audit-routes.js';
import { type AuditFilter, insertAuditEntry } from '../../src/people/audit/audit-store.js';
import { createAuditTrail } from '../../src/people/audit/audit-trail.js';
import type { Database } from '../../src/platform/mysql/database.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { Conflict } from '../../src/platform/errors.js';
import { type AnyRoute, defineRoute, RouteResponse } from '../../src/api/route.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { type Account, buildAccount, buildKey } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const id = Joi.number().integer().positive();

interface Services {
  audit: ReturnType<typeof createAuditService>;
}

/** Writes of every shape a response has, and a read. */
const routes: AnyRoute<Services>[] = [
  ...auditRoutes,
  defineRoute<unknown, unknown, { team_id: number }, Services>({
    method: 'post',
    path: '/api/v1/things',
    summary: 'Makes a thing',
    status: 201,
    audit: 'thing.create',
    body: Joi.object({ team_id: id, fail: Joi.boolean() }),
    handle: ({ body }) => {
      if ('fail' in body) throw new Conflict('The name is taken');
      return { id: 77, team_id: body.team_id };
    },
  }),
  defineRoute<{ id: number }, unknown, unknown, Services>({
    method: 'delete',
    path: '/api/v1/things/:id',
    summary: 'Deletes a thing',
    status: 204,
    audit: 'thing.delete',
    params: Joi.object<{ id: number }>({ id: id.required() }),
    handle: () => undefined,
  }),
  defineRoute<{ id: number }, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/things/:id',
    summary: 'Reads a thing',
    params: Joi.object<{ id: number }>({ id: id.required() }),
    handle: ({ params }) => params,
  }),
];

let app: TestApp;
let owner: Account;

beforeAll(async () => {
  app = await startTestApp(stores, {
    routes,
    services: { audit: createAuditService({ database: stores.db }) },
  });
});
beforeEach(async () => {
  owner = await buildAccount(stores.db, { owner: true });
});

async function call(method: string, path: string, { key = owner.key, body, headers = {} }: CallOptions = {}) {
  const response = await fetch(app.url + path, {
    method,
    headers: { 'X-User-Token': key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as ListResponse };
}

interface CallOptions {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

interface ListResponse {
  audit_logs: { id: number; action: string; target_id: number | null; user_id: number; created_at: string }[];
  meta: { count: number; pages: number };
  errors?: unknown;
}

const list = async (query = '') => (await call('GET', `/api/v1/audit_logs${query}`)).body;
/** A database that will never take the entry. */
const fails = () => Promise.reject(new Error('no such table'));
/** The entries as they are stored. */
const stored = () =>
  stores.db.read((session) => session.rows<{ guid: string }>('SELECT guid FROM audit_logs ORDER BY id'));
/** Ids of the things of a list's entries, ascending. */
const targets = async (query: string) =>
  (await list(query)).audit_logs.map((entry) => entry.target_id).toSorted((a, b) => Number(a) - Number(b));
const make = (account = owner) =>
  call('POST', '/api/v1/things', { key: account.key, body: { team_id: account.team.id } });

describe('a write', () => {
  it('leaves one entry: who, what, on what, when, from where, and the request', async () => {
    const before = Date.now();
    const headers = { 'user-agent': 'tester/1.0', 'x-request-id': 'request-7' };
    const body = { team_id: owner.team.id };
    expect((await call('POST', '/api/v1/things?', { body, headers })).status).toBe(201);
    const { audit_logs: entries, meta } = await list();
    expect(entries).toEqual([
      {
        id: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        updated_at: expect.any(String),
        action: 'thing.create',
        operation_name: 'thing.create',
        target_type: 'thing',
        target_id: 77,
        target_name: null,
        story_id: null,
        team_id: owner.team.id,
        tenant_id: owner.tenantId,
        user_id: owner.user.id,
        user_email: owner.user.email,
        user_name: null,
        key_id: owner.keyId,
        method: 'POST',
        path: '/api/v1/things',
        ip: '127.0.0.1',
        request_ip: '127.0.0.1',
        user_agent: 'tester/1.0',
        request_user_agent: 'tester/1.0',
        source: 'API',
        request_id: 'request-7',
        reason: null,
        changes: null,
        inputs: null,
        outputs: null,
      },
    ]);
    const at = new Date(entries[0]!.created_at).getTime();
    expect(at).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(meta).toMatchObject({ count: 1, pages: 1 });
    const [route] = auditRoutes;
    const strict = { convert: false, allowUnknown: false };
    expect(route!.docs!.response!.validate({ audit_logs: entries, meta }, strict).error).toBeUndefined();
  });

  it('without a body in its response is known by the id in its path', async () => {
    expect((await call('DELETE', '/api/v1/things/9')).status).toBe(204);
    expect((await list()).audit_logs).toMatchObject([
      { action: 'thing.delete', target_id: 9, team_id: null },
    ]);
  });

  it('of a team key is recorded as its service account and in its team', async () => {
    const { key, record } = await buildKey(stores.db, {
      tenantId: owner.tenantId,
      kind: 'team',
      teamId: owner.team.id,
      role: 'EDITOR',
    });
    expect((await call('DELETE', '/api/v1/things/9', { key })).status).toBe(204);
    expect((await list()).audit_logs).toMatchObject([
      { user_id: record.userId, key_id: record.id, team_id: owner.team.id },
    ]);
  });

  it.each([
    ['a read', 'GET', '/api/v1/things/9', undefined],
    ['a write that fails', 'POST', '/api/v1/things', { fail: true }],
    ['a write that is malformed', 'POST', '/api/v1/things', { nobody: 1 }],
    ['an unknown route', 'POST', '/api/v1/nothing', {}],
  ])('but %s leaves none', async (_what, method, path, body) => {
    await call(method, path, { body });
    expect((await list()).audit_logs).toEqual([]);
  });
});

describe('the list', () => {
  it('is for Owners of the tenant', async () => {
    for (const role of ['VIEWER', 'EDITOR', 'TEAM_ADMIN'] as const) {
      const { key } = await buildAccount(stores.db, { team: owner.team, role });
      const { status, body } = await call('GET', '/api/v1/audit_logs', { key });
      expect({ status, body }).toEqual({
        status: 403,
        body: { errors: [{ message: 'Only an Owner of the tenant can do this' }] },
      });
    }
    expect((await fetch(`${app.url}/api/v1/audit_logs`)).status).toBe(401);
    const tenantKey = await buildKey(stores.db, { tenantId: owner.tenantId });
    expect((await call('GET', '/api/v1/audit_logs', { key: tenantKey.key })).status).toBe(200);
  });

  it('shows nothing of another tenant, not to filters either', async () => {
    const stranger = await buildAccount(stores.db, { owner: true });
    await make(stranger);
    expect((await list()).audit_logs).toEqual([]);
    expect((await list(`?user_id=${stranger.user.id}`)).meta.count).toBe(0);
  });

  it('is newest first, in pages', async () => {
    for (let number = 1; number <= 3; number++) await call('DELETE', `/api/v1/things/${number}`);
    expect((await list()).audit_logs.map((entry) => entry.target_id)).toEqual([3, 2, 1]);
    const second = await list('?per_page=2&page=2');
    expect(second.audit_logs.map((entry) => entry.target_id)).toEqual([1]);
    expect(second.meta).toEqual({
      current_page: `${app.url}/api/v1/audit_logs?per_page=2&page=2`,
      previous_page: `${app.url}/api/v1/audit_logs?per_page=2&page=1`,
      next_page: null,
      next_page_number: null,
      per_page: 2,
      pages: 2,
      count: 3,
    });
    expect((await list('?page=9')).audit_logs).toEqual([]);
  });

  it('can be narrowed by user, action, target, team and time', async () => {
    const colleague = await buildAccount(stores.db, { team: owner.team });
    await make();
    await call('DELETE', '/api/v1/things/5');
    await call('DELETE', '/api/v1/things/6', { key: colleague.key });
    await stores.sql("UPDATE audit_logs SET created_at = '2026-03-01 12:00:00' WHERE target_id = 5");
    expect(await targets(`?user_id=${colleague.user.id}`)).toEqual([6]);
    expect(await targets('?action=thing.create')).toEqual([77]);
    expect(await targets('?action=thing')).toEqual([]);
    expect(await targets('?target_type=thing')).toEqual([5, 6, 77]);
    expect(await targets('?target_type=thing&target_id=6')).toEqual([6]);
    expect(await targets(`?team_id=${owner.team.id}`)).toEqual([77]);
    expect(await targets('?to=2026-03-02')).toEqual([5]);
    expect(await targets('?from=2026-03-01T12:00:00Z&to=2026-03-01T12:00:01Z')).toEqual([5]);
    expect(await targets('?from=2026-03-01T12:00:01')).toEqual([6, 77]);
    expect(await targets('?to=2026-03-01T12:00:00Z')).toEqual([]);
    expect(
      await targets(`?from=${encodeURIComponent('2026-03-01T14:00:00+02:00')}&to=2026-03-01T12:00:01`),
    ).toEqual([5]);
  });

  it.each([
    ['nobody=1', 'nobody'],
    ['user_id=x', 'user_id'],
    ['user_id=0', 'user_id'],
    ['from=yesterday', 'from'],
    ['to=2026-02-28T25:00:00Z', 'to'],
    ['to=2026-02-30', 'to'],
    ['per_page=501', 'per_page'],
    ['page=0', 'page'],
    [`action=${'x'.repeat(65)}`, 'action'],
  ])('refuses ?%s by name', async (query, details) => {
    const { status, body } = await call('GET', `/api/v1/audit_logs?${query}`);
    expect({ status, body }).toEqual({
      status: 422,
      body: { errors: [{ message: expect.any(String), details }] },
    });
  });
});

describe('an entry', () => {
  const request = { id: 'r', method: 'POST', path: '/x', ip: undefined, userAgent: undefined };
  const entryOf = (action: string, given: { params?: unknown; body?: unknown; response?: unknown }) =>
    auditEntry({
      action,
      actor: owner.actor,
      params: {},
      body: undefined,
      response: undefined,
      request,
      ...given,
    });

  it.each([
    ['case.create', {}, { case_id: 4, team: { id: 8 } }, { targetId: 4, teamId: 8 }],
    ['case.update', { id: 4 }, { case_id: 4, team: { id: 8 } }, { targetId: 4, teamId: 8 }],
    ['case_comment.create', { id: 4 }, { id: 15 }, { targetId: 15, teamId: null }],
    ['case_comment.delete', { id: 4, comment_id: 15 }, undefined, { targetId: 15, teamId: null }],
    ['case.close', { id: 4 }, { id: 15 }, { targetId: 4, teamId: null }],
    ['metadata.update', { id: 4, key: 'a' }, {}, { targetId: 4, teamId: null }],
    ['story.import', {}, { id: 2, team_id: 3 }, { targetId: 2, teamId: 3 }],
    ['member.add', { team_id: 3 }, { team_id: 3, user_id: 5 }, { targetId: 5, teamId: 3 }],
    ['case_link.create', { id: 4 }, { case_id: 9, name: 'x' }, { targetId: 9, teamId: null }],
    ['member.delete', { team_id: 3, user_id: 5 }, undefined, { targetId: 5, teamId: 3 }],
    ['thing.create', {}, [1, 2], { targetId: null, teamId: null }],
    ['thing.create', {}, 'text', { targetId: null, teamId: null }],
  ])('of %s with the path’s %j and the response %j', (action, params, response, expected) => {
    expect(entryOf(action, { params, response })).toMatchObject(expected);
  });

  it('knows what was put into another thing by the body', () => {
    const given = { params: { id: 4 }, body: { record_id: 12 }, response: { record_type_id: 3 } };
    expect(entryOf('case_record.create', given).targetId).toBe(12);
  });

  it('cuts what a caller may make longer than its column', () => {
    const long = { ...request, path: 'p'.repeat(5_000), userAgent: 'u'.repeat(5_000), ip: 'f'.repeat(99) };
    const { path, userAgent, ip } = auditEntry({
      action: 'a.b',
      actor: owner.actor,
      params: {},
      body: {},
      response: new RouteResponse({}),
      request: long,
    });
    expect([path.length, userAgent?.length, ip?.length]).toEqual([1024, 512, 45]);
  });
});

describe('the trail', () => {
  const request = { id: 'r', method: 'POST', path: '/x', ip: undefined, userAgent: undefined };
  const write = () => ({
    action: 'thing.create',
    actor: owner.actor,
    params: {},
    body: {},
    response: {},
    request,
  });
  it('stores an entry once, also when the answer of the database was lost', async () => {
    let tries = 0;
    const flaky: typeof stores.db.read = async (work) => {
      const result = await stores.db.read(work);
      tries += 1;
      if (tries === 1)
        throw Object.assign(new Error('connection lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
      return result;
    };
    const recording = recordingLogger();
    const trail = createAuditTrail({ database: { read: flaky }, logger: recording.logger });
    await trail.record(write());
    expect([tries, await stored()]).toEqual([2, [{ guid: expect.any(String) }]]);
    expect(recording.lines()).toEqual([]);
  });

  it('finds the team of the story that a write names, also when the database was away for a moment', async () => {
    const { insertId: story } = await stores.db.read((session) =>
      session.run(
        `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, keep_events_for, extra)
         VALUES (?, ?, ?, 'Named', ?, 30, 'formula', 3600, '{}')`,
        [owner.tenantId, owner.team.id, owner.user.id, 'e'.repeat(32)],
      ),
    );
    let tries = 0;
    const failsOnce: typeof stores.db.read = (work) => {
      tries += 1;
      return tries === 1
        ? Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
        : stores.db.read(work);
    };
    const recording = recordingLogger();
    const trail = createAuditTrail({ database: { read: failsOnce }, logger: recording.logger });
    await trail.record({ ...write(), body: { story_id: story } });
    await trail.drain();
    const teams = await stores.db.read((session) => session.rows('SELECT team_id AS teamId FROM audit_logs'));
    expect([teams, recording.lines()]).toEqual([[{ teamId: owner.team.id }], []]);
  });

  it('lets the response go after a second while the database is away, and stores the entry later', async () => {
    let away = true;
    const read: typeof stores.db.read = (work) =>
      away
        ? Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
        : stores.db.read(work);
    const recording = recordingLogger();
    const trail = createAuditTrail({ database: { read }, logger: recording.logger });
    const startedAt = performance.now();
    await trail.record(write());
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    expect(await stored()).toEqual([]);
    away = false;
    await eventually(async () => (await stored()).length === 1);
    await trail.drain();
    expect(recording.lines()).toEqual([]);
  });

  describe('of an update of a tag', () => {
    const read: typeof stores.db.read = (work) => stores.db.read(work);
    let id: number;
    beforeEach(async () => {
      id = await stores.db.read(
        async (session) =>
          (await session.run("INSERT INTO tags (team_id, name) VALUES (?, 'first')", [owner.team.id]))
            .insertId,
      );
      await stores.sql('DELETE FROM audit_logs');
    });
    const tagUpdate = (body: object) => ({ ...write(), action: 'tag.update', params: { id }, body });
    const changes = () =>
      stores.db.read((session) => session.rows<{ changes: unknown }>('SELECT changes FROM audit_logs'));

    it('has the fields that its body names alone, as they were right after it', async () => {
      let reads = 0;
      const later: typeof stores.db.read = async (work) => {
        const result = await stores.db.read(work);
        reads += 1;
        if (reads !== 3) return result;
        await stores.sql("UPDATE tags SET name = 'later' WHERE id = ?", [id]);
        throw Object.assign(new Error('connection lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
      };
      const trail = createAuditTrail({ database: { read: later }, logger: recordingLogger().logger });
      const before = await trail.look(tagUpdate({ name: 'mine' }));
      await stores.sql("UPDATE tags SET name = 'mine', color = '#010203' WHERE id = ?", [id]);
      await trail.record({ ...tagUpdate({ name: 'mine' }), before });
      const [entry] = await changes();
      const text = JSON.stringify(entry);
      expect(text).toContain('mine');
      expect(text).not.toMatch(/later|color/);
    });

    it('is stored without changes if the comparison fails', async () => {
      let fails = false;
      const failing: typeof stores.db.read = (work) => {
        if (!fails) return read(work);
        fails = false;
        return Promise.reject(new Error('no such column'));
      };
      const recording = recordingLogger();
      const trail = createAuditTrail({ database: { read: failing }, logger: recording.logger });
      const before = await trail.look(tagUpdate({ name: 'mine' }));
      fails = true;
      await trail.record({ ...tagUpdate({ name: 'mine' }), before });
      expect(await changes()).toEqual([{ changes: null }]);
      expect(recording.lines()).toMatchObject([{ level: 'warn', error: 'no such column' }]);
    });
  });

  it('logs an entry that cannot be stored, whole and as an error, and does not fail', async () => {
    const recording = recordingLogger();
    const trail = createAuditTrail({ database: { read: fails }, logger: recording.logger });
    await trail.record(write());
    expect(recording.lines()).toMatchObject([
      { level: 'error', message: 'could not store an audit log entry', error: 'no such table' },
    ]);
    expect(recording.lines()[0]).toMatchObject({ entry: { action: 'thing.create', userId: owner.user.id } });
  });
});

describe('the statements of the list', () => {
  interface Plan {
    key: string | null;
    Extra: string;
  }

  /** The plan of the count and of the page: index, and whether rows are looked up or sorted. */
  async function plansOf(filter: Omit<AuditFilter, 'tenantId'>): Promise<string[]> {
    const asked: [string, SqlValue[] | undefined][] = [];
    const read: Database['read'] = (work) =>
      stores.db.read((session) => {
        const rows = <Row>(sql: string, values?: SqlValue[]) => {
          asked.push([sql, values]);
          return session.rows<Row>(sql, values);
        };
        return work({ ...session, rows });
      });
    await createAuditService({ database: { read } }).list(owner.actor, filter, { offset: 0, limit: 20 });
    const plans = asked.map(async ([sql, values]) => {
      const rows = await stores.db.read((session) =>
        session.rows<Plan>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, values),
      );
      // A look-up of a row that is not there has no plan.
      const { key, Extra } = rows.find(({ key: used }) => used !== null) ?? { key: '', Extra: '' };
      return [key, /Using index(?! cond)/.test(Extra) && 'alone', /filesort/.test(Extra) && 'sorted']
        .filter(Boolean)
        .join(' ');
    });
    return Promise.all(plans);
  }

  beforeEach(async () => {
    const rows = Array.from({ length: 4_000 }, (_, index) => {
      const action = index % 40 === 0 ? 'story.import' : `thing_${index % 40}.update`;
      const entry = auditEntry({
        action,
        actor: { ...owner.actor, userId: 1 + (index % 100) },
        params: {},
        body: {},
        response: { id: 1 + (index % 500), team_id: 1 + (index % 50) },
        request: { id: 'r', method: 'POST', path: '/x', ip: undefined, userAgent: undefined },
      });
      return { ...entry, createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)) };
    });
    await stores.db.transaction(async (session) => {
      for (const row of rows) await insertAuditEntry(row, session);
    });
    await stores.db.read((session) => session.rows('ANALYZE TABLE audit_logs'));
  });

  it('count and page in an index of the filter; none looks at the whole table, none sorts', async () => {
    const from = new Date(Date.UTC(2026, 0, 1, 1));
    const cases: [Omit<AuditFilter, 'tenantId'>, string][] = [
      [{}, 'audit_logs_tenant'],
      [{ from }, 'audit_logs_tenant'],
      [{ userIds: [7] }, 'audit_logs_user'],
      [{ actions: ['story.import'] }, 'audit_logs_action'],
      [{ targetType: 'story' }, 'audit_logs_type'],
      [{ targetId: 9 }, 'audit_logs_target_id'],
      [{ targetType: 'thing_9', targetId: 10 }, 'audit_logs_target(_id)?'],
      [{ teamId: 8 }, 'audit_logs_team'],
      [{ teamId: 8, from }, 'audit_logs_team'],
    ];
    for (const [filter, index] of cases) {
      const [count, page] = await plansOf(filter);
      // Without a filter any of the indexes counts the tenant's entries; with two, either of theirs may be taken.
      const counting = Object.keys(filter).length === 1 ? `^${index} alone$` : '^audit_logs_\\w+ (alone)?';
      expect({ filter, count, page }).toEqual({
        filter,
        count: expect.stringMatching(counting),
        page: expect.stringMatching(`^${index}$`),
      });
    }
  });
});
