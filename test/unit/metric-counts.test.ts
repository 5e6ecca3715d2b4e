import { createMetrics } from '../../src/app/metrics/metrics.js';
import { Unavailable } from '../../src/platform/errors.js';
import { tallyOf } from '../../src/web/webhooks/webhook-meter.js';

const metricsFor = (metricsStories = 0) => createMetrics({ metrics: 'on', metricsStories })!;

/** The lines of a metric, without the role. */
async function linesOf(metrics: ReturnType<typeof metricsFor>, name: string): Promise<string[]> {
  const lines = (await metrics.text('web')).split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.map((line) => line.slice(name.length).replace(/,?role="web"/, ''));
}

it('a failure that went down failure links is handled', async () => {
  const metrics = metricsFor();
  metrics.actions.ran({ type: 'Agents::HTTPRequestAgent', storyId: 1, outcome: 'handled' } as never);
  expect(await linesOf(metrics, 'fabula_actions_total')).toEqual([
    '{type="http_request",outcome="handled"} 1',
  ]);
});

it('a delivery that ran in a process of its own has the type alone', async () => {
  const metrics = metricsFor();
  metrics.ranIsolated({ outcome: 'done', eventIds: [1] } as never);
  expect(await linesOf(metrics, 'fabula_actions_total')).toEqual(['{type="alone",outcome="event"} 1']);
});

it('the first stories are named by id, the others together', async () => {
  const metrics = metricsFor(1);
  for (const storyId of [7, 8, 9, 7])
    metrics.actions.ran({ type: 'Agents::TriggerAgent', storyId, outcome: 'event' } as never);
  expect(await linesOf(metrics, 'fabula_story_actions_total')).toEqual([
    '{story="7",outcome="event"} 2',
    '{story="other",outcome="event"} 2',
  ]);
});

it('begun, ended and refused sessions of the board are counted', async () => {
  const metrics = metricsFor();
  for (const outcome of ['signed_in', 'signed_out', 'wrong', 'refused'] as const) metrics.signedIn(outcome);
  expect(await linesOf(metrics, 'fabula_board_sign_ins_total')).toEqual([
    '{outcome="signed_in"} 1',
    '{outcome="signed_out"} 1',
    '{outcome="wrong"} 1',
    '{outcome="refused"} 1',
  ]);
});

it('a call whose run was stored counts as stored, whatever its caller gets', async () => {
  const metrics = metricsFor();
  const tally = tallyOf(metrics.webhooks);
  tally.accepted('stored', 5);
  tally.refused(new Unavailable('no response in time'));
  expect(await linesOf(metrics, 'fabula_webhook_calls_total')).toEqual(['{outcome="stored"} 1']);
});

it('a figure of a store that does not answer is absent', async () => {
  const metrics = metricsFor();
  metrics.instruments.deliveries.set({ state: 'held' }, 3);
  expect(await linesOf(metrics, 'fabula_deliveries')).toEqual(['{state="held"} 3']);
  metrics.clear('deliveries');
  expect(await linesOf(metrics, 'fabula_deliveries')).toEqual([]);
});
