import { readConfig } from '../../src/config/config.js';
import { QUEUES } from '../../src/engine/dispatch/jobs.js';

const stores = { DATABASE_URL: 'mysql://user@host/name', REDIS_URL: 'redis://host' };
const chosen = (WORKER_QUEUES?: string) =>
  readConfig(WORKER_QUEUES === undefined ? stores : { ...stores, WORKER_QUEUES }).workerQueues;

test('a worker does all work unless told otherwise: THE list of queues, and maintenance', () => {
  expect(chosen().toSorted()).toEqual([...QUEUES, 'maintenance'].toSorted());
});

test('WORKER_QUEUES names a part of it', () => {
  expect(chosen('http-request, email')).toEqual(['http-request', 'email']);
});

test('a name that no work has is refused', () => {
  expect(() => chosen('http-request,htpp')).toThrow(/WORKER_QUEUES.*expected.*maintenance/s);
});
