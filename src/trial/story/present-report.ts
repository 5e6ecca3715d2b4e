import {
  type TrialReport,
  type EventEntry,
  entriesOf,
  mailOf,
  type ReportPlace,
} from '../report/trial-report.js';
import { eventBeforeIn } from '../report/trial-presenter.js';
import type { ActionOf } from './action-view.js';
import type { CharacterBudget } from './character-budget.js';

/** Returns the place of an entry, as each entry shows it. */
type At = (place: ReportPlace) => object;

/** Returns the entries of a trial as the API shows them. */
export function presentReport(report: TrialReport, actionOf: ActionOf, budget: CharacterBudget) {
  const parentOf = eventBeforeIn(report);
  const at: At = ({ story, agentId, parentId, elapsedMs }) => ({
    story,
    action: actionOf(agentId),
    parent_id: parentOf(parentId),
    at_ms: elapsedMs,
  });
  return {
    events: shownEvents(entriesOf(report, 'event'), { at, parentOf, actionOf, budget }),
    silent: entriesOf(report, 'silent').map(at),
    ...shownOutbound(report, at, budget),
    records: entriesOf(report, 'record').map((entry) => ({
      ...at(entry),
      record: budget.fit('records', entry.record),
    })),
    prompts: entriesOf(report, 'prompt').map((entry) => ({ ...at(entry), status: entry.status })),
    calls: entriesOf(report, 'call').map((entry) => ({ ...at(entry), called_story: entry.calledStory })),
    errors: entriesOf(report, 'dead_letter').map((entry) => ({ ...at(entry), error: entry.error })),
    logs: entriesOf(report, 'log').map((entry) => ({
      ...at(entry),
      severity: entry.level,
      message: budget.fit('logs', entry.message) ?? '',
    })),
    waiting: report.waiting.map(at),
    unanswered: report.unanswered,
    missing: report.missing,
    not_runnable: report.importOnly.map(({ story, agent, reason }) => ({ story, name: agent, reason })),
    stopped: report.stopped ?? null,
  };
}

interface EventsWith {
  at: At;
  parentOf: (id: number | undefined) => number | null;
  actionOf: ActionOf;
  budget: CharacterBudget;
}

function shownEvents(events: EventEntry[], { at, parentOf, actionOf, budget }: EventsWith) {
  const children = new Map<number | null, number[]>();
  for (const { id, parentId } of events) {
    const parent = parentOf(parentId);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  return events.map((entry) => ({
    id: entry.id,
    ...at(entry),
    children: children.get(entry.id) ?? [],
    port: entry.port ?? null,
    receivers: entry.receiverIds.map(actionOf).filter((action) => action !== null),
    payload: budget.fit('events', entry.payload),
  }));
}

function shownOutbound(report: TrialReport, at: At, budget: CharacterBudget) {
  return {
    requests: entriesOf(report, 'request').map((entry) => ({
      ...at(entry),
      method: entry.method,
      url: entry.url,
      headers: budget.fit('requests', entry.headers) ?? {},
      body: entry.body === undefined ? null : budget.fit('requests', entry.body),
      status: entry.status,
      reason: entry.reason ?? null,
      response_from: entry.origin,
    })),
    mails: entriesOf(report, 'mail').map((entry) => ({
      ...at(entry),
      ...budget.fit('mails', mailOf(entry.mail)),
    })),
  };
}
