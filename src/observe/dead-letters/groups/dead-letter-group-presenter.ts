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
          agent_name: Joi.string().allow('', null).description('null: the action has been deleted'),
          error_kind: Joi.string().description(
            'The error without ids, addresses, times, quoted text and numbers',
          ),
          dead_letters: count.description('The number of dead letters'),
          retried: count.description('How many of them were retried by hand before'),
          first_failed_at: timeSchema.description('When the first of them failed'),
          last_failed_at: timeSchema.description('When the last of them failed'),
        }),
      ),
    )
    .description('That with the last failure first'),
  complete: Joi.boolean().description(
    'false: only the newest 100,000 dead letters were counted, and 10,000 texts of errors',
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
