import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { WAIT_REASON_TEXT } from '../../../engine/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { type HeldAction, INBOX_KINDS, type InboxEntry, type Named } from './inbox-entry.js';
import type { Inbox, ListedEntry } from './inbox-service.js';

const count = Joi.number().integer().min(0);
const text = Joi.string().allow('', null);
const timeOrNull = timeSchema.allow(null);

const namedSchema = responseSchema({ id: idSchema, name: text.description('null if it was deleted') });

const failureSchema = component(
  'InboxFailure',
  responseSchema({
    error_kind: Joi.string().description('Error type, as in the groups of dead letters'),
    dead_letter_id: idSchema.allow(null).description('The newest dead letter; null if it is gone by now'),
    story_run_guid: Joi.string().guid().allow(null).description('The run of the newest one'),
    retried: count.description('How many of them were retried manually before'),
  }),
);

const heldSchema = component(
  'InboxHeldAction',
  responseSchema({
    story_id: idSchema,
    story_name: text.description('null if it was deleted'),
    agent_id: idSchema.description('The action that they wait for'),
    agent_name: text.description('null if it was deleted'),
    queue: Joi.string().description('The queue of its jobs'),
    count: count.description('Deliveries that wait'),
    oldest_at: timeSchema.description('When the oldest of them was created'),
  }),
);

const versionSchema = component(
  'InboxVersion',
  responseSchema({
    version_id: idSchema,
    number: count.description('Version number in the story'),
    name: text.description('Name of the version'),
    changed_at: timeSchema.description('When the version was saved'),
    by: responseSchema({ id: idSchema, name: Joi.string().allow('') })
      .allow(null)
      .description('The user who changed it; null if the user was deleted'),
  }),
);

const closedSchema = component(
  'InboxClosing',
  responseSchema({
    at: timeSchema.description('When the inbox was first read without the entry'),
    after: Joi.string()
      .allow(null)
      .description(
        'Audit log action of the last change in its team that may have closed it; null if it closed without one',
      ),
    by: responseSchema({ id: idSchema, name: Joi.string().allow('') })
      .allow(null)
      .description('The user who made that change; null if there was none, or the user was deleted'),
  }),
);

/** An entry in a response. */
export const inboxEntryResponse = component(
  'InboxEntry',
  responseSchema({
    key: Joi.string().description(
      'Identifier; it stays the same as long as the cause and its state do. Closed entries may have it several times',
    ),
    kind: Joi.string()
      .valid(...INBOX_KINDS)
      .description(
        '`failures`: dead letters of one action and error type; `held`: deliveries that wait for one reason; `quota`: 80 % or more is used; `schedule`: late, or skipped starts; `webhook`: rejected calls; `credential`: must be connected, or its access ends within a week; `repository`: the git repository of a team fails, or has conflicts; `api_key`: expires within a week, or expired in the last week. Only its user sees a personal key, only Owners see the others',
      ),
    reason: Joi.string()
      .allow(null)
      .description(
        `For \`held\`, why they wait. ${WAIT_REASON_TEXT}. For \`quota\`, its name; for \`schedule\`, \`late\`, \`skipped_late\`, \`skipped_quota\`; for \`webhook\`, the most frequent reason; for \`credential\`, \`reconnect\`, \`expires\`; for \`repository\`, \`failing\`, \`conflicts\`; for \`api_key\`, \`expires\`, \`expired\``,
      ),
    severity: Joi.valid('error', 'warning', 'note').description('How urgent it is'),
    title: Joi.string().description('The entry in words'),
    detail: text.description('More about it, such as the cause of the newest failure'),
    team_id: idSchema.allow(null).description('null if it concerns the whole tenant'),
    story: namedSchema.allow(null).description('null unless it concerns one story'),
    action: namedSchema.allow(null).description('null unless it concerns one action'),
    queue: Joi.string().allow(null).description('null unless it concerns a queue'),
    quota: Joi.string().allow(null).description('null unless it concerns a quota'),
    schedule_id: idSchema.allow(null).description('null unless it concerns a schedule'),
    credential_id: idSchema.allow(null).description('null unless it concerns a credential'),
    api_key_id: idSchema.allow(null).description('null unless it concerns an API key'),
    count: count.description('Dead letters, deliveries, calls, or the amount used of a quota'),
    first_seen: timeOrNull.description('When it began; null if unknown'),
    last_seen: timeOrNull.description('When it last happened; null if it still does, or is unknown'),
    until: timeOrNull.description('When it ends or goes on by itself; null if unknown'),
    trend: Joi.array()
      .items(count)
      .allow(null)
      .description('For `failures`, how many failed in each of the last 24 hours, oldest hour first'),
    since_version: versionSchema
      .allow(null)
      .description(
        'For `failures`, the last change of the story before the first one; null if none is known',
      ),
    failure: failureSchema.allow(null).description('For `failures` only'),
    held: Joi.array()
      .items(heldSchema)
      .allow(null)
      .description('For `held`, the actions with most of the deliveries, up to 20'),
    assignee: responseSchema({ id: idSchema, name: Joi.string(), email: Joi.string() })
      .allow(null)
      .description('The assigned user'),
    snoozed_until: timeOrNull.description('Until when it is hidden; null if it is not'),
    closed: closedSchema.allow(null).description('null while it is open'),
  }),
);

