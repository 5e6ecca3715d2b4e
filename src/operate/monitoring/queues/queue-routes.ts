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
    summary: 'Tell what waits in each queue, and why',
    query: Joi.object({ team_id: idField.description('The deliveries of this team only') }),
    docs: {
      tag: 'Info',
      operationId: 'listQueues',
      description:
        'There is a queue for each kind of action, one for the first actions of runs and one for calls that wait until MySQL is back. Deliveries are those of the teams that the key may see, drafts too. They are counted all together, once for all who ask: `deliveries_counted_at`. Jobs are at most five seconds old.',
      response: queuesResponse,
      example: { query: {}, response: queuesExample },
      errors: [404, 422],
    },
    async handle({ actor, query }, { queueList }) {
      return presentQueues(await queueList.list(actor, query.team_id));
    },
  }),
];
