import type { DeliveryRow, SettledOutcome } from '../../engine/face.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { Mailer } from '../../platform/outbound/mail/mail.js';
import type { StoryGraph } from '../../stories/face.js';
import { valueWithMarkers } from '../../platform/secrets/secret-reference.js';
import { keepingMailer, notedClient } from '../answers/noted-outbound.js';
import type { NoteOutcome } from '../memory/trial-outcomes.js';
import { createTrialPlaces } from './trial-places.js';
import type { WriteRecord } from '../memory/trial-records.js';
import { type EventEntry, portOf, type ReportPlace, type TrialEntry } from './trial-report.js';
import type { TrialState } from '../memory/trial-state.js';

/** Records the entries of a trial in order, each with its place. */
export interface TrialJournal {
  entries: TrialEntry[];
  /** Records the event that starts the run. */
  noteStart(eventId: number): void;
  /** The next entries belong to this delivery. */
  enter(delivery: DeliveryRow): void;
  noteOutcome: NoteOutcome;
  /** Returns the client; its requests are recorded. */
  noting(client: HttpClient): HttpClient;
  /** Returns the writer of records; its records become entries. */
  notingRecords(write: WriteRecord): WriteRecord;
  /** Records mails instead of sending them. */
  mailer: Mailer;
  /** Returns the places of open deliveries, which nothing will end. */
  waiting(): ReportPlace[];
}

export function createTrialJournal(state: TrialState, graphs: ReadonlyMap<number, StoryGraph>): TrialJournal {
  const entries: TrialEntry[] = [];
  const places = createTrialPlaces(state, graphs);
  let here = places.at({ storyId: 0, agentId: 0, eventId: 0 });

  const noteEvent = (id: number, parentId: number, left: Pick<EventEntry, 'port' | 'receiverIds'>): void => {
    const event = state.events.get(id);
    if (event === undefined) return;
    const { storyRunGuid } = event;
    const payload = valueWithMarkers(event.payload);
    const place = places.at({ ...event, eventId: parentId });
    entries.push({ kind: 'event', ...place, id, storyRunGuid, payload, ...left });
  };

  return {
    entries,
    noteStart(eventId) {
      const started = state.deliveries.open().filter((delivery) => delivery.eventId === eventId);
      noteEvent(eventId, 0, { port: undefined, receiverIds: started.map(({ agentId }) => agentId) });
    },
    enter(delivery) {
      here = places.at(delivery);
    },
    noteOutcome(outcome, eventIds) {
      const { delivery, kind } = outcome;
      entries.push(...besideEvents(outcome, places.at(delivery)));
      if (kind === 'parked' && outcome.call !== undefined) {
        const calledStory = graphs.get(outcome.call.start.storyId)?.name ?? '';
        entries.push({ kind: 'call', ...places.at(delivery), calledStory, inputId: eventIds[0] ?? 0 });
      }
      if (kind !== 'done') return;
      outcome.outputs.forEach(({ origin, branch, receivers }, index) =>
        noteEvent(eventIds[index] ?? 0, places.parentIn(origin.storyRunGuid, delivery), {
          port: portOf(branch),
          receiverIds: receivers.map(({ agentId }) => agentId),
        }),
      );
    },
    noting: (client) =>
      notedClient(client, (request) => entries.push({ kind: 'request', ...here, ...request })),
    notingRecords: (write) => (wanted) => {
      const written = write(wanted);
      if (written.problem === undefined)
        entries.push({ kind: 'record', ...here, recordType: wanted.typeName, record: written.record });
      return written;
    },
    mailer: keepingMailer((mail) => entries.push({ kind: 'mail', ...here, mail })),
    waiting: () => state.deliveries.open().map((delivery) => places.at(delivery)),
  };
}

/** Returns the entries for log lines, the dead letter, prompts, and a missing output. */
function besideEvents(outcome: SettledOutcome, place: ReportPlace): TrialEntry[] {
  const { logs, kind } = outcome;
  const error = kind === 'failed' ? (outcome.error ?? '') : undefined;
  const prompts = kind === 'done' ? (outcome.prompts ?? []) : [];
  return [
    // The error of a dead letter is also a log line.
    ...logs
      .filter(({ message }) => message !== error)
      .map((line) => ({ kind: 'log' as const, ...place, ...line })),
    ...(error === undefined ? [] : [{ kind: 'dead_letter' as const, ...place, error }]),
    ...prompts.map(({ status }) => ({ kind: 'prompt' as const, ...place, status })),
    ...(isSilent(outcome) ? [{ kind: 'silent' as const, ...place }] : []),
  ];
}

/** True without outputs, except when a called run ends: the calling agent's events came from its exits. */
function isSilent(outcome: SettledOutcome): boolean {
  return outcome.kind === 'done' && outcome.outputs.length === 0 && outcome.delivery.state !== 'parked';
}
