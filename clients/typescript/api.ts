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
  /** The kind of action: `Agents::WebhookAgent` */
  type: string;
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description: string | null;
  /** The id that stays the same in exports */
  guid: string;
  /** Whether it takes no events */
  disabled: boolean;
  /** The options, by the type of the action */
  options: {
    [key: string]: unknown;
  };
  /** How long events are kept, in seconds; 0: as the story says */
  keep_events_for: number;
  /** The schedule as imported or set; null: none */
  schedule: unknown;
  /** The place on the board; null: none */
  position: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** The template inputs that its templates see as `INPUT`, each with `name` and `value` */
  action_inputs: unknown[];
  /** Ids of the actions it receives events from */
  sources: number[];
  /** Ids of the actions that receive its events */
  receivers: number[];
  /** The links that it receives events through */
  links_to_sources: {
    /** The id of the source */
    source_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails for good */
    type: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[];
  /** The links that its events go down */
  links_to_receivers: {
    /** The id of the receiver */
    receiver_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails for good */
    type: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[];
  /** Whether its events are told */
  monitor_all_events: boolean;
  /** Whether its failures for good are told */
  monitor_failures: boolean;
  /** Seconds without an event after which that is told; null or 0: never */
  monitor_no_events_emitted: number | null;
  /** The time that one event saves */
  time_saved_value: number;
  /** The unit of `time_saved_value` */
  time_saved_unit: string;
  /** TEST: in a draft */
  story_mode: "LIVE" | "TEST";
  /** There are no groups of actions */
  group_id: null;
  /** There are no groups of actions */
  nested_group_id: null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** The draft that it is in. Present in drafts */
  draft_id?: number;
  /** The action of the live story that it is a copy of; null: none. Present in drafts */
  live_id?: number | null;
  /** In the answer to a write: what in it cannot work, or has no effect; absent: nothing */
  warnings?: string[];
  /** Stored events, up to 10000. Present for one action, and in lists with `include_live_activity`. */
  blended_events_count?: number;
  /** Lines of its log, up to 10000. Present for one action, and in lists with `include_live_activity`. */
  logs_count?: number;
  /** When its schedule last started a run. Present for one action, and in lists with `include_live_activity`. */
  last_check_at?: string | null;
  /** When the event came in that led to its newest event or line of its log. Present for one action, and in lists with `include_live_activity`. */
  last_receive_at?: string | null;
  /** When its newest stored event was emitted. Present for one action, and in lists with `include_live_activity`. */
  last_event_at?: string | null;
  /** The newest error among the last 10000 lines of its log. Present for one action, and in lists with `include_live_activity`. */
  last_error_log_at?: string | null;
  /** Events that wait for it, among the first 100,000 of the server. Present with `include_live_activity`. */
  pending_action_runs_count?: number;
  /** Whether it has a dead letter, among the first 100,000 of the server. Present with `include_live_activity`. */
  not_working?: boolean;
  /** The memory of modes such as throttle and deduplicate. Present for one action, and in lists with `include_live_activity`. */
  action_memory_contents?: {
    [key: string]: unknown;
  };
}

export interface ActionChanges {
  /** The name that people see */
  name?: string;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** Whether it takes no events */
  disabled?: boolean;
  /** Replaces all options */
  options?: {
    [key: string]: unknown;
  };
  /** Seconds; 0: the period of the story */
  keep_events_for?: number;
  /** When the action starts runs without a request: a word such as every_1d, cron with a time zone, or a list of these */
  schedule?: string | null | {
    /** The five fields of cron */
    cron: string;
    /** The time zone of the schedule; absent: UTC */
    timezone?: string | null;
  } | (string | null | {
    /** The five fields of cron */
    cron: string;
    /** The time zone of the schedule; absent: UTC */
    timezone?: string | null;
  })[];
  /** The place on the board; null: none */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** What the templates of the action see as `INPUT`; null: nothing */
  action_inputs?: ActionInput[] | null;
  /** Exactly these actions send it events; links that exist keep their types */
  source_ids?: number[] | null;
  /** The same as source_ids, with the type of each link */
  links_to_sources?: {
    /** The id of the source */
    source_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails for good */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Exactly these actions receive its events; links that exist keep their types */
  receiver_ids?: number[] | null;
  /** The same as receiver_ids, with the type of each link */
  links_to_receivers?: {
    /** The id of the receiver */
    receiver_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails for good */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Whether its events are told */
  monitor_all_events?: boolean | null;
  /** Whether its failures for good are told */
  monitor_failures?: boolean | null;
  /** Seconds without an event after which that is told; null or 0: never */
  monitor_no_events_emitted?: number | null;
  /** The time that one event saves */
  time_saved_value?: number | null;
  /** A draft of the story: the request is about the draft; null: about the story itself */
  draft_id?: number | null;
  /** The unit of `time_saved_value` */
  time_saved_unit?: "minutes" | "hours" | "days" | null;
  /** The story that the action is in; it cannot move */
  story_id?: number;
  /** The type that the action has; it cannot change */
  type?: string;
}

/** What a template asks for; further keys are kept */
export interface ActionInput {
  /** Templates name its slug: `INPUT.channel_user_id` */
  name: string;
  /** `TEXT`, `CREDENTIAL`, `NUMBER` …: for people only */
  type?: string | null;
  /** The JSON of an option: a text may have templates. Absent: an empty text */
  value?: unknown;
  [key: string]: unknown;
}

export interface ActionTemplate {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The maker of the product that it is for */
  vendor: string;
  /** The product that it is for */
  product: string;
  /** The kind of action */
  agent_type: string;
  /** The options of the action */
  agent_options: {
    [key: string]: unknown;
  };
  /** The inputs that it asks for */
  action_inputs: unknown[];
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface ActionTrial {
  /** The rendered options; null: they did not render */
  options: {
    [key: string]: unknown;
  } | null;
  /** The first of `requests`; null: none */
  request: TrialRequest | null;
  /** Requests that it sent, or would send */
  requests: TrialRequest[];
  /** Mails that it sent, or would send: recipients, subject and text */
  mails: {
    [key: string]: unknown;
  }[];
  /** The events that it would emit */
  outputs: TrialOutput[];
  /** Its effect beside the events: `kind` is sleep, gather, call, record, deduplicate, throttle or prompts; null: nothing */
  effect: {
    [key: string]: unknown;
  } | null;
  /** The lines for its log */
  logs: TrialLog[];
  /** Why it failed; null: it did not */
  error: string | null;
  /** Parts that are too large for the answer */
  left_out: string[];
  /** Milliseconds */
  took_ms: number;
}

export interface ActiveStory {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The id that stays the same in exports */
  guid: string;
  /** The name as templates write it */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it takes no events */
  disabled: boolean;
  /** Whether its events go before those of other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** The last change of its actions, links and notes */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is no draft */
  published: boolean;
  /** Whether its actions, links and notes may not be changed */
  locked: boolean;
  /** Whether they change by a promoted change request only */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The names of its tags */
  tags: string[];
  /** Whether other stories may call it */
  send_to_story_enabled: boolean;
  /** The callers that it allows; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Stories of which teams may call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Kept for other platforms; nothing here asks for it */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled: boolean;
  /** The same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty: all webhooks */
  api_entry_action_ids: number[];
  /** Empty: those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Addresses that are told of failures */
  recipients: string[];
  /** Whether failures of all actions are told */
  monitor_failures: boolean;
  /** The ready story of the gallery that it was made of, by its folder; null: none */
  gallery_slug: string | null;
  /** Deliveries that wait */
  pending_action_runs_count?: number;
  /** Runs that are at work */
  concurrent_runs_count?: number;
  /** Actions with a dead letter */
  not_working_actions_count?: number;
  /** Always 0: nothing here uses tokens */
  tokens_used_percentage?: number;
}

export interface AddStoryOwnerBody {
  /** The id of a user */
  user_id: number;
}

export interface AddStoryRecipientBody {
  /** The address of a mailbox, or an http or https address */
  address: string;
  /** A draft of the story: the request is about the draft; null: about the story itself */
  draft_id?: number | null;
  /** Signs the requests to an http or https address, which are not signed without it */
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
      /** The name that people see */
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
      /** The name that people see */
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
      /** The name that people see */
      name: string;
    };
  };
}

export interface AdminUser {
  /** The id */
  id: number;
  /** Always null: users are not provisioned by SCIM */
  scim_uid: null;
  /** The address for mails, and for signing in */
  email: string;
  /** An Owner of the tenant */
  admin: boolean;
  /** false: the keys of the user are refused */
  is_active: boolean;
  /** Whether it is no person, but stands for a key */
  is_service_account: boolean;
  /** Always empty: roles are those in teams */
  tenant_permissions: unknown[];
  /** The given name */
  first_name: string;
  /** The family name */
  last_name: string;
  /** Last request with a key of the user, to the minute; null if there was none */
  last_seen: string | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** The roles of the user in teams; only with `include=team_memberships` */
  team_memberships?: {
    /** The id of the team */
    team_id: number;
    /** The name of the team */
    team_name: string;
    /** The rights of the user in the team */
    role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  }[];
}

export interface AgentMode {
  /** The value of the option `mode` */
  mode: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The event that it emits */
  emits: string;
  /** The options, by the type of the action */
  options: AgentOption[];
}

export interface AgentOption {
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** Whether the option must be given */
  required: boolean;
  /** JSON Schema of the value after its templates are rendered */
  schema: {
    [key: string]: unknown;
  };
  /** null: none */
  default: unknown;
  /** A value that the checks accept */
  example: unknown;
}

export interface AgentType {
  /** The type as exports write it */
  type: string;
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** false: it can be stored and does not run */
  runnable: boolean;
  /** Why it does not run; null if it does */
  reason: string | null;
  /** The input that it receives */
  receives: string | null;
  /** The event that it emits */
  emits: string | null;
  /** The options, by the type of the action */
  options: AgentOption[];
  /** Each mode has options of its own */
  modes: AgentMode[];
}

export interface ApiKey {
  /** The id */
  id: number;
  /** Whose rights it has */
  kind: "personal" | "tenant" | "team";
  /** The name that people see */
  name: string;
  /** The first characters of the key */
  prefix: string;
  /** The user whose rights it has */
  user_id: number;
  /** Only for team keys */
  team_id: number | null;
  /** The id of the created by user */
  created_by_user_id: number | null;
  /** When it stops to work; null: never */
  expires_at: string | null;
  /** When it was used last; null: never */
  last_used_at: string | null;
  /** When it was revoked; null: it was not */
  revoked_at: string | null;
  /** When it was created */
  created_at: string;
}

export interface AppendGlobalResourceBody {
  /** Any JSON value */
  value: unknown;
  /** Whether the test value is changed */
  is_test?: boolean;
}

export interface ApproveChangeRequestBody {
  /** The id of the change request */
  change_request_id: number;
}

export interface AuditEntry {
  /** The id */
  id: number;
  /** When it was created */
  created_at: string;
  /** The same as `created_at`: entries never change */
  updated_at: string;
  /** Type and verb: `record.update` */
  action: string;
  /** The same as `action`, or the platform’s name for it that was asked for */
  operation_name: string;
  /** The type in `action` */
  target_type: string;
  /** Null if the changed object has no id */
  target_id: number | null;
  /** The story that was changed, or whose part was; null if there is none */
  story_id: number | null;
  /** Null if the request names no team */
  team_id: number | null;
  /** The tenant of the key */
  tenant_id: number;
  /** The acting user; a service account for tenant and team keys; null for a command without a user */
  user_id: number | null;
  /** The address at that time */
  user_email: string | null;
  /** The present name; null if it has none */
  user_name: string | null;
  /** Null for a command and in the console, which need no key */
  key_id: number | null;
  /** `CLI` for a command, `SYSTEM` for a notice that could not be sent */
  method: string;
  /** A request with a key, a command, a person in the console, or this system */
  source: "API" | "CLI" | "CONSOLE" | "SYSTEM";
  /** For a command, its name */
  path: string;
  /** The address that the request came from */
  ip: string | null;
  /** The same as `ip` */
  request_ip: string | null;
  /** The program that sent the request */
  user_agent: string | null;
  /** The same as `user_agent` */
  request_user_agent: string | null;
  /** The id of the request */
  request_id: string;
  /** Why it was done, if the request says so */
  reason: string | null;
  /** Always null: bodies are not kept */
  inputs: null;
  /** Always null: responses are not kept */
  outputs: null;
}

export interface BringStoryDraftUpToDateBody {
  /** How the conflicts that a status 412 has named are solved */
  resolve?: {
    /** `entry` of an error of the status 412 */
    entry: string;
    /** The side that counts */
    take: "live" | "draft";
  }[];
}

export interface Case {
  /** The id of the case */
  case_id: number;
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description: string | null;
  /** Whether it is still worked on */
  status: "OPEN" | "CLOSED";
  /** How soon it is to be worked on */
  priority: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO";
  /** The address of its page */
  url: string;
  /** Values under names of your own */
  metadata: {
    [key: string]: unknown;
  };
  /** The user who created it; null: the user is gone */
  author: CaseUser | null;
  /** The user who opened it last; null: the user is gone */
  opened_by: CaseUser | null;
  /** The user who resolved it; null: it is open */
  resolved_by: CaseUser | null;
  /** The users who work on it */
  assignees: CaseUser[];
  /** Its tags */
  tags: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
  }[];
  /** Its history; the first page */
  activities: CaseActivity[];
  /** The page of the activities in their list */
  activities_meta: PageMeta;
  /** The team that owns it */
  team: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
  };
  /** Its links to other systems */
  actions: CaseAction[];
  /** The cases that it is linked to */
  linked_cases: LinkedCase[];
  /** When it was opened last */
  opened_at: string | null;
  /** When it was resolved; null: it is open */
  resolved_at: string | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Its records by type; the first page */
  records: CaseRecordGroup[];
  /** The page of the records in their list */
  records_meta: PageMeta;
  /** The rules that must be true before it can be closed */
  closure_conditions: {
    /** The name that people see */
    name: string;
    /** A formula that must be true */
    formula: string;
  }[];
  /** The user who acted; present only if that is not the user shown as the author */
  acting_user?: CaseUser;
  /** The user it acted for; present only with `acting_user` */
  on_behalf_of?: CaseUser | null;
}

export interface CaseAction {
  /** The id */
  id: number;
  /** The address that the link opens */
  url: string;
  /** The text of the link */
  label: string;
  /** The kind of link */
  action_type: string;
  /** The text of the button; absent: none */
  action_text?: string;
}

export interface CaseActivity {
  /** The id */
  id: number;
  /** The kind of change */
  activity_type: "CREATED" | "ASSIGNED" | "UNASSIGNED" | "STATUS_UPDATED" | "SEVERITY_UPDATED" | "COMMENTED" | "DELETED_COMMENT" | "DESCRIPTION_UPDATED" | "TITLE_UPDATED" | "TAGS_ADDED" | "TAGS_REMOVED" | "METADATA_UPDATED" | "RECORD_RESULT_SET_ADDED" | "RECORD_RESULT_SET_REMOVED" | "LINKED_CASE_ADDED" | "LINKED_CASE_REMOVED" | "TEAM_UPDATED";
  /** The values that changed, or the text of the comment */
  value: string;
  /** The user who did it; null: the user is gone */
  user: CaseUser | null;
  /** When it was created */
  created_at: string;
  /** The user who acted; present only if that is not the user shown as the author */
  acting_user?: CaseUser;
  /** The user it acted for; present only with `acting_user` */
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
      /** The name that people see */
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
      /** The name that people see */
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
      /** The name that people see */
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
  /** The user; null: the user is gone */
  user: CaseUser | null;
  /** When it was created */
  created_at: string;
}

export interface CaseUser {
  /** The id of the user */
  user_id: string;
  /** The given name */
  first_name: string;
  /** The family name */
  last_name: string;
  /** The address for mails, and for signing in */
  email: string;
  /** The address of a picture */
  avatar_url: string;
  /** Whether it is no person, but stands for a key */
  is_service_account: boolean;
}

export interface ChangeRequest {
  /** The id */
  id: number;
  /** The same as title */
  name: string;
  /** The name of the change, and of the version that it becomes */
  title: string;
  /** Its purpose, in the words of its author */
  description: string | null;
  /** `APPROVED` until the draft or the live story is changed again */
  status: "PENDING" | "APPROVED";
  /** The user who asked */
  user_id: number;
  /** The user who approved the draft as it is, for the live story as it is; null: nobody */
  approved_by: number | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** The changes that the draft would make to the story */
  story_diff: StoryDifference[];
}

export interface ChangeRequestView {
  /** The id of the story */
  id: number;
  /** The id of the draft */
  draft_id: number | null;
  /** The name of the draft */
  draft_name: string | null;
  /** That of the request; null: there is none */
  status: "PENDING" | "APPROVED" | null;
  /** The open request; null: there is none */
  change_request: ChangeRequest | null;
  /** The live story */
  live_story_export: StoryExport;
  /** The draft; null: none was named */
  draft_export: StoryExport | null;
}

export interface CheckFinding {
  /** error: an event fails there */
  level: "error" | "warning" | "hint";
  /** The kind of thing that it is about */
  kind: string;
  /** The text */
  message: string;
  /** The path in the options, or in the action */
  option: string;
  /** From 1; null: the whole option */
  line: number | null;
  /** From 1; null: the whole option */
  column: number | null;
}

export interface CheckStoryBody {
  /** A story in the export form, or the body of an import */
  data?: unknown;
  /** A stored story, instead of `data` */
  story_id?: number;
  /** A draft, instead of `data` */
  draft_id?: number;
}

export interface CheckedAction {
  /** The place in `agents`, from 0 */
  position: number;
  /** The name that people see */
  name: string;
  /** The type as exports write it */
  type: string;
  /** The mode of a transformation */
  mode: string | null;
  /** Its effect on this server */
  state: "runs" | "fails" | "disabled" | "import_only";
  /** Why it does not run; null if it does */
  reason: string | null;
  /** The number of texts with templates */
  templates: number;
  /** Faults and doubts */
  findings: CheckFinding[];
}

