import type { Session } from '../../platform/mysql/session.js';

/** The one who answers for a story. */
export interface AnsweringOwner {
  type: 'USER' | 'TEAM';
  id: number;
  name: string;
}

interface OwnerRow {
  storyId: number;
  userId: number | null;
  userName: string | null;
  teamId: number | null;
  teamName: string | null;
}

/** Returns those who answer for these stories, by story id; a story whose owner is deleted has none. */
export async function findAnsweringOwners(
  storyIds: readonly number[],
  session: Session,
): Promise<Map<number, AnsweringOwner>> {
  if (storyIds.length === 0) return new Map();
  const rows = await session.rows<OwnerRow>(
    `SELECT s.id AS storyId, u.id AS userId,
            COALESCE(NULLIF(TRIM(CONCAT(u.first_name, ' ', u.last_name)), ''), u.email) AS userName,
            t.id AS teamId, t.name AS teamName
     FROM stories s LEFT JOIN users u ON u.id = s.owner_user_id LEFT JOIN teams t ON t.id = s.owner_team_id
     WHERE s.id IN (?)`,
    [[...storyIds]],
  );
  return new Map(
    rows.flatMap((row): [number, AnsweringOwner][] => {
      const owner = ownerIn(row);
      return owner === undefined ? [] : [[row.storyId, owner]];
    }),
  );
}

function ownerIn({ userId, userName, teamId, teamName }: OwnerRow): AnsweringOwner | undefined {
  if (userId !== null) return { type: 'USER', id: userId, name: userName ?? '' };
  return teamId === null ? undefined : { type: 'TEAM', id: teamId, name: teamName ?? '' };
}
