import { webhookEntries } from '../../../src/operate/monitoring/inbox/webhook-entries.js';
import type { KnownCalls } from '../../../src/web/webhooks/calls/call-log.js';
import type { RefusalReason } from '../../../src/web/webhooks/calls/refusal-reason.js';
import { createRefusedWebhooks } from '../../../src/web/webhooks/calls/refused-webhooks.js';

const HOUR_MS = 3_600_000;
const SCOPE = { tenantId: 1, teamIds: [3] };

const refused = (count: number, reason: RefusalReason = 'unauthorized'): KnownCalls['refused'] =>
  Array.from({ length: count }, (_, n) => ({
    at: Date.now() - n,
    status: 401,
    reason,
    message: '',
    address: '',
    contentType: '',
    method: 'POST',
  }));

/** The titles of the entries about these webhooks: their kept refusals, and what was counted in so many hours. */
async function titlesOf(
  hooks: { name: string; kept: KnownCalls['refused']; counted: number; hours: number }[],
) {
  const known = hooks.map(({ kept, counted, hours }): KnownCalls => {
    const since = new Date(Date.now() - hours * HOUR_MS);
    const counts = { since, accepted: 0, refused: { unauthorized: counted }, unrecorded: 0 };
    return { accepted: [], refused: kept, counts };
  });
  const webhooks = hooks.map(({ name }, id) => ({ id, name, teamId: 3, storyId: 12, storyName: 'Alerts' }));
  const read = createRefusedWebhooks({
    database: { read: async () => webhooks as never },
    log: {
      called: async () => webhooks.map(({ id }) => id),
      countRefused: async (ids) => new Map(ids.map((id) => [id, hooks[id]!.counted])),
      read: async (ids) => new Map(ids.map((id) => [id, known[id]!])),
    },
  });
  return webhookEntries(await read(SCOPE, 2)).map(({ title }) => title);
}

it('refused calls are those of a day, though counters of calls that go on are older', async () => {
  expect(
    await titlesOf([
      { name: 'Old', kept: refused(3), counted: 9_000, hours: 2_000 },
      { name: 'Busy', kept: refused(20), counted: 9_000, hours: 25 },
      { name: 'New', kept: refused(20), counted: 400, hours: 23 },
    ]),
  ).toEqual(['New refused 400 calls', 'Busy refused 20 or more calls']);
});

it('a client that left is no refusal, however often it did', async () => {
  expect(
    await titlesOf([
      { name: 'Left', kept: refused(20, 'client_gone'), counted: 500, hours: 30 },
      { name: 'Gone', kept: refused(19, 'client_gone'), counted: 400, hours: 30 },
      { name: 'Refused', kept: refused(1), counted: 1, hours: 1 },
    ]),
  ).toEqual(['Refused refused 1 call']);
});
