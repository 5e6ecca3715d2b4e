import type { Session } from '../../src/platform/mysql/session.js';
import type { Role } from '../../src/api/auth/actor.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { insertDeliveries } from '../../src/engine/state/deliveries/delivery-store.js';
import { insertEvents } from '../../src/engine/state/events/event-store.js';
import { insertLogLines } from '../../src/engine/state/events/log-store.js';
import { insertRuns } from '../../src/engine/state/runs/run-store.js';
import { buildAccount, buildKey, buildTeam, buildUser } from './builders.js';
import type { ManageApi, Parsed } from './manage-api.js';
import type { TestStores } from './stores.js';
import { STEP_CONTENT } from './step-content.js';
import { agent, smallExport } from './stories.js';

/** A thing's place, seen from the callers: in their team, in another team of the tenant, in another tenant. */
export const PLACES = ['own team', 'other team', 'other tenant'] as const;
export type PlaceName = (typeof PLACES)[number];

/** Callers: every role, with a personal key and with a team key. */
export const CALLERS = [
  'VIEWER',
  'EDITOR',
  'TEAM_ADMIN',
  'Owner',
  'tenant key',
  'VIEWER key',
  'EDITOR key',
  'TEAM_ADMIN key',
] as const;
export type Caller = (typeof CALLERS)[number];

/** A team and what makes things in it. */
export interface Place {
  teamId: number;
  tenantId: number;
  /** The key of an Owner of the place's tenant. */
  ownerKey: string;
}

export interface AccessWorld {
  keys: ReadonlyMap<Caller, string>;
  places: ReadonlyMap<PlaceName, Place>;
  /** The client of the API. */
  api: Pick<ManageApi, 'call'>;
  /** Makes a thing in the place; gives its id, or its guid where paths have that. */
  make: (kind: Kind, place: Place, parent?: number) => Promise<number | string>;
}

/** Two tenants, three teams, and callers of every kind in the first team. */
export async function buildAccessWorld(stores: TestStores, api: AccessWorld['api']): Promise<AccessWorld> {
  const { db } = stores;
  const owner = await buildAccount(db, { owner: true });
  const stranger = await buildAccount(db, { owner: true });
  const { tenantId, team } = owner;
  const other = await buildTeam(db, { tenantId });
  const person = async (role: Role) => (await buildAccount(db, { team, role })).key;
  const teamKey = async (role: Role) =>
    (await buildKey(db, { tenantId, kind: 'team', teamId: team.id, role })).key;
  const place = (teamId: number, account: typeof owner): Place => ({
    teamId,
    tenantId: account.tenantId,
    ownerKey: account.key,
  });
  return {
    api,
    keys: new Map<Caller, string>([
      ['VIEWER', await person('VIEWER')],
      ['EDITOR', await person('EDITOR')],
      ['TEAM_ADMIN', await person('TEAM_ADMIN')],
      ['Owner', owner.key],
      ['tenant key', (await buildKey(db, { tenantId })).key],
      ['VIEWER key', await teamKey('VIEWER')],
      ['EDITOR key', await teamKey('EDITOR')],
      ['TEAM_ADMIN key', await teamKey('TEAM_ADMIN')],
    ]),
    places: new Map<PlaceName, Place>([
      ['own team', place(team.id, owner)],
      ['other team', place(other.id, owner)],
      ['other tenant', place(stranger.team.id, stranger)],
    ]),
    make: (kind, where, parent) => MAKERS[kind]({ stores, api, place: where, parent: parent ?? 0 }),
  };
}

interface Making {
  stores: TestStores;
  api: AccessWorld['api'];
  place: Place;
  /** The thing it is a part of. */
  parent: number;
}

let made = 0;
const unique = () => `thing ${++made}`;

const post = async ({ api, place }: Making, path: string, body: object): Promise<Parsed> => {
  const response = await api.call(place.ownerKey, `POST ${path}`, body);
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
};
const ofTeam = async (making: Making, path: string, body: object): Promise<number> =>
  (await post(making, path, { name: unique(), team_id: making.place.teamId, ...body })).id;
