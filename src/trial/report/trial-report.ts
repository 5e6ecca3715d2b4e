import type { AnswerOrigin } from '../answers/answer-origin.js';
import type { AgentLogLevel } from '../../agents/face.js';
import type { EventBranch } from '../../engine/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';

/** The agent and time of an entry. */
export interface ReportPlace {
  story: string;
  agent: string;
  /** 0: none, as of an event that no action of the story emitted. */
  agentId: number;
  /** The agent's inbound event; undefined at the start of a run. */
  parentId: number | undefined;
  /** Simulated ms since the start. */
  elapsedMs: number;
}

/** The port by which an event leaves its agent. */
export const EVENT_PORTS = ['default', 'no_match', 'failure'] as const;
export type EventPort = (typeof EVENT_PORTS)[number];

/** An event for all links tells of no match: only a trigger emits one. */
const PORTS = { normal: 'default', secondary: 'no_match', all: 'no_match', failure: 'failure' } as const;

/** Returns the port of an output. */
export const portOf = (branch: EventBranch): EventPort => PORTS[branch];

export interface EventEntry extends ReportPlace {
  kind: 'event';
  id: number;
  storyRunGuid: string;
  payload: JsonValue;
  /** Undefined: the trial began with the event. */
  port: EventPort | undefined;
  /** Ids of the agents that receive it. */
  receiverIds: number[];
}

export interface RequestEntry extends ReportPlace {
  kind: 'request';
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Parsed JSON, else text, else base64; undefined without a body. */
  body: JsonValue | undefined;
  /** 0: no response. */
  status: number;
  /** Why there was no response. */
  reason: string | undefined;
  origin: AnswerOrigin;
}

export interface MailEntry extends ReportPlace {
  kind: 'mail';
  mail: Mail;
}

export interface DeadLetterEntry extends ReportPlace {
  kind: 'dead_letter';
  error: string;
}

export interface TrialLogEntry extends ReportPlace {
  kind: 'log';
  level: AgentLogLevel;
  message: string;
}

/** A written record; its event shows it too. */
export interface RecordEntry extends ReportPlace {
  kind: 'record';
  recordType: string;
  record: JsonObject;
}

/** The agent did its work without an output: a trigger that does not match, a duplicate. */
export interface SilentEntry extends ReportPlace {
  kind: 'silent';
}

/** A prompt link; a click emits the agent's first event again, with the answer. */
export interface PromptEntry extends ReportPlace {
  kind: 'prompt';
  status: string;
}

/** A call of another story: the parent of the first events of the called run. */
export interface CallEntry extends ReportPlace {
  kind: 'call';
  calledStory: string;
  /** The event with the called run's input. */
  inputId: number;
}

/** An entry of the report, in order of time. */
export type TrialEntry =
  | EventEntry
  | RequestEntry
  | MailEntry
  | DeadLetterEntry
  | TrialLogEntry
  | PromptEntry
  | RecordEntry
  | SilentEntry
  | CallEntry;

/** A reached agent whose type does not run on this server. */
export interface ImportOnlyAction {
  story: string;
  agent: string;
  reason: string;
}

/** The result of a trial. */
export interface TrialReport {
  story: string;
  entries: TrialEntry[];
  /** Requests without a rule, as `GET https://…`, each once. */
  unanswered: string[];
  /** Names used by rendered templates for which no value was given. */
  missing: { credentials: string[]; resources: string[] };
  importOnly: ImportOnlyAction[];
  /** Deliveries still open at the end, which nothing will end. */
  waiting: ReportPlace[];
  /** Why it was stopped early; otherwise undefined. */
  stopped: string | undefined;
}

/** Returns the entries of one kind, in order. */
export function entriesOf<Kind extends TrialEntry['kind']>(
  { entries }: Pick<TrialReport, 'entries'>,
  kind: Kind,
): Extract<TrialEntry, { kind: Kind }>[] {
  return entries.filter((entry) => isOfKind(entry, kind)) as Extract<TrialEntry, { kind: Kind }>[];
}

function isOfKind(entry: TrialEntry, kind: TrialEntry['kind']): boolean {
  return entry.kind === kind;
}

/** Returns true for a dead letter, a request without a rule, or an early stop. */
export function hasFailedTrial(report: TrialReport): boolean {
  return (
    entriesOf(report, 'dead_letter').length > 0 ||
    report.unanswered.length > 0 ||
    report.stopped !== undefined
  );
}

/** A mail in readable form. */
export interface MailView extends JsonObject {
  to: string[];
  subject: string;
  text: string;
}

/** Returns recipients and texts of a mail, without empty parts. */
export function mailOf({ to, cc, bcc, subject, text, attachments }: Mail): MailView {
  return {
    to: addressesOf(to),
    ...(cc.length > 0 && { cc: addressesOf(cc) }),
    ...(bcc.length > 0 && { bcc: addressesOf(bcc) }),
    subject,
    text,
    ...(attachments.length > 0 && { attachments: attachments.map(({ filename }) => filename) }),
  };
}

function addressesOf(list: Mail['to']): string[] {
  return list.map(({ address }) => address);
}
