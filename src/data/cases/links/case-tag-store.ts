import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { ensureTags } from '../../tags/tag-store.js';
import type { CaseTag } from '../case.js';

/** Returns the case's tags, in the order they were added. */
export function tagsOf(caseId: number, session: Session): Promise<CaseTag[]> {
  return session.rows<CaseTag>(
    'SELECT t.id, t.name FROM case_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.case_id = ? ORDER BY ct.id',
    [caseId],
  );
}

/** Adds tags that the case does not have yet; creates those that the team lacks. */
export async function addTags(
  place: { caseId: number; teamId: number },
  names: readonly string[],
  session: Session,
): Promise<void> {
  if (names.length === 0) return;
  const { caseId, teamId } = place;
  await ensureTags(teamId, names, session);
  await session.run(
    'INSERT INTO case_tags (case_id, tag_id) SELECT ?, id FROM tags WHERE team_id = ? AND name IN (?) ORDER BY FIELD(name, ?)',
    [caseId, teamId, [...names], [...names]],
  );
}

export async function removeTags(caseId: number, tagIds: readonly number[], session: Session): Promise<void> {
  await session.run('DELETE FROM case_tags WHERE case_id = ? AND tag_id IN (?)', [caseId, idsOrNone(tagIds)]);
}
