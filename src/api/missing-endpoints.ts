/** An endpoint that public clients call and that Fabula lacks. */
export interface MissingEndpoint {
  /** `:id` stands for digits, any other parameter for one part of the path. */
  path: string;
  /** Why, after "… is not supported here: ". */
  reason: string;
  /** Methods of the path that are meant; absent: all. */
  methods?: readonly string[];
}

const SYNC = 'stories are moved between servers by export and import';
const EGRESS = 'the operator of the server sets what stories may reach';
const DEAD = 'use /api/v1/dead_letters';
const JOBS = 'the operator of the server has the queue board';
const CASE_PARTS = 'a case has no such part';
const ONE_BY_ONE = 'send one request for each';

/** THE list of known endpoints that are missing, with the reasons. Whoever builds one removes its line. */
export const MISSING_ENDPOINTS: readonly MissingEndpoint[] = [
  { path: '/api/v1/groups/:id/runs', reason: 'groups of actions have no runs of their own' },
  { path: '/api/v1/groups/:id/runs/:guid', reason: 'groups of actions have no runs of their own' },
  { path: '/api/v1/tags', reason: 'tags are texts of stories: set them with the story' },
  { path: '/api/v1/tags/:id', reason: 'tags are texts of stories: set them with the story' },
  { path: '/api/v1/ai_usage', reason: 'there are no AI actions' },
  { path: '/api/v1/skills', reason: 'there are no AI actions' },
  { path: '/api/v1/skills/:name', reason: 'there are no AI actions' },
  { path: '/api/v1/workbench', reason: 'there is no chat' },
  { path: '/api/v1/reporting/time_saved', reason: 'time saved is not added up' },
  { path: '/api/v1/reporting/action_performance', reason: 'read the events and runs of the story' },
  { path: '/api/v1/record_views', reason: 'use the filters of GET /api/v1/records' },
  { path: '/api/v1/record_views/:id', reason: 'use the filters of GET /api/v1/records' },
  { path: '/api/v1/records/:id/artifacts/:artifact_id', reason: 'records have no artifacts' },
  { path: '/api/v1/case_inputs', reason: 'use the metadata of the case' },
  { path: '/api/v1/case_inputs/:id', reason: 'use the metadata of the case' },
  { path: '/api/v1/case_inputs/:id/fields', reason: 'use the metadata of the case' },
  { path: '/api/v1/diagram_notes', reason: 'use /api/v1/notes' },
  { path: '/api/v1/diagram_notes/:id', reason: 'use /api/v1/notes/{id}' },
  { path: '/api/v1/links', reason: 'links are set with their actions' },
  { path: '/api/v1/links/:id', reason: 'links are set with their actions' },
  { path: '/api/v1/info/web_stats', reason: 'use /healthz and /readyz' },
  { path: '/api/v1/teams/:id/resend_invitation', reason: 'a member belongs to the team at once' },
  { path: '/api/v1/teams/:id/destroy_static_external_id', reason: 'teams have no external id' },
  { path: '/api/v1/admin/users/:id/signin_activities', reason: 'users work with keys and do not sign in' },
  { path: '/api/v1/admin/users/:id/resend_invitation', reason: 'users are not invited' },
  { path: '/api/v1/admin/users/:id/expire_session', reason: 'users work with keys: revoke them' },
  { path: '/api/v1/admin/ip_access_control_rules', reason: 'a proxy in front of the server decides' },
  { path: '/api/v1/admin/ip_access_control_rules/:id', reason: 'a proxy in front of the server decides' },
  { path: '/api/v1/admin/action_egress_control_rules', reason: EGRESS },
  { path: '/api/v1/admin/action_egress_control_rules/:id', reason: EGRESS },
  { path: '/api/v1/admin/sync_destinations', reason: SYNC },
  { path: '/api/v1/admin/sync_destinations/:id', reason: SYNC },
  { path: '/api/v1/admin/sync_destinations/:id/manual_sync', reason: SYNC },
  { path: '/api/v1/admin/templates', reason: 'there are no templates of actions' },
  { path: '/api/v1/admin/templates/:id', reason: 'there are no templates of actions' },
  { path: '/api/v1/admin/dead_jobs', reason: DEAD },
  { path: '/api/v1/admin/delete_all_dead_jobs', reason: DEAD },
  { path: '/api/v1/admin/actions/:id/dead_jobs', reason: DEAD },
  { path: '/api/v1/admin/actions/:id/delete_all_dead_jobs', reason: DEAD },
  { path: '/api/v1/admin/in_progress_jobs', reason: JOBS },
  { path: '/api/v1/admin/queued_jobs', reason: JOBS },
  { path: '/api/v1/admin/retry_jobs', reason: JOBS },
  { path: '/api/v1/admin/delete_all_queued_jobs', reason: JOBS },
  { path: '/api/v1/admin/delete_all_retry_jobs', reason: JOBS },
  { path: '/api/v1/admin/scim_user_group_mapping', reason: 'users are not provisioned by SCIM' },
  { path: '/api/v1/admin/custom_certificate_authority', reason: 'the operator of the server sets it' },
  { path: '/api/v1/admin/tunnel/:name/health', reason: 'there are no tunnels' },
  { path: '/api/v2/cases/:id/activities/:activity_id', reason: 'list the activities of the case' },
  { path: '/api/v2/cases/:id/actions/batch', reason: ONE_BY_ONE },
  { path: '/api/v2/cases/:id/actions/:action_id', methods: ['GET'], reason: 'list the actions of the case' },
  { path: '/api/v2/cases/:id/assignees', reason: 'set assignee_emails of the case' },
  { path: '/api/v2/cases/:id/blocks', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/blocks/:block_id', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/blocks/:block_id/elements/:element_id', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/tasks', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/tasks/:task_id', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/files', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/files/:file_id', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/files/:file_id/info', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/files/:file_id/download', reason: CASE_PARTS },
  { path: '/api/v2/cases/:id/fields', reason: 'use the metadata of the case' },
  { path: '/api/v2/cases/:id/fields/:field_id', reason: 'use the metadata of the case' },
  { path: '/api/v2/cases/:id/notes', reason: 'use its comments' },
  { path: '/api/v2/cases/:id/notes/:note_id', reason: 'use its comments' },
  { path: '/api/v2/cases/:id/comments/:comment_id/reactions', reason: 'comments have no reactions' },
  { path: '/api/v2/cases/:id/metadata/:key', methods: ['GET'], reason: 'read the metadata of the case' },
  { path: '/api/v2/cases/:id/records/:record_id', methods: ['GET'], reason: 'use /api/v1/records/{id}' },
  { path: '/api/v2/cases/:id/subscribers/batch', reason: ONE_BY_ONE },
  { path: '/api/v2/cases/:id/linked_cases/batch', reason: ONE_BY_ONE },
  { path: '/api/v2/cases/:id/pdf', reason: 'a case is read as JSON' },
  { path: '/graphql', reason: 'use the REST API' },
];

const PATTERNS = MISSING_ENDPOINTS.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));

/** Returns the missing endpoint that a request is for; undefined for any other request. */
export function findMissingEndpoint(method: string, path: string): MissingEndpoint | undefined {
  return PATTERNS.find(
    ({ endpoint: { methods }, pattern }) =>
      (methods === undefined || methods.includes(method)) && pattern.test(path),
  )?.endpoint;
}

function patternOf(path: string): RegExp {
  const parts = path.replaceAll(/:(\w+)/g, (_, name: string) => (/(?:^|_)id$/.test(name) ? '\\d+' : '[^/]+'));
  return new RegExp(`^${parts}/?$`);
}
