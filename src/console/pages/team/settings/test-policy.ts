import { useQuery } from '@tanstack/react-query';
import type { ActiveStory, TestSettings } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useChange } from '../../../api/use-change.js';

/** A publication with failing tests goes on with a warning, or is refused. */
export type TestPolicy = TestSettings['on_publish'];

/** Each of them in words. */
export const POLICY_WORDS: Readonly<Record<TestPolicy, string>> = {
  warn: 'Publish with a warning',
  block: 'Do not publish',
};

/** Returns what failing tests do to publications of stories that do not block themselves. */
export function useTestPolicy(isWanted = true) {
  return useQuery({
    queryKey: keys.testSettings,
    enabled: isWanted,
    queryFn: async () => (await api.tenants.testSettings.get()).on_publish,
  });
}

/** Returns what failing tests do to publications of a story, the stricter of both. */
export function useStoryPolicy({ tests_on_publish: own }: Pick<ActiveStory, 'tests_on_publish'>) {
  const { data, error, refetch } = useTestPolicy(own !== 'block');
  return { data: own === 'block' ? own : data, error, refetch };
}

/** Returns what sets it; for Owners. */
export function useSetTestPolicy() {
  return useChange((policy: TestPolicy) => api.tenants.testSettings.update({ on_publish: policy }), {
    did: 'Setting saved.',
    old: ['test-settings'],
  });
}
