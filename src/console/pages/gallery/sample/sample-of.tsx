import { lazy, Suspense } from 'react';
import type { ActiveStory } from '../../../../../clients/typescript/api.js';
import { useAddress } from '../../../ui/browser/use-address.js';

const SampleDialog = lazy(async () => ({ default: (await import('./sample-dialog.js')).SampleDialog }));

/** Shows the sample of the gallery that the address of a story's page names: `?sample=alert-triage`. */
export function SampleOf({ story }: { story: Pick<ActiveStory, 'id' | 'team_id' | 'name'> }) {
  const [query, change] = useAddress();
  const slug = query.get('sample');
  if (slug === null) return null;
  return (
    <Suspense>
      <SampleDialog story={story} slug={slug} onClose={() => change({ sample: undefined })} />
    </Suspense>
  );
}
