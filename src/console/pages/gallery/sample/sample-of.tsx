import { lazy, Suspense } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';

const SampleDialog = lazy(async () => ({ default: (await import('./sample-dialog.js')).SampleDialog }));

/** Shows the sample of the gallery that the address of a story's page names: `?sample=alert-triage`. */
export function SampleOf({ story }: { story: Pick<ActiveStory, 'id' | 'team_id' | 'name'> }) {
  const [, go] = useLocation();
  const slug = new URLSearchParams(useSearch()).get('sample');
  if (slug === null) return null;
  return (
    <Suspense>
      <SampleDialog story={story} slug={slug} onClose={() => go(`/stories/${story.id}`, { replace: true })} />
    </Suspense>
  );
}
