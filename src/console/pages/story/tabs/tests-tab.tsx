import { lazy, Suspense } from 'react';
import { useSearch } from 'wouter';
import { useHasKeptEdit } from '../../../api/use-kept-edit.js';
import { BackLink } from '../../../ui/back-link.js';
import { Answer, Loading, Nothing } from '../../../ui/states.js';
import { viewPath } from '../story-address.js';
import { TestList } from '../tests/test-list.js';
import { testTextPlace, useStoryTests } from '../tests/tests-data.js';
import type { TabProps } from './tab-props.js';

/** The editor of JSON is large, and most people look at results. */
const TestPane = lazy(async () => ({ default: (await import('../tests/edit/test-pane.js')).TestPane }));

/** The tests of a story or of the chosen draft; the one that the address names is open. */
export function TestsTab({ story, place }: TabProps) {
  const query = new URLSearchParams(useSearch());
  const isNew = query.get('new') === 'test';
  const name = isNew ? undefined : (query.get('test') ?? undefined);
  const id = place.draftId ?? place.storyId;
  const isChanged = useHasKeptEdit(testTextPlace(place, name));
  return (
    <div className="page">
      <Answer key={id} of={useStoryTests(place)} lines={6}>
        {(tests) => {
          if (!isNew && name === undefined) return <TestList story={story} place={place} tests={tests} />;
          const test = tests.find((each) => each.name === name);
          if (!isNew && test === undefined && !isChanged) {
            return (
              <>
                <BackLink href={viewPath(place.storyId, 'tests', place.draftId)}>Tests</BackLink>
                <Nothing title="There is no test of this name.">
                  <p>It was renamed or deleted.</p>
                </Nothing>
              </>
            );
          }
          return (
            <Suspense fallback={<Loading lines={8} />}>
              <TestPane key={`${id} ${name ?? ''}`} place={place} name={name} test={test} tests={tests} />
            </Suspense>
          );
        }}
      </Answer>
    </div>
  );
}
