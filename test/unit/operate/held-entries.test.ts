import type { QueueHealth } from '../../../src/engine/dispatch/figures/queue-health.js';
import type { QueueName } from '../../../src/engine/dispatch/jobs.js';
import { heldEntries } from '../../../src/operate/monitoring/inbox/held-entries.js';
import type { WorkCount } from '../../../src/operate/monitoring/queues/queue-work-store.js';

const NOW = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;
const NAMES = new Map([[32, { action: 'Send mail', story: 'Alerts' }]]);

interface Given extends Partial<Omit<WorkCount, 'actions'>> {
  agentId?: number;
  ageMinutes?: number;
  dueMinutes?: number;
}

/** Waiting work of one action. */
function work({ agentId = 32, ageMinutes = 1, dueMinutes = 0, ...rest }: Given): WorkCount {
  const figures = {
    count: rest.count ?? 2,
    oldestMs: NOW - ageMinutes * MINUTE,
    dueMs: NOW + dueMinutes * MINUTE,
  };
  return {
    teamId: 3,
    queue: 'email',
    kind: 'sleeping',
    reason: 'delay',
    ...rest,
    ...figures,
    actions: [{ storyId: 12, agentId, ...figures }],
    isCut: rest.isCut ?? false,
  };
}

const readAll = (counts: WorkCount[], states: [QueueName, QueueHealth][] = []) =>
  heldEntries(counts, { states: new Map(states), nowMs: NOW, findNames: async () => NAMES });
const read = async (...given: Parameters<typeof readAll>) => (await readAll(...given)).entries;

it.each<[string, Given]>([
  ['warning', { reason: 'rate_limit', dueMinutes: 10 }],
  ['warning', { reason: 'retry', kind: 'retrying', ageMinutes: 15 }],
  ['note', { reason: 'throttle', dueMinutes: 61 }],
  ['warning', { reason: 'credential' }],
  ['note', { reason: 'disabled' }],
])('a %s tells of work that waits: %o', async (severity, given) => {
  const [entry, ...others] = await read([work(given)]);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    key: `held-${given.reason}-3-32`,
    severity,
    count: 2,
    story: { id: 12, name: 'Alerts' },
    action: { id: 32, name: 'Send mail' },
    until: new Date(NOW + (given.dueMinutes ?? 0) * MINUTE),
    firstSeen: new Date(NOW - (given.ageMinutes ?? 1) * MINUTE),
  });
});

it.each<[Given]>([
  [{ reason: 'rate_limit', dueMinutes: 1 }],
  [{ reason: 'retry', kind: 'retrying', ageMinutes: 9 }],
  [{ reason: 'throttle', dueMinutes: 59 }],
  [{ reason: 'delay', ageMinutes: 10_000, dueMinutes: 10_000 }],
  [{ reason: 'group', kind: 'parked' }],
  [{ reason: 'call', kind: 'parked' }],
  [{ reason: 'queued', kind: 'pending' }],
  [{ reason: null, kind: 'failed' }],
])('nothing tells of work that waits as it should: %o', async (given) => {
  expect(await read([work(given)])).toEqual([]);
});

it('what waits in queues for one reason of a team is one entry, with the actions with most of it', async () => {
  const [entry] = await read([
    work({ reason: 'mails_per_day', count: 5, ageMinutes: 3, dueMinutes: 90 }),
    work({
      reason: 'mails_per_day',
      count: 7,
      ageMinutes: 8,
      dueMinutes: 99,
      queue: 'story-runs',
      agentId: 33,
    }),
  ]);
  expect(entry).toMatchObject({
    key: 'held-mails_per_day-3',
    title: '12 deliveries wait: the mail quota is used up',
    severity: 'error',
    quota: 'mails_per_day',
    story: { id: 12 },
    action: null,
    until: new Date(NOW + 90 * MINUTE),
    firstSeen: new Date(NOW - 8 * MINUTE),
  });
  expect(entry!.held!.map(({ action, count }) => [action.name, count])).toEqual([
    [null, 7],
    ['Send mail', 5],
  ]);
});

const pending = (queue: string) => work({ kind: 'pending', reason: 'queued', queue, count: 1 });

it('jobs wait for their queue: it is paused, or nobody serves it', async () => {
  const entries = await read(
    [pending('email'), pending('http-request'), pending('trigger')],
    [
      ['email', { isServed: true, isPaused: true }],
      ['http-request', { isServed: false, isPaused: false }],
      ['trigger', { isServed: null, isPaused: false }],
    ],
  );
  expect(entries.map(({ key, title, until }) => [key, title, until])).toEqual([
    ['held-paused-3-email', '1 delivery waits: the queue is paused', null],
    ['held-no_process-3-http-request', '1 delivery waits: no process serves the queue', null],
  ]);
});

it.each<[boolean, Given]>([
  [false, { reason: 'rate_limit', isCut: true }],
  [true, { reason: 'rate_limit' }],
  [true, { reason: 'mails_per_day', isCut: true }],
  [true, { reason: 'delay', isCut: true }],
])(
  'complete is %s: actions that have entries of their own are missing or not: %o',
  async (isComplete, given) => {
    expect((await readAll([work(given)])).isComplete).toBe(isComplete);
  },
);
