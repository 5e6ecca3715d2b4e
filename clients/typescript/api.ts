// Written by "npm run client" from the routes of the API; changes belong there.
import type { Call, Walk } from './calls.js';

export interface Action {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** The id of the team */
  team_id: number;
  /** The owner of the story */
  user_id: number;
  /** Action type, such as `Agents::WebhookAgent` */
  type: string;
  /** Display name */
  name: string;
  /** Description */
  description: string | null;
  /** Id that is stable across exports */
  guid: string;
  /** Whether it is disabled */
  disabled: boolean;
  /** Options of the action type */
  options: {
    [key: string]: unknown;
  };
  /** Event retention in seconds; 0 to use the setting of the story */
  keep_events_for: number;
  /** The schedule as imported or set; null if none */
  schedule: unknown;
  /** Position on the canvas; null if none */
  position: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** Template inputs, available to its templates as `INPUT`, each with `name` and `value` */
  action_inputs: unknown[];
  /** Ids of its source actions */
  sources: number[];
  /** Ids of its receivers */
  receivers: number[];
  /** Incoming links */
  links_to_sources: {
    /** The id of the source */
    source_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently */
    type: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[];
  /** Outgoing links */
  links_to_receivers: {
    /** The id of the receiver */
    receiver_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently */
    type: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[];
  /** Whether notices are sent for its events */
  monitor_all_events: boolean;
  /** Whether notices are sent for its permanent failures */
  monitor_failures: boolean;
  /** Seconds without an event after which a notice is sent; null or 0 for never */
  monitor_no_events_emitted: number | null;
  /** The time that one event saves */
  time_saved_value: number;
  /** The unit of `time_saved_value` */
  time_saved_unit: string;
  /** TEST: in a draft */
  story_mode: "LIVE" | "TEST";
  /** Action groups are not supported */
  group_id: null;
  /** Action groups are not supported */
  nested_group_id: null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Its draft. Only in drafts */
  draft_id?: number;
  /** The live action that it is a copy of; null if none. Only in drafts */
  live_id?: number | null;
  /** Returned by writes: parts that cannot work or have no effect; absent if none */
  warnings?: string[];
  /** Stored events, up to 10000. Returned for one action, and in lists with `include_live_activity`. */
  blended_events_count?: number;
  /** Log lines, up to 10000. Returned for one action, and in lists with `include_live_activity`. */
  logs_count?: number;
  /** When its schedule last started a run. Returned for one action, and in lists with `include_live_activity`. */
  last_check_at?: string | null;
  /** When the inbound event of its newest event or log line was received. Returned for one action, and in lists with `include_live_activity`. */
  last_receive_at?: string | null;
  /** When its newest stored event was emitted. Returned for one action, and in lists with `include_live_activity`. */
  last_event_at?: string | null;
  /** The newest error in its last 10000 log lines. Returned for one action, and in lists with `include_live_activity`. */
  last_error_log_at?: string | null;
  /** Waiting events, among the first 100,000 of the server. Present with `include_live_activity`. */
  pending_action_runs_count?: number;
  /** Whether it has a dead letter, among the first 100,000 of the server. Present with `include_live_activity`. */
  not_working?: boolean;
  /** State of modes such as throttle and deduplicate. Returned for one action, and in lists with `include_live_activity`. */
  action_memory_contents?: {
    [key: string]: unknown;
  };
}

export interface ActionChanges {
  /** Display name */
  name?: string;
  /** Description */
  description?: string | null;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Replaces all options */
  options?: {
    [key: string]: unknown;
  };
  /** Seconds; 0 to use the setting of the story */
  keep_events_for?: number;
  /** When the action starts runs on its own: a name such as every_1d, cron with a time zone, or a list of these */
  schedule?: string | null | {
    /** Cron expression with five fields */
    cron: string;
    /** Time zone of the schedule; default: UTC */
    timezone?: string | null;
  } | (string | null | {
    /** Cron expression with five fields */
    cron: string;
    /** Time zone of the schedule; default: UTC */
    timezone?: string | null;
  })[];
  /** Position on the canvas; null if none */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** Template inputs, available as `INPUT`; null for none */
  action_inputs?: ActionInput[] | null;
  /** Replaces all sources of the action; existing links keep their types */
  source_ids?: number[] | null;
  /** Same as source_ids, with the type of each link */
  links_to_sources?: {
    /** The id of the source */
    source_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Replaces all receivers of the action; existing links keep their types */
  receiver_ids?: number[] | null;
  /** Same as receiver_ids, with the type of each link */
  links_to_receivers?: {
    /** The id of the receiver */
    receiver_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Whether notices are sent for its events */
  monitor_all_events?: boolean | null;
  /** Whether notices are sent for its permanent failures */
  monitor_failures?: boolean | null;
  /** Seconds without an event after which a notice is sent; null or 0 for never */
  monitor_no_events_emitted?: number | null;
  /** The time that one event saves */
  time_saved_value?: number | null;
  /** Draft of the story; null for the story itself */
  draft_id?: number | null;
  /** The unit of `time_saved_value` */
  time_saved_unit?: "minutes" | "hours" | "days" | null;
  /** Must be the story of the action; it cannot be moved */
  story_id?: number;
  /** Must be the type of the action; it cannot be changed */
  type?: string;
}

/** An input of the template; unknown keys are kept */
export interface ActionInput {
  /** Templates refer to it by slug: `INPUT.channel_user_id` */
  name: string;
  /** `TEXT`, `CREDENTIAL`, `NUMBER` …; informational only */
  type?: string | null;
  /** JSON value of an option; text can contain templates. Defaults to empty text */
  value?: unknown;
  [key: string]: unknown;
}

export interface ActionTemplate {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** Description */
  description: string;
  /** Vendor of the product */
  vendor: string;
  /** Product */
  product: string;
  /** The kind of action */
  agent_type: string;
  /** The options of the action */
  agent_options: {
    [key: string]: unknown;
  };
  /** Inputs */
  action_inputs: unknown[];
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface ActionTrial {
  /** The rendered options; null if rendering failed */
  options: {
    [key: string]: unknown;
  } | null;
  /** The first of `requests`; null if none */
  request: TrialRequest | null;
  /** Requests that it sent or would send */
  requests: TrialRequest[];
  /** Mails that it sent or would send: recipients, subject and text */
  mails: {
    [key: string]: unknown;
  }[];
  /** The events that it would emit */
  outputs: TrialOutput[];
  /** Its effect other than events: `kind` is sleep, gather, call, record, deduplicate, throttle or prompts; null if none */
  effect: {
    [key: string]: unknown;
  } | null;
  /** The lines for its log */
  logs: TrialLog[];
  /** Why it failed; null if it did not */
  error: string | null;
  /** Parts that are too large for the response */
  left_out: string[];
  /** Milliseconds */
  took_ms: number;
}

export interface ActiveStory {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Description */
  description: string;
  /** Id that is stable across exports */
  guid: string;
  /** Name used in templates */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it is disabled */
  disabled: boolean;
  /** Whether its events have priority over other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** When its actions, links or notes last changed */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is not a draft */
  published: boolean;
  /** Whether its actions, links and notes are locked */
  locked: boolean;
  /** Whether they only change through promoted change requests */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The user or team to ask about the story; not part of exports */
  owner: {
    /** A user or a team */
    type: "USER" | "TEAM";
    /** The id */
    id: number;
    /** Current name */
    name: string;
  } | null;
  /** Tag names */
  tags: string[];
  /** Whether other stories can call it */
  send_to_story_enabled: boolean;
  /** Allowed callers; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Teams whose stories can call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Stored for compatibility with other platforms; no effect */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled: boolean;
  /** Same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty for all webhooks */
  api_entry_action_ids: number[];
  /** Empty for those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Recipients of failure notices */
  recipients: string[];
  /** Whether notices are sent for failures of all actions */
  monitor_failures: boolean;
  /** Markdown text: what to do when the story fails */
  runbook: string;
  /** Template for the subject of runs; null for telling fields of their first event */
  run_subject: string | null;
  /** Effect of failing tests on a publication; null: the tenant’s setting */
  tests_on_publish: "warn" | "block" | null;
  /** Folder of the gallery story it was created from; null if none */
  gallery_slug: string | null;
  /** Waiting deliveries */
  pending_action_runs_count?: number;
  /** Running runs */
  concurrent_runs_count?: number;
  /** Actions with a dead letter */
  not_working_actions_count?: number;
  /** Always 0 */
  tokens_used_percentage?: number;
  /** How its runs start: actions that are not disabled, and schedules that are not paused */
  starts_by?: ("webhook" | "schedule")[];
}

export interface AddStoryOwnerBody {
  /** The id of a user */
  user_id: number;
}

export interface AddStoryRecipientBody {
  /** Mail address, or HTTP or HTTPS address */
  address: string;
  /** Draft of the story; null for the story itself */
  draft_id?: number | null;
  /** Secret that signs requests to an HTTP or HTTPS address; unsigned by default */
  secret?: string;
}

export interface AddedCaseRecord {
  /** The id of the record type */
  record_type_id: number;
  /** The name of the record type */
  record_type_name: string;
  /** The records of the type */
  record_type_record_results: {
    /** The id */
    id: number;
    /** The values of its fields */
    results: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
      /** The value of the field */
      value: string | null;
    }[];
    /** When it was created */
    created_at: string;
  }[];
  /** The record */
  record: {
    /** The id */
    id: number;
    /** The values of its fields */
    results: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
      /** The value of the field */
      value: string | null;
    }[];
    /** When it was created */
    created_at: string;
    /** The type */
    record_type: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
    };
  };
}

export interface AdminUser {
  /** The id */
  id: number;
  /** Always null; SCIM is not supported */
  scim_uid: null;
  /** Email address, also used to sign in */
  email: string;
  /** An Owner of the tenant */
  admin: boolean;
  /** false if the keys of the user are rejected */
  is_active: boolean;
  /** Whether it is the service account of an API key */
  is_service_account: boolean;
  /** Always empty; roles are per team */
  tenant_permissions: unknown[];
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** Last request with a key of the user, to the minute; null if none */
  last_seen: string | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** The roles of the user in teams; only with `include=team_memberships` */
  team_memberships?: {
    /** The id of the team */
    team_id: number;
    /** The name of the team */
    team_name: string;
    /** Role of the user in the team */
    role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  }[];
}

export interface AgentMode {
  /** The value of the option `mode` */
  mode: string;
  /** Description */
  description: string;
  /** Emitted event */
  emits: string;
  /** Options of the action type */
  options: AgentOption[];
}

export interface AgentOption {
  /** Display name */
  name: string;
  /** Description */
  description: string;
  /** Whether the option is required */
  required: boolean;
  /** JSON Schema of the rendered value */
  schema: {
    [key: string]: unknown;
  };
  /** null if none */
  default: unknown;
  /** A valid value */
  example: unknown;
}

export interface AgentType {
  /** Type as written in exports */
  type: string;
  /** Display name */
  name: string;
  /** Description */
  description: string;
  /** false if it can be stored but cannot run */
  runnable: boolean;
  /** Why it cannot run; null if it can */
  reason: string | null;
  /** Input */
  receives: string | null;
  /** Emitted event */
  emits: string | null;
  /** Options of the action type */
  options: AgentOption[];
  /** Each mode has its own options */
  modes: AgentMode[];
}

export interface AnsweredWebhookCall {
  /** Status of the response of the webhook */
  status: number;
  /** Names in lower case */
  headers: {
    [key: string]: unknown;
  };
  /** The text of the response, at most 64 KiB */
  body: string;
  /** Whether the text is longer */
  truncated: boolean;
  /** The started run; null if it was rejected */
  story_run_guid: string | null;
}

export interface ApiKey {
  /** The id */
  id: number;
  /** Key type, which sets its permissions */
  kind: "personal" | "tenant" | "team";
  /** Display name */
  name: string;
  /** The first characters of the key */
  prefix: string;
  /** The user whose permissions it has */
  user_id: number;
  /** Only for team keys */
  team_id: number | null;
  /** The id of the created by user */
  created_by_user_id: number | null;
  /** When it expires; null for never */
  expires_at: string | null;
  /** When it was last used; null for never */
  last_used_at: string | null;
  /** When it was revoked; null if it was not */
  revoked_at: string | null;
  /** When it was created */
  created_at: string;
}

export interface AppendGlobalResourceBody {
  /** Any JSON value */
  value: unknown;
  /** Whether to change the test value */
  is_test?: boolean;
}

export interface ApproveChangeRequestBody {
  /** The id of the change request */
  change_request_id: number;
}

export interface Attempt {
  /** The id of its line in the log of the action */
  id: number;
  /** The same for all attempts of one step; the id of the dead letter if it became one */
  delivery_id: number;
  /** The id of the agent */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** The event that it processed; null for the first action of the run, or if it was deleted */
  event_id: number | null;
  /** From 1; starts again after a manual retry. null if the action did not fail */
  number: number | null;
  /** `retried`: another attempt followed; `failed`: it was the last; `continued`: an error was logged, and the action did not fail */
  outcome: "retried" | "failed" | "continued";
  /** null if unknown */
  started_at: string | null;
  /** When it last failed */
  failed_at: string;
  /** How long the attempt took; null if unknown */
  duration_ms: number | null;
  /** Status of the last response; 0 if there was none; null if nothing was sent */
  status: number | null;
  /** Why it failed, in one line: the status and the message of the response, or else the error */
  cause: string | null;
  /** The error of the attempt */
  error: string;
  /** The last request that it sent; null if none was sent or recorded */
  request: SentRequest | null;
  /** The response to that request; null if none came or none was recorded */
  response: KeptResponse | null;
}

export interface AttemptSummary {
  /** The id of its line in the log of the action */
  id: number;
  /** The same for all attempts of one step; the id of the dead letter if it became one */
  delivery_id: number;
  /** The id of the agent */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** The event that it processed; null for the first action of the run, or if it was deleted */
  event_id: number | null;
  /** From 1; starts again after a manual retry. null if the action did not fail */
  number: number | null;
  /** `retried`: another attempt followed; `failed`: it was the last; `continued`: an error was logged, and the action did not fail */
  outcome: "retried" | "failed" | "continued";
  /** null if unknown */
  started_at: string | null;
  /** When it last failed */
  failed_at: string;
  /** How long the attempt took; null if unknown */
  duration_ms: number | null;
  /** Status of the last response; 0 if there was none; null if nothing was sent */
  status: number | null;
  /** Why it failed, in one line: the status and the message of the response, or else the error */
  cause: string | null;
  /** The error of the attempt */
  error: string;
}

export interface AuditEntry {
  /** The id */
  id: number;
  /** When it was created */
  created_at: string;
  /** Same as `created_at`; entries never change */
  updated_at: string;
  /** Type and verb: `record.update` */
  action: string;
  /** Same as `action`, or the requested platform name for it */
  operation_name: string;
  /** The type in `action` */
  target_type: string;
  /** null if the changed object has no id */
  target_id: number | null;
  /** Current name of the changed object; null if it is deleted or its type has no names */
  target_name: string | null;
  /** The changed story, or the story of the changed part; null if none */
  story_id: number | null;
  /** null if the request has no team */
  team_id: number | null;
  /** The tenant of the key */
  tenant_id: number;
  /** The acting user, or the service account of a tenant or team key; null for commands without a user */
  user_id: number | null;
  /** Email address at that time */
  user_email: string | null;
  /** Current name; null if none */
  user_name: string | null;
  /** null for commands and the console, which use no key */
  key_id: number | null;
  /** `CLI` for commands, `SYSTEM` for notices that could not be sent */
  method: string;
  /** API request, command, console user or system */
  source: "API" | "CLI" | "CONSOLE" | "SYSTEM";
  /** Name of the command, for commands */
  path: string;
  /** IP address of the request */
  ip: string | null;
  /** Same as `ip` */
  request_ip: string | null;
  /** User agent of the request */
  user_agent: string | null;
  /** Same as `user_agent` */
  request_user_agent: string | null;
  /** The id of the request */
  request_id: string;
  /** Reason given in the request, if any */
  reason: string | null;
  /** The changed fields; for a deleted object, its last values. null if not recorded, such as for creations, contents of stories and commands */
  changes: {
    /** Name of the field */
    field: string;
    /** Value before the change; null if absent or hidden */
    before: null | boolean | number | string;
    /** Value after the change; null if absent or hidden */
    after: null | boolean | number | string;
    /** Whether the values are not stored, because they can be secrets */
    hidden: boolean;
  }[] | null;
  /** Always null; bodies are not stored */
  inputs: null;
  /** Always null; responses are not stored */
  outputs: null;
}

export interface BringStoryDraftUpToDateBody {
  /** How to resolve the conflicts of a 412 response */
  resolve?: {
    /** `entry` of an error of the status 412 */
    entry: string;
    /** The side to keep */
    take: "live" | "draft";
  }[];
  /** How to resolve all conflicts that `resolve` does not name */
  resolve_rest?: {
    /** The side to keep */
    take: "live" | "draft";
    /** `live_version` of the comparison; ignored if the live story has another by now */
    live_version: number;
  };
}

/** The names that the stories need; informative */
export interface BundleNeeds {
  /** Teams of the stories */
  teams?: string[];
  /** Credentials in their templates */
  credentials?: string[];
  /** Resources in their templates */
  resources?: string[];
  /** Record types that they write */
  record_types?: string[];
  /** Stories that they call, and that are not in the bundle */
  stories?: string[];
  /** Paths of their webhooks */
  webhook_paths?: string[];
  [key: string]: unknown;
}

/** The tenant that the bundle is of */
export interface BundleSource {
  /** Name of the tenant */
  tenant: string;
  /** Address of its server; null if unknown */
  url: string | null;
}

export interface BundleStoriesBody {
  /** Ids of the stories */
  story_ids: number[];
  /** Includes the stories of their teams that they call */
  include_called?: boolean;
}

export interface BundleStory {
  /** Guid of the story in the source */
  guid: string;
  /** Display name */
  name: string;
  /** Name of its team in the source */
  team: string;
  /** The story in the export format, without secrets */
  data: BundledStory;
}

/** A story in the export format; unknown keys are kept */
export interface BundledStory {
  /** Format version, which sets the template language */
  schema_version: number;
  /** Display name */
  name?: string | null;
  /** Description */
  description?: string | null;
  /** Id that is stable across exports */
  guid?: string | null;
  /** The actions */
  agents: ExportedAction[];
  /** Links between actions */
  links: ExportedLink[];
  /** Event retention in seconds */
  keep_events_for?: number | null;
  /** Whether it is disabled */
  disabled?: boolean | null;
  /** Whether its events have priority over other stories */
  priority?: boolean | null;
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled?: boolean | null;
  /** Stored without effect */
  standard_lib_version?: unknown;
  /** Ignored: the stories that it calls stand beside it */
  send_to_stories?: unknown;
  [key: string]: unknown;
}

export interface CallWebhookBody {
  /** Default: POST, or another that the webhook accepts */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
  /** Parameters in the URL */
  query?: {
    [key: string]: unknown;
  };
  /** Headers; those of the connection have no effect */
  headers?: {
    [key: string]: string;
  };
  /** A text is sent unchanged, any other value as JSON */
  body?: unknown;
}

export interface Case {
  /** The id of the case */
  case_id: number;
  /** Display name */
  name: string;
  /** Description */
  description: string | null;
  /** Whether the case is open */
  status: "OPEN" | "CLOSED";
  /** Priority of the case */
  priority: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO";
  /** URL of its page */
  url: string;
  /** Custom key-value pairs */
  metadata: {
    [key: string]: unknown;
  };
  /** The user who created it; null if the user was deleted */
  author: CaseUser | null;
  /** The user who last opened it; null if the user was deleted */
  opened_by: CaseUser | null;
  /** The user who resolved it; null if it is open */
  resolved_by: CaseUser | null;
  /** Assignees */
  assignees: CaseUser[];
  /** Its tags */
  tags: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  }[];
  /** Its history (first page) */
  activities: CaseActivity[];
  /** Paging of the activities */
  activities_meta: PageMeta;
  /** Owning team */
  team: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  };
  /** Its links to other systems */
  actions: CaseAction[];
  /** Linked cases */
  linked_cases: LinkedCase[];
  /** When it was last opened */
  opened_at: string | null;
  /** When it was resolved; null if it is open */
  resolved_at: string | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Its records by type (first page) */
  records: CaseRecordGroup[];
  /** Paging of the records */
  records_meta: PageMeta;
  /** Conditions that must be met before it can be closed */
  closure_conditions: {
    /** Display name */
    name: string;
    /** A formula that must be true */
    formula: string;
  }[];
  /** The user who acted; present only if different from the author */
  acting_user?: CaseUser;
  /** The user it acted on behalf of; present only with `acting_user` */
  on_behalf_of?: CaseUser | null;
}

export interface CaseAction {
  /** The id */
  id: number;
  /** URL of the link */
  url: string;
  /** The text of the link */
  label: string;
  /** Type of link */
  action_type: string;
  /** Text of the button; absent if none */
  action_text?: string;
}

export interface CaseActivity {
  /** The id */
  id: number;
  /** Type of change */
  activity_type: "CREATED" | "ASSIGNED" | "UNASSIGNED" | "STATUS_UPDATED" | "SEVERITY_UPDATED" | "COMMENTED" | "DELETED_COMMENT" | "DESCRIPTION_UPDATED" | "TITLE_UPDATED" | "TAGS_ADDED" | "TAGS_REMOVED" | "METADATA_UPDATED" | "RECORD_RESULT_SET_ADDED" | "RECORD_RESULT_SET_REMOVED" | "LINKED_CASE_ADDED" | "LINKED_CASE_REMOVED" | "TEAM_UPDATED";
  /** The changed values, or the text of the comment */
  value: string;
  /** The acting user; null if the user was deleted */
  user: CaseUser | null;
  /** When it was created */
  created_at: string;
  /** The user who acted; present only if different from the author */
  acting_user?: CaseUser;
  /** The user it acted on behalf of; present only with `acting_user` */
  on_behalf_of?: CaseUser | null;
}

export interface CaseRecord {
  /** The record */
  record: {
    /** The id */
    id: number;
    /** The values of its fields */
    results: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
      /** The value of the field */
      value: string | null;
    }[];
    /** When it was created */
    created_at: string;
    /** The type */
    record_type: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
    };
  };
}

export interface CaseRecordGroup {
  /** The id of the record type */
  record_type_id: number;
  /** The name of the record type */
  record_type_name: string;
  /** The records of the type */
  record_type_record_results: {
    /** The id */
    id: number;
    /** The values of its fields */
    results: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
      /** The value of the field */
      value: string | null;
    }[];
    /** When it was created */
    created_at: string;
  }[];
}

export interface CaseSubscriber {
  /** The id */
  id: number;
  /** The address */
  url: string | null;
  /** The user; null if deleted */
  user: CaseUser | null;
  /** When it was created */
  created_at: string;
}

export interface CaseUser {
  /** The id of the user */
  user_id: string;
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** Email address, also used to sign in */
  email: string;
  /** URL of a picture */
  avatar_url: string;
  /** Whether it is the service account of an API key */
  is_service_account: boolean;
}

export interface ChangeRequest {
  /** The id */
  id: number;
  /** Same as title */
  name: string;
  /** Name of the change and of the resulting version */
  title: string;
  /** Description */
  description: string | null;
  /** `APPROVED` until the draft or the live story changes */
  status: "PENDING" | "APPROVED";
  /** The requester */
  user_id: number;
  /** The approver of the current draft against the current live story; null if none */
  approved_by: number | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Changes from the live story to the draft */
  story_diff: StoryDifference[];
}

export interface ChangeRequestView {
  /** The id of the story */
  id: number;
  /** The id of the draft */
  draft_id: number | null;
  /** The name of the draft */
  draft_name: string | null;
  /** Draft of the request; null if there is none */
  status: "PENDING" | "APPROVED" | null;
  /** The open request; null if there is none */
  change_request: ChangeRequest | null;
  /** The live story */
  live_story_export: StoryExport;
  /** The draft; null if none was given */
  draft_export: StoryExport | null;
}

export interface CheckFinding {
  /** error: events will fail here */
  level: "error" | "warning" | "hint";
  /** Type of the affected item */
  kind: string;
  /** The text */
  message: string;
  /** Path in the options or the action */
  option: string;
  /** From 1; null for the whole option */
  line: number | null;
  /** From 1; null for the whole option */
  column: number | null;
}

export interface CheckStoryBody {
  /** A story in the export format, or an import body */
  data?: unknown;
  /** A stored story, instead of `data` */
  story_id?: number;
  /** A draft, instead of `data` */
  draft_id?: number;
}

export interface CheckedAction {
  /** Position in `agents`, from 0 */
  position: number;
  /** Display name */
  name: string;
  /** Type as written in exports */
  type: string;
  /** The mode of a transformation */
  mode: string | null;
  /** Its effect on this server */
  state: "runs" | "fails" | "disabled" | "import_only";
  /** Why it cannot run; null if it can */
  reason: string | null;
  /** Number of texts with templates */
  templates: number;
  /** Findings */
  findings: CheckFinding[];
}

export interface CheckedPromotionStory {
  /** Guid of the story in the source */
  source_guid: string;
  /** Its name in the bundle */
  name: string;
  /** The team after the mapping */
  team: string;
  /** The story that it becomes; null for a new one */
  story_id: number | null;
  /** Version of that story, for `resolve_rest`; null for a new one */
  live_version: number | null;
  /** How the promotion changes the story; `changed` also covers its name */
  state: "new" | "changed" | "unchanged";
  /** The changes here, at most 500 differences; empty for a new story */
  story_diff: StoryDifference[];
  /** All differences, listed or not */
  count: number;
  /** Whether all differences are listed */
  complete: boolean;
  /** Changes made here since the last promotion, which stay; `before` is the value in the bundle */
  kept: StoryDifference[];
  /** Parts changed here and in the source, decided or not, at most 100 */
  conflicts: PromotionConflict[];
  /** All conflicts, listed or not */
  conflict_count: number;
  /** Conflicts that nobody has decided */
  open_count: number;
  /** Names that the story needs and that do not exist here */
  missing: MissingName[];
  /** Other reasons against the promotion */
  refusals: string[];
  /** Record types that are created */
  new_record_types: string[];
  /** The webhooks that the story will have */
  webhooks: PromotedWebhook[];
}

export interface CheckedStory {
  /** Display name */
  name: string | null;
  /** Version of the format */
  schema_version: number;
  /** Template language */
  language: "liquid" | "formula";
  /** Number of links */
  links: number;
  /** In the order of the story */
  actions: CheckedAction[];
  /** Embedded stories, in the same format */
  sub_stories: {
    [key: string]: unknown;
  }[];
}

export interface CountStoryRunActionsResponse {
  /** The actions that the run has reached */
  actions: RunAction[];
  /** false if the times are those of the first 100,000 events */
  complete: boolean;
}

export interface CoveredAction {
  /** Display name */
  name: string;
  /** Guid in exports; null if none */
  guid: string | null;
}

export interface CreateAdminTemplateBody {
  /** Display name */
  name: string;
  /** Description */
  description?: string;
  /** Vendor of the product */
  vendor?: string;
  /** Product */
  product?: string;
  /** The kind of action: `Agents::HTTPRequestAgent` */
  agent_type: string;
  /** The options of the action */
  agent_options?: {
    [key: string]: unknown;
  };
  /** Inputs: name, type, required, description, default_value, data */
  action_inputs?: {
    /** Display name */
    name: string;
    /** The type of its value */
    type: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "OBJECT" | "OPTION" | "CODE" | "CREDENTIAL";
    /** Whether it is required */
    required?: boolean;
    /** Description */
    description?: string | null;
    /** Default value */
    default_value?: unknown;
    /** Details of its type: options or a JSON Schema */
    data?: {
      [key: string]: unknown;
    } | null;
  }[];
}

export interface CreateAdminUserBody {
  /** Email address, also used to sign in */
  email: string;
  /** First name */
  first_name?: string;
  /** Last name */
  last_name?: string;
  /** An Owner of the tenant */
  admin?: boolean;
  /** false if the keys of the user are rejected */
  is_active?: boolean;
}

export interface CreateApiKeyBody {
  /** Key type, which sets its permissions */
  kind: "personal" | "tenant" | "team";
  /** Display name */
  name: string;
  /** Only for team keys */
  team_id?: number;
  /** Only for team keys */
  role?: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  /** ISO 8601; without an offset it is UTC */
  expires_at?: string | null;
}

export interface CreateCaseActionBody {
  /** The address */
  url: string;
  /** The text of the link */
  label: string;
  /** `page` is a link to open */
  action_type?: string;
  /** Text of the button; empty for none */
  action_text?: string;
}

export interface CreateCaseBody {
  /** The id of the team */
  team_id: number;
  /** Display name */
  name: string;
  /** Markdown; `<@user-12>` mentions the user 12 */
  description?: string | null;
  /** critical, high, medium, low or info */
  priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info" | null;
  /** open or closed */
  status?: "OPEN" | "CLOSED" | "open" | "closed" | null;
  /** Email address of the author; defaults to the user of the key */
  author_email?: string | null;
  /** Email addresses of the assignees */
  assignee_emails?: null | string[] | "";
  /** ISO 8601; without an offset it is UTC */
  opened_at?: string | null;
  /** ISO 8601; without an offset it is UTC */
  resolved_at?: string | null;
  /** Custom key-value pairs */
  metadata?: null | {
    [key: string]: unknown;
  } | "";
  /** Conditions that must be met before it can be closed */
  closure_conditions?: null | {
    /** Display name */
    name: string;
    /** A formula that must be true */
    formula: string;
  }[] | "";
  /** Tag names */
  tag_names?: string[] | null;
}

export interface CreateCaseCommentBody {
  /** Markdown; `<@user-12>` mentions the user 12 */
  value: string;
  /** Email address of the author; defaults to the user of the key */
  author_email?: string | null;
}

export interface CreateCaseLinkedCaseBody {
  /** The other case */
  id?: number;
  /** Same as `id` */
  linked_case_id?: number;
}

export interface CreateCaseMetadataBody {
  /** Key-value pairs */
  metadata: {
    [key: string]: unknown;
  };
}

export interface CreateCaseRecordBody {
  /** The id of the record */
  record_id: number;
}

export interface CreateCaseSubscriberBody {
  /** The address */
  url?: string;
  /** Secret that signs the requests; random by default */
  secret?: string;
  /** Email address of a user to notify */
  user_email?: string;
}

export interface CreateChangeRequestBody {
  /** Defaults to the only draft of the story */
  draft_id?: number | null;
  /** Name of the change and of the resulting version; defaults to the name of the draft */
  title?: string | null;
  /** Description */
  description?: string | null;
}

export interface CreateCredentialBody {
  /** Display name */
  name: string;
  /** The id of the team */
  team_id?: number;
  /** Description */
  description?: string | null;
  /** Hosts that it may be sent to: `api.example.com`, `*.example.com`, `api.example.com:8443`. For mails, the recipient domains. An empty list allows any host */
  allowed_hosts?: string[];
  /** `fabula` creates an API key of this server and stores it */
  mode?: "text" | "fabula";
  /** For the mode `text` */
  value?: string;
  /** For the mode `fabula` */
  key?: {
    /** Key type, which sets its permissions */
    kind?: "personal" | "tenant" | "team";
    /** Only for team keys */
    role?: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
    /** ISO 8601; without an offset it is UTC */
    expires_at?: string | null;
  };
}

export interface CreateDeadLettersCanaryBody {
  /** The id of the team */
  team_id?: number;
  /** The id of the story */
  story_id: number;
  /** The id of the agent */
  agent_id?: number;
  /** Same as `agent_id` */
  action_id?: number;
  /** The guid of the run */
  story_run_guid?: string;
  /** Part of the error message; case-insensitive */
  error?: string;
  /** Error type, as returned by `GET /api/v1/dead_letters/groups` */
  error_kind?: string;
  /** Failed at or after this time */
  since?: string;
  /** Failed before this time */
  until?: string;
  /** Maximum number, oldest first */
  limit?: number;
}

export interface CreateDraftBody {
  /** Display name */
  name: string;
}

export interface CreateFolderBody {
  /** Display name */
  name: string;
  /** The id of the team */
  team_id?: number;
  /** Type of items it was created for */
  content_type?: "STORY" | "CREDENTIAL" | "RESOURCE";
  /** A folder of the same team; null for none */
  parent_folder_id?: number | null;
  /** Same as `parent_folder_id` */
  parent_id?: number | null;
}

export interface CreateGlobalResourceBody {
  /** Display name */
  name: string;
  /** A text, number, boolean, list or object */
  value: unknown;
  /** The type of `value`. By default, text containing a JSON list or object is stored as such */
  value_type?: "text" | "array" | "object" | "number" | "boolean" | "json";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Description */
  description?: string | null;
  /** Teams that can use it: its own, all teams of the tenant, or those in `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: slugs of the other teams */
  shared_team_slugs?: string[];
  /** Whether story drafts use the test value */
  test_resource_enabled?: boolean;
  /** Whether `value` is the test value */
  is_test?: false;
  /** Whether values are returned as JSON instead of text */
  typed_value?: boolean;
  /** The id of the live resource */
  live_resource_id?: number;
}

export interface CreateRecordBody {
  /** The id of the record type */
  record_type_id: number;
  /** null and "" clear the field */
  field_values?: {
    /** The id of the field */
    field_id: string | number;
    /** Value in the type of the field */
    value: unknown;
  }[];
  /** The id of the parent record */
  parent_record_id?: number | null;
  /** The ids of the cases */
  case_ids?: number[];
  /** Whether it came from a test run */
  test_mode?: boolean;
}

export interface CreateRecordTypeBody {
  /** Display name */
  name: string;
  /** Defaults to the key’s team, or else your first team, even if the key can access several teams */
  team_id?: number;
  /** Only `true`, without effect */
  editable?: true | null;
  /** The fields of the type */
  fields?: {
    /** Display name */
    name?: string;
    /** The type of the values */
    result_type?: "TEXT" | "NUMBER" | "TIMESTAMP" | "BOOLEAN" | "TEXT_ENUM";
    /** Allowed values, for TEXT_ENUM */
    fixed_values?: string[];
    /** The id */
    id?: unknown;
  }[];
}

export interface CreateStepBody {
  /** Display name */
  name: string;
  /** Description */
  description?: string;
  /** The team whose stories may use it; null for all of the tenant, which only Owners may choose */
  team_id: number | null;
  /** Language of its templates. Stories in the other one are not brought up to date */
  language?: "liquid" | "formula";
  /** Why, for those who use the step */
  reason?: string;
  /** 1 to 200 actions, with links and notes, as in a graph of a story. Addresses and secrets of webhooks are left out. At most 1 MiB as JSON */
  content: StoryGraphChanges;
}

export interface CreateStepVersionBody {
  /** Why, for those who use the step */
  reason?: string;
  /** 1 to 200 actions, with links and notes, as in a graph of a story. Addresses and secrets of webhooks are left out. At most 1 MiB as JSON */
  content: StoryGraphChanges;
}

export interface CreateStoryBody {
  /** Defaults to the team of the folder or key, or else your first team */
  team_id?: number | null;
  /** The id of the folder */
  folder_id?: number | null;
  /** Display name */
  name?: string;
  /** Tag names */
  tags?: string[];
  /** Description */
  description?: string | null;
  /** Seconds */
  keep_events_for?: 3600 | 21600 | 86400 | 259200 | 604800 | 1209600 | 2592000 | 5184000 | 7776000 | 15552000 | 31536000;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Whether its events have priority over other stories */
  priority?: boolean;
}

export interface CreateStoryDraftShadowBody {
  /** `next`: the next runs; `sample`: a part of the next runs; `last`: runs of before */
  kind: "next" | "sample" | "last";
  /** The most runs to take */
  runs?: number;
  /** The part of the runs that a `sample` takes; 10 unless given */
  percent?: number;
  /** How long runs are taken; 24 for a `sample` and 168 for `next` unless given */
  hours?: number;
}

export interface CreateStoryVersionBody {
  /** Display name */
  name?: string | null;
  /** Description */
  description?: string | null;
  /** The draft instead of the story */
  draft_id?: number | null;
}

export interface CreateTagBody {
  /** Display name */
  name: string;
  /** The id of the team */
  team_id?: number;
  /** `#RRGGBB`, or purple, blue, gold, green, magenta, red, orange, mint */
  color?: string;
}

export interface CreateTeamBody {
  /** Display name */
  name: string;
}

export interface CreateTeamMemberBody {
  /** The id of the user */
  user_id?: number;
  /** Email address, also used to sign in */
  email?: string;
  /** Role of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
}

export interface CreateTrialBody {
  /** A stored story */
  story_id?: number;
  /** A draft; its story can also be given */
  draft_id?: number;
  /** A story in the export format, instead of `story_id` */
  story?: {
    [key: string]: unknown;
  };
  /** Team of `story`; defaults to the team of the run */
  team_id?: number;
  /** A past run that provides the responses, the comparison and, without `event_id`, the first event */
  run_guid?: string;
  /** The event that a webhook emits, or the input of another action */
  event?: {
    [key: string]: unknown;
  };
  /** A stored event, with its upstream events; with `run_guid`, an event of that run */
  event_id?: number;
  /** The action to start at: id, guid or name */
  action?: number | string;
  /** Rules that answer requests before the past run does; the first match applies */
  responses?: {
    /** Default: any method */
    method?: string;
    /** URL with query; `*` matches any text */
    url: string | {
      /** Regular expression to find in the URL */
      regex: string;
    };
    /** Parts that the body must contain: keys of objects, elements of lists */
    body?: unknown;
    /** Number of requests it answers; default: all */
    times?: number;
    /** 0 for no response */
    status?: number;
    /** Response headers */
    headers?: {};
    /** Response body: text unchanged, any other value as JSON */
    answer?: unknown;
    /** The body as base64, instead of `answer` */
    base64?: string;
    /** Only answers this action: id, guid or name */
    action?: number | string;
  }[];
  /** true to really send requests that match no rule, instead of using the past run */
  send?: boolean;
}

