import type { Session } from '../../../platform/mysql/session.js';

/** The story of a webhook, as its list shows it. */
export interface WebhookStory {
  id: number;
  name: string;
  disabled: boolean;
}

/** Returns these stories, by id. */
export async function findCalledStories(
  session: Session,
  ids: readonly number[],
): Promise<Map<number, WebhookStory>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; name: string; disabled: number }>(
    'SELECT id, name, disabled FROM stories WHERE id IN (?)',
    [[...ids]],
  );
  return new Map(rows.map((row) => [row.id, { ...row, disabled: row.disabled !== 0 }]));
}
