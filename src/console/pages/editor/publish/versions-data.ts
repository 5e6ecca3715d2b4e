import { useQuery } from '@tanstack/react-query';
import type { StoryExport } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';

/** More than a story keeps. */
const MOST = 500;

/** The id of a version, or the present state. */
export type StateName = number | 'live';

/** Returns the kept versions of a story or a draft, newest first. */
export function useVersions(id: number) {
  return useQuery({
    queryKey: keys.story(id).versions,
    queryFn: async () => (await api.stories.versions.list({ id, per_page: MOST })).story_versions,
  });
}

/** Returns what is other in `other` than in a version. */
export function useVersionDiff(id: number, version: number, other: StateName) {
  return useQuery({
    queryKey: keys.story(id).versionDiff(version, String(other)),
    queryFn: () => api.stories.versions.diff.get({ id, version_id: version, with: other }),
  });
}

/** Returns a state of a story or a draft in the export form. */
export function useStateExport(id: number, state: StateName) {
  return useQuery({
    queryKey: keys.story(id).versionExport(String(state)),
    queryFn: async () => {
      if (state === 'live') return api.stories.export({ id });
      const { story_version: version } = await api.stories.versions.get({ id, version_id: state });
      return version.export_file as StoryExport;
    },
  });
}
