import type { AccessWorld, Kind, Place, PlaceName } from './access-world.js';
import { STEP_CONTENT } from './step-content.js';
import { smallExport } from './stories.js';

/** By caller: VIEWER, EDITOR, TEAM_ADMIN, Owner, tenant key, and the team keys VIEWER, EDITOR, TEAM_ADMIN. */
type Statuses = string;

const MEMBERS_CANNOT_SEE = '404 404 404 ok  ok  404 404 404';
const NOBODY_CAN_SEE = '    404 404 404 404 404 404 404 404';

/** The rights of each role on a team's things (spec §2.2). */
const OF_TEAM = (own: Statuses): Record<PlaceName, Statuses> => ({
  'own team': own,
  'other team': MEMBERS_CANNOT_SEE,
  'other tenant': NOBODY_CAN_SEE,
});
const ANYWHERE = (statuses: Statuses): Record<PlaceName, Statuses> => ({
  'own team': statuses,
  'other team': statuses,
  'other tenant': statuses,
});

const read = OF_TEAM('  ok  ok  ok  ok  ok  ok  ok  ok');
const write = OF_TEAM(' 403 ok  ok  ok  ok  403 ok  ok');
const manage = OF_TEAM('403 403 ok  ok  ok  403 403 ok');
const owners = OF_TEAM('403 403 403 ok  ok  403 403 403');
const ownersKey = OF_TEAM(MEMBERS_CANNOT_SEE);
/** Things of the tenant, or of the caller alone: no team plays a part. */
const everybody = ANYWHERE('ok  ok  ok  ok  ok  ok  ok  ok');
/** A thing of a tenant that its Owners alone may see. */
const ofTenant: Record<PlaceName, Statuses> = {
  'own team': '   403 403 403 ok  ok  403 403 403',
  'other team': ' 403 403 403 ok  ok  403 403 403',
  'other tenant': NOBODY_CAN_SEE,
};
const tenantOwners = ANYWHERE('403 403 403 ok  ok  403 403 403');
/** Things of the installation: with several tenants no Owner may see them (decision 0084). */
const operators = ANYWHERE('   403 403 403 403 403 403 403 403');

export interface Row {
  expected: Record<PlaceName, Statuses>;
  /** Kinds of things that the path's parameters stand for, in order. The others are parts of the first. */
  ids?: Kind[];
  query?: (place: Place, world: AccessWorld) => string | Promise<string>;
  /** `ids`: those of the path. */
  body?: (place: Place, world: AccessWorld, ids: (number | string)[]) => object | Promise<object>;
  /** Instead of a success, for who may do it. */
  allowed?: number;
}

const inTeam = { query: ({ teamId }: Place) => `team_id=${teamId}` };
let count = 0;
const named =
  (extra: object = {}) =>
  ({ teamId }: Place) => ({ name: `new ${++count}`, team_id: teamId, ...extra });
const body = (value: object) => ({ body: () => value });
async function requestOfStory({ ownerKey }: Place, { api }: AccessWorld, [story]: (number | string)[]) {
  const { body } = await api.call(ownerKey, `GET /api/v1/stories/${story}/change_request/view`);
  return { change_request_id: body.change_request.id as number };
}
/** The address of an Owner of the place's tenant. */
async function ownersEmail({ ownerKey }: Place, { api }: AccessWorld): Promise<string> {
  const { body } = await api.call(ownerKey, 'GET /api/v1/admin/users?filter=TENANT_OWNER');
  return body['admin/users'][0].email;
}
const renamed = { body: () => ({ name: `renamed ${++count}` }) };
/** Who may change some story may ask; the stories are looked for in the caller's own tenant. */
const promoting = ANYWHERE('403 ok  ok  ok  ok  403 ok  ok');
const aBundle = () => ({
  fabula_bundle: 1,
  source: { tenant: 'T', url: null },
  exported_at: '2026-12-03T00:00:00Z',
  stories: [{ guid: 'a'.repeat(32), name: 'S', team: 'No such team', data: smallExport() }],
});
/** A new action in a story of the place. */
const newAction = {
  body: async (place: Place, { make }: AccessWorld) => ({
    story_id: await make('story', place),
    type: 'Agents::TriggerAgent',
    name: 'A',
    options: { rules: [] },
  }),
};

const newNote = {
  body: async (place: Place, { make }: AccessWorld) => ({
    story_id: await make('story', place),
    content: 'A',
  }),
};

