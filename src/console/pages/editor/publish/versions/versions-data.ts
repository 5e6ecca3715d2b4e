import { useQuery } from '@tanstack/react-query';
import type { StoryExport, StoryVersion, VersionDiff } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { keys } from '../../../../api/keys.js';

/** More than a story keeps. */
const MOST = 500;

/** The id of a version, the present state, or that of a draft of the story. */
export type StateName = number | 'live' | `draft:${number}`;

/** Returns the id of the draft that a state names; undefined for other states. */
const draftIn = (state: StateName): number | undefined =>
  typeof state === 'string' && state !== 'live' ? Number(state.slice('draft:'.length)) : undefined;

/** Returns the state that an address names, if the story has it. */
export function stateIn(
  text: string | null,
  { versions, drafts }: { versions: readonly { id: number }[]; drafts: readonly { id: number }[] },
): StateName {
  const draft = drafts.find(({ id }) => text === `draft:${id}`);
  if (draft !== undefined) return `draft:${draft.id}`;
  return versions.find(({ id }) => text === String(id))?.id ?? 'live';
}

/** Returns the kept versions of a story or a draft, newest first. */
export function useVersions(id: number) {
  return useQuery({
    queryKey: keys.story(id).versions,
    queryFn: async () => (await api.stories.versions.list({ id, per_page: MOST })).story_versions,
  });
}

/** Returns what a version of a story or a draft changed since the one before. Versions hardly ever change, so it is asked once. */
export function useVersionChanges(
  id: number,
  { version, before, enabled }: { version: StoryVersion; before: StoryVersion | undefined; enabled: boolean },
) {
  return useQuery({
    queryKey: keys
      .story(id)
      .versionChanges([version, before].map((each) => `${each?.id} ${each?.updated_at}`)),
    enabled: enabled && before !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => api.stories.versions.diff.get({ id, version_id: before?.id ?? 0, with: version.id }),
  });
}

/** Two states of a story in the export form, and what differs. */
export interface ComparedStates {
  before: StoryExport;
  after: StoryExport;
  diff: VersionDiff;
}

/** Returns a version of a story or a draft, and another state beside it. */
export function useComparedStates(id: number, version: number, other: StateName) {
  return useQuery({
    queryKey: keys.story(id).versionDiff(version, String(other)),
    queryFn: async (): Promise<ComparedStates> => {
      const at = { id, version_id: version };
      const draft = draftIn(other);
      const [before, diff] = await Promise.all([
        exportOf(id, version),
        api.stories.versions.diff.get(
          draft === undefined ? { ...at, with: other as number | 'live' } : { ...at, draft_id: draft },
        ),
      ]);
      return { before, diff, after: diff.draft_export ?? (await exportOf(id, other)) };
    },
  });
}

async function exportOf(id: number, state: StateName): Promise<StoryExport> {
  if (typeof state !== 'number') return api.stories.export({ id });
  const { story_version: version } = await api.stories.versions.get({ id, version_id: state });
  return version.export_file as StoryExport;
}
