import type { CallDeps } from '../execute/call.js';
import type { DeliveryLoader } from '../execute/delivery-loader.js';
import { createPromptLinks } from '../prompts/prompt-links.js';
import { createRunDelivery, type RunDelivery } from '../execute/run-delivery.js';
import type { Marks } from '../state/idempotency-key.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { NO_QUOTAS } from '../../access/quotas/tenant-quotas.js';
import type { StoryGraph } from '../../stories/story-graph.js';
import type { TrialFindings } from './trial-findings.js';
import type { TrialJournal } from './trial-journal.js';
import { createTrialClaims } from './trial-claims.js';
import { createTrialOutcomes, type TrialOutcomes } from './trial-outcomes.js';
import type { WriteRecord } from './trial-records.js';
import type { TrialState } from './trial-state.js';
import { createTrialValues, type GivenValues } from './trial-values.js';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const secret = () => Promise.resolve('trial');
/** Makes the same idempotency keys in each dry run. */
const marks: Marks = () => Promise.resolve(({ id }) => `trial-${id}`);

/** Dependencies of a dry run. */
export interface TrialDeps extends Pick<CallDeps, 'languages' | 'domain' | 'logger'> {
  /** Creates the HTTP client; `onUnanswered` gets `GET https://…` of each request without a response. */
  createHttp(onUnanswered: (request: string) => void): HttpClient;
  values: GivenValues;
  limits: CallDeps['limits'] & { maxEvents: number };
  /** The server's URL in links. */
  baseUrl: string;
}

interface EngineParts {
  state: TrialState;
  journal: TrialJournal;
  findings: TrialFindings;
  graphs: ReadonlyMap<number, StoryGraph>;
  writeRecord: WriteRecord;
  newGuid: () => string;
  deps: TrialDeps;
}

/** Creates the engine of the workers, over memory instead of stores. */
export function createTrialEngine(parts: EngineParts): { runDelivery: RunDelivery; outcomes: TrialOutcomes } {
  const { state, journal, findings, newGuid, deps } = parts;
  const { languages, domain, limits, baseUrl, logger } = deps;
  const loader = createTrialLoader(state);
  const find = (id: number) => Promise.resolve(parts.graphs.get(id));
  const graphs = { find, findCurrent: find };
  const claims = createTrialClaims({ clock: state, writeRecord: journal.notingRecords(parts.writeRecord) });
  const outcomes = createTrialOutcomes({ state, claims, loader, graphs, note: journal.noteOutcome });
  const runDelivery = createRunDelivery({
    loader,
    graphs,
    outcomes,
    ...createTrialValues(deps.values, parts.graphs, findings.missing),
    languages,
    http: journal.noting(deps.createHttp(findings.noteUnanswered)),
    mailers: { of: () => journal.mailer },
    newGuid,
    marks,
    prompts: createPromptLinks({ secret, baseUrl, expiresInSeconds: WEEK_SECONDS }),
    limits,
    random: () => 1,
    domain,
    logger,
    quotas: NO_QUOTAS,
  });
  return { runDelivery, outcomes };
}

function createTrialLoader({ deliveries, events, calls }: TrialState): DeliveryLoader {
  return {
    delivery: (id) => Promise.resolve(deliveries.find(id)),
    event: (id) => Promise.resolve(events.get(id)),
    events: (ids) => Promise.resolve(new Map(ids.flatMap((id) => entryOf(events, id)))),
    call: (guid) => Promise.resolve(calls.get(guid)),
  };
}

function entryOf<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): [Key, Value][] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}