export interface CreateUserBody {
  /** Email address, also used to sign in */
  email: string;
  /** First name */
  first_name?: string;
  /** Last name */
  last_name?: string;
  /** URL of a picture */
  avatar_url?: string;
  /** Whether the user is an owner with full access to the tenant */
  is_owner?: boolean;
}

export interface CreateUserCredentialBody {
  /** Display name */
  name: string;
  /** How it provides its secret */
  mode: "TEXT" | "JWT" | "HTTP_REQUEST_AGENT" | "MULTI_REQUEST" | "OAUTH" | "AWS" | "MTLS";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Description */
  description?: string | null;
  /** Description for users; must not contain secrets */
  metadata?: {
    [key: string]: unknown;
  };
  /** Hosts that it may be sent to: `api.example.com`, `*.example.com`. An empty list allows any host */
  allowed_hosts?: string[];
  /** Teams that can use it: its own, all teams of the tenant, or those in `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: slugs of the other teams */
  shared_team_slugs?: string[];
  /** `TEXT`: the secret */
  value?: string;
  /** `JWT`: by default RS256, or HS256 with `jwt_hs256_secret` */
  jwt_algorithm?: string;
  /** `JWT`: the claims */
  jwt_payload?: unknown;
  /** `JWT`: the private key in PEM form, or the secret of an HS algorithm */
  jwt_private_key?: string;
  /** `JWT`: the secret of an HS algorithm */
  jwt_hs256_secret?: string;
  /** `JWT`: adds `iat` (now) and `exp` (in one hour) */
  jwt_auto_generate_time_claims?: boolean;
  /** `HTTP_REQUEST_AGENT`: options of the HTTP request that fetches the token; `<<secret>>` is replaced by `http_request_secret` */
  http_request_options?: unknown;
  /** Path of the token in the response: `=response.body.access_token` */
  http_request_location_of_token?: string;
  /** `HTTP_REQUEST_AGENT`: `<<secret>>` of the options */
  http_request_secret?: string;
  /** Token lifetime in seconds. By default, each run of an action fetches a new token */
  http_request_ttl?: number;
  /** `MULTI_REQUEST`: requests sent in sequence; each can use the previous responses */
  credential_requests?: {
    /** The options of an HTTP request */
    options: unknown;
    /** `<<secret>>` of these options */
    http_request_secret?: string;
  }[];
  /** `OAUTH` */
  oauth_grant_type?: "client_credentials" | "authorization_code";
  /** `OAUTH`: authorization URL, for `authorization_code` */
  oauth_url?: string;
  /** `OAUTH`: token URL */
  oauth_token_url?: string;
  /** `OAUTH` */
  oauth_client_id?: string;
  /** `OAUTH` */
  oauth_client_secret?: string;
  /** `OAUTH`: scopes, separated by spaces */
  oauth_scope?: string;
  /** `OAUTH`: the parameter `audience`, required by Auth0 */
  oauth_audience?: string;
  /** `OAUTH`: the parameter `resource` (RFC 8707) */
  oauth_resource?: string;
  /** `OAUTH`: PKCE method, for `authorization_code` */
  oauthPkceCodeChallengeMethod?: "S256" | "plain";
  /** `AWS`: `KEY` by default */
  aws_authentication_type?: "KEY" | "ROLE";
  /** `AWS`: the id of the access key */
  aws_access_key?: string;
  /** `AWS` */
  aws_secret_key?: string;
  /** `AWS`: the role to assume */
  aws_assumed_role_arn?: string;
  /** `AWS`: the external id of the role */
  aws_assumed_role_external_id?: string;
  /** `MTLS`: the certificate in PEM form */
  mtls_client_certificate?: string;
  /** `MTLS`: its private key in PEM form */
  mtls_client_private_key?: string;
  /** `MTLS`: CA certificate of the server; on its own, it is only trusted, and no client certificate is sent */
  mtls_root_certificate?: string;
  /** Whether story drafts use the test value */
  test_credential_enabled?: boolean;
  /** Whether settings and `allowed_hosts` apply to the test value */
  is_test?: false;
  /** Credential that gets the settings as its test value and is returned */
  live_credential_id?: number;
}

