import type { TenantQuotas } from '../../people/face.js';
import type { SettledOutcome } from '../state/outcome.js';
import type { RunMeter } from '../state/runs/run-store.js';

/**
 * Counts committed events, the requests and responses kept with them and with log lines, and inputs of called stories, for the tenants of
 * their stories.
 */
export function meterOutcomes(outcomes: SettledOutcome[], usage: Pick<TenantQuotas, 'addOfStory'>): void {
  for (const outcome of outcomes) {
    for (const { request = '', response = '' } of outcome.logs) {
      const bytes = Buffer.byteLength(request) + Buffer.byteLength(response);
      if (bytes > 0) usage.addOfStory(outcome.delivery.storyId, { bytes });
    }
    if (outcome.kind === 'done') {
      for (const { payload, origin, request = '' } of outcome.outputs) {
        const bytes = Buffer.byteLength(payload) + Buffer.byteLength(request);
        usage.addOfStory(origin.storyId, { events: 1, bytes });
      }
    } else if (outcome.kind === 'parked' && outcome.call !== undefined) {
      const { storyId, input } = outcome.call.start;
      usage.addOfStory(storyId, { events: 1, bytes: Buffer.byteLength(input) });
    }
  }
}

/** Counts the committed runs that other stories called. */
export function countCalledRuns(outcomes: SettledOutcome[], runs: RunMeter): void {
  for (const outcome of outcomes) {
    if (outcome.kind === 'parked' && outcome.call !== undefined) runs.started(outcome.call.start.source, 1);
  }
}