export interface CheckedStory {
  /** The name that people see */
  name: string | null;
  /** The version of the form */
  schema_version: number;
  /** The language of templates */
  language: "liquid" | "formula";
  /** The number of links */
  links: number;
  /** In the order of the story */
  actions: CheckedAction[];
  /** Embedded stories, in the same form */
  sub_stories: {
    [key: string]: unknown;
  }[];
}

export interface CreateAdminTemplateBody {
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description?: string;
  /** The maker of the product that it is for */
  vendor?: string;
  /** The product that it is for */
  product?: string;
  /** The kind of action: `Agents::HTTPRequestAgent` */
  agent_type: string;
  /** The options of the action */
  agent_options?: {
    [key: string]: unknown;
  };
  /** The inputs that it asks for: name, type, required, description, default_value, data */
  action_inputs?: {
    /** The name that people see */
    name: string;
    /** The type of its value */
    type: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "OBJECT" | "OPTION" | "CODE" | "CREDENTIAL";
    /** Whether it must be given */
    required?: boolean;
    /** Its purpose, in the words of its author */
    description?: string | null;
    /** Its value unless it is given */
    default_value?: unknown;
    /** More about its type: options, or a JSON schema */
    data?: {
      [key: string]: unknown;
    } | null;
  }[];
}

export interface CreateAdminUserBody {
  /** The address for mails, and for signing in */
  email: string;
  /** The given name */
  first_name?: string;
  /** The family name */
  last_name?: string;
  /** An Owner of the tenant */
  admin?: boolean;
  /** false: the keys of the user are refused */
  is_active?: boolean;
}

export interface CreateApiKeyBody {
  /** Whose rights it has */
  kind: "personal" | "tenant" | "team";
  /** The name that people see */
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
  /** `page` is a page to open */
  action_type?: string;
  /** The text of the button; empty: none */
  action_text?: string;
}

export interface CreateCaseBody {
  /** The id of the team */
  team_id: number;
  /** The name that people see */
  name: string;
  /** Markdown; `<@user-12>` mentions the user 12 */
  description?: string | null;
  /** critical, high, medium, low or info */
  priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info" | null;
  /** open or closed */
  status?: "OPEN" | "CLOSED" | "open" | "closed" | null;
  /** The address of the user who is its author; absent: the user of the key */
  author_email?: string | null;
  /** The addresses of the users who work on it */
  assignee_emails?: null | string[] | "";
  /** ISO 8601; without an offset it is UTC */
  opened_at?: string | null;
  /** ISO 8601; without an offset it is UTC */
  resolved_at?: string | null;
  /** Values under names of your own */
  metadata?: null | {
    [key: string]: unknown;
  } | "";
  /** The rules that must be true before it can be closed */
  closure_conditions?: null | {
    /** The name that people see */
    name: string;
    /** A formula that must be true */
    formula: string;
  }[] | "";
  /** The names of its tags */
  tag_names?: string[] | null;
}

export interface CreateCaseCommentBody {
  /** Markdown; `<@user-12>` mentions the user 12 */
  value: string;
  /** The address of the user who is its author; absent: the user of the key */
  author_email?: string | null;
}

export interface CreateCaseLinkedCaseBody {
  /** The other case */
  id?: number;
  /** The same as `id` */
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
  /** Signs the requests; a random one is created unless given */
  secret?: string;
  /** The address of a user who gets mails */
  user_email?: string;
}

export interface CreateChangeRequestBody {
  /** Without it: the only draft of the story */
  draft_id?: number | null;
  /** The name of the change, and of the version that it becomes; without it that of the draft */
  title?: string | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
}

export interface CreateCredentialBody {
  /** The name that people see */
  name: string;
  /** The id of the team */
  team_id?: number;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The hosts that it may be sent to: `api.example.com`, `*.example.com`, `api.example.com:8443`. For mails, the domains of the recipients. None: any host */
  allowed_hosts?: string[];
  /** `fabula` creates an API key of this server and stores it */
  mode?: "text" | "fabula";
  /** For the mode `text` */
  value?: string;
  /** For the mode `fabula` */
  key?: {
    /** Whose rights the key has */
    kind?: "personal" | "tenant" | "team";
    /** For a team key */
    role?: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
    /** ISO 8601; without an offset it is UTC */
    expires_at?: string | null;
  };
}

export interface CreateDraftBody {
  /** The name that people see */
  name: string;
}

export interface CreateFolderBody {
  /** The name that people see */
  name: string;
  /** The id of the team */
  team_id?: number;
  /** The kind of things that it was made for */
  content_type?: "STORY" | "CREDENTIAL" | "RESOURCE";
  /** A folder of the same team; null: none */
  parent_folder_id?: number | null;
  /** The same as `parent_folder_id` */
  parent_id?: number | null;
}

export interface CreateGlobalResourceBody {
  /** The name that people see */
  name: string;
  /** A text, number, boolean, list or object */
  value: unknown;
  /** The type of `value`. Without it a text that is JSON of a list or an object becomes it */
  value_type?: "text" | "array" | "object" | "number" | "boolean" | "json";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The teams that may use it: its own, all of the tenant, or those of `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the slugs of the teams besides its own */
  shared_team_slugs?: string[];
  /** Whether drafts of stories see the test value */
  test_resource_enabled?: boolean;
  /** Whether `value` is the test value */
  is_test?: false;
  /** Whether values are JSON instead of text */
  typed_value?: boolean;
  /** The id of the live resource */
  live_resource_id?: number;
}

export interface CreateRecordBody {
  /** The id of the record type */
  record_type_id: number;
  /** null and "" make a field empty */
  field_values?: {
    /** The id of the field */
    field_id: string | number;
    /** The value, as the type of the field needs it */
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
  /** The name that people see */
  name: string;
  /** If absent: the key’s team, else your first one, also if the key sees several teams */
  team_id?: number;
  /** Only `true`, without effect */
  editable?: true | null;
  /** The fields of the type */
  fields?: {
    /** The name that people see */
    name?: string;
    /** The type of the values */
    result_type?: "TEXT" | "NUMBER" | "TIMESTAMP" | "BOOLEAN" | "TEXT_ENUM";
    /** For TEXT_ENUM: the allowed values */
    fixed_values?: string[];
    /** The id */
    id?: unknown;
  }[];
}

export interface CreateStoryBody {
  /** Without it: the team of the folder or key, or your first one */
  team_id?: number | null;
  /** The id of the folder */
  folder_id?: number | null;
  /** The name that people see */
  name?: string;
  /** The names of its tags */
  tags?: string[];
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** Seconds */
  keep_events_for?: 3600 | 21600 | 86400 | 259200 | 604800 | 1209600 | 2592000 | 5184000 | 7776000 | 15552000 | 31536000;
  /** Whether it takes no events */
  disabled?: boolean;
  /** Whether its events go before those of other stories */
  priority?: boolean;
}

export interface CreateStoryVersionBody {
  /** The name that people see */
  name?: string | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The draft instead of the story */
  draft_id?: number | null;
}

export interface CreateTagBody {
  /** The name that people see */
  name: string;
  /** The id of the team */
  team_id?: number;
  /** `#RRGGBB`, or purple, blue, gold, green, magenta, red, orange, mint */
  color?: string;
}

export interface CreateTeamBody {
  /** The name that people see */
  name: string;
}

export interface CreateTeamMemberBody {
  /** The id of the user */
  user_id?: number;
  /** The address for mails, and for signing in */
  email?: string;
  /** The rights of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
}

export interface CreateTrialBody {
  /** A stored story */
  story_id?: number;
  /** A draft; its story may stand beside it */
  draft_id?: number;
  /** A story in the export form, instead of `story_id` */
  story?: {
    [key: string]: unknown;
  };
  /** The team of `story`; that of the run unless given */
  team_id?: number;
  /** A past run: its first event, its responses, and what to compare with */
  run_guid?: string;
  /** The event that a webhook emits, or the input of another action */
  event?: {
    [key: string]: unknown;
  };
  /** A stored event, with those before it */
  event_id?: number;
  /** The action that it begins at: id, guid or name */
  action?: number | string;
  /** Rules that answer requests, before the past run does: the first that fits */
  responses?: {
    /** Any method unless given */
    method?: string;
    /** With the query; `*` stands for any text */
    url: string | {
      /** A pattern that is found in the URL */
      regex: string;
    };
    /** Parts that the body must contain: keys of objects, elements of lists */
    body?: unknown;
    /** How many requests it answers; all unless given */
    times?: number;
    /** 0: there is no answer */
    status?: number;
    /** Headers of the answer */
    headers?: {};
    /** A text as it is, any other value as JSON */
    answer?: unknown;
    /** The body as base64, instead of `answer` */
    base64?: string;
    /** It answers this action alone: id, guid or name */
    action?: number | string;
  }[];
  /** true: requests that no rule answers are really sent, instead of the past run */
  send?: boolean;
}

export interface CreateUserBody {
  /** The address for mails, and for signing in */
  email: string;
  /** The given name */
  first_name?: string;
  /** The family name */
  last_name?: string;
  /** The address of a picture */
  avatar_url?: string;
  /** Whether the user may do everything in the tenant */
  is_owner?: boolean;
}

export interface CreateUserCredentialBody {
  /** The name that people see */
  name: string;
  /** How it gives its secret */
  mode: "TEXT" | "JWT" | "HTTP_REQUEST_AGENT" | "MULTI_REQUEST" | "OAUTH" | "AWS" | "MTLS";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** Notes for people; no secret */
  metadata?: {
    [key: string]: unknown;
  };
  /** The hosts that it may be sent to: `api.example.com`, `*.example.com`. None: any host */
  allowed_hosts?: string[];
  /** The teams that may use it: its own, all of the tenant, or those of `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the slugs of the teams besides its own */
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
  /** `JWT`: adds `iat`, now, and `exp`, in one hour */
  jwt_auto_generate_time_claims?: boolean;
  /** `HTTP_REQUEST_AGENT`: the options of the HTTP request that gets the token; `<<secret>>` stands for `http_request_secret` */
  http_request_options?: unknown;
  /** The place of the token in the response: `=response.body.access_token` */
  http_request_location_of_token?: string;
  /** `HTTP_REQUEST_AGENT`: `<<secret>>` of the options */
  http_request_secret?: string;
  /** Seconds for which a token is used again. Without it each run of an action gets a new one */
  http_request_ttl?: number;
  /** `MULTI_REQUEST`: the requests, one after the other; each sees the responses before it */
  credential_requests?: {
    /** The options of an HTTP request */
    options: unknown;
    /** `<<secret>>` of these options */
    http_request_secret?: string;
  }[];
  /** `OAUTH` */
  oauth_grant_type?: "client_credentials" | "authorization_code";
  /** `OAUTH`: where a person allows the access, for `authorization_code` */
  oauth_url?: string;
  /** `OAUTH`: where tokens are fetched */
  oauth_token_url?: string;
  /** `OAUTH` */
  oauth_client_id?: string;
  /** `OAUTH` */
  oauth_client_secret?: string;
  /** `OAUTH`: the rights, separated by spaces */
  oauth_scope?: string;
  /** `OAUTH`: the parameter `audience`, which Auth0 asks for */
  oauth_audience?: string;
  /** `OAUTH`: the parameter `resource` (RFC 8707) */
  oauth_resource?: string;
  /** `OAUTH`: the method of PKCE, for `authorization_code` */
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
  /** `MTLS`: the certificate of the authority of the server; alone it is only trusted, and no certificate is shown */
  mtls_root_certificate?: string;
  /** Whether drafts of stories get the test value */
  test_credential_enabled?: boolean;
  /** Whether settings and `allowed_hosts` are those of the test value */
  is_test?: false;
  /** The credential that gets the settings as its test value, and is the answer */
  live_credential_id?: number;
}