/** THE expected matrix: one row for every route. */
export const MATRIX: Record<string, Row> = {
  'GET /api/v1/audit_logs': { expected: tenantOwners },

  'GET /api/v1/stories': { expected: read, ...inTeam },
  'POST /api/v1/stories': { expected: write, body: named() },
  'DELETE /api/v1/stories/batch': {
    expected: write,
    body: async (place, world) => ({ ids: [await world.make('story', place)] }),
  },
  'POST /api/v1/stories/:id/disable': { expected: write, ids: ['story'] },
  'POST /api/v1/stories/:id/recipients': {
    expected: write,
    ids: ['story'],
    ...body({ address: 'a@b.test' }),
  },
  'DELETE /api/v1/stories/:id/recipients': {
    expected: write,
    ids: ['storyWithRecipient'],
    ...body({ address: 'a@b.test' }),
  },
  'POST /api/v1/stories/:id/owners': {
    expected: write,
    ids: ['story'],
    body: async (place, { make }) => ({ user_id: await make('ownerUser', place) }),
  },
  'DELETE /api/v1/stories/:id/owners': {
    expected: write,
    ids: ['storyWithOwner'],
    body: async (place, { make }) => ({ user_id: await make('ownerUser', place) }),
  },
  'GET /api/v1/stories/:id/pending_actions': { expected: read, ids: ['story'] },
  'POST /api/v1/stories/import': {
    expected: write,
    body: ({ teamId }) => ({ new_name: 'S', team_id: teamId, data: smallExport({ agents: [], links: [] }) }),
  },
  'GET /api/v1/stories/:id': { expected: read, ids: ['story'] },
  'PUT /api/v1/stories/:id': { expected: write, ids: ['story'], ...renamed },
  'PATCH /api/v1/stories/:id': { expected: write, ids: ['story'], ...renamed },
  'DELETE /api/v1/stories/:id': { expected: write, ids: ['story'] },
  'GET /api/v1/stories/:id/export': { expected: read, ids: ['story'] },
  'PUT /api/v1/stories/:id/export': {
    expected: write,
    ids: ['story'],
    ...body({ data: { schema_version: 3, agents: [], links: [] } }),
  },
  'GET /api/v1/stories/:id/versions': { expected: read, ids: ['story'] },
  'POST /api/v1/stories/:id/versions': { expected: write, ids: ['story'], ...renamed },
  'GET /api/v1/stories/:id/versions/:version_id': { expected: read, ids: ['story', 'version'] },
  'PUT /api/v1/stories/:id/versions/:version_id': { expected: write, ids: ['story', 'version'], ...renamed },
  'PATCH /api/v1/stories/:id/versions/:version_id': {
    expected: write,
    ids: ['story', 'version'],
    ...renamed,
  },
  'POST /api/v1/stories/:id/versions/:version_id': { expected: write, ids: ['story', 'version'], ...renamed },
  'DELETE /api/v1/stories/:id/versions/:version_id': { expected: write, ids: ['story', 'version'] },
  'GET /api/v1/stories/:id/versions/:version_id/diff': { expected: read, ids: ['story', 'version'] },
  'POST /api/v1/stories/:id/versions/:version_id/restore': { expected: write, ids: ['story', 'version'] },
  'GET /api/v1/stories/:id/drafts': { expected: read, ids: ['story'] },
  'POST /api/v1/stories/:id/drafts': { expected: write, ids: ['story'], ...renamed },
  'GET /api/v1/stories/:id/drafts/:draft_id': { expected: read, ids: ['story', 'draft'] },
  'PUT /api/v1/stories/:id/drafts/:draft_id': { expected: write, ids: ['story', 'draft'], ...renamed },
  'PATCH /api/v1/stories/:id/drafts/:draft_id': { expected: write, ids: ['story', 'draft'], ...renamed },
  'DELETE /api/v1/stories/:id/drafts/:draft_id': { expected: write, ids: ['story', 'draft'] },
  'POST /api/v1/stories/:id/drafts/:draft_id/publish': { expected: write, ids: ['story', 'draft'] },
  'POST /api/v1/stories/:id/drafts/:draft_id/update': { expected: write, ids: ['story', 'draft'] },
  'GET /api/v1/stories/:id/drafts/:draft_id/agents': { expected: read, ids: ['story', 'draft'] },
  'GET /api/v1/stories/:id/drafts/:draft_id/shadows': { expected: read, ids: ['story', 'draft'] },
  'POST /api/v1/stories/:id/drafts/:draft_id/shadows': {
    expected: write,
    ids: ['story', 'draft'],
    ...body({ kind: 'last' }),
  },
  'GET /api/v1/stories/:id/drafts/:draft_id/shadows/:shadow_id': {
    expected: read,
    ids: ['story', 'draft', 'shadow'],
  },
  'GET /api/v1/stories/:id/drafts/:draft_id/shadows/:shadow_id/differences': {
    expected: read,
    ids: ['story', 'draft', 'shadow'],
  },
  'GET /api/v1/stories/:id/drafts/:draft_id/shadows/:shadow_id/runs': {
    expected: read,
    ids: ['story', 'draft', 'shadow'],
  },
  'POST /api/v1/stories/:id/drafts/:draft_id/shadows/:shadow_id/stop': {
    expected: write,
    ids: ['story', 'draft', 'shadow'],
  },
  'GET /api/v1/stories/:id/drafts/:draft_id/diff': { expected: write, ids: ['story', 'draft'] },
  'POST /api/v1/stories/:id/change_request': {
    expected: write,
    ids: ['storyWithDraft'],
    ...body({ title: 'A' }),
  },
  'GET /api/v1/stories/:id/change_request/view': { expected: read, ids: ['story'] },
  'POST /api/v1/stories/:id/change_request/approve': {
    // The Owner asked; what is approved is approved by a person.
    expected: {
      'own team': '  403 ok  ok  403 403 403 403 403',
      'other team': '404 404 404 403 403 404 404 404',
      'other tenant': NOBODY_CAN_SEE,
    },
    ids: ['storyWithRequest'],
    body: requestOfStory,
  },
  'POST /api/v1/stories/:id/change_request/cancel': {
    expected: write,
    ids: ['storyWithRequest'],
    body: requestOfStory,
  },
  // It is not approved: who may promote it is told so.
  'POST /api/v1/stories/:id/change_request/promote': {
    expected: write,
    ids: ['storyWithRequest'],
    body: requestOfStory,
    allowed: 409,
  },
  'POST /api/v1/promotions/bundle': {
    expected: read,
    body: async (place, { make }) => ({ story_ids: [await make('story', place)] }),
  },
  'POST /api/v1/promotions/check': { expected: promoting, body: () => ({ bundle: aBundle() }) },
  'POST /api/v1/promotions': {
    // Nobody has the team of the bundle.
    expected: promoting,
    body: () => ({ bundle: aBundle() }),
    allowed: 422,
  },
  'GET /api/v1/promotions': { expected: everybody },
  'GET /api/v1/promotions/:id': { expected: read, ids: ['promotion'] },
  'POST /api/v1/promotions/:id/revert': { expected: write, ids: ['promotion'], ...body({}) },
  'GET /api/v1/drafts/:id': { expected: read, ids: ['draft'] },
  'GET /api/v1/drafts/:id/agents': { expected: read, ids: ['draft'] },
  'GET /api/v1/drafts/:id/diff': { expected: write, ids: ['draft'] },
  'PUT /api/v1/drafts/:id': { expected: write, ids: ['draft'], ...renamed },
  'PATCH /api/v1/drafts/:id': { expected: write, ids: ['draft'], ...renamed },
  'DELETE /api/v1/drafts/:id': { expected: write, ids: ['draft'] },
  'POST /api/v1/drafts/:id/publish': { expected: write, ids: ['draft'] },
  'POST /api/v1/drafts/:id/update': { expected: write, ids: ['draft'] },
  'GET /api/v1/stories/:id/agents': { expected: read, ids: ['story'] },
  'GET /api/v1/stories/:id/actions': { expected: read, ids: ['story'] },
  'GET /api/v1/notes': { expected: read, ...inTeam },
  'POST /api/v1/notes': { expected: write, ...newNote },
  'GET /api/v1/notes/:id': { expected: read, ids: ['note'] },
  'PUT /api/v1/notes/:id': { expected: write, ids: ['note'], ...body({ content: 'B' }) },
  'PATCH /api/v1/notes/:id': { expected: write, ids: ['note'], ...body({ content: 'B' }) },
  'DELETE /api/v1/notes/:id': { expected: write, ids: ['note'] },
  'GET /api/v1/annotations': { expected: read, ...inTeam },
  'POST /api/v1/annotations': { expected: write, ...newNote },
  'GET /api/v1/annotations/:id': { expected: read, ids: ['note'] },
  'PUT /api/v1/annotations/:id': { expected: write, ids: ['note'], ...body({ content: 'B' }) },
  'PATCH /api/v1/annotations/:id': { expected: write, ids: ['note'], ...body({ content: 'B' }) },
  'DELETE /api/v1/annotations/:id': { expected: write, ids: ['note'] },
  'GET /api/v1/stories/:id/graph': { expected: read, ids: ['story'] },
  'PUT /api/v1/stories/:id/graph': { expected: write, ids: ['story'], ...body({ agents: [], links: [] }) },
  'GET /api/v1/stories/:id/tests': { expected: read, ids: ['story'] },
  'PUT /api/v1/stories/:id/tests': {
    expected: write,
    ids: ['story'],
    ...body({ test: { name: 'T', expect: {} } }),
  },
  'DELETE /api/v1/stories/:id/tests': { expected: write, ids: ['storyWithTest'], query: () => 'name=T' },
  'POST /api/v1/stories/:id/tests/from_run': {
    expected: write,
    ids: ['story'],
    body: async (place, { make }, [story]) => ({
      run_guid: await make('run', place, Number(story)),
      name: 'R',
    }),
    // Its run has no event any more.
    allowed: 422,
  },
  'POST /api/v1/stories/:id/tests/run': { expected: read, ids: ['story'], ...body({}) },
  'GET /api/v1/agents': { expected: read, ...inTeam },
  'POST /api/v1/agents': { expected: write, ...newAction },
  'DELETE /api/v1/agents/:id': { expected: write, ids: ['agent'] },
  'GET /api/v1/actions': { expected: read, ...inTeam },
  'POST /api/v1/actions': { expected: write, ...newAction },
  'DELETE /api/v1/actions/:id': { expected: write, ids: ['agent'] },
  'GET /api/v1/webhooks': { expected: read, ...inTeam },
  'GET /api/v1/webhooks/:id': { expected: read, ids: ['webhook'] },
  'POST /api/v1/webhooks/:id/call': { expected: write, ids: ['webhook'], body: () => ({}) },
  'GET /api/v1/agents/:id': { expected: read, ids: ['agent'] },
  'PUT /api/v1/agents/:id': { expected: write, ids: ['agent'], ...renamed },
  'PATCH /api/v1/agents/:id': { expected: write, ids: ['agent'], ...renamed },
  'GET /api/v1/actions/:id': { expected: read, ids: ['agent'] },
  'PUT /api/v1/actions/:id': { expected: write, ids: ['agent'], ...renamed },
  'PATCH /api/v1/actions/:id': { expected: write, ids: ['agent'], ...renamed },
  'GET /api/v1/agents/:id/logs': { expected: read, ids: ['agent'] },
  'GET /api/v1/actions/:id/logs': { expected: read, ids: ['agent'] },
  'GET /api/v1/agents/:id/logs/:log_id/request': { expected: read, ids: ['agent', 'logLine'] },
  'GET /api/v1/actions/:id/logs/:log_id/request': { expected: read, ids: ['agent', 'logLine'] },
  'GET /api/v1/agents/:id/events': { expected: read, ids: ['agent'] },
  'GET /api/v1/actions/:id/events': { expected: read, ids: ['agent'] },
  'POST /api/v1/agents/:id/run': { expected: write, ids: ['agent'], ...body({}) },
  'POST /api/v1/agents/:id/dry_run': { expected: write, ids: ['agent'], ...body({}) },
  'POST /api/v1/actions/:id/run': { expected: write, ids: ['agent'], ...body({}) },
  'POST /api/v1/actions/:id/dry_run': { expected: write, ids: ['agent'], ...body({}) },
  'DELETE /api/v1/agents/:id/remove_events': { expected: write, ids: ['agent'] },
  'DELETE /api/v1/agents/:id/remove_logs': { expected: write, ids: ['agent'] },
  'DELETE /api/v1/agents/:id/clear_memory': { expected: write, ids: ['agent'] },
  'DELETE /api/v1/actions/:id/remove_events': { expected: write, ids: ['agent'] },
  'DELETE /api/v1/actions/:id/remove_logs': { expected: write, ids: ['agent'] },
  'DELETE /api/v1/actions/:id/clear_memory': { expected: write, ids: ['agent'] },

  'POST /api/v1/stories/check': {
    expected: read,
    body: async (place, { make }) => ({ story_id: await make('story', place) }),
  },
  'PUT /api/v1/stories/:id/presence': { expected: read, ids: ['story'], ...body({}) },
  'DELETE /api/v1/stories/:id/presence': { expected: read, ids: ['story'] },
  'POST /api/v1/stories/rename_preview': {
    expected: write,
    body: async (place, { make }) => ({
      story_id: await make('story', place),
      agents: [{ type: 'Agents::TriggerAgent', name: 'Ask', options: {} }],
      links: [],
      index: 0,
      name: 'Ask again',
    }),
  },
  'POST /api/v1/stories/renames_preview': {
    expected: write,
    body: async (place, { make }) => ({
      story_id: await make('story', place),
      agents: [{ type: 'Agents::TriggerAgent', name: 'Ask', options: {} }],
      links: [],
      renames: [{ index: 0, name: 'Ask again' }],
    }),
  },
  'POST /api/v1/trials': {
    expected: read,
    body: async (place, { make }) => ({ story_id: await make('storyWithAgent', place) }),
  },
  'POST /api/v1/templates/render': {
    expected: write,
    body: async (place, { make }) => ({ template: '=1 + 1', story_id: await make('story', place) }),
  },
  'POST /api/v1/templates/preview': {
    expected: write,
    body: async (place, { make }) => ({ templates: [], story_id: await make('story', place) }),
  },
  'POST /api/v1/openapi/operations': {
    expected: write,
    body: ({ teamId }) => ({ document: '{"openapi":"3.1.0","paths":{}}', team_id: teamId }),
  },
  'POST /api/v1/openapi/request': {
    expected: write,
    body: ({ teamId }) => ({
      document: '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}',
      method: 'get',
      path: '/a',
      team_id: teamId,
    }),
  },
  'GET /api/v1/agent_types': { expected: everybody },
  'GET /api/v1/functions': { expected: everybody },
  'GET /api/v1/filters': { expected: everybody },

  'GET /api/v1/stories/:id/runs': { expected: read, ids: ['story'] },
  'POST /api/v1/stories/:id/runs': { expected: write, ids: ['storyWithAgent'], ...body({}) },
  'GET /api/v1/stories/:id/runs/:guid': { expected: read, ids: ['story', 'run'] },
  'GET /api/v1/runs': { expected: read, ...inTeam },
  'GET /api/v1/stats': { expected: read, ...inTeam },
  'GET /api/v1/stream': { expected: read, query: ({ teamId }) => `team_id=${teamId}&seconds=1` },
  'GET /api/v1/stories/:id/runs/:guid/summary': { expected: read, ids: ['story', 'run'] },
  'GET /api/v1/stories/:id/runs/:guid/attempts': { expected: read, ids: ['story', 'run'] },
  'GET /api/v1/stories/:id/runs/:guid/actions': { expected: read, ids: ['story', 'run'] },
  'POST /api/v1/stories/:id/runs/:guid/cancel': { expected: write, ids: ['story', 'run'] },
  'GET /api/v1/events': {
    expected: read,
    query: async (place, { make }) => `story_id=${await make('story', place)}`,
  },
  'GET /api/v1/events/:id': { expected: read, ids: ['event'] },
  'GET /api/v1/events/:id/request': { expected: read, ids: ['event'] },
  'POST /api/v1/events/:id/reemit': { expected: write, ids: ['event'] },

  'GET /api/v1/dead_letters': { expected: read, ...inTeam },
  'GET /api/v1/dead_letters/groups': { expected: read, ...inTeam },
  'GET /api/v1/dead_letters/:id': { expected: read, ids: ['deadLetter'] },
  'POST /api/v1/dead_letters/:id/retry': { expected: write, ids: ['deadLetter'] },
  'POST /api/v1/dead_letters/retry': { expected: write, body: ({ teamId }) => ({ team_id: teamId }) },
  'GET /api/v1/dead_letters/canaries': {
    expected: read,
    query: async (place, { make }) => `story_id=${await make('story', place)}`,
  },
  'GET /api/v1/dead_letters/canaries/:id': { expected: read, ids: ['canary'] },
  // A story without dead letters has none to retry.
  'POST /api/v1/dead_letters/canaries': {
    expected: write,
    allowed: 409,
    body: async (place, { make }) => ({ story_id: await make('story', place) }),
  },
  'POST /api/v1/dead_letters/canaries/:id/stop': { expected: write, ids: ['canary'] },
  'DELETE /api/v1/dead_letters/:id': { expected: write, ids: ['deadLetter'] },
  'POST /api/v1/dead_letters/drop': { expected: write, body: ({ teamId }) => ({ team_id: teamId }) },
  'GET /api/v1/admin/dead_jobs': { expected: everybody },
  'DELETE /api/v1/admin/delete_all_dead_jobs': { expected: ANYWHERE(' 403 ok  ok  ok  ok  403 ok  ok') },
  'GET /api/v1/admin/actions/:id/dead_jobs': { expected: read, ids: ['agent'] },
  'DELETE /api/v1/admin/actions/:id/delete_all_dead_jobs': { expected: write, ids: ['agent'] },

  'GET /api/v1/folders': { expected: read, ...inTeam },
  'POST /api/v1/folders': { expected: write, body: named() },
  'GET /api/v1/folders/:id': { expected: read, ids: ['folder'] },
  'PUT /api/v1/folders/:id': { expected: write, ids: ['folder'], ...renamed },
  'PATCH /api/v1/folders/:id': { expected: write, ids: ['folder'], ...renamed },
  'DELETE /api/v1/folders/:id': { expected: write, ids: ['folder'] },
  'GET /api/v1/admin/templates': { expected: tenantOwners },
  'POST /api/v1/admin/templates': {
    expected: tenantOwners,
    ...body({ name: 'T', agent_type: 'Agents::TriggerAgent' }),
  },
  'GET /api/v1/admin/templates/:id': { expected: ofTenant, ids: ['template'] },
  'PUT /api/v1/admin/templates/:id': { expected: ofTenant, ids: ['template'], ...renamed },
  'PATCH /api/v1/admin/templates/:id': { expected: ofTenant, ids: ['template'], ...renamed },
  'DELETE /api/v1/admin/templates/:id': { expected: ofTenant, ids: ['template'] },
  'GET /api/v1/steps': { expected: read, ...inTeam },
  'POST /api/v1/steps': { expected: write, body: named({ content: STEP_CONTENT }) },
  'GET /api/v1/steps/:id': { expected: read, ids: ['step'] },
  'PUT /api/v1/steps/:id': { expected: write, ids: ['step'], ...renamed },
  'PATCH /api/v1/steps/:id': { expected: write, ids: ['step'], ...renamed },
  'DELETE /api/v1/steps/:id': { expected: write, ids: ['step'] },
  'GET /api/v1/steps/:id/versions': { expected: read, ids: ['step'] },
  'POST /api/v1/steps/:id/versions': { expected: write, ids: ['step'], ...body({ content: STEP_CONTENT }) },
  'GET /api/v1/steps/:id/versions/:number': { expected: read, ids: ['step', 'one'] },
  'GET /api/v1/steps/:id/uses': { expected: read, ids: ['step'] },
  'POST /api/v1/steps/:id/updates/preview': {
    expected: write,
    ids: ['step'],
    body: async (place, { make }) => ({ stories: [{ id: await make('story', place) }] }),
  },
  'POST /api/v1/steps/:id/updates': {
    expected: write,
    ids: ['step'],
    body: async (place, { make }) => ({ stories: [{ id: await make('story', place) }] }),
  },
  'GET /api/v1/tags': { expected: read, ...inTeam },
  'POST /api/v1/tags': { expected: write, body: named() },
  'GET /api/v1/tags/:id': { expected: read, ids: ['tag'] },
  'PUT /api/v1/tags/:id': { expected: write, ids: ['tag'], ...renamed },
  'PATCH /api/v1/tags/:id': { expected: write, ids: ['tag'], ...renamed },
  'DELETE /api/v1/tags/:id': { expected: write, ids: ['tag'] },

  'GET /api/v1/global_resources': { expected: read, ...inTeam },
  'POST /api/v1/global_resources': { expected: write, body: named({ value: 'x' }) },
  'GET /api/v1/global_resources/:id': { expected: read, ids: ['resource'] },
  'PUT /api/v1/global_resources/:id': { expected: write, ids: ['resource'], ...body({ value: '' }) },
  'PATCH /api/v1/global_resources/:id': { expected: write, ids: ['resource'], ...body({ value: '' }) },
  'DELETE /api/v1/global_resources/:id': { expected: write, ids: ['resource'], ...body({}) },
  'POST /api/v1/global_resources/:id/append': { expected: write, ids: ['resource'], ...body({ value: 1 }) },
  'PUT /api/v1/global_resources/:id/append': { expected: write, ids: ['resource'], ...body({ value: 1 }) },
  'POST /api/v1/global_resources/:id/remove': { expected: write, ids: ['resource'], ...body({ index: 0 }) },
  'POST /api/v1/global_resources/:id/replace': {
    expected: write,
    ids: ['resource'],
    ...body({ index: 0, value: 1 }),
  },

  'GET /api/v1/credentials': { expected: read, ...inTeam },
  'POST /api/v1/credentials': { expected: manage, body: named({ value: 'x' }) },
  'GET /api/v1/credentials/:id': { expected: read, ids: ['credential'] },
  'PUT /api/v1/credentials/:id': { expected: manage, ids: ['credential'], ...body({ value: 'y' }) },
  'PATCH /api/v1/credentials/:id': { expected: manage, ids: ['credential'], ...body({ value: 'y' }) },
  'DELETE /api/v1/credentials/:id': { expected: manage, ids: ['credential'] },

  'GET /api/v1/user_credentials': { expected: read, ...inTeam },
  'POST /api/v1/user_credentials': { expected: manage, body: named({ mode: 'TEXT', value: 'x' }) },
  'GET /api/v1/user_credentials/:id': { expected: read, ids: ['credential'] },
  'PUT /api/v1/user_credentials/:id': { expected: manage, ids: ['credential'], ...body({ value: 'y' }) },
  'PATCH /api/v1/user_credentials/:id': { expected: manage, ids: ['credential'], ...body({ value: 'y' }) },
  'DELETE /api/v1/user_credentials/:id': { expected: manage, ids: ['credential'] },
  'POST /api/v1/user_credentials/:id/test': { expected: manage, ids: ['credential'], ...body({}) },

  'GET /api/v1/teams': { expected: everybody },
  'POST /api/v1/teams': { expected: tenantOwners, ...renamed },
  'GET /api/v1/teams/:id': { expected: read, ids: ['team'] },
  'GET /api/v1/teams/:id/digest': { expected: manage, ids: ['team'] },
  'PUT /api/v1/teams/:id/digest': { expected: manage, ids: ['team'], ...body({ recipients: [] }) },
  'GET /api/v1/teams/:id/repository': { expected: manage, ids: ['repository'] },
  'PUT /api/v1/teams/:id/repository': {
    expected: manage,
    ids: ['team'],
    ...body({ url: 'https://git.example.com/stories.git' }),
  },
  'DELETE /api/v1/teams/:id/repository': { expected: manage, ids: ['repository'] },
  'POST /api/v1/teams/:id/repository/sync': { expected: manage, ids: ['repository'], ...body({}) },
  'GET /api/v1/teams/:id/repository/syncs': { expected: manage, ids: ['repository'] },
  'PUT /api/v1/teams/:id': { expected: owners, ids: ['team'], ...renamed },
  'PATCH /api/v1/teams/:id': { expected: owners, ids: ['team'], ...renamed },
  // Both teams have stories by now: who may delete a team is told so.
  'DELETE /api/v1/teams/:id': { expected: owners, ids: ['team'], allowed: 409 },
  'GET /api/v1/teams/:team_id/members': { expected: read, ids: ['team'] },
  'POST /api/v1/teams/:team_id/members': {
    expected: manage,
    ids: ['team'],
    body: async (place, { make }) => ({ user_id: await make('person', place), role: 'VIEWER' }),
  },
  'PUT /api/v1/teams/:team_id/members/:user_id': {
    expected: manage,
    ids: ['team', 'member'],
    ...body({ role: 'EDITOR' }),
  },
  'PATCH /api/v1/teams/:team_id/members/:user_id': {
    expected: manage,
    ids: ['team', 'member'],
    ...body({ role: 'EDITOR' }),
  },
  'POST /api/v1/teams/:team_id/invite_member': {
    expected: manage,
    ids: ['team'],
    body: async (place, { make }) => ({ user_id: await make('person', place), role: 'VIEWER' }),
  },
  'POST /api/v1/teams/:team_id/resend_invitation': {
    expected: manage,
    ids: ['team'],
    body: async (place, { make }) => ({ user_id: await make('member', place) }),
  },
  'POST /api/v1/teams/:team_id/remove_member': {
    expected: manage,
    ids: ['team'],
    body: async (place, { make }) => ({ user_id: await make('member', place) }),
  },
  'DELETE /api/v1/teams/:team_id/members/:user_id': { expected: manage, ids: ['team', 'member'] },

  'GET /api/v1/tenants/current/usage': { expected: everybody },
  'GET /api/v1/tenants/current/mail_settings': { expected: tenantOwners },
  'PUT /api/v1/tenants/current/mail_settings': {
    expected: tenantOwners,
    ...body({ smtp_url: 'smtps://u:p@mail.example', mail_from: 'a@b.example' }),
  },
  'PATCH /api/v1/tenants/current/mail_settings': {
    expected: tenantOwners,
    ...body({ smtp_url: 'smtps://u:p@mail.example', mail_from: 'a@b.example' }),
  },

  'GET /api/v1/tenants/current/test_settings': { expected: everybody },
  'PUT /api/v1/tenants/current/test_settings': { expected: tenantOwners, ...body({ on_publish: 'warn' }) },
  'PATCH /api/v1/tenants/current/test_settings': { expected: tenantOwners, ...body({ on_publish: 'warn' }) },

  'GET /api/v1/users': { expected: everybody },
  'GET /api/v1/users/me': { expected: everybody },
  'POST /api/v1/users': { expected: tenantOwners, body: () => ({ email: `new${++count}@x.test` }) },
  'GET /api/v1/users/:id': { expected: read, ids: ['member'] },
  'PUT /api/v1/users/:id': { expected: owners, ids: ['member'], ...body({ first_name: 'A' }) },
  'PATCH /api/v1/users/:id': { expected: owners, ids: ['member'], ...body({ first_name: 'A' }) },
  'DELETE /api/v1/users/:id': { expected: owners, ids: ['member'] },

  'GET /api/v1/admin/users': { expected: everybody },
  'POST /api/v1/admin/users': { expected: tenantOwners, body: () => ({ email: `new${++count}@x.test` }) },
  'GET /api/v1/admin/users/:id': { expected: read, ids: ['member'] },
  'PUT /api/v1/admin/users/:id': { expected: owners, ids: ['member'], ...body({ first_name: 'A' }) },
  'PATCH /api/v1/admin/users/:id': { expected: owners, ids: ['member'], ...body({ first_name: 'A' }) },
  'DELETE /api/v1/admin/users/:id': { expected: owners, ids: ['member'] },
  'GET /api/v1/admin/users/:id/signin_activities': { expected: owners, ids: ['member'] },
  'POST /api/v1/admin/users/:id/expire_session': { expected: owners, ids: ['member'] },

  'GET /api/v1/info': { expected: everybody },
  'GET /api/v1/doctor': { expected: operators },
  'GET /api/v1/status': { expected: read, ...inTeam },
  'GET /api/v1/queues': { expected: read, ...inTeam },
  'GET /api/v1/inbox': { expected: read, ...inTeam },
  'PUT /api/v1/inbox/:entry_key': {
    expected: write,
    ids: ['inboxEntry'],
    body: () => ({ snoozed_until: null }),
  },
  'PATCH /api/v1/inbox/:entry_key': {
    expected: write,
    ids: ['inboxEntry'],
    body: () => ({ snoozed_until: null }),
  },
  'GET /api/v1/schedules': { expected: read, ...inTeam },
  'GET /api/v1/schedules/:id': { expected: read, ids: ['schedule'] },
  'PUT /api/v1/schedules/:id': { expected: write, ids: ['schedule'], ...body({ paused: true }) },
  'PATCH /api/v1/schedules/:id': { expected: write, ids: ['schedule'], ...body({ paused: false }) },
  'GET /api/v1/info/worker_stats': { expected: operators },

  'GET /api/v1/api_keys': { expected: everybody },
  'POST /api/v1/api_keys': { expected: owners, body: named({ kind: 'team', role: 'VIEWER' }) },
  'GET /api/v1/api_keys/:id': { expected: ownersKey, ids: ['apiKey'] },
  'DELETE /api/v1/api_keys/:id': { expected: ownersKey, ids: ['apiKey'] },

  'GET /api/v1/record_types': { expected: read, ...inTeam },
  'POST /api/v1/record_types': {
    expected: write,
    body: named({ fields: [{ name: 'A', result_type: 'TEXT' }] }),
  },
  'GET /api/v1/record_types/:id': { expected: read, ids: ['recordType'] },
  'PUT /api/v1/record_types/:id': { expected: write, ids: ['recordType'], ...renamed },
  'PATCH /api/v1/record_types/:id': { expected: write, ids: ['recordType'], ...renamed },
  'DELETE /api/v1/record_types/:id': { expected: write, ids: ['recordType'] },
  'GET /api/v1/records': {
    expected: read,
    query: async (place, { make }) => `record_type_id=${await make('recordType', place)}`,
  },
  'POST /api/v1/records': {
    expected: write,
    body: async (place, { make }) => ({ record_type_id: await make('recordType', place), field_values: [] }),
  },
  'GET /api/v1/records/:id': { expected: read, ids: ['record'] },
  'PUT /api/v1/records/:id': { expected: write, ids: ['record'], ...body({ field_values: [] }) },
  'PATCH /api/v1/records/:id': { expected: write, ids: ['record'], ...body({ field_values: [] }) },
  'DELETE /api/v1/records/:id': { expected: write, ids: ['record'] },

  'GET /api/v2/cases': { expected: read, ...inTeam },
  'POST /api/v2/cases': { expected: write, body: named() },
  'GET /api/v2/cases/:id': { expected: read, ids: ['case'] },
  'PUT /api/v2/cases/:id': { expected: write, ids: ['case'], ...renamed },
  'PATCH /api/v2/cases/:id': { expected: write, ids: ['case'], ...renamed },
  'DELETE /api/v2/cases/:id': { expected: write, ids: ['case'] },
  'GET /api/v2/cases/:id/activities': { expected: read, ids: ['case'] },
  'GET /api/v2/cases/:id/activities/:activity_id': { expected: read, ids: ['case', 'comment'] },
  'GET /api/v2/cases/:id/assignees': { expected: read, ids: ['case'] },
  'GET /api/v2/cases/:id/comments': { expected: read, ids: ['case'] },
  'POST /api/v2/cases/:id/comments': { expected: write, ids: ['case'], ...body({ value: 'x' }) },
  'GET /api/v2/cases/:id/comments/:comment_id': { expected: read, ids: ['case', 'comment'] },
  'PUT /api/v2/cases/:id/comments/:comment_id': {
    expected: write,
    ids: ['case', 'comment'],
    ...body({ value: 'y' }),
  },
  'PATCH /api/v2/cases/:id/comments/:comment_id': {
    expected: write,
    ids: ['case', 'comment'],
    ...body({ value: 'y' }),
  },
  'DELETE /api/v2/cases/:id/comments/:comment_id': { expected: write, ids: ['case', 'comment'] },
  'GET /api/v2/cases/:id/closure_conditions': { expected: read, ids: ['case'] },
  'GET /api/v2/cases/:id/metadata': { expected: read, ids: ['case'] },
  'GET /api/v2/cases/:id/metadata/:key': { expected: read, ids: ['case', 'metadataKey'] },
  'POST /api/v2/cases/:id/metadata': { expected: write, ids: ['case'], ...body({ metadata: { a: 1 } }) },
  'PUT /api/v2/cases/:id/metadata': { expected: write, ids: ['case'], ...body({ metadata: { a: 1 } }) },
  'PATCH /api/v2/cases/:id/metadata': { expected: write, ids: ['case'], ...body({ metadata: { a: 1 } }) },
  'DELETE /api/v2/cases/:id/metadata': { expected: write, ids: ['case'], ...body({ metadata: ['b'] }) },
  'GET /api/v2/cases/:id/records': { expected: read, ids: ['case'] },
  'POST /api/v2/cases/:id/records': {
    expected: write,
    ids: ['case'],
    body: async (place, { make }) => ({ record_id: await make('record', place) }),
  },
  'GET /api/v2/cases/:id/records/:record_id': { expected: read, ids: ['case', 'caseRecord'] },
  'DELETE /api/v2/cases/:id/records/:record_id': { expected: write, ids: ['case', 'caseRecord'] },
  'GET /api/v2/cases/:id/linked_cases': { expected: read, ids: ['case'] },
  'POST /api/v2/cases/:id/linked_cases': {
    expected: write,
    ids: ['case'],
    body: async (place, { make }) => ({ id: await make('case', place) }),
  },
  'POST /api/v2/cases/:id/linked_cases/batch': {
    expected: write,
    ids: ['case'],
    body: async (place, { make }) => ({ ids: [await make('case', place)] }),
  },
  'DELETE /api/v2/cases/:id/linked_cases/:linked_case_id': { expected: write, ids: ['case', 'linkedCase'] },
  'GET /api/v2/cases/:id/actions': { expected: read, ids: ['case'] },
  'POST /api/v2/cases/:id/actions': {
    expected: write,
    ids: ['case'],
    ...body({ url: 'https://a.example', label: 'A', action_type: 'page' }),
  },
  'PUT /api/v2/cases/:id/actions/batch': { expected: write, ids: ['case'], ...body({ actions: [] }) },
  'GET /api/v2/cases/:id/actions/:action_id': { expected: read, ids: ['case', 'caseAction'] },
  'PUT /api/v2/cases/:id/actions/:action_id': {
    expected: write,
    ids: ['case', 'caseAction'],
    ...body({ label: 'B' }),
  },
  'PATCH /api/v2/cases/:id/actions/:action_id': {
    expected: write,
    ids: ['case', 'caseAction'],
    ...body({ label: 'B' }),
  },
  'DELETE /api/v2/cases/:id/actions/:action_id': { expected: write, ids: ['case', 'caseAction'] },
  'GET /api/v2/cases/:id/subscribers': { expected: read, ids: ['case'] },
  'POST /api/v2/cases/:id/subscribers': {
    expected: write,
    ids: ['case'],
    ...body({ url: 'https://b.example/hook' }),
  },
  'POST /api/v2/cases/:id/subscribers/batch': {
    expected: write,
    ids: ['case'],
    body: async (place, world) => ({ user_emails: [await ownersEmail(place, world)] }),
  },
  'DELETE /api/v2/cases/:id/subscribers/:subscriber_id': { expected: write, ids: ['case', 'subscriber'] },
};

/** The name of a route's row. */
export const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path}`;

/** Makes the things of a row's path: `ids` of the row, in order. */
async function idsOf(name: string, place: Place, world: AccessWorld): Promise<(number | string)[]> {
  const ids: (number | string)[] = [];
  for (const kind of MATRIX[name]!.ids ?? []) ids.push(await world.make(kind, place, Number(ids[0] ?? 0)));
  return ids;
}

/** The request of a row, on things of its own unless `things` are given. */
export async function requestOf(
  name: string,
  place: Place,
  world: AccessWorld,
  things?: (number | string)[],
) {
  const row = MATRIX[name]!;
  const ids = things ?? (await idsOf(name, place, world));
  const left = [...ids];
  const path = name.replaceAll(/:\w+/g, () => String(left.shift()));
  const query = (await row.query?.(place, world)) ?? '';
  const request = query === '' ? path : `${path}?${query}`;
  return { ids, request, body: await row.body?.(place, world, ids) };
}
