import { of, ofAgent, ofStory, TENANT, type TenantTable } from './tenant-table.js';

/** Tables of what a tenant's stories do, in the order in which they are imported. Schedules come last. */
export const WORK_TABLES: readonly TenantTable[] = [
  {
    name: 'story_runs',
    where: ofStory,
    ids: { id: 'story_runs', story_id: 'stories', response_event_id: 'events' },
  },
  {
    name: 'events',
    where: ofStory,
    ids: { id: 'events', story_id: 'stories', agent_id: 'agents' },
    texts: ['payload'],
  },
  {
    name: 'event_marks',
    where: ofStory,
    ids: { event_id: 'events', story_id: 'stories', agent_id: 'agents' },
    owner: 'event_id',
  },
  {
    name: 'agent_logs',
    where: ofAgent,
    ids: { id: 'agent_logs', agent_id: 'agents', inbound_event_id: 'events', delivery_id: 'deliveries' },
  },
  {
    name: 'deliveries',
    where: ofStory,
    ids: { id: 'deliveries', story_id: 'stories', agent_id: 'agents', event_id: 'events' },
    texts: ['mail_progress'],
  },
  {
    name: 'implode_items',
    where: `delivery_id IN (SELECT d.id FROM deliveries d WHERE d.${ofStory})`,
    ids: { delivery_id: 'deliveries' },
    owner: 'delivery_id',
    texts: ['item'],
    also: '(SELECT d.agent_id FROM deliveries d WHERE d.id = implode_items.delivery_id)',
  },
  {
    name: 'story_calls',
    where: of('stories', 'caller_story_id'),
    ids: {
      caller_delivery_id: 'deliveries',
      caller_story_id: 'stories',
      caller_agent_id: 'agents',
      caller_event_id: 'events',
    },
    owner: 'caller_story_id',
  },
  {
    name: 'prompts',
    where: ofStory,
    ids: { story_id: 'stories', agent_id: 'agents', event_id: 'events' },
    owner: 'story_id',
  },
  // `up_to_id` depends on `kind`.
  { name: 'agent_removals', where: ofAgent, ids: { agent_id: 'agents' }, owner: 'agent_id' },
  {
    name: 'action_watches',
    where: ofAgent,
    ids: { agent_id: 'agents', last_event_id: { after: 'events' }, told_event_id: { after: 'events' } },
    owner: 'agent_id',
  },
  { name: 'story_failure_notices', where: ofStory, ids: { story_id: 'stories' }, owner: 'story_id' },
  { name: 'story_watch_notices', where: ofStory, ids: { story_id: 'stories' }, owner: 'story_id' },
  {
    name: 'notices',
    where: TENANT,
    ids: { id: 'notices', tenant_id: 'tenants', team_id: 'teams', story_id: 'stories' },
  },
  { name: 'story_counts', where: ofStory, ids: { story_id: 'stories' }, owner: 'story_id' },
  { name: 'story_minutes', where: ofStory, ids: { story_id: 'stories' }, owner: 'story_id' },
  { name: 'agent_counts', where: ofAgent, ids: { agent_id: 'agents' }, owner: 'agent_id' },
  { name: 'duration_counts', where: ofStory, ids: { story_id: 'stories' }, owner: 'story_id' },
  {
    name: 'uncounted_ends',
    where: `run_id IN (SELECT r.id FROM story_runs r WHERE r.${ofStory})`,
    ids: { run_id: 'story_runs' },
    owner: 'run_id',
  },
  {
    name: 'audit_logs',
    where: TENANT,
    // `target_id` depends on `target_type`.
    ids: { id: 'audit_logs', tenant_id: 'tenants', team_id: 'teams', user_id: 'users', key_id: 'api_keys' },
  },
  { name: 'schedules', where: ofStory, ids: { id: 'schedules', story_id: 'stories', agent_id: 'agents' } },
];
