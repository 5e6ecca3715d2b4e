import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../../api/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import type { QueueListService } from './queue-list-service.js';
import { presentQueues, queuesExample, queuesResponse } from './queue-presenter.js';

interface Services {
  queueList: QueueListService;
}

/** The work that waits in the queues, and why (spec §1.9). */
export const queueRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, { team_id?: number }, unknown, Services>({
    method: 'get',
    path: '/api/v1/queues',
    summary: 'List the queues with their waiting work',
    query: Joi.object({ team_id: idField.description('Only count deliveries of this team') }),
    docs: {
      tag: 'Info',
      operationId: 'listQueues',
      description:
        'There is one queue per action type, one for the first actions of runs, and one for calls spooled while MySQL is down. Deliveries belong to the teams that the key can access and include drafts. Counts are cached and shared by all callers; see `deliveries_counted_at`. Job counts are at most five seconds old.',
      response: queuesResponse,
      example: { query: {}, response: queuesExample },
      errors: [404, 422],
    },
    async handle({ actor, query }, { queueList }) {
      return presentQueues(await queueList.list(actor, query.team_id));
    },
  }),
];
