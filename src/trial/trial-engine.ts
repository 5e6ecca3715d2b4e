import { stringifyJson } from '../platform/json/exact-number.js';
import {
  type CallDeps,
  createPromptLinks,
  createRunDelivery,
  type DeliveryLoader,
  type IdempotencyKeys,
  type RunDelivery,
} from '../engine/face.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import { NO_QUOTAS } from '../people/face.js';
import type { StoryGraph } from '../stories/face.js';
import type { TrialFindings } from './report/trial-findings.js';
import type { TrialJournal } from './report/trial-journal.js';
import { createTrialClaims, type KnownNew } from './memory/trial-claims.js';
import { createTrialOutcomes, type TrialOutcomes, type NoteOutcome } from './memory/trial-outcomes.js';
import type { WriteRecord } from './memory/trial-records.js';
import type { TrialState } from './memory/trial-state.js';
import type { TrialValues, OnMissing } from './memory/named-trial-values.js';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
/** Makes the same idempotency keys in each trial with this seed. */
const marksOf =
  (seed: string): IdempotencyKeys =>
  () =>
    Promise.resolve(({ id }) => `${seed}-${id}`);

/** The size at which a trial is stopped. */
export interface TrialRunLimits {
  maxEvents: number;
  /** The size of all payloads, as JSON. */
  maxCharacters?: number;
  /** Ms that it may take, without those that it waits for responses. */
  maxMs?: number;
}

/** Dependencies of a trial. */
export interface TrialDeps
  extends Pick<CallDeps, 'languages' | 'domain' | 'logger' | 'watchSender' | 'noteRules'> {
  /** Creates the HTTP client; `onUnanswered` gets `GET https://…` of each request without a response. */
  createHttp(onUnanswered: (request: string) => void): HttpClient;
  /** Idempotency keys, ids of mails and links of prompts are made with it. */
  seed?: string;
  /** Creates the values of the teams of these stories. */
  createValues(graphs: ReadonlyMap<number, StoryGraph>, onMissing: OnMissing): TrialValues;
  limits: CallDeps['limits'] & TrialRunLimits;
  /** The server's URL in links. */
  baseUrl: string;
  /** Returns the ms that it has waited for responses; none unless given. */
  waitedMs?: () => number;
}

interface EngineParts {
  state: TrialState;
  journal: TrialJournal;
  findings: TrialFindings;
  graphs: ReadonlyMap<number, StoryGraph>;
  loadGraph: (id: number) => Promise<StoryGraph | undefined>;
  writeRecord: WriteRecord;
  noteOutcome: NoteOutcome;
  isKnownNew: KnownNew | undefined;
  newGuid: () => string;
  deps: TrialDeps;
}

/** Creates the engine of the workers, over memory instead of stores. */
export function createTrialEngine(parts: EngineParts): {
  runDelivery: RunDelivery;
  outcomes: TrialOutcomes;
} {
  const { state, journal, findings, newGuid, deps } = parts;
  const { languages, domain, limits, baseUrl, logger, seed = 'trial' } = deps;
  const secret = () => Promise.resolve(seed);
  const loader = createTrialLoader(state);
  const find = (id: number) => Promise.resolve(parts.graphs.get(id));
  const findCurrent = async (id: number) => (await find(id)) ?? parts.loadGraph(id);
  const graphs = { find, findCurrent };
  const claims = createTrialClaims({
    clock: state,
    writeRecord: journal.notingRecords(parts.writeRecord),
    isKnownNew: parts.isKnownNew,
  });
  const outcomes = createTrialOutcomes({ state, claims, loader, graphs, note: parts.noteOutcome });
  const runDelivery = createRunDelivery({
    loader,
    graphs,
    outcomes,
    ...deps.createValues(parts.graphs, findings.missing),
    languages,
    http: journal.noting(deps.createHttp(findings.noteUnanswered)),
    mailers: { of: () => journal.mailer },
    newGuid,
    idempotencyKeys: marksOf(seed),
    prompts: createPromptLinks({ secret, baseUrl, expiresInSeconds: WEEK_SECONDS }),
    limits,
    random: () => 1,
    domain,
    logger,
    quotas: NO_QUOTAS,
    watchSender: deps.watchSender,
    noteRules: deps.noteRules,
  });
  return { runDelivery, outcomes };
}

function createTrialLoader({ deliveries, events, calls }: TrialState): DeliveryLoader {
  const runsOf = (id: number) =>
    [...calls.values()]
      .filter(({ caller }) => caller.id === id)
      .map(({ storyRunGuid: guid }) => {
        const event = [...events.values()].find(({ storyRunGuid }) => storyRunGuid === guid);
        return { guid, storyId: event?.storyId ?? 0 };
      });
  return {
    delivery: (id) => Promise.resolve(deliveries.find(id)),
    event: (id) => Promise.resolve(events.get(id)),
    events: (ids) => Promise.resolve(new Map(ids.flatMap((id) => entryOf(events, id)))),
    call: (guid) => Promise.resolve(calls.get(guid)),
    drafts: () => Promise.resolve([]),
    calledRuns: (id) => Promise.resolve(runsOf(id)),
    exitEvents: (guids, agentIds) =>
      Promise.resolve(
        [...events.values()]
          .filter(({ storyRunGuid, agentId }) => guids.includes(storyRunGuid) && agentIds.includes(agentId))
          .map(({ storyRunGuid, payload }) => ({ guid: storyRunGuid, payload: stringifyJson(payload) })),
      ),
  };
}

function entryOf<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): [Key, Value][] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}