const ofCase = async (making: Making, part: string, body: object): Promise<number> =>
  (await post(making, `/api/v2/cases/${making.parent}/${part}`, body)).id;

async function importStory(making: Making, data: object): Promise<number> {
  const body = { new_name: unique(), team_id: making.place.teamId, data };
  return (await post(making, '/api/v1/stories/import', body)).id;
}

/** The Owner of the place, who is a member of its team. */
async function ownerOf(making: Making): Promise<number> {
  const story = await importStory(making, smallExport({ agents: [], links: [] }));
  return (await making.api.call(making.place.ownerKey, `GET /api/v1/stories/${story}`)).body.user_id;
}

async function recordType(making: Making): Promise<number> {
  return ofTeam(making, '/api/v1/record_types', { fields: [{ name: 'A', result_type: 'TEXT' }] });
}

async function record(making: Making): Promise<number> {
  return (
    await post(making, '/api/v1/records', { record_type_id: await recordType(making), field_values: [] })
  ).id;
}

async function newCase(making: Making): Promise<number> {
  const body = { team_id: making.place.teamId, name: unique(), metadata: { b: 1 } };
  return (await post(making, '/api/v2/cases', body)).case_id;
}

/** How each kind of thing is made. A new kind of endpoint adds its own here. */
const MAKERS = {
  team: async ({ place }: Making) => place.teamId,
  /** The one of the team, by the team's id. Its address is one that the server does not call. */
  async repository({ api, place }: Making) {
    const path = `/api/v1/teams/${place.teamId}/repository`;
    await api.call(place.ownerKey, `PUT ${path}`, { url: 'https://127.0.0.1:9/stories.git' });
    return place.teamId;
  },
  story: (making: Making) => importStory(making, smallExport({ agents: [], links: [] })),
  storyWithRecipient: (making: Making) =>
    importStory(making, smallExport({ agents: [], links: [], recipients: ['a@b.test'] })),
  /** Its owner is the Owner of the place. */
  async storyWithOwner(making: Making) {
    const story = await importStory(making, smallExport({ agents: [], links: [] }));
    await post(making, `/api/v1/stories/${story}/owners`, { user_id: await ownerOf(making) });
    return story;
  },
  ownerUser: (making: Making) => ownerOf(making),
  storyWithTest(making: Making) {
    const tests = [{ name: 'T', expect: {} }];
    return importStory(making, smallExport({ agents: [], links: [], fabula_tests: tests }));
  },

  async promotion(making: Making) {
    const { body } = await making.api.call(making.place.ownerKey, `GET /api/v1/teams/${making.place.teamId}`);
    const guid = unique().replace(' ', '').padStart(32, 'a');
    const data = smallExport({ agents: [], links: [] });
    const bundle = {
      fabula_bundle: 1,
      source: { tenant: 'T', url: null },
      exported_at: '2026-12-03T00:00:00Z',
      stories: [{ guid, name: unique(), team: body.name, data }],
    };
    return (await post(making, '/api/v1/promotions', { bundle })).id;
  },
  storyWithAgent(making: Making) {
    const agents = [agent('Agents::TriggerAgent', '1', { rules: [] })];
    return importStory(making, smallExport({ agents, links: [] }));
  },
  async agent(making: Making) {
    const agents = [agent('Agents::TriggerAgent', '1', { rules: [] })];
    const story = await importStory(making, smallExport({ agents, links: [] }));
    const { body } = await making.api.call(making.place.ownerKey, `GET /api/v1/stories/${story}/agents`);
    return body.agents[0].id as number;
  },
  async logLine({ stores, parent }: Making) {
    const line = { agentId: parent, storyRunGuid: newRunGuid(), inboundEventId: 0, level: 'warn' as const };
    return stores.db.read(async (session) => {
      await insertLogLines(session, [{ ...line, message: unique() }]);
      const [row] = await session.rows<{ id: number }>(
        'SELECT MAX(id) AS id FROM agent_logs WHERE agent_id = ?',
        [parent],
      );
      return row!.id;
    });
  },
  async schedule(making: Making) {
    const started = {
      ...agent('Agents::TriggerAgent', '1', { rules: [] }),
      schedule: [{ cron: '0 9 * * *' }],
    };
    const story = await importStory(making, smallExport({ agents: [started], links: [] }));
    const listed = await making.api.call(making.place.ownerKey, `GET /api/v1/schedules?story_id=${story}`);
    return listed.body.schedules[0].id as number;
  },
  /** A schedule that left out a start. */
  async inboxEntry(making: Making): Promise<string> {
    const id = await MAKERS.schedule(making);
    await making.stores.sql(
      "UPDATE schedules SET skipped_at = NOW(3), skipped_until = NOW(3), skipped_reason = 'late' WHERE id = ?",
      [id],
    );
    return `schedule-${id}-skipped_late`;
  },
  async webhook(making: Making) {
    const options = { path: `matrix-${process.pid}-${++made}`, secret: 'x', verbs: 'post' };
    const agents = [agent('Agents::WebhookAgent', '1', options)];
    const story = await importStory(making, smallExport({ agents, links: [] }));
    const { body } = await making.api.call(making.place.ownerKey, `GET /api/v1/stories/${story}/agents`);
    return body.agents[0].id as number;
  },
  async version({ api, place, parent }: Making) {
    const { body } = await api.call(place.ownerKey, `GET /api/v1/stories/${parent}/versions`);
    return body.story_versions[0].id as number;
  },
  async note(making: Making) {
    const story_id = await importStory(making, smallExport({ agents: [], links: [] }));
    return (await post(making, '/api/v1/notes', { story_id, content: 'A' })).id as number;
  },
  async storyWithDraft(making: Making) {
    const story = await importStory(making, smallExport({ agents: [], links: [] }));
    await post(making, `/api/v1/stories/${story}/drafts`, { name: unique() });
    return story;
  },
  /** The Owner has asked for the publication of its draft. */
  async storyWithRequest(making: Making) {
    const story = await importStory(making, smallExport({ agents: [], links: [] }));
    await post(making, `/api/v1/stories/${story}/drafts`, { name: unique() });
    await post(making, `/api/v1/stories/${story}/change_request`, { title: unique() });
    return story;
  },
  /** The story of its parent, or one of its own. */
  async draft(making: Making) {
    const story = making.parent || (await importStory(making, smallExport({ agents: [], links: [] })));
    return (await post(making, `/api/v1/stories/${story}/drafts`, { name: unique() })).id as number;
  },
  /** One of its parent: a draft, or a story with one. */
  async shadow(making: Making) {
    return making.stores.db.read(async (session) => {
      const { insertId } = await session.run(
        `INSERT INTO shadows (tenant_id, user_id, story_id, draft_id, draft_version, kind, most, percent, until_at, from_at,
                              from_id, last_at, last_id, waiting, ended_at, expires_at)
         SELECT ?, 1, COALESCE(s.draft_of, s.id), s.id, s.version, 'last', 1, 100, NOW(3), NOW(3), 0, NOW(3), 0, '[]', NOW(3),
                NOW(3) + INTERVAL 1 DAY
         FROM stories s WHERE s.id = ? OR s.draft_of = ? ORDER BY s.draft_of IS NULL, s.id DESC LIMIT 1`,
        [making.place.tenantId, making.parent, making.parent],
      );
      return insertId;
    });
  },
  /** Nothing is at work in it. */
  async run({ stores, parent }: Making) {
    const guid = newRunGuid();
    const run = { guid, storyId: parent, source: 'api' as const, awaited: false };
    await stores.db.read((session) => insertRuns(session, [run]));
    return guid;
  },
  async event(making: Making) {
    const agents = [agent('Agents::TriggerAgent', '1', { rules: [] })];
    const storyId = await importStory(making, smallExport({ agents, links: [] }));
    const { body } = await making.api.call(making.place.ownerKey, `GET /api/v1/stories/${storyId}/agents`);
    const event = { storyRunGuid: newRunGuid(), storyId, agentId: body.agents[0].id as number };
    const insert = async (session: Session) => {
      const run = { guid: event.storyRunGuid, storyId, source: 'api' as const, awaited: false };
      await insertRuns(session, [run]);
      return insertEvents(session, [{ ...event, payload: '{}', lineage: '{"trigger_1":0}' }]);
    };
    const [id] = await making.stores.db.read(insert);
    return id!;
  },
  /** A dead letter of an action that is gone; it stays one until it is dropped. */
  async deadLetter(making: Making) {
    const storyId = await importStory(making, smallExport({ agents: [], links: [] }));
    const delivery = {
      storyRunGuid: newRunGuid(),
      storyId,
      agentId: 1,
      eventId: 1,
      queue: 'trigger' as const,
    };
    return making.stores.db.read(async (session) => {
      const rows = [{ ...delivery, awaited: false, called: false, depth: 1 }];
      const [id] = await insertDeliveries(session, rows);
      await session.run("UPDATE deliveries SET state = 'failed', failed_at = NOW(3) WHERE id = ?", [id!]);
      return id!;
    });
  },
  async canary(making: Making) {
    const storyId = await importStory(making, smallExport({ agents: [], links: [] }));
    return making.stores.db.read(async (session) => {
      const { insertId } = await session.run(
        `INSERT INTO canaries (tenant_id, story_id, user_id, waiting, left_out, expires_at)
         VALUES (?, ?, 1, 0, 0, NOW(3) + INTERVAL 1 DAY)`,
        [making.place.tenantId, storyId],
      );
      return insertId;
    });
  },
  folder: (making: Making) => ofTeam(making, '/api/v1/folders', {}),
  tag: (making: Making) => ofTeam(making, '/api/v1/tags', {}),
  template: async (making: Making) =>
    (await post(making, '/api/v1/admin/templates', { name: unique(), agent_type: 'Agents::TriggerAgent' }))
      .id,
  step: (making: Making) => ofTeam(making, '/api/v1/steps', { content: STEP_CONTENT }),
  /** The number of the first version of a step. */
  one: () => Promise.resolve(1),
  resource: (making: Making) => ofTeam(making, '/api/v1/global_resources', { value: ['a'] }),
  credential: (making: Making) => ofTeam(making, '/api/v1/credentials', { value: 'x' }),
  apiKey: (making: Making) => ofTeam(making, '/api/v1/api_keys', { kind: 'team', role: 'VIEWER' }),
  async member(making: Making) {
    const user = await buildUser(making.stores.db, { tenantId: making.place.tenantId });
    const members = `/api/v1/teams/${making.place.teamId}/members`;
    await post(making, members, { user_id: user.id, role: 'VIEWER' });
    return user.id;
  },
  person: async ({ stores, place }: Making) => (await buildUser(stores.db, { tenantId: place.tenantId })).id,
  recordType,
  record,
  case: newCase,
  /** Every case of `newCase` has it. */
  metadataKey: async () => 'b',
  comment: (making: Making) => ofCase(making, 'comments', { value: 'x' }),
  caseAction: (making: Making) =>
    ofCase(making, 'actions', { url: 'https://a.example', label: 'A', action_type: 'page' }),
  subscriber: (making: Making) => ofCase(making, 'subscribers', { url: 'https://a.example/hook' }),
  async caseRecord(making: Making) {
    const id = await record(making);
    await post(making, `/api/v2/cases/${making.parent}/records`, { record_id: id });
    return id;
  },
  async linkedCase(making: Making) {
    const id = await newCase(making);
    await post(making, `/api/v2/cases/${making.parent}/linked_cases`, { id });
    return id;
  },
};

export type Kind = keyof typeof MAKERS;
