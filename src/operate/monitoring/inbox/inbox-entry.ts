import { visibleText } from '../../../platform/visible-text.js';
import type { StoryChangeRecord } from '../../../stories/face.js';
import type { Severity } from '../reasons/reason.js';

/** Kinds of entries, in the order in which they are read. */
export const INBOX_KINDS = [
  'failures',
  'held',
  'quota',
  'schedule',
  'webhook',
  'credential',
  'repository',
  'api_key',
] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** A story or an action by its name; null: it has been deleted. */
export interface Named {
  id: number;
  name: string | null;
}

/** The deliveries of one action that wait. */
export interface HeldAction {
  story: Named;
  action: Named;
  queue: string;
  count: number;
  oldestAt: Date;
}

/** A group of dead letters. */
export interface FailureGroup {
  kind: string;
  deadLetterId: number | null;
  runGuid: string | null;
  retried: number;
}

/** Something that people on call should see. */
export interface InboxEntry {
  /** Names what it is about and its state, so that marks of a warning are not of the error it turns into; unique in its tenant. */
  key: string;
  kind: InboxKind;
  /** Why; null: `detail` tells more. */
  reason: string | null;
  severity: Severity;
  /** A sentence without times. */
  title: string;
  detail: string | null;
  /** Null: it is of no team. */
  teamId: number | null;
  /** The people that may see it: readers of its team, or of any team if it has none; Owners; or only the person who reads. */
  audience: 'team' | 'owners' | 'person';
  story: Named | null;
  action: Named | null;
  queue: string | null;
  quota: string | null;
  scheduleId: number | null;
  credentialId: number | null;
  apiKeyId: number | null;
  count: number;
  firstSeen: Date | null;
  lastSeen: Date | null;
  /** When it ends by itself; null: that is not known. */
  until: Date | null;
  /** Numbers of the last hours, oldest first. */
  trend: number[] | null;
  /** The change of the story since which it is so. */
  sinceVersion: StoryChangeRecord | null;
  failure: FailureGroup | null;
  held: HeldAction[] | null;
}

/** The fields that say what an entry is; the others are null unless they are given. */
type Telling = Pick<InboxEntry, 'key' | 'kind' | 'reason' | 'severity' | 'title' | 'teamId' | 'count'>;

/** Returns an entry with these fields. Control characters for text direction in a name cannot affect the rest of the title. */
export function entryOf(fields: Telling & Partial<InboxEntry>): InboxEntry {
  return { ...NOTHING_MORE, ...fields, title: visibleText(fields.title) };
}

const NOTHING_MORE: Omit<InboxEntry, keyof Telling> = {
  detail: null,
  audience: 'team',
  story: null,
  action: null,
  queue: null,
  quota: null,
  scheduleId: null,
  credentialId: null,
  apiKeyId: null,
  firstSeen: null,
  lastSeen: null,
  until: null,
  trend: null,
  sinceVersion: null,
  failure: null,
  held: null,
};

const RANK: Record<Severity, number> = { error: 0, warning: 1, note: 2 };

/** Whether `severity` is more urgent than `other`. */
export const isWorse = (severity: Severity, other: Severity): boolean => RANK[severity] < RANK[other];

/** Compares entries: the most severe first, then the one that was seen last. */
export function byUrgency(one: InboxEntry, other: InboxEntry): number {
  const seen = ({ lastSeen, firstSeen }: InboxEntry) => (lastSeen ?? firstSeen)?.getTime() ?? 0;
  return RANK[one.severity] - RANK[other.severity] || seen(other) - seen(one);
}

/** Returns a number with its noun: `1 delivery`, `10,101 deliveries`. */
export function withNoun(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
