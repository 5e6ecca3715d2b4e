import type { LogLevel } from '../../agents/agent.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { Mail } from '../../platform/outbound/mail.js';

/** Whose work an entry comes of, and when. */
export interface Place {
  story: string;
  agent: string;
  /** The event that led to it; undefined where a run began. */
  parentId: number | undefined;
  /** Since the beginning; nobody waited for it. */
  elapsedMs: number;
}

export interface EventEntry extends Place {
  kind: 'event';
  id: number;
  storyRunGuid: string;
  payload: JsonValue;
}

export interface RequestEntry extends Place {
  kind: 'request';
  method: string;
  url: string;
  headers: Record<string, string>;
  /** A value where it is JSON, else text; base64 of bytes that are no text; undefined: none. */
  body: JsonValue | undefined;
  /** 0: there was no answer. */
  status: number;
  /** Why there was no answer. */
  reason: string | undefined;
}

export interface MailEntry extends Place {
  kind: 'mail';
  mail: Mail;
}

export interface DeadLetterEntry extends Place {
  kind: 'dead_letter';
  error: string;
}

export interface LogEntry extends Place {
  kind: 'log';
  level: LogLevel;
  message: string;
}

/** A record was written; its event shows it as well. */
export interface RecordEntry extends Place {
  kind: 'record';
  recordType: string;
  record: JsonObject;
}

/** The action did its work, and nothing came out: a trigger that does not match, a duplicate. */
export interface SilentEntry extends Place {
  kind: 'silent';
}

/** A link was made that gives the action's first event once more, with the answer. */
export interface PromptEntry extends Place {
  kind: 'prompt';
  status: string;
}

/** Another story is called: the events of its run have no parent but this. */
export interface CallEntry extends Place {
  kind: 'call';
  calledStory: string;
  /** The event that holds its input: the parent of what it begins with. */
  inputId: number;
}

/** Something that happened, in the order in which it did. */
export type TrialEntry =
  | EventEntry
  | RequestEntry
  | MailEntry
  | DeadLetterEntry
  | LogEntry
  | PromptEntry
  | RecordEntry
  | SilentEntry
  | CallEntry;

/** An action that was reached and does not run on this server. */
export interface ImportOnlyAction {
  story: string;
  agent: string;
  reason: string;
}

/** All that came of a trial. */
export interface TrialReport {
  story: string;
  entries: TrialEntry[];
  /** `GET https://…`, each once: what no rule answers. */
  unanswered: string[];
  /** Named by templates that were rendered, and not given. */
  missing: { credentials: string[]; resources: string[] };
  importOnly: ImportOnlyAction[];
  /** What was still waiting at the end, and for nothing that comes by itself. */
  waiting: Place[];
  /** Why it was stopped before its end. */
  stopped: string | undefined;
}

/** The entries of one kind, in order. */
export function entriesOf<Kind extends TrialEntry['kind']>(
  { entries }: Pick<TrialReport, 'entries'>,
  kind: Kind,
): Extract<TrialEntry, { kind: Kind }>[] {
  return entries.filter((entry) => isOfKind(entry, kind)) as Extract<TrialEntry, { kind: Kind }>[];
}

function isOfKind(entry: TrialEntry, kind: TrialEntry['kind']): boolean {
  return entry.kind === kind;
}

/** Whether it came to what its author wants to hear of: a dead letter, a request without an answer, no end. */
export function hasFailed(report: TrialReport): boolean {
  return (
    entriesOf(report, 'dead_letter').length > 0 ||
    report.unanswered.length > 0 ||
    report.stopped !== undefined
  );
}

/** A mail as people write one down. */
export interface ShownMail extends JsonObject {
  to: string[];
  subject: string;
  text: string;
}

/** Recipients and texts of a mail, without what is empty. */
export function mailOf({ to, cc, bcc, subject, text, attachments }: Mail): ShownMail {
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
