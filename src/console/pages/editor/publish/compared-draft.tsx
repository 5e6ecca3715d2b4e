import { useMemo, useState } from 'react';
import type {
  ActiveStory,
  Draft,
  DraftComparison,
  PublishedStory,
  StoryDifference,
} from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { Answer } from '../../../ui/states.js';
import { nounWords } from '../../../ui/words/figures.js';
import { CompareView } from './compare-view.js';
import { type Choices, ConflictChoices, type Side } from './conflict-choices.js';
import { changedGuids } from './difference-groups.js';
import { LostTests } from './lost-tests.js';
import { DifferenceList } from './difference-list.js';
import { PublishFindings } from './publish-findings.js';
import { PublishBar } from './publish-bar.js';
import { useConflicts } from './publish-data.js';
import { ShadowView } from './shadow/shadow-view.js';
import { differingRuns, useShadow, useShadowDifferences } from './shadow/shadow-data.js';
import styles from './publish.module.css';

interface ComparedDraftProps {
  story: ActiveStory;
  draft: Draft;
  comparison: DraftComparison;
  onPublished: (story: PublishedStory) => void;
}

/** A draft beside its story: what must be chosen, what to know, what differs, and what can be done. */
export function ComparedDraft({ story, draft, comparison, onPublished }: ComparedDraftProps) {
  const [choices, setChoices] = useState<Choices>(new Map());
  const [rest, setRest] = useState<Side>();
  const [got, setGot] = useState<readonly StoryDifference[]>();
  const { conflict_count: count, waiting, live } = comparison;
  const { conflicts, isListing, onMore } = useConflicts({ storyId: story.id, draftId: draft.id }, comparison);
  const changed = useMemo(() => changedGuids(comparison.draft), [comparison]);
  const place = useMemo(() => ({ storyId: story.id, draftId: draft.id }), [story.id, draft.id]);
  const asked = useShadow(place);
  const shadow = asked.data;
  const found = useShadowDifferences(place, shadow);
  const differing = useMemo(() => differingRuns(found.data?.differences), [found.data]);
  const resolve = conflicts.flatMap(({ entry }) => {
    const take = choices.get(entry);
    return take === undefined ? [] : [{ entry, take }];
  });
  return (
    <CompareView
      before={comparison.live_story_export}
      after={comparison.published_export}
      changed={changed}
      differing={differing}
    >
      {(action) => (
        <>
          <p className="soft">{baseWords(comparison)}</p>
          {got !== undefined && (
            <p role="status">
              The draft is up to date:{' '}
              {got.length === 0
                ? 'there was nothing to merge.'
                : `it took ${nounWords(got.length, 'change')}.`}
            </p>
          )}
          <ConflictChoices
            conflicts={conflicts}
            count={count}
            choices={choices}
            rest={rest}
            isListing={isListing}
            onMore={onMore}
            onChoose={(entry, side) => setChoices(new Map([...choices, [entry, side]]))}
            onRest={(side) => {
              setRest(side);
              setChoices(new Map());
            }}
          />
          <PublishFindings story={story} draft={draft} waiting={waiting} />
          <PublishBar
            story={story}
            draft={draft}
            solution={{
              resolve,
              ...(rest !== undefined && {
                resolve_rest: { take: rest, live_version: comparison.live_version },
              }),
            }}
            open={rest === undefined ? count - resolve.length : 0}
            shadow={shadow}
            isBehind={comparison.base_version !== comparison.live_version}
            onUpdated={setGot}
            onPublished={onPublished}
          />
          <Card title="Shadow">
            <Answer of={asked} lines={2}>
              {(known) => (
                <ShadowView teamId={story.team_id} place={place} shadow={known} found={found} {...action} />
              )}
            </Answer>
          </Card>
          <Card title="This draft changes">
            <div className={styles['inner']}>
              <LostTests {...comparison.tests} />
              <DifferenceList differences={comparison.draft} nothing="Nothing." {...action} />
            </div>
          </Card>
          {live.length > 0 && (
            <Card title="Published since then">
              <div className={styles['inner']}>
                <DifferenceList differences={live} nothing="" {...action} />
              </div>
            </Card>
          )}
        </>
      )}
    </CompareView>
  );
}

function baseWords({ base_version: base, live_version: live }: DraftComparison): string {
  if (base === null) return 'The version that this draft is based on is unknown.';
  if (base === live) return `The draft is up to date with the live story, version ${live}.`;
  return `The draft is based on version ${base}; the live story is version ${live}.`;
}
