import type { Session } from '../../platform/mysql/session.js';
import { containsPattern } from '../../platform/mysql/statements/page-query.js';
import {
  type Cursor,
  newestFirst,
  pageOf,
  placeAfter,
  rowsBefore,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { COLUMNS, type StoryRecord, type StoryRow, toRecord } from '../story/story-store.js';

/** The filter of a list of stories. `teamIds` are the teams that the actor may see. */
export interface StoryFilter {
  tenantId: number;
  teamIds: number[];
  folderId?: number | undefined;
  /** Part of the name, in any letter case. */
  search?: string | undefined;
  /** Stories with at least one of these tags. */
  tags?: readonly string[] | undefined;
  only?: StorySubset | undefined;
  /** Newest first unless given. */
  order?: StoryOrder | undefined;
}

const ENABLED = (key: string) => `JSON_CONTAINS(settings, 'true', '$.${key}')`;

/** The subsets of a list, by the name that `filter` gives them (spec §3.2). */
const SUBSETS = {
  SEND_TO_STORY_ENABLED: ENABLED('send_to_story_enabled'),
  HIGH_PRIORITY: 'priority',
  API_ENABLED: 'synchronous_webhooks_enabled',
  PUBLISHED: 'TRUE',
  // Nobody can mark a story as a favourite here.
  FAVORITE: 'FALSE',
  CHANGE_CONTROL_ENABLED: 'change_control_enabled',
  DISABLED: 'disabled',
  LOCKED: 'locked',
};
export type StorySubset = keyof typeof SUBSETS;
export const STORY_SUBSETS = Object.keys(SUBSETS) as StorySubset[];

const ACTION_COUNT = '(SELECT COUNT(*) FROM agents a WHERE a.story_id = stories.id)';
const NEWEST = { id: 'id', time: 'created_at' };
const ORDERS = {
  NAME: 'name, id',
  NAME_DESC: 'name DESC, id DESC',
  RECENTLY_EDITED: 'editedAt DESC, id DESC',
  LEAST_RECENTLY_EDITED: 'editedAt, id',
  ACTION_COUNT_ASC: `${ACTION_COUNT}, id`,
  ACTION_COUNT_DESC: `${ACTION_COUNT} DESC, id DESC`,
};
export type StoryOrder = keyof typeof ORDERS;
export const STORY_ORDERS = Object.keys(ORDERS) as StoryOrder[];

/** Returns a page of stories, and the place of the next one if they are newest first; all of them without a page. */
export async function listStories(
  filter: StoryFilter,
  page: WalkWindow | undefined,
  session: Session,
): Promise<{ items: StoryRecord[]; next?: Cursor | null }> {
  if (filter.teamIds.length === 0) return { items: [] };
  const { sql, values } = whereOf(filter);
  const place = placeAfter(page?.after, NEWEST);
  const order = filter.order === undefined ? newestFirst(NEWEST) : ORDERS[filter.order];
  const limit = page === undefined ? '' : ' LIMIT ? OFFSET ?';
  const rows = await session.rows<StoryRow>(
    `SELECT ${COLUMNS} FROM stories WHERE ${sql}${place.sql} ORDER BY ${order}${limit}`,
    [...values, ...place.values, ...(page === undefined ? [] : [page.limit + 1, rowsBefore(page)])],
  );
  const { items, next } = pageOf(rows.map(toRecord), page?.limit ?? rows.length, placeOf);
  return { items, ...(filter.order === undefined && { next }) };
}

const placeOf = ({ id, createdAt }: StoryRecord): Cursor => ({ id, time: createdAt });

/** Returns the number of stories under this filter. */
export async function countStories(filter: StoryFilter, session: Session): Promise<number> {
  if (filter.teamIds.length === 0) return 0;
  const { sql, values } = whereOf(filter);
  const [row] = await session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM stories WHERE ${sql}`, values);
  return row?.n ?? 0;
}

function whereOf(filter: StoryFilter): { sql: string; values: SqlValue[] } {
  const terms: [string, SqlValue][] = [
    ['tenant_id = ?', filter.tenantId],
    ['team_id IN (?)', filter.teamIds],
  ];
  if (filter.folderId !== undefined) terms.push(['folder_id = ?', filter.folderId]);
  if (filter.search !== undefined && filter.search !== '') {
    terms.push(["name LIKE ? ESCAPE '!'", containsPattern(filter.search)]);
  }
  const tagged = tagTerms(filter.tags);
  const subset = SUBSETS[filter.only ?? 'PUBLISHED'];
  const sql = ['draft_of IS NULL', ...terms.map(([sql]) => sql), ...tagged.sql, subset];
  return { sql: sql.join(' AND '), values: [...terms.map(([, value]) => value), ...tagged.values] };
}

function tagTerms(tags: readonly string[] = []): { sql: string[]; values: string[] } {
  if (tags.length === 0) return { sql: [], values: [] };
  const any = tags.map(() => "JSON_CONTAINS(settings, ?, '$.tags')").join(' OR ');
  return { sql: [`(${any})`], values: tags.map((tag) => JSON.stringify(tag)) };
}
