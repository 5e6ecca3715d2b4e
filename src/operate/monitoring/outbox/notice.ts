/** The occasions of notices. */
export const NOTICE_KINDS = ['failures', 'no_events', 'events', 'skipped', 'reconnect', 'digest'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** An action in a notice. */
export interface NoticeAction {
  /** Null: it was deleted. */
  id: number | null;
  name: string;
  kind: NoticeKind;
  /** Failures or events; otherwise 0. */
  count: number;
  /** The error of one failure; why starts were left out, or why a credential must be connected. */
  error: string | null;
  /** Why the last one failed; only of failures. */
  cause?: string | null;
  /** Its dead letters in the console; absent if the address of the console is not known. */
  link?: string;
  /** ISO 8601; null: not known. */
  first_at: string | null;
  last_at: string | null;
}

/** The content that recipients are told together: by mail as text, by an address as JSON too. It is stored as JSON. */
export interface Notice {
  kind: NoticeKind;
  subject: string;
  title: string;
  lines: readonly string[];
  story: { id: number; name: string } | null;
  actions: readonly NoticeAction[];
  /** Addresses at which more is told. */
  links: { details: string; story?: string };
}

/** Returns the text of a notice: a title, its lines and an address. */
export function noticeText({ title, lines, links }: Pick<Notice, 'title' | 'lines' | 'links'>): string {
  return [title, '', ...lines, '', links.details, ''].join('\n');
}