export interface Credential {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** Alternative name for templates */
  slug: string;
  /** The id of the team */
  team_id: number;
  /** Description */
  description: string;
  /** Hosts that it may be sent to */
  allowed_hosts: string[];
  /** Whether it may be sent to any host, because it has no `allowed_hosts` */
  unrestricted: boolean;
  /** How it provides its secret */
  mode: "fabula" | "text" | "jwt" | "http_request_agent" | "multi_request" | "oauth" | "aws" | "mtls";
  /** For the mode `fabula` */
  api_key_id: number | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface CredentialTest {
  /** Whether actions can use it */
  works: boolean;
  /** The result in words, without secrets */
  message: string;
  /** Token server; null if none was called */
  host: string | null;
  /** Status of its last response; null if there was none */
  status: number | null;
  /** When the token or certificate expires; null if unknown */
  expires_at: string | null;
  /** Duration of the test */
  took_ms: number;
}

export interface DeadJob {
  /** The id of the dead letter */
  id: number;
  /** Always the same value: an action receives an event */
  type: "AgentReceiveJob";
  /** The action that failed */
  agent: {
    /** The id of the action */
    id: number;
    /** null if the action was deleted */
    name: string | null;
  };
  /** The event that it processed; null for the first of the run */
  events: number | null;
  /** Attempts after the first */
  retry_count: number;
  /** When the last attempt failed, as a Unix timestamp */
  last_retry: number;
  /** Text of the last error */
  error_class: string | null;
}

export interface DeadLetter {
  /** The id */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the story */
  story_id: number;
  /** The name of the story */
  story_name: string;
  /** The action that failed */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** The guid of the run */
  story_run_guid: string;
  /** Subject of its run; null if its first event tells none, or if the command line reads it */
  subject: string | null;
  /** The event that it processed; null if it was the first of the run */
  event_id: number | null;
  /** Number of attempts */
  attempts: number;
  /** Number of manual retries */
  retries: number;
  /** Why it failed; null if it did not */
  error: string | null;
  /** Error text without ids, addresses, times, quoted text and numbers */
  error_kind: string;
  /** Why it failed, in one line: the status and the message of the response, or else the error */
  cause: string | null;
  /** When it was created */
  created_at: string;
  /** When it last failed */
  failed_at: string;
}

export interface DeadLetterCanary {
  /** The id */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the story */
  story_id: number;
  /** The action to which it is limited */
  agent_id: number | null;
  /** Error text without ids, addresses, times, quoted text and numbers */
  error_kind: string | null;
  /** `stopped`: no more are retried; those that run end by themselves */
  state: "running" | "stopped" | "completed";
  /** The last stage begun: 1 dead letter, then 10, then the rest */
  stage: "first" | "ten" | "rest";
  /** Number of dead letters */
  dead_letters: number;
  /** Not retried, or not yet */
  waiting: number;
  /** Retried, outcome not yet known; not followed after 24 hours */
  running: number;
  /** Retried, and the action succeeded */
  passed: number;
  /** Retried, and became dead letters again */
  failed: number;
  /** Retried or dropped by other requests before their turn, or part of a cancelled run */
  skipped: number;
  /** Matching dead letters beyond `limit`, counted up to 100,000 */
  left_out: number;
  /** `same_error`: an attempt of the first 11 failed with the same kind of error. `failed`: none of a stage succeeded. `timed_out`: it ran for 24 hours, or its tenant was frozen */
  stop_reason: "by_hand" | "same_error" | "failed" | "timed_out" | null;
  /** The error for which it stopped */
  stop_error: string | null;
  /** null if the account is gone */
  started_by: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
  /** null unless a person stopped it */
  stopped_by: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** When it stopped */
  stopped_at: string | null;
  /** When the last outcome was known; null before */
  ended_at: string | null;
}

export interface DeadLetterDetails {
  /** The id */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the story */
  story_id: number;
  /** The name of the story */
  story_name: string;
  /** The action that failed */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** The guid of the run */
  story_run_guid: string;
  /** Subject of its run; null if its first event tells none, or if the command line reads it */
  subject: string | null;
  /** The event that it processed; null if it was the first of the run */
  event_id: number | null;
  /** Number of attempts */
  attempts: number;
  /** Number of manual retries */
  retries: number;
  /** Why it failed; null if it did not */
  error: string | null;
  /** Error text without ids, addresses, times, quoted text and numbers */
  error_kind: string;
  /** Why it failed, in one line: the status and the message of the response, or else the error */
  cause: string | null;
  /** When it was created */
  created_at: string;
  /** When it last failed */
  failed_at: string;
  /** Its newest 20 failed attempts, oldest first, with what they sent and received */
  attempt_log: Attempt[];
}

export interface DeadLetterGroup {
  /** The id of the team */
  team_id: number;
  /** The id of the story */
  story_id: number;
  /** The name of the story */
  story_name: string;
  /** The action that failed */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** Error text without ids, addresses, times, quoted text and numbers */
  error_kind: string;
  /** The error of the newest one */
  error: string | null;
  /** Why it failed, in one line: the status and the message of the response, or else the error; of the newest one */
  cause: string | null;
  /** The newest one; null if it is gone by now */
  dead_letter_id: number | null;
  /** The run of the newest one */
  story_run_guid: string | null;
  /** Number of dead letters */
  dead_letters: number;
  /** How many of them were retried manually before */
  retried: number;
  /** When the first one failed */
  first_failed_at: string;
  /** When the last one failed */
  last_failed_at: string;
  /** How many failed in each of the last 24 hours, oldest hour first */
  trend: number[];
}

export interface DeleteCaseMetadataBody {
  /** A list of keys, or an object of which only the keys are used */
  metadata: string[] | {
    [key: string]: unknown;
  };
}

export interface DeleteDeadLetterBody {
  /** Reason, recorded in the audit log */
  reason?: string;
}

export interface DeleteStoriesBody {
  /** Ids of stories */
  ids: number[];
}

export interface Digest {
  /** The id of the team */
  team_id: number;
  /** Whether the digest is sent */
  enabled: boolean;
  /** Recipient addresses */
  recipients: string[];
  /** Hour of the day, in `timezone` */
  hour: number;
  /** IANA name of the time zone */
  timezone: string;
  /** Whether requests to HTTP and HTTPS addresses are signed */
  signed: boolean;
  /** When the next digest is created; null if the digest is off */
  next_at: string | null;
  /** When the last digest was created */
  last_at: string | null;
}

export interface DisableStoryBody {
  /** Toggles if absent */
  disabled?: boolean | null;
}

/** An action of a document; other keys have no effect */
export interface DocumentAction {
  /** Action type */
  type: string;
  /** Display name */
  name: string;
  /** Id that is stable across exports */
  guid?: string | null;
  /** Options of the action type */
  options: {
    [key: string]: unknown;
  };
  /** Template inputs, available as `INPUT` */
  action_inputs?: ActionInput[] | null;
  /** Formulas of record fields */
  record_writers?: unknown[] | null;
  [key: string]: unknown;
}

/** A note of a document; other keys have no effect */
export interface DocumentNote {
  /** Id that is stable across exports */
  guid?: string | null;
  /** Text, which may contain markup */
  content: string;
  [key: string]: unknown;
}

export interface Draft {
  /** The `draft_id`, which is also a story id */
  id: number;
  /** Display name */
  name: string;
  /** The live story of the draft */
  story_id: number;
  /** The id of the team */
  team_id: number;
  /** The user who created it */
  user_id: number;
  /** Id that is stable across exports */
  guid: string;
  /** Always `TEST`: its runs and records are tests */
  mode: "TEST";
  /** The live version that it was created from or last updated to; null if unknown */
  base_version: number | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface DraftComparison {
  /** The live version that the draft was created from or last updated to; null if unknown */
  base_version: number | null;
  /** The current live version */
  live_version: number;
  /** Changes of the draft since `base_version` */
  draft: StoryDifference[];
  /** Changes that others have published since `base_version` */
  live: StoryDifference[];
  /** Live changes that the draft lacks; `before` is the draft’s value */
  merged: StoryDifference[];
  /** Entries that both have changed, at most 1,000 */
  conflicts: DraftConflict[];
  /** All conflicts, listed or not */
  conflict_count: number;
  /** Tests of the live story that the publication would not leave as they are */
  tests: {
    /** Names of tests that it would remove */
    removed: string[];
    /** Names of tests that it would write otherwise */
    changed: string[];
  };
  /** Actions with waiting events that the publication would remove */
  waiting: WaitingAction[];
  /** The live story */
  live_story_export: StoryExport;
  /** The story after the publication, with the draft’s side of each conflict */
  published_export: StoryExport;
}

export interface DraftConflict {
  /** The part that differs; `action`: a whole action, or its fields other than options */
  kind: "action" | "option" | "link" | "note" | "test" | "setting";
  /** Name of the action; null if none */
  action: string | null;
  /** Guid of the action or note; of a link, that of its source action; null if none */
  guid: string | null;
  /** Path in it, of a test after its name; null for the whole */
  path: string | null;
  /** Names the conflict in `resolve` */
  entry: string;
  /** null if absent or unknown */
  base: unknown;
  /** null if absent or unknown */
  live: unknown;
  /** null if absent or unknown */
  draft: unknown;
  /** Why it is a conflict; null: both changed this very value */
  because: string | null;
}

export interface DraftShadow {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** The id of the draft */
  draft_id: number;
  /** `next`: the next runs; `sample`: a part of the next runs; `last`: runs of before */
  kind: "next" | "sample" | "last";
  /** The most runs that it takes */
  runs: number;
  /** The part of the runs that it takes */
  percent: number;
  /** Runs that begin later are not taken */
  until: string;
  /** `completed`: all runs were taken, or the time is over */
  state: "running" | "stopped" | "completed";
  /** `no_rights`: the user or the key that started it may no longer change the story */
  stop_reason: "by_hand" | "no_rights" | null;
  /** Runs in which the draft did the same */
  same: number;
  /** Runs in which the draft did otherwise */
  different: number;
  /** Runs that could not be compared */
  not_compared: number;
  /** The same by reason */
  not_compared_because: ShadowSkippedRuns;
  /** Runs, counted in `same` or `different` too, of which a part was not compared: the live story, tried with the run, does otherwise there as well */
  partly_compared: number;
  /** Runs that were taken and have not ended */
  waiting: number;
  /** Groups of differences beyond 500 */
  left_out: number;
  /** The version of the draft that was compared */
  draft_version: number;
  /** Whether the draft has changed since */
  draft_changed: boolean;
  /** How often it began again because the draft was changed */
  restarts: number;
  /** null if the account is gone */
  started_by: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
  /** null unless a person stopped it */
  stopped_by: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** null while it goes on */
  ended_at: string | null;
}

export interface DraftShadowDifference {
  /** The id */
  id: number;
  /** The action that does otherwise */
  action: ShadowedAction;
  /** `changed`: an event differs at `path`; `added`, `missing`: events; `fails`, `recovers`, `other_error`: how the action fails; `unanswered`: a request that the run did not make, to which there is no answer */
  kind: "changed" | "added" | "missing" | "fails" | "recovers" | "other_error" | "unanswered";
  /** Path in the event; `[]` for any item of a list */
  path: string;
  /** Type of the value in the run; null unless `changed` */
  before: "absent" | "null" | "boolean" | "number" | "text" | "list" | "object" | null;
  /** Type of the value in the draft; null unless `changed` */
  after: "absent" | "null" | "boolean" | "number" | "text" | "list" | "object" | null;
  /** Runs with this difference */
  runs: number;
  /** When the first of these runs began */
  first_run_at: string;
  /** When the last of these runs began */
  last_run_at: string;
  /** Some of these runs; a trial of the draft with one of them shows the values */
  run_guids: string[];
}

export interface DraftShadowRun {
  /** The run; a trial of the draft with it shows the values */
  run_guid: string;
  /** When the run began */
  run_at: string;
  /** `different`: the draft did otherwise; `not_compared`: it could not be compared */
  verdict: "different" | "not_compared";
  /** The reason, as in the shadow; null unless `not_compared` */
  not_compared_because: "events_deleted" | "too_large" | "incomplete" | "not_ended" | "cancelled" | "no_start" | "failed" | null;
}

export interface DropAllActionDeadJobsResponse {
  /** Number of dropped deliveries */
  dropped: number;
  /** Remaining for the next request */
  remaining: number;
}

export interface DropAllDeadJobsResponse {
  /** Number of dropped deliveries */
  dropped: number;
  /** Remaining for the next request */
  remaining: number;
}

export interface DropDeadLettersBody {
  /** The id of the team */
  team_id?: number;
  /** The id of the story */
  story_id?: number;
  /** The id of the agent */
  agent_id?: number;
  /** Same as `agent_id` */
  action_id?: number;
  /** The guid of the run */
  story_run_guid?: string;
  /** Part of the error message; case-insensitive */
  error?: string;
  /** Error type, as returned by `GET /api/v1/dead_letters/groups` */
  error_kind?: string;
  /** Failed at or after this time */
  since?: string;
  /** Failed before this time */
  until?: string;
  /** Maximum number, oldest first */
  limit?: number;
  /** All dead letters of the teams that you can write to */
  all?: true;
  /** Reason, recorded in the audit log */
  reason?: string;
}

export interface DropDeadLettersResponse {
  /** Number of dropped deliveries */
  dropped: number;
  /** Remaining, because one request handles at most `limit` or 10,000; counted up to 100,000 */
  remaining: number;
}

export interface DryRunActionBody {
  /** The event that a webhook emits, or the input of another action, keyed by upstream action */
  event?: {
    [key: string]: unknown;
  };
  /** Same as `event` */
  payload?: {
    [key: string]: unknown;
  };
  /** A stored event of the same story; the action gets the input of its receivers */
  event_id?: number;
  /** Replaces the options of the action */
  options?: {
    [key: string]: unknown;
  };
  /** true to really send its requests and mails */
  send?: boolean;
}

/** A story in the export format; unknown keys are kept */
export interface EmbeddedStory {
  /** Format version, which sets the template language */
  schema_version: number;
  /** Description */
  description?: string | null;
  /** Id that is stable across exports */
  guid?: string | null;
  /** The actions */
  agents: ExportedAction[];
  /** Links between actions */
  links: ExportedLink[];
  /** Event retention in seconds */
  keep_events_for?: number | null;
  /** Whether it is disabled */
  disabled?: boolean | null;
  /** Whether its events have priority over other stories */
  priority?: boolean | null;
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled?: boolean | null;
  /** Stored without effect */
  standard_lib_version?: unknown;
  /** Stories called by its actions */
  send_to_stories?: EmbeddedStory[] | null;
  /** Display name */
  name: string;
  [key: string]: unknown;
}

export interface EnterStoryBody {
  /** The guid of the chosen action; null if it is none, or several */
  action_guid?: string | null;
}

export interface Event {
  /** The id */
  id: number;
  /** The owner of the story */
  user_id: number;
  /** The id of the story */
  story_id: number;
  /** The guid of the run */
  story_run_guid: string;
  /** The action that emitted it */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** Ids of the upstream events in its cumulative payload, oldest first */
  previous_events_ids: number[];
  /** Same as `previous_events_ids` */
  previous_event_ids: number[];
  /** The content, any JSON value */
  payload: unknown;
  /** Whether a part of the payload is missing */
  incomplete: boolean;
  /** TEST for a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft that emitted it; null for the live story */
  draft_id: number | null;
  /** When it was created */
  created_at: string;
  /** Same as `created_at`: events do not change */
  updated_at: string;
}

/** An action of an exported story; unknown keys are kept */
export interface ExportedAction {
  /** Action type; unsupported types are stored but do not run */
  type: string;
  /** Display name; templates use its slug */
  name: string;
  /** Id that is stable across exports */
  guid?: string;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Options of the action type */
  options: {
    [key: string]: unknown;
  };
  /** Seconds; 0 to use the setting of the story */
  keep_events_for?: number | null;
  [key: string]: unknown;
}

/** A link between two actions */
export interface ExportedLink {
  /** Position of the source action in `agents`, from 0 */
  source: number;
  /** Position of the receiver in `agents`, from 0 */
  receiver: number;
  /** Output of the source that the link carries */
  link_type?: string | null;
  [key: string]: unknown;
}

export interface ExportedStoryVersion {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** Version number in the story, from 1 */
  number: number;
  /** Display name */
  name: string | null;
  /** Description */
  description: string | null;
  /** Type of the change; `before`: the state before the first recorded change; `files`: files have this state; `step`: an update from a step */
  source: "before" | "edit" | "import" | "restore" | "draft" | "request" | "files" | "step" | "promotion";
  /** Size of the state in bytes, before compression */
  size: number;
  /** The user who made the change */
  user: {
    /** The id */
    id?: number;
    /** First name */
    first_name?: string;
    /** Last name */
    last_name?: string;
    /** Email address, also used to sign in */
    email?: string;
  };
  /** Same as updated_at */
  timestamp: string;
  /** When it was created */
  created_at: string;
  /** Edits by one user within a minute are merged into one version */
  updated_at: string;
  /** The story at that version */
  export_file: {
    [key: string]: unknown;
  };
}

export interface FilterExample {
  /** A text with a template */
  template: string;
  /** The value, with its type */
  result: unknown;
  /** Event used in the example */
  event: {
    [key: string]: unknown;
  };
}

export interface Folder {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the team */
  team_id: number;
  /** Type of items it was created for */
  content_type: "STORY" | "CREDENTIAL" | "RESOURCE";
  /** Parent folder; null if none */
  parent_folder_id: number | null;
  /** Number of stories and resources in it */
  size: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface FoundRun {
  /** Id that is stable across exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** How it was started */
  source: "webhook" | "api" | "schedule" | "send_to_story";
  /** The state */
  status: "running" | "completed" | "failed" | "cancelled";
  /** When it was created */
  created_at: string;
  /** When its last event was stored, its last delivery failed, or it was cancelled */
  ended_at: string | null;
  /** When it was cancelled; null if it was not */
  cancelled_at: string | null;
  /** Same as `created_at` */
  start_time: string;
  /** Same as `ended_at` */
  end_time: string | null;
  /** Duration in seconds; null while it is running */
  duration: number | null;
  /** Number of events */
  event_count: number;
  /** Number of actions that emitted events */
  action_count: number;
  /** TEST for the run of a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft of the run; null for the live story */
  draft_id: number | null;
  /** Name of the draft */
  draft_name: string | null;
  /** Subject of the run: the template `run_subject` of its story, or telling fields of its first event. null if that was deleted, exceeds 64 KiB or has no plain values */
  subject: string | null;
  /** Why it failed, in one line: the status and the message of the response, or else the error; of its first dead letter, null if it has none */
  cause: string | null;
  /** Number of steps that logged errors and did not fail, among the first 1,000 errors of the run */
  warnings: number;
  /** The place of the searched value in the run; null without `path` and `value` */
  match: {
    /** The first event with the value, of those compared */
    event_id: number;
    /** Path of the value; null with `path` in the search */
    path: string | null;
  } | null;
}

export interface FunctionExample {
  /** A text with a template */
  template: string;
  /** The value, with its type */
  result: unknown;
}

export interface GetActionLogRequestResponse {
  /** null if none was recorded, because nothing was sent, or it predates recording */
  sent_request: SentRequest | null;
  /** null if none was recorded, because none came, an event has it, or it predates recording */
  response: KeptResponse | null;
}

export interface GetCaseClosureConditionsResponse {
  /** In the order of the case */
  closure_conditions: {
    /** Display name */
    name: string;
    /** A formula that must be true */
    formula: string;
    /** Whether the condition is currently met */
    met: boolean;
    /** Why it is not met, as in the error when closing the case; null if it is met */
    reason: string | null;
  }[];
}

export interface GetCaseMetadataResponse {
  /** Custom key-value pairs */
  metadata: {
    [key: string]: unknown;
  };
}

export interface GetDoctorResponse {
  /** Version of Fabula that ran the checks */
  version: string;
  /** Number of checks */
  checks: number;
  /** Number of findings by severity */
  counts: {
    /** Problems that break something now */
    error: number;
    /** Problems that may break something soon */
    warning: number;
    /** Informational findings */
    note: number;
  };
  /** Findings by group, most severe first */
  findings: {
    /** Identifier of the finding; `docs/operate/doctor.md` lists all */
    id: string;
    /** Affected part of the installation */
    group: "doctor" | "database" | "redis" | "work" | "spool" | "configuration" | "outbound" | "disk";
    /** Severity */
    severity: "error" | "warning" | "note";
    /** The facts, with numbers */
    found: string;
    /** Why it matters */
    why: string;
    /** How to fix it */
    remedy: string;
    /** When the problem began; null if unknown */
    since: string | null;
  }[];
}

export interface GetEventRequestResponse {
  /** null if none was recorded, because nothing was sent, or it predates recording */
  sent_request: SentRequest | null;
}

export interface GetInfoResponse {
  /** The installation */
  stack: {
    /** The host name of this server */
    name: string;
    /** Always `self-hosted` */
    type: "self-hosted";
    /** Always null; regions are not supported */
    region: null;
    /** Always empty; the server does not know its public addresses */
    egress_ips: unknown[];
  };
  /** The version of Fabula */
  version: string;
  /** The URL at which programs call the API and webhooks */
  public_url: string;
}

export interface GetStatisticsResponse {
  /** Items of the page */
  stats: Statistics[];
  /** Start of the range */
  from: string;
  /** Its end */
  to: string;
  /** For minutes: when this installation started counting them; earlier totals may be missing. Otherwise null */
  counted_since: string | null;
  /** All rows before this time are counted */
  counted_until: string;
  /** Seconds from `counted_until` to now; about 40 under steady load, 0 when idle */
  lag_seconds: number;
  /** Paging of the list */
  meta: PageMeta;
}

export interface GetStatusResponse {
  /** The most severe of the reasons */
  state: "ok" | "warning" | "error";
  /** Why the state is not `ok` */
  reasons: {
    /** Severity */
    state: "warning" | "error" | "note";
    /** Identifier of the reason, as in the doctor: `work.paused` */
    id: string;
    /** The facts */
    text: string;
    /** Why it matters */
    why: string;
    /** How to fix it */
    remedy: string;
    /** When the problem began; null if unknown */
    since: string | null;
  }[];
  /** When the response was created */
  checked_at: string;
  /** null unless the caller is an Owner of the only tenant */
  installation: {
    /** Ping time; null if there was no response */
    mysql_ms: number | null;
    /** Ping time; null if there was no response */
    redis_ms: number | null;
    /** How long the oldest due delivery has waited for the relay */
    relay_lag_seconds: number | null;
    /** How long the oldest due schedule has waited */
    schedule_lag_seconds: number | null;
    /** The spool: webhook calls held while MySQL is down */
    spool: {
      /** Size of the spooled calls */
      bytes: number;
      /** Maximum size of the spool */
      limit_bytes: number;
    } | null;
    /** The queues of jobs */
    queues: {
      /** Name */
      queue: string;
      /** Jobs waiting for a worker */
      waiting: number;
      /** Running jobs */
      active: number;
      /** Delayed jobs */
      delayed: number;
      /** Age of the oldest waiting job */
      oldest_seconds: number;
      /** Live workers; null if Redis does not list them */
      workers: number | null;
      /** Details of the pause, during which workers take no jobs; null if the queue is not paused */
      paused: QueuePause | null;
    }[] | null;
    /** Live processes by version */
    versions: {
      /** A version of Fabula */
      version: string;
      /** Live processes of this version */
      processes: number;
    }[] | null;
  } | null;
  /** Stories of the requested teams */
  stories: {
    /** Number of dead letters; above 10,000, the newest that can be counted in two seconds */
    dead_letters: number;
    /** If false, there may be more */
    dead_letters_complete: boolean;
    /** Stories with dead letters, most recent failure first; at most 50 */
    failing: {
      /** The id */
      id: number;
      /** Name */
      name: string;
      /** The id of the team */
      team_id: number;
      /** Number of its dead letters */
      dead_letters: number;
      /** Time of its oldest dead letter */
      since: string;
      /** Time of its newest dead letter */
      last_at: string;
      /** Error of its newest dead letter, with secrets removed */
      last_error: string;
      /** Cause of its newest dead letter in one line: status and message of the response, or the error */
      last_cause: string;
    }[];
    /** Monitored actions reported as silent; at most 100 */
    silent_actions: {
      /** The id */
      id: number;
      /** Name */
      name: string;
      /** The story of the action */
      story: {
        /** The id */
        id: number;
        /** Name */
        name: string;
      };
      /** The id of the team */
      team_id: number;
      /** Time of its last event, or when monitoring began */
      since: string;
    }[];
    /** Latest notices, newest first; at most 20 */
    notices: {
      /** The id */
      id: number;
      /** Reason for the notice */
      kind: "failures" | "no_events" | "events" | "skipped" | "reconnect" | "digest";
      /** By mail, or to an HTTP or HTTPS address */
      channel: "mail" | "web";
      /** The id of the team */
      team_id: number;
      /** null for a digest */
      story_id: number | null;
      /** Number of recipients */
      recipients: number;
      /** State of the notice */
      state: "due" | "sent" | "failed";
      /** Attempts so far */
      attempts: number;
      /** Why the last attempt failed */
      error: string | null;
      /** When the cause was detected */
      created_at: string;
      /** When it ended; if due, when the next attempt is made */
      at: string;
    }[];
  } | null;
}

export interface GetTenantUsageResponse {
  /** Each quota */
  quotas: Quota[];
}

export interface GetWorkerStatsResponse {
  /** Running jobs */
  current_workers: number;
  /** Jobs that all live workers can run concurrently; 0 if no worker is live; null if Redis does not list them */
  max_workers: number | null;
  /** Jobs waiting for a worker */
  queue_count: number;
  /** Age of the oldest one in seconds; 0 if none is waiting */
  queue_latency: number;
}

/** An action of a story; unknown keys are kept */
export interface GraphAction {
  /** Action type; unsupported types are stored but do not run */
  type: string;
  /** Display name; templates use its slug */
  name: string;
  /** Id that is stable across exports */
  guid?: string;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Options of the action type */
  options: {
    [key: string]: unknown;
  };
  /** Seconds; 0 to use the setting of the story */
  keep_events_for?: number | null;
  /** The existing action; identified by guid if absent */
  id?: number | null;
  /** Position on the canvas; unchanged if absent, removed if null */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** Template inputs, available as `INPUT`; unchanged if absent, removed if null */
  action_inputs?: ActionInput[] | null;
  [key: string]: unknown;
}

/** A note on the canvas; unknown keys are kept */
export interface GraphNote {
  /** The existing note; identified by guid or text if absent */
  id?: number | null;
  /** Id that is stable across exports */
  guid?: string | null;
  /** Text, which may contain markup */
  content: string;
  /** Position on the canvas */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null | number[];
  [key: string]: unknown;
}

export interface ImportOpenapiOperationBody {
  /** The address of the document; the server fetches it */
  url?: string;
  /** The document itself, JSON or YAML, instead of `url` */
  document?: string;
  /** A team that you may edit; by default your first */
  team_id?: number;
  /** HTTP method of the operation */
  method: string;
  /** Path, as in the document: `/pets/{id}` */
  path: string;
  /** One of the servers; defaults to the first */
  server?: string;
  /** Language of the story; defaults to formula */
  language?: "formula" | "liquid";
}

export interface ImportStoryBody {
  /** Name of the imported story */
  new_name: string;
  /** The story */
  data: StoryExport;
  /** The id of the team */
  team_id?: number | null;
  /** The id of the folder */
  folder_id?: number | null;
  /** `versionReplace` replaces the newest story with this name */
  mode?: "new" | "versionReplace";
  /** Imports into a new draft with this name instead of the story; `new_name` is then optional */
  draft_name?: string | null;
}

export interface ImportedStory {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Description */
  description: string;
  /** Id that is stable across exports */
  guid: string;
  /** Name used in templates */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it is disabled */
  disabled: boolean;
  /** Whether its events have priority over other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** When its actions, links or notes last changed */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is not a draft */
  published: boolean;
  /** Whether its actions, links and notes are locked */
  locked: boolean;
  /** Whether they only change through promoted change requests */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The user or team to ask about the story; not part of exports */
  owner: {
    /** A user or a team */
    type: "USER" | "TEAM";
    /** The id */
    id: number;
    /** Current name */
    name: string;
  } | null;
  /** Tag names */
  tags: string[];
  /** Whether other stories can call it */
  send_to_story_enabled: boolean;
  /** Allowed callers; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Teams whose stories can call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Stored for compatibility with other platforms; no effect */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled: boolean;
  /** Same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty for all webhooks */
  api_entry_action_ids: number[];
  /** Empty for those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Recipients of failure notices */
  recipients: string[];
  /** Whether notices are sent for failures of all actions */
  monitor_failures: boolean;
  /** Markdown text: what to do when the story fails */
  runbook: string;
  /** Template for the subject of runs; null for telling fields of their first event */
  run_subject: string | null;
  /** Effect of failing tests on a publication; null: the tenant’s setting */
  tests_on_publish: "warn" | "block" | null;
  /** Folder of the gallery story it was created from; null if none */
  gallery_slug: string | null;
  /** The created draft; absent if none */
  draft_id?: number;
  /** Warnings for the owner; absent if none */
  warnings?: string[];
}

export interface InboxClosing {
  /** When the inbox was first read without the entry */
  at: string;
  /** Audit log action of the last change in its team that may have closed it; null if it closed without one */
  after: string | null;
  /** The user who made that change; null if there was none, or the user was deleted */
  by: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
}

export interface InboxEntry {
  /** Identifier; it stays the same as long as the cause and its state do. Closed entries may have it several times */
  key: string;
  /** `failures`: dead letters of one action and error type; `held`: deliveries that wait for one reason; `quota`: 80 % or more is used; `schedule`: late, or skipped starts; `webhook`: rejected calls; `credential`: must be connected, or its access ends within a week; `repository`: the git repository of a team fails, or has conflicts; `api_key`: expires within a week, or expired in the last week. Only its user sees a personal key, only Owners see the others */
  kind: "failures" | "held" | "quota" | "schedule" | "webhook" | "credential" | "repository" | "api_key";
  /** For `held`, why they wait. `mails_per_day`, `records`: the quota is used up; `rate_limit`: the server answered 429; `throttle`: its action lets only so many through; `retry`: an attempt failed; `delay`: its action waits for a set time; `credential`: a credential must be connected; `disabled`: its action or story is disabled; `frozen`: the tenant is being moved; `fair_share`: its story has its share of jobs; `group`: the rest of its group is missing; `call`: a story that it called is running; `slots`: its story has all the slots of a worker; `paused`: its queue is paused; `no_process`: no process serves its queue; `queued`: it waits for its turn; `running`: a worker has it. For `quota`, its name; for `schedule`, `late`, `skipped_late`, `skipped_quota`; for `webhook`, the most frequent reason; for `credential`, `reconnect`, `expires`; for `repository`, `failing`, `conflicts`; for `api_key`, `expires`, `expired` */
  reason: string | null;
  /** How urgent it is */
  severity: "error" | "warning" | "note";
  /** The entry in words */
  title: string;
  /** More about it, such as the cause of the newest failure */
  detail: string | null;
  /** null if it concerns the whole tenant */
  team_id: number | null;
  /** null unless it concerns one story */
  story: {
    /** The id */
    id: number;
    /** null if it was deleted */
    name: string | null;
  } | null;
  /** null unless it concerns one action */
  action: {
    /** The id */
    id: number;
    /** null if it was deleted */
    name: string | null;
  } | null;
  /** null unless it concerns a queue */
  queue: string | null;
  /** null unless it concerns a quota */
  quota: string | null;
  /** null unless it concerns a schedule */
  schedule_id: number | null;
  /** null unless it concerns a credential */
  credential_id: number | null;
  /** null unless it concerns an API key */
  api_key_id: number | null;
  /** Dead letters, deliveries, calls, or the amount used of a quota */
  count: number;
  /** When it began; null if unknown */
  first_seen: string | null;
  /** When it last happened; null if it still does, or is unknown */
  last_seen: string | null;
  /** When it ends or goes on by itself; null if unknown */
  until: string | null;
  /** For `failures`, how many failed in each of the last 24 hours, oldest hour first */
  trend: number[] | null;
  /** For `failures`, the last change of the story before the first one; null if none is known */
  since_version: InboxVersion | null;
  /** For `failures` only */
  failure: InboxFailure | null;
  /** For `held`, the actions with most of the deliveries, up to 20 */
  held: InboxHeldAction[] | null;
  /** The assigned user */
  assignee: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
    /** Email address, also used to sign in */
    email: string;
  } | null;
  /** Until when it is hidden; null if it is not */
  snoozed_until: string | null;
  /** null while it is open */
  closed: InboxClosing | null;
}

export interface InboxFailure {
  /** Error type, as in the groups of dead letters */
  error_kind: string;
  /** The newest dead letter; null if it is gone by now */
  dead_letter_id: number | null;
  /** The run of the newest one */
  story_run_guid: string | null;
  /** How many of them were retried manually before */
  retried: number;
}

export interface InboxHeldAction {
  /** The id of the story */
  story_id: number;
  /** null if it was deleted */
  story_name: string | null;
  /** The action that they wait for */
  agent_id: number;
  /** null if it was deleted */
  agent_name: string | null;
  /** The queue of its jobs */
  queue: string;
  /** Deliveries that wait */
  count: number;
  /** When the oldest of them was created */
  oldest_at: string;
}

export interface InboxVersion {
  /** The id of the version */
  version_id: number;
  /** Version number in the story */
  number: number;
  /** Name of the version */
  name: string | null;
  /** When the version was saved */
  changed_at: string;
  /** The user who changed it; null if the user was deleted */
  by: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
}

export interface InviteTeamMemberResponse {
  /** Same as `user_id` */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the user */
  user_id: number;
  /** Email address, also used to sign in */
  email: string;
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** An Owner of the tenant */
  is_admin: boolean;
  /** Whether it is the service account of an API key */
  is_service_account: boolean;
  /** Role of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  /** Always true; members belong to the team immediately */
  invitation_accepted: true;
  /** Last request with a key of the user, to the minute; null if none */
  last_seen: string | null;
  /** Start of the membership */
  created_at: string;
}

export interface KeptResponse {
  /** When it was complete, by the worker clock */
  received_at: string;
  /** From the request to the end of the response, redirects included */
  duration_ms: number;
  /** The state */
  status: number;
  /** By lower-case name; cookies and headers that sign in are `[hidden]` */
  headers: {
    [key: string]: string;
  };
  /** Body text, at most the first 8 KiB; null if there was none, or if it was omitted */
  body: string | null;
  /** Size of the whole body, with credentials replaced by markers; null if unknown */
  body_bytes: number | null;
  /** Why the body has no text: `binary`: not text; `large`: larger than 256 KiB and may contain a credential */
  body_left_out: "binary" | "large" | null;
  /** Parts that were truncated */
  truncated: ("headers" | "body")[];
}

export interface KeptStoryRun {
  /** A past run of the story */
  run_guid?: string;
  /** Instead of a run: the event that a trial begins with */
  event?: {
    [key: string]: unknown;
  };
  /** Action that the event begins at: id, guid or name; default: where a manual run starts */
  action?: number | string;
  /** Responses to HTTP requests, first match wins; other requests get those of the run */
  responses?: {
    /** Default: any method */
    method?: string;
    /** URL with query; `*` matches any text */
    url: string | {
      /** Regular expression to find in the URL */
      regex: string;
    };
    /** Parts that the body must contain: keys of objects, elements of lists */
    body?: unknown;
    /** Number of requests it answers; default: all */
    times?: number;
    /** 0 for no response */
    status?: number;
    /** Response headers */
    headers?: {};
    /** Response body: text unchanged, any other value as JSON */
    answer?: unknown;
    /** The body as base64, instead of `answer` */
    base64?: string;
    /** Only answers this action: id, guid or name */
    action?: number | string;
  }[];
  /** Name of the test */
  name: string;
  /** Purpose of the test */
  description?: string;
  /** Adds the test to the story */
  save?: boolean;
  /** Runs and saves in this draft instead of the story */
  draft_id?: number | null;
}

export interface KeptStoryTest {
  /** The test */
  test: StoryTest;
  /** Whether the story has it now */
  saved: boolean;
}

export interface LinkCasesBody {
  /** Ids of cases to link */
  ids: number[];
}

export interface LinkCasesResponse {
  /** The id of the case */
  case_id: number;
  /** Display name */
  name: string;
  /** Cases of the request */
  linked_cases: LinkedCase[];
}

export interface LinkedCase {
  /** The id of the case */
  case_id: number;
  /** Display name */
  name: string;
  /** Its team. Changing a link requires write access to both cases */
  team_id: number;
}

export interface ListActionDeadJobsResponse {
  /** Items of the page */
  'admin/dead_jobs': DeadJob[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListActionEventsResponse {
  /** Items of the page */
  events: Event[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListActionLogsResponse {
  /** Items of the page */
  action_logs: LogLine[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListActionsResponse {
  /** Items of the page */
  agents: Action[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListAdminTemplatesResponse {
  /** Items of the page */
  'admin/templates': ActionTemplate[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListAdminUsersResponse {
  /** Items of the page */
  'admin/users': AdminUser[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListAgentTypesResponse {
  /** Items of the page */
  agent_types: AgentType[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListApiKeysResponse {
  /** Items of the page */
  api_keys: ApiKey[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListAuditLogsResponse {
  /** Items of the page */
  audit_logs: AuditEntry[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseActionsResponse {
  /** Items of the page */
  actions: CaseAction[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseActivitiesResponse {
  /** Items of the page */
  activities: CaseActivity[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseAssigneesResponse {
  /** Items of the page */
  assignees: CaseUser[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseCommentsResponse {
  /** Items of the page */
  comments: CaseActivity[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseLinkedCasesResponse {
  /** Items of the page */
  linked_cases: LinkedCase[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseRecordsResponse {
  /** Items of the page */
  records: CaseRecordGroup[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCaseSubscribersResponse {
  /** Items of the page */
  subscribers: CaseSubscriber[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCasesResponse {
  /** Items of the page */
  cases: Case[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListCredentialsResponse {
  /** Items of the page */
  credentials: Credential[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListDeadJobsResponse {
  /** Items of the page */
  'admin/dead_jobs': DeadJob[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListDeadLettersCanariesResponse {
  /** Items of the page */
  canaries: DeadLetterCanary[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListDeadLettersGroupsResponse {
  /** Most recent failure first */
  groups: DeadLetterGroup[];
  /** false if only the newest 100,000 dead letters and 10,000 error texts were counted */
  complete: boolean;
}

export interface ListDeadLettersResponse {
  /** Items of the page */
  dead_letters: DeadLetter[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListDraftAgentsResponse {
  /** Items of the page */
  agents: Action[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListEventsResponse {
  /** Items of the page */
  events: Event[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListFiltersResponse {
  /** Items of the page */
  filters: TemplateFilter[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListFoldersResponse {
  /** Items of the page */
  folders: Folder[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListFunctionsResponse {
  /** Items of the page */
  functions: TemplateFunction[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListGlobalResourcesResponse {
  /** Items of the page */
  global_resources: Resource[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListInboxResponse {
  /** The most urgent first */
  entries: InboxEntry[];
  /** Counts all entries that match the other filters, whatever `state` is asked for */
  counts: {
    /** Entries that are not snoozed */
    open: number;
    /** Snoozed entries */
    snoozed: number;
    /** Open entries with this severity */
    errors: number;
    /** Open entries with this severity */
    warnings: number;
    /** Open entries with this severity */
    notes: number;
  };
  /** false if there may be more */
  complete: boolean;
  /** Kinds that could not be read */
  unread: ("failures" | "held" | "quota" | "schedule" | "webhook" | "credential" | "repository" | "api_key")[];
  /** true if entries of some kind were read more than a minute ago */
  behind: boolean;
  /** When the entries were read. Each kind is read by itself; this is the oldest of these times */
  checked_at: string;
}

export interface ListNotesResponse {
  /** Items of the page */
  annotations: Note[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListOpenapiOperationsBody {
  /** The address of the document; the server fetches it */
  url?: string;
  /** The document itself, JSON or YAML, instead of `url` */
  document?: string;
  /** A team that you may edit; by default your first */
  team_id?: number;
  /** Words in method, path, name, summary or tags */
  search?: string;
  /** Default 100 */
  limit?: number;
}

export interface ListPendingActionsResponse {
  /** Items of the page */
  pending_actions: PendingAction[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListPromotionsResponse {
  /** Items of the page */
  promotions: Promotion[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListQueuesResponse {
  /** All queues, in the order of the queue board */
  queues: Queue[];
  /** When the deliveries were counted: seconds ago, or minutes with millions of them; null if they could not be read */
  deliveries_counted_at: string | null;
  /** When the response was created */
  checked_at: string;
}

export interface ListRecordTypesResponse {
  /** Items of the page */
  record_types: RecordType[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListRecordsResponse {
  /** Items of the page */
  record_results: ListedRecord[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListSchedulesResponse {
  /** Items of the page */
  schedules: Schedule[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStepUsesResponse {
  /** Items of the page */
  step_uses: StepUse[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStepVersionsResponse {
  /** Items of the page */
  step_versions: StepVersion[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStepsResponse {
  /** Items of the page */
  steps: Step[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryActionsResponse {
  /** Items of the page */
  agents: Action[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryDraftShadowDifferencesResponse {
  /** Items of the page */
  differences: DraftShadowDifference[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryDraftShadowRunsResponse {
  /** Items of the page */
  runs: DraftShadowRun[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryDraftShadowsResponse {
  /** Items of the page */
  shadows: DraftShadow[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryDraftsResponse {
  /** Items of the page */
  drafts: Draft[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryRunAttemptsResponse {
  /** Items of the page */
  attempts: Attempt[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryRunsResponse {
  /** Items of the page */
  story_runs: Run[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListStoryVersionsResponse {
  /** Items of the page */
  story_versions: StoryVersion[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListTagsResponse {
  /** Items of the page */
  tags: Tag[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListTeamMembersResponse {
  /** Items of the page */
  members: TeamMember[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListTeamRepositorySyncsResponse {
  /** Newest first */
  syncs: RepositorySync[];
}

export interface ListTeamsResponse {
  /** Items of the page */
  teams: Team[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListUserCredentialsResponse {
  /** Items of the page */
  user_credentials: UserCredential[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListUserSignInsResponse {
  /** Items of the page */
  'admin/login_activities': SignIn[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListUsersResponse {
  /** Items of the page */
  users: User[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListWebhooksResponse {
  /** Items of the page */
  webhooks: Webhook[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface ListedRecord {
  /** The id */
  id: number;
  /** The story that wrote it; null if none */
  'Story name': string | null;
  /** When it was created, in UTC */
  Timestamp: string;
  [key: string]: unknown;
}

export interface ListedStory {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Description */
  description: string;
  /** Id that is stable across exports */
  guid: string;
}

export interface LogLine {
  /** The id */
  id: number;
  /** 1 debug, 3 info and warn, 4 error */
  level: 1 | 2 | 3 | 4;
  /** The name of the level */
  severity: "debug" | "info" | "warn" | "error";
  /** The text */
  message: string;
  /** When it was created */
  created_at: string;
  /** The guid of the run */
  story_run_guid: string;
  /** The event that it processed; null if it was the first of the run, or if retention deleted the event */
  inbound_event_id: number | null;
  /** That event with its output */
  inbound_event: Event | null;
  /** Number of the attempt that failed, from 1; null if none did */
  attempt: number | null;
  /** The step that failed or logged an error; the id of the dead letter if it became one */
  delivery_id: number | null;
  /** Status and message of the response; null if it tells no more than `message` */
  cause: string | null;
}

export interface MailSettings {
  /** null to use the mail server of this installation */
  smtp_server: string | null;
  /** User name at the mail server; null if none */
  smtp_user: string | null;
  /** Token settings without secrets; null if a password or no authentication is used */
  smtp_oauth: {
    /** Token source */
    token_url: string;
    /** The id of the client */
    client_id: string;
    /** Requested scope */
    scope: string | null;
  } | null;
  /** Default sender, for actions that set none */
  mail_from: string;
  /** Other senders that actions may use */
  mail_from_allow: string[];
  /** When it last changed */
  updated_at: string | null;
}

export interface MissingName {
  /** Type of the missing thing */
  kind: "team" | "credential" | "resource" | "story";
  /** The name after the mapping */
  name: string;
}

export interface MissingPath {
  /** Up to the first missing step: `receive.body.nmae` */
  path: string;
  /** From 1 */
  line: number;
  /** From 1; in Liquid, that of the tag */
  column: number;
  /** Whether a condition or a default provides for its absence */
  guarded: boolean;
}

export interface NewAction {
  /** Display name */
  name: string;
  /** Description */
  description?: string | null;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Options of the action type; none by default */
  options?: {
    [key: string]: unknown;
  };
  /** Seconds; 0 to use the setting of the story */
  keep_events_for?: number;
  /** When the action starts runs on its own: a name such as every_1d, cron with a time zone, or a list of these */
  schedule?: string | null | {
    /** Cron expression with five fields */
    cron: string;
    /** Time zone of the schedule; default: UTC */
    timezone?: string | null;
  } | (string | null | {
    /** Cron expression with five fields */
    cron: string;
    /** Time zone of the schedule; default: UTC */
    timezone?: string | null;
  })[];
  /** Position on the canvas; null if none */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** Template inputs, available as `INPUT`; null for none */
  action_inputs?: ActionInput[] | null;
  /** Replaces all sources of the action; existing links keep their types */
  source_ids?: number[] | null;
  /** Same as source_ids, with the type of each link */
  links_to_sources?: {
    /** The id of the source */
    source_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Replaces all receivers of the action; existing links keep their types */
  receiver_ids?: number[] | null;
  /** Same as receiver_ids, with the type of each link */
  links_to_receivers?: {
    /** The id of the receiver */
    receiver_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails permanently */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Whether notices are sent for its events */
  monitor_all_events?: boolean | null;
  /** Whether notices are sent for its permanent failures */
  monitor_failures?: boolean | null;
  /** Seconds without an event after which a notice is sent; null or 0 for never */
  monitor_no_events_emitted?: number | null;
  /** The time that one event saves */
  time_saved_value?: number | null;
  /** Draft of the story; null for the story itself */
  draft_id?: number | null;
  /** The unit of `time_saved_value` */
  time_saved_unit?: "minutes" | "hours" | "days" | null;
  /** The story to add it to */
  story_id: number;
  /** Action type, such as `Agents::WebhookAgent` */
  type: string;
}

export interface NewApiKey {
  /** The id */
  id: number;
  /** Key type, which sets its permissions */
  kind: "personal" | "tenant" | "team";
  /** Display name */
  name: string;
  /** The first characters of the key */
  prefix: string;
  /** The user whose permissions it has */
  user_id: number;
  /** Only for team keys */
  team_id: number | null;
  /** The id of the created by user */
  created_by_user_id: number | null;
  /** When it expires; null for never */
  expires_at: string | null;
  /** When it was last used; null for never */
  last_used_at: string | null;
  /** When it was revoked; null if it was not */
  revoked_at: string | null;
  /** When it was created */
  created_at: string;
  /** The key itself, shown only once */
  key: string;
}

export interface NewCaseSubscriber {
  /** The id */
  id: number;
  /** The address */
  url: string | null;
  /** The user; null if deleted */
  user: CaseUser | null;
  /** When it was created */
  created_at: string;
  /** Secret that signs the requests, shown only once; null if the subscriber is a user */
  secret: string | null;
}

export interface NewNote {
  /** Text, which may contain markup */
  content: string;
  /** Position on the canvas; null for 0, 0 in a new note */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** The story to add it to */
  story_id: number;
  /** Draft of the story; null for the story itself */
  draft_id?: number | null;
}

export interface NewStoryVersion {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** Version number in the story, from 1 */
  number: number;
  /** Display name */
  name: string | null;
  /** Description */
  description: string | null;
  /** Type of the change; `before`: the state before the first recorded change; `files`: files have this state; `step`: an update from a step */
  source: "before" | "edit" | "import" | "restore" | "draft" | "request" | "files" | "step" | "promotion";
  /** Size of the state in bytes, before compression */
  size: number;
  /** The user who made the change */
  user: {
    /** The id */
    id?: number;
    /** First name */
    first_name?: string;
    /** Last name */
    last_name?: string;
    /** Email address, also used to sign in */
    email?: string;
  };
  /** Same as updated_at */
  timestamp: string;
  /** When it was created */
  created_at: string;
  /** Edits by one user within a minute are merged into one version */
  updated_at: string;
  /** Same as the version */
  story_version: StoryVersion;
}

export interface Note {
  /** The id of the note */
  id: number;
  /** The story of the note */
  story_id: number;
  /** TEST: in a draft */
  story_mode: "LIVE" | "TEST";
  /** Action groups are not supported */
  group_id: null;
  /** Guid in exports; null if none */
  guid: string | null;
  /** Text, which may contain markup */
  content: string;
  /** Position on the canvas; null if none */
  position: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** Its draft */
  draft_id: number | null;
  /** Name of the draft */
  draft_name: string | null;
}

export interface NoteChanges {
  /** Text, which may contain markup */
  content?: string;
  /** Position on the canvas; null for unchanged */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
}

export interface OpenapiCredential {
  /** The option that refers to it */
  where: string;
  /** Name of the security scheme */
  scheme: string;
  /** Description */
  description: string | null;
  /** Fields for `POST /api/v1/user_credentials`, without the secrets */
  suggestion: {
    [key: string]: unknown;
  };
}

export interface OpenapiListing {
  /** The name of the API */
  title: string | null;
  /** The version of the API */
  version: string | null;
  /** The version of OpenAPI */
  openapi: string;
  /** Servers of the API */
  servers: OpenapiServer[];
  /** How clients sign in */
  security_schemes: OpenapiSecurityScheme[];
  /** In the order of the document */
  operations: OpenapiOperation[];
  /** Number of matching operations, including those not listed */
  total: number;
}

export interface OpenapiOperation {
  /** HTTP method */
  method: string;
  /** Path below the server */
  path: string;
  /** The id of the operation */
  operation_id: string | null;
  /** One line about it */
  summary: string | null;
  /** Groups of the document */
  tags: string[];
  /** Whether the document advises against it */
  deprecated: boolean;
}

export interface OpenapiParameter {
  /** Display name */
  name: string;
  /** Part of the request */
  in: "path" | "query" | "header" | "cookie";
  /** Whether the request needs it */
  required: boolean;
  /** Description */
  description: string | null;
  /** An example of the document, or a made-up value */
  example: unknown;
  /** Whether the options contain it */
  included: boolean;
}

export interface OpenapiRequest {
  /** A name for the action */
  name: string;
  /** Description */
  description: string | null;
  /** Options of `Agents::HTTPRequestAgent` */
  options: {
    [key: string]: unknown;
  };
  /** In the order of the document */
  parameters: OpenapiParameter[];
  /** Credentials that the options refer to */
  credentials: OpenapiCredential[];
  /** Servers of the API */
  servers: OpenapiServer[];
  /** Parts of the request that the options do not contain */
  remarks: string[];
}

export interface OpenapiSecurityScheme {
  /** Display name */
  name: string;
  /** Such as `apiKey` or `http bearer` */
  type: string;
  /** Description */
  description: string | null;
}

export interface OpenapiServer {
  /** The address */
  url: string;
  /** Description */
  description: string | null;
}

/** Paging of the list */
export interface PageMeta {
  /** URL of this page */
  current_page: string;
  /** null on the first page */
  previous_page: string | null;
  /** null on the last page. Follow it instead of page numbers: it continues exactly where this page ended */
  next_page: string | null;
  /** null on the last page */
  next_page_number: number | null;
  /** Items per page */
  per_page: number;
  /** Number of pages, at least 1 */
  pages: number;
  /** Number of items on all pages */
  count: number;
}

export interface PendingAction {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The kind of action */
  type: string;
  /** Id that is stable across exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** Waiting deliveries */
  pending_action_runs_count: number;
}

export interface PreviewEvent {
  /** One key for each upstream action, at most 1 Mi characters */
  value: {
    [key: string]: unknown;
  };
  /** Places of texts that were cut; each says so */
  cut_texts: string[];
  /** Lists and objects of which a part was left out */
  left_out: PreviewLeftOut[];
}

export interface PreviewFault {
  /** The text */
  message: string;
  /** From 1; null for the whole template */
  line: number | null;
  /** From 1; null for the whole template */
  column: number | null;
  /** The line of the template */
  excerpt: string | null;
}

export interface PreviewLeftOut {
  /** Place of the list or object: `receive.body.items[].tags` */
  path: string;
  /** The number of items or keys that were left out */
  count: number;
}

export interface PreviewSample {
  /** given: `event`; event: `event_id`; received: by the action in the run; upstream: it received nothing, and this is what reached the nearest actions before it; own: what the webhook emitted */
  kind: "given" | "event" | "received" | "upstream" | "own";
  /** null for a given event, and for the input of a run */
  event_id: number | null;
  /** The run of the event */
  run_guid: string | null;
  /** When the event was emitted */
  created_at: string | null;
  /** Whether a part is missing: deleted by retention, or too large */
  incomplete: boolean;
}

export interface PreviewStepUpdatesBody {
  /** The stories, at most 50 */
  stories: {
    /** The story, or a draft of one */
    id: number;
    /** How to resolve its conflicts */
    resolve?: {
      /** `entry` of a conflict */
      entry: string;
      /** The side to keep */
      take: "story" | "step";
    }[];
  }[];
  /** The version that they get; the newest if absent or null */
  version?: number | null;
  /** Puts the changes into a new draft of each story; one under change control always gets a draft */
  into_drafts?: boolean;
}

export interface PreviewTemplate {
  /** Names the value in the response */
  key: string;
  /** Text with templates */
  template: string;
  /** Path of the option in an action of `type`, such as `["payload", "rows", 0]`: it is rendered as the action would. Without it, as a single template */
  option?: (number | string)[];
}

export interface PreviewTemplatesBody {
  /** The templates, in the order of the options: variables that one sets are known to those after it; at most 256 Ki characters in all */
  templates: PreviewTemplate[];
  /** The option `local` of the action, available as `LOCAL` */
  local?: {
    [key: string]: unknown;
  };
  /** true to return the input too */
  include_event?: boolean;
  /** Action type of the options */
  type?: string;
  /** Defaults to the language of the story, or else formula */
  language?: "liquid" | "formula";
  /** The story of the template */
  story_id?: number;
  /** The team whose resources it can use, without a story */
  team_id?: number;
  /** The input of the action, keyed by upstream action */
  event?: {
    [key: string]: unknown;
  };
  /** An event that the action receives, with its upstream events */
  event_id?: number;
  /** A past run: the input is what `action` received in it */
  run_guid?: string;
  /** The action in the run, by id or guid; it may be one of a draft */
  action?: number | string;
  /** Template inputs of the action, available as `INPUT` */
  action_inputs?: ActionInput[] | null;
}

export interface PreviewValue {
  /** The key that the request gave it */
  key: string;
  /** A text, or the indented JSON of another value: at most 2000 characters and 50 lines; null on error */
  value: string | null;
  /** The type of the result; null on error */
  type: "text" | "number" | "boolean" | "list" | "object" | "null" | null;
  /** Characters of a text, items of a list or keys of an object; null otherwise */
  size: number | null;
  /** Whether the result is longer; `templates/render` returns it whole */
  truncated: boolean;
  /** null if there is none */
  error: PreviewFault | null;
  /** The paths that the input lacks, without computed ones; at most 20 */
  missing: MissingPath[];
}

export interface PromoteChangeRequestBody {
  /** The id of the change request */
  change_request_id: number;
  /** Whether to delete the draft */
  delete_draft?: boolean;
  /** Promote without approval; for team admins */
  bypass_approval?: boolean;
  /** Required with bypass_approval; it is kept */
  bypass_approval_reason?: string | null;
  /** How to resolve the conflicts of a 412 response */
  resolve?: {
    /** `entry` of an error of the status 412 */
    entry: string;
    /** The side to keep */
    take: "live" | "draft";
  }[];
  /** How to resolve all conflicts that `resolve` does not name */
  resolve_rest?: {
    /** The side to keep */
    take: "live" | "draft";
    /** `live_version` of the comparison; ignored if the live story has another by now */
    live_version: number;
  };
  /** Replaces the story with the draft and discards later published changes */
  overwrite?: boolean;
  /** Publishes although tests fail where they block; for team admins */
  ignore_failed_tests?: boolean;
  /** Required with overwrite and ignore_failed_tests; recorded in the audit log */
  reason?: string | null;
}

export interface PromotedWebhook {
  /** Name of the action */
  action: string;
  /** null: a new path is generated */
  path: string | null;
  /** Its URL without the secret; null without a path */
  url: string | null;
  /** Whether the story has it already: its path and secret stay */
  is_kept: boolean;
}

export interface Promotion {
  /** The id */
  id: number;
  /** Name of the promotion and of its versions */
  name: string;
  /** How it was started */
  source: BundleSource;
  /** The user who promoted */
  user: {
    /** The id */
    id: number;
    /** null: the user has no name, or was deleted */
    name: string | null;
  };
  /** Why it overwrote changes; null if it did not */
  reason: string | null;
  /** When it was created */
  created_at: string;
  /** null: it stands */
  reverted_at: string | null;
  /** The user who reverted it */
  reverted_by: number | null;
  /** Why it was reverted over changes; null if it was not */
  revert_reason: string | null;
}

export interface PromotionCheck {
  /** Whether the promotion would be carried out */
  ok: boolean;
  /** In the order of the bundle */
  stories: CheckedPromotionStory[];
}

export interface PromotionChoice {
  /** Guid of the story in the source */
  source_guid: string;
  /** Does not promote the story */
  leave_out?: boolean;
  /** Decides single conflicts, as long as their values stay the same */
  resolve?: {
    /** `entry` of a conflict of the check */
    entry: string;
    /** `incoming`: the value of the bundle; `live`: the value here */
    take: "incoming" | "live";
  }[];
  /** Decides all conflicts that `resolve` does not name */
  resolve_rest?: {
    /** `incoming`: the value of the bundle; `live`: the value here */
    take: "incoming" | "live";
    /** `live_version` of the check; ignored if the story has another version by now */
    live_version: number;
  };
}

export interface PromotionConflict {
  /** Names the conflict in `choices`, as long as its values stay the same */
  entry: string;
  /** The side that `choices` takes; null: nobody has decided */
  take: "incoming" | "live" | null;
  /** The part that differs; `action`: a whole action, or its fields other than options */
  kind: "action" | "option" | "link" | "note" | "test" | "setting";
  /** Name of the action; null if none */
  action: string | null;
  /** Guid of the action or note; of a link, that of its source action; null if none */
  guid: string | null;
  /** Path in it, of a test after its name; null for the whole */
  path: string | null;
  /** The value with which it came last; null if absent or unknown */
  base: unknown;
  /** The value here; null if absent */
  live: unknown;
  /** The value with which it comes; null if absent */
  incoming: unknown;
  /** Why it is a conflict; null: both changed this very value */
  because: string | null;
}

export interface PromotionDetails {
  /** The id */
  id: number;
  /** Name of the promotion and of its versions */
  name: string;
  /** How it was started */
  source: BundleSource;
  /** The user who promoted */
  user: {
    /** The id */
    id: number;
    /** null: the user has no name, or was deleted */
    name: string | null;
  };
  /** Why it overwrote changes; null if it did not */
  reason: string | null;
  /** When it was created */
  created_at: string;
  /** null: it stands */
  reverted_at: string | null;
  /** The user who reverted it */
  reverted_by: number | null;
  /** Why it was reverted over changes; null if it was not */
  revert_reason: string | null;
  /** The names of this tenant that it used */
  mapping: PromotionMapping;
  /** In the order of the bundle */
  stories: PromotionStory[];
  /** Returned by writes; absent if none */
  warnings?: string[];
}

/** Other names in this tenant */
export interface PromotionMapping {
  /** Name of the team here, by the name in the bundle; the same name if absent */
  teams?: {
    [key: string]: string;
  };
  /** Name of the credential here, by the name in the bundle; the same name if absent */
  credentials?: {
    [key: string]: string;
  };
  /** Name of the resource here, by the name in the bundle; the same name if absent */
  resources?: {
    [key: string]: string;
  };
  /** Path of a webhook that is new here, by the name in the bundle; the same name if absent */
  webhook_paths?: {
    [key: string]: string;
  };
}

export interface PromotionRequest {
  /** The stories, as the source has bundled them */
  bundle: StoryBundle;
  /** Name of the promotion and of its versions; by default the tenant of the bundle */
  name?: string | null;
  /** Names that differ here from those of the bundle */
  mapping?: PromotionMapping;
  /** Decides conflicts, and leaves stories out */
  choices?: PromotionChoice[];
  /** Stories with conflicts that `choices` does not decide become as in the bundle, and lose all changes made here */
  overwrite?: boolean;
  /** Required with overwrite; recorded with the promotion */
  reason?: string | null;
}

export interface PromotionStory {
  /** The id of the story */
  story_id: number;
  /** The id of the team */
  team_id: number;
  /** Guid of the story in the source */
  source_guid: string;
  /** Its name in the bundle */
  name: string;
  /** How the promotion changes the story; `changed` also covers its name */
  state: "new" | "changed" | "unchanged";
  /** The version before; null if it was new or unchanged */
  version_before: number | null;
  /** The version that the promotion made; null if unchanged */
  version_after: number | null;
  /** The webhooks that the story has now */
  webhooks: PromotionWebhook[];
}

export interface PromotionWebhook {
  /** Name of the action */
  action: string;
  /** Part of its URL */
  path: string;
  /** Its URL without the secret */
  url: string;
}

export interface PublishStoryDraftBody {
  /** How to resolve the conflicts of a 412 response */
  resolve?: {
    /** `entry` of an error of the status 412 */
    entry: string;
    /** The side to keep */
    take: "live" | "draft";
  }[];
  /** How to resolve all conflicts that `resolve` does not name */
  resolve_rest?: {
    /** The side to keep */
    take: "live" | "draft";
    /** `live_version` of the comparison; ignored if the live story has another by now */
    live_version: number;
  };
  /** Replaces the story with the draft and discards later published changes */
  overwrite?: boolean;
  /** Publishes although tests fail where they block; for team admins */
  ignore_failed_tests?: boolean;
  /** Required with overwrite and ignore_failed_tests; recorded in the audit log */
  reason?: string | null;
}

export interface PublishedStory {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Description */
  description: string;
  /** Id that is stable across exports */
  guid: string;
  /** Name used in templates */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it is disabled */
  disabled: boolean;
  /** Whether its events have priority over other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** When its actions, links or notes last changed */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is not a draft */
  published: boolean;
  /** Whether its actions, links and notes are locked */
  locked: boolean;
  /** Whether they only change through promoted change requests */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The user or team to ask about the story; not part of exports */
  owner: {
    /** A user or a team */
    type: "USER" | "TEAM";
    /** The id */
    id: number;
    /** Current name */
    name: string;
  } | null;
  /** Tag names */
  tags: string[];
  /** Whether other stories can call it */
  send_to_story_enabled: boolean;
  /** Allowed callers; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Teams whose stories can call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Stored for compatibility with other platforms; no effect */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled: boolean;
  /** Same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty for all webhooks */
  api_entry_action_ids: number[];
  /** Empty for those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Recipients of failure notices */
  recipients: string[];
  /** Whether notices are sent for failures of all actions */
  monitor_failures: boolean;
  /** Markdown text: what to do when the story fails */
  runbook: string;
  /** Template for the subject of runs; null for telling fields of their first event */
  run_subject: string | null;
  /** Effect of failing tests on a publication; null: the tenant’s setting */
  tests_on_publish: "warn" | "block" | null;
  /** Folder of the gallery story it was created from; null if none */
  gallery_slug: string | null;
  /** Parts that could not be taken from the draft */
  warnings?: string[];
  /** Changes published by others since the draft was created; `before` is the draft’s value */
  merged?: StoryDifference[];
  /** Changes discarded by overwriting; absent if none */
  overwritten?: StoryDifference[];
  /** Results of the tests of the story; absent if it has none, and had none before */
  tests?: TestsVerdict;
}

export interface Queue {
  /** Name */
  queue: "webhook-events" | "story-runs" | "event-transformation" | "trigger" | "http-request" | "email" | "send-to-story";
  /** Jobs in Redis, of all teams. null if the caller is not an Owner, with several tenants, or if Redis could not be read */
  jobs: QueueJobs | null;
  /** Whether a process serves the queue; null if Redis does not tell */
  served: boolean | null;
  /** Whether the queue is paused; null if Redis does not tell */
  paused: boolean | null;
  /** Deliveries in MySQL, of the requested teams; null if they could not be read */
  deliveries: QueueDeliveries | null;
}

export interface QueueDeliveries {
  /** They have a job, or are about to get one */
  pending: number;
  /** Their story has used its share of jobs; they get one later */
  held: number;
  /** They wait until a set time, or until their action or story is enabled */
  sleeping: number;
  /** An attempt failed and will be retried */
  retrying: number;
  /** When the next of these attempts is due; null if there is none */
  next_retry_at: string | null;
  /** They wait for the rest of a group, or for a story they called */
  parked: number;
  /** Dead letters */
  failed: number;
  /** When the oldest pending or held delivery was created; null if there is none */
  oldest_at: string | null;
  /** Why deliveries wait, the reason of most first */
  reasons: QueueWaitingReason[];
}

export interface QueueJobs {
  /** Jobs waiting for a worker */
  waiting: number;
  /** Running jobs */
  active: number;
  /** Delayed jobs */
  delayed: number;
  /** Age of the oldest waiting job */
  oldest_seconds: number;
  /** Live workers; null if Redis does not list them */
  workers: number | null;
  /** Jobs that the live workers can run concurrently; null if Redis does not list workers */
  slots: number | null;
  /** Details of the pause, during which workers take no jobs; null if the queue is not paused */
  paused: QueuePause | null;
  /** Jobs finished in each of the last 60 minutes, oldest first, including postponed attempts */
  ended: number[];
  /** Jobs that failed permanently in each of the last 60 minutes */
  failed: number[];
}

export interface QueuePause {
  /** When it was paused on the queue board; null if unknown */
  since: string | null;
  /** Account that paused it; null if unknown */
  by: string | null;
}

export interface QueueWaitingReason {
  /** Why they wait. `mails_per_day`, `records`: the quota is used up; `rate_limit`: the server answered 429; `throttle`: its action lets only so many through; `retry`: an attempt failed; `delay`: its action waits for a set time; `credential`: a credential must be connected; `disabled`: its action or story is disabled; `frozen`: the tenant is being moved; `fair_share`: its story has its share of jobs; `group`: the rest of its group is missing; `call`: a story that it called is running; `slots`: its story has all the slots of a worker; `paused`: its queue is paused; `no_process`: no process serves its queue; `queued`: it waits for its turn; `running`: a worker has it */
  reason: "mails_per_day" | "records" | "rate_limit" | "throttle" | "retry" | "delay" | "credential" | "disabled" | "frozen" | "fair_share" | "group" | "call" | "slots" | "paused" | "no_process" | "queued" | "running";
  /** Deliveries that wait for it */
  count: number;
  /** When the oldest of them was created */
  oldest_at: string;
  /** When the first of them is due; null without a set time */
  until: string | null;
}

export interface Quota {
  /** Display name */
  name: "events_per_day" | "bytes_per_day" | "mails_per_day" | "processor_seconds_per_day" | "stories" | "records" | "schedules";
  /** Amount used */
  used: number;
  /** null for no limit */
  limit: number | null;
  /** Only for daily quotas */
  resets_at: string | null;
  /** `day`: counted per UTC day; null: what is stored now */
  window: "day" | null;
  /** Deliveries of your teams that wait for it; null if they could not be counted */
  waiting: number | null;
  /** When the oldest of these deliveries was created; null without any */
  waiting_since: string | null;
}

export interface Record {
  /** The id */
  id: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** The story that wrote it; null if none */
  story: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  } | null;
  /** The guid of the run */
  story_run_guid: string | null;
  /** Its record type */
  record_type: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  };
  /** The values of its fields */
  records: {
    /** The id of the field */
    field_id: string;
    /** Display name */
    name: string;
    /** The value as text; null if empty */
    value: string | null;
  }[];
  /** Child records */
  child_records: {
    /** The id */
    id: number;
    /** The values of its fields */
    records: {
      /** The id of the field */
      field_id: string;
      /** Display name */
      name: string;
      /** The value as text; null if empty */
      value: string | null;
    }[];
  }[];
  /** Whether it came from a test run */
  test_mode: boolean;
  /** The id of the parent */
  parent_id: number | null;
  /** The ids of the cases */
  case_ids: number[];
}

export interface RecordField {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The type of the values */
  result_type: "TEXT" | "NUMBER" | "TIMESTAMP" | "BOOLEAN" | "TEXT_ENUM";
  /** Allowed values, for fields of the type TEXT_ENUM */
  fixed_values: string[];
}

export interface RecordType {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the team */
  team_id: number;
  /** Whether it can be changed through the API */
  editable: boolean;
  /** Always null; records are kept until they are deleted */
  ttl_days: number | null;
  /** Custom fields of the type */
  record_fields: RecordField[];
  /** Default fields of every type */
  default_record_fields: RecordField[];
}

export interface RemoveActionEventsBody {
  /** true to respond immediately and remove the events within minutes */
  async_deletion?: boolean;
}

export interface RemoveGlobalResourceBody {
  /** For a list; negative counts from the end */
  index?: number;
  /** For an object */
  key?: string;
  /** Whether to change the test value */
  is_test?: boolean;
}

export interface RemoveStoryRecipientBody {
  /** Mail address, or HTTP or HTTPS address */
  address: string;
  /** Draft of the story; null for the story itself */
  draft_id?: number | null;
}

export interface RenamePreview {
  /** How templates refer to the action */
  slug: {
    /** Name in templates */
    before: string;
    /** New name in templates */
    after: string;
  };
  /** How many places change, the name included */
  count: number;
  /** The first 1,000 places that change */
  places: RenamedPlace[];
  /** The actions that change */
  agents: RenamedAction[];
  /** The notes that change */
  notes: RenamedNote[];
  /** The old and the new slug, if other actions have them too */
  shared: SharedSlug[];
  /** The first 1,000 texts that may refer to the action unseen; unchanged */
  unsure: UnsureReference[];
}

export interface RenamePreviewBody {
  /** The story or draft under edit, whose language the templates have */
  story_id: number;
  /** All actions */
  agents: DocumentAction[];
  /** All links between them */
  links: ExportedLink[];
  /** All notes */
  notes?: DocumentNote[] | null;
  /** The action to rename */
  guid?: string;
  /** Its position in `agents`, from 0, instead of `guid` */
  index?: number;
  /** Its new name */
  name: string;
}

export interface RenamedAction {
  /** Position in `agents`, from 0 */
  index: number;
  /** null if it has none */
  guid: string | null;
  /** Name after the rename */
  name: string;
  /** All options, in their order */
  options: {
    [key: string]: unknown;
  };
  /** Present if they change */
  action_inputs?: ActionInput[] | null;
  /** Present if they change */
  record_writers?: unknown[];
}

export interface RenamedNote {
  /** Position in `notes`, from 0 */
  index: number;
  /** null if it has none */
  guid: string | null;
  /** All of its text after the rename */
  content: string;
}

export interface RenamedPlace {
  /** The kind of part that has the text */
  part: "action" | "note";
  /** Position in `agents` or `notes`, from 0 */
  index: number;
  /** null if it has none */
  guid: string | null;
  /** Name of the action; null for a note */
  name: string | null;
  /** Such as `options.payload.fields[0].text` */
  path: string;
  /** The same path as keys and positions */
  keys: (number | string)[];
  /** From 1 */
  line: number;
  /** From 1 */
  column: number;
  /** The line around the place */
  before: string;
  /** The same after the rename */
  after: string;
}

export interface RenamesPreview {
  /** How many places change, the names included */
  count: number;
  /** The actions that change */
  agents: RenamedAction[];
  /** The notes that change */
  notes: RenamedNote[];
}

export interface RenamesPreviewBody {
  /** The story or draft under edit, whose language the templates have */
  story_id: number;
  /** All actions */
  agents: DocumentAction[];
  /** All links between them */
  links: ExportedLink[];
  /** All notes */
  notes?: DocumentNote[] | null;
  /** The actions to rename, one after the other */
  renames: {
    /** Its position in `agents`, from 0 */
    index: number;
    /** Its new name */
    name: string;
  }[];
}

export interface RenderTemplateBody {
  /** Text with templates, or a value containing such text */
  template?: unknown;
  /** The options of an action, instead of `template` */
  options?: {
    [key: string]: unknown;
  };
  /** Action type of the options */
  type?: string;
  /** Defaults to the language of the story, or else formula */
  language?: "liquid" | "formula";
  /** The story of the template */
  story_id?: number;
  /** The team whose resources it can use, without a story */
  team_id?: number;
  /** The input of the action, keyed by upstream action */
  event?: {
    [key: string]: unknown;
  };
  /** An event that the action receives, with its upstream events */
  event_id?: number;
  /** A past run: the input is what `action` received in it */
  run_guid?: string;
  /** The action in the run, by id or guid; it may be one of a draft */
  action?: number | string;
  /** Template inputs of the action, available as `INPUT` */
  action_inputs?: ActionInput[] | null;
}

export interface RenderedTemplate {
  /** The result with its type; null on error */
  value: unknown;
  /** null if there is none */
  error: TemplateFault | null;
}

export interface ReplaceCaseActionsBody {
  /** All actions of the case, in order */
  actions: {
    /** The address */
    url: string;
    /** The text of the link */
    label: string;
    /** `page` is a link to open */
    action_type?: string;
    /** Text of the button; empty for none */
    action_text?: string;
    /** The id */
    id?: unknown;
  }[];
}

export interface ReplaceCaseActionsResponse {
  /** The id of the case */
  case_id: number;
  /** The new actions */
  actions: CaseAction[];
}

export interface ReplaceGlobalResourceBody {
  /** For a list; negative counts from the end */
  index?: number;
  /** For an object */
  key?: string;
  /** Whether to change the test value */
  is_test?: boolean;
  /** Any JSON value */
  value: unknown;
  /** Expected current value */
  if_value?: unknown;
}

export interface ReplaceStoryBody {
  /** The story */
  data: StoryExport;
  /** Text of the version about the change, such as a commit */
  description?: string | null;
}

export interface RepositoryChange {
  /** `pull`: from the repository */
  direction: "pull" | "push";
  /** The change of the story or of its files */
  kind: "add" | "change" | "delete";
  /** `planned`: in a dry run; `conflict`: a person must decide; `waiting`: for the merge of its pull request; `held`: nothing was done */
  state: "planned" | "done" | "conflict" | "waiting" | "held";
  /** null: the server has no such story */
  story_id: number | null;
  /** Name of the story */
  name: string;
  /** Path of its file or folder, without an ending */
  place: string;
  /** The commit, or the reason of the state */
  message: string | null;
  /** Conflicts, faults of files, or warnings */
  details: string[];
  /** The draft that holds the files, to be published or deleted */
  draft_id: number | null;
  /** Page where the pull request is made or seen */
  compare_url: string | null;
}

export interface RepositorySync {
  /** The id */
  id: number;
  /** The user who asked for it; null: it was due */
  user_id: number | null;
  /** Commit of the branch */
  commit: string | null;
  /** Stories that got changes */
  pulled: number;
  /** Stories whose files got changes */
  pushed: number;
  /** Stories that wait for a person */
  conflicts: number;
  /** Why it failed; null: it did not */
  error: string | null;
  /** When it began */
  started_at: string;
  /** When it ended */
  ended_at: string;
}

export interface RepositorySyncResult {
  /** Whether nothing was written */
  dry_run: boolean;
  /** Commit of the branch afterwards */
  commit: string | null;
  /** Why the sync failed; null: it did not */
  error: string | null;
  /** Stories that the sync did not come to in its time: the next one begins at once, and goes on */
  left: number;
  /** Changes of both directions */
  changes: RepositoryChange[];
}

export interface ResendTeamInvitationBody {
  /** The id of the user */
  user_id: number;
}

export interface Resource {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** Alternative name for templates */
  slug: string;
  /** Text, or JSON for lists, objects, numbers and booleans. With `typed_value=true`, the value itself */
  value: unknown;
  /** The type of `value` */
  value_type: "text" | "array" | "object" | "number" | "boolean";
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** The user who created it */
  user_id: number | null;
  /** Description */
  description: string;
  /** Teams that can use it */
  read_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the other teams that can use it */
  shared_team_slugs: string[];
  /** Whether story drafts use the test value */
  test_resource_enabled: boolean;
  /** Test value for story drafts */
  test_resource: {
    /** Text, or JSON for lists, objects, numbers and booleans. With `typed_value=true`, the value itself */
    value: unknown;
    /** When it was created */
    created_at: string;
    /** When it last changed */
    updated_at: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** With `include_referencing_action_ids`: the actions that refer to it */
  referencing_action_ids?: number[];
}

export interface RestoredStoryVersion {
  /** The version */
  story_version: StoryVersion;
  /** Parts that could not be restored */
  warnings?: string[];
}

export interface RetryDeadLettersBody {
  /** The id of the team */
  team_id?: number;
  /** The id of the story */
  story_id?: number;
  /** The id of the agent */
  agent_id?: number;
  /** Same as `agent_id` */
  action_id?: number;
  /** The guid of the run */
  story_run_guid?: string;
  /** Part of the error message; case-insensitive */
  error?: string;
  /** Error type, as returned by `GET /api/v1/dead_letters/groups` */
  error_kind?: string;
  /** Failed at or after this time */
  since?: string;
  /** Failed before this time */
  until?: string;
  /** Maximum number, oldest first */
  limit?: number;
  /** All dead letters of the teams that you can write to */
  all?: true;
}

export interface RetryDeadLettersResponse {
  /** Number of retried deliveries */
  retried: number;
  /** Remaining, because one request handles at most `limit` or 10,000; counted up to 100,000 */
  remaining: number;
}

export interface RevertPromotionBody {
  /** Reverts stories that were changed since, too; those changes stay as versions */
  overwrite?: boolean;
  /** Required with overwrite; recorded with the promotion */
  reason?: string | null;
}

export interface Run {
  /** Id that is stable across exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** How it was started */
  source: "webhook" | "api" | "schedule" | "send_to_story";
  /** The state */
  status: "running" | "completed" | "failed" | "cancelled";
  /** When it was created */
  created_at: string;
  /** When its last event was stored, its last delivery failed, or it was cancelled */
  ended_at: string | null;
  /** When it was cancelled; null if it was not */
  cancelled_at: string | null;
  /** Same as `created_at` */
  start_time: string;
  /** Same as `ended_at` */
  end_time: string | null;
  /** Duration in seconds; null while it is running */
  duration: number | null;
  /** Number of events */
  event_count: number;
  /** Number of actions that emitted events */
  action_count: number;
  /** TEST for the run of a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft of the run; null for the live story */
  draft_id: number | null;
  /** Name of the draft */
  draft_name: string | null;
  /** Subject of the run: the template `run_subject` of its story, or telling fields of its first event. null if that was deleted, exceeds 64 KiB or has no plain values */
  subject: string | null;
  /** Why it failed, in one line: the status and the message of the response, or else the error; of its first dead letter, null if it has none */
  cause: string | null;
  /** Number of steps that logged errors and did not fail, among the first 1,000 errors of the run */
  warnings: number;
}

export interface RunAction {
  /** The id of the agent */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** Events that it emitted */
  done: number;
  /** Dead letters */
  failed: number;
  /** Open deliveries */
  waiting: number;
  /** Why they do not run, the reason of most first; `queued` covers all with a job */
  waiting_reasons: WaitingReason[];
  /** Steps that logged errors and did not fail */
  warnings: number;
  /** Failed attempts */
  attempts: number;
  /** Median processing time in ms; null if unknown */
  p50_ms: number | null;
  /** 95th percentile of the processing time in ms; null if unknown */
  p95_ms: number | null;
}

export interface RunActionBody {
  /** The event that a webhook emits, or the input of another action, keyed by upstream action */
  event?: {
    [key: string]: unknown;
  };
  /** Same as `event` */
  payload?: {
    [key: string]: unknown;
  };
}

export interface RunDetails {
  /** Id that is stable across exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** How it was started */
  source: "webhook" | "api" | "schedule" | "send_to_story";
  /** The state */
  status: "running" | "completed" | "failed" | "cancelled";
  /** When it was created */
  created_at: string;
  /** When its last event was stored, its last delivery failed, or it was cancelled */
  ended_at: string | null;
  /** When it was cancelled; null if it was not */
  cancelled_at: string | null;
  /** Same as `created_at` */
  start_time: string;
  /** Same as `ended_at` */
  end_time: string | null;
  /** Duration in seconds; null while it is running */
  duration: number | null;
  /** Number of events */
  event_count: number;
  /** Number of actions that emitted events */
  action_count: number;
  /** TEST for the run of a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft of the run; null for the live story */
  draft_id: number | null;
  /** Name of the draft */
  draft_name: string | null;
  /** Subject of the run: the template `run_subject` of its story, or telling fields of its first event. null if that was deleted, exceeds 64 KiB or has no plain values */
  subject: string | null;
  /** Why it failed, in one line: the status and the message of the response, or else the error; of its first dead letter, null if it has none */
  cause: string | null;
  /** Number of steps that logged errors and did not fail, among the first 1,000 errors of the run */
  warnings: number;
  /** Whether it was read from the archive because retention deleted it */
  archived: boolean;
  /** The input of the run; null for a run that a webhook started */
  input: unknown;
  /** Number of log lines */
  log_count: number;
  /** Number of events still to be processed */
  open_delivery_count: number;
  /** The first hundred open deliveries */
  open_deliveries: {
    /** The id */
    id: number;
    /** The id of the agent */
    agent_id: number;
    /** null if the action was deleted */
    agent_name: string | null;
    /** null if the action is the first of the run */
    event_id: number | null;
    /** Number of attempts */
    attempts: number;
    /** Why it failed; null if it did not */
    error: string | null;
    /** Why it failed, in one line: the status and the message of the response, or else the error; null if nothing failed */
    cause: string | null;
    /** When it was created */
    created_at: string;
    /** The queue of its jobs */
    queue: string;
    /** `pending`: runs as soon as possible; `waiting`: runs at its time; `held`: runs when its story has fewer jobs; `parked`: runs when others have ended */
    state: "pending" | "waiting" | "held" | "parked";
    /** Why it does not run now. `mails_per_day`, `records`: the quota is used up; `rate_limit`: the server answered 429; `throttle`: its action lets only so many through; `retry`: an attempt failed; `delay`: its action waits for a set time; `credential`: a credential must be connected; `disabled`: its action or story is disabled; `frozen`: the tenant is being moved; `fair_share`: its story has its share of jobs; `group`: the rest of its group is missing; `call`: a story that it called is running; `slots`: its story has all the slots of a worker; `paused`: its queue is paused; `no_process`: no process serves its queue; `queued`: it waits for its turn; `running`: a worker has it */
    reason: "mails_per_day" | "records" | "rate_limit" | "throttle" | "retry" | "delay" | "credential" | "disabled" | "frozen" | "fair_share" | "group" | "call" | "slots" | "paused" | "no_process" | "queued" | "running";
    /** When it is due; null unless it waits for a time */
    waits_until: string | null;
  }[];
  /** Number of dead letters */
  dead_letter_count: number;
  /** The first hundred dead letters */
  dead_letters: {
    /** The id */
    id: number;
    /** The id of the agent */
    agent_id: number;
    /** null if the action was deleted */
    agent_name: string | null;
    /** null if the action is the first of the run */
    event_id: number | null;
    /** Number of attempts */
    attempts: number;
    /** Why it failed; null if it did not */
    error: string | null;
    /** Why it failed, in one line: the status and the message of the response, or else the error; null if nothing failed */
    cause: string | null;
    /** When it was created */
    created_at: string;
    /** Error text without ids, addresses, times, quoted text and numbers */
    error_kind: string;
    /** When it last failed */
    failed_at: string | null;
  }[];
  /** Number of failed attempts, those of steps that succeeded later included */
  attempt_count: number;
  /** The first hundred failed attempts, oldest first, without what they sent and received */
  attempts: AttemptSummary[];
  /** null if the run has no dead letter */
  failure: RunFailure | null;
  /** Events of the page, oldest first */
  events: Event[];
  /** The same events without payloads, for public clients */
  story_run_events: RunEvent[];
  /** Paging of the list */
  meta: PageMeta;
}

export interface RunEvent {
  /** The id */
  id: number;
  /** The action that emitted it */
  action_id: number;
  /** null if the action was deleted */
  action_name: string | null;
  /** Its upstream events, oldest first */
  previous_events_ids: number[];
  /** When it was created */
  created_at: string;
  /** Same as `created_at`: events do not change */
  updated_at: string;
  /** Same time with milliseconds */
  emitted_at: string;
  /** Processing time of the action in ms; null if unknown, or for the input of the run */
  work_ms: number | null;
}

export interface RunFailure {
  /** The first dead letter of the run */
  dead_letter_id: number;
  /** The action that failed */
  agent_id: number;
  /** null if the action was deleted */
  agent_name: string | null;
  /** null if the action is the first of the run */
  event_id: number | null;
  /** Why it failed; null if it did not */
  error: string | null;
  /** Error text without ids, addresses, times, quoted text and numbers */
  error_kind: string;
  /** Why it failed, in one line: the status and the message of the response, or else the error */
  cause: string | null;
  /** Number of attempts */
  attempts: number;
  /** When it last failed */
  failed_at: string | null;
  /** Dead letters of the action with this error type, in all runs */
  same: {
    /** Their number, this one included */
    dead_letters: number;
    /** When the first one failed */
    first_failed_at: string;
    /** When the last one failed */
    last_failed_at: string;
    /** false if only the newest 100,000 dead letters were counted */
    complete: boolean;
  };
  /** The last change of the story before the run started; null if none is known */
  story_change: {
    /** The id of the version */
    version_id: number;
    /** Version number in the story */
    number: number;
    /** Name of the version */
    name: string | null;
    /** Source of the version, as in the list of versions */
    source: string;
    /** When the version was saved */
    changed_at: string;
    /** The user who changed it; null if the user was deleted */
    by: {
      /** The id */
      id: number;
      /** Display name */
      name: string;
    } | null;
  } | null;
}

export interface RunSearchMeta {
  /** Maximum runs per page */
  per_page: number;
  /** `before` of the next page; null if there are no more runs */
  next_before: string | null;
  /** Number of runs compared with the search */
  looked_at: number;
  /** false if some runs were not compared: continue with `next_before`, or the time between `indexed_until` and `looked_since` was skipped */
  complete: boolean;
  /** Runs started before this were found through the index; null if it was not needed */
  indexed_until: string | null;
  /** If the search ended at its limit: runs started since were compared with all their events; otherwise null */
  looked_since: string | null;
}

export interface RunSearchResult {
  /** Runs of the page */
  story_runs: FoundRun[];
  /** Paging of the list */
  meta: RunSearchMeta;
}

export interface RunSummary {
  /** The run as in the list */
  story_run: Run;
}

export interface SavedStoryTest {
  /** The test */
  test: StoryTest;
  /** Whether it replaces no other test */
  added: boolean;
}

export interface Schedule {
  /** The id */
  id: number;
  /** The id of the team */
  team_id: number;
  /** Minute, hour, day of month, month and day of week */
  cron: string;
  /** IANA time zone of these times */
  timezone: string;
  /** Its next time; nothing starts if it is paused, or the action or the story is disabled */
  next_at: string;
  /** Since when it is paused and starts no runs; null: it is not paused */
  paused_at: string | null;
  /** The scheduled time of its last run */
  last_at: string | null;
  /** Its last run; null if none, or if the run was deleted */
  last_run: {
    /** Id that is stable across exports */
    guid: string;
    /** The state */
    status: "running" | "completed" | "failed" | "cancelled";
  } | null;
  /** Its last skipped starts; null if none */
  last_skip: {
    /** The first skipped start */
    from: string;
    /** When the scheduler checked; starts up to this time were skipped */
    until: string;
    /** `late`: no process was running; `quota`: the daily run quota of the tenant was used up */
    reason: "late" | "quota";
  } | null;
  /** Its next times up to `starts_until`, the first 100; null without `starts_until`, or for a zone that the server does not know */
  starts: string[] | null;
  /** false if there are more than 100 starts */
  starts_complete: boolean;
  /** The action that it starts */
  action: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
    /** Its type */
    type: string;
    /** Whether the action is disabled */
    disabled: boolean;
  };
  /** The story of the action */
  story: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
    /** Whether the story is disabled */
    disabled: boolean;
    /** Whether its actions are locked */
    locked: boolean;
    /** Whether its actions only change through promoted change requests */
    change_control_enabled: boolean;
  };
}

export interface SentRequest {
  /** When it was sent, by the worker clock */
  sent_at: string;
  /** In upper case */
  method: string;
  /** URL with query; credentials are replaced by markers */
  url: string;
  /** By lower-case name, without connection headers; user names and passwords are `[hidden]` */
  headers: {
    [key: string]: string;
  };
  /** Body text, at most the first 8 KiB; null if there was none, or if it was omitted */
  body: string | null;
  /** Size of the whole body, with credentials replaced by markers; null if unknown */
  body_bytes: number | null;
  /** Why the body has no text: `binary`: not UTF-8 text; `large`: larger than 256 KiB and may contain a credential */
  body_left_out: "binary" | "large" | null;
  /** Parts that were truncated */
  truncated: ("url" | "headers" | "body")[];
}

export interface ShadowSkippedRuns {
  /** Retention has deleted the event that it began with */
  events_deleted: number;
  /** Too large or too long for a trial */
  too_large: number;
  /** A part of it is too large for a trial, or belongs to another team */
  incomplete: number;
  /** It had not ended after an hour, or when the last runs were taken */
  not_ended: number;
  /** It was cancelled */
  cancelled: number;
  /** The draft has no enabled action in the place of the one that it began at */
  no_start: number;
  /** The comparison failed; the log of the maintenance worker says why */
  failed: number;
}

export interface ShadowedAction {
  /** In the draft; null if the draft has none in its place */
  id: number | null;
  /** In the live story; in the draft for a new action */
  guid: string;
  /** Display name */
  name: string;
}

export interface SharedPlace {
  /** The kind of part that has the text */
  part: "action" | "note";
  /** Position in `agents` or `notes`, from 0 */
  index: number;
  /** null if it has none */
  guid: string | null;
  /** Name of the action; null for a note */
  name: string | null;
  /** Such as `options.payload.fields[0].text` */
  path: string;
  /** The same path as keys and positions */
  keys: (number | string)[];
  /** From 1 */
  line: number;
  /** From 1 */
  column: number;
  /** The line around the place */
  before: string;
  /** The same after the rename */
  after: string;
  /** Whether the place changes */
  renamed: boolean;
}

export interface SharedSlug {
  /** Name in templates */
  slug: string;
  /** Other actions with this slug */
  actions: {
    /** Position in `agents`, from 0 */
    index: number;
    /** null if it has none */
    guid: string | null;
    /** Display name */
    name: string;
  }[];
  /** The first 1,000 places that may mean this action or one of the others */
  places: SharedPlace[];
}

export interface SignIn {
  /** Id of its audit log entry */
  id: number;
  /** The id of the user */
  user_id: number;
  /** IP address of the sign-in; null if unknown */
  ip: string | null;
  /** User agent */
  user_agent: string | null;
  /** When it was created */
  created_at: string;
}

export interface StartStoryRunBody {
  /** The first action */
  agent_id?: number;
  /** The event that a webhook emits, or the input of another action */
  payload?: {
    [key: string]: unknown;
  };
}

export interface StartedRun {
  /** The guid of the run */
  story_run_guid: string;
  /** The id of the story */
  story_id: number;
  /** The first action */
  agent_id: number;
  /** The event of a webhook, or the input of another action; null while the database is unavailable */
  event_id: number | null;
}

export interface Statistics {
  /** Start of the group */
  from: string;
  /** End of the group, exclusive */
  to: string;
  /** null for minutes, hours and days */
  story_id: number | null;
  /** null for minutes, hours and days */
  story_name: string | null;
  /** null except for actions */
  action_id: number | null;
  /** null except for actions */
  action_name: string | null;
  /** null for actions, because runs belong to stories */
  runs_started: number | null;
  /** Runs that completed, failed or were cancelled; counted when they end */
  runs_ended: number | null;
  /** Ended runs with a dead letter */
  runs_failed: number | null;
  /** Ended runs that were cancelled */
  runs_cancelled: number | null;
  /** `runs_failed` divided by `runs_ended`; null if none ended */
  failure_rate: number | null;
  /** Mean seconds from the start of a run to its last event; null for minutes, and if no run ended without being cancelled */
  mean_duration: number | null;
  /** 95th percentile of the duration in seconds; up to 1.41 times too high. null like `mean_duration` */
  p95_duration: number | null;
  /** Accepted webhook calls */
  webhook_calls: number;
  /** Events that actions emitted */
  events: number;
  /** Deliveries that failed permanently */
  dead_letters: number;
  /** Permanent failures handled by failure links */
  handled_failures: number;
  /** `runs_started` for each counted hour */
  runs_per_hour: number | null;
  /** Mean processing time per event in seconds, without queue time; null if unknown, and except for actions */
  mean_work: number | null;
  /** `events` for each counted hour */
  events_per_hour: number;
}

export interface Step {
  /** The id */
  id: number;
  /** Named in `fabula_step` of actions that came from it */
  guid: string;
  /** Display name */
  name: string;
  /** Description */
  description: string;
  /** The team whose stories may use it; null: all of the tenant */
  team_id: number | null;
  /** The user who created it */
  user_id: number;
  /** Language of its templates */
  language: "liquid" | "formula";
  /** The newest version; also the `ETag` */
  version: number;
  /** Actions of the newest version */
  actions: number;
  /** Their types */
  action_types: string[];
  /** Live stories with actions of it, among those that you may see */
  stories: number;
  /** Stories of `stories` with an older version */
  stories_behind: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface StepConflict {
  /** The part that differs; `action`: a whole action, or its fields other than options */
  kind: "action" | "option" | "link" | "note" | "test" | "setting";
  /** Name of the action; null if none */
  action: string | null;
  /** Guid of the action or note; of a link, that of its source action; null if none */
  guid: string | null;
  /** Path in it, of a test after its name; null for the whole */
  path: string | null;
  /** Names the conflict in `resolve` */
  entry: string;
  /** In the version that the story took; null if absent or unknown */
  base: unknown;
  /** In the story */
  story: unknown;
  /** In the version that it would get */
  step: unknown;
  /** Why it is a conflict; null: both changed this very value */
  because: string | null;
}

export interface StepUpdate {
  /** The id of the story */
  story_id: number;
  /** The name of the story */
  story_name: string;
  /** `current`: it has the version already; `ready`: a preview found no conflict; `conflicts`: some are open, and the story is unchanged; `refused`: see `problem` */
  status: "current" | "ready" | "updated" | "conflicts" | "refused";
  /** Whether the changes go into a new draft */
  into_draft: boolean;
  /** The new draft; null if none */
  draft_id: number | null;
  /** Changes in the story */
  differences: StoryDifference[];
  /** Changes that the story itself has made since it took the step */
  local: StoryDifference[];
  /** Parts that both have changed, at most 500 */
  conflicts: StepConflict[];
  /** All conflicts, listed or not */
  conflict_count: number;
  /** Why the story was refused */
  problem: string | null;
  /** Parts that could not be taken */
  warnings: string[];
}

export interface StepUpdates {
  /** One for each story, in order */
  updates: StepUpdate[];
}

export interface StepUse {
  /** The id of the story */
  story_id: number;
  /** The name of the story */
  story_name: string;
  /** The id of the team */
  team_id: number;
  /** The oldest version of the step that one of the actions has */
  version: number;
  /** Whether the step has a newer version */
  behind: boolean;
  /** Whether the story has changed the actions since; null if the version is not kept any more */
  changed: boolean | null;
  /** Whether an update goes into a draft */
  change_control: boolean;
  /** Whether the story is locked: it cannot be updated */
  locked: boolean;
  /** Actions of the story that came from the step */
  actions: StepUseAction[];
}

export interface StepUseAction {
  /** The id */
  id: number;
  /** Id that is stable across exports */
  guid: string;
  /** Display name */
  name: string;
  /** The version of the step that it has */
  version: number;
  /** The action in the step */
  action: string;
}

export interface StepVersion {
  /** The id of the step */
  step_id: number;
  /** Version number in the step, from 1 */
  number: number;
  /** Why it was made */
  reason: string;
  /** The user who made it */
  user: {
    /** The id */
    id?: number;
    /** First name */
    first_name?: string;
    /** Last name */
    last_name?: string;
    /** Email address, also used to sign in */
    email?: string;
  };
  /** When it was created */
  created_at: string;
}

export interface StepVersionContent {
  /** The id of the step */
  step_id: number;
  /** Version number in the step, from 1 */
  number: number;
  /** Why it was made */
  reason: string;
  /** The user who made it */
  user: {
    /** The id */
    id?: number;
    /** First name */
    first_name?: string;
    /** Last name */
    last_name?: string;
    /** Email address, also used to sign in */
    email?: string;
  };
  /** When it was created */
  created_at: string;
  /** Actions, links and notes as in a graph of a story, without ids, addresses and secrets. Actions have the mark `fabula_step` that they keep in a story */
  content: StoryGraphChanges;
}

/** An action of a story */
export interface StoredGraphAction {
  /** Action type; unsupported types are stored but do not run */
  type: string;
  /** Display name; templates use its slug */
  name: string;
  /** Id that is stable across exports */
  guid?: string;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Options of the action type */
  options: {
    [key: string]: unknown;
  };
  /** Seconds; 0 to use the setting of the story */
  keep_events_for?: number | null;
  /** Position on the canvas; unchanged if absent, removed if null */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** Template inputs, available as `INPUT`; unchanged if absent, removed if null */
  action_inputs?: ActionInput[] | null;
  /** The action */
  id: number;
  [key: string]: unknown;
}

/** A note on the canvas */
export interface StoredGraphNote {
  /** Id that is stable across exports */
  guid?: string | null;
  /** Text, which may contain markup */
  content: string;
  /** Position on the canvas */
  position?: {
    /** Horizontal position */
    x: number;
    /** Downwards */
    y: number;
  } | null | number[];
  /** The note; null if none */
  id: number | null;
  [key: string]: unknown;
}

export interface Story {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Description */
  description: string;
  /** Id that is stable across exports */
  guid: string;
  /** Name used in templates */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it is disabled */
  disabled: boolean;
  /** Whether its events have priority over other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** When its actions, links or notes last changed */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is not a draft */
  published: boolean;
  /** Whether its actions, links and notes are locked */
  locked: boolean;
  /** Whether they only change through promoted change requests */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The user or team to ask about the story; not part of exports */
  owner: {
    /** A user or a team */
    type: "USER" | "TEAM";
    /** The id */
    id: number;
    /** Current name */
    name: string;
  } | null;
  /** Tag names */
  tags: string[];
  /** Whether other stories can call it */
  send_to_story_enabled: boolean;
  /** Allowed callers; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Teams whose stories can call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Stored for compatibility with other platforms; no effect */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled: boolean;
  /** Same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty for all webhooks */
  api_entry_action_ids: number[];
  /** Empty for those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Recipients of failure notices */
  recipients: string[];
  /** Whether notices are sent for failures of all actions */
  monitor_failures: boolean;
  /** Markdown text: what to do when the story fails */
  runbook: string;
  /** Template for the subject of runs; null for telling fields of their first event */
  run_subject: string | null;
  /** Effect of failing tests on a publication; null: the tenant’s setting */
  tests_on_publish: "warn" | "block" | null;
  /** Folder of the gallery story it was created from; null if none */
  gallery_slug: string | null;
}

export interface StoryBundle {
  /** Version of the format */
  fabula_bundle: 1;
  /** How it was started */
  source: BundleSource;
  /** When the bundle was made */
  exported_at: string;
  /** The stories */
  stories: BundleStory[];
  /** Names to be found here or mapped; not checked against the stories */
  needs?: BundleNeeds;
}

export interface StoryCheck {
  /** false if an import would be rejected, or an action would fail */
  ok: boolean;
  /** Why an import would be rejected */
  refusals: {
    /** The text */
    message: string;
    /** Path of the field; null for the whole */
    details: string | null;
  }[];
  /** Warnings for the owner */
  warnings: string[];
  /** null if its format is invalid */
  story: CheckedStory | null;
  /** Team items that its templates need */
  needs: {
    /** Names */
    credentials: string[];
    /** Names */
    resources: string[];
    /** Names */
    stories: string[];
  };
  /** Sums over all actions */
  counts: {
    [key: string]: number;
  };
}

export interface StoryDifference {
  /** The part that differs; `action`: a whole action, or its fields other than options */
  kind: "action" | "option" | "link" | "note" | "test" | "setting";
  /** Name of the action; null if none */
  action: string | null;
  /** Guid of the action or note; of a link, that of its source action; null if none */
  guid: string | null;
  /** Path in it, of a test after its name; null for the whole */
  path: string | null;
  /** How it differs */
  change: "added" | "removed" | "changed";
  /** null if absent */
  before: unknown;
  /** null if absent */
  after: unknown;
}

/** A story in the export format; unknown keys are kept */
export interface StoryExport {
  /** Format version, which sets the template language */
  schema_version: number;
  /** Display name */
  name?: string | null;
  /** Description */
  description?: string | null;
  /** Id that is stable across exports */
  guid?: string | null;
  /** The actions */
  agents: ExportedAction[];
  /** Links between actions */
  links: ExportedLink[];
  /** Event retention in seconds */
  keep_events_for?: number | null;
  /** Whether it is disabled */
  disabled?: boolean | null;
  /** Whether its events have priority over other stories */
  priority?: boolean | null;
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled?: boolean | null;
  /** Stored without effect */
  standard_lib_version?: unknown;
  /** Stories called by its actions */
  send_to_stories?: EmbeddedStory[] | null;
  [key: string]: unknown;
}

export interface StoryGraph {
  /** The story */
  story_id: number;
  /** Incremented by every change of the story; also the `ETag` */
  version: number;
  /** Its actions, as in an export, with `id` and `position` */
  agents: StoredGraphAction[];
  /** By the positions of the actions, from 0 */
  links: ExportedLink[];
  /** Its notes, as in an export, with `id` and `position` */
  notes: StoredGraphNote[];
  /** Returned by writes: parts that cannot work or have no effect; absent if none */
  warnings?: string[];
}

export interface StoryGraphChanges {
  /** All actions of the story */
  agents: GraphAction[];
  /** All links between them */
  links: ExportedLink[];
  /** All notes on the canvas; unchanged if absent */
  notes?: GraphNote[];
  /** The edited version, as returned with the graph; if the story has changed since, the response is 412. `If-Match` takes precedence; absent or null matches any */
  version?: number | null;
}

export interface StoryPresence {
  /** The others, by name */
  people: {
    /** Name of the person */
    name: string;
    /** The draft that is open; null for the live story */
    draft_id: number | null;
    /** The guid of the chosen action, or null */
    action_guid: string | null;
  }[];
}

export interface StoryTest {
  /** Unique in its story */
  name: string;
  /** Purpose of the test */
  description?: string;
  /** Name of the action to start at; default: where a manual run starts */
  action?: string;
  /** The event that a webhook emits, or that another action receives */
  event?: unknown;
  /** Instead of `event`: the body of a request to the webhook */
  body?: unknown;
  /** Headers of that request */
  headers?: {
    [key: string]: string;
  };
  /** Time at which the run starts; default: 2026-01-01T09:00:00.000Z */
  at?: string;
  /** Responses to HTTP requests; nothing is sent */
  answers?: {
    /** Default: any method */
    method?: string;
    /** URL with query; `*` matches any text */
    url: string | {
      /** Regular expression to find in the URL */
      regex: string;
    };
    /** Parts that the body must contain: keys of objects, elements of lists */
    body?: unknown;
    /** Number of requests it answers; default: all */
    times?: number;
    /** 0 for no response */
    status?: number;
    /** Response headers */
    headers?: {};
    /** Response body: text unchanged, any other value as JSON */
    answer?: unknown;
    /** The body as base64, instead of `answer` */
    base64?: string;
    /** Only answers this action: id, guid or name */
    action?: number | string;
  }[];
  /** Resources by name */
  resources?: {
    [key: string]: unknown;
  };
  /** Expected events, requests, mails, records and errors of the actions */
  expect: {
    /** The events that actions emit, by the name of the action */
    events?: {
      [key: string]: unknown[];
    };
    /** Requests that would be sent: method, url, headers, body */
    requests?: {
      [key: string]: unknown[];
    };
    /** Mails that would be sent: to, cc, bcc, subject, text, attachments */
    mails?: {
      [key: string]: unknown[];
    };
    /** Records that would be written: record_type, record */
    records?: {
      [key: string]: unknown[];
    };
    /** Messages of actions that fail for good; any other failure fails the test */
    errors?: {
      [key: string]: unknown[];
    };
    /** Actions that are not named send nothing, write no record, and emit no event if `events` is given */
    nothing_else?: boolean;
  };
}

export interface StoryTestChange {
  /** The test */
  test: StoryTest;
  /** Name of the test that it replaces; default: the one of its own name */
  replaces?: string;
}

export interface StoryTestCoverage {
  /** All actions */
  actions: {
    /** Display name */
    name: string;
    /** Guid in exports; null if none */
    guid: string | null;
    /** Whether a test reaches it */
    covered: boolean;
  }[];
  /** All links */
  links: {
    /** The action that the link leaves */
    source: CoveredAction;
    /** The action that the link leads to */
    receiver: CoveredAction;
    /** The output that it uses */
    kind: "normal" | "secondary" | "failure";
    /** Whether a test reaches it */
    covered: boolean;
  }[];
  /** The rules of triggers */
  rules: {
    /** The trigger */
    action: CoveredAction;
    /** Position in its rules, from 0 */
    rule: number;
    /** Whether it holds in a test */
    holds: boolean;
    /** Whether it does not hold in a test */
    fails: boolean;
  }[];
  /** Number of covered parts */
  covered: number;
  /** Number of actions, links, and branches of rules */
  all: number;
}

export interface StoryTestDifference {
  /** Kind of the thing that the action does differently */
  kind: "events" | "requests" | "mails" | "records" | "errors";
  /** Name of the action */
  action: string;
  /** Position in the list of the action, from 0; null: the length of the list differs */
  index: number | null;
  /** Path in the item; empty for the whole */
  path: string;
  /** A value or a matcher; of a list its length; null if omitted */
  expected: unknown;
  /** null if there is none, or omitted */
  found: unknown;
  /** Value that a test expects here once it takes what was found: the value, or the whole list. Absent if it is too large */
  instead: unknown;
  /** Why the action did nothing or too much, such as `"Ask" failed: 404`; null if not known */
  cause: string | null;
  /** The sentence for people */
  text: string;
}

export interface StoryTestReport {
  /** Whether all tests passed */
  ok: boolean;
  /** In the order of the tests */
  results: StoryTestResult[];
  /** The parts of the story that these tests reach */
  coverage: StoryTestCoverage;
}

export interface StoryTestResult {
  /** Name of the test */
  name: string;
  /** Whether there are neither differences nor problems */
  ok: boolean;
  /** Duration in milliseconds */
  took_ms: number;
  /** At most 100 */
  differences: StoryTestDifference[];
  /** Why the run could not go as on a server, such as a request without an answer */
  problems: string[];
}

export interface StoryTestRun {
  /** Names of the tests to run; default: all */
  names?: string[];
  /** Tests this draft instead of the story */
  draft_id?: number | null;
  /** Tests to run instead of those of the story; not saved */
  tests?: StoryTest[];
}

export interface StoryTests {
  /** At most 100 */
  tests: StoryTest[];
}

export interface StoryTrial {
  /** Whether no action failed, every request was answered, and the run completed */
  ok: boolean;
  /** null for an export */
  story_id: number | null;
  /** The past run; null if none */
  story_run_guid: string | null;
  /** Comparison with the past run; null if there is none */
  difference: TrialDifference | null;
  /** In order; a tree by `parent_id` and `children` */
  events: TriedEvent[];
  /** Work that ended without an event, such as of a trigger that did not match */
  silent: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
  }[];
  /** Requests that actions made */
  requests: TriedRequest[];
  /** Recipients, subject and text; not sent */
  mails: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    [key: string]: unknown;
  }[];
  /** Records that would be written */
  records: TriedRecord[];
  /** Prompt links */
  prompts: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** The name in the link */
    status: string;
  }[];
  /** Calls of other stories */
  calls: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** The name of the called story */
    called_story: string;
  }[];
  /** Actions that failed permanently */
  errors: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** The last error */
    error: string;
  }[];
  /** Lines for the logs of actions */
  logs: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** debug, info, warn or error */
    severity: string;
    /** The line; empty if omitted */
    message: string;
  }[];
  /** Work that would wait indefinitely */
  waiting: {
    /** The story of the action: the story under trial, or one that it called */
    story: string;
    /** null if no action emitted it */
    action: TriedAction | null;
    /** The event that the action received; null for the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
  }[];
  /** Requests without a response */
  unanswered: string[];
  /** Names missing in the team */
  missing: {
    /** Names of credentials */
    credentials: string[];
    /** Names of resources */
    resources: string[];
  };
  /** Reached actions of types that cannot run here */
  not_runnable: {
    /** The story of the action */
    story: string;
    /** The action */
    name: string;
    /** Why it cannot run */
    reason: string;
  }[];
  /** Why it was stopped early; null if it was not */
  stopped: string | null;
  /** Parts of the past run that could not be used */
  not_taken: string[];
  /** Parts of the response that are too large */
  left_out: string[];
  /** Duration of the trial in milliseconds */
  took_ms: number;
}

export interface StoryVersion {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** Version number in the story, from 1 */
  number: number;
  /** Display name */
  name: string | null;
  /** Description */
  description: string | null;
  /** Type of the change; `before`: the state before the first recorded change; `files`: files have this state; `step`: an update from a step */
  source: "before" | "edit" | "import" | "restore" | "draft" | "request" | "files" | "step" | "promotion";
  /** Size of the state in bytes, before compression */
  size: number;
  /** The user who made the change */
  user: {
    /** The id */
    id?: number;
    /** First name */
    first_name?: string;
    /** Last name */
    last_name?: string;
    /** Email address, also used to sign in */
    email?: string;
  };
  /** Same as updated_at */
  timestamp: string;
  /** When it was created */
  created_at: string;
  /** Edits by one user within a minute are merged into one version */
  updated_at: string;
}

export interface StoryVersionAnswer {
  /** The version */
  story_version: StoryVersion;
}

export interface StoryVersionWithExport {
  /** The version */
  story_version: ExportedStoryVersion;
}

export interface StreamEvent {
  /** Position of the event, for `Last-Event-ID`; null if none */
  id: string | null;
  /** Type of the event */
  event: "run_started" | "run_ended" | "counts" | "log" | "dead_letter" | "story_changed" | "case_changed" | "audit_log_changed" | "resync";
  /** Data, by type of the event */
  data: {
    /** The affected story. Not in case_changed, audit_log_changed, resync */
    story_id?: number;
    /** The team of the story or case. Not in audit_log_changed, resync */
    team_id?: number;
    /** The case. In case_changed */
    case_id?: number;
    /** When it happened */
    at?: string;
    /** The run. In run_started, run_ended, log, dead_letter */
    story_run_guid?: string;
    /** The source of the run. In run_started */
    source?: string;
    /** How the run ended. In run_ended */
    status?: "completed" | "failed" | "cancelled";
    /** The action. In log, dead_letter */
    agent_id?: number;
    /** In log */
    level?: "warn" | "error";
    /** At most 300 characters. In log, dead_letter */
    message?: string;
    /** The dead letter. In dead_letter */
    dead_letter_id?: number;
    /** Whether the story was deleted. In story_changed */
    deleted?: boolean;
    /** Started runs. In counts */
    runs_started?: number;
    /** Stored events. In counts */
    events?: number;
    /** New dead letters. In counts */
    dead_letters?: number;
    /** Skipped events of the stream. In counts */
    omitted?: number;
    /** Why lists must be reloaded. In resync */
    reason?: "begun" | "too_old" | "too_slow" | "too_many";
  };
}

export interface SubscribeUsersBody {
  /** Email addresses of users */
  user_emails: string[];
}

export interface SubscribeUsersResponse {
  /** The id of the case */
  case_id: number;
  /** Users of the request */
  subscribers: {
    /** The id */
    id: number;
    /** The address */
    url: string | null;
    /** The user; null if deleted */
    user: CaseUser | null;
    /** When it was created */
    created_at: string;
  }[];
}

export interface SyncTeamRepositoryBody {
  /** Whether nothing is written, neither here nor there */
  dry_run?: boolean;
  /** Whether files that were deleted in the repository are written again */
  restore_deleted?: boolean;
}

export interface Tag {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** The colour, as `#RRGGBB` */
  color: string;
  /** Its team */
  team: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  };
  /** Its team, as a list of one */
  teams: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
  }[];
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface Team {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** Always empty; teams have no groups */
  groups: unknown[];
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface TeamMember {
  /** Same as `user_id` */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the user */
  user_id: number;
  /** Email address, also used to sign in */
  email: string;
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** An Owner of the tenant */
  is_admin: boolean;
  /** Whether it is the service account of an API key */
  is_service_account: boolean;
  /** Role of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  /** Always true; members belong to the team immediately */
  invitation_accepted: true;
  /** Last request with a key of the user, to the minute; null if none */
  last_seen: string | null;
  /** Start of the membership */
  created_at: string;
}

export interface TeamRepository {
  /** The id of the team */
  team_id: number;
  /** Address of the repository */
  url: string;
  /** Branch that is synced */
  branch: string;
  /** Folder of the stories; empty: the root */
  folder: string;
  /** The side that takes over changes */
  direction: "pull" | "push" | "both";
  /** How changes reach the branch */
  way: "direct" | "pull_request";
  /** One file or one folder for each story */
  layout: "file" | "folder";
  /** Form of new files */
  format: "yaml" | "json";
  /** The credential of the repository */
  credential_id: number | null;
  /** Public keys of an ssh host */
  host_keys: string;
  /** The user who has set it */
  set_by: number;
  /** Commit of the branch at the last sync */
  commit: string | null;
  /** Why the last sync failed; null: it did not */
  error: string | null;
  /** Failed syncs in a row */
  failures: number;
  /** Stories that the sync did not come to in its time: the next one begins at once, and goes on */
  left: number;
  /** When the last sync began */
  started_at: string | null;
  /** When the last sync ended */
  ended_at: string | null;
  /** When the next sync is due */
  next_at: string;
  /** Changes of the last sync that did not fail; at most 500 */
  changes: RepositoryChange[];
}

export interface TemplateArgument {
  /** Display name */
  name: string;
  /** Whether the argument is required */
  required: boolean;
  /** Whether it can be repeated */
  repeats: boolean;
}

export interface TemplateFault {
  /** The text */
  message: string;
  /** From 1; null for the whole template */
  line: number | null;
  /** From 1; null for the whole template */
  column: number | null;
  /** The line of the template */
  excerpt: string | null;
  /** Path of the option; null for a single template */
  option: string | null;
}

export interface TemplateFilter {
  /** Display name */
  name: string;
  /** Category */
  family: string;
  /** In order */
  arguments: TemplateArgument[];
  /** Description of the result */
  description: string;
  /** Example */
  example: FilterExample;
}

export interface TemplateFunction {
  /** Display name */
  name: string;
  /** Category */
  family: string;
  /** In order */
  arguments: TemplateArgument[];
  /** Description of the result */
  description: string;
  /** Example call */
  example: FunctionExample;
}

export interface TemplatePreviews {
  /** The language of the templates */
  language: "liquid" | "formula";
  /** The input of the action; null if there is none (any longer) */
  sample: PreviewSample | null;
  /** In the order of the request */
  values: PreviewValue[];
  /** The input, if `include_event` is true; else null */
  event: PreviewEvent | null;
}

export interface TestSettings {
  /** `block`: failing tests refuse a publication; `warn`: they do not. A story may block where this warns, not the other way round */
  on_publish: "warn" | "block";
}

export interface TestUserCredentialBody {
  /** Whether the test value is tested */
  is_test?: boolean;
}

export interface TestsVerdict {
  /** Tests that passed */
  passed: number;
  /** Tests that failed */
  failed: {
    /** Name of the test */
    name: string;
    /** Its first differences */
    because: string[];
  }[];
  /** Actions, links and branches of rules that tests reach */
  covered: number;
  /** Actions, links and branches of rules */
  all: number;
  /** Names of tests that the story had before and has no longer */
  removed: string[];
  /** Names of tests that are written otherwise than before */
  changed: string[];
}

export interface TrialActionDifference {
  /** null if it was deleted */
  action: TriedAction | null;
  /** Events only in the trial */
  added: number[];
  /** Events only in the past run */
  missing: number[];
  /** Events with a different payload */
  changed: TrialChangedEvent[];
  /** null if it failed as before */
  errors: TrialErrors | null;
}

export interface TrialChange {
  /** Path in the payload; empty for the whole */
  path: string;
  /** In the past run; null if absent */
  before: unknown;
  /** In the trial; null if absent */
  after: unknown;
}

export interface TrialChangedEvent {
  /** The id of the event in the trial */
  event_id: number;
  /** The id of the past event */
  past_event_id: number;
  /** The parts of the payload that differ */
  changes: TrialChange[];
}

export interface TrialDifference {
  /** Whether the trial matches the past run */
  same: boolean;
  /** Number of added, missing or changed events and actions with different errors */
  count: number;
  /** Actions that behaved differently */
  actions: TrialActionDifference[];
  /** Parts that differ in every run, such as times and random values; not compared */
  varying: {
    /** The action that emitted the event */
    action: TriedAction | null;
    /** Path in its payload */
    path: string;
  }[];
}

export interface TrialErrors {
  /** Errors in the past run */
  before: string[];
  /** Errors in the trial */
  after: string[];
}

export interface TrialLog {
  /** 1 debug, 3 info and warn, 4 error */
  level: 1 | 2 | 3 | 4;
  /** The name of the level */
  severity: "debug" | "info" | "warn" | "error";
  /** The text */
  message: string;
}

export interface TrialOutput {
  /** The content of the event */
  payload: unknown;
  /** The port by which it leaves the action */
  port: "default" | "no_match" | "failure";
  /** Ids of its receivers */
  receivers: number[];
}

export interface TrialRequest {
  /** In upper case */
  method: string;
  /** With the query */
  url: string;
  /** Names in lower case; secrets replaced by ●●● */
  headers: {
    [key: string]: unknown;
  };
  /** Parsed JSON, or else text, or else base64; null if none */
  body: unknown;
  /** Status of the response; 0 if there was none; null if not sent */
  status: number | null;
}

export interface TriedAction {
  /** null if it only exists in the export */
  id: number | null;
  /** The guid in exports */
  guid: string;
  /** Display name */
  name: string;
}

export interface TriedEvent {
  /** Within this trial */
  id: number;
  /** The story of the action: the story under trial, or one that it called */
  story: string;
  /** null if no action emitted it */
  action: TriedAction | null;
  /** The event that the action received; null for the first */
  parent_id: number | null;
  /** Simulated milliseconds since the start */
  at_ms: number;
  /** Downstream events */
  children: number[];
  /** The port by which it left the action; null for the event that the trial began with */
  port: "default" | "no_match" | "failure" | null;
  /** The actions that received it */
  receivers: TriedAction[];
  /** The payload that the action emitted; null if omitted */
  payload: unknown;
}

export interface TriedRecord {
  /** The story of the action: the story under trial, or one that it called */
  story: string;
  /** null if no action emitted it */
  action: TriedAction | null;
  /** The event that the action received; null for the first */
  parent_id: number | null;
  /** Simulated milliseconds since the start */
  at_ms: number;
  /** The record as actions see it; null if omitted */
  record: {
    [key: string]: unknown;
  } | null;
}

export interface TriedRequest {
  /** The story of the action: the story under trial, or one that it called */
  story: string;
  /** null if no action emitted it */
  action: TriedAction | null;
  /** The event that the action received; null for the first */
  parent_id: number | null;
  /** Simulated milliseconds since the start */
  at_ms: number;
  /** In upper case */
  method: string;
  /** With the query */
  url: string;
  /** Names in lower case */
  headers: {
    [key: string]: unknown;
  };
  /** Parsed JSON, or else text, or else base64; null if none */
  body: unknown;
  /** Status of the response; 0 if there was none */
  status: number;
  /** Why there was no response */
  reason: string | null;
  /** recorded: from the past run; sent: the request was really sent; none: no response */
  response_from: "recorded" | "rule" | "sent" | "none";
}

export interface UnsureReference {
  /** The kind of part that has the text */
  part: "action" | "note";
  /** Position in `agents` or `notes`, from 0 */
  index: number;
  /** null if it has none */
  guid: string | null;
  /** Name of the action; null for a note */
  name: string | null;
  /** Such as `options.payload.fields[0].text` */
  path: string;
  /** The same path as keys and positions */
  keys: (number | string)[];
  /** Why it is not known */
  reason: string;
}

export interface UpdateAdminTemplateBody {
  /** Display name */
  name?: string;
  /** Description */
  description?: string;
  /** Vendor of the product */
  vendor?: string;
  /** Product */
  product?: string;
  /** The kind of action: `Agents::HTTPRequestAgent` */
  agent_type?: string;
  /** The options of the action */
  agent_options?: {
    [key: string]: unknown;
  };
  /** Inputs: name, type, required, description, default_value, data */
  action_inputs?: {
    /** Display name */
    name: string;
    /** The type of its value */
    type: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "OBJECT" | "OPTION" | "CODE" | "CREDENTIAL";
    /** Whether it is required */
    required?: boolean;
    /** Description */
    description?: string | null;
    /** Default value */
    default_value?: unknown;
    /** Details of its type: options or a JSON Schema */
    data?: {
      [key: string]: unknown;
    } | null;
  }[];
}

export interface UpdateAdminUserBody {
  /** Email address, also used to sign in */
  email?: string;
  /** First name */
  first_name?: string;
  /** Last name */
  last_name?: string;
  /** An Owner of the tenant */
  admin?: boolean;
  /** false if the keys of the user are rejected */
  is_active?: boolean;
}

export interface UpdateCaseActionBody {
  /** The address */
  url?: string;
  /** The text of the link */
  label?: string;
  /** `page` is a link to open */
  action_type?: string;
  /** Text of the button; empty for none */
  action_text?: string;
}

export interface UpdateCaseBody {
  /** Display name */
  name?: string | null;
  /** The id of the team */
  team_id?: number | null;
  /** Markdown; `<@user-12>` mentions the user 12 */
  description?: string | null;
  /** critical, high, medium, low or info */
  priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info" | null;
  /** open or closed */
  status?: "OPEN" | "CLOSED" | "open" | "closed" | null;
  /** Email address of the author; defaults to the user of the key */
  author_email?: string | null;
  /** Email addresses of the assignees */
  assignee_emails?: null | string[] | "";
  /** ISO 8601; without an offset it is UTC */
  opened_at?: string | null;
  /** ISO 8601; without an offset it is UTC */
  resolved_at?: string | null;
  /** Custom key-value pairs */
  metadata?: null | {
    [key: string]: unknown;
  } | "";
  /** Conditions that must be met before it can be closed */
  closure_conditions?: null | {
    /** Display name */
    name: string;
    /** A formula that must be true */
    formula: string;
  }[] | "";
  /** Email addresses of users to assign */
  add_assignee_emails?: string[] | null;
  /** Email addresses of users to unassign */
  remove_assignee_emails?: string[] | null;
  /** Names of tags to add */
  add_tag_names?: string[] | null;
  /** Names of tags to remove */
  remove_tag_names?: string[] | null;
}

export interface UpdateCaseCommentBody {
  /** Markdown; `<@user-12>` mentions the user 12 */
  value: string;
}

export interface UpdateCredentialBody {
  /** Display name */
  name?: string;
  /** The secret itself */
  value?: string;
  /** Description */
  description?: string | null;
  /** Hosts that it may be sent to: `api.example.com`, `*.example.com`, `api.example.com:8443`. For mails, the recipient domains. An empty list allows any host */
  allowed_hosts?: string[];
  /** Must be the current team; a credential cannot be moved */
  team_id?: number;
  /** Must be the current mode; it cannot be changed */
  mode?: "fabula" | "text" | "jwt" | "http_request_agent" | "multi_request" | "oauth" | "aws" | "mtls";
}

export interface UpdateFolderBody {
  /** Display name */
  name?: string;
  /** A folder of the same team; null for none */
  parent_folder_id?: number | null;
  /** Must be the current team; a folder cannot be moved */
  team_id?: number;
  /** Must be the current content type; it cannot be changed */
  content_type?: "STORY" | "CREDENTIAL" | "RESOURCE";
}

export interface UpdateGlobalResourceBody {
  /** Display name */
  name?: string;
  /** A text, number, boolean, list or object */
  value?: unknown;
  /** The type of `value`. By default, text containing a JSON list or object is stored as such */
  value_type?: "text" | "array" | "object" | "number" | "boolean" | "json";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Description */
  description?: string | null;
  /** Teams that can use it: its own, all teams of the tenant, or those in `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: slugs of the other teams */
  shared_team_slugs?: string[];
  /** Whether story drafts use the test value */
  test_resource_enabled?: boolean;
  /** Whether `value` is the test value */
  is_test?: boolean;
  /** Whether values are returned as JSON instead of text */
  typed_value?: boolean;
  /** No effect. `true` together with `value` requires `is_test` */
  test_resource?: unknown;
}

export interface UpdateInboxEntryBody {
  /** User who takes care of it and can see it; null for nobody. Kept for 90 days */
  assignee_id?: number | null;
  /** Hides the entry until then, at most 30 days; null shows it again */
  snoozed_until?: string | null;
}

export interface UpdateMailSettingsBody {
  /** `smtps://user:password@host:port`, with `?name=mail.example.com` appended to set the EHLO name; null to use the mail server of this installation */
  smtp_url?: string | null;
  /** How the user of `smtp_url`, then without a password, authenticates with tokens (XOAUTH2). Required again with a new `smtp_url`; null to disable tokens */
  smtp_oauth?: {
    /** URL of the token endpoint */
    token_url: string;
    /** The id of the client */
    client_id: string;
    /** Client secret */
    client_secret?: string;
    /** Refresh token of the user who authorized access; without one, the grant is `client_credentials` */
    refresh_token?: string;
    /** Requested scope */
    scope?: string;
  } | null;
  /** Default sender, for actions that set none */
  mail_from?: string;
  /** Other senders that actions may use: addresses, `*@domain`, or `*` for any */
  mail_from_allow?: string[];
}

export interface UpdateRecordBody {
  /** null and "" clear the field */
  field_values?: {
    /** The id of the field */
    field_id: string | number;
    /** Value in the type of the field */
    value: unknown;
  }[];
  /** Ids of records to add as children */
  add_child_records?: number[];
  /** Ids of child records to remove */
  remove_child_records?: number[];
}

export interface UpdateRecordTypeBody {
  /** Display name */
  name?: string;
  /** Only `true`, without effect */
  editable?: true | null;
  /** With `id`: a field to change; without `id`: a new field */
  fields?: {
    /** The id */
    id?: number;
    /** Display name */
    name?: string;
    /** The type of the values */
    result_type?: "TEXT" | "NUMBER" | "TIMESTAMP" | "BOOLEAN" | "TEXT_ENUM";
    /** Allowed values, for TEXT_ENUM */
    fixed_values?: string[];
  }[];
  /** Ids of fields to delete, with their values */
  field_ids_to_delete?: number[];
}

export interface UpdateScheduleBody {
  /** Whether it is paused: it starts no runs until it is resumed */
  paused: boolean;
}

export interface UpdateStepBody {
  /** Display name */
  name?: string;
  /** Description */
  description?: string;
}

export interface UpdateStoryBody {
  /** Display name */
  name?: string;
  /** Description */
  description?: string | null;
  /** Seconds */
  keep_events_for?: 3600 | 21600 | 86400 | 259200 | 604800 | 1209600 | 2592000 | 5184000 | 7776000 | 15552000 | 31536000;
  /** Whether it is disabled */
  disabled?: boolean;
  /** Whether its events have priority over other stories */
  priority?: boolean;
  /** Whether its actions, links and notes cannot be changed */
  locked?: boolean;
  /** Whether they only change through promoted change requests */
  change_control_enabled?: boolean;
  /** Whether its webhooks respond with the result of the run */
  synchronous_webhooks_enabled?: boolean;
  /** Alias of `synchronous_webhooks_enabled` */
  webhook_api_enabled?: boolean;
  /** null for no folder */
  folder_id?: number | null;
  /** Moving to another team removes the story from its folder */
  team_id?: number;
  /** User or team to ask about it */
  owner?: {
    /** A user or a team */
    type: "USER" | "TEAM";
    /** The id */
    id: number;
    /** No effect */
    name?: unknown;
  } | null;
  /** Changes this draft instead of the story */
  draft_id?: number | null;
  /** All tags; replaces the earlier ones */
  tags?: string[];
  /** Names of tags to add */
  add_tag_names?: string[];
  /** Names of tags to remove */
  remove_tag_names?: string[];
  /** Deprecated name of `send_to_story_access_source`: `STS` or `OFF` */
  send_to_story_enabled?: boolean | null;
  /** `STS` and `STS_AND_WORKBENCH`: other stories can call this one */
  send_to_story_access_source?: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF" | null;
  /** Teams whose stories can call this one; null for its own team */
  send_to_story_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs?: string[];
  /** Stored for compatibility with other platforms; no effect */
  send_to_story_skill_use_requires_confirmation?: boolean | null;
  /** The action where calls from other stories start; null if not set */
  entry_action_id?: number | null;
  /** Deprecated name of `entry_action_id` */
  entry_agent_id?: number | null;
  /** Actions whose events are returned to the calling action */
  exit_action_ids?: number[];
  /** Deprecated name of `exit_action_ids` */
  exit_agent_ids?: number[];
  /** Deprecated name of `exit_action_ids` */
  exit_agents?: number[];
  /** The only webhook that responds with the result */
  api_entry_action_id?: number | null;
  /** Webhooks that respond with the result; empty for all */
  api_entry_action_ids?: number[];
  /** Actions whose first event is that result; empty for the exits */
  api_exit_action_ids?: number[];
  /** Mail addresses and HTTP or HTTPS addresses that receive failure notices */
  recipients?: string[];
  /** Whether notices are sent for failures of all actions */
  monitor_failures?: boolean | null;
  /** Markdown: what to do on failures */
  runbook?: string | null;
  /** Template for the subject of runs; sees the first event only */
  run_subject?: string | null;
  /** `block`: failing tests refuse a publication, as they do where the tenant blocks; else they warn. Only a team admin changes it from `block` */
  tests_on_publish?: "warn" | "block" | null;
}

export interface UpdateStoryVersionBody {
  /** Display name */
  name?: string | null;
  /** Description */
  description?: string | null;
}

export interface UpdateTagBody {
  /** Display name */
  name?: string;
  /** `#RRGGBB`, or purple, blue, gold, green, magenta, red, orange, mint */
  color?: string;
  /** Must be the current team; a tag cannot be moved */
  team_id?: number;
}

export interface UpdateTeamDigestBody {
  /** Mail addresses and HTTP or HTTPS addresses. An empty list turns the digest off */
  recipients: string[];
  /** Hour of the day, in `timezone` */
  hour?: number;
  /** IANA name of the time zone, such as `Europe/Dublin` */
  timezone?: string;
  /** Signs requests to HTTP and HTTPS addresses. null removes it; if omitted, the current secret is kept */
  secret?: string | null;
}

export interface UpdateTeamMemberBody {
  /** Role of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
}

export interface UpdateTeamRepositoryBody {
  /** Address of the repository: https or ssh, without a password */
  url: string;
  /** Branch that is synced */
  branch?: string;
  /** Folder of the stories in the repository; empty: its root */
  folder?: string;
  /** `pull`: from the repository; `push`: into it */
  direction?: "pull" | "push" | "both";
  /** `pull_request`: each story is pushed to a branch `fabula/TEAM/STORY-DIGEST` */
  way?: "direct" | "pull_request";
  /** `folder`: a folder for each story, with one file for each action */
  layout?: "file" | "folder";
  /** Form of new files */
  format?: "yaml" | "json";
  /** Credential of the mode `TEXT`: a token or `USER:PASSWORD` for https, a private key for ssh */
  credential_id?: number | null;
  /** Public keys of an ssh host, as `ssh-keyscan HOST` prints them */
  host_keys?: string;
}

export interface UpdateTestSettingsBody {
  /** `block`: failing tests refuse a publication; `warn`: they do not. A story may block where this warns, not the other way round */
  on_publish: "warn" | "block";
}

export interface UpdateUserBody {
  /** Email address, also used to sign in */
  email?: string;
  /** First name */
  first_name?: string;
  /** Last name */
  last_name?: string;
  /** URL of a picture */
  avatar_url?: string;
  /** Whether the user is an owner with full access to the tenant */
  is_owner?: boolean;
  /** false if the keys of the user are rejected */
  active?: boolean;
}

export interface UpdateUserCredentialBody {
  /** Display name */
  name?: string;
  /** How it provides its secret */
  mode?: "TEXT" | "JWT" | "HTTP_REQUEST_AGENT" | "MULTI_REQUEST" | "OAUTH" | "AWS" | "MTLS";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Description */
  description?: string | null;
  /** Description for users; must not contain secrets */
  metadata?: {
    [key: string]: unknown;
  };
  /** Hosts that it may be sent to: `api.example.com`, `*.example.com`. An empty list allows any host */
  allowed_hosts?: string[];
  /** Teams that can use it: its own, all teams of the tenant, or those in `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: slugs of the other teams */
  shared_team_slugs?: string[];
  /** `TEXT`: the secret */
  value?: string;
  /** `JWT`: by default RS256, or HS256 with `jwt_hs256_secret` */
  jwt_algorithm?: string;
  /** `JWT`: the claims */
  jwt_payload?: unknown;
  /** `JWT`: the private key in PEM form, or the secret of an HS algorithm */
  jwt_private_key?: string;
  /** `JWT`: the secret of an HS algorithm */
  jwt_hs256_secret?: string;
  /** `JWT`: adds `iat` (now) and `exp` (in one hour) */
  jwt_auto_generate_time_claims?: boolean;
  /** `HTTP_REQUEST_AGENT`: options of the HTTP request that fetches the token; `<<secret>>` is replaced by `http_request_secret` */
  http_request_options?: unknown;
  /** Path of the token in the response: `=response.body.access_token` */
  http_request_location_of_token?: string;
  /** `HTTP_REQUEST_AGENT`: `<<secret>>` of the options */
  http_request_secret?: string;
  /** Token lifetime in seconds. By default, each run of an action fetches a new token */
  http_request_ttl?: number;
  /** `MULTI_REQUEST`: requests sent in sequence; each can use the previous responses */
  credential_requests?: {
    /** The options of an HTTP request */
    options: unknown;
    /** `<<secret>>` of these options */
    http_request_secret?: string;
  }[];
  /** `OAUTH` */
  oauth_grant_type?: "client_credentials" | "authorization_code";
  /** `OAUTH`: authorization URL, for `authorization_code` */
  oauth_url?: string;
  /** `OAUTH`: token URL */
  oauth_token_url?: string;
  /** `OAUTH` */
  oauth_client_id?: string;
  /** `OAUTH` */
  oauth_client_secret?: string;
  /** `OAUTH`: scopes, separated by spaces */
  oauth_scope?: string;
  /** `OAUTH`: the parameter `audience`, required by Auth0 */
  oauth_audience?: string;
  /** `OAUTH`: the parameter `resource` (RFC 8707) */
  oauth_resource?: string;
  /** `OAUTH`: PKCE method, for `authorization_code` */
  oauthPkceCodeChallengeMethod?: "S256" | "plain";
  /** `AWS`: `KEY` by default */
  aws_authentication_type?: "KEY" | "ROLE";
  /** `AWS`: the id of the access key */
  aws_access_key?: string;
  /** `AWS` */
  aws_secret_key?: string;
  /** `AWS`: the role to assume */
  aws_assumed_role_arn?: string;
  /** `AWS`: the external id of the role */
  aws_assumed_role_external_id?: string;
  /** `MTLS`: the certificate in PEM form */
  mtls_client_certificate?: string;
  /** `MTLS`: its private key in PEM form */
  mtls_client_private_key?: string;
  /** `MTLS`: CA certificate of the server; on its own, it is only trusted, and no client certificate is sent */
  mtls_root_certificate?: string;
  /** Whether story drafts use the test value */
  test_credential_enabled?: boolean;
  /** Whether settings and `allowed_hosts` apply to the test value */
  is_test?: boolean;
}

export interface UpdatedDraft {
  /** The `draft_id`, which is also a story id */
  id: number;
  /** Display name */
  name: string;
  /** The live story of the draft */
  story_id: number;
  /** The id of the team */
  team_id: number;
  /** The user who created it */
  user_id: number;
  /** Id that is stable across exports */
  guid: string;
  /** Always `TEST`: its runs and records are tests */
  mode: "TEST";
  /** The live version that it was created from or last updated to; null if unknown */
  base_version: number | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Parts that could not be taken from the draft */
  warnings?: string[];
  /** Changes taken from the live story */
  merged?: StoryDifference[];
}

export interface User {
  /** The id */
  id: number;
  /** Email address, also used to sign in */
  email: string;
  /** First name */
  first_name: string;
  /** Last name */
  last_name: string;
  /** URL of a picture */
  avatar_url: string;
  /** Whether the user is an owner with full access to the tenant */
  is_owner: boolean;
  /** Whether it is the service account of an API key */
  is_service_account: boolean;
  /** Whether the user can sign in and use API keys */
  active: boolean;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
}

export interface UserCredential {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** How it provides its secret */
  mode: "TEXT" | "JWT" | "HTTP_REQUEST_AGENT" | "MULTI_REQUEST" | "OAUTH" | "AWS" | "MTLS";
  /** Alternative name for templates */
  slug: string;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** Description */
  description: string;
  /** Description for users */
  metadata: {
    [key: string]: unknown;
  };
  /** Hosts that it may be sent to */
  allowed_hosts: string[];
  /** Whether it has `allowed_hosts` */
  restriction_type: "RESTRICTED" | "UNRESTRICTED";
  /** Teams that can use it */
  read_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the other teams that can use it */
  shared_team_slugs: string[];
  /** Whether story drafts use the test value */
  test_credential_enabled: boolean;
  /** Test value for story drafts, without its secrets */
  test_credential: {
    /** Hosts that it may be sent to */
    allowed_hosts: string[];
    /** Setting `aws_access_key`; null for other modes */
    aws_access_key: unknown;
    /** Setting `aws_assumed_role_arn`; null for other modes */
    aws_assumed_role_arn: unknown;
    /** Setting `aws_assumed_role_external_id`; null for other modes */
    aws_assumed_role_external_id: unknown;
    /** Setting `aws_authentication_type`; null for other modes */
    aws_authentication_type: unknown;
    /** Setting `http_request_ttl`; null for other modes */
    http_request_ttl: unknown;
    /** Setting `jwt_algorithm`; null for other modes */
    jwt_algorithm: unknown;
    /** Setting `jwt_auto_generate_time_claims`; null for other modes */
    jwt_auto_generate_time_claims: unknown;
    /** Setting `oauth_client_id`; null for other modes */
    oauth_client_id: unknown;
    /** Setting `oauth_grant_type`; null for other modes */
    oauth_grant_type: unknown;
    /** Setting `oauth_scope`; null for other modes */
    oauth_scope: unknown;
    /** Setting `oauth_token_url`; null for other modes */
    oauth_token_url: unknown;
    /** Setting `oauth_url`; null for other modes */
    oauth_url: unknown;
    /** With `authorization_code`: access must be authorized, for the first time or because it expired; null if not needed. Actions that use it wait for up to three days */
    reconnect_needed: {
      /** When an action detected it */
      since: string;
      /** Reason in words */
      reason: string;
    } | null;
    /** When it was created */
    created_at: string;
    /** When it last changed */
    updated_at: string;
  } | null;
  /** Setting `aws_access_key`; null for other modes */
  aws_access_key: unknown;
  /** Setting `aws_assumed_role_arn`; null for other modes */
  aws_assumed_role_arn: unknown;
  /** Setting `aws_assumed_role_external_id`; null for other modes */
  aws_assumed_role_external_id: unknown;
  /** Setting `aws_authentication_type`; null for other modes */
  aws_authentication_type: unknown;
  /** Setting `http_request_ttl`; null for other modes */
  http_request_ttl: unknown;
  /** Setting `jwt_algorithm`; null for other modes */
  jwt_algorithm: unknown;
  /** Setting `jwt_auto_generate_time_claims`; null for other modes */
  jwt_auto_generate_time_claims: unknown;
  /** Setting `oauth_client_id`; null for other modes */
  oauth_client_id: unknown;
  /** Setting `oauth_grant_type`; null for other modes */
  oauth_grant_type: unknown;
  /** Setting `oauth_scope`; null for other modes */
  oauth_scope: unknown;
  /** Setting `oauth_token_url`; null for other modes */
  oauth_token_url: unknown;
  /** Setting `oauth_url`; null for other modes */
  oauth_url: unknown;
  /** With `authorization_code`: access must be authorized, for the first time or because it expired; null if not needed. Actions that use it wait for up to three days */
  reconnect_needed: {
    /** When an action detected it */
    since: string;
    /** Reason in words */
    reason: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** When it last changed */
  updated_at: string;
  /** Returned on creation and update for `authorization_code`: the URL to authorize access, valid for fifteen minutes */
  redirect_url?: string;
  /** With `include_referencing_action_ids`: the actions that refer to it */
  referencing_action_ids?: number[];
}

export interface VersionDiff {
  /** In the order of the story */
  story_diff: StoryDifference[];
  /** All differences, listed or not */
  count: number;
  /** Whether all differences are listed */
  complete: boolean;
  /** With `draft_id`: the draft, with the guids of the live actions that it has copied */
  draft_export?: StoryExport;
}

export interface WaitingAction {
  /** The id */
  id: number;
  /** Display name */
  name: string;
  /** Id that is stable across exports */
  guid: string;
  /** Events that would become dead letters */
  events: number;
}

export interface WaitingReason {
  /** Why they wait. `mails_per_day`, `records`: the quota is used up; `rate_limit`: the server answered 429; `throttle`: its action lets only so many through; `retry`: an attempt failed; `delay`: its action waits for a set time; `credential`: a credential must be connected; `disabled`: its action or story is disabled; `frozen`: the tenant is being moved; `fair_share`: its story has its share of jobs; `group`: the rest of its group is missing; `call`: a story that it called is running; `slots`: its story has all the slots of a worker; `paused`: its queue is paused; `no_process`: no process serves its queue; `queued`: it waits for its turn; `running`: a worker has it */
  reason: "mails_per_day" | "records" | "rate_limit" | "throttle" | "retry" | "delay" | "credential" | "disabled" | "frozen" | "fair_share" | "group" | "call" | "slots" | "paused" | "no_process" | "queued" | "running";
  /** Deliveries that wait for it */
  count: number;
  /** When the first of them is due; null without a set time */
  until: string | null;
}

export interface Webhook {
  /** The id of its action */
  id: number;
  /** The name of its action */
  name: string;
  /** Whether the action is disabled */
  disabled: boolean;
  /** The id of the team */
  team_id: number;
  /** The story that its calls start */
  story: {
    /** The id */
    id: number;
    /** Display name */
    name: string;
    /** Whether the story is disabled */
    disabled: boolean;
  };
  /** Its path; null if it cannot be called */
  path: string | null;
  /** Its secret; null if the role cannot view it */
  secret: string | null;
  /** Its URL, with the secret if the role can view it; null if it cannot be called */
  url: string | null;
  /** Accepted methods */
  verbs: string[];
  /** null if there were no calls within a day, or if they are unavailable */
  counts: WebhookCounts | null;
  /** The last 20 accepted calls of a day, newest first; null if unavailable */
  calls: WebhookCall[] | null;
  /** The last 20 rejected calls of a day, newest first; null if unavailable */
  refusals: WebhookRefusal[] | null;
}

export interface WebhookCall {
  /** When it was received */
  at: string;
  /** The status of the response */
  status: number;
  /** Body size as received, in bytes */
  bytes: number;
  /** IP address of the client; behind trusted proxies, the forwarded one */
  address: string;
  /** Content type of the request; empty if none */
  content_type: string;
  /** The started run */
  story_run_guid: string;
}

export interface WebhookCounts {
  /** The first counted call */
  since: string;
  /** Accepted calls */
  accepted: number;
  /** Rejected calls, by reason */
  refused: {
    [key: string]: number;
  };
  /** Calls that could not be recorded because Redis did not respond */
  unrecorded: number;
}

export interface WebhookRefusal {
  /** When it was received */
  at: string;
  /** Status of the response; null if the client disconnected first */
  status: number | null;
  /** Why the call was rejected */
  reason: "disabled" | "method_not_allowed" | "unauthorized" | "reused_signature" | "limited" | "runaway_loop" | "quota_reached" | "too_large" | "bad_request" | "client_gone" | "unavailable" | "failed";
  /** The text of the response */
  message: string;
  /** The method of the request */
  method: string;
  /** IP address of the client; behind trusted proxies, the forwarded one */
  address: string;
  /** Content type of the request; empty if none */
  content_type: string;
}

/** The input and the answer of each operation, and the items of each list. */
export interface Operations {
  'actions.clearMemory': {
    input: {
      /** The id */
      id: number;
    };
    output: Action;
  };
  'actions.create': {
    input: NewAction;
    output: Action;
  };
  'actions.delete': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
    };
    output: undefined;
  };
  'actions.dryRun': {
    input: {
      /** The id */
      id: number;
    } & DryRunActionBody;
    output: ActionTrial;
  };
  'actions.events.list': {
    input: {
      /** The id */
      id: number;
      /** Events after this id */
      since_id?: number;
      /** Events up to and including this id */
      until_id?: number;
      /** Events from this time on */
      since?: string;
      /** Events before this time */
      until?: string;
      /** true for only events that were emitted again manually */
      show_reemitted_events_only?: boolean;
      /** false to return each event with the full input of its receivers */
      exclude_previous_event_payloads?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListActionEventsResponse;
    item: Event;
  };
  'actions.get': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
      /** Whether to return `pending_action_runs_count` */
      include_live_activity?: boolean;
    };
    output: Action;
  };
  'actions.list': {
    input: {
      /** The id of the story */
      story_id?: number;
      /** The id of the team */
      team_id?: number;
      /** TEST for drafts, if no story is given */
      story_mode?: "LIVE" | "TEST";
      /** Such as Agents::WebhookAgent */
      action_type?: string;
      /** Part of the name or webhook path */
      search?: string;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
      /** Whether to return counts, times and state */
      include_live_activity?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListActionsResponse;
    item: Action;
  };
  'actions.logs.list': {
    input: {
      /** The id */
      id: number;
      /** Minimum level: 1 debug, 3 info and warn, 4 error */
      level?: 1 | 2 | 3 | 4;
      /** Minimum severity */
      severity?: "debug" | "info" | "warn" | "error";
      /** The guid of the run */
      story_run_guid?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListActionLogsResponse;
    item: LogLine;
  };
  'actions.logs.request.get': {
    input: {
      /** The id */
      id: number;
      /** Id of the line */
      log_id: number;
    };
    output: GetActionLogRequestResponse;
  };
  'actions.removeEvents': {
    input: {
      /** The id */
      id: number;
    } & RemoveActionEventsBody;
    output: Action;
  };
  'actions.removeLogs': {
    input: {
      /** The id */
      id: number;
    };
    output: Action;
  };
  'actions.run': {
    input: {
      /** The id */
      id: number;
    } & RunActionBody;
    output: StartedRun;
  };
  'actions.update': {
    input: {
      /** The id */
      id: number;
    } & ActionChanges;
    output: Action;
  };
  'admin.actions.deadJobs.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListActionDeadJobsResponse;
    item: DeadJob;
  };
  'admin.actions.deleteAllDeadJobs.drop': {
    input: {
      /** The id */
      id: number;
    };
    output: DropAllActionDeadJobsResponse;
  };
  'admin.deadJobs.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListDeadJobsResponse;
    item: DeadJob;
  };
  'admin.deleteAllDeadJobs.drop': {
    input: {};
    output: DropAllDeadJobsResponse;
  };
  'admin.templates.create': {
    input: CreateAdminTemplateBody;
    output: ActionTemplate;
  };
  'admin.templates.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'admin.templates.get': {
    input: {
      /** The id */
      id: number;
    };
    output: ActionTemplate;
  };
  'admin.templates.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListAdminTemplatesResponse;
    item: ActionTemplate;
  };
  'admin.templates.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateAdminTemplateBody;
    output: ActionTemplate;
  };
  'admin.users.create': {
    input: CreateAdminUserBody;
    output: AdminUser;
  };
  'admin.users.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'admin.users.expireSession.end': {
    input: {
      /** The id */
      id: number;
    };
    output: AdminUser;
  };
  'admin.users.get': {
    input: {
      /** The id */
      id: number;
    };
    output: AdminUser;
  };
  'admin.users.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Only Owners of the tenant */
      filter?: "TENANT_OWNER";
      /** Adds `team_memberships` to each user */
      include?: "team_memberships";
    };
    output: ListAdminUsersResponse;
    item: AdminUser;
  };
  'admin.users.signinActivities.list': {
    input: {
      /** The id */
      id: number;
      /** Sign-ins from this time on */
      after?: string;
      /** Sign-ins before this time */
      before?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListUserSignInsResponse;
    item: SignIn;
  };
  'admin.users.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateAdminUserBody;
    output: AdminUser;
  };
  'agentTypes.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListAgentTypesResponse;
    item: AgentType;
  };
  'apiKeys.create': {
    input: CreateApiKeyBody;
    output: NewApiKey;
  };
  'apiKeys.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'apiKeys.get': {
    input: {
      /** The id */
      id: number;
    };
    output: ApiKey;
  };
  'apiKeys.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListApiKeysResponse;
    item: ApiKey;
  };
  'auditLogs.list': {
    input: {
      /** The acting user, or a list of users */
      user_id?: number[];
      /** Type and verb: `record.update`, or a list of them */
      action?: string[];
      /** Same as `action`; also accepts platform names, such as `StoryCreation` for `story.create` */
      operation_name?: string[];
      /** Type of the changed object: `record` */
      target_type?: string;
      /** Id of the changed object; most useful with `target_type` */
      target_id?: number;
      /** The id of the team */
      team_id?: number;
      /** Entries from this time on (ISO 8601; UTC without an offset) */
      from?: string;
      /** Same as `from` */
      after?: string;
      /** Entries before this time */
      to?: string;
      /** Same as `to` */
      before?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListAuditLogsResponse;
    item: AuditEntry;
  };
  'cases.actions.create': {
    input: {
      /** The id */
      id: number;
    } & CreateCaseActionBody;
    output: CaseAction;
  };
  'cases.actions.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the action */
      action_id: number;
    };
    output: undefined;
  };
  'cases.actions.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the action */
      action_id: number;
    };
    output: CaseAction;
  };
  'cases.actions.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListCaseActionsResponse;
    item: CaseAction;
  };
  'cases.actions.replaceMany': {
    input: {
      /** The id */
      id: number;
    } & ReplaceCaseActionsBody;
    output: ReplaceCaseActionsResponse;
  };
  'cases.actions.update': {
    input: {
      /** The id */
      id: number;
      /** The id of the action */
      action_id: number;
    } & UpdateCaseActionBody;
    output: CaseAction;
  };
  'cases.activities.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the activity */
      activity_id: number;
    };
    output: CaseActivity;
  };
  'cases.activities.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Only activities of this type */
      activity_type?: string;
    };
    output: ListCaseActivitiesResponse;
    item: CaseActivity;
  };
  'cases.assignees.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListCaseAssigneesResponse;
    item: CaseUser;
  };
  'cases.closureConditions.get': {
    input: {
      /** The id */
      id: number;
    };
    output: GetCaseClosureConditionsResponse;
  };
  'cases.comments.create': {
    input: {
      /** The id */
      id: number;
    } & CreateCaseCommentBody;
    output: CaseActivity;
  };
  'cases.comments.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the comment */
      comment_id: number;
    };
    output: undefined;
  };
  'cases.comments.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the comment */
      comment_id: number;
    };
    output: CaseActivity;
  };
  'cases.comments.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListCaseCommentsResponse;
    item: CaseActivity;
  };
  'cases.comments.update': {
    input: {
      /** The id */
      id: number;
      /** The id of the comment */
      comment_id: number;
    } & UpdateCaseCommentBody;
    output: CaseActivity;
  };
  'cases.create': {
    input: CreateCaseBody;
    output: Case;
  };
  'cases.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'cases.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Case;
  };
  'cases.linkedCases.create': {
    input: {
      /** The id */
      id: number;
    } & { body: CreateCaseLinkedCaseBody };
    output: LinkedCase;
  };
  'cases.linkedCases.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the linked case */
      linked_case_id: number;
    };
    output: undefined;
  };
  'cases.linkedCases.linkMany': {
    input: {
      /** The id */
      id: number;
    } & LinkCasesBody;
    output: LinkCasesResponse;
  };
  'cases.linkedCases.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListCaseLinkedCasesResponse;
    item: LinkedCase;
  };
  'cases.list': {
    input: {
      /** The id of the team */
      team_id?: number;
      /** The state */
      status?: "OPEN" | "CLOSED" | "open" | "closed";
      /** Urgency */
      priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info";
      /** `status` and `priority`, as an object */
      filters?: {
        status?: "OPEN" | "CLOSED" | "open" | "closed";
        priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info";
      };
      /** Part of the name or description; case-insensitive */
      search?: string;
      /** Name of a tag */
      tag?: string;
      /** Email address of an assignee */
      assignee_email?: string;
      /** `ASC` and `DESC` alone sort by creation time */
      order?: "CREATED_AT_ASC" | "CREATED_AT_DESC" | "UPDATED_AT_ASC" | "UPDATED_AT_DESC" | "OPENED_AT_ASC" | "OPENED_AT_DESC" | "RESOLVED_AT_ASC" | "RESOLVED_AT_DESC" | "NAME_ASC" | "NAME_DESC" | "PRIORITY_ASC" | "PRIORITY_DESC" | "ASC" | "DESC" | "CREATED_ASC" | "CREATED_DESC" | "OPENED_ASC" | "OPENED_DESC" | "RECENTLY_EDITED" | "LEAST_RECENTLY_EDITED" | "created_at_asc" | "created_at_desc" | "updated_at_asc" | "updated_at_desc" | "opened_at_asc" | "opened_at_desc" | "resolved_at_asc" | "resolved_at_desc" | "name_asc" | "name_desc" | "priority_asc" | "priority_desc" | "asc" | "desc" | "created_asc" | "created_desc" | "opened_asc" | "opened_desc" | "recently_edited" | "least_recently_edited";
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListCasesResponse;
    item: Case;
  };
  'cases.metadata.create': {
    input: {
      /** The id */
      id: number;
    } & CreateCaseMetadataBody;
    output: GetCaseMetadataResponse;
  };
  'cases.metadata.delete': {
    input: {
      /** The id */
      id: number;
    } & DeleteCaseMetadataBody;
    output: undefined;
  };
  'cases.metadata.get': {
    input: {
      /** The id */
      id: number;
    };
    output: GetCaseMetadataResponse;
  };
  'cases.metadata.getValue': {
    input: {
      /** The id */
      id: number;
      /** The key */
      key: string;
    };
    output: GetCaseMetadataResponse;
  };
  'cases.metadata.update': {
    input: {
      /** The id */
      id: number;
    } & CreateCaseMetadataBody;
    output: GetCaseMetadataResponse;
  };
  'cases.records.create': {
    input: {
      /** The id */
      id: number;
    } & CreateCaseRecordBody;
    output: AddedCaseRecord;
  };
  'cases.records.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the record */
      record_id: number;
    };
    output: undefined;
  };
  'cases.records.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the record */
      record_id: number;
    };
    output: CaseRecord;
  };
  'cases.records.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListCaseRecordsResponse;
    item: CaseRecordGroup;
  };
  'cases.subscribers.create': {
    input: {
      /** The id */
      id: number;
    } & CreateCaseSubscriberBody;
    output: NewCaseSubscriber;
  };
  'cases.subscribers.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the subscriber */
      subscriber_id: number;
    };
    output: undefined;
  };
  'cases.subscribers.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListCaseSubscribersResponse;
    item: CaseSubscriber;
  };
  'cases.subscribers.subscribeMany': {
    input: {
      /** The id */
      id: number;
    } & SubscribeUsersBody;
    output: SubscribeUsersResponse;
  };
  'cases.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateCaseBody;
    output: Case;
  };
  'credentials.create': {
    input: CreateCredentialBody;
    output: Credential;
  };
  'credentials.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'credentials.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Credential;
  };
  'credentials.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** The id of the team */
      team_id?: number;
    };
    output: ListCredentialsResponse;
    item: Credential;
  };
  'credentials.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateCredentialBody;
    output: Credential;
  };
  'deadLetters.canaries.create': {
    input: CreateDeadLettersCanaryBody;
    output: DeadLetterCanary;
  };
  'deadLetters.canaries.get': {
    input: {
      /** The id */
      id: number;
    };
    output: DeadLetterCanary;
  };
  'deadLetters.canaries.list': {
    input: {
      /** Limited to this story */
      story_id?: number;
      /** Limited to this action */
      agent_id?: number;
      /** Limited to this error type */
      error_kind?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListDeadLettersCanariesResponse;
    item: DeadLetterCanary;
  };
  'deadLetters.canaries.stop': {
    input: {
      /** The id */
      id: number;
    };
    output: DeadLetterCanary;
  };
  'deadLetters.delete': {
    input: {
      /** The id */
      id: number;
    } & DeleteDeadLetterBody;
    output: undefined;
  };
  'deadLetters.dropMany': {
    input: DropDeadLettersBody;
    output: DropDeadLettersResponse;
  };
  'deadLetters.get': {
    input: {
      /** The id */
      id: number;
    };
    output: DeadLetterDetails;
  };
  'deadLetters.groups.list': {
    input: {
      /** The id of the team */
      team_id?: number;
      /** The id of the story */
      story_id?: number;
      /** The id of the agent */
      agent_id?: number;
      /** Same as `agent_id` */
      action_id?: number;
      /** The guid of the run */
      story_run_guid?: string;
      /** Part of the error message; case-insensitive */
      error?: string;
      /** Error type, as returned by `GET /api/v1/dead_letters/groups` */
      error_kind?: string;
      /** Failed at or after this time */
      since?: string;
      /** Failed before this time */
      until?: string;
    };
    output: ListDeadLettersGroupsResponse;
  };
  'deadLetters.list': {
    input: {
      /** The id of the team */
      team_id?: number;
      /** The id of the story */
      story_id?: number;
      /** The id of the agent */
      agent_id?: number;
      /** Same as `agent_id` */
      action_id?: number;
      /** The guid of the run */
      story_run_guid?: string;
      /** Part of the error message; case-insensitive */
      error?: string;
      /** Error type, as returned by `GET /api/v1/dead_letters/groups` */
      error_kind?: string;
      /** Failed at or after this time */
      since?: string;
      /** Failed before this time */
      until?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListDeadLettersResponse;
    item: DeadLetter;
  };
  'deadLetters.retry': {
    input: {
      /** The id */
      id: number;
    };
    output: DeadLetter;
  };
  'deadLetters.retryMany': {
    input: RetryDeadLettersBody;
    output: RetryDeadLettersResponse;
  };
  'doctor.get': {
    input: {};
    output: GetDoctorResponse;
  };
  'events.get': {
    input: {
      /** The id */
      id: number;
      /** true to return only the output of the event */
      exclude_previous_event_payloads?: boolean;
    };
    output: Event;
  };
  'events.list': {
    input: {
      /** The id of the story */
      story_id?: number;
      /** Events of the stories of this team */
      team_id?: number;
      /** The id of the agent */
      agent_id?: number;
      /** Same as `agent_id` */
      action_id?: number;
      /** The guid of the run */
      story_run_guid?: string;
      /** Events after this id */
      since_id?: number;
      /** Events up to and including this id */
      until_id?: number;
      /** Events from this time on */
      since?: string;
      /** Events before this time */
      until?: string;
      /** true for only events that were emitted again manually */
      show_reemitted_events_only?: boolean;
      /** false to return each event with the full input of its receivers */
      exclude_previous_event_payloads?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListEventsResponse;
    item: Event;
  };
  'events.reemit': {
    input: {
      /** The id */
      id: number;
    };
    output: Event;
  };
  'events.request.get': {
    input: {
      /** The id */
      id: number;
    };
    output: GetEventRequestResponse;
  };
  'filters.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListFiltersResponse;
    item: TemplateFilter;
  };
  'folders.create': {
    input: CreateFolderBody;
    output: Folder;
  };
  'folders.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'folders.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Folder;
  };
  'folders.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** The id of the team */
      team_id?: number;
      /** Type of items it was created for */
      content_type?: "STORY" | "CREDENTIAL" | "RESOURCE";
    };
    output: ListFoldersResponse;
    item: Folder;
  };
  'folders.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateFolderBody;
    output: Folder;
  };
  'functions.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListFunctionsResponse;
    item: TemplateFunction;
  };
  'globalResources.append': {
    input: {
      /** The id */
      id: number;
    } & AppendGlobalResourceBody;
    output: unknown;
  };
  'globalResources.create': {
    input: CreateGlobalResourceBody;
    output: Resource;
  };
  'globalResources.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'globalResources.get': {
    input: {
      /** The id */
      id: number;
      /** Whether values are returned as JSON instead of text */
      typed_value?: boolean;
      /** Whether to return `referencing_action_ids` */
      include_referencing_action_ids?: boolean;
    };
    output: Resource;
  };
  'globalResources.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Whether values are returned as JSON instead of text */
      typed_value?: boolean;
      /** Whether to return `referencing_action_ids` */
      include_referencing_action_ids?: boolean;
      /** The id of the team */
      team_id?: number;
      /** The id of the folder */
      folder_id?: number;
      /** Part of the name */
      search?: string;
      /** Unused resources */
      filter?: "UNUSED_IN_ACTIONS";
    };
    output: ListGlobalResourcesResponse;
    item: Resource;
  };
  'globalResources.remove': {
    input: {
      /** The id */
      id: number;
    } & RemoveGlobalResourceBody;
    output: unknown;
  };
  'globalResources.replace': {
    input: {
      /** The id */
      id: number;
    } & ReplaceGlobalResourceBody;
    output: unknown;
  };
  'globalResources.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateGlobalResourceBody;
    output: Resource;
  };
  'inbox.list': {
    input: {
      /** Only entries of this team, and of the whole tenant */
      team_id?: number;
      /** Only entries about this story */
      story_id?: number;
      /** Only entries of this kind */
      kind?: "failures" | "held" | "quota" | "schedule" | "webhook" | "credential" | "repository" | "api_key";
      /** `CLOSED`: those that ended within 30 days, the last first; the others are open */
      state?: "OPEN" | "SNOOZED" | "ALL" | "CLOSED";
      /** Only entries that this user takes care of */
      assignee_id?: number;
      /** Only entries with an assignee; false: only those without */
      assigned?: boolean;
    };
    output: ListInboxResponse;
  };
  'inbox.update': {
    input: {
      /** The `key` of the entry */
      entry_key: string;
    } & UpdateInboxEntryBody;
    output: InboxEntry;
  };
  'info.get': {
    input: {};
    output: GetInfoResponse;
  };
  'info.workerStats.get': {
    input: {};
    output: GetWorkerStatsResponse;
  };
  'notes.create': {
    input: NewNote;
    output: Note;
  };
  'notes.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'notes.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Note;
  };
  'notes.list': {
    input: {
      /** Notes of this story */
      story_id?: number;
      /** Notes of the stories of this team */
      team_id?: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
      /** TEST for drafts, if no story is given */
      mode?: "LIVE" | "TEST";
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListNotesResponse;
    item: Note;
  };
  'notes.update': {
    input: {
      /** The id */
      id: number;
    } & NoteChanges;
    output: Note;
  };
  'openapi.operations.list': {
    input: ListOpenapiOperationsBody;
    output: OpenapiListing;
  };
  'openapi.request.import': {
    input: ImportOpenapiOperationBody;
    output: OpenapiRequest;
  };
  'promotions.bundleMany': {
    input: BundleStoriesBody;
    output: StoryBundle;
  };
  'promotions.check': {
    input: PromotionRequest;
    output: PromotionCheck;
  };
  'promotions.get': {
    input: {
      /** The id */
      id: number;
    };
    output: PromotionDetails;
  };
  'promotions.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListPromotionsResponse;
    item: Promotion;
  };
  'promotions.promote': {
    input: PromotionRequest;
    output: PromotionDetails;
  };
  'promotions.revert': {
    input: {
      /** The id */
      id: number;
    } & RevertPromotionBody;
    output: PromotionDetails;
  };
  'queues.list': {
    input: {
      /** Only count deliveries of this team */
      team_id?: number;
    };
    output: ListQueuesResponse;
  };
  'recordTypes.create': {
    input: CreateRecordTypeBody;
    output: RecordType;
  };
  'recordTypes.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'recordTypes.get': {
    input: {
      /** The id */
      id: number;
    };
    output: RecordType;
  };
  'recordTypes.list': {
    input: {
      /** The id of the team */
      team_id?: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListRecordTypesResponse;
    item: RecordType;
  };
  'recordTypes.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateRecordTypeBody;
    output: RecordType;
  };
  'records.create': {
    input: CreateRecordBody;
    output: Record;
  };
  'records.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'records.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Record;
  };
  'records.list': {
    input: {
      /** Required unless `record_field_ids` is set */
      record_type_id?: number;
      /** Columns to return; all must belong to one type */
      record_field_ids?: number[];
      /** Records created at this time or later */
      range_start?: string;
      /** Records created before this time */
      range_end?: string;
      /** The ids of the stories */
      story_ids?: number[];
      /** Default: DESC */
      order_direction?: "ASC" | "DESC" | "asc" | "desc";
      /** Empty values sort last; defaults to the order of creation */
      order_field_id?: number;
      /** Records must match all filters, written as `filters[0][field_id]=25&filters[0][operator]=EQUAL` */
      filters?: {
        field_id: string | number;
        operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL_TO" | "LESS_THAN" | "LESS_THAN_OR_EQUAL_TO" | "IS_EMPTY" | "IS_NOT_EMPTY" | "IS_TRUE" | "IS_FALSE" | "CONTAINS";
        /** Text or number, depending on the operator; absent for IS_… */
        value?: unknown;
      }[];
      /** true for records of test runs; otherwise live records */
      test_mode?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListRecordsResponse;
    item: ListedRecord;
  };
  'records.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateRecordBody;
    output: Record;
  };
  'runs.search': {
    input: {
      /** Runs of this story or draft */
      story_id?: number;
      /** Runs of the stories of this team */
      team_id?: number;
      /** TEST for runs of drafts */
      story_mode?: "LIVE" | "TEST";
      /** Runs in this status */
      status?: "running" | "completed" | "failed" | "cancelled";
      /** How the runs were started */
      source?: "webhook" | "api" | "schedule" | "send_to_story";
      /** Runs started at or after this time */
      since?: string;
      /** Runs started before this time */
      until?: string;
      /** Minimum duration in seconds */
      min_duration?: number;
      /** Maximum duration in seconds */
      max_duration?: number;
      /** Only runs with steps that logged errors and did not fail, among the newest 10,000 runs */
      warnings?: true;
      /** Path of the value in an event payload: `body.alerts[0].id` */
      path?: string;
      /** The value at `path`, as text; any value if absent. Without `path`, anywhere in the payload */
      value?: string;
      /** `next_before` of the previous page */
      before?: string;
      /** Runs per page */
      per_page?: number;
    };
    output: RunSearchResult;
  };
  'schedules.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Schedule;
  };
  'schedules.list': {
    input: {
      /** Schedules of this story */
      story_id?: number;
      /** Schedules of the stories of this team */
      team_id?: number;
      /** Return the next starts up to this time, at most 31 days from now */
      starts_until?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListSchedulesResponse;
    item: Schedule;
  };
  'schedules.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateScheduleBody;
    output: Schedule;
  };
  'stats.get': {
    input: {
      /** Grouping of the items; minutes, hours and days are in UTC */
      by?: "story" | "action" | "minute" | "hour" | "day";
      /** `mean_work`, for actions: longest processing time per event first; range of at most a day */
      order?: "id" | "mean_work";
      /** Start, rounded down to the minute, hour or day. Default: a day before `to`; an hour for minutes; a week for days. At most 31 days before `to`; for minutes 3 hours, and 6 hours ago */
      from?: string;
      /** End, rounded up to the minute, hour or day; default: now */
      to?: string;
      /** Only this story or draft */
      story_id?: number;
      /** Only stories of this team */
      team_id?: number;
      /** true for drafts; otherwise live stories */
      test_mode?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: GetStatisticsResponse;
  };
  'status.get': {
    input: {
      /** Only include stories of this team */
      team_id?: number;
    };
    output: GetStatusResponse;
  };
  'steps.create': {
    input: CreateStepBody;
    output: Step;
  };
  'steps.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'steps.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Step;
  };
  'steps.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Part of the name */
      search?: string;
      /** Steps that stories of this team may use: its own and the tenant’s */
      team_id?: number;
      /** Steps with these guids */
      guids?: string[];
    };
    output: ListStepsResponse;
    item: Step;
  };
  'steps.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateStepBody;
    output: Step;
  };
  'steps.updates.previewMany': {
    input: {
      /** The id */
      id: number;
    } & PreviewStepUpdatesBody;
    output: StepUpdates;
  };
  'steps.updates.update': {
    input: {
      /** The id */
      id: number;
    } & PreviewStepUpdatesBody;
    output: StepUpdates;
  };
  'steps.uses.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListStepUsesResponse;
    item: StepUse;
  };
  'steps.versions.create': {
    input: {
      /** The id */
      id: number;
    } & CreateStepVersionBody;
    output: Step;
  };
  'steps.versions.get': {
    input: {
      /** The id */
      id: number;
      /** Number of the version */
      number: number;
    };
    output: StepVersionContent;
  };
  'steps.versions.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListStepVersionsResponse;
    item: StepVersion;
  };
  'stories.actions.list': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
      /** Whether to return counts, times and state */
      include_live_activity?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListStoryActionsResponse;
    item: Action;
  };
  'stories.changeRequest.approve': {
    input: {
      /** The id */
      id: number;
    } & ApproveChangeRequestBody;
    output: ChangeRequestView;
  };
  'stories.changeRequest.cancel': {
    input: {
      /** The id */
      id: number;
    } & ApproveChangeRequestBody;
    output: ChangeRequestView;
  };
  'stories.changeRequest.create': {
    input: {
      /** The id */
      id: number;
    } & CreateChangeRequestBody;
    output: ChangeRequestView;
  };
  'stories.changeRequest.get': {
    input: {
      /** The id */
      id: number;
      /** Defaults to the draft of the newest request */
      draft_id?: number;
    };
    output: ChangeRequestView;
  };
  'stories.changeRequest.promote': {
    input: {
      /** The id */
      id: number;
    } & PromoteChangeRequestBody;
    output: PublishedStory;
  };
  'stories.check': {
    input: CheckStoryBody;
    output: StoryCheck;
  };
  'stories.create': {
    input: CreateStoryBody;
    output: Story;
  };
  'stories.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'stories.deleteMany': {
    input: DeleteStoriesBody;
    output: undefined;
  };
  'stories.disable': {
    input: {
      /** The id */
      id: number;
    } & DisableStoryBody;
    output: Story;
  };
  'stories.drafts.actions.list': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** Whether to return counts, times and state */
      include_live_activity?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListDraftAgentsResponse;
    item: Action;
  };
  'stories.drafts.bringUpToDate': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
    } & BringStoryDraftUpToDateBody;
    output: UpdatedDraft;
  };
  'stories.drafts.create': {
    input: {
      /** The id */
      id: number;
    } & CreateDraftBody;
    output: Draft;
  };
  'stories.drafts.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
    };
    output: undefined;
  };
  'stories.drafts.diff.compare': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** `conflicts` lists those after the first so many */
      skipped_conflicts?: number;
    };
    output: DraftComparison;
  };
  'stories.drafts.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
    };
    output: Draft;
  };
  'stories.drafts.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListStoryDraftsResponse;
    item: Draft;
  };
  'stories.drafts.publish': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
    } & PublishStoryDraftBody;
    output: PublishedStory;
  };
  'stories.drafts.shadows.create': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
    } & CreateStoryDraftShadowBody;
    output: DraftShadow;
  };
  'stories.drafts.shadows.differences.list': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** The id of the shadow */
      shadow_id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListStoryDraftShadowDifferencesResponse;
    item: DraftShadowDifference;
  };
  'stories.drafts.shadows.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** The id of the shadow */
      shadow_id: number;
    };
    output: DraftShadow;
  };
  'stories.drafts.shadows.list': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListStoryDraftShadowsResponse;
    item: DraftShadow;
  };
  'stories.drafts.shadows.runs.list': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** The id of the shadow */
      shadow_id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
      /** Only runs of this group of differences */
      difference_id?: number;
      /** Only runs that differ, or only those that could not be compared */
      verdict?: "different" | "not_compared";
    };
    output: ListStoryDraftShadowRunsResponse;
    item: DraftShadowRun;
  };
  'stories.drafts.shadows.stop': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
      /** The id of the shadow */
      shadow_id: number;
    };
    output: DraftShadow;
  };
  'stories.drafts.update': {
    input: {
      /** The id */
      id: number;
      /** The id of the draft */
      draft_id: number;
    } & CreateDraftBody;
    output: Draft;
  };
  'stories.export': {
    input: {
      /** The id */
      id: number;
      /** Generates new webhook paths and secrets */
      randomize_urls?: boolean;
      /** Omits the recipients of failure notices */
      clear_recipients?: boolean;
      /** The draft instead of the story */
      draft_id?: number;
      /** The form that files in a repository have: with the guids that the story and its actions were imported with */
      for_files?: boolean;
    };
    output: StoryExport;
  };
  'stories.get': {
    input: {
      /** The id */
      id: number;
      /** Adds waiting and failed counts */
      include_live_activity?: boolean;
      /** No effect; use `draft_id` for drafts */
      story_mode?: "LIVE" | "TEST";
      /** The draft instead of the story */
      draft_id?: number;
    };
    output: ActiveStory;
  };
  'stories.graph.get': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
    };
    output: StoryGraph;
  };
  'stories.graph.replace': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
    } & StoryGraphChanges;
    output: StoryGraph;
  };
  'stories.import': {
    input: ImportStoryBody;
    output: ImportedStory;
  };
  'stories.list': {
    input: {
      /** The id of the team */
      team_id?: number;
      /** The id of the folder */
      folder_id?: number;
      /** Part of the name */
      search?: string;
      /** Stories with at least one of these tags; a list or comma-separated */
      tags?: string[];
      /** Only stories matching this filter */
      filter?: "SEND_TO_STORY_ENABLED" | "HIGH_PRIORITY" | "API_ENABLED" | "PUBLISHED" | "FAVORITE" | "CHANGE_CONTROL_ENABLED" | "DISABLED" | "LOCKED";
      /** Default: newest first */
      order?: "NAME" | "NAME_DESC" | "RECENTLY_EDITED" | "LEAST_RECENTLY_EDITED" | "ACTION_COUNT_ASC" | "ACTION_COUNT_DESC";
      /** Adds waiting and failed counts */
      include_live_activity?: boolean;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: {
      /** Items of the page */
      stories: ActiveStory[];
      meta: PageMeta;
    };
    item: ActiveStory;
  };
  'stories.owners.add': {
    input: {
      /** The id */
      id: number;
    } & AddStoryOwnerBody;
    output: Story;
  };
  'stories.owners.remove': {
    input: {
      /** The id */
      id: number;
    } & AddStoryOwnerBody;
    output: Story;
  };
  'stories.pendingActions.list': {
    input: {
      /** The id */
      id: number;
      /** Part of the name */
      search?: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListPendingActionsResponse;
    item: PendingAction;
  };
  'stories.presence.enter': {
    input: {
      /** The id */
      id: number;
    } & EnterStoryBody;
    output: StoryPresence;
  };
  'stories.presence.leave': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'stories.recipients.add': {
    input: {
      /** The id */
      id: number;
    } & AddStoryRecipientBody;
    output: Story;
  };
  'stories.recipients.remove': {
    input: {
      /** The id */
      id: number;
    } & RemoveStoryRecipientBody;
    output: Story;
  };
  'stories.renamePreview': {
    input: RenamePreviewBody;
    output: RenamePreview;
  };
  'stories.renamesPreview': {
    input: RenamesPreviewBody;
    output: RenamesPreview;
  };
  'stories.replace': {
    input: {
      /** The id */
      id: number;
      /** The draft instead of the story */
      draft_id?: number;
    } & ReplaceStoryBody;
    output: ImportedStory;
  };
  'stories.runs.actions.count': {
    input: {
      /** The id */
      id: number;
      /** Id that is stable across exports */
      guid: string;
    };
    output: CountStoryRunActionsResponse;
  };
  'stories.runs.attempts.list': {
    input: {
      /** The id */
      id: number;
      /** Id that is stable across exports */
      guid: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Attempts of this action */
      agent_id?: number;
      /** Attempts to process this event */
      event_id?: number;
      /** Attempts of this step, such as the id of a dead letter */
      delivery_id?: number;
    };
    output: ListStoryRunAttemptsResponse;
    item: Attempt;
  };
  'stories.runs.cancel': {
    input: {
      /** The id */
      id: number;
      /** Id that is stable across exports */
      guid: string;
    };
    output: Run;
  };
  'stories.runs.get': {
    input: {
      /** The id */
      id: number;
      /** Id that is stable across exports */
      guid: string;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Leaves `events` empty, for runs with many events; `story_run_events` still lists them */
      exclude_payloads?: boolean;
    };
    output: RunDetails;
  };
  'stories.runs.list': {
    input: {
      /** The id */
      id: number;
      /** The state */
      status?: "running" | "completed" | "failed" | "cancelled";
      /** How it was started */
      source?: "webhook" | "api" | "schedule" | "send_to_story";
      /** Runs started at or after this time */
      since?: string;
      /** Runs started before this time */
      until?: string;
      /** Runs of this draft of the story */
      draft_id?: number;
      /** Only runs with steps that logged errors and did not fail, among the newest 10,000 runs */
      warnings?: true;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
    };
    output: ListStoryRunsResponse;
    item: Run;
  };
  'stories.runs.start': {
    input: {
      /** The id */
      id: number;
    } & StartStoryRunBody;
    output: Run;
  };
  'stories.runs.summary.get': {
    input: {
      /** The id */
      id: number;
      /** Id that is stable across exports */
      guid: string;
    };
    output: RunSummary;
  };
  'stories.tests.delete': {
    input: {
      /** The id */
      id: number;
      /** Name of the test */
      name: string;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
    };
    output: undefined;
  };
  'stories.tests.fromRun.keep': {
    input: {
      /** The id */
      id: number;
    } & KeptStoryRun;
    output: KeptStoryTest;
  };
  'stories.tests.list': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
    };
    output: StoryTests;
  };
  'stories.tests.runMany': {
    input: {
      /** The id */
      id: number;
    } & StoryTestRun;
    output: StoryTestReport;
  };
  'stories.tests.save': {
    input: {
      /** The id */
      id: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
    } & StoryTestChange;
    output: SavedStoryTest;
  };
  'stories.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateStoryBody;
    output: Story;
  };
  'stories.versions.create': {
    input: {
      /** The id */
      id: number;
    } & CreateStoryVersionBody;
    output: NewStoryVersion;
  };
  'stories.versions.delete': {
    input: {
      /** The id */
      id: number;
      /** The id of the version */
      version_id: number;
    };
    output: undefined;
  };
  'stories.versions.diff.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the version */
      version_id: number;
      /** Id of a version of the same story, or `live` for its current state, which is the default */
      with?: "live" | number;
      /** A draft of the story, instead of `with` */
      draft_id?: number;
    };
    output: VersionDiff;
  };
  'stories.versions.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the version */
      version_id: number;
      /** The form that files in a repository have: with the guids that the story and its actions were imported with */
      for_files?: boolean;
    };
    output: StoryVersionWithExport;
  };
  'stories.versions.list': {
    input: {
      /** The id */
      id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number */
      cursor?: string;
      /** The versions of this draft instead of those of the story */
      draft_id?: number;
    };
    output: ListStoryVersionsResponse;
    item: StoryVersion;
  };
  'stories.versions.restore': {
    input: {
      /** The id */
      id: number;
      /** The id of the version */
      version_id: number;
    };
    output: RestoredStoryVersion;
  };
  'stories.versions.update': {
    input: {
      /** The id */
      id: number;
      /** The id of the version */
      version_id: number;
    } & UpdateStoryVersionBody;
    output: StoryVersionAnswer;
  };
  'stream.open': {
    input: {
      /** The story or draft to follow */
      story_id?: number;
      /** The team to follow */
      team_id?: number;
      /** A draft to follow as well */
      draft_id?: number;
      /** Types of events; default: all */
      kinds?: ("run_started" | "run_ended" | "counts" | "log" | "dead_letter" | "story_changed" | "case_changed" | "audit_log_changed")[];
      /** Same as the header `Last-Event-ID`, for clients that cannot set it */
      last_event_id?: string;
      /** The stream ends after this time */
      seconds?: number;
    };
    output: AsyncGenerator<StreamEvent, void, undefined>;
  };
  'tags.create': {
    input: CreateTagBody;
    output: Tag;
  };
  'tags.delete': {
    input: {
      /** The id */
      id: number;
      /** Team of the tag, if given */
      team_id?: number;
    };
    output: undefined;
  };
  'tags.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Tag;
  };
  'tags.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** The id of the team */
      team_id?: number;
    };
    output: ListTagsResponse;
    item: Tag;
  };
  'tags.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateTagBody;
    output: Tag;
  };
  'teams.create': {
    input: CreateTeamBody;
    output: Team;
  };
  'teams.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'teams.digest.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Digest;
  };
  'teams.digest.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateTeamDigestBody;
    output: Digest;
  };
  'teams.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Team;
  };
  'teams.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListTeamsResponse;
    item: Team;
  };
  'teams.members.create': {
    input: {
      /** The id of the team */
      team_id: number;
    } & CreateTeamMemberBody;
    output: TeamMember;
  };
  'teams.members.delete': {
    input: {
      /** The id of the team */
      team_id: number;
      /** The id of the user */
      user_id: number;
    };
    output: undefined;
  };
  'teams.members.list': {
    input: {
      /** The id of the team */
      team_id: number;
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListTeamMembersResponse;
    item: TeamMember;
  };
  'teams.members.update': {
    input: {
      /** The id of the team */
      team_id: number;
      /** The id of the user */
      user_id: number;
    } & UpdateTeamMemberBody;
    output: TeamMember;
  };
  'teams.repository.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'teams.repository.get': {
    input: {
      /** The id */
      id: number;
    };
    output: TeamRepository;
  };
  'teams.repository.sync': {
    input: {
      /** The id */
      id: number;
    } & SyncTeamRepositoryBody;
    output: RepositorySyncResult;
  };
  'teams.repository.syncs.list': {
    input: {
      /** The id */
      id: number;
    };
    output: ListTeamRepositorySyncsResponse;
  };
  'teams.repository.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateTeamRepositoryBody;
    output: TeamRepository;
  };
  'teams.resendInvitation': {
    input: {
      /** The id of the team */
      team_id: number;
    } & ResendTeamInvitationBody;
    output: InviteTeamMemberResponse;
  };
  'teams.update': {
    input: {
      /** The id */
      id: number;
    } & CreateTeamBody;
    output: Team;
  };
  'templates.previewMany': {
    input: PreviewTemplatesBody;
    output: TemplatePreviews;
  };
  'templates.render': {
    input: RenderTemplateBody;
    output: RenderedTemplate;
  };
  'tenants.mailSettings.get': {
    input: {};
    output: MailSettings;
  };
  'tenants.mailSettings.update': {
    input: UpdateMailSettingsBody;
    output: MailSettings;
  };
  'tenants.testSettings.get': {
    input: {};
    output: TestSettings;
  };
  'tenants.testSettings.update': {
    input: UpdateTestSettingsBody;
    output: TestSettings;
  };
  'tenants.usage.get': {
    input: {};
    output: GetTenantUsageResponse;
  };
  'trials.create': {
    input: CreateTrialBody;
    output: StoryTrial;
  };
  'userCredentials.create': {
    input: CreateUserCredentialBody;
    output: UserCredential;
  };
  'userCredentials.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'userCredentials.get': {
    input: {
      /** The id */
      id: number;
      /** Whether to return `referencing_action_ids` */
      include_referencing_action_ids?: boolean;
    };
    output: UserCredential;
  };
  'userCredentials.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** The id of the team */
      team_id?: number;
      /** The id of the folder */
      folder_id?: number;
      /** Part of the name */
      search?: string;
      /** With or without `allowed_hosts`, or not used by any action */
      filter?: "RESTRICTED" | "UNRESTRICTED" | "UNUSED_IN_ACTIONS";
    };
    output: ListUserCredentialsResponse;
    item: UserCredential;
  };
  'userCredentials.test': {
    input: {
      /** The id */
      id: number;
    } & TestUserCredentialBody;
    output: CredentialTest;
  };
  'userCredentials.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateUserCredentialBody;
    output: UserCredential;
  };
  'users.create': {
    input: CreateUserBody;
    output: User;
  };
  'users.delete': {
    input: {
      /** The id */
      id: number;
    };
    output: undefined;
  };
  'users.get': {
    input: {
      /** The id */
      id: number;
    };
    output: User;
  };
  'users.list': {
    input: {
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
      /** Part of the name */
      search?: string;
    };
    output: ListUsersResponse;
    item: User;
  };
  'users.me': {
    input: {};
    output: User;
  };
  'users.update': {
    input: {
      /** The id */
      id: number;
    } & UpdateUserBody;
    output: User;
  };
  'webhooks.call': {
    input: {
      /** The id */
      id: number;
    } & CallWebhookBody;
    output: AnsweredWebhookCall;
  };
  'webhooks.get': {
    input: {
      /** The id */
      id: number;
    };
    output: Webhook;
  };
  'webhooks.list': {
    input: {
      /** Webhooks of this story */
      story_id?: number;
      /** Webhooks of the stories of this team */
      team_id?: number;
      /** Draft of the story; null for the story itself */
      draft_id?: number | null;
      /** TEST for drafts, if no story is given */
      mode?: "LIVE" | "TEST";
      /** Part of a name or the path */
      search?: string;
      /** The last call, or the most rejected calls of a day, first */
      order?: "STORY" | "LAST_CALL" | "REFUSED";
      /** Page number, from 1 */
      page?: number;
      /** Items per page */
      per_page?: number;
    };
    output: ListWebhooksResponse;
    item: Webhook;
  };
}

