import { entriesOf, hasFailedTrial, mailOf, type ReportPlace, type TrialReport } from './trial-report.js';

/** Returns a trial as JSON (docs/use/command-line.md, story try). */
export function presentTrialReport(report: TrialReport) {
  const { story, unanswered, missing, importOnly, waiting, stopped } = report;
  const at = placePresenter(report);
  return {
    ok: !hasFailedTrial(report),
    story,
    events: entriesOf(report, 'event').map((entry) => ({
      id: entry.id,
      ...at(entry),
      storyRunGuid: entry.storyRunGuid,
      payload: entry.payload,
    })),
    requests: entriesOf(report, 'request').map((entry) => ({
      ...at(entry),
      method: entry.method,
      url: entry.url,
      headers: entry.headers,
      ...(entry.body !== undefined && { body: entry.body }),
      status: entry.status,
      ...(entry.reason !== undefined && { reason: entry.reason }),
    })),
    mails: entriesOf(report, 'mail').map((entry) => ({ ...at(entry), ...mailOf(entry.mail) })),
    records: entriesOf(report, 'record').map((entry) => ({ ...at(entry), record: entry.record })),
    prompts: entriesOf(report, 'prompt').map((entry) => ({ ...at(entry), status: entry.status })),
    calls: entriesOf(report, 'call').map((entry) => ({ ...at(entry), calledStory: entry.calledStory })),
    deadLetters: entriesOf(report, 'dead_letter').map((entry) => ({ ...at(entry), error: entry.error })),
    logs: entriesOf(report, 'log').map((entry) => ({
      ...at(entry),
      level: entry.level,
      message: entry.message,
    })),
    silent: entriesOf(report, 'silent').map(at),
    unanswered,
    missing,
    importOnly,
    waiting: waiting.map(at),
    stopped: stopped ?? null,
  };
}

/**
 * Returns a function that finds the event before, by the id of an inbound event. The input of a called run is not an
 * agent's event, so its events get the event that led to the call.
 */
export function eventBeforeIn(
  report: Pick<TrialReport, 'entries'>,
): (id: number | undefined) => number | null {
  const calls = new Map(entriesOf(report, 'call').map((call) => [call.inputId, call]));
  const events = new Set(entriesOf(report, 'event').map(({ id }) => id));
  return (id) => {
    let current = id;
    while (current !== undefined && !events.has(current)) current = calls.get(current)?.parentId;
    return current ?? null;
  };
}

function placePresenter(report: TrialReport) {
  const eventBefore = eventBeforeIn(report);
  return ({ story, agent, parentId, elapsedMs }: ReportPlace) => ({
    story,
    agent,
    parentId: eventBefore(parentId),
    elapsedMs,
  });
}
