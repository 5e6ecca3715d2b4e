import { useQuery } from '@tanstack/react-query';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useLater } from '../../../ui/form/use-later.js';
import { type Guard, guardsOf } from '../../story/story-guards.js';

/** The most that one answer may hold. */
const PAGE = 500;

/** Why an import cannot replace a story, by its guard. */
export const NOT_REPLACED: Record<Guard, string> = {
  locked: 'The newest story with this name is locked, so an import cannot replace it.',
  'change control':
    'The newest story with this name is under change control, so an import cannot replace it.',
};

/** Returns the guard of the story that an import of this name would replace; undefined: none is known. */
export function useGuardOfReplaced(teamId: number | undefined, name: string): Guard | undefined {
  const wanted = useLater(name.trim());
  const { data } = useQuery({
    queryKey: keys.stories.replaced(teamId, wanted),
    enabled: teamId !== undefined && wanted !== '',
    queryFn: () => findReplaced(teamId ?? 0, wanted),
  });
  return data ? guardsOf(data)[0] : undefined;
}

/** Returns the team's newest story with exactly this name; null if there is none. */
async function findReplaced(teamId: number, name: string): Promise<ActiveStory | null> {
  for (let page: number | null = 1; page !== null; ) {
    // The newest come first. The search finds longer names too, in any letter case.
    const { stories, meta } = await api.stories.list({ team_id: teamId, search: name, page, per_page: PAGE });
    const found = stories.find((story) => story.name === name);
    if (found !== undefined) return found;
    page = meta.next_page_number;
  }
  return null;
}