/** The entries in a response. */
export const inboxResponse = responseSchema({
  entries: Joi.array().items(inboxEntryResponse).description('The most urgent first'),
  counts: responseSchema({
    open: count.description('Entries that are not snoozed'),
    snoozed: count.description('Snoozed entries'),
    errors: count.description('Open entries with this severity'),
    warnings: count.description('Open entries with this severity'),
    notes: count.description('Open entries with this severity'),
  }).description('Counts all entries that match the other filters, whatever `state` is asked for'),
  complete: Joi.boolean().description('false if there may be more'),
  unread: Joi.array()
    .items(Joi.string().valid(...INBOX_KINDS))
    .description('Kinds that could not be read'),
  behind: Joi.boolean().description('true if entries of some kind were read more than a minute ago'),
  checked_at: timeSchema.description(
    'When the entries were read. Each kind is read by itself; this is the oldest of these times',
  ),
});

/** An entry that `inboxEntryResponse` allows. */
export const inboxEntryExample = {
  key: 'held-mails_per_day-3',
  kind: 'held',
  reason: 'mails_per_day',
  severity: 'error',
  title: '10,101 deliveries wait: the mail quota is used up',
  detail: null,
  team_id: 3,
  story: { id: 12, name: 'Alerts' },
  action: { id: 32, name: 'Send mail' },
  queue: null,
  quota: 'mails_per_day',
  schedule_id: null,
  credential_id: null,
  api_key_id: null,
  count: 10_101,
  first_seen: '2026-11-21T08:00:12Z',
  last_seen: null,
  until: '2026-11-22T00:00:00Z',
  trend: null,
  since_version: null,
  failure: null,
  held: [
    {
      story_id: 12,
      story_name: 'Alerts',
      agent_id: 32,
      agent_name: 'Send mail',
      queue: 'email',
      count: 10_101,
      oldest_at: '2026-11-21T08:00:12Z',
    },
  ],
  assignee: { id: 5, name: 'Ada Lovelace', email: 'ada@example.com' },
  snoozed_until: null,
  closed: null,
};

/** Entries that `inboxResponse` allows. */
export const inboxExample = {
  entries: [inboxEntryExample],
  counts: { open: 1, snoozed: 0, errors: 1, warnings: 0, notes: 0 },
  complete: true,
  unread: [],
  behind: false,
  checked_at: '2026-11-21T11:21:00Z',
};

/** Presents the inbox. */
export function presentInbox({ entries, counts, isComplete, unread, isBehind, checkedAt }: Inbox) {
  return {
    entries: entries.map(presentInboxEntry),
    counts,
    complete: isComplete,
    unread,
    behind: isBehind,
    checked_at: timestamp(checkedAt),
  };
}

/** Presents an entry. */
export function presentInboxEntry(entry: ListedEntry) {
  const { key, kind, reason, severity, title, detail, queue, quota, trend, assignee } = entry;
  return {
    key,
    kind,
    reason,
    severity,
    title,
    detail,
    team_id: entry.teamId,
    story: named(entry.story),
    action: named(entry.action),
    queue,
    quota,
    schedule_id: entry.scheduleId,
    credential_id: entry.credentialId,
    api_key_id: entry.apiKeyId,
    count: entry.count,
    first_seen: timeOf(entry.firstSeen),
    last_seen: timeOf(entry.lastSeen),
    until: timeOf(entry.until),
    trend,
    since_version: entry.sinceVersion && presentVersion(entry.sinceVersion),
    failure: entry.failure && presentFailure(entry.failure),
    held: entry.held && entry.held.map(presentHeld),
    assignee,
    snoozed_until: timeOf(entry.snoozedUntil),
    closed: entry.closed && { ...entry.closed, at: timestamp(entry.closed.at) },
  };
}

function named(thing: Named | null) {
  return thing && { id: thing.id, name: thing.name };
}

function presentVersion({ id, number, name, changedAt, by }: NonNullable<InboxEntry['sinceVersion']>) {
  return { version_id: id, number, name, changed_at: timestamp(changedAt), by: by ?? null };
}

function presentFailure({ kind, deadLetterId, runGuid, retried }: NonNullable<InboxEntry['failure']>) {
  return { error_kind: kind, dead_letter_id: deadLetterId, story_run_guid: runGuid, retried };
}

function presentHeld({ story, action, queue, count: waiting, oldestAt }: HeldAction) {
  return {
    story_id: story.id,
    story_name: story.name,
    agent_id: action.id,
    agent_name: action.name,
    queue,
    count: waiting,
    oldest_at: timestamp(oldestAt),
  };
}

function timeOf(time: Date | null): string | null {
  return time && timestamp(time);
}