/** The methods of the client, by nouns. */
export interface FabulaApi {
  readonly actions: {
    /** Clear the state of one of the actions. `DELETE /api/v1/actions/{id}/clear_memory` */
    readonly clearMemory: Call<'actions.clearMemory'>;
    /** Add one of the actions to a story. `POST /api/v1/actions` */
    readonly create: Call<'actions.create'>;
    /** Delete one of the actions of a story. `DELETE /api/v1/actions/{id}` */
    readonly delete: Call<'actions.delete'>;
    /** Run a trial of one of the actions. `POST /api/v1/actions/{id}/dry_run` */
    readonly dryRun: Call<'actions.dryRun'>;
    readonly events: {
      /** List the events of one of the actions, newest first. `GET /api/v1/actions/{id}/events` */
      readonly list: Call<'actions.events.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'actions.events.list'>;
    };
    /** Get one of the actions of a story. `GET /api/v1/actions/{id}` */
    readonly get: Call<'actions.get'>;
    /** List the actions of all stories. `GET /api/v1/actions` */
    readonly list: Call<'actions.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'actions.list'>;
    readonly logs: {
      /** List the log of one of the actions, newest line first. `GET /api/v1/actions/{id}/logs` */
      readonly list: Call<'actions.logs.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'actions.logs.list'>;
      readonly request: {
        /** Get the HTTP request and response of a failed attempt, by its log line of one of the actions. `GET /api/v1/actions/{id}/logs/{log_id}/request` */
        readonly get: Call<'actions.logs.request.get'>;
      };
    };
    /** Remove the events of one of the actions. `DELETE /api/v1/actions/{id}/remove_events` */
    readonly removeEvents: Call<'actions.removeEvents'>;
    /** Remove the log of one of the actions. `DELETE /api/v1/actions/{id}/remove_logs` */
    readonly removeLogs: Call<'actions.removeLogs'>;
    /** Start a run at one of the actions. `POST /api/v1/actions/{id}/run` */
    readonly run: Call<'actions.run'>;
    /** Update one of the actions of a story. `PUT /api/v1/actions/{id}` */
    readonly update: Call<'actions.update'>;
  };
  readonly admin: {
    readonly actions: {
      readonly deadJobs: {
        /** List dead letters of an action that you can see (public client format). `GET /api/v1/admin/actions/{id}/dead_jobs` */
        readonly list: Call<'admin.actions.deadJobs.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'admin.actions.deadJobs.list'>;
      };
      readonly deleteAllDeadJobs: {
        /** Drop dead letters of an action that you can change (public client format). `DELETE /api/v1/admin/actions/{id}/delete_all_dead_jobs` */
        readonly drop: Call<'admin.actions.deleteAllDeadJobs.drop'>;
      };
    };
    readonly deadJobs: {
      /** List dead letters of every team that you can see (public client format). `GET /api/v1/admin/dead_jobs` */
      readonly list: Call<'admin.deadJobs.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'admin.deadJobs.list'>;
    };
    readonly deleteAllDeadJobs: {
      /** Drop dead letters of every team that you can change (public client format). `DELETE /api/v1/admin/delete_all_dead_jobs` */
      readonly drop: Call<'admin.deleteAllDeadJobs.drop'>;
    };
    readonly templates: {
      /** Create an action template. `POST /api/v1/admin/templates` */
      readonly create: Call<'admin.templates.create'>;
      /** Delete an action template. `DELETE /api/v1/admin/templates/{id}` */
      readonly delete: Call<'admin.templates.delete'>;
      /** Get an action template. `GET /api/v1/admin/templates/{id}` */
      readonly get: Call<'admin.templates.get'>;
      /** List action templates. `GET /api/v1/admin/templates` */
      readonly list: Call<'admin.templates.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'admin.templates.list'>;
      /** Update an action template. `PUT /api/v1/admin/templates/{id}` */
      readonly update: Call<'admin.templates.update'>;
    };
    readonly users: {
      /** Create a user (public client format). `POST /api/v1/admin/users` */
      readonly create: Call<'admin.users.create'>;
      /** Deactivate a user (public client format). `DELETE /api/v1/admin/users/{id}` */
      readonly delete: Call<'admin.users.delete'>;
      readonly expireSession: {
        /** End all sessions of a user. `POST /api/v1/admin/users/{id}/expire_session` */
        readonly end: Call<'admin.users.expireSession.end'>;
      };
      /** Get a user (public client format). `GET /api/v1/admin/users/{id}` */
      readonly get: Call<'admin.users.get'>;
      /** List users (public client format). `GET /api/v1/admin/users` */
      readonly list: Call<'admin.users.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'admin.users.list'>;
      readonly signinActivities: {
        /** List the console sign-ins of a user, newest first. `GET /api/v1/admin/users/{id}/signin_activities` */
        readonly list: Call<'admin.users.signinActivities.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'admin.users.signinActivities.list'>;
      };
      /** Update a user (public client format). `PUT /api/v1/admin/users/{id}` */
      readonly update: Call<'admin.users.update'>;
    };
  };
  readonly agentTypes: {
    /** List agent types with their options. `GET /api/v1/agent_types` */
    readonly list: Call<'agentTypes.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'agentTypes.list'>;
  };
  readonly apiKeys: {
    /** Create an API key. `POST /api/v1/api_keys` */
    readonly create: Call<'apiKeys.create'>;
    /** Revoke an API key. `DELETE /api/v1/api_keys/{id}` */
    readonly delete: Call<'apiKeys.delete'>;
    /** Get an API key. `GET /api/v1/api_keys/{id}` */
    readonly get: Call<'apiKeys.get'>;
    /** List API keys. `GET /api/v1/api_keys` */
    readonly list: Call<'apiKeys.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'apiKeys.list'>;
  };
  readonly auditLogs: {
    /** List audit log entries, newest first. `GET /api/v1/audit_logs` */
    readonly list: Call<'auditLogs.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'auditLogs.list'>;
  };
  readonly cases: {
    readonly actions: {
      /** Add an action to a case. `POST /api/v2/cases/{id}/actions` */
      readonly create: Call<'cases.actions.create'>;
      /** Delete an action of a case. `DELETE /api/v2/cases/{id}/actions/{action_id}` */
      readonly delete: Call<'cases.actions.delete'>;
      /** Get an action of a case. `GET /api/v2/cases/{id}/actions/{action_id}` */
      readonly get: Call<'cases.actions.get'>;
      /** List the actions of a case. `GET /api/v2/cases/{id}/actions` */
      readonly list: Call<'cases.actions.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.actions.list'>;
      /** Replace the actions of a case. `PUT /api/v2/cases/{id}/actions/batch` */
      readonly replaceMany: Call<'cases.actions.replaceMany'>;
      /** Update an action of a case. `PUT /api/v2/cases/{id}/actions/{action_id}` */
      readonly update: Call<'cases.actions.update'>;
    };
    readonly activities: {
      /** Get an activity of a case. `GET /api/v2/cases/{id}/activities/{activity_id}` */
      readonly get: Call<'cases.activities.get'>;
      /** List the activities of a case, oldest first. `GET /api/v2/cases/{id}/activities` */
      readonly list: Call<'cases.activities.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.activities.list'>;
    };
    readonly assignees: {
      /** List the assignees of a case. `GET /api/v2/cases/{id}/assignees` */
      readonly list: Call<'cases.assignees.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.assignees.list'>;
    };
    readonly closureConditions: {
      /** Evaluate the closure conditions of a case. `GET /api/v2/cases/{id}/closure_conditions` */
      readonly get: Call<'cases.closureConditions.get'>;
    };
    readonly comments: {
      /** Comment on a case. `POST /api/v2/cases/{id}/comments` */
      readonly create: Call<'cases.comments.create'>;
      /** Delete a comment of a case. `DELETE /api/v2/cases/{id}/comments/{comment_id}` */
      readonly delete: Call<'cases.comments.delete'>;
      /** Get a comment of a case. `GET /api/v2/cases/{id}/comments/{comment_id}` */
      readonly get: Call<'cases.comments.get'>;
      /** List the comments of a case, oldest first. `GET /api/v2/cases/{id}/comments` */
      readonly list: Call<'cases.comments.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.comments.list'>;
      /** Update a comment of a case. `PUT /api/v2/cases/{id}/comments/{comment_id}` */
      readonly update: Call<'cases.comments.update'>;
    };
    /** Create a case. `POST /api/v2/cases` */
    readonly create: Call<'cases.create'>;
    /** Delete a case. `DELETE /api/v2/cases/{id}` */
    readonly delete: Call<'cases.delete'>;
    /** Get a case. `GET /api/v2/cases/{id}` */
    readonly get: Call<'cases.get'>;
    readonly linkedCases: {
      /** Link another case to a case. `POST /api/v2/cases/{id}/linked_cases` */
      readonly create: Call<'cases.linkedCases.create'>;
      /** Remove a link between cases. `DELETE /api/v2/cases/{id}/linked_cases/{linked_case_id}` */
      readonly delete: Call<'cases.linkedCases.delete'>;
      /** Link several cases to a case. `POST /api/v2/cases/{id}/linked_cases/batch` */
      readonly linkMany: Call<'cases.linkedCases.linkMany'>;
      /** List the cases linked to a case. `GET /api/v2/cases/{id}/linked_cases` */
      readonly list: Call<'cases.linkedCases.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.linkedCases.list'>;
    };
    /** List cases, newest first. `GET /api/v2/cases` */
    readonly list: Call<'cases.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'cases.list'>;
    readonly metadata: {
      /** Add metadata to a case. `POST /api/v2/cases/{id}/metadata` */
      readonly create: Call<'cases.metadata.create'>;
      /** Delete metadata of a case. `DELETE /api/v2/cases/{id}/metadata` */
      readonly delete: Call<'cases.metadata.delete'>;
      /** Get the metadata of a case. `GET /api/v2/cases/{id}/metadata` */
      readonly get: Call<'cases.metadata.get'>;
      /** Get the value of one metadata key. `GET /api/v2/cases/{id}/metadata/{key}` */
      readonly getValue: Call<'cases.metadata.getValue'>;
      /** Set metadata of a case. `PUT /api/v2/cases/{id}/metadata` */
      readonly update: Call<'cases.metadata.update'>;
    };
    readonly records: {
      /** Add a record to a case. `POST /api/v2/cases/{id}/records` */
      readonly create: Call<'cases.records.create'>;
      /** Remove a record from a case. `DELETE /api/v2/cases/{id}/records/{record_id}` */
      readonly delete: Call<'cases.records.delete'>;
      /** Get a record of a case. `GET /api/v2/cases/{id}/records/{record_id}` */
      readonly get: Call<'cases.records.get'>;
      /** List the records of a case, grouped by record type. `GET /api/v2/cases/{id}/records` */
      readonly list: Call<'cases.records.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.records.list'>;
    };
    readonly subscribers: {
      /** Subscribe a URL or a user to a case. `POST /api/v2/cases/{id}/subscribers` */
      readonly create: Call<'cases.subscribers.create'>;
      /** Remove a subscriber from a case. `DELETE /api/v2/cases/{id}/subscribers/{subscriber_id}` */
      readonly delete: Call<'cases.subscribers.delete'>;
      /** List the subscribers of a case. `GET /api/v2/cases/{id}/subscribers` */
      readonly list: Call<'cases.subscribers.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'cases.subscribers.list'>;
      /** Subscribe several users to a case. `POST /api/v2/cases/{id}/subscribers/batch` */
      readonly subscribeMany: Call<'cases.subscribers.subscribeMany'>;
    };
    /** Update a case. `PUT /api/v2/cases/{id}` */
    readonly update: Call<'cases.update'>;
  };
  readonly credentials: {
    /** Create a credential. `POST /api/v1/credentials` */
    readonly create: Call<'credentials.create'>;
    /** Delete a credential. `DELETE /api/v1/credentials/{id}` */
    readonly delete: Call<'credentials.delete'>;
    /** Get a credential. `GET /api/v1/credentials/{id}` */
    readonly get: Call<'credentials.get'>;
    /** List credentials. `GET /api/v1/credentials` */
    readonly list: Call<'credentials.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'credentials.list'>;
    /** Update a credential. `PUT /api/v1/credentials/{id}` */
    readonly update: Call<'credentials.update'>;
  };
  readonly deadLetters: {
    readonly canaries: {
      /** Retry dead letters as a canary. `POST /api/v1/dead_letters/canaries` */
      readonly create: Call<'deadLetters.canaries.create'>;
      /** Get a canary retry. `GET /api/v1/dead_letters/canaries/{id}` */
      readonly get: Call<'deadLetters.canaries.get'>;
      /** List canary retries, newest first. `GET /api/v1/dead_letters/canaries` */
      readonly list: Call<'deadLetters.canaries.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'deadLetters.canaries.list'>;
      /** Stop a canary retry. `POST /api/v1/dead_letters/canaries/{id}/stop` */
      readonly stop: Call<'deadLetters.canaries.stop'>;
    };
    /** Drop a dead letter. `DELETE /api/v1/dead_letters/{id}` */
    readonly delete: Call<'deadLetters.delete'>;
    /** Drop many dead letters. `POST /api/v1/dead_letters/drop` */
    readonly dropMany: Call<'deadLetters.dropMany'>;
    /** Get a dead letter. `GET /api/v1/dead_letters/{id}` */
    readonly get: Call<'deadLetters.get'>;
    readonly groups: {
      /** Count dead letters by action and error type. `GET /api/v1/dead_letters/groups` */
      readonly list: Call<'deadLetters.groups.list'>;
    };
    /** List dead letters, newest first. `GET /api/v1/dead_letters` */
    readonly list: Call<'deadLetters.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'deadLetters.list'>;
    /** Retry a dead letter. `POST /api/v1/dead_letters/{id}/retry` */
    readonly retry: Call<'deadLetters.retry'>;
    /** Retry many dead letters. `POST /api/v1/dead_letters/retry` */
    readonly retryMany: Call<'deadLetters.retryMany'>;
  };
  readonly doctor: {
    /** Check the installation. `GET /api/v1/doctor` */
    readonly get: Call<'doctor.get'>;
  };
  readonly events: {
    /** Get an event with the full input of its receivers. `GET /api/v1/events/{id}` */
    readonly get: Call<'events.get'>;
    /** List events, newest first. `GET /api/v1/events` */
    readonly list: Call<'events.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'events.list'>;
    /** Emit an event again. `POST /api/v1/events/{id}/reemit` */
    readonly reemit: Call<'events.reemit'>;
    readonly request: {
      /** Get the HTTP request that produced an event. `GET /api/v1/events/{id}/request` */
      readonly get: Call<'events.request.get'>;
    };
  };
  readonly filters: {
    /** List filters of Liquid. `GET /api/v1/filters` */
    readonly list: Call<'filters.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'filters.list'>;
  };
  readonly folders: {
    /** Create a folder. `POST /api/v1/folders` */
    readonly create: Call<'folders.create'>;
    /** Delete a folder. `DELETE /api/v1/folders/{id}` */
    readonly delete: Call<'folders.delete'>;
    /** Get a folder. `GET /api/v1/folders/{id}` */
    readonly get: Call<'folders.get'>;
    /** List folders. `GET /api/v1/folders` */
    readonly list: Call<'folders.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'folders.list'>;
    /** Update a folder. `PUT /api/v1/folders/{id}` */
    readonly update: Call<'folders.update'>;
  };
  readonly functions: {
    /** List functions of formulas. `GET /api/v1/functions` */
    readonly list: Call<'functions.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'functions.list'>;
  };
  readonly globalResources: {
    /** Append to a resource. `POST /api/v1/global_resources/{id}/append` */
    readonly append: Call<'globalResources.append'>;
    /** Create a resource. `POST /api/v1/global_resources` */
    readonly create: Call<'globalResources.create'>;
    /** Delete a resource. `DELETE /api/v1/global_resources/{id}` */
    readonly delete: Call<'globalResources.delete'>;
    /** Get a resource. `GET /api/v1/global_resources/{id}` */
    readonly get: Call<'globalResources.get'>;
    /** List resources. `GET /api/v1/global_resources` */
    readonly list: Call<'globalResources.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'globalResources.list'>;
    /** Remove a part of a resource. `POST /api/v1/global_resources/{id}/remove` */
    readonly remove: Call<'globalResources.remove'>;
    /** Replace a part of a resource. `POST /api/v1/global_resources/{id}/replace` */
    readonly replace: Call<'globalResources.replace'>;
    /** Update a resource. `PUT /api/v1/global_resources/{id}` */
    readonly update: Call<'globalResources.update'>;
  };
  readonly inbox: {
    /** List what needs attention. `GET /api/v1/inbox` */
    readonly list: Call<'inbox.list'>;
    /** Assign or snooze an entry of the inbox. `PUT /api/v1/inbox/{entry_key}` */
    readonly update: Call<'inbox.update'>;
  };
  readonly info: {
    /** Get information about the installation. `GET /api/v1/info` */
    readonly get: Call<'info.get'>;
    readonly workerStats: {
      /** Count workers and waiting jobs. `GET /api/v1/info/worker_stats` */
      readonly get: Call<'info.workerStats.get'>;
    };
  };
  readonly notes: {
    /** Add one of the notes to a story. `POST /api/v1/notes` */
    readonly create: Call<'notes.create'>;
    /** Delete one of the notes. `DELETE /api/v1/notes/{id}` */
    readonly delete: Call<'notes.delete'>;
    /** Get one of the notes. `GET /api/v1/notes/{id}` */
    readonly get: Call<'notes.get'>;
    /** List the notes of all stories. `GET /api/v1/notes` */
    readonly list: Call<'notes.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'notes.list'>;
    /** Update one of the notes. `PUT /api/v1/notes/{id}` */
    readonly update: Call<'notes.update'>;
  };
  readonly openapi: {
    readonly operations: {
      /** List the operations of an OpenAPI document. `POST /api/v1/openapi/operations` */
      readonly list: Call<'openapi.operations.list'>;
    };
    readonly request: {
      /** Convert an operation of an OpenAPI document to an HTTP request action. `POST /api/v1/openapi/request` */
      readonly import: Call<'openapi.request.import'>;
    };
  };
  readonly promotions: {
    /** Bundle stories for another tenant. `POST /api/v1/promotions/bundle` */
    readonly bundleMany: Call<'promotions.bundleMany'>;
    /** Check a promotion. `POST /api/v1/promotions/check` */
    readonly check: Call<'promotions.check'>;
    /** Get a promotion. `GET /api/v1/promotions/{id}` */
    readonly get: Call<'promotions.get'>;
    /** List promotions, newest first. `GET /api/v1/promotions` */
    readonly list: Call<'promotions.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'promotions.list'>;
    /** Promote stories from another tenant. `POST /api/v1/promotions` */
    readonly promote: Call<'promotions.promote'>;
    /** Revert a promotion. `POST /api/v1/promotions/{id}/revert` */
    readonly revert: Call<'promotions.revert'>;
  };
  readonly queues: {
    /** List the queues with their waiting work. `GET /api/v1/queues` */
    readonly list: Call<'queues.list'>;
  };
  readonly recordTypes: {
    /** Create a record type. `POST /api/v1/record_types` */
    readonly create: Call<'recordTypes.create'>;
    /** Delete a record type with all of its records. `DELETE /api/v1/record_types/{id}` */
    readonly delete: Call<'recordTypes.delete'>;
    /** Get a record type. `GET /api/v1/record_types/{id}` */
    readonly get: Call<'recordTypes.get'>;
    /** List record types, newest first. `GET /api/v1/record_types` */
    readonly list: Call<'recordTypes.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'recordTypes.list'>;
    /** Update a record type: rename it, and add, rename or delete fields. `PUT /api/v1/record_types/{id}` */
    readonly update: Call<'recordTypes.update'>;
  };
  readonly records: {
    /** Create a record. `POST /api/v1/records` */
    readonly create: Call<'records.create'>;
    /** Delete a record, keeping its children. `DELETE /api/v1/records/{id}` */
    readonly delete: Call<'records.delete'>;
    /** Get a record. `GET /api/v1/records/{id}` */
    readonly get: Call<'records.get'>;
    /** List records of one type. `GET /api/v1/records` */
    readonly list: Call<'records.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'records.list'>;
    /** Update the values and children of a record. `PUT /api/v1/records/{id}` */
    readonly update: Call<'records.update'>;
  };
  readonly runs: {
    /** Search the runs of all stories, newest first. `GET /api/v1/runs` */
    readonly search: Call<'runs.search'>;
  };
  readonly schedules: {
    /** Get a schedule. `GET /api/v1/schedules/{id}` */
    readonly get: Call<'schedules.get'>;
    /** List schedules with their next starts and their last run. `GET /api/v1/schedules` */
    readonly list: Call<'schedules.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'schedules.list'>;
    /** Pause or resume a schedule. `PUT /api/v1/schedules/{id}` */
    readonly update: Call<'schedules.update'>;
  };
  readonly stats: {
    /** Count runs, events and failures by story, action, minute, hour or day. `GET /api/v1/stats` */
    readonly get: Call<'stats.get'>;
  };
  readonly status: {
    /** Get the status. `GET /api/v1/status` */
    readonly get: Call<'status.get'>;
  };
  readonly steps: {
    /** Create a step. `POST /api/v1/steps` */
    readonly create: Call<'steps.create'>;
    /** Delete a step. `DELETE /api/v1/steps/{id}` */
    readonly delete: Call<'steps.delete'>;
    /** Get a step. `GET /api/v1/steps/{id}` */
    readonly get: Call<'steps.get'>;
    /** List steps. `GET /api/v1/steps` */
    readonly list: Call<'steps.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'steps.list'>;
    /** Update a step. `PUT /api/v1/steps/{id}` */
    readonly update: Call<'steps.update'>;
    readonly updates: {
      /** Preview the update of stories to a version of a step. `POST /api/v1/steps/{id}/updates/preview` */
      readonly previewMany: Call<'steps.updates.previewMany'>;
      /** Update stories to a version of a step. `POST /api/v1/steps/{id}/updates` */
      readonly update: Call<'steps.updates.update'>;
    };
    readonly uses: {
      /** List the stories that use a step. `GET /api/v1/steps/{id}/uses` */
      readonly list: Call<'steps.uses.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'steps.uses.list'>;
    };
    readonly versions: {
      /** Create a version of a step. `POST /api/v1/steps/{id}/versions` */
      readonly create: Call<'steps.versions.create'>;
      /** Get a version of a step. `GET /api/v1/steps/{id}/versions/{number}` */
      readonly get: Call<'steps.versions.get'>;
      /** List the versions of a step. `GET /api/v1/steps/{id}/versions` */
      readonly list: Call<'steps.versions.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'steps.versions.list'>;
    };
  };
  readonly stories: {
    readonly actions: {
      /** List the actions of a story. `GET /api/v1/stories/{id}/actions` */
      readonly list: Call<'stories.actions.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.actions.list'>;
    };
    readonly changeRequest: {
      /** Approve a change request. `POST /api/v1/stories/{id}/change_request/approve` */
      readonly approve: Call<'stories.changeRequest.approve'>;
      /** Cancel a change request. `POST /api/v1/stories/{id}/change_request/cancel` */
      readonly cancel: Call<'stories.changeRequest.cancel'>;
      /** Create a change request. `POST /api/v1/stories/{id}/change_request` */
      readonly create: Call<'stories.changeRequest.create'>;
      /** Get the open change request of a draft. `GET /api/v1/stories/{id}/change_request/view` */
      readonly get: Call<'stories.changeRequest.get'>;
      /** Promote an approved change request. `POST /api/v1/stories/{id}/change_request/promote` */
      readonly promote: Call<'stories.changeRequest.promote'>;
    };
    /** Check a story. `POST /api/v1/stories/check` */
    readonly check: Call<'stories.check'>;
    /** Create a story. `POST /api/v1/stories` */
    readonly create: Call<'stories.create'>;
    /** Delete a story. `DELETE /api/v1/stories/{id}` */
    readonly delete: Call<'stories.delete'>;
    /** Delete several stories. `DELETE /api/v1/stories/batch` */
    readonly deleteMany: Call<'stories.deleteMany'>;
    /** Disable or enable a story. `POST /api/v1/stories/{id}/disable` */
    readonly disable: Call<'stories.disable'>;
    readonly drafts: {
      readonly actions: {
        /** List the actions of a draft. `GET /api/v1/stories/{id}/drafts/{draft_id}/agents` */
        readonly list: Call<'stories.drafts.actions.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'stories.drafts.actions.list'>;
      };
      /** Update a draft from the live story. `POST /api/v1/stories/{id}/drafts/{draft_id}/update` */
      readonly bringUpToDate: Call<'stories.drafts.bringUpToDate'>;
      /** Create a draft of a story. `POST /api/v1/stories/{id}/drafts` */
      readonly create: Call<'stories.drafts.create'>;
      /** Delete a draft of a story. `DELETE /api/v1/stories/{id}/drafts/{draft_id}` */
      readonly delete: Call<'stories.drafts.delete'>;
      readonly diff: {
        /** Compare a draft with its story. `GET /api/v1/stories/{id}/drafts/{draft_id}/diff` */
        readonly compare: Call<'stories.drafts.diff.compare'>;
      };
      /** Get a draft of a story. `GET /api/v1/stories/{id}/drafts/{draft_id}` */
      readonly get: Call<'stories.drafts.get'>;
      /** List the drafts of a story. `GET /api/v1/stories/{id}/drafts` */
      readonly list: Call<'stories.drafts.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.drafts.list'>;
      /** Publish a draft. `POST /api/v1/stories/{id}/drafts/{draft_id}/publish` */
      readonly publish: Call<'stories.drafts.publish'>;
      readonly shadows: {
        /** Start a shadow of a draft. `POST /api/v1/stories/{id}/drafts/{draft_id}/shadows` */
        readonly create: Call<'stories.drafts.shadows.create'>;
        readonly differences: {
          /** List the differences that a shadow found. `GET /api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}/differences` */
          readonly list: Call<'stories.drafts.shadows.differences.list'>;
          /** Yields every item of the list, page by page. */
          readonly all: Walk<'stories.drafts.shadows.differences.list'>;
        };
        /** Get a shadow of a draft. `GET /api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}` */
        readonly get: Call<'stories.drafts.shadows.get'>;
        /** List the shadows of a draft. `GET /api/v1/stories/{id}/drafts/{draft_id}/shadows` */
        readonly list: Call<'stories.drafts.shadows.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'stories.drafts.shadows.list'>;
        readonly runs: {
          /** List the runs that a shadow found to differ. `GET /api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}/runs` */
          readonly list: Call<'stories.drafts.shadows.runs.list'>;
          /** Yields every item of the list, page by page. */
          readonly all: Walk<'stories.drafts.shadows.runs.list'>;
        };
        /** Stop a shadow of a draft. `POST /api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}/stop` */
        readonly stop: Call<'stories.drafts.shadows.stop'>;
      };
      /** Rename a draft of a story. `PUT /api/v1/stories/{id}/drafts/{draft_id}` */
      readonly update: Call<'stories.drafts.update'>;
    };
    /** Export a story. `GET /api/v1/stories/{id}/export` */
    readonly export: Call<'stories.export'>;
    /** Get a story. `GET /api/v1/stories/{id}` */
    readonly get: Call<'stories.get'>;
    readonly graph: {
      /** Get the graph of a story. `GET /api/v1/stories/{id}/graph` */
      readonly get: Call<'stories.graph.get'>;
      /** Replace the graph of a story. `PUT /api/v1/stories/{id}/graph` */
      readonly replace: Call<'stories.graph.replace'>;
    };
    /** Import a story. `POST /api/v1/stories/import` */
    readonly import: Call<'stories.import'>;
    /** List stories, newest first. `GET /api/v1/stories` */
    readonly list: Call<'stories.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'stories.list'>;
    readonly owners: {
      /** Add an owner of a story. `POST /api/v1/stories/{id}/owners` */
      readonly add: Call<'stories.owners.add'>;
      /** Remove an owner of a story. `DELETE /api/v1/stories/{id}/owners` */
      readonly remove: Call<'stories.owners.remove'>;
    };
    readonly pendingActions: {
      /** List the actions of a story with waiting work. `GET /api/v1/stories/{id}/pending_actions` */
      readonly list: Call<'stories.pendingActions.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.pendingActions.list'>;
    };
    readonly presence: {
      /** Note that a story is open in an editor. `PUT /api/v1/stories/{id}/presence` */
      readonly enter: Call<'stories.presence.enter'>;
      /** Note that a story is no longer open in an editor. `DELETE /api/v1/stories/{id}/presence` */
      readonly leave: Call<'stories.presence.leave'>;
    };
    readonly recipients: {
      /** Add a recipient of failure notices. `POST /api/v1/stories/{id}/recipients` */
      readonly add: Call<'stories.recipients.add'>;
      /** Remove a recipient of failure notices. `DELETE /api/v1/stories/{id}/recipients` */
      readonly remove: Call<'stories.recipients.remove'>;
    };
    /** Preview the rename of an action. `POST /api/v1/stories/rename_preview` */
    readonly renamePreview: Call<'stories.renamePreview'>;
    /** Preview the rename of several actions. `POST /api/v1/stories/renames_preview` */
    readonly renamesPreview: Call<'stories.renamesPreview'>;
    /** Replace a story with an export. `PUT /api/v1/stories/{id}/export` */
    readonly replace: Call<'stories.replace'>;
    readonly runs: {
      readonly actions: {
        /** Count what the actions of a run did. `GET /api/v1/stories/{id}/runs/{guid}/actions` */
        readonly count: Call<'stories.runs.actions.count'>;
      };
      readonly attempts: {
        /** List the failed attempts of a run, oldest first. `GET /api/v1/stories/{id}/runs/{guid}/attempts` */
        readonly list: Call<'stories.runs.attempts.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'stories.runs.attempts.list'>;
      };
      /** Cancel a run. `POST /api/v1/stories/{id}/runs/{guid}/cancel` */
      readonly cancel: Call<'stories.runs.cancel'>;
      /** Get a run with its events. `GET /api/v1/stories/{id}/runs/{guid}` */
      readonly get: Call<'stories.runs.get'>;
      /** List the runs of a story, newest first. `GET /api/v1/stories/{id}/runs` */
      readonly list: Call<'stories.runs.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.runs.list'>;
      /** Start a run of a story. `POST /api/v1/stories/{id}/runs` */
      readonly start: Call<'stories.runs.start'>;
      readonly summary: {
        /** Get a run without its events. `GET /api/v1/stories/{id}/runs/{guid}/summary` */
        readonly get: Call<'stories.runs.summary.get'>;
      };
    };
    readonly tests: {
      /** Delete a test of a story. `DELETE /api/v1/stories/{id}/tests` */
      readonly delete: Call<'stories.tests.delete'>;
      readonly fromRun: {
        /** Make a test of a past run or a trial. `POST /api/v1/stories/{id}/tests/from_run` */
        readonly keep: Call<'stories.tests.fromRun.keep'>;
      };
      /** List the tests of a story. `GET /api/v1/stories/{id}/tests` */
      readonly list: Call<'stories.tests.list'>;
      /** Run the tests of a story. `POST /api/v1/stories/{id}/tests/run` */
      readonly runMany: Call<'stories.tests.runMany'>;
      /** Add or replace a test of a story. `PUT /api/v1/stories/{id}/tests` */
      readonly save: Call<'stories.tests.save'>;
    };
    /** Update a story. `PUT /api/v1/stories/{id}` */
    readonly update: Call<'stories.update'>;
    readonly versions: {
      /** Save the current state of a story as a version. `POST /api/v1/stories/{id}/versions` */
      readonly create: Call<'stories.versions.create'>;
      /** Delete a version. `DELETE /api/v1/stories/{id}/versions/{version_id}` */
      readonly delete: Call<'stories.versions.delete'>;
      readonly diff: {
        /** Compare a version with another one, with the story, or with a draft of it. `GET /api/v1/stories/{id}/versions/{version_id}/diff` */
        readonly get: Call<'stories.versions.diff.get'>;
      };
      /** Get a version with its export. `GET /api/v1/stories/{id}/versions/{version_id}` */
      readonly get: Call<'stories.versions.get'>;
      /** List the versions of a story, newest first. `GET /api/v1/stories/{id}/versions` */
      readonly list: Call<'stories.versions.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.versions.list'>;
      /** Restore a version. `POST /api/v1/stories/{id}/versions/{version_id}/restore` */
      readonly restore: Call<'stories.versions.restore'>;
      /** Name a version. `PUT /api/v1/stories/{id}/versions/{version_id}` */
      readonly update: Call<'stories.versions.update'>;
    };
  };
  readonly stream: {
    /** Stream live events of stories as server-sent events. `GET /api/v1/stream` */
    readonly open: Call<'stream.open'>;
  };
  readonly tags: {
    /** Create a tag. `POST /api/v1/tags` */
    readonly create: Call<'tags.create'>;
    /** Delete a tag. `DELETE /api/v1/tags/{id}` */
    readonly delete: Call<'tags.delete'>;
    /** Get a tag. `GET /api/v1/tags/{id}` */
    readonly get: Call<'tags.get'>;
    /** List tags. `GET /api/v1/tags` */
    readonly list: Call<'tags.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'tags.list'>;
    /** Update a tag. `PUT /api/v1/tags/{id}` */
    readonly update: Call<'tags.update'>;
  };
  readonly teams: {
    /** Create a team. `POST /api/v1/teams` */
    readonly create: Call<'teams.create'>;
    /** Delete a team. `DELETE /api/v1/teams/{id}` */
    readonly delete: Call<'teams.delete'>;
    readonly digest: {
      /** Get the daily digest of a team. `GET /api/v1/teams/{id}/digest` */
      readonly get: Call<'teams.digest.get'>;
      /** Set the daily digest of a team. `PUT /api/v1/teams/{id}/digest` */
      readonly update: Call<'teams.digest.update'>;
    };
    /** Get a team. `GET /api/v1/teams/{id}` */
    readonly get: Call<'teams.get'>;
    /** List teams. `GET /api/v1/teams` */
    readonly list: Call<'teams.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'teams.list'>;
    readonly members: {
      /** Add a member to a team. `POST /api/v1/teams/{team_id}/members` */
      readonly create: Call<'teams.members.create'>;
      /** Remove a member from a team. `DELETE /api/v1/teams/{team_id}/members/{user_id}` */
      readonly delete: Call<'teams.members.delete'>;
      /** List the members of a team. `GET /api/v1/teams/{team_id}/members` */
      readonly list: Call<'teams.members.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'teams.members.list'>;
      /** Change the role of a member. `PUT /api/v1/teams/{team_id}/members/{user_id}` */
      readonly update: Call<'teams.members.update'>;
    };
    readonly repository: {
      /** Remove the git repository of a team. `DELETE /api/v1/teams/{id}/repository` */
      readonly delete: Call<'teams.repository.delete'>;
      /** Get the git repository of a team. `GET /api/v1/teams/{id}/repository` */
      readonly get: Call<'teams.repository.get'>;
      /** Sync a team with its git repository. `POST /api/v1/teams/{id}/repository/sync` */
      readonly sync: Call<'teams.repository.sync'>;
      readonly syncs: {
        /** List the latest syncs of a team with its git repository. `GET /api/v1/teams/{id}/repository/syncs` */
        readonly list: Call<'teams.repository.syncs.list'>;
      };
      /** Set the git repository of a team. `PUT /api/v1/teams/{id}/repository` */
      readonly update: Call<'teams.repository.update'>;
    };
    /** Resend an invitation. `POST /api/v1/teams/{team_id}/resend_invitation` */
    readonly resendInvitation: Call<'teams.resendInvitation'>;
    /** Rename a team. `PUT /api/v1/teams/{id}` */
    readonly update: Call<'teams.update'>;
  };
  readonly templates: {
    /** Preview the values of templates. `POST /api/v1/templates/preview` */
    readonly previewMany: Call<'templates.previewMany'>;
    /** Render a template. `POST /api/v1/templates/render` */
    readonly render: Call<'templates.render'>;
  };
  readonly tenants: {
    readonly mailSettings: {
      /** Get the mail settings of the tenant. `GET /api/v1/tenants/current/mail_settings` */
      readonly get: Call<'tenants.mailSettings.get'>;
      /** Set the mail settings of the tenant. `PUT /api/v1/tenants/current/mail_settings` */
      readonly update: Call<'tenants.mailSettings.update'>;
    };
    readonly testSettings: {
      /** Get the test settings of the tenant. `GET /api/v1/tenants/current/test_settings` */
      readonly get: Call<'tenants.testSettings.get'>;
      /** Set the test settings of the tenant. `PUT /api/v1/tenants/current/test_settings` */
      readonly update: Call<'tenants.testSettings.update'>;
    };
    readonly usage: {
      /** Get the quotas of the tenant and their usage. `GET /api/v1/tenants/current/usage` */
      readonly get: Call<'tenants.usage.get'>;
    };
  };
  readonly trials: {
    /** Run a trial of a story. `POST /api/v1/trials` */
    readonly create: Call<'trials.create'>;
  };
  readonly userCredentials: {
    /** Create a credential of any mode. `POST /api/v1/user_credentials` */
    readonly create: Call<'userCredentials.create'>;
    /** Delete a credential of any mode. `DELETE /api/v1/user_credentials/{id}` */
    readonly delete: Call<'userCredentials.delete'>;
    /** Get a credential of any mode. `GET /api/v1/user_credentials/{id}` */
    readonly get: Call<'userCredentials.get'>;
    /** List credentials of all modes. `GET /api/v1/user_credentials` */
    readonly list: Call<'userCredentials.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'userCredentials.list'>;
    /** Test a credential of any mode. `POST /api/v1/user_credentials/{id}/test` */
    readonly test: Call<'userCredentials.test'>;
    /** Update a credential of any mode. `PUT /api/v1/user_credentials/{id}` */
    readonly update: Call<'userCredentials.update'>;
  };
  readonly users: {
    /** Create a user. `POST /api/v1/users` */
    readonly create: Call<'users.create'>;
    /** Deactivate a user. `DELETE /api/v1/users/{id}` */
    readonly delete: Call<'users.delete'>;
    /** Get a user. `GET /api/v1/users/{id}` */
    readonly get: Call<'users.get'>;
    /** List users. `GET /api/v1/users` */
    readonly list: Call<'users.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'users.list'>;
    /** Get the user of the key. `GET /api/v1/users/me` */
    readonly me: Call<'users.me'>;
    /** Update a user. `PUT /api/v1/users/{id}` */
    readonly update: Call<'users.update'>;
  };
  readonly webhooks: {
    /** Call a webhook at its own address. `POST /api/v1/webhooks/{id}/call` */
    readonly call: Call<'webhooks.call'>;
    /** Get a webhook with its last calls, by the id of its action. `GET /api/v1/webhooks/{id}` */
    readonly get: Call<'webhooks.get'>;
    /** List webhooks with their last calls. `GET /api/v1/webhooks` */
    readonly list: Call<'webhooks.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'webhooks.list'>;
  };
}

