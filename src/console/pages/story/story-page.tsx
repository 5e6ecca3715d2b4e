import './story.css';
import { Suspense } from 'react';
import { useParams } from 'wouter';
import type { ActiveStory } from '../../../../clients/typescript/api.js';
import { useKeys } from '../../keys/use-keys.js';
import { isAbsent } from '../../text/problems.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { NotFoundPage } from '../../ui/not-found-page.js';
import { Failed, Loading } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { SampleOf } from '../gallery/sample/sample-of.js';
import { useView, VIEWS } from './story-address.js';
import { useStory } from './story-data.js';
import { StoryHead } from './story-head.js';
import { useStoryTabs } from './tabs/story-tabs.js';

/** One story: its canvas, runs, failures, versions, webhooks, schedules and settings. */
export function StoryPage() {
  const id = Number(useParams<{ id: string }>().id);
  const story = useStory(id);
  useTitle(story.data?.name ?? 'Story');
  if (story.data === undefined) {
    if (story.error && isAbsent(story.error)) return <NotFoundPage />;
    return story.error ? <Failed error={story.error} retry={story.refetch} /> : <Loading lines={8} />;
  }
  return (
    <>
      <Opened key={id} story={story.data} />
      <SampleOf story={story.data} />
    </>
  );
}

function Opened({ story }: { story: ActiveStory }) {
  const [{ view, draft }, show] = useView(story.id);
  const place = { storyId: story.id, draftId: draft };
  const tabs = useStoryTabs(place, view);
  // A key means the same tab on every story, though some have fewer.
  useKeys(
    'page',
    Object.fromEntries(tabs.map(({ key }) => [`${VIEWS.indexOf(key) + 1}`, () => show({ view: key })])),
  );
  return (
    <div className="story">
      <StoryHead place={place} view={view} onDraft={(chosen) => show({ view, draft: chosen })} />
      <Tabs
        label="Story"
        chosen={view}
        onChoose={(key) => show({ view: key })}
        tabs={tabs.map(({ key, name, Content }) => ({
          key,
          name,
          content: () => (
            <Suspense fallback={<Loading lines={8} />}>
              <Content story={story} place={place} />
            </Suspense>
          ),
        }))}
      />
    </div>
  );
}
