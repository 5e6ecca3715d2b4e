import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { DeadLetterGroup, DeadLetterGroups } from './dead-letter-group.js';

/** The groups of dead letters. */
export function presentDeadLetterGroups({ groups, complete }: DeadLetterGroups) {
  return { groups: groups.map(presentGroup), complete };
}

function presentGroup(group: DeadLetterGroup) {
  return {
    team_id: group.teamId,
    story_id: group.storyId,
    story_name: group.storyName,
    agent_id: group.agentId,
    agent_name: group.agentName,
    error_kind: group.kind,
    dead_letters: group.letters,
    retried: group.retried,
    first_failed_at: timestamp(group.firstAt),
    last_failed_at: timestamp(group.lastAt),
  };
}

const count = Joi.number().integer();

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
          error_kind: Joi.string().description(
            'Error text without ids, addresses, times, quoted text and numbers',
          ),
          dead_letters: count.description('Number of dead letters'),
          retried: count.description('How many of them were retried manually before'),
          first_failed_at: timeSchema.description('When the first one failed'),
          last_failed_at: timeSchema.description('When the last one failed'),
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
      dead_letters: 38,
      retried: 0,
      first_failed_at: '2026-11-21T10:42:07Z',
      last_failed_at: '2026-11-21T11:20:51Z',
    },
  ],
  complete: true,
};
