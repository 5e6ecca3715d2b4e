import { stringifyJson } from '../../../platform/json/exact-number.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { noticeText } from './notice.js';
import type { StoredNotice } from './notice-store.js';

const VERSION = 1;

/**
 * Returns the JSON body of a notice for an address (spec §10). Chat servers show its `text`. `action` is the first of
 * `actions`, which has the most.
 */
export function noticeBody({ id, teamId, createdAt, notice }: StoredNotice): Buffer {
  const { kind, story, actions, links, subject } = notice;
  const times = (name: 'first_at' | 'last_at') => actions.flatMap((action) => action[name] ?? []).toSorted();
  return Buffer.from(
    stringifyJson({
      version: VERSION,
      id,
      kind,
      created_at: timestamp(createdAt),
      team_id: teamId,
      story,
      action: actions[0] ?? null,
      actions,
      count: actions.reduce((sum, { count }) => sum + count, 0),
      first_at: times('first_at')[0] ?? null,
      last_at: times('last_at').at(-1) ?? null,
      links,
      subject,
      text: noticeText(notice).trim(),
    }),
  );
}
