import Joi from 'joi';
import { type AnyRoute, defineRoute, defineUpdate } from '../../../api/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { timeField } from '../../../platform/http/time-field.js';
import { INBOX_KINDS, type InboxKind } from './inbox-entry.js';
import {
  inboxEntryExample,
  inboxEntryResponse,
  inboxExample,
  inboxResponse,
  presentInbox,
  presentInboxEntry,
} from './inbox-presenter.js';
import {
  INBOX_STATES,
  type InboxChange,
  type InboxQuery,
  type InboxService,
  MOST_SNOOZE_DAYS,
} from './inbox-service.js';

interface Services {
  inbox: InboxService;
}

interface ListQuery {
  team_id?: number;
  story_id?: number;
  kind?: InboxKind;
  state: InboxQuery['state'];
  assignee_id?: number;
  assigned?: boolean;
}

interface KeyParams {
  entry_key: string;
}

const INBOX = '/api/v1/inbox';
const TAG = 'Info';

const query = Joi.object<ListQuery>({
  team_id: idField.description('Only entries of this team, and of the whole tenant'),
  story_id: idField.description('Only entries about this story'),
  kind: Joi.string()
    .valid(...INBOX_KINDS)
    .description('Only entries of this kind'),
  state: Joi.string()
    .valid(...INBOX_STATES)
    .default('OPEN')
    .description('`CLOSED`: those that ended within 30 days, the last first; the others are open'),
  assignee_id: idField.description('Only entries that this user takes care of'),
  assigned: Joi.boolean().description('Only entries with an assignee; false: only those without'),
});

const params = Joi.object<KeyParams>({
  entry_key: Joi.string()
    .pattern(/^[a-z0-9_-]{1,80}$/, 'a key')
    .required()
    .description('The `key` of the entry'),
});

const body = Joi.object<InboxChange>({
  assignee_id: idField
    .allow(null)
    .description('User who takes care of it and can see it; null for nobody. Kept for 90 days'),
  snoozed_until: timeField
    .allow(null)
    .description(`Hides the entry until then, at most ${MOST_SNOOZE_DAYS} days; null shows it again`),
}).or('assignee_id', 'snoozed_until');

/** A client may send back what it has read. */
const READ_ONLY = Object.keys(inboxEntryExample).filter((key) => key !== 'snoozed_until');

/** What people on call should see (spec §1.9). */
export const inboxRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: INBOX,
    summary: 'List what needs attention',
    query,
    docs: {
      tag: TAG,
      operationId: 'listInbox',
      description:
        'Failures, deliveries that are held, quotas that are nearly used up, late schedules, rejected webhook calls and credentials that stop working, of the teams that the key can access. Callers with the same access share what was read: usually it is at most five seconds old, with many dead letters at most a minute.',
      response: inboxResponse,
      example: { query: {}, response: inboxExample },
      errors: [404, 422],
    },
    async handle({ actor, query: asked }, { inbox }) {
      const { team_id: teamId, story_id: storyId, assignee_id: assigneeId, ...rest } = asked;
      return presentInbox(await inbox.list(actor, { ...rest, teamId, storyId, assigneeId }));
    },
  }),

  ...defineUpdate<KeyParams, unknown, InboxChange, Services>({
    path: `${INBOX}/:entry_key`,
    summary: 'Assign or snooze an entry of the inbox',
    params,
    body,
    audit: 'inbox.update',
    ignored: READ_ONLY,
    docs: {
      tag: TAG,
      operationId: 'updateInboxEntry',
      description:
        'A snoozed entry returns early if its count at least doubles and grows by at least 10. It needs a role that can edit in the team of the entry; for quotas in any team; for your own API keys any role suffices.',
      response: inboxEntryResponse,
      example: {
        params: { entry_key: inboxEntryExample.key },
        body: { assignee_id: inboxEntryExample.assignee.id },
        response: inboxEntryExample,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params: { entry_key: key }, body: change }, { inbox }) =>
      inbox.check(actor, key, change),
    async handle({ actor, params: { entry_key: key }, body: change }, { inbox }) {
      return presentInboxEntry(await inbox.update(actor, key, change));
    },
  }),
];
