import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { causeOf } from '../../../engine/face.js';
import { CAUSE } from '../../attempts/attempt-presenter.js';
import { type DeadLetterGroups, HOURS, type WatchedGroup } from './dead-letter-group.js';

/** The groups of dead letters. */
export function presentDeadLetterGroups({ groups, complete }: DeadLetterGroups) {
  return { groups: groups.map(presentGroup), complete };
}

function presentGroup(group: WatchedGroup) {
  return {
    team_id: group.teamId,
    story_id: group.storyId,
    story_name: group.storyName,
    agent_id: group.agentId,
    agent_name: group.agentName,
    error_kind: group.kind,
    error: group.newest?.error ?? null,
    cause: group.newest === undefined ? null : causeOf(group.newest),
    dead_letter_id: group.newest?.id ?? null,
    story_run_guid: group.newest?.storyRunGuid ?? null,
    dead_letters: group.letters,
    retried: group.retried,
    first_failed_at: timestamp(group.firstAt),
    last_failed_at: timestamp(group.lastAt),
    trend: group.trend,
  };
}

const count = Joi.number().integer();

/** Schema of the kind of an error. */
export const errorKindSchema = Joi.string().description(
  'Error text without ids, addresses, times, quoted text and numbers',
);

/** Schema of the groups in a response. */
export const deadLetterGroupsSchema = responseSchema({
  groups: Joi.array()
    .items(
      component(
        'DeadLetterGroup',
        responseSchema({
          team_id: idSchema,
          story_id: idSchema,
          story_name: Joi.string().allow(''),
          agent_id: idSchema.description('The action that failed'),
          agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
          error_kind: errorKindSchema,
          error: Joi.string().allow('', null).description('The error of the newest one'),
          cause: Joi.string().allow('', null).description(`${CAUSE}; of the newest one`),
          dead_letter_id: idSchema.allow(null).description('The newest one; null if it is gone by now'),
          story_run_guid: Joi.string().guid().allow(null).description('The run of the newest one'),
          dead_letters: count.description('Number of dead letters'),
          retried: count.description('How many of them were retried manually before'),
          first_failed_at: timeSchema.description('When the first one failed'),
          last_failed_at: timeSchema.description('When the last one failed'),
          trend: Joi.array()
            .items(count)
            .length(HOURS)
            .description('How many failed in each of the last 24 hours, oldest hour first'),
        }),
      ),
    )
    .description('Most recent failure first'),
  complete: Joi.boolean().description(
    'false if only the newest 100,000 dead letters and 10,000 error texts were counted',
  ),
});

/** For the documentation. */
export const deadLetterGroupsExample = {
  groups: [
    {
      team_id: 3,
      story_id: 12,
      story_name: 'Alerts',
      agent_id: 32,
      agent_name: 'Send mail',
      error_kind: 'The mail server <address> refused the connection',
      error: 'The mail server 192.0.2.7:25 refused the connection',
      cause: 'The mail server 192.0.2.7:25 refused the connection',
      dead_letter_id: 901,
      story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
      dead_letters: 38,
      retried: 0,
      first_failed_at: '2026-11-21T10:42:07Z',
      last_failed_at: '2026-11-21T11:20:51Z',
      trend: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 27],
    },
  ],
  complete: true,
};