/** The path of an operation, and how its input is sent. */
export interface OperationPlace {
  method: string;
  path: string;
  /** The names that stand in the query. */
  query: readonly string[];
  /** Whether all other names stand in the body; apart: the body is a value of its own, for it shares a name with the path. */
  body: boolean | 'apart';
  /** The key of a list's items. */
  items?: string;
  /** The list has another form without a page, so a page is always asked for. */
  paged?: true;
  /** Whether the answer is a stream of events. */
  stream?: true;
}

export const OPERATIONS: { readonly [Name in keyof Operations]: OperationPlace } = {
  'actions.clearMemory': { method: 'DELETE', path: '/api/v1/actions/{id}/clear_memory', query: [], body: false },
  'actions.create': { method: 'POST', path: '/api/v1/actions', query: [], body: true },
  'actions.delete': { method: 'DELETE', path: '/api/v1/actions/{id}', query: ['draft_id'], body: false },
  'actions.dryRun': { method: 'POST', path: '/api/v1/actions/{id}/dry_run', query: [], body: true },
  'actions.events.list': { method: 'GET', path: '/api/v1/actions/{id}/events', query: ['since_id', 'until_id', 'since', 'until', 'show_reemitted_events_only', 'exclude_previous_event_payloads', 'page', 'per_page', 'cursor'], body: false, items: 'events' },
  'actions.get': { method: 'GET', path: '/api/v1/actions/{id}', query: ['draft_id', 'include_live_activity'], body: false },
  'actions.list': { method: 'GET', path: '/api/v1/actions', query: ['story_id', 'team_id', 'story_mode', 'action_type', 'search', 'draft_id', 'include_live_activity', 'page', 'per_page'], body: false, items: 'agents' },
  'actions.logs.list': { method: 'GET', path: '/api/v1/actions/{id}/logs', query: ['level', 'severity', 'story_run_guid', 'page', 'per_page', 'cursor'], body: false, items: 'action_logs' },
  'actions.logs.request.get': { method: 'GET', path: '/api/v1/actions/{id}/logs/{log_id}/request', query: [], body: false },
  'actions.removeEvents': { method: 'DELETE', path: '/api/v1/actions/{id}/remove_events', query: [], body: true },
  'actions.removeLogs': { method: 'DELETE', path: '/api/v1/actions/{id}/remove_logs', query: [], body: false },
  'actions.run': { method: 'POST', path: '/api/v1/actions/{id}/run', query: [], body: true },
  'actions.update': { method: 'PUT', path: '/api/v1/actions/{id}', query: [], body: true },
  'admin.actions.deadJobs.list': { method: 'GET', path: '/api/v1/admin/actions/{id}/dead_jobs', query: ['page', 'per_page', 'cursor'], body: false, items: 'admin/dead_jobs' },
  'admin.actions.deleteAllDeadJobs.drop': { method: 'DELETE', path: '/api/v1/admin/actions/{id}/delete_all_dead_jobs', query: [], body: false },
  'admin.deadJobs.list': { method: 'GET', path: '/api/v1/admin/dead_jobs', query: ['page', 'per_page', 'cursor'], body: false, items: 'admin/dead_jobs' },
  'admin.deleteAllDeadJobs.drop': { method: 'DELETE', path: '/api/v1/admin/delete_all_dead_jobs', query: [], body: false },
  'admin.templates.create': { method: 'POST', path: '/api/v1/admin/templates', query: [], body: true },
  'admin.templates.delete': { method: 'DELETE', path: '/api/v1/admin/templates/{id}', query: [], body: false },
  'admin.templates.get': { method: 'GET', path: '/api/v1/admin/templates/{id}', query: [], body: false },
  'admin.templates.list': { method: 'GET', path: '/api/v1/admin/templates', query: ['page', 'per_page'], body: false, items: 'admin/templates' },
  'admin.templates.update': { method: 'PUT', path: '/api/v1/admin/templates/{id}', query: [], body: true },
  'admin.users.create': { method: 'POST', path: '/api/v1/admin/users', query: [], body: true },
  'admin.users.delete': { method: 'DELETE', path: '/api/v1/admin/users/{id}', query: [], body: false },
  'admin.users.expireSession.end': { method: 'POST', path: '/api/v1/admin/users/{id}/expire_session', query: [], body: false },
  'admin.users.get': { method: 'GET', path: '/api/v1/admin/users/{id}', query: [], body: false },
  'admin.users.list': { method: 'GET', path: '/api/v1/admin/users', query: ['page', 'per_page', 'filter', 'include'], body: false, items: 'admin/users' },
  'admin.users.signinActivities.list': { method: 'GET', path: '/api/v1/admin/users/{id}/signin_activities', query: ['after', 'before', 'page', 'per_page', 'cursor'], body: false, items: 'admin/login_activities' },
  'admin.users.update': { method: 'PUT', path: '/api/v1/admin/users/{id}', query: [], body: true },
  'agentTypes.list': { method: 'GET', path: '/api/v1/agent_types', query: ['page', 'per_page'], body: false, items: 'agent_types' },
  'apiKeys.create': { method: 'POST', path: '/api/v1/api_keys', query: [], body: true },
  'apiKeys.delete': { method: 'DELETE', path: '/api/v1/api_keys/{id}', query: [], body: false },
  'apiKeys.get': { method: 'GET', path: '/api/v1/api_keys/{id}', query: [], body: false },
  'apiKeys.list': { method: 'GET', path: '/api/v1/api_keys', query: ['page', 'per_page'], body: false, items: 'api_keys' },
  'auditLogs.list': { method: 'GET', path: '/api/v1/audit_logs', query: ['user_id', 'action', 'operation_name', 'target_type', 'target_id', 'team_id', 'from', 'after', 'to', 'before', 'page', 'per_page', 'cursor'], body: false, items: 'audit_logs' },
  'cases.actions.create': { method: 'POST', path: '/api/v2/cases/{id}/actions', query: [], body: true },
  'cases.actions.delete': { method: 'DELETE', path: '/api/v2/cases/{id}/actions/{action_id}', query: [], body: false },
  'cases.actions.get': { method: 'GET', path: '/api/v2/cases/{id}/actions/{action_id}', query: [], body: false },
  'cases.actions.list': { method: 'GET', path: '/api/v2/cases/{id}/actions', query: ['page', 'per_page'], body: false, items: 'actions' },
  'cases.actions.replaceMany': { method: 'PUT', path: '/api/v2/cases/{id}/actions/batch', query: [], body: true },
  'cases.actions.update': { method: 'PUT', path: '/api/v2/cases/{id}/actions/{action_id}', query: [], body: true },
  'cases.activities.get': { method: 'GET', path: '/api/v2/cases/{id}/activities/{activity_id}', query: [], body: false },
  'cases.activities.list': { method: 'GET', path: '/api/v2/cases/{id}/activities', query: ['page', 'per_page', 'activity_type'], body: false, items: 'activities' },
  'cases.assignees.list': { method: 'GET', path: '/api/v2/cases/{id}/assignees', query: ['page', 'per_page'], body: false, items: 'assignees' },
  'cases.closureConditions.get': { method: 'GET', path: '/api/v2/cases/{id}/closure_conditions', query: [], body: false },
  'cases.comments.create': { method: 'POST', path: '/api/v2/cases/{id}/comments', query: [], body: true },
  'cases.comments.delete': { method: 'DELETE', path: '/api/v2/cases/{id}/comments/{comment_id}', query: [], body: false },
  'cases.comments.get': { method: 'GET', path: '/api/v2/cases/{id}/comments/{comment_id}', query: [], body: false },
  'cases.comments.list': { method: 'GET', path: '/api/v2/cases/{id}/comments', query: ['page', 'per_page'], body: false, items: 'comments' },
  'cases.comments.update': { method: 'PUT', path: '/api/v2/cases/{id}/comments/{comment_id}', query: [], body: true },
  'cases.create': { method: 'POST', path: '/api/v2/cases', query: [], body: true },
  'cases.delete': { method: 'DELETE', path: '/api/v2/cases/{id}', query: [], body: false },
  'cases.get': { method: 'GET', path: '/api/v2/cases/{id}', query: [], body: false },
  'cases.linkedCases.create': { method: 'POST', path: '/api/v2/cases/{id}/linked_cases', query: [], body: 'apart' },
  'cases.linkedCases.delete': { method: 'DELETE', path: '/api/v2/cases/{id}/linked_cases/{linked_case_id}', query: [], body: false },
  'cases.linkedCases.linkMany': { method: 'POST', path: '/api/v2/cases/{id}/linked_cases/batch', query: [], body: true },
  'cases.linkedCases.list': { method: 'GET', path: '/api/v2/cases/{id}/linked_cases', query: ['page', 'per_page'], body: false, items: 'linked_cases' },
  'cases.list': { method: 'GET', path: '/api/v2/cases', query: ['team_id', 'status', 'priority', 'filters', 'search', 'tag', 'assignee_email', 'order', 'page', 'per_page', 'cursor'], body: false, items: 'cases' },
  'cases.metadata.create': { method: 'POST', path: '/api/v2/cases/{id}/metadata', query: [], body: true },
  'cases.metadata.delete': { method: 'DELETE', path: '/api/v2/cases/{id}/metadata', query: [], body: true },
  'cases.metadata.get': { method: 'GET', path: '/api/v2/cases/{id}/metadata', query: [], body: false },
  'cases.metadata.getValue': { method: 'GET', path: '/api/v2/cases/{id}/metadata/{key}', query: [], body: false },
  'cases.metadata.update': { method: 'PUT', path: '/api/v2/cases/{id}/metadata', query: [], body: true },
  'cases.records.create': { method: 'POST', path: '/api/v2/cases/{id}/records', query: [], body: true },
  'cases.records.delete': { method: 'DELETE', path: '/api/v2/cases/{id}/records/{record_id}', query: [], body: false },
  'cases.records.get': { method: 'GET', path: '/api/v2/cases/{id}/records/{record_id}', query: [], body: false },
  'cases.records.list': { method: 'GET', path: '/api/v2/cases/{id}/records', query: ['page', 'per_page'], body: false, items: 'records' },
  'cases.subscribers.create': { method: 'POST', path: '/api/v2/cases/{id}/subscribers', query: [], body: true },
  'cases.subscribers.delete': { method: 'DELETE', path: '/api/v2/cases/{id}/subscribers/{subscriber_id}', query: [], body: false },
  'cases.subscribers.list': { method: 'GET', path: '/api/v2/cases/{id}/subscribers', query: ['page', 'per_page'], body: false, items: 'subscribers' },
  'cases.subscribers.subscribeMany': { method: 'POST', path: '/api/v2/cases/{id}/subscribers/batch', query: [], body: true },
  'cases.update': { method: 'PUT', path: '/api/v2/cases/{id}', query: [], body: true },
  'credentials.create': { method: 'POST', path: '/api/v1/credentials', query: [], body: true },
  'credentials.delete': { method: 'DELETE', path: '/api/v1/credentials/{id}', query: [], body: false },
  'credentials.get': { method: 'GET', path: '/api/v1/credentials/{id}', query: [], body: false },
  'credentials.list': { method: 'GET', path: '/api/v1/credentials', query: ['page', 'per_page', 'team_id'], body: false, items: 'credentials' },
  'credentials.update': { method: 'PUT', path: '/api/v1/credentials/{id}', query: [], body: true },
  'deadLetters.canaries.create': { method: 'POST', path: '/api/v1/dead_letters/canaries', query: [], body: true },
  'deadLetters.canaries.get': { method: 'GET', path: '/api/v1/dead_letters/canaries/{id}', query: [], body: false },
  'deadLetters.canaries.list': { method: 'GET', path: '/api/v1/dead_letters/canaries', query: ['story_id', 'agent_id', 'error_kind', 'page', 'per_page', 'cursor'], body: false, items: 'canaries' },
  'deadLetters.canaries.stop': { method: 'POST', path: '/api/v1/dead_letters/canaries/{id}/stop', query: [], body: false },
  'deadLetters.delete': { method: 'DELETE', path: '/api/v1/dead_letters/{id}', query: [], body: true },
  'deadLetters.dropMany': { method: 'POST', path: '/api/v1/dead_letters/drop', query: [], body: true },
  'deadLetters.get': { method: 'GET', path: '/api/v1/dead_letters/{id}', query: [], body: false },
  'deadLetters.groups.list': { method: 'GET', path: '/api/v1/dead_letters/groups', query: ['team_id', 'story_id', 'agent_id', 'action_id', 'story_run_guid', 'error', 'error_kind', 'since', 'until'], body: false },
  'deadLetters.list': { method: 'GET', path: '/api/v1/dead_letters', query: ['team_id', 'story_id', 'agent_id', 'action_id', 'story_run_guid', 'error', 'error_kind', 'since', 'until', 'page', 'per_page', 'cursor'], body: false, items: 'dead_letters' },
  'deadLetters.retry': { method: 'POST', path: '/api/v1/dead_letters/{id}/retry', query: [], body: false },
  'deadLetters.retryMany': { method: 'POST', path: '/api/v1/dead_letters/retry', query: [], body: true },
  'doctor.get': { method: 'GET', path: '/api/v1/doctor', query: [], body: false },
  'events.get': { method: 'GET', path: '/api/v1/events/{id}', query: ['exclude_previous_event_payloads'], body: false },
  'events.list': { method: 'GET', path: '/api/v1/events', query: ['story_id', 'team_id', 'agent_id', 'action_id', 'story_run_guid', 'since_id', 'until_id', 'since', 'until', 'show_reemitted_events_only', 'exclude_previous_event_payloads', 'page', 'per_page', 'cursor'], body: false, items: 'events' },
  'events.reemit': { method: 'POST', path: '/api/v1/events/{id}/reemit', query: [], body: false },
  'events.request.get': { method: 'GET', path: '/api/v1/events/{id}/request', query: [], body: false },
  'filters.list': { method: 'GET', path: '/api/v1/filters', query: ['page', 'per_page'], body: false, items: 'filters' },
  'folders.create': { method: 'POST', path: '/api/v1/folders', query: [], body: true },
  'folders.delete': { method: 'DELETE', path: '/api/v1/folders/{id}', query: [], body: false },
  'folders.get': { method: 'GET', path: '/api/v1/folders/{id}', query: [], body: false },
  'folders.list': { method: 'GET', path: '/api/v1/folders', query: ['page', 'per_page', 'team_id', 'content_type'], body: false, items: 'folders' },
  'folders.update': { method: 'PUT', path: '/api/v1/folders/{id}', query: [], body: true },
  'functions.list': { method: 'GET', path: '/api/v1/functions', query: ['page', 'per_page'], body: false, items: 'functions' },
  'globalResources.append': { method: 'POST', path: '/api/v1/global_resources/{id}/append', query: [], body: true },
  'globalResources.create': { method: 'POST', path: '/api/v1/global_resources', query: [], body: true },
  'globalResources.delete': { method: 'DELETE', path: '/api/v1/global_resources/{id}', query: [], body: false },
  'globalResources.get': { method: 'GET', path: '/api/v1/global_resources/{id}', query: ['typed_value', 'include_referencing_action_ids'], body: false },
  'globalResources.list': { method: 'GET', path: '/api/v1/global_resources', query: ['page', 'per_page', 'typed_value', 'include_referencing_action_ids', 'team_id', 'folder_id', 'search', 'filter'], body: false, items: 'global_resources' },
  'globalResources.remove': { method: 'POST', path: '/api/v1/global_resources/{id}/remove', query: [], body: true },
  'globalResources.replace': { method: 'POST', path: '/api/v1/global_resources/{id}/replace', query: [], body: true },
  'globalResources.update': { method: 'PUT', path: '/api/v1/global_resources/{id}', query: [], body: true },
  'inbox.list': { method: 'GET', path: '/api/v1/inbox', query: ['team_id', 'story_id', 'kind', 'state', 'assignee_id', 'assigned'], body: false },
  'inbox.update': { method: 'PUT', path: '/api/v1/inbox/{entry_key}', query: [], body: true },
  'info.get': { method: 'GET', path: '/api/v1/info', query: [], body: false },
  'info.workerStats.get': { method: 'GET', path: '/api/v1/info/worker_stats', query: [], body: false },
  'notes.create': { method: 'POST', path: '/api/v1/notes', query: [], body: true },
  'notes.delete': { method: 'DELETE', path: '/api/v1/notes/{id}', query: [], body: false },
  'notes.get': { method: 'GET', path: '/api/v1/notes/{id}', query: [], body: false },
  'notes.list': { method: 'GET', path: '/api/v1/notes', query: ['story_id', 'team_id', 'draft_id', 'mode', 'page', 'per_page'], body: false, items: 'annotations' },
  'notes.update': { method: 'PUT', path: '/api/v1/notes/{id}', query: [], body: true },
  'openapi.operations.list': { method: 'POST', path: '/api/v1/openapi/operations', query: [], body: true },
  'openapi.request.import': { method: 'POST', path: '/api/v1/openapi/request', query: [], body: true },
  'promotions.bundleMany': { method: 'POST', path: '/api/v1/promotions/bundle', query: [], body: true },
  'promotions.check': { method: 'POST', path: '/api/v1/promotions/check', query: [], body: true },
  'promotions.get': { method: 'GET', path: '/api/v1/promotions/{id}', query: [], body: false },
  'promotions.list': { method: 'GET', path: '/api/v1/promotions', query: ['page', 'per_page'], body: false, items: 'promotions' },
  'promotions.promote': { method: 'POST', path: '/api/v1/promotions', query: [], body: true },
  'promotions.revert': { method: 'POST', path: '/api/v1/promotions/{id}/revert', query: [], body: true },
  'queues.list': { method: 'GET', path: '/api/v1/queues', query: ['team_id'], body: false },
  'recordTypes.create': { method: 'POST', path: '/api/v1/record_types', query: [], body: true },
  'recordTypes.delete': { method: 'DELETE', path: '/api/v1/record_types/{id}', query: [], body: false },
  'recordTypes.get': { method: 'GET', path: '/api/v1/record_types/{id}', query: [], body: false },
  'recordTypes.list': { method: 'GET', path: '/api/v1/record_types', query: ['team_id', 'page', 'per_page'], body: false, items: 'record_types' },
  'recordTypes.update': { method: 'PUT', path: '/api/v1/record_types/{id}', query: [], body: true },
  'records.create': { method: 'POST', path: '/api/v1/records', query: [], body: true },
  'records.delete': { method: 'DELETE', path: '/api/v1/records/{id}', query: [], body: false },
  'records.get': { method: 'GET', path: '/api/v1/records/{id}', query: [], body: false },
  'records.list': { method: 'GET', path: '/api/v1/records', query: ['record_type_id', 'record_field_ids', 'range_start', 'range_end', 'story_ids', 'order_direction', 'order_field_id', 'filters', 'test_mode', 'page', 'per_page', 'cursor'], body: false, items: 'record_results' },
  'records.update': { method: 'PUT', path: '/api/v1/records/{id}', query: [], body: true },
  'runs.search': { method: 'GET', path: '/api/v1/runs', query: ['story_id', 'team_id', 'story_mode', 'status', 'source', 'since', 'until', 'min_duration', 'max_duration', 'warnings', 'path', 'value', 'before', 'per_page'], body: false },
  'schedules.get': { method: 'GET', path: '/api/v1/schedules/{id}', query: [], body: false },
  'schedules.list': { method: 'GET', path: '/api/v1/schedules', query: ['story_id', 'team_id', 'starts_until', 'page', 'per_page'], body: false, items: 'schedules' },
  'schedules.update': { method: 'PUT', path: '/api/v1/schedules/{id}', query: [], body: true },
  'stats.get': { method: 'GET', path: '/api/v1/stats', query: ['by', 'order', 'from', 'to', 'story_id', 'team_id', 'test_mode', 'page', 'per_page'], body: false },
  'status.get': { method: 'GET', path: '/api/v1/status', query: ['team_id'], body: false },
  'steps.create': { method: 'POST', path: '/api/v1/steps', query: [], body: true },
  'steps.delete': { method: 'DELETE', path: '/api/v1/steps/{id}', query: [], body: false },
  'steps.get': { method: 'GET', path: '/api/v1/steps/{id}', query: [], body: false },
  'steps.list': { method: 'GET', path: '/api/v1/steps', query: ['page', 'per_page', 'search', 'team_id', 'guids'], body: false, items: 'steps' },
  'steps.update': { method: 'PUT', path: '/api/v1/steps/{id}', query: [], body: true },
  'steps.updates.previewMany': { method: 'POST', path: '/api/v1/steps/{id}/updates/preview', query: [], body: true },
  'steps.updates.update': { method: 'POST', path: '/api/v1/steps/{id}/updates', query: [], body: true },
  'steps.uses.list': { method: 'GET', path: '/api/v1/steps/{id}/uses', query: ['page', 'per_page'], body: false, items: 'step_uses' },
  'steps.versions.create': { method: 'POST', path: '/api/v1/steps/{id}/versions', query: [], body: true },
  'steps.versions.get': { method: 'GET', path: '/api/v1/steps/{id}/versions/{number}', query: [], body: false },
  'steps.versions.list': { method: 'GET', path: '/api/v1/steps/{id}/versions', query: ['page', 'per_page'], body: false, items: 'step_versions' },
  'stories.actions.list': { method: 'GET', path: '/api/v1/stories/{id}/actions', query: ['draft_id', 'include_live_activity', 'page', 'per_page'], body: false, items: 'agents' },
  'stories.changeRequest.approve': { method: 'POST', path: '/api/v1/stories/{id}/change_request/approve', query: [], body: true },
  'stories.changeRequest.cancel': { method: 'POST', path: '/api/v1/stories/{id}/change_request/cancel', query: [], body: true },
  'stories.changeRequest.create': { method: 'POST', path: '/api/v1/stories/{id}/change_request', query: [], body: true },
  'stories.changeRequest.get': { method: 'GET', path: '/api/v1/stories/{id}/change_request/view', query: ['draft_id'], body: false },
  'stories.changeRequest.promote': { method: 'POST', path: '/api/v1/stories/{id}/change_request/promote', query: [], body: true },
  'stories.check': { method: 'POST', path: '/api/v1/stories/check', query: [], body: true },
  'stories.create': { method: 'POST', path: '/api/v1/stories', query: [], body: true },
  'stories.delete': { method: 'DELETE', path: '/api/v1/stories/{id}', query: [], body: false },
  'stories.deleteMany': { method: 'DELETE', path: '/api/v1/stories/batch', query: [], body: true },
  'stories.disable': { method: 'POST', path: '/api/v1/stories/{id}/disable', query: [], body: true },
  'stories.drafts.actions.list': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}/agents', query: ['include_live_activity', 'page', 'per_page'], body: false, items: 'agents' },
  'stories.drafts.bringUpToDate': { method: 'POST', path: '/api/v1/stories/{id}/drafts/{draft_id}/update', query: [], body: true },
  'stories.drafts.create': { method: 'POST', path: '/api/v1/stories/{id}/drafts', query: [], body: true },
  'stories.drafts.delete': { method: 'DELETE', path: '/api/v1/stories/{id}/drafts/{draft_id}', query: [], body: false },
  'stories.drafts.diff.compare': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}/diff', query: ['skipped_conflicts'], body: false },
  'stories.drafts.get': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}', query: [], body: false },
  'stories.drafts.list': { method: 'GET', path: '/api/v1/stories/{id}/drafts', query: ['page', 'per_page'], body: false, items: 'drafts' },
  'stories.drafts.publish': { method: 'POST', path: '/api/v1/stories/{id}/drafts/{draft_id}/publish', query: [], body: true },
  'stories.drafts.shadows.create': { method: 'POST', path: '/api/v1/stories/{id}/drafts/{draft_id}/shadows', query: [], body: true },
  'stories.drafts.shadows.differences.list': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}/differences', query: ['page', 'per_page'], body: false, items: 'differences' },
  'stories.drafts.shadows.get': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}', query: [], body: false },
  'stories.drafts.shadows.list': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}/shadows', query: ['page', 'per_page', 'cursor'], body: false, items: 'shadows' },
  'stories.drafts.shadows.runs.list': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}/runs', query: ['page', 'per_page', 'cursor', 'difference_id', 'verdict'], body: false, items: 'runs' },
  'stories.drafts.shadows.stop': { method: 'POST', path: '/api/v1/stories/{id}/drafts/{draft_id}/shadows/{shadow_id}/stop', query: [], body: false },
  'stories.drafts.update': { method: 'PUT', path: '/api/v1/stories/{id}/drafts/{draft_id}', query: [], body: true },
  'stories.export': { method: 'GET', path: '/api/v1/stories/{id}/export', query: ['randomize_urls', 'clear_recipients', 'draft_id', 'for_files'], body: false },
  'stories.get': { method: 'GET', path: '/api/v1/stories/{id}', query: ['include_live_activity', 'story_mode', 'draft_id'], body: false },
  'stories.graph.get': { method: 'GET', path: '/api/v1/stories/{id}/graph', query: ['draft_id'], body: false },
  'stories.graph.replace': { method: 'PUT', path: '/api/v1/stories/{id}/graph', query: ['draft_id'], body: true },
  'stories.import': { method: 'POST', path: '/api/v1/stories/import', query: [], body: true },
  'stories.list': { method: 'GET', path: '/api/v1/stories', query: ['team_id', 'folder_id', 'search', 'tags', 'filter', 'order', 'include_live_activity', 'page', 'per_page', 'cursor'], body: false, items: 'stories', paged: true },
  'stories.owners.add': { method: 'POST', path: '/api/v1/stories/{id}/owners', query: [], body: true },
  'stories.owners.remove': { method: 'DELETE', path: '/api/v1/stories/{id}/owners', query: [], body: true },
  'stories.pendingActions.list': { method: 'GET', path: '/api/v1/stories/{id}/pending_actions', query: ['search', 'page', 'per_page'], body: false, items: 'pending_actions' },
  'stories.presence.enter': { method: 'PUT', path: '/api/v1/stories/{id}/presence', query: [], body: true },
  'stories.presence.leave': { method: 'DELETE', path: '/api/v1/stories/{id}/presence', query: [], body: false },
  'stories.recipients.add': { method: 'POST', path: '/api/v1/stories/{id}/recipients', query: [], body: true },
  'stories.recipients.remove': { method: 'DELETE', path: '/api/v1/stories/{id}/recipients', query: [], body: true },
  'stories.renamePreview': { method: 'POST', path: '/api/v1/stories/rename_preview', query: [], body: true },
  'stories.renamesPreview': { method: 'POST', path: '/api/v1/stories/renames_preview', query: [], body: true },
  'stories.replace': { method: 'PUT', path: '/api/v1/stories/{id}/export', query: ['draft_id'], body: true },
  'stories.runs.actions.count': { method: 'GET', path: '/api/v1/stories/{id}/runs/{guid}/actions', query: [], body: false },
  'stories.runs.attempts.list': { method: 'GET', path: '/api/v1/stories/{id}/runs/{guid}/attempts', query: ['page', 'per_page', 'agent_id', 'event_id', 'delivery_id'], body: false, items: 'attempts' },
  'stories.runs.cancel': { method: 'POST', path: '/api/v1/stories/{id}/runs/{guid}/cancel', query: [], body: false },
  'stories.runs.get': { method: 'GET', path: '/api/v1/stories/{id}/runs/{guid}', query: ['page', 'per_page', 'exclude_payloads'], body: false },
  'stories.runs.list': { method: 'GET', path: '/api/v1/stories/{id}/runs', query: ['status', 'source', 'since', 'until', 'draft_id', 'warnings', 'page', 'per_page', 'cursor'], body: false, items: 'story_runs' },
  'stories.runs.start': { method: 'POST', path: '/api/v1/stories/{id}/runs', query: [], body: true },
  'stories.runs.summary.get': { method: 'GET', path: '/api/v1/stories/{id}/runs/{guid}/summary', query: [], body: false },
  'stories.tests.delete': { method: 'DELETE', path: '/api/v1/stories/{id}/tests', query: ['name', 'draft_id'], body: false },
  'stories.tests.fromRun.keep': { method: 'POST', path: '/api/v1/stories/{id}/tests/from_run', query: [], body: true },
  'stories.tests.list': { method: 'GET', path: '/api/v1/stories/{id}/tests', query: ['draft_id'], body: false },
  'stories.tests.runMany': { method: 'POST', path: '/api/v1/stories/{id}/tests/run', query: [], body: true },
  'stories.tests.save': { method: 'PUT', path: '/api/v1/stories/{id}/tests', query: ['draft_id'], body: true },
  'stories.update': { method: 'PUT', path: '/api/v1/stories/{id}', query: [], body: true },
  'stories.versions.create': { method: 'POST', path: '/api/v1/stories/{id}/versions', query: [], body: true },
  'stories.versions.delete': { method: 'DELETE', path: '/api/v1/stories/{id}/versions/{version_id}', query: [], body: false },
  'stories.versions.diff.get': { method: 'GET', path: '/api/v1/stories/{id}/versions/{version_id}/diff', query: ['with', 'draft_id'], body: false },
  'stories.versions.get': { method: 'GET', path: '/api/v1/stories/{id}/versions/{version_id}', query: ['for_files'], body: false },
  'stories.versions.list': { method: 'GET', path: '/api/v1/stories/{id}/versions', query: ['page', 'per_page', 'cursor', 'draft_id'], body: false, items: 'story_versions' },
  'stories.versions.restore': { method: 'POST', path: '/api/v1/stories/{id}/versions/{version_id}/restore', query: [], body: false },
  'stories.versions.update': { method: 'PUT', path: '/api/v1/stories/{id}/versions/{version_id}', query: [], body: true },
  'stream.open': { method: 'GET', path: '/api/v1/stream', query: ['story_id', 'team_id', 'draft_id', 'kinds', 'last_event_id', 'seconds'], body: false, stream: true },
  'tags.create': { method: 'POST', path: '/api/v1/tags', query: [], body: true },
  'tags.delete': { method: 'DELETE', path: '/api/v1/tags/{id}', query: ['team_id'], body: false },
  'tags.get': { method: 'GET', path: '/api/v1/tags/{id}', query: [], body: false },
  'tags.list': { method: 'GET', path: '/api/v1/tags', query: ['page', 'per_page', 'team_id'], body: false, items: 'tags' },
  'tags.update': { method: 'PUT', path: '/api/v1/tags/{id}', query: [], body: true },
  'teams.create': { method: 'POST', path: '/api/v1/teams', query: [], body: true },
  'teams.delete': { method: 'DELETE', path: '/api/v1/teams/{id}', query: [], body: false },
  'teams.digest.get': { method: 'GET', path: '/api/v1/teams/{id}/digest', query: [], body: false },
  'teams.digest.update': { method: 'PUT', path: '/api/v1/teams/{id}/digest', query: [], body: true },
  'teams.get': { method: 'GET', path: '/api/v1/teams/{id}', query: [], body: false },
  'teams.list': { method: 'GET', path: '/api/v1/teams', query: ['page', 'per_page'], body: false, items: 'teams' },
  'teams.members.create': { method: 'POST', path: '/api/v1/teams/{team_id}/members', query: [], body: true },
  'teams.members.delete': { method: 'DELETE', path: '/api/v1/teams/{team_id}/members/{user_id}', query: [], body: false },
  'teams.members.list': { method: 'GET', path: '/api/v1/teams/{team_id}/members', query: ['page', 'per_page'], body: false, items: 'members' },
  'teams.members.update': { method: 'PUT', path: '/api/v1/teams/{team_id}/members/{user_id}', query: [], body: true },
  'teams.repository.delete': { method: 'DELETE', path: '/api/v1/teams/{id}/repository', query: [], body: false },
  'teams.repository.get': { method: 'GET', path: '/api/v1/teams/{id}/repository', query: [], body: false },
  'teams.repository.sync': { method: 'POST', path: '/api/v1/teams/{id}/repository/sync', query: [], body: true },
  'teams.repository.syncs.list': { method: 'GET', path: '/api/v1/teams/{id}/repository/syncs', query: [], body: false },
  'teams.repository.update': { method: 'PUT', path: '/api/v1/teams/{id}/repository', query: [], body: true },
  'teams.resendInvitation': { method: 'POST', path: '/api/v1/teams/{team_id}/resend_invitation', query: [], body: true },
  'teams.update': { method: 'PUT', path: '/api/v1/teams/{id}', query: [], body: true },
  'templates.previewMany': { method: 'POST', path: '/api/v1/templates/preview', query: [], body: true },
  'templates.render': { method: 'POST', path: '/api/v1/templates/render', query: [], body: true },
  'tenants.mailSettings.get': { method: 'GET', path: '/api/v1/tenants/current/mail_settings', query: [], body: false },
  'tenants.mailSettings.update': { method: 'PUT', path: '/api/v1/tenants/current/mail_settings', query: [], body: true },
  'tenants.testSettings.get': { method: 'GET', path: '/api/v1/tenants/current/test_settings', query: [], body: false },
  'tenants.testSettings.update': { method: 'PUT', path: '/api/v1/tenants/current/test_settings', query: [], body: true },
  'tenants.usage.get': { method: 'GET', path: '/api/v1/tenants/current/usage', query: [], body: false },
  'trials.create': { method: 'POST', path: '/api/v1/trials', query: [], body: true },
  'userCredentials.create': { method: 'POST', path: '/api/v1/user_credentials', query: [], body: true },
  'userCredentials.delete': { method: 'DELETE', path: '/api/v1/user_credentials/{id}', query: [], body: false },
  'userCredentials.get': { method: 'GET', path: '/api/v1/user_credentials/{id}', query: ['include_referencing_action_ids'], body: false },
  'userCredentials.list': { method: 'GET', path: '/api/v1/user_credentials', query: ['page', 'per_page', 'team_id', 'folder_id', 'search', 'filter'], body: false, items: 'user_credentials' },
  'userCredentials.test': { method: 'POST', path: '/api/v1/user_credentials/{id}/test', query: [], body: true },
  'userCredentials.update': { method: 'PUT', path: '/api/v1/user_credentials/{id}', query: [], body: true },
  'users.create': { method: 'POST', path: '/api/v1/users', query: [], body: true },
  'users.delete': { method: 'DELETE', path: '/api/v1/users/{id}', query: [], body: false },
  'users.get': { method: 'GET', path: '/api/v1/users/{id}', query: [], body: false },
  'users.list': { method: 'GET', path: '/api/v1/users', query: ['page', 'per_page', 'search'], body: false, items: 'users' },
  'users.me': { method: 'GET', path: '/api/v1/users/me', query: [], body: false },
  'users.update': { method: 'PUT', path: '/api/v1/users/{id}', query: [], body: true },
  'webhooks.call': { method: 'POST', path: '/api/v1/webhooks/{id}/call', query: [], body: true },
  'webhooks.get': { method: 'GET', path: '/api/v1/webhooks/{id}', query: [], body: false },
  'webhooks.list': { method: 'GET', path: '/api/v1/webhooks', query: ['story_id', 'team_id', 'draft_id', 'mode', 'search', 'order', 'page', 'per_page'], body: false, items: 'webhooks' },
};
