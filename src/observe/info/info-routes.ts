import Joi from 'joi';
import type { OperatorCheck } from '../../people/face.js';
import { type AnyRoute, defineRoute, responseSchema } from '../../api/face.js';
import type { ReadWorkerStats } from '../../engine/face.js';
import { productVersion } from '../../platform/outbound/product-version.js';

interface Services {
  operators: Pick<OperatorCheck, 'requireOperator'>;
  workerStats: ReadWorkerStats;
}

const TAG = 'Info';
const count = Joi.number().integer().min(0);

const infoResponse = responseSchema({
  stack: responseSchema({
    name: Joi.string().description('The host name of this server'),
    type: Joi.valid('self-hosted').description('Always `self-hosted`'),
    region: Joi.valid(null).description('Always null; regions are not supported'),
    egress_ips: Joi.array()
      .length(0)
      .description('Always empty; the server does not know its public addresses'),
  }).description('The installation'),
  version: Joi.string().description('The version of Fabula'),
  public_url: Joi.string().description('The URL at which programs call the API and webhooks'),
});

const statsResponse = responseSchema({
  current_workers: count.description('Running jobs'),
  max_workers: count
    .allow(null)
    .description(
      'Jobs that all live workers can run concurrently; 0 if no worker is live; null if Redis does not list them',
    ),
  queue_count: count.description('Jobs waiting for a worker'),
  queue_latency: count.description('Age of the oldest one in seconds; 0 if none is waiting'),
});

/** Facts of the installation (spec §1.9). */
export const infoRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/info',
    summary: 'Get information about the installation',
    docs: {
      description: 'Its host name, version and public URL. Outbound IP addresses are not included.',
      tag: TAG,
      operationId: 'getInfo',
      response: infoResponse,
      example: {
        response: {
          stack: { name: 'fabula.example.com', type: 'self-hosted', region: null, egress_ips: [] },
          version: '1.0.0',
          public_url: 'https://fabula.example.com',
        },
      },
      errors: [],
    },
    handle: ({ request }) => ({
      stack: { name: new URL(request.baseUrl).hostname, type: 'self-hosted', region: null, egress_ips: [] },
      version: productVersion(),
      public_url: request.baseUrl,
    }),
  }),

  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/info/worker_stats',
    summary: 'Count workers and waiting jobs',
    docs: {
      tag: TAG,
      operationId: 'getWorkerStats',
      description:
        'For an Owner of the only tenant. Counts cover all worker processes. Deliveries that wait for a later time, or for their story’s share of jobs, have no job yet.',
      response: statsResponse,
      example: {
        response: { current_workers: 3, max_workers: 120, queue_count: 12, queue_latency: 2 },
      },
      errors: [403],
    },
    async handle({ actor }, { operators, workerStats }) {
      await operators.requireOperator(actor);
      const { running, slots, waiting, oldestWaitMs } = await workerStats();
      return {
        current_workers: running,
        max_workers: slots ?? null,
        queue_count: waiting,
        // Clients in typed languages read a whole number.
        queue_latency: Math.round(oldestWaitMs / 1000),
      };
    },
  }),
];
