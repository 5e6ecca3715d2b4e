import Joi from 'joi';
import { type AnyRoute, defineRoute, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { NOTICE_KINDS } from '../outbox/notice.js';
import { pauseSchema } from '../queues/pause-presenter.js';
import { presentStatus } from './status-presenter.js';
import { STATES } from './status-reasons.js';
import { statusExample } from './status-example.js';
import type { StatusService } from './status-service.js';

interface Services {
  status: StatusService;
}

const count = Joi.number().integer().min(0);
const orNull = (schema: Joi.Schema) => schema.allow(null);

const installationSchema = responseSchema({
  mysql_ms: orNull(count).description('How long a ping took; null: no answer'),
  redis_ms: orNull(count).description('How long a ping took; null: no answer'),
  relay_lag_seconds: orNull(count).description('How long the oldest due delivery has waited for the relay'),
  schedule_lag_seconds: orNull(count).description('How long the oldest due schedule has waited'),
  spool: orNull(
    responseSchema({
      bytes: count.description('Size of the calls that it holds'),
      limit_bytes: count.description('Most that it may hold'),
    }),
  ).description('The spool: webhook calls that wait until MySQL is back'),
  queues: orNull(
    Joi.array().items(
      responseSchema({
        queue: Joi.string().description('Its name'),
        waiting: count.description('Jobs that wait for a worker'),
        active: count.description('Jobs that run'),
        delayed: count.description('Jobs that were handed back for a while'),
        oldest_seconds: count.description('How long the oldest waiting job has waited'),
        workers: orNull(count).description('Live workers; null: Redis does not list them'),
        paused: pauseSchema,
      }),
    ),
  ).description('The queues of jobs'),
  versions: orNull(
    Joi.array().items(
      responseSchema({
        version: Joi.string().description('A version of Fabula'),
        processes: count.description('Live processes of it'),
      }),
    ),
  ).description('Live processes by version'),
});

const storiesSchema = responseSchema({
  dead_letters: count.description(
    'Dead letters; of more than 10,000 the newest, and as many as two seconds are enough to find',
  ),
  dead_letters_complete: Joi.boolean().description('False: there may be more'),
  failing: Joi.array()
    .items(
      responseSchema({
        id: idSchema,
        name: Joi.string().allow('').description('Its name'),
        team_id: idSchema,
        dead_letters: count.description('Its dead letters'),
        since: timeSchema.description('The oldest of its dead letters'),
        last_at: timeSchema.description('The newest of them'),
        last_error: Joi.string().allow('').description('The error of the newest, without secrets'),
      }),
    )
    .description('Stories with dead letters, the last to fail first; at most 50'),
  silent_actions: Joi.array()
    .items(
      responseSchema({
        id: idSchema,
        name: Joi.string().allow('').description('Its name'),
        story: responseSchema({
          id: idSchema,
          name: Joi.string().allow('').description('Its name'),
        }).description('The story of the action'),
        team_id: idSchema,
        since: timeSchema.description('Its last event, or when watching began'),
      }),
    )
    .description('Monitored actions whose silence was told; at most 100'),
  notices: Joi.array()
    .items(
      responseSchema({
        id: idSchema,
        kind: Joi.valid(...NOTICE_KINDS).description('The occasion'),
        channel: Joi.valid('mail', 'web').description('By mail, or to an http or https address'),
        team_id: idSchema,
        story_id: idSchema.allow(null).description('Null for a digest'),
        recipients: count.description('Number of recipients'),
        state: Joi.valid('due', 'sent', 'failed').description('Its outcome'),
        attempts: count.description('Attempts so far'),
        error: Joi.string().allow(null, '').description('Why the last attempt failed'),
        created_at: timeSchema.description('When it was found'),
        at: timeSchema.description('Its end; of one that is due, the next attempt'),
      }),
    )
    .description('The last notices, newest first; at most 20'),
});

/** Whether all is well (spec §1.9). */
export const statusRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, { team_id?: number }, unknown, Services>({
    method: 'get',
    path: '/api/v1/status',
    summary: 'Tell whether all is well',
    query: Joi.object({ team_id: idField.description('The stories of this team only') }),
    docs: {
      tag: 'Info',
      operationId: 'getStatus',
      description:
        'The stories that the key may see, and for an Owner of the only tenant the installation. At most five seconds old. What could not be read is null.',
      response: responseSchema({
        state: Joi.valid(...STATES).description('The worst of the reasons'),
        reasons: Joi.array()
          .items(
            responseSchema({
              state: Joi.valid('warning', 'error', 'note').description('How bad it is'),
              id: Joi.string().description('The kind of the reason, as the doctor names it: `work.paused`'),
              text: Joi.string().description('The facts'),
              why: Joi.string().description('Why it matters'),
              remedy: Joi.string().description('How to end it'),
              since: timeSchema.allow(null).description('Since when it is so; null: not known'),
            }),
          )
          .description('Why the state is not `ok`'),
        checked_at: timeSchema.description('When it was answered'),
        installation: orNull(installationSchema).description(
          'Null for others than an Owner of the only tenant',
        ),
        stories: orNull(storiesSchema).description('The stories of the teams'),
      }),
      example: { query: {}, response: statusExample },
      errors: [404, 422],
    },
    async handle({ actor, query }, { status }) {
      return presentStatus(await status.get(actor, query.team_id));
    },
  }),
];
