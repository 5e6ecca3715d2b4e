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
  mysql_ms: orNull(count).description('Ping time; null if there was no response'),
  redis_ms: orNull(count).description('Ping time; null if there was no response'),
  relay_lag_seconds: orNull(count).description('How long the oldest due delivery has waited for the relay'),
  schedule_lag_seconds: orNull(count).description('How long the oldest due schedule has waited'),
  spool: orNull(
    responseSchema({
      bytes: count.description('Size of the spooled calls'),
      limit_bytes: count.description('Maximum size of the spool'),
    }),
  ).description('The spool: webhook calls held while MySQL is down'),
  queues: orNull(
    Joi.array().items(
      responseSchema({
        queue: Joi.string().description('Name'),
        waiting: count.description('Jobs waiting for a worker'),
        active: count.description('Running jobs'),
        delayed: count.description('Delayed jobs'),
        oldest_seconds: count.description('Age of the oldest waiting job'),
        workers: orNull(count).description('Live workers; null if Redis does not list them'),
        paused: pauseSchema,
      }),
    ),
  ).description('The queues of jobs'),
  versions: orNull(
    Joi.array().items(
      responseSchema({
        version: Joi.string().description('A version of Fabula'),
        processes: count.description('Live processes of this version'),
      }),
    ),
  ).description('Live processes by version'),
});

const storiesSchema = responseSchema({
  dead_letters: count.description(
    'Number of dead letters; above 10,000, the newest that can be counted in two seconds',
  ),
  dead_letters_complete: Joi.boolean().description('If false, there may be more'),
  failing: Joi.array()
    .items(
      responseSchema({
        id: idSchema,
        name: Joi.string().allow('').description('Name'),
        team_id: idSchema,
        dead_letters: count.description('Number of its dead letters'),
        since: timeSchema.description('Time of its oldest dead letter'),
        last_at: timeSchema.description('Time of its newest dead letter'),
        last_error: Joi.string()
          .allow('')
          .description('Error of its newest dead letter, with secrets removed'),
        last_cause: Joi.string()
          .allow('')
          .description(
            'Cause of its newest dead letter in one line: status and message of the response, or the error',
          ),
      }),
    )
    .description('Stories with dead letters, most recent failure first; at most 50'),
  silent_actions: Joi.array()
    .items(
      responseSchema({
        id: idSchema,
        name: Joi.string().allow('').description('Name'),
        story: responseSchema({
          id: idSchema,
          name: Joi.string().allow('').description('Name'),
        }).description('The story of the action'),
        team_id: idSchema,
        since: timeSchema.description('Time of its last event, or when monitoring began'),
      }),
    )
    .description('Monitored actions reported as silent; at most 100'),
  notices: Joi.array()
    .items(
      responseSchema({
        id: idSchema,
        kind: Joi.valid(...NOTICE_KINDS).description('Reason for the notice'),
        channel: Joi.valid('mail', 'web').description('By mail, or to an HTTP or HTTPS address'),
        team_id: idSchema,
        story_id: idSchema.allow(null).description('null for a digest'),
        recipients: count.description('Number of recipients'),
        state: Joi.valid('due', 'sent', 'failed').description('State of the notice'),
        attempts: count.description('Attempts so far'),
        error: Joi.string().allow(null, '').description('Why the last attempt failed'),
        created_at: timeSchema.description('When the cause was detected'),
        at: timeSchema.description('When it ended; if due, when the next attempt is made'),
      }),
    )
    .description('Latest notices, newest first; at most 20'),
});

/** Whether all is well (spec §1.9). */
export const statusRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, { team_id?: number }, unknown, Services>({
    method: 'get',
    path: '/api/v1/status',
    summary: 'Get the status',
    query: Joi.object({ team_id: idField.description('Only include stories of this team') }),
    docs: {
      tag: 'Info',
      operationId: 'getStatus',
      description:
        'Covers the stories that the key can access and, for an Owner of the only tenant, the installation. At most five seconds old. Values that could not be read are null.',
      response: responseSchema({
        state: Joi.valid(...STATES).description('The most severe of the reasons'),
        reasons: Joi.array()
          .items(
            responseSchema({
              state: Joi.valid('warning', 'error', 'note').description('Severity'),
              id: Joi.string().description('Identifier of the reason, as in the doctor: `work.paused`'),
              text: Joi.string().description('The facts'),
              why: Joi.string().description('Why it matters'),
              remedy: Joi.string().description('How to fix it'),
              since: timeSchema.allow(null).description('When the problem began; null if unknown'),
            }),
          )
          .description('Why the state is not `ok`'),
        checked_at: timeSchema.description('When the response was created'),
        installation: orNull(installationSchema).description(
          'null unless the caller is an Owner of the only tenant',
        ),
        stories: orNull(storiesSchema).description('Stories of the requested teams'),
      }),
      example: { query: {}, response: statusExample },
      errors: [404, 422],
    },
    async handle({ actor, query }, { status }) {
      return presentStatus(await status.get(actor, query.team_id));
    },
  }),
];