export interface Credential {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The name that templates may use besides `name` */
  slug: string;
  /** The id of the team */
  team_id: number;
  /** Its purpose, in the words of its author */
  description: string;
  /** The hosts that it may be sent to */
  allowed_hosts: string[];
  /** Whether it may be sent to any host: it has no `allowed_hosts` */
  unrestricted: boolean;
  /** How it gives its secret */
  mode: "fabula" | "text" | "jwt" | "http_request_agent" | "multi_request" | "oauth" | "aws" | "mtls";
  /** For the mode `fabula` */
  api_key_id: number | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface CredentialTest {
  /** Whether an action could use it */
  works: boolean;
  /** What was found, in words, without any secret */
  message: string;
  /** The server of the token; null: none was asked */
  host: string | null;
  /** The status of its last response; null: there was none */
  status: number | null;
  /** Until when the token is used again, or the certificate is valid; null: no end is known */
  expires_at: string | null;
  /** How long the test took */
  took_ms: number;
}

export interface DeadJob {
  /** The id of the dead letter */
  id: number;
  /** Always the same: an action receives an event */
  type: "AgentReceiveJob";
  /** The action that failed */
  agent: {
    /** The id of the action */
    id: number;
    /** null: the action has been deleted */
    name: string | null;
  };
  /** The event that it processed; null: the first of the run */
  events: number | null;
  /** Attempts after the first */
  retry_count: number;
  /** When the last attempt failed, in seconds since 1970 */
  last_retry: number;
  /** The last error, in words */
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
  /** null: the action has been deleted */
  agent_name: string | null;
  /** The guid of the run */
  story_run_guid: string;
  /** The event that it processed; null: it was the first of the run */
  event_id: number | null;
  /** How often it was tried */
  attempts: number;
  /** Number of retries by hand */
  retries: number;
  /** Why it failed; null: it did not */
  error: string | null;
  /** When it was created */
  created_at: string;
  /** When it failed last */
  failed_at: string;
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
  /** null: the action has been deleted */
  agent_name: string | null;
  /** The error without ids, addresses, times, quoted text and numbers */
  error_kind: string;
  /** The number of dead letters */
  dead_letters: number;
  /** How many of them were retried by hand before */
  retried: number;
  /** When the first of them failed */
  first_failed_at: string;
  /** When the last of them failed */
  last_failed_at: string;
}

export interface DeleteCaseMetadataBody {
  /** Keys; or an object, of which only the keys are used */
  metadata: string[] | {
    [key: string]: unknown;
  };
}

export interface DeleteDeadLetterBody {
  /** Why; the audit log keeps it */
  reason?: string;
}

export interface DeleteStoriesBody {
  /** Ids of stories */
  ids: number[];
}

export interface Digest {
  /** The id of the team */
  team_id: number;
  /** False: no digest is made */
  enabled: boolean;
  /** Addresses that get it */
  recipients: string[];
  /** The hour of the day in `timezone` */
  hour: number;
  /** Name of a time zone */
  timezone: string;
  /** Whether requests to http and https addresses are signed */
  signed: boolean;
  /** When the next digest is made; null: it is off */
  next_at: string | null;
  /** When the last one was made */
  last_at: string | null;
}

export interface DisableStoryBody {
  /** Without it: the other way round */
  disabled?: boolean | null;
}

export interface Draft {
  /** The `draft_id`; it is the id of a story too */
  id: number;
  /** The name that people see */
  name: string;
  /** The story that it would change */
  story_id: number;
  /** The id of the team */
  team_id: number;
  /** The user who made it */
  user_id: number;
  /** The id that stays the same in exports */
  guid: string;
  /** Its runs and records are tests */
  mode: "TEST";
  /** The version of the live story that it was made of or brought up to; null: unknown */
  base_version: number | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface DropAllActionDeadJobsResponse {
  /** The number of deliveries that were dropped */
  dropped: number;
  /** Left for the next request */
  remaining: number;
}

export interface DropAllDeadJobsResponse {
  /** The number of deliveries that were dropped */
  dropped: number;
  /** Left for the next request */
  remaining: number;
}

export interface DropDeadLettersBody {
  /** The id of the team */
  team_id?: number;
  /** The id of the story */
  story_id?: number;
  /** The id of the agent */
  agent_id?: number;
  /** The same as `agent_id` */
  action_id?: number;
  /** The guid of the run */
  story_run_guid?: string;
  /** Part of the error; letter case does not count */
  error?: string;
  /** Kind of the error, as `GET /api/v1/dead_letters/groups` returns it */
  error_kind?: string;
  /** Failed at this time or later */
  since?: string;
  /** Failed before this time */
  until?: string;
  /** At most this many, the oldest first */
  limit?: number;
  /** All dead letters of the teams that you may change */
  all?: true;
  /** Why; the audit log keeps it */
  reason?: string;
}

export interface DropDeadLettersResponse {
  /** The number of deliveries that were dropped */
  dropped: number;
  /** Left out because one request takes `limit` or 10,000 at most; counted up to 100,000 */
  remaining: number;
}

export interface DryRunActionBody {
  /** The event that a webhook emits, or the input of another action: its keys are those of the actions before it */
  event?: {
    [key: string]: unknown;
  };
  /** The same as `event` */
  payload?: {
    [key: string]: unknown;
  };
  /** A stored event of the same story: the action sees what its receivers see */
  event_id?: number;
  /** In place of the options of the action */
  options?: {
    [key: string]: unknown;
  };
  /** true: its requests and mails are really sent */
  send?: boolean;
}

/** A story in the export form; further keys are kept */
export interface EmbeddedStory {
  /** The version of the form, which says the language of templates */
  schema_version: number;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The id that stays the same in exports */
  guid?: string | null;
  /** The actions */
  agents: ExportedAction[];
  /** The ways from action to action */
  links: ExportedLink[];
  /** How long events are kept, in seconds */
  keep_events_for?: number | null;
  /** Whether it takes no events */
  disabled?: boolean | null;
  /** Whether its events go before those of other stories */
  priority?: boolean | null;
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled?: boolean | null;
  /** Kept, without effect */
  standard_lib_version?: unknown;
  /** The stories that its actions call */
  send_to_stories?: EmbeddedStory[] | null;
  /** The name that people see */
  name: string;
  [key: string]: unknown;
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
  /** null: the action has been deleted */
  agent_name: string | null;
  /** The events under the other keys of its cumulative payload, oldest first */
  previous_events_ids: number[];
  /** The same as `previous_events_ids` */
  previous_event_ids: number[];
  /** The content, any JSON value */
  payload: unknown;
  /** Whether a part of the payload is missing */
  incomplete: boolean;
  /** TEST: of a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft that emitted it; null: the live story */
  draft_id: number | null;
  /** When it was created */
  created_at: string;
  /** The same as `created_at`: events do not change */
  updated_at: string;
}

/** An action of an exported story; further keys are kept */
export interface ExportedAction {
  /** The kind of action; one that this server lacks is stored and does not run */
  type: string;
  /** The name that people see, and templates as its slug */
  name: string;
  /** The id that stays the same in exports */
  guid?: string;
  /** Whether it takes no events */
  disabled?: boolean;
  /** The options, by the type of the action */
  options: {
    [key: string]: unknown;
  };
  /** Seconds; 0: the period of the story */
  keep_events_for?: number | null;
  [key: string]: unknown;
}

/** A link between two actions */
export interface ExportedLink {
  /** The position of the sending action in `agents`, from 0 */
  source: number;
  /** The position of the receiving action in `agents`, from 0 */
  receiver: number;
  /** Which of the outputs the link takes */
  link_type?: string | null;
  [key: string]: unknown;
}

export interface ExportedStoryVersion {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** Counts the versions of the story, from 1 */
  number: number;
  /** The name that people see */
  name: string | null;
  /** Its purpose, in the words of its author */
  description: string | null;
  /** The kind of change that made it; `before`: the state before the first change that was kept */
  source: "before" | "edit" | "import" | "restore" | "draft" | "request";
  /** Bytes of the state, before compression */
  size: number;
  /** The user who made the change */
  user: {
    /** The id */
    id?: number;
    /** The given name */
    first_name?: string;
    /** The family name */
    last_name?: string;
    /** The address for mails, and for signing in */
    email?: string;
  };
  /** The same as updated_at */
  timestamp: string;
  /** When it was created */
  created_at: string;
  /** Edits of one user within a minute join into one version */
  updated_at: string;
  /** The story as it was then */
  export_file: {
    [key: string]: unknown;
  };
}

export interface FilterExample {
  /** A text with a template */
  template: string;
  /** The value, with its type */
  result: unknown;
  /** The event that the example refers to */
  event: {
    [key: string]: unknown;
  };
}

export interface Folder {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the team */
  team_id: number;
  /** The kind of things that it was made for */
  content_type: "STORY" | "CREDENTIAL" | "RESOURCE";
  /** The folder that holds it; null: none */
  parent_folder_id: number | null;
  /** Number of stories and resources in it */
  size: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface FunctionExample {
  /** A text with a template */
  template: string;
  /** The value, with its type */
  result: unknown;
}

export interface GetCaseClosureConditionsResponse {
  /** In the order of the case */
  closure_conditions: {
    /** The name that people see */
    name: string;
    /** A formula that must be true */
    formula: string;
    /** Whether it allows closing the case now */
    met: boolean;
    /** Why it does not, as the refusal to close would say it; null: it is met */
    reason: string | null;
  }[];
}

export interface GetCaseMetadataResponse {
  /** Values under names of your own */
  metadata: {
    [key: string]: unknown;
  };
}

export interface GetDoctorResponse {
  /** The version of Fabula that looked */
  version: string;
  /** Number of checks */
  checks: number;
  /** Number of findings of each severity */
  counts: {
    /** Findings of something that does not work */
    error: number;
    /** Findings of something that soon may not work */
    warning: number;
    /** Findings that are good to know */
    note: number;
  };
  /** The findings by group, the worst first */
  findings: {
    /** The kind of finding; `docs/operate/doctor.md` lists all */
    id: string;
    /** The part of the installation */
    group: "doctor" | "database" | "redis" | "work" | "spool" | "configuration" | "outbound" | "disk";
    /** How bad it is */
    severity: "error" | "warning" | "note";
    /** The facts, with figures */
    found: string;
    /** Why it matters */
    why: string;
    /** How to end it */
    remedy: string;
    /** Since when it is so; null: not known */
    since: string | null;
  }[];
}

export interface GetEventRequestResponse {
  /** null: none was kept, because nothing was sent, or before this was kept */
  sent_request: SentRequest | null;
}

export interface GetInfoResponse {
  /** The installation */
  stack: {
    /** The host name of this server */
    name: string;
    /** Always `self-hosted` */
    type: "self-hosted";
    /** Always null: a server does not know its region */
    region: null;
    /** Always empty: a server does not know the addresses that others see */
    egress_ips: unknown[];
  };
  /** The version of Fabula */
  version: string;
}

export interface GetStatisticsResponse {
  /** The items of the page */
  stats: Statistics[];
  /** The start of the range */
  from: string;
  /** Its end */
  to: string;
  /** For minutes: when this installation began to count them; the sums of earlier ones may be missing. Else null */
  counted_since: string | null;
  /** All rows before this time are counted */
  counted_until: string;
  /** Whole seconds from `counted_until` to now; about 40 under steady load, 0 at rest */
  lag_seconds: number;
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface GetStatusResponse {
  /** The worst of the reasons */
  state: "ok" | "warning" | "error";
  /** Why the state is not `ok` */
  reasons: {
    /** How bad it is */
    state: "warning" | "error" | "note";
    /** The kind of the reason, as the doctor names it: `work.paused` */
    id: string;
    /** The facts */
    text: string;
    /** Why it matters */
    why: string;
    /** How to end it */
    remedy: string;
    /** Since when it is so; null: not known */
    since: string | null;
  }[];
  /** When it was answered */
  checked_at: string;
  /** Null for others than an Owner of the only tenant */
  installation: {
    /** How long a ping took; null: no answer */
    mysql_ms: number | null;
    /** How long a ping took; null: no answer */
    redis_ms: number | null;
    /** How long the oldest due delivery has waited for the relay */
    relay_lag_seconds: number | null;
    /** How long the oldest due schedule has waited */
    schedule_lag_seconds: number | null;
    /** The spool: webhook calls that wait until MySQL is back */
    spool: {
      /** Size of the calls that it holds */
      bytes: number;
      /** Most that it may hold */
      limit_bytes: number;
    } | null;
    /** The queues of jobs */
    queues: {
      /** Its name */
      queue: string;
      /** Jobs that wait for a worker */
      waiting: number;
      /** Jobs that run */
      active: number;
      /** Jobs that were handed back for a while */
      delayed: number;
      /** How long the oldest waiting job has waited */
      oldest_seconds: number;
      /** Live workers; null: Redis does not list them */
      workers: number | null;
      /** Its pause: workers take none of its jobs; null: it is not paused */
      paused: QueuePause | null;
    }[] | null;
    /** Live processes by version */
    versions: {
      /** A version of Fabula */
      version: string;
      /** Live processes of it */
      processes: number;
    }[] | null;
  } | null;
  /** The stories of the teams */
  stories: {
    /** Dead letters; of more than 10,000 the newest, and as many as two seconds are enough to find */
    dead_letters: number;
    /** False: there may be more */
    dead_letters_complete: boolean;
    /** Stories with dead letters, the last to fail first; at most 50 */
    failing: {
      /** The id */
      id: number;
      /** Its name */
      name: string;
      /** The id of the team */
      team_id: number;
      /** Its dead letters */
      dead_letters: number;
      /** The oldest of its dead letters */
      since: string;
      /** The newest of them */
      last_at: string;
      /** The error of the newest, without secrets */
      last_error: string;
    }[];
    /** Monitored actions whose silence was told; at most 100 */
    silent_actions: {
      /** The id */
      id: number;
      /** Its name */
      name: string;
      /** The story of the action */
      story: {
        /** The id */
        id: number;
        /** Its name */
        name: string;
      };
      /** The id of the team */
      team_id: number;
      /** Its last event, or when watching began */
      since: string;
    }[];
    /** The last notices, newest first; at most 20 */
    notices: {
      /** The id */
      id: number;
      /** The occasion */
      kind: "failures" | "no_events" | "events" | "skipped" | "reconnect" | "digest";
      /** By mail, or to an http or https address */
      channel: "mail" | "web";
      /** The id of the team */
      team_id: number;
      /** Null for a digest */
      story_id: number | null;
      /** Number of recipients */
      recipients: number;
      /** Its outcome */
      state: "due" | "sent" | "failed";
      /** Attempts so far */
      attempts: number;
      /** Why the last attempt failed */
      error: string | null;
      /** When it was found */
      created_at: string;
      /** Its end; of one that is due, the next attempt */
      at: string;
    }[];
  } | null;
}

export interface GetTenantUsageResponse {
  /** Each quota */
  quotas: Quota[];
}

export interface GetWorkerStatsResponse {
  /** Jobs that run now */
  current_workers: number;
  /** Jobs that all live worker processes can run at once; 0: no worker lives; null: Redis does not list them */
  max_workers: number | null;
  /** Jobs that wait for a worker */
  queue_count: number;
  /** Whole seconds for which the oldest of them has waited; 0 if none waits */
  queue_latency: number;
}

/** An action of a story; further keys are kept */
export interface GraphAction {
  /** The kind of action; one that this server lacks is stored and does not run */
  type: string;
  /** The name that people see, and templates as its slug */
  name: string;
  /** The id that stays the same in exports */
  guid?: string;
  /** Whether it takes no events */
  disabled?: boolean;
  /** The options, by the type of the action */
  options: {
    [key: string]: unknown;
  };
  /** Seconds; 0: the period of the story */
  keep_events_for?: number | null;
  /** The action that it continues; without one the guid says it */
  id?: number | null;
  /** The place on the board; absent: as it is, null: none */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** What its templates see as `INPUT`; absent: as it is, null: nothing */
  action_inputs?: ActionInput[] | null;
  [key: string]: unknown;
}

/** A note on the board; further keys are kept */
export interface GraphNote {
  /** The note that it continues; without one the guid or the text says it */
  id?: number | null;
  /** The id that stays the same in exports */
  guid?: string | null;
  /** The text, which may hold markup */
  content: string;
  /** The place on the board */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null | number[];
  [key: string]: unknown;
}

export interface ImportStoryBody {
  /** The name of the story here */
  new_name: string;
  /** The story */
  data: StoryExport;
  /** The id of the team */
  team_id?: number | null;
  /** The id of the folder */
  folder_id?: number | null;
  /** `versionReplace` replaces the newest story of this name */
  mode?: "new" | "versionReplace";
  /** Imports into a new draft of this name instead of into the story; `new_name` may be absent then */
  draft_name?: string | null;
}

export interface ImportedStory {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The id that stays the same in exports */
  guid: string;
  /** The name as templates write it */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it takes no events */
  disabled: boolean;
  /** Whether its events go before those of other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** The last change of its actions, links and notes */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is no draft */
  published: boolean;
  /** Whether its actions, links and notes may not be changed */
  locked: boolean;
  /** Whether they change by a promoted change request only */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The names of its tags */
  tags: string[];
  /** Whether other stories may call it */
  send_to_story_enabled: boolean;
  /** The callers that it allows; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Stories of which teams may call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Kept for other platforms; nothing here asks for it */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled: boolean;
  /** The same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty: all webhooks */
  api_entry_action_ids: number[];
  /** Empty: those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Addresses that are told of failures */
  recipients: string[];
  /** Whether failures of all actions are told */
  monitor_failures: boolean;
  /** The ready story of the gallery that it was made of, by its folder; null: none */
  gallery_slug: string | null;
  /** The draft that was made; absent: none */
  draft_id?: number;
  /** Notices for the owner; absent: none */
  warnings?: string[];
}

export interface InviteTeamMemberResponse {
  /** The same as `user_id` */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the user */
  user_id: number;
  /** The address for mails, and for signing in */
  email: string;
  /** The given name */
  first_name: string;
  /** The family name */
  last_name: string;
  /** An Owner of the tenant */
  is_admin: boolean;
  /** Whether it is no person, but stands for a key */
  is_service_account: boolean;
  /** The rights of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  /** Always true: a member belongs to the team at once */
  invitation_accepted: true;
  /** Last request with a key of the user, to the minute; null if there was none */
  last_seen: string | null;
  /** Start of the membership */
  created_at: string;
}

export interface LinkCasesBody {
  /** Ids of cases to link */
  ids: number[];
}

export interface LinkCasesResponse {
  /** The id of the case */
  case_id: number;
  /** The name that people see */
  name: string;
  /** Cases of the request */
  linked_cases: LinkedCase[];
}

export interface LinkedCase {
  /** The id of the case */
  case_id: number;
  /** The name that people see */
  name: string;
  /** Its team: a link is changed by those who may change both cases */
  team_id: number;
}

export interface ListActionDeadJobsResponse {
  /** The items of the page */
  'admin/dead_jobs': DeadJob[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListActionEventsResponse {
  /** The items of the page */
  events: Event[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListActionLogsResponse {
  /** The items of the page */
  action_logs: LogLine[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListActionsResponse {
  /** The items of the page */
  agents: Action[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListAdminTemplatesResponse {
  /** The items of the page */
  'admin/templates': ActionTemplate[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListAdminUsersResponse {
  /** The items of the page */
  'admin/users': AdminUser[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListAgentTypesResponse {
  /** The items of the page */
  agent_types: AgentType[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListApiKeysResponse {
  /** The items of the page */
  api_keys: ApiKey[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListAuditLogsResponse {
  /** The items of the page */
  audit_logs: AuditEntry[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseActionsResponse {
  /** The items of the page */
  actions: CaseAction[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseActivitiesResponse {
  /** The items of the page */
  activities: CaseActivity[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseAssigneesResponse {
  /** The items of the page */
  assignees: CaseUser[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseCommentsResponse {
  /** The items of the page */
  comments: CaseActivity[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseLinkedCasesResponse {
  /** The items of the page */
  linked_cases: LinkedCase[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseRecordsResponse {
  /** The items of the page */
  records: CaseRecordGroup[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCaseSubscribersResponse {
  /** The items of the page */
  subscribers: CaseSubscriber[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCasesResponse {
  /** The items of the page */
  cases: Case[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListCredentialsResponse {
  /** The items of the page */
  credentials: Credential[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListDeadJobsResponse {
  /** The items of the page */
  'admin/dead_jobs': DeadJob[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListDeadLettersGroupsResponse {
  /** That with the last failure first */
  groups: DeadLetterGroup[];
  /** false: only the newest 100,000 dead letters were counted, and 10,000 texts of errors */
  complete: boolean;
}

export interface ListDeadLettersResponse {
  /** The items of the page */
  dead_letters: DeadLetter[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListDraftAgentsResponse {
  /** The items of the page */
  agents: Action[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListEventsResponse {
  /** The items of the page */
  events: Event[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListFiltersResponse {
  /** The items of the page */
  filters: TemplateFilter[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListFoldersResponse {
  /** The items of the page */
  folders: Folder[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListFunctionsResponse {
  /** The items of the page */
  functions: TemplateFunction[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListGlobalResourcesResponse {
  /** The items of the page */
  global_resources: Resource[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListNotesResponse {
  /** The items of the page */
  annotations: Note[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListPendingActionsResponse {
  /** The items of the page */
  pending_actions: PendingAction[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListQueuesResponse {
  /** All queues, in the order of the board */
  queues: Queue[];
  /** When the deliveries were counted: some seconds ago, or minutes with millions of them; null: they could not be read */
  deliveries_counted_at: string | null;
  /** When it was answered */
  checked_at: string;
}

export interface ListRecordTypesResponse {
  /** The items of the page */
  record_types: RecordType[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListRecordsResponse {
  /** The items of the page */
  record_results: ListedRecord[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListSchedulesResponse {
  /** The items of the page */
  schedules: Schedule[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListStoryActionsResponse {
  /** The items of the page */
  agents: Action[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListStoryDraftsResponse {
  /** The items of the page */
  drafts: Draft[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListStoryRunsResponse {
  /** The items of the page */
  story_runs: Run[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListStoryVersionsResponse {
  /** The items of the page */
  story_versions: StoryVersion[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListTagsResponse {
  /** The items of the page */
  tags: Tag[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListTeamMembersResponse {
  /** The items of the page */
  members: TeamMember[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListTeamsResponse {
  /** The items of the page */
  teams: Team[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListUserCredentialsResponse {
  /** The items of the page */
  user_credentials: UserCredential[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListUserSignInsResponse {
  /** The items of the page */
  'admin/login_activities': SignIn[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListUsersResponse {
  /** The items of the page */
  users: User[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListWebhooksResponse {
  /** The items of the page */
  webhooks: Webhook[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface ListedRecord {
  /** The id */
  id: number;
  /** The story that wrote it; null: none */
  'Story name': string | null;
  /** When it was created, in UTC */
  Timestamp: string;
  [key: string]: unknown;
}

export interface ListedStory {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The id that stays the same in exports */
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
  /** The event that it processed; null: it was the first of the run, or retention has deleted the event */
  inbound_event_id: number | null;
  /** That event with its own output */
  inbound_event: Event | null;
}

export interface MailSettings {
  /** null: the mail server of this installation */
  smtp_server: string | null;
  /** The user at the mail server; null: none */
  smtp_user: string | null;
  /** The access by tokens, without its secrets; null: a password, or no login */
  smtp_oauth: {
    /** Where tokens come from */
    token_url: string;
    /** The id of the client */
    client_id: string;
    /** The scope that is asked for */
    scope: string | null;
  } | null;
  /** The sender of mails whose action sets none */
  mail_from: string;
  /** Other senders that actions may use */
  mail_from_allow: string[];
  /** When it was changed last */
  updated_at: string | null;
}

export interface NewAction {
  /** The name that people see */
  name: string;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** Whether it takes no events */
  disabled?: boolean;
  /** The options, by the type of the action; absent: none */
  options?: {
    [key: string]: unknown;
  };
  /** Seconds; 0: the period of the story */
  keep_events_for?: number;
  /** When the action starts runs without a request: a word such as every_1d, cron with a time zone, or a list of these */
  schedule?: string | null | {
    /** The five fields of cron */
    cron: string;
    /** The time zone of the schedule; absent: UTC */
    timezone?: string | null;
  } | (string | null | {
    /** The five fields of cron */
    cron: string;
    /** The time zone of the schedule; absent: UTC */
    timezone?: string | null;
  })[];
  /** The place on the board; null: none */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** What the templates of the action see as `INPUT`; null: nothing */
  action_inputs?: ActionInput[] | null;
  /** Exactly these actions send it events; links that exist keep their types */
  source_ids?: number[] | null;
  /** The same as source_ids, with the type of each link */
  links_to_sources?: {
    /** The id of the source */
    source_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails for good */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Exactly these actions receive its events; links that exist keep their types */
  receiver_ids?: number[] | null;
  /** The same as receiver_ids, with the type of each link */
  links_to_receivers?: {
    /** The id of the receiver */
    receiver_id: number;
    /** NO_MATCH: no rule of a trigger matches; FAILURE: the action fails for good */
    type?: "DEFAULT" | "NO_MATCH" | "FAILURE";
  }[] | null;
  /** Whether its events are told */
  monitor_all_events?: boolean | null;
  /** Whether its failures for good are told */
  monitor_failures?: boolean | null;
  /** Seconds without an event after which that is told; null or 0: never */
  monitor_no_events_emitted?: number | null;
  /** The time that one event saves */
  time_saved_value?: number | null;
  /** A draft of the story: the request is about the draft; null: about the story itself */
  draft_id?: number | null;
  /** The unit of `time_saved_value` */
  time_saved_unit?: "minutes" | "hours" | "days" | null;
  /** The story that it is added to */
  story_id: number;
  /** The kind of action: `Agents::WebhookAgent` */
  type: string;
}

export interface NewApiKey {
  /** The id */
  id: number;
  /** Whose rights it has */
  kind: "personal" | "tenant" | "team";
  /** The name that people see */
  name: string;
  /** The first characters of the key */
  prefix: string;
  /** The user whose rights it has */
  user_id: number;
  /** Only for team keys */
  team_id: number | null;
  /** The id of the created by user */
  created_by_user_id: number | null;
  /** When it stops to work; null: never */
  expires_at: string | null;
  /** When it was used last; null: never */
  last_used_at: string | null;
  /** When it was revoked; null: it was not */
  revoked_at: string | null;
  /** When it was created */
  created_at: string;
  /** The key itself, which is shown only once */
  key: string;
}

export interface NewCaseSubscriber {
  /** The id */
  id: number;
  /** The address */
  url: string | null;
  /** The user; null: the user is gone */
  user: CaseUser | null;
  /** When it was created */
  created_at: string;
  /** Signs the requests, and is shown only once; null: the subscriber is a user */
  secret: string | null;
}

export interface NewNote {
  /** The text, which may hold markup */
  content: string;
  /** The place on the board; null: at 0, 0 for a new note */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** The story that it is added to */
  story_id: number;
  /** A draft of the story: the request is about the draft; null: about the story itself */
  draft_id?: number | null;
}

export interface NewStoryVersion {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** Counts the versions of the story, from 1 */
  number: number;
  /** The name that people see */
  name: string | null;
  /** Its purpose, in the words of its author */
  description: string | null;
  /** The kind of change that made it; `before`: the state before the first change that was kept */
  source: "before" | "edit" | "import" | "restore" | "draft" | "request";
  /** Bytes of the state, before compression */
  size: number;
  /** The user who made the change */
  user: {
    /** The id */
    id?: number;
    /** The given name */
    first_name?: string;
    /** The family name */
    last_name?: string;
    /** The address for mails, and for signing in */
    email?: string;
  };
  /** The same as updated_at */
  timestamp: string;
  /** When it was created */
  created_at: string;
  /** Edits of one user within a minute join into one version */
  updated_at: string;
  /** The version once more */
  story_version: StoryVersion;
}

export interface Note {
  /** The id of the note */
  id: number;
  /** The story on whose board it is */
  story_id: number;
  /** TEST: in a draft */
  story_mode: "LIVE" | "TEST";
  /** There are no groups of actions */
  group_id: null;
  /** The guid in exports; null: none */
  guid: string | null;
  /** The text, which may hold markup */
  content: string;
  /** The place on the board; null: none */
  position: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** The draft that it is in */
  draft_id: number | null;
  /** The name of that draft */
  draft_name: string | null;
}

export interface NoteChanges {
  /** The text, which may hold markup */
  content?: string;
  /** The place on the board; null: as it is */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
}

/** The place of the page in its list */
export interface PageMeta {
  /** The address of this page */
  current_page: string;
  /** Null on the first page */
  previous_page: string | null;
  /** Null on the last page. Walk by it, not by numbers: it knows where this page ended */
  next_page: string | null;
  /** Null on the last page */
  next_page_number: number | null;
  /** The most items that a page has */
  per_page: number;
  /** The number of pages, at least 1 */
  pages: number;
  /** The number of items on all pages */
  count: number;
}

export interface PendingAction {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The kind of action */
  type: string;
  /** The id that stays the same in exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** Deliveries that wait */
  pending_action_runs_count: number;
}

export interface PromoteChangeRequestBody {
  /** The id of the change request */
  change_request_id: number;
  /** Whether the draft goes */
  delete_draft?: boolean;
  /** Without approval: for team admins */
  bypass_approval?: boolean;
  /** Required with bypass_approval; it is kept */
  bypass_approval_reason?: string | null;
  /** How the conflicts that a status 412 has named are solved */
  resolve?: {
    /** `entry` of an error of the status 412 */
    entry: string;
    /** The side that counts */
    take: "live" | "draft";
  }[];
  /** The story becomes the draft as it is: what was published since then goes */
  overwrite?: boolean;
  /** Required with overwrite; the audit log keeps it */
  reason?: string | null;
}

export interface PublishStoryDraftBody {
  /** How the conflicts that a status 412 has named are solved */
  resolve?: {
    /** `entry` of an error of the status 412 */
    entry: string;
    /** The side that counts */
    take: "live" | "draft";
  }[];
  /** The story becomes the draft as it is: what was published since then goes */
  overwrite?: boolean;
  /** Required with overwrite; the audit log keeps it */
  reason?: string | null;
}

export interface PublishedStory {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The id that stays the same in exports */
  guid: string;
  /** The name as templates write it */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it takes no events */
  disabled: boolean;
  /** Whether its events go before those of other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** The last change of its actions, links and notes */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is no draft */
  published: boolean;
  /** Whether its actions, links and notes may not be changed */
  locked: boolean;
  /** Whether they change by a promoted change request only */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The names of its tags */
  tags: string[];
  /** Whether other stories may call it */
  send_to_story_enabled: boolean;
  /** The callers that it allows; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Stories of which teams may call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Kept for other platforms; nothing here asks for it */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled: boolean;
  /** The same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty: all webhooks */
  api_entry_action_ids: number[];
  /** Empty: those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Addresses that are told of failures */
  recipients: string[];
  /** Whether failures of all actions are told */
  monitor_failures: boolean;
  /** The ready story of the gallery that it was made of, by its folder; null: none */
  gallery_slug: string | null;
  /** Parts that could not be as in the draft */
  warnings?: string[];
  /** What the story has from others since the draft was made; `before` is the draft’s */
  merged?: StoryDifference[];
  /** What an overwriting draft took away; absent: nothing */
  overwritten?: StoryDifference[];
}

export interface Queue {
  /** Its name */
  queue: "webhook-events" | "story-runs" | "event-transformation" | "trigger" | "http-request" | "email" | "send-to-story";
  /** Its jobs in Redis, of all teams; null for others than Owners, with several tenants, and if it could not be read */
  jobs: QueueJobs | null;
  /** Its deliveries in MySQL, of the teams that were asked for; null: they could not be read */
  deliveries: QueueDeliveries | null;
}

export interface QueueDeliveries {
  /** They have a job, or get one now */
  pending: number;
  /** Their story has its share of jobs: they get one later */
  held: number;
  /** They sleep until a time, or rest while their action or story is disabled */
  sleeping: number;
  /** An attempt failed; another follows */
  retrying: number;
  /** When the next of these attempts is due; null: there is none */
  next_retry_at: string | null;
  /** They wait for the rest of a group, or for a story that they called */
  parked: number;
  /** Dead letters */
  failed: number;
  /** When the oldest pending or held one was made; null: there is none */
  oldest_at: string | null;
}

export interface QueueJobs {
  /** Jobs that wait for a worker */
  waiting: number;
  /** Jobs that run */
  active: number;
  /** Jobs that were handed back for a while */
  delayed: number;
  /** How long the oldest waiting job has waited */
  oldest_seconds: number;
  /** Live workers; null: Redis does not list them */
  workers: number | null;
  /** Jobs that the live workers can run at once; null: Redis does not list them */
  slots: number | null;
  /** Its pause: workers take none of its jobs; null: it is not paused */
  paused: QueuePause | null;
  /** Jobs that ended in each of the last 60 minutes, the oldest first; attempts that were put off count too */
  ended: number[];
  /** Jobs that failed for good in each of the last 60 minutes */
  failed: number[];
}

export interface QueuePause {
  /** When it was paused on the board; null: not known */
  since: string | null;
  /** The account that paused it; null: not known */
  by: string | null;
}

export interface Quota {
  /** The name that people see */
  name: "events_per_day" | "bytes_per_day" | "mails_per_day" | "processor_seconds_per_day" | "stories" | "records" | "schedules";
  /** How much is used */
  used: number;
  /** null: no limit */
  limit: number | null;
  /** Only for daily quotas */
  resets_at: string | null;
}

export interface Record {
  /** The id */
  id: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** The story that wrote it; null: none */
  story: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
  } | null;
  /** The guid of the run */
  story_run_guid: string | null;
  /** Its record type */
  record_type: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
  };
  /** The values of its fields */
  records: {
    /** The id of the field */
    field_id: string;
    /** The name that people see */
    name: string;
    /** The value as text; null: empty */
    value: string | null;
  }[];
  /** The records below it */
  child_records: {
    /** The id */
    id: number;
    /** The values of its fields */
    records: {
      /** The id of the field */
      field_id: string;
      /** The name that people see */
      name: string;
      /** The value as text; null: empty */
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
  /** The name that people see */
  name: string;
  /** The type of the values */
  result_type: "TEXT" | "NUMBER" | "TIMESTAMP" | "BOOLEAN" | "TEXT_ENUM";
  /** The allowed values of a field of the type TEXT_ENUM */
  fixed_values: string[];
}

export interface RecordType {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the team */
  team_id: number;
  /** Whether the API may change it */
  editable: boolean;
  /** Always null: records are kept until they are deleted */
  ttl_days: number | null;
  /** The own fields of the type */
  record_fields: RecordField[];
  /** The fields that every type has */
  default_record_fields: RecordField[];
}

export interface RemoveActionEventsBody {
  /** true: answers at once, and the events go within minutes */
  async_deletion?: boolean;
}

export interface RemoveGlobalResourceBody {
  /** For a list; negative counts from the end */
  index?: number;
  /** For an object */
  key?: string;
  /** Whether the test value is changed */
  is_test?: boolean;
}

export interface RemoveStoryRecipientBody {
  /** The address of a mailbox, or an http or https address */
  address: string;
  /** A draft of the story: the request is about the draft; null: about the story itself */
  draft_id?: number | null;
}

export interface RenderTemplateBody {
  /** A text with templates, or a value with such texts */
  template?: unknown;
  /** The options of an action, instead of `template` */
  options?: {
    [key: string]: unknown;
  };
  /** The type of the action that the options are of */
  type?: string;
  /** That of the story unless given; else formula */
  language?: "liquid" | "formula";
  /** The story that the template is of */
  story_id?: number;
  /** The team whose resources it sees, without a story */
  team_id?: number;
  /** The input of the action: one key for each action before it */
  event?: {
    [key: string]: unknown;
  };
  /** An event that the action receives, with those before it */
  event_id?: number;
  /** The template inputs of the action, which it sees as `INPUT` */
  action_inputs?: ActionInput[] | null;
}

export interface RenderedTemplate {
  /** The result with its type; null after a fault */
  value: unknown;
  /** null: there is none */
  error: TemplateFault | null;
}

export interface ReplaceCaseActionsBody {
  /** All actions of the case, in their order */
  actions: {
    /** The address */
    url: string;
    /** The text of the link */
    label: string;
    /** `page` is a page to open */
    action_type?: string;
    /** The text of the button; empty: none */
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
  /** Whether the test value is changed */
  is_test?: boolean;
  /** Any JSON value */
  value: unknown;
  /** The value that must be there */
  if_value?: unknown;
}

export interface ResendTeamInvitationBody {
  /** The id of the user */
  user_id: number;
}

export interface Resource {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The name that templates may use besides `name` */
  slug: string;
  /** Text: JSON for a list, an object, a number and a boolean. With `typed_value=true` the value itself */
  value: unknown;
  /** The type of `value` */
  value_type: "text" | "array" | "object" | "number" | "boolean";
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** The user who made it */
  user_id: number | null;
  /** Its purpose, in the words of its author */
  description: string;
  /** The teams that may use it */
  read_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the teams besides its own */
  shared_team_slugs: string[];
  /** Whether drafts of stories see the test value */
  test_resource_enabled: boolean;
  /** The second value, for drafts of stories */
  test_resource: {
    /** Text: JSON for a list, an object, a number and a boolean. With `typed_value=true` the value itself */
    value: unknown;
    /** When it was created */
    created_at: string;
    /** When it was changed last */
    updated_at: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** With `include_referencing_action_ids`: the actions that name it */
  referencing_action_ids?: number[];
}

export interface RestoredStoryVersion {
  /** The version */
  story_version: StoryVersion;
  /** Parts that could not be as they were */
  warnings?: string[];
}

export interface RetryDeadLettersBody {
  /** The id of the team */
  team_id?: number;
  /** The id of the story */
  story_id?: number;
  /** The id of the agent */
  agent_id?: number;
  /** The same as `agent_id` */
  action_id?: number;
  /** The guid of the run */
  story_run_guid?: string;
  /** Part of the error; letter case does not count */
  error?: string;
  /** Kind of the error, as `GET /api/v1/dead_letters/groups` returns it */
  error_kind?: string;
  /** Failed at this time or later */
  since?: string;
  /** Failed before this time */
  until?: string;
  /** At most this many, the oldest first */
  limit?: number;
  /** All dead letters of the teams that you may change */
  all?: true;
}

export interface RetryDeadLettersResponse {
  /** The number of deliveries that were sent again */
  retried: number;
  /** Left out because one request takes `limit` or 10,000 at most; counted up to 100,000 */
  remaining: number;
}

export interface Run {
  /** The id that stays the same in exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** How it was started */
  source: "webhook" | "api" | "schedule" | "send_to_story";
  /** The state */
  status: "running" | "completed" | "failed" | "cancelled";
  /** When it was created */
  created_at: string;
  /** When its last event was stored or its last delivery failed, or it was cancelled */
  ended_at: string | null;
  /** When it was cancelled; null: it was not */
  cancelled_at: string | null;
  /** The same as `created_at` */
  start_time: string;
  /** The same as `ended_at` */
  end_time: string | null;
  /** Seconds from its start to its end; null while it runs */
  duration: number | null;
  /** The number of events */
  event_count: number;
  /** Number of actions that emitted events */
  action_count: number;
  /** TEST: the run of a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft whose run it is; null: the live story */
  draft_id: number | null;
  /** The name of that draft */
  draft_name: string | null;
}

export interface RunActionBody {
  /** The event that a webhook emits, or the input of another action: its keys are those of the actions before it */
  event?: {
    [key: string]: unknown;
  };
  /** The same as `event` */
  payload?: {
    [key: string]: unknown;
  };
}

export interface RunDetails {
  /** The id that stays the same in exports */
  guid: string;
  /** The id of the story */
  story_id: number;
  /** How it was started */
  source: "webhook" | "api" | "schedule" | "send_to_story";
  /** The state */
  status: "running" | "completed" | "failed" | "cancelled";
  /** When it was created */
  created_at: string;
  /** When its last event was stored or its last delivery failed, or it was cancelled */
  ended_at: string | null;
  /** When it was cancelled; null: it was not */
  cancelled_at: string | null;
  /** The same as `created_at` */
  start_time: string;
  /** The same as `ended_at` */
  end_time: string | null;
  /** Seconds from its start to its end; null while it runs */
  duration: number | null;
  /** The number of events */
  event_count: number;
  /** Number of actions that emitted events */
  action_count: number;
  /** TEST: the run of a draft */
  story_mode: "LIVE" | "TEST";
  /** The draft whose run it is; null: the live story */
  draft_id: number | null;
  /** The name of that draft */
  draft_name: string | null;
  /** Whether it was read from the archive, as retention has deleted it */
  archived: boolean;
  /** The input of the run; null for a run that a webhook started */
  input: unknown;
  /** The number of lines in the log */
  log_count: number;
  /** The number of events that an action has still to handle */
  open_delivery_count: number;
  /** The open deliveries; the first hundred */
  open_deliveries: {
    /** The id */
    id: number;
    /** The id of the agent */
    agent_id: number;
    /** null: the action has been deleted */
    agent_name: string | null;
    /** null: the action is the first of the run */
    event_id: number | null;
    /** How often it was tried */
    attempts: number;
    /** Why it failed; null: it did not */
    error: string | null;
    /** When it was created */
    created_at: string;
    /** `pending`: as soon as possible; `waiting`: at its time; `parked`: when others have ended */
    state: "pending" | "waiting" | "parked";
    /** When it goes on; null: as soon as possible */
    waits_until: string | null;
  }[];
  /** The number of deliveries that failed for good */
  dead_letter_count: number;
  /** The deliveries that failed for good; the first hundred */
  dead_letters: {
    /** The id */
    id: number;
    /** The id of the agent */
    agent_id: number;
    /** null: the action has been deleted */
    agent_name: string | null;
    /** null: the action is the first of the run */
    event_id: number | null;
    /** How often it was tried */
    attempts: number;
    /** Why it failed; null: it did not */
    error: string | null;
    /** When it was created */
    created_at: string;
    /** When it failed last */
    failed_at: string | null;
  }[];
  /** The events of the page, oldest first */
  events: Event[];
  /** The same events without their payloads, as public clients read them */
  story_run_events: RunEvent[];
  /** The place of the page in its list */
  meta: PageMeta;
}

export interface RunEvent {
  /** The id */
  id: number;
  /** The action that emitted it */
  action_id: number;
  /** null: the action has been deleted */
  action_name: string | null;
  /** The events that led to it, oldest first */
  previous_events_ids: number[];
  /** When it was created */
  created_at: string;
  /** The same as `created_at`: events do not change */
  updated_at: string;
  /** The same time with milliseconds */
  emitted_at: string;
  /** How long the action worked, in ms; null: unknown, or the input of the run */
  work_ms: number | null;
}

export interface RunSearchMeta {
  /** Most runs on a page */
  per_page: number;
  /** `before` of the next page; null: there are no more runs */
  next_before: string | null;
  /** Number of runs that were compared with the search */
  looked_at: number;
  /** false: some runs were not compared; `next_before` goes on, or the time between `indexed_until` and `looked_since` was left out */
  complete: boolean;
  /** Runs that started before were found by the index; null: it was not needed */
  indexed_until: string | null;
  /** With `indexed_until`: runs that started since were compared with all their events */
  looked_since: string | null;
}

export interface RunSearchResult {
  /** The runs of the page */
  story_runs: Run[];
  /** The place of the page in its list */
  meta: RunSearchMeta;
}

export interface RunSummary {
  /** The run as in the list */
  story_run: Run;
}

export interface Schedule {
  /** The id */
  id: number;
  /** The id of the team */
  team_id: number;
  /** Minute, hour, day of month, month and day of week */
  cron: string;
  /** The IANA name of the zone of these times */
  timezone: string;
  /** Its next time; nothing starts then if the action or the story is disabled */
  next_at: string;
  /** The time that it last started a run for */
  last_at: string | null;
  /** The run that it last started; null: none, or the run is gone */
  last_run: {
    /** The id that stays the same in exports */
    guid: string;
    /** The state */
    status: "running" | "completed" | "failed" | "cancelled";
  } | null;
  /** The starts that it left out last; null: none */
  last_skip: {
    /** The first start that was left out */
    from: string;
    /** When the scheduler looked: starts up to this time were left out */
    until: string;
    /** `late`: no process ran then; `quota`: the tenant could start no more runs that day */
    reason: "late" | "quota";
  } | null;
  /** Its next times up to `starts_until`, the first 100; null without `starts_until`, or for a zone that the server does not know */
  starts: string[] | null;
  /** False: there are more than 100 starts */
  starts_complete: boolean;
  /** The action that it starts */
  action: {
    /** The id */
    id: number;
    /** The name that people see */
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
    /** The name that people see */
    name: string;
    /** Whether the story is disabled */
    disabled: boolean;
    /** Whether its actions may not be changed */
    locked: boolean;
    /** Whether its actions change by a promoted change request only */
    change_control_enabled: boolean;
  };
}

export interface SentRequest {
  /** When it was sent, by the clock of the worker */
  sent_at: string;
  /** In upper case */
  method: string;
  /** Its address with the query; a marker stands for a credential */
  url: string;
  /** By name in lower case, without those of the connection; a user and a password are `[hidden]` */
  headers: {
    [key: string]: string;
  };
  /** The text of its body, at most the first 8 KiB; null: it had none, or it was left out */
  body: string | null;
  /** The size of the whole body, with markers in place of credentials; null: not told */
  body_bytes: number | null;
  /** Why a body has no text: `binary`: it is no text in UTF-8; `large`: it may have held a credential and had more than 256 KiB */
  body_left_out: "binary" | "large" | null;
  /** The parts of which only the beginning was kept */
  truncated: ("url" | "headers" | "body")[];
}

export interface SignIn {
  /** The id of its entry in the audit log */
  id: number;
  /** The id of the user */
  user_id: number;
  /** The address that the person signed in from; null if it is not known */
  ip: string | null;
  /** The browser */
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
  /** The event of a webhook, or the input of another action; null while the database is away */
  event_id: number | null;
}

export interface Statistics {
  /** The start of the group */
  from: string;
  /** Its end, which is no part of it */
  to: string;
  /** Null for minutes, hours and days */
  story_id: number | null;
  /** Null for minutes, hours and days */
  story_name: string | null;
  /** Null, but for actions */
  action_id: number | null;
  /** Null, but for actions */
  action_name: string | null;
  /** Null for actions: runs belong to stories */
  runs_started: number | null;
  /** Runs whose work was done, failed or cancelled; counted when they end */
  runs_ended: number | null;
  /** Ended runs with a dead letter */
  runs_failed: number | null;
  /** Ended runs that were cancelled */
  runs_cancelled: number | null;
  /** `runs_failed` by `runs_ended`; null if none ended */
  failure_rate: number | null;
  /** Seconds from the start of a run to its last event; null for minutes, and if no run ended by itself */
  mean_duration: number | null;
  /** Seconds that 95 of 100 runs did not exceed; at most 1.41 times too high. Null as `mean_duration` */
  p95_duration: number | null;
  /** Calls of webhooks that were accepted */
  webhook_calls: number;
  /** Events that actions emitted */
  events: number;
  /** Deliveries that failed for good */
  dead_letters: number;
  /** Failures for good that went down failure links */
  handled_failures: number;
  /** `runs_started`, for each hour that is counted */
  runs_per_hour: number | null;
  /** Seconds that the action worked for an event, apart from its time in the queue; null if that is not known, and but for actions */
  mean_work: number | null;
  /** `events`, for each hour that is counted */
  events_per_hour: number;
}

/** An action of a story */
export interface StoredGraphAction {
  /** The kind of action; one that this server lacks is stored and does not run */
  type: string;
  /** The name that people see, and templates as its slug */
  name: string;
  /** The id that stays the same in exports */
  guid?: string;
  /** Whether it takes no events */
  disabled?: boolean;
  /** The options, by the type of the action */
  options: {
    [key: string]: unknown;
  };
  /** Seconds; 0: the period of the story */
  keep_events_for?: number | null;
  /** The place on the board; absent: as it is, null: none */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null;
  /** What its templates see as `INPUT`; absent: as it is, null: nothing */
  action_inputs?: ActionInput[] | null;
  /** The action */
  id: number;
  [key: string]: unknown;
}

/** A note on the board */
export interface StoredGraphNote {
  /** The id that stays the same in exports */
  guid?: string | null;
  /** The text, which may hold markup */
  content: string;
  /** The place on the board */
  position?: {
    /** To the right */
    x: number;
    /** Downwards */
    y: number;
  } | null | number[];
  /** The note; null: it has none */
  id: number | null;
  [key: string]: unknown;
}

export interface Story {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The id of the user */
  user_id: number;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Its purpose, in the words of its author */
  description: string;
  /** The id that stays the same in exports */
  guid: string;
  /** The name as templates write it */
  slug: string;
  /** Seconds */
  keep_events_for: number;
  /** Whether it takes no events */
  disabled: boolean;
  /** Whether its events go before those of other stories */
  priority: boolean;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** The last change of its actions, links and notes */
  edited_at: string;
  /** `TEST` for a draft */
  mode: "LIVE" | "TEST";
  /** Whether it is no draft */
  published: boolean;
  /** Whether its actions, links and notes may not be changed */
  locked: boolean;
  /** Whether they change by a promoted change request only */
  change_control_enabled: boolean;
  /** Ids of users */
  owners: number[];
  /** The names of its tags */
  tags: string[];
  /** Whether other stories may call it */
  send_to_story_enabled: boolean;
  /** The callers that it allows; there is no workbench */
  send_to_story_access_source: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF";
  /** Stories of which teams may call it */
  send_to_story_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs: string[];
  /** Kept for other platforms; nothing here asks for it */
  send_to_story_skill_use_requires_confirmation: boolean;
  /** The id of the entry agent */
  entry_agent_id: number | null;
  /** The actions whose events are returned to a calling action */
  exit_agents: number[];
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled: boolean;
  /** The same as `synchronous_webhooks_enabled` */
  webhook_api_enabled: boolean;
  /** The first of `api_entry_action_ids` */
  api_entry_action_id: number | null;
  /** Empty: all webhooks */
  api_entry_action_ids: number[];
  /** Empty: those of `exit_agents` */
  api_exit_action_ids: number[];
  /** Addresses that are told of failures */
  recipients: string[];
  /** Whether failures of all actions are told */
  monitor_failures: boolean;
  /** The ready story of the gallery that it was made of, by its folder; null: none */
  gallery_slug: string | null;
}

export interface StoryCheck {
  /** false: an import would refuse it, or an action would fail */
  ok: boolean;
  /** Why an import would refuse it */
  refusals: {
    /** The text */
    message: string;
    /** The path of the field; null: the whole */
    details: string | null;
  }[];
  /** Notices for its owner */
  warnings: string[];
  /** null: its form is not valid */
  story: CheckedStory | null;
  /** Things of the team that its templates need */
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

export interface StoryDiff {
  /** In the order of the story */
  story_diff: StoryDifference[];
  /** All differences, listed or not */
  count: number;
  /** Whether all differences are listed */
  complete: boolean;
}

export interface StoryDifference {
  /** The part that differs; `action`: a whole one, or its keys beside the options */
  kind: "action" | "option" | "link" | "note" | "setting";
  /** How it differs */
  change: "added" | "removed" | "changed";
  /** The name of the action; null: in none */
  action: string | null;
  /** The place in it; null: the whole */
  path: string | null;
  /** null: absent */
  before: unknown;
  /** null: absent */
  after: unknown;
}

/** A story in the export form; further keys are kept */
export interface StoryExport {
  /** The version of the form, which says the language of templates */
  schema_version: number;
  /** The name that people see */
  name?: string | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The id that stays the same in exports */
  guid?: string | null;
  /** The actions */
  agents: ExportedAction[];
  /** The ways from action to action */
  links: ExportedLink[];
  /** How long events are kept, in seconds */
  keep_events_for?: number | null;
  /** Whether it takes no events */
  disabled?: boolean | null;
  /** Whether its events go before those of other stories */
  priority?: boolean | null;
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled?: boolean | null;
  /** Kept, without effect */
  standard_lib_version?: unknown;
  /** The stories that its actions call */
  send_to_stories?: EmbeddedStory[] | null;
  [key: string]: unknown;
}

export interface StoryGraph {
  /** The story */
  story_id: number;
  /** Incremented by every change of the story; the `ETag` too */
  version: number;
  /** Each as in an export, with `id` and `position` */
  agents: StoredGraphAction[];
  /** By the positions of the actions, from 0 */
  links: ExportedLink[];
  /** Each as in an export, with `id` and `position` */
  notes: StoredGraphNote[];
  /** In the answer to a write: what in it cannot work, or has no effect; absent: nothing */
  warnings?: string[];
}

export interface StoryGraphChanges {
  /** All actions of the story */
  agents: GraphAction[];
  /** All links between them */
  links: ExportedLink[];
  /** All notes on the board; absent: as they are */
  notes?: GraphNote[];
  /** The version that was edited, as the graph has it: a story that was changed since answers 412. `If-Match` goes before it; absent or null: any */
  version?: number | null;
}

export interface StoryTrial {
  /** No action failed, each request was answered, and the run came to its end */
  ok: boolean;
  /** null: an export */
  story_id: number | null;
  /** The past run; null: none */
  story_run_guid: string | null;
  /** To the past run; null: there is none */
  difference: TrialDifference | null;
  /** In their order; a tree by `parent_id` and `children` */
  events: TriedEvent[];
  /** Requests that actions made */
  requests: TriedRequest[];
  /** Recipients, subject and text; none was sent */
  mails: {
    /** The story of the action: the tried one, or one that it called */
    story: string;
    /** null: none emitted it */
    action: TriedAction | null;
    /** The event that the action received; null: the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    [key: string]: unknown;
  }[];
  /** Records that would be written */
  records: TriedRecord[];
  /** Links that ask a person */
  prompts: {
    /** The story of the action: the tried one, or one that it called */
    story: string;
    /** null: none emitted it */
    action: TriedAction | null;
    /** The event that the action received; null: the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** The name in the link */
    status: string;
  }[];
  /** Calls of other stories */
  calls: {
    /** The story of the action: the tried one, or one that it called */
    story: string;
    /** null: none emitted it */
    action: TriedAction | null;
    /** The event that the action received; null: the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** The name of the called story */
    called_story: string;
  }[];
  /** Actions that failed for good */
  errors: {
    /** The story of the action: the tried one, or one that it called */
    story: string;
    /** null: none emitted it */
    action: TriedAction | null;
    /** The event that the action received; null: the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** The last error */
    error: string;
  }[];
  /** Lines for the logs of actions */
  logs: {
    /** The story of the action: the tried one, or one that it called */
    story: string;
    /** null: none emitted it */
    action: TriedAction | null;
    /** The event that the action received; null: the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
    /** debug, info, warn or error */
    severity: string;
    /** The line; empty: left out */
    message: string;
  }[];
  /** Work that would wait for ever */
  waiting: {
    /** The story of the action: the tried one, or one that it called */
    story: string;
    /** null: none emitted it */
    action: TriedAction | null;
    /** The event that the action received; null: the first */
    parent_id: number | null;
    /** Simulated milliseconds since the start */
    at_ms: number;
  }[];
  /** Requests that nothing answered */
  unanswered: string[];
  /** Names that the team lacks */
  missing: {
    /** Names of credentials */
    credentials: string[];
    /** Names of resources */
    resources: string[];
  };
  /** Reached actions whose kind does not run here */
  not_runnable: {
    /** The story of the action */
    story: string;
    /** The action */
    name: string;
    /** Why it does not run */
    reason: string;
  }[];
  /** Why it was stopped early; null: it was not */
  stopped: string | null;
  /** Parts of the past run that could not be taken */
  not_taken: string[];
  /** Parts of the answer that are too large */
  left_out: string[];
  /** Milliseconds that the trial took */
  took_ms: number;
}

export interface StoryVersion {
  /** The id */
  id: number;
  /** The id of the story */
  story_id: number;
  /** Counts the versions of the story, from 1 */
  number: number;
  /** The name that people see */
  name: string | null;
  /** Its purpose, in the words of its author */
  description: string | null;
  /** The kind of change that made it; `before`: the state before the first change that was kept */
  source: "before" | "edit" | "import" | "restore" | "draft" | "request";
  /** Bytes of the state, before compression */
  size: number;
  /** The user who made the change */
  user: {
    /** The id */
    id?: number;
    /** The given name */
    first_name?: string;
    /** The family name */
    last_name?: string;
    /** The address for mails, and for signing in */
    email?: string;
  };
  /** The same as updated_at */
  timestamp: string;
  /** When it was created */
  created_at: string;
  /** Edits of one user within a minute join into one version */
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
  /** The place of the event, for `Last-Event-ID`; null: none */
  id: string | null;
  /** The kind of the event */
  event: "run_started" | "run_ended" | "counts" | "log" | "dead_letter" | "story_changed" | "case_changed" | "audit_log_changed" | "resync";
  /** The news, by the kind of the event */
  data: {
    /** The story that it is about. Not in case_changed, audit_log_changed, resync */
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
    /** Runs that started. In counts */
    runs_started?: number;
    /** Events that were stored. In counts */
    events?: number;
    /** Deliveries that failed for good. In counts */
    dead_letters?: number;
    /** Events of the stream that were left out. In counts */
    omitted?: number;
    /** Why the lists have to be read again. In resync */
    reason?: "begun" | "too_old" | "too_slow" | "too_many";
  };
}

export interface SubscribeUsersBody {
  /** Addresses of users */
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
    /** The user; null: the user is gone */
    user: CaseUser | null;
    /** When it was created */
    created_at: string;
  }[];
}

export interface Tag {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** The colour, as `#RRGGBB` */
  color: string;
  /** Its team */
  team: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
  };
  /** Its team, as a list of one */
  teams: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
  }[];
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface Team {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** Always empty: teams have no groups */
  groups: unknown[];
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface TeamMember {
  /** The same as `user_id` */
  id: number;
  /** The id of the team */
  team_id: number;
  /** The id of the user */
  user_id: number;
  /** The address for mails, and for signing in */
  email: string;
  /** The given name */
  first_name: string;
  /** The family name */
  last_name: string;
  /** An Owner of the tenant */
  is_admin: boolean;
  /** Whether it is no person, but stands for a key */
  is_service_account: boolean;
  /** The rights of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
  /** Always true: a member belongs to the team at once */
  invitation_accepted: true;
  /** Last request with a key of the user, to the minute; null if there was none */
  last_seen: string | null;
  /** Start of the membership */
  created_at: string;
}

export interface TemplateArgument {
  /** The name that people see */
  name: string;
  /** Whether the argument must be given */
  required: boolean;
  /** It may stand several times */
  repeats: boolean;
}

export interface TemplateFault {
  /** The text */
  message: string;
  /** The path of the option; null for a template alone */
  option: string | null;
  /** From 1; null: the whole template */
  line: number | null;
  /** From 1; null: the whole template */
  column: number | null;
  /** The line of the template */
  excerpt: string | null;
}

export interface TemplateFilter {
  /** The name that people see */
  name: string;
  /** The group that it is shown in */
  family: string;
  /** In their order */
  arguments: TemplateArgument[];
  /** The result, as part of a sentence */
  description: string;
  /** A use of it */
  example: FilterExample;
}

export interface TemplateFunction {
  /** The name that people see */
  name: string;
  /** The group that it is shown in */
  family: string;
  /** In their order */
  arguments: TemplateArgument[];
  /** The result, as part of a sentence */
  description: string;
  /** A call of it */
  example: FunctionExample;
}

export interface TestUserCredentialBody {
  /** Whether the test value is tested */
  is_test?: boolean;
}

export interface TrialActionDifference {
  /** null: it has been deleted */
  action: TriedAction | null;
  /** Events of the trial that the past run lacks */
  added: number[];
  /** Events of the past run that the trial lacks */
  missing: number[];
  /** Events with another payload */
  changed: TrialChangedEvent[];
  /** null: it failed as before */
  errors: TrialErrors | null;
}

export interface TrialChange {
  /** The place in the payload; empty: the whole */
  path: string;
  /** In the past run; null: absent */
  before: unknown;
  /** In the trial; null: absent */
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
  /** The trial did what the past run did */
  same: boolean;
  /** Events that are added, missing or changed, and actions with other errors */
  count: number;
  /** Actions that did something else */
  actions: TrialActionDifference[];
  /** Parts that differ in each run, such as times and random values; they were not compared */
  varying: {
    /** The action that emitted the event */
    action: TriedAction | null;
    /** The place in its payload */
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
  /** Ids of the actions that would receive it */
  receivers: number[];
}

export interface TrialRequest {
  /** In upper case */
  method: string;
  /** With the query */
  url: string;
  /** Names in lower case; ●●● in place of a secret */
  headers: {
    [key: string]: unknown;
  };
  /** Parsed JSON, else text, else base64; null: none */
  body: unknown;
  /** The status of the response; 0: there was none; null: it was not sent */
  status: number | null;
}

export interface TriedAction {
  /** null: it is in the export alone */
  id: number | null;
  /** The guid in exports */
  guid: string;
  /** The name that people see */
  name: string;
}

export interface TriedEvent {
  /** Within this trial */
  id: number;
  /** The story of the action: the tried one, or one that it called */
  story: string;
  /** null: none emitted it */
  action: TriedAction | null;
  /** The event that the action received; null: the first */
  parent_id: number | null;
  /** Simulated milliseconds since the start */
  at_ms: number;
  /** The events that it led to */
  children: number[];
  /** The payload that the action emitted; null if it is left out */
  payload: unknown;
}

export interface TriedRecord {
  /** The story of the action: the tried one, or one that it called */
  story: string;
  /** null: none emitted it */
  action: TriedAction | null;
  /** The event that the action received; null: the first */
  parent_id: number | null;
  /** Simulated milliseconds since the start */
  at_ms: number;
  /** The record, as actions see it; null: left out */
  record: {
    [key: string]: unknown;
  } | null;
}

export interface TriedRequest {
  /** The story of the action: the tried one, or one that it called */
  story: string;
  /** null: none emitted it */
  action: TriedAction | null;
  /** The event that the action received; null: the first */
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
  /** Parsed JSON, else text, else base64; null: none */
  body: unknown;
  /** The status of the answer; 0: there was none */
  status: number;
  /** Why there was no answer */
  reason: string | null;
  /** recorded: from the past run; sent: the request was really sent; none: nothing answered */
  response_from: "recorded" | "rule" | "sent" | "none";
}

export interface UpdateAdminTemplateBody {
  /** The name that people see */
  name?: string;
  /** Its purpose, in the words of its author */
  description?: string;
  /** The maker of the product that it is for */
  vendor?: string;
  /** The product that it is for */
  product?: string;
  /** The kind of action: `Agents::HTTPRequestAgent` */
  agent_type?: string;
  /** The options of the action */
  agent_options?: {
    [key: string]: unknown;
  };
  /** The inputs that it asks for: name, type, required, description, default_value, data */
  action_inputs?: {
    /** The name that people see */
    name: string;
    /** The type of its value */
    type: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "OBJECT" | "OPTION" | "CODE" | "CREDENTIAL";
    /** Whether it must be given */
    required?: boolean;
    /** Its purpose, in the words of its author */
    description?: string | null;
    /** Its value unless it is given */
    default_value?: unknown;
    /** More about its type: options, or a JSON schema */
    data?: {
      [key: string]: unknown;
    } | null;
  }[];
}

export interface UpdateAdminUserBody {
  /** The address for mails, and for signing in */
  email?: string;
  /** The given name */
  first_name?: string;
  /** The family name */
  last_name?: string;
  /** An Owner of the tenant */
  admin?: boolean;
  /** false: the keys of the user are refused */
  is_active?: boolean;
}

export interface UpdateCaseActionBody {
  /** The address */
  url?: string;
  /** The text of the link */
  label?: string;
  /** `page` is a page to open */
  action_type?: string;
  /** The text of the button; empty: none */
  action_text?: string;
}

export interface UpdateCaseBody {
  /** The name that people see */
  name?: string | null;
  /** The id of the team */
  team_id?: number | null;
  /** Markdown; `<@user-12>` mentions the user 12 */
  description?: string | null;
  /** critical, high, medium, low or info */
  priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info" | null;
  /** open or closed */
  status?: "OPEN" | "CLOSED" | "open" | "closed" | null;
  /** The address of the user who is its author; absent: the user of the key */
  author_email?: string | null;
  /** The addresses of the users who work on it */
  assignee_emails?: null | string[] | "";
  /** ISO 8601; without an offset it is UTC */
  opened_at?: string | null;
  /** ISO 8601; without an offset it is UTC */
  resolved_at?: string | null;
  /** Values under names of your own */
  metadata?: null | {
    [key: string]: unknown;
  } | "";
  /** The rules that must be true before it can be closed */
  closure_conditions?: null | {
    /** The name that people see */
    name: string;
    /** A formula that must be true */
    formula: string;
  }[] | "";
  /** The addresses of users to assign */
  add_assignee_emails?: string[] | null;
  /** The addresses of users to assign no longer */
  remove_assignee_emails?: string[] | null;
  /** The names of tags to add */
  add_tag_names?: string[] | null;
  /** The names of tags to remove */
  remove_tag_names?: string[] | null;
}

export interface UpdateCaseCommentBody {
  /** Markdown; `<@user-12>` mentions the user 12 */
  value: string;
}

export interface UpdateCredentialBody {
  /** The name that people see */
  name?: string;
  /** The secret itself */
  value?: string;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The hosts that it may be sent to: `api.example.com`, `*.example.com`, `api.example.com:8443`. For mails, the domains of the recipients. None: any host */
  allowed_hosts?: string[];
  /** The present team: a credential stays in it */
  team_id?: number;
  /** The present mode: a credential keeps it */
  mode?: "fabula" | "text" | "jwt" | "http_request_agent" | "multi_request" | "oauth" | "aws" | "mtls";
}

export interface UpdateFolderBody {
  /** The name that people see */
  name?: string;
  /** A folder of the same team; null: none */
  parent_folder_id?: number | null;
  /** The present team: a folder stays in it */
  team_id?: number;
  /** The present content type: a folder keeps it */
  content_type?: "STORY" | "CREDENTIAL" | "RESOURCE";
}

export interface UpdateGlobalResourceBody {
  /** The name that people see */
  name?: string;
  /** A text, number, boolean, list or object */
  value?: unknown;
  /** The type of `value`. Without it a text that is JSON of a list or an object becomes it */
  value_type?: "text" | "array" | "object" | "number" | "boolean" | "json";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** The teams that may use it: its own, all of the tenant, or those of `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the slugs of the teams besides its own */
  shared_team_slugs?: string[];
  /** Whether drafts of stories see the test value */
  test_resource_enabled?: boolean;
  /** Whether `value` is the test value */
  is_test?: boolean;
  /** Whether values are JSON instead of text */
  typed_value?: boolean;
  /** Sent back without effect. `true` beside a `value` needs `is_test` */
  test_resource?: unknown;
}

export interface UpdateMailSettingsBody {
  /** `smtps://user:password@host:port`, with `?name=mail.example.com` behind it for the name in EHLO; null: the mail server of this installation */
  smtp_url?: string | null;
  /** How the user of `smtp_url`, which has no password then, logs in with tokens (XOAUTH2). A new `smtp_url` needs it again; null: not with tokens */
  smtp_oauth?: {
    /** The address of the token endpoint */
    token_url: string;
    /** The id of the client */
    client_id: string;
    /** The secret of the client */
    client_secret?: string;
    /** The refresh token of a person who has allowed the access; without one the grant is `client_credentials` */
    refresh_token?: string;
    /** The scope that is asked for */
    scope?: string;
  } | null;
  /** The sender of mails whose action sets none */
  mail_from?: string;
  /** Other senders that actions may use: addresses, `*@domain`, or `*` for any */
  mail_from_allow?: string[];
}

export interface UpdateRecordBody {
  /** null and "" make a field empty */
  field_values?: {
    /** The id of the field */
    field_id: string | number;
    /** The value, as the type of the field needs it */
    value: unknown;
  }[];
  /** The ids of records that become its children */
  add_child_records?: number[];
  /** The ids of records that are children no longer */
  remove_child_records?: number[];
}

export interface UpdateRecordTypeBody {
  /** The name that people see */
  name?: string;
  /** Only `true`, without effect */
  editable?: true | null;
  /** With `id`: a field to change; without: a new one */
  fields?: {
    /** The id */
    id?: number;
    /** The name that people see */
    name?: string;
    /** The type of the values */
    result_type?: "TEXT" | "NUMBER" | "TIMESTAMP" | "BOOLEAN" | "TEXT_ENUM";
    /** For TEXT_ENUM: the allowed values */
    fixed_values?: string[];
  }[];
  /** The ids of fields to delete, with their values */
  field_ids_to_delete?: number[];
}

export interface UpdateStoryBody {
  /** The name that people see */
  name?: string;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** Seconds */
  keep_events_for?: 3600 | 21600 | 86400 | 259200 | 604800 | 1209600 | 2592000 | 5184000 | 7776000 | 15552000 | 31536000;
  /** Whether it takes no events */
  disabled?: boolean;
  /** Whether its events go before those of other stories */
  priority?: boolean;
  /** Its actions, links and notes may not be changed */
  locked?: boolean;
  /** They change by a promoted change request only */
  change_control_enabled?: boolean;
  /** Whether its webhooks are answered by the run */
  synchronous_webhooks_enabled?: boolean;
  /** Another name of `synchronous_webhooks_enabled` */
  webhook_api_enabled?: boolean;
  /** null: in no folder */
  folder_id?: number | null;
  /** Another team: the story leaves its folder */
  team_id?: number;
  /** Changes this draft instead of the story */
  draft_id?: number | null;
  /** All tags; replaces the earlier ones */
  tags?: string[];
  /** The names of tags to add */
  add_tag_names?: string[];
  /** The names of tags to remove */
  remove_tag_names?: string[];
  /** Older name of `send_to_story_access_source`: `STS` or `OFF` */
  send_to_story_enabled?: boolean | null;
  /** `STS` and `STS_AND_WORKBENCH`: other stories may call this one */
  send_to_story_access_source?: "STS" | "STS_AND_WORKBENCH" | "WORKBENCH" | "OFF" | null;
  /** Stories of which teams may call this one; null: its own */
  send_to_story_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS" | null;
  /** The teams of `SPECIFIC_TEAMS` */
  shared_team_slugs?: string[];
  /** Kept for other platforms; nothing here asks for it */
  send_to_story_skill_use_requires_confirmation?: boolean | null;
  /** The action at which calls of other stories begin; null: none is set */
  entry_action_id?: number | null;
  /** Older name of `entry_action_id` */
  entry_agent_id?: number | null;
  /** Their events are returned to the calling action */
  exit_action_ids?: number[];
  /** Older name of `exit_action_ids` */
  exit_agent_ids?: number[];
  /** Older name of `exit_action_ids` */
  exit_agents?: number[];
  /** The only webhook that responds with the result */
  api_entry_action_id?: number | null;
  /** The webhooks that respond with the result; empty: all */
  api_entry_action_ids?: number[];
  /** Their first event is that result; empty: the exits */
  api_exit_action_ids?: number[];
  /** Addresses of mailboxes, and http or https addresses, that are told of failures */
  recipients?: string[];
  /** Whether failures of all actions are told */
  monitor_failures?: boolean | null;
}

export interface UpdateStoryVersionBody {
  /** The name that people see */
  name?: string | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
}

export interface UpdateTagBody {
  /** The name that people see */
  name?: string;
  /** `#RRGGBB`, or purple, blue, gold, green, magenta, red, orange, mint */
  color?: string;
  /** The present team: a tag stays in it */
  team_id?: number;
}

export interface UpdateTeamDigestBody {
  /** Addresses of mailboxes, and http or https addresses; empty: the digest is off */
  recipients: string[];
  /** The hour of the day in `timezone` */
  hour?: number;
  /** Name of a time zone, such as `Europe/Dublin` */
  timezone?: string;
  /** Signs requests to http and https addresses; null: none. Without it the earlier one stays */
  secret?: string | null;
}

export interface UpdateTeamMemberBody {
  /** The rights of the user in the team */
  role: "VIEWER" | "EDITOR" | "TEAM_ADMIN";
}

export interface UpdateUserBody {
  /** The address for mails, and for signing in */
  email?: string;
  /** The given name */
  first_name?: string;
  /** The family name */
  last_name?: string;
  /** The address of a picture */
  avatar_url?: string;
  /** Whether the user may do everything in the tenant */
  is_owner?: boolean;
  /** false: the keys of the user are refused */
  active?: boolean;
}

export interface UpdateUserCredentialBody {
  /** The name that people see */
  name?: string;
  /** How it gives its secret */
  mode?: "TEXT" | "JWT" | "HTTP_REQUEST_AGENT" | "MULTI_REQUEST" | "OAUTH" | "AWS" | "MTLS";
  /** The id of the team */
  team_id?: number;
  /** The id of the folder */
  folder_id?: number | null;
  /** Its purpose, in the words of its author */
  description?: string | null;
  /** Notes for people; no secret */
  metadata?: {
    [key: string]: unknown;
  };
  /** The hosts that it may be sent to: `api.example.com`, `*.example.com`. None: any host */
  allowed_hosts?: string[];
  /** The teams that may use it: its own, all of the tenant, or those of `shared_team_slugs` */
  read_access?: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the slugs of the teams besides its own */
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
  /** `JWT`: adds `iat`, now, and `exp`, in one hour */
  jwt_auto_generate_time_claims?: boolean;
  /** `HTTP_REQUEST_AGENT`: the options of the HTTP request that gets the token; `<<secret>>` stands for `http_request_secret` */
  http_request_options?: unknown;
  /** The place of the token in the response: `=response.body.access_token` */
  http_request_location_of_token?: string;
  /** `HTTP_REQUEST_AGENT`: `<<secret>>` of the options */
  http_request_secret?: string;
  /** Seconds for which a token is used again. Without it each run of an action gets a new one */
  http_request_ttl?: number;
  /** `MULTI_REQUEST`: the requests, one after the other; each sees the responses before it */
  credential_requests?: {
    /** The options of an HTTP request */
    options: unknown;
    /** `<<secret>>` of these options */
    http_request_secret?: string;
  }[];
  /** `OAUTH` */
  oauth_grant_type?: "client_credentials" | "authorization_code";
  /** `OAUTH`: where a person allows the access, for `authorization_code` */
  oauth_url?: string;
  /** `OAUTH`: where tokens are fetched */
  oauth_token_url?: string;
  /** `OAUTH` */
  oauth_client_id?: string;
  /** `OAUTH` */
  oauth_client_secret?: string;
  /** `OAUTH`: the rights, separated by spaces */
  oauth_scope?: string;
  /** `OAUTH`: the parameter `audience`, which Auth0 asks for */
  oauth_audience?: string;
  /** `OAUTH`: the parameter `resource` (RFC 8707) */
  oauth_resource?: string;
  /** `OAUTH`: the method of PKCE, for `authorization_code` */
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
  /** `MTLS`: the certificate of the authority of the server; alone it is only trusted, and no certificate is shown */
  mtls_root_certificate?: string;
  /** Whether drafts of stories get the test value */
  test_credential_enabled?: boolean;
  /** Whether settings and `allowed_hosts` are those of the test value */
  is_test?: boolean;
}

export interface UpdatedDraft {
  /** The `draft_id`; it is the id of a story too */
  id: number;
  /** The name that people see */
  name: string;
  /** The story that it would change */
  story_id: number;
  /** The id of the team */
  team_id: number;
  /** The user who made it */
  user_id: number;
  /** The id that stays the same in exports */
  guid: string;
  /** Its runs and records are tests */
  mode: "TEST";
  /** The version of the live story that it was made of or brought up to; null: unknown */
  base_version: number | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** Parts that could not be as in the draft */
  warnings?: string[];
  /** What the draft has got from the live story */
  merged?: StoryDifference[];
}

export interface User {
  /** The id */
  id: number;
  /** The address for mails, and for signing in */
  email: string;
  /** The given name */
  first_name: string;
  /** The family name */
  last_name: string;
  /** The address of a picture */
  avatar_url: string;
  /** Whether the user may do everything in the tenant */
  is_owner: boolean;
  /** Whether it is no person, but stands for a key */
  is_service_account: boolean;
  /** Whether the user may sign in and keys of the user work */
  active: boolean;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
}

export interface UserCredential {
  /** The id */
  id: number;
  /** The name that people see */
  name: string;
  /** How it gives its secret */
  mode: "TEXT" | "JWT" | "HTTP_REQUEST_AGENT" | "MULTI_REQUEST" | "OAUTH" | "AWS" | "MTLS";
  /** The name that templates may use besides `name` */
  slug: string;
  /** The id of the team */
  team_id: number;
  /** The id of the folder */
  folder_id: number | null;
  /** Its purpose, in the words of its author */
  description: string;
  /** Notes for people */
  metadata: {
    [key: string]: unknown;
  };
  /** The hosts that it may be sent to */
  allowed_hosts: string[];
  /** Whether it has `allowed_hosts` */
  restriction_type: "RESTRICTED" | "UNRESTRICTED";
  /** The teams that may use it */
  read_access: "TEAM" | "GLOBAL" | "SPECIFIC_TEAMS";
  /** With `SPECIFIC_TEAMS`: the teams besides its own */
  shared_team_slugs: string[];
  /** Whether drafts of stories get the test value */
  test_credential_enabled: boolean;
  /** The second value, for drafts of stories; its secrets are not shown */
  test_credential: {
    /** The hosts that it may be sent to */
    allowed_hosts: string[];
    /** The setting `aws_access_key`; null with other modes */
    aws_access_key: unknown;
    /** The setting `aws_assumed_role_arn`; null with other modes */
    aws_assumed_role_arn: unknown;
    /** The setting `aws_assumed_role_external_id`; null with other modes */
    aws_assumed_role_external_id: unknown;
    /** The setting `aws_authentication_type`; null with other modes */
    aws_authentication_type: unknown;
    /** The setting `http_request_ttl`; null with other modes */
    http_request_ttl: unknown;
    /** The setting `jwt_algorithm`; null with other modes */
    jwt_algorithm: unknown;
    /** The setting `jwt_auto_generate_time_claims`; null with other modes */
    jwt_auto_generate_time_claims: unknown;
    /** The setting `oauth_client_id`; null with other modes */
    oauth_client_id: unknown;
    /** The setting `oauth_grant_type`; null with other modes */
    oauth_grant_type: unknown;
    /** The setting `oauth_scope`; null with other modes */
    oauth_scope: unknown;
    /** The setting `oauth_token_url`; null with other modes */
    oauth_token_url: unknown;
    /** The setting `oauth_url`; null with other modes */
    oauth_url: unknown;
    /** With `authorization_code`: a person must allow the access, because nobody has, or because it has ended; null: nobody must. Actions that use it wait until then, for three days at most */
    reconnect_needed: {
      /** When an action found it */
      since: string;
      /** Why, in words */
      reason: string;
    } | null;
    /** When it was created */
    created_at: string;
    /** When it was changed last */
    updated_at: string;
  } | null;
  /** The setting `aws_access_key`; null with other modes */
  aws_access_key: unknown;
  /** The setting `aws_assumed_role_arn`; null with other modes */
  aws_assumed_role_arn: unknown;
  /** The setting `aws_assumed_role_external_id`; null with other modes */
  aws_assumed_role_external_id: unknown;
  /** The setting `aws_authentication_type`; null with other modes */
  aws_authentication_type: unknown;
  /** The setting `http_request_ttl`; null with other modes */
  http_request_ttl: unknown;
  /** The setting `jwt_algorithm`; null with other modes */
  jwt_algorithm: unknown;
  /** The setting `jwt_auto_generate_time_claims`; null with other modes */
  jwt_auto_generate_time_claims: unknown;
  /** The setting `oauth_client_id`; null with other modes */
  oauth_client_id: unknown;
  /** The setting `oauth_grant_type`; null with other modes */
  oauth_grant_type: unknown;
  /** The setting `oauth_scope`; null with other modes */
  oauth_scope: unknown;
  /** The setting `oauth_token_url`; null with other modes */
  oauth_token_url: unknown;
  /** The setting `oauth_url`; null with other modes */
  oauth_url: unknown;
  /** With `authorization_code`: a person must allow the access, because nobody has, or because it has ended; null: nobody must. Actions that use it wait until then, for three days at most */
  reconnect_needed: {
    /** When an action found it */
    since: string;
    /** Why, in words */
    reason: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** When it was changed last */
  updated_at: string;
  /** After creation and update, for `authorization_code`: the address by which a person allows the access, for fifteen minutes */
  redirect_url?: string;
  /** With `include_referencing_action_ids`: the actions that name it */
  referencing_action_ids?: number[];
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
  /** The story that its calls start runs of */
  story: {
    /** The id */
    id: number;
    /** The name that people see */
    name: string;
    /** Whether the story is disabled */
    disabled: boolean;
  };
  /** Its path; null: it cannot be called */
  path: string | null;
  /** Its secret; null if the role may not see it */
  secret: string | null;
  /** Its address, with the secret if the role may see it; null: it cannot be called */
  url: string | null;
  /** The methods that it accepts */
  verbs: string[];
  /** Null: no calls within a day, or they are not known now */
  counts: WebhookCounts | null;
  /** The last 20 accepted calls of a day, newest first; null: not known now */
  calls: WebhookCall[] | null;
  /** The last 20 refused calls of a day, newest first; null: not known now */
  refusals: WebhookRefusal[] | null;
}

export interface WebhookCall {
  /** When it came in */
  at: string;
  /** The status of the response */
  status: number;
  /** The length of the body as received */
  bytes: number;
  /** The address of the client; behind trusted proxies the one that they name */
  address: string;
  /** The content type of the request; empty: none */
  content_type: string;
  /** The run that the call started */
  story_run_guid: string;
}

export interface WebhookCounts {
  /** The first call that is counted */
  since: string;
  /** Calls that were accepted */
  accepted: number;
  /** Calls that were refused, by reason */
  refused: {
    [key: string]: number;
  };
  /** Calls that could not be noted, because Redis did not respond */
  unrecorded: number;
}

export interface WebhookRefusal {
  /** When it came in */
  at: string;
  /** The status of the response; null: the client left before it */
  status: number | null;
  /** Why the call was refused */
  reason: "disabled" | "method_not_allowed" | "unauthorized" | "reused_signature" | "limited" | "runaway_loop" | "quota_reached" | "too_large" | "bad_request" | "client_gone" | "unavailable" | "failed";
  /** The text of the response */
  message: string;
  /** The method of the request */
  method: string;
  /** The address of the client; behind trusted proxies the one that they name */
  address: string;
  /** The content type of the request; empty: none */
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
      /** A draft of the story: the request is about the draft; null: about the story itself */
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
      /** Events after this one */
      since_id?: number;
      /** Events up to and including this one */
      until_id?: number;
      /** Events of this time and later */
      since?: string;
      /** Events before this time */
      until?: string;
      /** true: only events that were emitted again by hand */
      show_reemitted_events_only?: boolean;
      /** false: each event with everything that its receivers see */
      exclude_previous_event_payloads?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
      cursor?: string;
    };
    output: ListActionEventsResponse;
    item: Event;
  };
  'actions.get': {
    input: {
      /** The id */
      id: number;
      /** A draft of the story: the request is about the draft; null: about the story itself */
      draft_id?: number | null;
      /** Whether the answer has `pending_action_runs_count` */
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
      /** TEST: those of drafts, if no story is named */
      story_mode?: "LIVE" | "TEST";
      /** Such as Agents::WebhookAgent */
      action_type?: string;
      /** A draft of the story: the request is about the draft; null: about the story itself */
      draft_id?: number | null;
      /** Whether the answer has counts, times and memory */
      include_live_activity?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
    };
    output: ListActionsResponse;
    item: Action;
  };
  'actions.logs.list': {
    input: {
      /** The id */
      id: number;
      /** Lines of this level and above: 1 debug, 3 info and warn, 4 error */
      level?: 1 | 2 | 3 | 4;
      /** Lines of this severity and above */
      severity?: "debug" | "info" | "warn" | "error";
      /** The guid of the run */
      story_run_guid?: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
      cursor?: string;
    };
    output: ListActionLogsResponse;
    item: LogLine;
  };
  'actions.logs.request.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the line */
      log_id: number;
    };
    output: GetEventRequestResponse;
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** Sign-ins of this time and later */
      after?: string;
      /** Sign-ins before this time */
      before?: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The same as `action`, also in the words of the platform: `StoryCreation` for `story.create` */
      operation_name?: string[];
      /** Type of the changed object: `record` */
      target_type?: string;
      /** Id of the changed object; most useful with `target_type` */
      target_id?: number;
      /** The id of the team */
      team_id?: number;
      /** Entries of this time and later (ISO 8601; without an offset it is UTC) */
      from?: string;
      /** The same as `from` */
      after?: string;
      /** Entries before this time */
      to?: string;
      /** The same as `to` */
      before?: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** How urgent it is */
      priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info";
      /** `status` and `priority`, as an object */
      filters?: {
        status?: "OPEN" | "CLOSED" | "open" | "closed";
        priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO" | "critical" | "high" | "medium" | "low" | "info";
      };
      /** Part of name or description, in any letter case */
      search?: string;
      /** The name of a tag that it has */
      tag?: string;
      /** The address of a user who works on it */
      assignee_email?: string;
      /** `ASC` and `DESC` alone are by creation */
      order?: "CREATED_AT_ASC" | "CREATED_AT_DESC" | "UPDATED_AT_ASC" | "UPDATED_AT_DESC" | "OPENED_AT_ASC" | "OPENED_AT_DESC" | "RESOLVED_AT_ASC" | "RESOLVED_AT_DESC" | "NAME_ASC" | "NAME_DESC" | "PRIORITY_ASC" | "PRIORITY_DESC" | "ASC" | "DESC" | "CREATED_ASC" | "CREATED_DESC" | "OPENED_ASC" | "OPENED_DESC" | "RECENTLY_EDITED" | "LEAST_RECENTLY_EDITED" | "created_at_asc" | "created_at_desc" | "updated_at_asc" | "updated_at_desc" | "opened_at_asc" | "opened_at_desc" | "resolved_at_asc" | "resolved_at_desc" | "name_asc" | "name_desc" | "priority_asc" | "priority_desc" | "asc" | "desc" | "created_asc" | "created_desc" | "opened_asc" | "opened_desc" | "recently_edited" | "least_recently_edited";
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
    output: DeadLetter;
  };
  'deadLetters.groups.list': {
    input: {
      /** The id of the team */
      team_id?: number;
      /** The id of the story */
      story_id?: number;
      /** The id of the agent */
      agent_id?: number;
      /** The same as `agent_id` */
      action_id?: number;
      /** The guid of the run */
      story_run_guid?: string;
      /** Part of the error; letter case does not count */
      error?: string;
      /** Kind of the error, as `GET /api/v1/dead_letters/groups` returns it */
      error_kind?: string;
      /** Failed at this time or later */
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
      /** The same as `agent_id` */
      action_id?: number;
      /** The guid of the run */
      story_run_guid?: string;
      /** Part of the error; letter case does not count */
      error?: string;
      /** Kind of the error, as `GET /api/v1/dead_letters/groups` returns it */
      error_kind?: string;
      /** Failed at this time or later */
      since?: string;
      /** Failed before this time */
      until?: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** true: the event's own output alone */
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
      /** The same as `agent_id` */
      action_id?: number;
      /** The guid of the run */
      story_run_guid?: string;
      /** Events after this one */
      since_id?: number;
      /** Events up to and including this one */
      until_id?: number;
      /** Events of this time and later */
      since?: string;
      /** Events before this time */
      until?: string;
      /** true: only events that were emitted again by hand */
      show_reemitted_events_only?: boolean;
      /** false: each event with everything that its receivers see */
      exclude_previous_event_payloads?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** The id of the team */
      team_id?: number;
      /** The kind of things that it was made for */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** Whether values are JSON instead of text */
      typed_value?: boolean;
      /** Whether `referencing_action_ids` is given */
      include_referencing_action_ids?: boolean;
    };
    output: Resource;
  };
  'globalResources.list': {
    input: {
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Whether values are JSON instead of text */
      typed_value?: boolean;
      /** Whether `referencing_action_ids` is given */
      include_referencing_action_ids?: boolean;
      /** The id of the team */
      team_id?: number;
      /** The id of the folder */
      folder_id?: number;
      /** Things that no action names */
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
      /** A draft of the story: the request is about the draft; null: about the story itself */
      draft_id?: number | null;
      /** TEST: those of drafts, if no story is named */
      mode?: "LIVE" | "TEST";
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
  'queues.list': {
    input: {
      /** The deliveries of this team only */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** Required unless `record_field_ids` is given */
      record_type_id?: number;
      /** The columns; all must belong to one type */
      record_field_ids?: number[];
      /** Records created at this time or later */
      range_start?: string;
      /** Records created before this time */
      range_end?: string;
      /** The ids of the stories */
      story_ids?: number[];
      /** Default DESC */
      order_direction?: "ASC" | "DESC" | "asc" | "desc";
      /** Empty values come last; if absent: order of creation */
      order_field_id?: number;
      /** A record must match all of them. Written `filters[0][field_id]=25&filters[0][operator]=EQUAL` */
      filters?: {
        field_id: string | number;
        operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL_TO" | "LESS_THAN" | "LESS_THAN_OR_EQUAL_TO" | "IS_EMPTY" | "IS_NOT_EMPTY" | "IS_TRUE" | "IS_FALSE";
        /** Text or number, as the operator needs; absent for IS_… */
        value?: unknown;
      }[];
      /** true: records of test runs; else live ones */
      test_mode?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** Runs of this story, or of this draft */
      story_id?: number;
      /** Runs of the stories of this team */
      team_id?: number;
      /** TEST: runs of drafts */
      story_mode?: "LIVE" | "TEST";
      /** Runs in this status */
      status?: "running" | "completed" | "failed" | "cancelled";
      /** Runs that were started so */
      source?: "webhook" | "api" | "schedule" | "send_to_story";
      /** Runs that started at this time or later */
      since?: string;
      /** Runs that started before this time */
      until?: string;
      /** Seconds; runs that took at least as long */
      min_duration?: number;
      /** Seconds; runs that took at most as long */
      max_duration?: number;
      /** The path of the value in the payload of an event: `body.alerts[0].id` */
      path?: string;
      /** The value there, as text; without it: any value. Without `path`: anywhere in the payload */
      value?: string;
      /** `next_before` of the page before */
      before?: string;
      /** Runs on a page */
      per_page?: number;
    };
    output: RunSearchResult;
  };
  'schedules.list': {
    input: {
      /** Schedules of this story */
      story_id?: number;
      /** Schedules of the stories of this team */
      team_id?: number;
      /** Tell the next starts up to this time, at most 31 days from now */
      starts_until?: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
    };
    output: ListSchedulesResponse;
    item: Schedule;
  };
  'stats.get': {
    input: {
      /** The kind of the items; minutes, hours and days are those of UTC */
      by?: "story" | "action" | "minute" | "hour" | "day";
      /** `mean_work`, for actions: those that worked longest for an event first, in a day at most */
      order?: "id" | "mean_work";
      /** The start, down to the whole minute, hour or day; default: a day before `to`, for minutes an hour, for days a week. At most 31 days before `to`; for minutes 3 hours, and 6 hours ago */
      from?: string;
      /** The end, up to the whole minute, hour or day; default: now */
      to?: string;
      /** This story or draft only */
      story_id?: number;
      /** The stories of this team only */
      team_id?: number;
      /** true: drafts; else live stories */
      test_mode?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
    };
    output: GetStatisticsResponse;
  };
  'status.get': {
    input: {
      /** The stories of this team only */
      team_id?: number;
    };
    output: GetStatusResponse;
  };
  'stories.actions.list': {
    input: {
      /** The id */
      id: number;
      /** A draft of the story: the request is about the draft; null: about the story itself */
      draft_id?: number | null;
      /** Whether the answer has counts, times and memory */
      include_live_activity?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** Without it: that of the newest request */
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
      /** Whether the answer has counts, times and memory */
      include_live_activity?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** Gives webhooks new paths and secrets */
      randomize_urls?: boolean;
      /** Leaves out the addresses that are told of failures */
      clear_recipients?: boolean;
      /** The draft instead of the story */
      draft_id?: number;
    };
    output: StoryExport;
  };
  'stories.get': {
    input: {
      /** The id */
      id: number;
      /** Adds what waits and what failed */
      include_live_activity?: boolean;
      /** Without effect: `draft_id` names what is no live story */
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
      /** A draft of the story: the request is about the draft; null: about the story itself */
      draft_id?: number | null;
    };
    output: StoryGraph;
  };
  'stories.graph.replace': {
    input: {
      /** The id */
      id: number;
      /** A draft of the story: the request is about the draft; null: about the story itself */
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
      /** Stories with at least one of these; as a list, or with commas between */
      tags?: string[];
      /** Stories of this kind alone */
      filter?: "SEND_TO_STORY_ENABLED" | "HIGH_PRIORITY" | "API_ENABLED" | "PUBLISHED" | "FAVORITE" | "CHANGE_CONTROL_ENABLED" | "DISABLED" | "LOCKED";
      /** Newest first unless given */
      order?: "NAME" | "NAME_DESC" | "RECENTLY_EDITED" | "LEAST_RECENTLY_EDITED" | "ACTION_COUNT_ASC" | "ACTION_COUNT_DESC";
      /** Adds what waits and what failed */
      include_live_activity?: boolean;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
      cursor?: string;
    };
    output: {
      /** The items of the page */
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
      /** A part of the name */
      search?: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
    };
    output: ListPendingActionsResponse;
    item: PendingAction;
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
  'stories.runs.cancel': {
    input: {
      /** The id */
      id: number;
      /** The id that stays the same in exports */
      guid: string;
    };
    output: Run;
  };
  'stories.runs.get': {
    input: {
      /** The id */
      id: number;
      /** The id that stays the same in exports */
      guid: string;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Leaves `events` empty, for a run of many events; `story_run_events` names them all the same */
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
      /** Runs that started at this time or later */
      since?: string;
      /** Runs that started before this time */
      until?: string;
      /** Runs of this draft of the story */
      draft_id?: number;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The id that stays the same in exports */
      guid: string;
    };
    output: RunSummary;
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
      /** The id of a version of the same story; `live`: its present state */
      with?: "live" | number;
    };
    output: StoryDiff;
  };
  'stories.versions.get': {
    input: {
      /** The id */
      id: number;
      /** The id of the version */
      version_id: number;
    };
    output: StoryVersionWithExport;
  };
  'stories.versions.list': {
    input: {
      /** The id */
      id: number;
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** Where the page begins, as `next_page` has it: nothing twice, whatever is added or deleted meanwhile. `page` is only its number then */
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
      /** The story to follow, which may be a draft */
      story_id?: number;
      /** The team whose stories to follow */
      team_id?: number;
      /** The kinds of events; all unless given */
      kinds?: ("run_started" | "run_ended" | "counts" | "log" | "dead_letter" | "story_changed" | "case_changed" | "audit_log_changed")[];
      /** The same as the header `Last-Event-ID`, for clients that cannot set it */
      last_event_id?: string;
      /** The stream ends by itself after this time */
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
      /** The team of the tag, if given */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
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
      /** Whether `referencing_action_ids` is given */
      include_referencing_action_ids?: boolean;
    };
    output: UserCredential;
  };
  'userCredentials.list': {
    input: {
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** The id of the team */
      team_id?: number;
      /** The id of the folder */
      folder_id?: number;
      /** A part of the name */
      search?: string;
      /** With or without `allowed_hosts`, or named by no action */
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
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
      /** A part of the name */
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
      /** A draft of the story: the request is about the draft; null: about the story itself */
      draft_id?: number | null;
      /** TEST: those of drafts, if no story is named */
      mode?: "LIVE" | "TEST";
      /** The page to return, from 1 */
      page?: number;
      /** The most items that a page has */
      per_page?: number;
    };
    output: ListWebhooksResponse;
    item: Webhook;
  };
}

/** The methods of the client, by nouns. */
export interface FabulaApi {
  readonly actions: {
    /** Clear the memory of one of the actions. `DELETE /api/v1/actions/{id}/clear_memory` */
    readonly clearMemory: Call<'actions.clearMemory'>;
    /** Add one of the actions to a story. `POST /api/v1/actions` */
    readonly create: Call<'actions.create'>;
    /** Delete one of the actions of a story. `DELETE /api/v1/actions/{id}` */
    readonly delete: Call<'actions.delete'>;
    /** Try one of the actions without storing anything. `POST /api/v1/actions/{id}/dry_run` */
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
        /** Get the HTTP request of a failed attempt, by its line in the log of one of the actions. `GET /api/v1/actions/{id}/logs/{log_id}/request` */
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
        /** List dead letters of an action that you may see, as public clients know them. `GET /api/v1/admin/actions/{id}/dead_jobs` */
        readonly list: Call<'admin.actions.deadJobs.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'admin.actions.deadJobs.list'>;
      };
      readonly deleteAllDeadJobs: {
        /** Drop dead letters of an action that you may change, as public clients do. `DELETE /api/v1/admin/actions/{id}/delete_all_dead_jobs` */
        readonly drop: Call<'admin.actions.deleteAllDeadJobs.drop'>;
      };
    };
    readonly deadJobs: {
      /** List dead letters of every team that you may see, as public clients know them. `GET /api/v1/admin/dead_jobs` */
      readonly list: Call<'admin.deadJobs.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'admin.deadJobs.list'>;
    };
    readonly deleteAllDeadJobs: {
      /** Drop dead letters of every team that you may change, as public clients do. `DELETE /api/v1/admin/delete_all_dead_jobs` */
      readonly drop: Call<'admin.deleteAllDeadJobs.drop'>;
    };
    readonly templates: {
      /** Create a template of actions. `POST /api/v1/admin/templates` */
      readonly create: Call<'admin.templates.create'>;
      /** Delete a template of actions. `DELETE /api/v1/admin/templates/{id}` */
      readonly delete: Call<'admin.templates.delete'>;
      /** Get a template of actions. `GET /api/v1/admin/templates/{id}` */
      readonly get: Call<'admin.templates.get'>;
      /** List templates of actions. `GET /api/v1/admin/templates` */
      readonly list: Call<'admin.templates.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'admin.templates.list'>;
      /** Update a template of actions. `PUT /api/v1/admin/templates/{id}` */
      readonly update: Call<'admin.templates.update'>;
    };
    readonly users: {
      /** Create a user, as public clients do. `POST /api/v1/admin/users` */
      readonly create: Call<'admin.users.create'>;
      /** Deactivate a user, as public clients do. `DELETE /api/v1/admin/users/{id}` */
      readonly delete: Call<'admin.users.delete'>;
      readonly expireSession: {
        /** End all sessions of a user. `POST /api/v1/admin/users/{id}/expire_session` */
        readonly end: Call<'admin.users.expireSession.end'>;
      };
      /** Get a user, as public clients know it. `GET /api/v1/admin/users/{id}` */
      readonly get: Call<'admin.users.get'>;
      /** List users, as public clients know them. `GET /api/v1/admin/users` */
      readonly list: Call<'admin.users.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'admin.users.list'>;
      readonly signinActivities: {
        /** List when a user signed in to the console, newest first. `GET /api/v1/admin/users/{id}/signin_activities` */
        readonly list: Call<'admin.users.signinActivities.list'>;
        /** Yields every item of the list, page by page. */
        readonly all: Walk<'admin.users.signinActivities.list'>;
      };
      /** Update a user, as public clients do. `PUT /api/v1/admin/users/{id}` */
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
    /** List changes and who made them, newest first. `GET /api/v1/audit_logs` */
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
      /** Look which closure conditions of a case are met. `GET /api/v2/cases/{id}/closure_conditions` */
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
      /** Subscribe an address or a user to a case. `POST /api/v2/cases/{id}/subscribers` */
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
    /** Drop a dead letter. `DELETE /api/v1/dead_letters/{id}` */
    readonly delete: Call<'deadLetters.delete'>;
    /** Drop many dead letters. `POST /api/v1/dead_letters/drop` */
    readonly dropMany: Call<'deadLetters.dropMany'>;
    /** Get a dead letter. `GET /api/v1/dead_letters/{id}` */
    readonly get: Call<'deadLetters.get'>;
    readonly groups: {
      /** Count dead letters by action and kind of error. `GET /api/v1/dead_letters/groups` */
      readonly list: Call<'deadLetters.groups.list'>;
    };
    /** List dead letters, newest first. `GET /api/v1/dead_letters` */
    readonly list: Call<'deadLetters.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'deadLetters.list'>;
    /** Send a dead letter again. `POST /api/v1/dead_letters/{id}/retry` */
    readonly retry: Call<'deadLetters.retry'>;
    /** Send many dead letters again. `POST /api/v1/dead_letters/retry` */
    readonly retryMany: Call<'deadLetters.retryMany'>;
  };
  readonly doctor: {
    /** Check the installation. `GET /api/v1/doctor` */
    readonly get: Call<'doctor.get'>;
  };
  readonly events: {
    /** Get an event with everything that its receivers see. `GET /api/v1/events/{id}` */
    readonly get: Call<'events.get'>;
    /** List events, newest first. `GET /api/v1/events` */
    readonly list: Call<'events.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'events.list'>;
    /** Emit an event once more. `POST /api/v1/events/{id}/reemit` */
    readonly reemit: Call<'events.reemit'>;
    readonly request: {
      /** Get the HTTP request that an event came of. `GET /api/v1/events/{id}/request` */
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
  readonly info: {
    /** Get facts of the installation. `GET /api/v1/info` */
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
  readonly queues: {
    /** Tell what waits in each queue, and why. `GET /api/v1/queues` */
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
    /** Change a record type: its name, and fields to add, rename and delete. `PUT /api/v1/record_types/{id}` */
    readonly update: Call<'recordTypes.update'>;
  };
  readonly records: {
    /** Create a record. `POST /api/v1/records` */
    readonly create: Call<'records.create'>;
    /** Delete a record; its children stay. `DELETE /api/v1/records/{id}` */
    readonly delete: Call<'records.delete'>;
    /** Get a record. `GET /api/v1/records/{id}` */
    readonly get: Call<'records.get'>;
    /** List records of one type. `GET /api/v1/records` */
    readonly list: Call<'records.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'records.list'>;
    /** Update a record: its values and its children. `PUT /api/v1/records/{id}` */
    readonly update: Call<'records.update'>;
  };
  readonly runs: {
    /** Search the runs of all stories, newest first. `GET /api/v1/runs` */
    readonly search: Call<'runs.search'>;
  };
  readonly schedules: {
    /** List schedules with their next starts and their last run. `GET /api/v1/schedules` */
    readonly list: Call<'schedules.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'schedules.list'>;
  };
  readonly stats: {
    /** Count runs, events and failures by story, action, minute, hour or day. `GET /api/v1/stats` */
    readonly get: Call<'stats.get'>;
  };
  readonly status: {
    /** Tell whether all is well. `GET /api/v1/status` */
    readonly get: Call<'status.get'>;
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
      /** Ask for the publication of a draft. `POST /api/v1/stories/{id}/change_request` */
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
      /** Bring a draft up to date. `POST /api/v1/stories/{id}/drafts/{draft_id}/update` */
      readonly bringUpToDate: Call<'stories.drafts.bringUpToDate'>;
      /** Make a draft of a story. `POST /api/v1/stories/{id}/drafts` */
      readonly create: Call<'stories.drafts.create'>;
      /** Delete a draft of a story. `DELETE /api/v1/stories/{id}/drafts/{draft_id}` */
      readonly delete: Call<'stories.drafts.delete'>;
      /** Get a draft of a story. `GET /api/v1/stories/{id}/drafts/{draft_id}` */
      readonly get: Call<'stories.drafts.get'>;
      /** List the drafts of a story. `GET /api/v1/stories/{id}/drafts` */
      readonly list: Call<'stories.drafts.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.drafts.list'>;
      /** Publish a draft. `POST /api/v1/stories/{id}/drafts/{draft_id}/publish` */
      readonly publish: Call<'stories.drafts.publish'>;
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
      /** List the actions of a story that have work waiting. `GET /api/v1/stories/{id}/pending_actions` */
      readonly list: Call<'stories.pendingActions.list'>;
      /** Yields every item of the list, page by page. */
      readonly all: Walk<'stories.pendingActions.list'>;
    };
    readonly recipients: {
      /** Add an address that is told of failures. `POST /api/v1/stories/{id}/recipients` */
      readonly add: Call<'stories.recipients.add'>;
      /** Remove an address that is told of failures. `DELETE /api/v1/stories/{id}/recipients` */
      readonly remove: Call<'stories.recipients.remove'>;
    };
    readonly runs: {
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
    /** Update a story. `PUT /api/v1/stories/{id}` */
    readonly update: Call<'stories.update'>;
    readonly versions: {
      /** Keep the present state of a story as a version. `POST /api/v1/stories/{id}/versions` */
      readonly create: Call<'stories.versions.create'>;
      /** Delete a version. `DELETE /api/v1/stories/{id}/versions/{version_id}` */
      readonly delete: Call<'stories.versions.delete'>;
      readonly diff: {
        /** Compare a version with another one, or with the story. `GET /api/v1/stories/{id}/versions/{version_id}/diff` */
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
    /** Follow what happens in stories, as server-sent events. `GET /api/v1/stream` */
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
    /** Get a member, who has accepted its invitation. `POST /api/v1/teams/{team_id}/resend_invitation` */
    readonly resendInvitation: Call<'teams.resendInvitation'>;
    /** Rename a team. `PUT /api/v1/teams/{id}` */
    readonly update: Call<'teams.update'>;
  };
  readonly templates: {
    /** Render a template. `POST /api/v1/templates/render` */
    readonly render: Call<'templates.render'>;
  };
  readonly tenants: {
    readonly mailSettings: {
      /** Get how the tenant’s mails leave. `GET /api/v1/tenants/current/mail_settings` */
      readonly get: Call<'tenants.mailSettings.get'>;
      /** Set how the tenant’s mails leave. `PUT /api/v1/tenants/current/mail_settings` */
      readonly update: Call<'tenants.mailSettings.update'>;
    };
    readonly usage: {
      /** Get the quotas of the tenant and their use. `GET /api/v1/tenants/current/usage` */
      readonly get: Call<'tenants.usage.get'>;
    };
  };
  readonly trials: {
    /** Try a story without storing anything. `POST /api/v1/trials` */
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
    /** Get the user that the key acts as. `GET /api/v1/users/me` */
    readonly me: Call<'users.me'>;
    /** Update a user. `PUT /api/v1/users/{id}` */
    readonly update: Call<'users.update'>;
  };
  readonly webhooks: {
    /** Get a webhook with its last calls, by the id of its action. `GET /api/v1/webhooks/{id}` */
    readonly get: Call<'webhooks.get'>;
    /** List webhooks with their last calls. `GET /api/v1/webhooks` */
    readonly list: Call<'webhooks.list'>;
    /** Yields every item of the list, page by page. */
    readonly all: Walk<'webhooks.list'>;
  };
}

/** Where an operation is, and how its input is sent. */
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
  'actions.list': { method: 'GET', path: '/api/v1/actions', query: ['story_id', 'team_id', 'story_mode', 'action_type', 'draft_id', 'include_live_activity', 'page', 'per_page'], body: false, items: 'agents' },
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
  'globalResources.list': { method: 'GET', path: '/api/v1/global_resources', query: ['page', 'per_page', 'typed_value', 'include_referencing_action_ids', 'team_id', 'folder_id', 'filter'], body: false, items: 'global_resources' },
  'globalResources.remove': { method: 'POST', path: '/api/v1/global_resources/{id}/remove', query: [], body: true },
  'globalResources.replace': { method: 'POST', path: '/api/v1/global_resources/{id}/replace', query: [], body: true },
  'globalResources.update': { method: 'PUT', path: '/api/v1/global_resources/{id}', query: [], body: true },
  'info.get': { method: 'GET', path: '/api/v1/info', query: [], body: false },
  'info.workerStats.get': { method: 'GET', path: '/api/v1/info/worker_stats', query: [], body: false },
  'notes.create': { method: 'POST', path: '/api/v1/notes', query: [], body: true },
  'notes.delete': { method: 'DELETE', path: '/api/v1/notes/{id}', query: [], body: false },
  'notes.get': { method: 'GET', path: '/api/v1/notes/{id}', query: [], body: false },
  'notes.list': { method: 'GET', path: '/api/v1/notes', query: ['story_id', 'team_id', 'draft_id', 'mode', 'page', 'per_page'], body: false, items: 'annotations' },
  'notes.update': { method: 'PUT', path: '/api/v1/notes/{id}', query: [], body: true },
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
  'runs.search': { method: 'GET', path: '/api/v1/runs', query: ['story_id', 'team_id', 'story_mode', 'status', 'source', 'since', 'until', 'min_duration', 'max_duration', 'path', 'value', 'before', 'per_page'], body: false },
  'schedules.list': { method: 'GET', path: '/api/v1/schedules', query: ['story_id', 'team_id', 'starts_until', 'page', 'per_page'], body: false, items: 'schedules' },
  'stats.get': { method: 'GET', path: '/api/v1/stats', query: ['by', 'order', 'from', 'to', 'story_id', 'team_id', 'test_mode', 'page', 'per_page'], body: false },
  'status.get': { method: 'GET', path: '/api/v1/status', query: ['team_id'], body: false },
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
  'stories.drafts.get': { method: 'GET', path: '/api/v1/stories/{id}/drafts/{draft_id}', query: [], body: false },
  'stories.drafts.list': { method: 'GET', path: '/api/v1/stories/{id}/drafts', query: ['page', 'per_page'], body: false, items: 'drafts' },
  'stories.drafts.publish': { method: 'POST', path: '/api/v1/stories/{id}/drafts/{draft_id}/publish', query: [], body: true },
  'stories.drafts.update': { method: 'PUT', path: '/api/v1/stories/{id}/drafts/{draft_id}', query: [], body: true },
  'stories.export': { method: 'GET', path: '/api/v1/stories/{id}/export', query: ['randomize_urls', 'clear_recipients', 'draft_id'], body: false },
  'stories.get': { method: 'GET', path: '/api/v1/stories/{id}', query: ['include_live_activity', 'story_mode', 'draft_id'], body: false },
  'stories.graph.get': { method: 'GET', path: '/api/v1/stories/{id}/graph', query: ['draft_id'], body: false },
  'stories.graph.replace': { method: 'PUT', path: '/api/v1/stories/{id}/graph', query: ['draft_id'], body: true },
  'stories.import': { method: 'POST', path: '/api/v1/stories/import', query: [], body: true },
  'stories.list': { method: 'GET', path: '/api/v1/stories', query: ['team_id', 'folder_id', 'search', 'tags', 'filter', 'order', 'include_live_activity', 'page', 'per_page', 'cursor'], body: false, items: 'stories', paged: true },
  'stories.owners.add': { method: 'POST', path: '/api/v1/stories/{id}/owners', query: [], body: true },
  'stories.owners.remove': { method: 'DELETE', path: '/api/v1/stories/{id}/owners', query: [], body: true },
  'stories.pendingActions.list': { method: 'GET', path: '/api/v1/stories/{id}/pending_actions', query: ['search', 'page', 'per_page'], body: false, items: 'pending_actions' },
  'stories.recipients.add': { method: 'POST', path: '/api/v1/stories/{id}/recipients', query: [], body: true },
  'stories.recipients.remove': { method: 'DELETE', path: '/api/v1/stories/{id}/recipients', query: [], body: true },
  'stories.runs.cancel': { method: 'POST', path: '/api/v1/stories/{id}/runs/{guid}/cancel', query: [], body: false },
  'stories.runs.get': { method: 'GET', path: '/api/v1/stories/{id}/runs/{guid}', query: ['page', 'per_page', 'exclude_payloads'], body: false },
  'stories.runs.list': { method: 'GET', path: '/api/v1/stories/{id}/runs', query: ['status', 'source', 'since', 'until', 'draft_id', 'page', 'per_page', 'cursor'], body: false, items: 'story_runs' },
  'stories.runs.start': { method: 'POST', path: '/api/v1/stories/{id}/runs', query: [], body: true },
  'stories.runs.summary.get': { method: 'GET', path: '/api/v1/stories/{id}/runs/{guid}/summary', query: [], body: false },
  'stories.update': { method: 'PUT', path: '/api/v1/stories/{id}', query: [], body: true },
  'stories.versions.create': { method: 'POST', path: '/api/v1/stories/{id}/versions', query: [], body: true },
  'stories.versions.delete': { method: 'DELETE', path: '/api/v1/stories/{id}/versions/{version_id}', query: [], body: false },
  'stories.versions.diff.get': { method: 'GET', path: '/api/v1/stories/{id}/versions/{version_id}/diff', query: ['with'], body: false },
  'stories.versions.get': { method: 'GET', path: '/api/v1/stories/{id}/versions/{version_id}', query: [], body: false },
  'stories.versions.list': { method: 'GET', path: '/api/v1/stories/{id}/versions', query: ['page', 'per_page', 'cursor', 'draft_id'], body: false, items: 'story_versions' },
  'stories.versions.restore': { method: 'POST', path: '/api/v1/stories/{id}/versions/{version_id}/restore', query: [], body: false },
  'stories.versions.update': { method: 'PUT', path: '/api/v1/stories/{id}/versions/{version_id}', query: [], body: true },
  'stream.open': { method: 'GET', path: '/api/v1/stream', query: ['story_id', 'team_id', 'kinds', 'last_event_id', 'seconds'], body: false, stream: true },
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
  'teams.resendInvitation': { method: 'POST', path: '/api/v1/teams/{team_id}/resend_invitation', query: [], body: true },
  'teams.update': { method: 'PUT', path: '/api/v1/teams/{id}', query: [], body: true },
  'templates.render': { method: 'POST', path: '/api/v1/templates/render', query: [], body: true },
  'tenants.mailSettings.get': { method: 'GET', path: '/api/v1/tenants/current/mail_settings', query: [], body: false },
  'tenants.mailSettings.update': { method: 'PUT', path: '/api/v1/tenants/current/mail_settings', query: [], body: true },
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
  'webhooks.get': { method: 'GET', path: '/api/v1/webhooks/{id}', query: [], body: false },
  'webhooks.list': { method: 'GET', path: '/api/v1/webhooks', query: ['story_id', 'team_id', 'draft_id', 'mode', 'page', 'per_page'], body: false, items: 'webhooks' },
};
