import type { Problem } from '../../platform/errors.js';
import type { RecordType } from '../../data/face.js';
import type { Lineage } from '../../agents/face.js';

/** An action as a request names it: by id, guid or name. */
export type RequestedAction = number | string;

/** The guids by which an action of one story is found in another state of it, or in a draft. */
export interface KnownAction {
  id: number;
  guid: string;
  name: string;
  /** The guid in the export that it came from; of an action of a draft, that of the live one. */
  exportGuid?: string | undefined;
}

/** The story to try: a graph as JSON text, or the text of an export, whose actions have these ids. */
export type TriedStory =
  | { graph: string; actions: KnownAction[] }
  | { text: string; id: number | undefined; actions: KnownAction[] };

/** The start of a trial. JSON is text, with markers in place of secrets. */
export type TrialStart = {
  /** The event of the past run that it is; absent: the past run has no such event. */
  pastId?: number | undefined;
} & (
  | /** A run's input: a webhook emits it, any other action receives it. `entry`: the one that did in the past. */
  { kind: 'input'; action: RequestedAction | undefined; entry: KnownAction | undefined; json: string }
  /** An event with those before it. Its receivers get it, or only the named action. */
  | {
      kind: 'event';
      action: RequestedAction | undefined;
      emitter: KnownAction | undefined;
      json: string;
      before: [slug: string, json: string][];
    }
);

/** An event of a past run. */
export interface PastEvent {
  id: number;
  runGuid: string;
  /** 0: the input of a run. */
  agentId: number;
  /** JSON text; null: too large for a trial, or deleted. */
  json: string | null;
  lineage: Lineage;
}

/** An action of a past run that failed for good. */
export interface PastFailure {
  agentId: number;
  eventId: number;
  error: string;
}

/** A past run with the runs that it called. */
export interface PastRun {
  guid: string;
  createdAtMs: number;
  /** Time of its last event. */
  lastAtMs: number;
  /** Nothing of it is left to do. */
  isOver: boolean;
  /** The event that it began with. */
  firstId: number;
  /** By id. */
  events: PastEvent[];
  calls: { runGuid: string; storyId: number; teamId: number; agentId: number; eventId: number }[];
  failures: PastFailure[];
  actions: KnownAction[];
  /** Why something of it could not be taken. */
  notTaken: string[];
}

/** The size of a trial. */
export interface TrialLimits {
  maxAttempts: number;
  maxDepth: number;
  maxCallDepth: number;
  maxEvents: number;
  maxCharacters: number;
  maxMs: number;
  /** The limit of the response. */
  maxShownCharacters: number;
}

/** The values that templates of a team's stories see. */
export interface TrialTeam {
  id: number;
  /** The team's name as addresses write it. */
  slug: string | undefined;
  /** Whether resources and credentials have their test values. */
  isTest: boolean;
  /** JSON of the resources by name. */
  resources: string;
  /** The credentials by the names that templates use. */
  credentials: Record<string, string>;
  /** The hosts that each credential may be sent to; empty: any. */
  allowedHosts: Record<string, readonly string[]>;
  /** Ids of stories by name. */
  stories: Record<string, number>;
}

/** A trial of a story for a thread. It holds no secret, and no reference to one. */
export interface StoryTrialWork {
  story: TriedStory;
  /** The team of the tried story. */
  teamId: number;
  teams: TrialTeam[];
  /** Graphs of stories that it may call, as JSON text. */
  others: string[];
  start: TrialStart;
  past: PastRun | undefined;
  /** JSON of the rules that answer requests. */
  rules: string;
  /** If given, requests without a rule are sent by the process that gave the work. */
  sends: TrialSends | undefined;
  recordTypes: RecordType[];
  limits: TrialLimits;
  domain: string;
  baseUrl: string;
}

/** A story that a trial calls while it runs, with what it sees and writes. */
export interface TrialCalledStory {
  /** The graph as JSON text. */
  graph: string;
  teams: TrialTeam[];
  recordTypes: RecordType[];
}

/** The parts that a thread needs so that its requests can be sent. Both are made for this trial alone. */
export interface TrialSends {
  /** The key that signs the trial's references to credentials: nobody else can make one. */
  key: Uint8Array;
  /** The start of idempotency keys. */
  mark: string;
}

/** The result: JSON text of the response, or the faults of the request. */
export type StoryTrialDone = { json: string; problems?: undefined } | { problems: Problem[] };
