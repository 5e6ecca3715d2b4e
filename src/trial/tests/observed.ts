import type { JsonValue } from '../../platform/json.js';
import { TEST_KINDS, type TestKind } from '../../stories/face.js';
import { mailOf, type TrialEntry, type TrialReport } from '../report/trial-report.js';

type Lists = Map<string, JsonValue[]>;

/** Events, requests, mails, records and errors of a run, by kind and name of the action, in order. */
export interface Observed extends Record<TestKind, Lists> {
  /** Errors of called stories, of actions whose names the story has too: no test can expect them. */
  calledErrors: Lists;
}

/**
 * Returns what the actions of a story did in a trial, in the form that tests expect. Of called stories there are the
 * errors alone. `own`: the story's own actions, by id.
 */
export function observedIn({ entries }: TrialReport, own: ReadonlyMap<number, { name: string }>): Observed {
  const lists = Object.fromEntries(TEST_KINDS.map((kind) => [kind, new Map()])) as Record<TestKind, Lists>;
  const observed: Observed = { ...lists, calledErrors: new Map() };
  const names = new Set([...own.values()].map(({ name }) => name));
  for (const entry of entries) {
    const seen = seenIn(entry);
    const isCalled = !own.has(entry.agentId);
    if (seen === undefined || (isCalled && seen.kind !== 'errors')) continue;
    const all = observed[isCalled && names.has(entry.agent) ? 'calledErrors' : seen.kind];
    const list = all.get(entry.agent);
    if (list === undefined) all.set(entry.agent, [seen.value]);
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
