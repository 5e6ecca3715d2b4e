import { patternOf } from './allowed-methods.js';

/** An endpoint that public clients call and that Fabula lacks. */
export interface MissingEndpoint {
  /** `:id` stands for digits, any other parameter for one part of the path. */
  path: string;
  /** Why, after "… is not supported here: ". */
  reason: string;
  /** Methods of the path that are meant; absent: all. */
  methods?: readonly string[];
}

/** Missing endpoints with one reason; a path that ends with `*` is that of a list and of its items. */
type Missing = Omit<MissingEndpoint, 'path'> & { paths: readonly string[] };

const MISSING: readonly Missing[] = [
  {
    reason: 'action groups have no runs',
    paths: ['/api/v1/groups/:id/runs', '/api/v1/groups/:id/runs/:guid'],
  },
  {
    reason: 'there are no AI actions',
    paths: ['/api/v1/ai_usage', '/api/v1/skills', '/api/v1/skills/:name'],
  },
  {
    reason: 'write it yourself',
    paths: ['/api/v1/stories/:id/change_request/ai_description'],
  },
  { reason: 'there is no chat', paths: ['/api/v1/workbench', '/api/v1/workbench/:guid'] },
  { reason: 'saved time is not summed', paths: ['/api/v1/reporting/time_saved'] },
  { reason: 'read the events and runs of the story', paths: ['/api/v1/reporting/action_performance'] },
  {
    reason: 'use the filters of GET /api/v1/records',
    paths: ['/api/v1/record_views*', '/api/v1/record_views/:id/export', '/api/v1/record_views/import'],
  },
  { reason: 'records have no artifacts', paths: ['/api/v1/records/:id/artifacts/:artifact_id'] },
  {
    reason: 'use the metadata of the case',
    paths: [
      '/api/v1/case_inputs*',
      '/api/v1/case_inputs/:id/fields',
      '/api/v2/cases/:id/fields',
      '/api/v2/cases/:id/fields/:field_id',
    ],
  },
  {
    reason: 'use DELETE …/remove_logs',
    paths: ['/api/v1/actions/:id/logs', '/api/v1/agents/:id/logs'],
    methods: ['DELETE'],
  },
  {
    reason: 'use DELETE …/remove_events',
    paths: ['/api/v1/actions/:id/events', '/api/v1/agents/:id/events'],
    methods: ['DELETE'],
  },
  { reason: 'links are set with their actions', paths: ['/api/v1/links*'] },
  { reason: 'use /healthz and /readyz', paths: ['/api/v1/info/web_stats'] },
  { reason: 'teams have no external id', paths: ['/api/v1/teams/:id/destroy_static_external_id'] },
  {
    reason: 'Owners invite users in the console',
    paths: ['/api/v1/admin/users/:id/resend_invitation'],
  },
  {
    reason: 'configure this in a proxy in front of the server',
    paths: ['/api/v1/admin/ip_access_control_rules*'],
  },
  {
    reason: 'the operator sets which hosts stories can reach',
    paths: ['/api/v1/admin/action_egress_control_rules*'],
  },
  {
    reason: 'use export and import to move stories between servers',
    paths: ['/api/v1/admin/sync_destinations*', '/api/v1/admin/sync_destinations/:id/manual_sync'],
  },
  {
    reason: 'see the queue board of the operator',
    paths: [
      '/api/v1/admin/in_progress_jobs',
      '/api/v1/admin/queued_jobs',
      '/api/v1/admin/retry_jobs',
      '/api/v1/admin/delete_all_queued_jobs',
      '/api/v1/admin/delete_all_retry_jobs',
      '/api/v1/admin/actions/:id/in_progress_jobs',
      '/api/v1/admin/actions/:id/queued_jobs',
      '/api/v1/admin/actions/:id/retry_jobs',
      '/api/v1/admin/actions/:id/delete_all_queued_jobs',
      '/api/v1/admin/actions/:id/delete_all_retry_jobs',
    ],
  },
  { reason: 'SCIM is not supported', paths: ['/api/v1/admin/scim_user_group_mapping'] },
  { reason: 'set by the operator of the server', paths: ['/api/v1/admin/custom_certificate_authority'] },
  { reason: 'there are no tunnels', paths: ['/api/v1/admin/tunnel/:name/health'] },
  {
    reason: 'not supported for cases',
    paths: [
      '/api/v2/cases/:id/blocks',
      '/api/v2/cases/:id/blocks/:block_id',
      '/api/v2/cases/:id/blocks/:block_id/elements/:element_id',
      '/api/v2/cases/:id/tasks',
      '/api/v2/cases/:id/tasks/:task_id',
      '/api/v2/cases/:id/files',
      '/api/v2/cases/:id/files/:file_id',
      '/api/v2/cases/:id/files/:file_id/info',
      '/api/v2/cases/:id/files/:file_id/download',
    ],
  },
  { reason: 'use its comments', paths: ['/api/v2/cases/:id/notes', '/api/v2/cases/:id/notes/:note_id'] },
  { reason: 'reactions are not supported', paths: ['/api/v2/cases/:id/comments/:comment_id/reactions'] },
  { reason: 'a case is read as JSON', paths: ['/api/v2/cases/:id/pdf'] },
  { reason: 'use the REST API', paths: ['/graphql'] },
];

/** THE list of known endpoints that are missing, with the reasons. Whoever builds one removes its path. */
export const MISSING_ENDPOINTS: readonly MissingEndpoint[] = MISSING.flatMap(({ paths, ...rest }) =>
  paths.flatMap(withItems).map((path) => ({ path, ...rest })),
);

const PATTERNS = MISSING_ENDPOINTS.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));

/** Returns the missing endpoint that a request is for; undefined for any other request. */
export function findMissingEndpoint(method: string, path: string): MissingEndpoint | undefined {
  return PATTERNS.find(
    ({ endpoint: { methods }, pattern }) =>
      (methods === undefined || methods.includes(method)) && pattern.test(path),
  )?.endpoint;
}

function withItems(path: string): string[] {
  if (!path.endsWith('*')) return [path];
  const list = path.slice(0, -1);
  return [list, `${list}/:id`];
}
