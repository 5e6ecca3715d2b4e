import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { JsonValue } from '../../platform/json.js';
import { countLogLines } from '../logs/action-log-store.js';
import type { EventView } from '../events/event.js';
import { listEventIds } from '../events/event-list-store.js';
import { viewEvents, viewEventsAlone, viewInput } from '../events/event-views.js';
import { findInputId } from './run-place-store.js';
import { findUndone, type Undone } from './undone-delivery-store.js';
import type { DeliveryView, OpenDeliveryView, RunView } from './run.js';
import type { FailedAttempt } from '../attempts/attempt.js';
import { findAttempts, listAttemptIds } from '../attempts/attempt-store.js';
import type { Viewer } from '../attempts/attempt-views.js';
import { findRunFailure, type RunFailure } from '../attempts/run-failure.js';
import { canWrite } from '../../api/face.js';

/** Maximum number of open deliveries, of dead letters, and of failed attempts in a response. */
export const MAX_SHOWN = 100;

/** A run with its events, open deliveries and dead letters. */
export interface RunDetails extends RunView {
  /** Whether it was read from the archive: retention has deleted events of it. */
  archived: boolean;
  /** Its input; null for a run that a webhook started, and if retention has deleted it. */
  input: JsonValue;
  logCount: number;
  open: Undone<OpenDeliveryView>;
  deadLetters: Undone;
  /** The oldest failed attempts, up to the limit. */
  attempts: Page<FailedAttempt>;
  /** Why it failed; undefined: it has no dead letter, or is read from the archive. */
  failure: RunFailure | undefined;
  events: Page<EventView>;
  /** The first event, or the input, of a run from the archive; undefined: it has none, or is not read from there. */
  first?: Pick<EventView, 'id' | 'lineage' | 'payload'> | undefined;
}

/** A page of a run's events. */
export interface EventsPage extends Window {
  /** Whether the payloads of its events are left out. */
  withoutPayloads?: boolean | undefined;
}

/** Returns the run with a page of its events, oldest first. */
export async function viewRun(
  session: Session,
  { run, viewer }: { run: RunView; viewer: Viewer },
  page: EventsPage,
): Promise<RunDetails> {
  const { guid } = run;
  const inputId = await findInputId(session, guid);
  const { items, total } = await listEventIds(
    session,
    { scope: { kind: 'run', storyRunGuid: guid }, oldestFirst: true },
    page,
  );
  const attempts = await listAttemptIds(session, { guid }, { offset: 0, limit: MAX_SHOWN });
  const deadLetters = await findUndone(session, { guid, failed: true, limit: MAX_SHOWN });
  const view = page.withoutPayloads === true ? viewEventsAlone : viewEvents;
  return {
    ...run,
    archived: false,
    input: await viewInput(session, inputId),
    logCount: await countLogLines(session, guid),
    open: await findUndone(session, { guid, failed: false, limit: MAX_SHOWN }),
    deadLetters,
    attempts: { ...attempts, items: await findAttempts(session, attempts.items) },
    failure: await failureOf(session, { run, viewer, letter: deadLetters.deliveries[0] }),
    events: { items: await view(session, items), total },
  };
}

async function failureOf(
  session: Session,
  { run, viewer, letter }: { run: RunView; viewer: Viewer; letter: DeliveryView | undefined },
): Promise<RunFailure | undefined> {
  if (letter === undefined) return undefined;
  const { actor, teamId } = viewer;
  return findRunFailure(session, actor, { run, letter, canWrite: canWrite(actor, teamId) });
}
