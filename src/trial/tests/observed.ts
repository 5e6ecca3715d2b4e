import type { JsonValue } from '../../platform/json.js';
import { TEST_KINDS, type TestKind } from '../../stories/face.js';
import { mailOf, type TrialEntry, type TrialReport } from '../report/trial-report.js';

/** Events, requests, mails, records and errors of a run, by kind and name of the action, in order. */
export type Observed = Record<TestKind, Map<string, JsonValue[]>>;

/**
 * Returns what the actions of a story did in a trial, in the form that tests expect. Of called stories there are the
 * errors alone: `isOwn` tells the story's own actions by id.
 */
export function observedIn({ entries }: TrialReport, isOwn: (agentId: number) => boolean): Observed {
  const observed = Object.fromEntries(TEST_KINDS.map((kind) => [kind, new Map()])) as Observed;
  for (const entry of entries) {
    const seen = seenIn(entry);
    if (seen === undefined || !(seen.kind === 'errors' || isOwn(entry.agentId))) continue;
    const list = observed[seen.kind].get(entry.agent);
    if (list === undefined) observed[seen.kind].set(entry.agent, [seen.value]);
    else list.push(seen.value);
  }
  return observed;
}

function seenIn(entry: TrialEntry): { kind: TestKind; value: JsonValue } | undefined {
  switch (entry.kind) {
    case 'event':
      return { kind: 'events', value: entry.payload };
    case 'request': {
      const { method, url, headers, body } = entry;
      return { kind: 'requests', value: { method, url, headers, ...(body !== undefined && { body }) } };
    }
    case 'mail':
      return { kind: 'mails', value: { ...mailOf(entry.mail) } };
    case 'record':
      return { kind: 'records', value: { record_type: entry.recordType, record: entry.record } };
    case 'dead_letter':
      return { kind: 'errors', value: entry.error };
    default:
      return undefined;
  }
}
