import { heldEntries } from '../../../src/operate/monitoring/inbox/held-entries.js';
import type { WorkCount } from '../../../src/operate/monitoring/queues/queue-work-store.js';

const WORK: WorkCount = {
  teamId: 3,
  queue: 'email',
  kind: 'pending',
  reason: 'queued',
  count: 4,
  oldestMs: 0,
  dueMs: 0,
  actions: [],
  isCut: false,
};
const findNames = async () => new Map();

it.each([
  ['that are paused are told', new Map([['email', { isServed: true, isPaused: true }]]), ['paused'], true],
  ['that work are nothing to tell', new Map([['email', { isServed: true, isPaused: false }]]), [], true],
  ['that Redis does not tell leave the list incomplete', undefined, [], false],
])('states of queues %s', async (_words, states, reasons, isComplete) => {
  const found = await heldEntries([WORK], { states: states as never, nowMs: 0, findNames });
  expect({ ...found, entries: found.entries.map(({ reason }) => reason) }).toEqual({
    entries: reasons,
    isComplete,
  });
});

it('work that waits for something else is told whole without them', async () => {
  const work: WorkCount = { ...WORK, kind: 'sleeping', reason: 'mails_per_day' };
  const { entries, isComplete } = await heldEntries([work], { states: undefined, nowMs: 0, findNames });
  expect(entries).toMatchObject([{ reason: 'mails_per_day', count: 4 }]);
  expect(isComplete).toBe(true);
});
