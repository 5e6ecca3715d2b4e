import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { ActiveStory, Draft, PublishedStory } from '../../../../../clients/typescript/api.js';
import { isAbsent } from '../../../text/problems.js';
import { BackLink } from '../../../ui/back-link.js';
import { Card } from '../../../ui/card.js';
import { NotFoundPage } from '../../../ui/not-found-page.js';
import { Answer, Failed, Loading } from '../../../ui/states.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { isolated } from '../../../text/isolated.js';
import { useTitle } from '../../../ui/browser/use-title.js';
import { Badge } from '../../../ui/words/badge.js';
import { useDrafts, useStory } from '../../story/story-data.js';
import { editorAddress } from '../editor-address.js';
import { DraftGone } from '../save/draft-gone.js';
import { ComparedDraft } from './compared-draft.js';
import { LostTests, TestNames } from './lost-tests.js';
import { DifferenceList } from './difference-list.js';
import { useComparison } from './publish-data.js';
import styles from './publish.module.css';

/** Compares a draft with its story, and publishes it. */
export function PublishPage() {
  const storyId = Number(useParams<{ id: string }>().id);
  const draftId = numberIn(useAddress()[0], 'draft');
  const story = useStory(storyId);
  const drafts = useDrafts(storyId);
  const [done, setDone] = useState<PublishedStory>();
  useTitle(story.data === undefined ? 'Publish' : `Publish ${isolated(story.data.name)}`);
  if (done !== undefined) return <Done published={done} />;
  const error = story.error ?? drafts.error;
  // A colleague may delete the story while this page is open.
  if (error && isAbsent(error)) return <NotFoundPage />;
  if (story.data === undefined || drafts.data === undefined) {
    const retry = () => [story.refetch(), drafts.refetch()];
    return error ? <Failed error={error} retry={retry} /> : <Loading lines={8} />;
  }
  const draft = drafts.data.find(({ id }) => id === draftId);
  if (draft === undefined)
    return draftId === undefined ? <NotFoundPage /> : <DraftGone storyId={storyId} draftId={draftId} />;
  return <Open key={draft.id} story={story.data} draft={draft} onPublished={setDone} />;
}

interface OpenProps {
  story: ActiveStory;
  draft: Draft;
  onPublished: (story: PublishedStory) => void;
}

function Open({ story, draft, onPublished }: OpenProps) {
  const comparison = useComparison({ storyId: story.id, draftId: draft.id });
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <BackLink href={editorAddress(story.id, { draft: draft.id })}>Editor</BackLink>
        <h1 className="grow cut" title={story.name}>
          Compare and publish <bdi>{story.name}</bdi>
        </h1>
        <Badge tone="info">{draft.name}</Badge>
      </header>
      <Answer of={comparison} lines={8}>
        {(data) => <ComparedDraft story={story} draft={draft} comparison={data} onPublished={onPublished} />}
      </Answer>
    </div>
  );
}

function Done({ published }: { published: PublishedStory }) {
  const { id, name, merged = [], overwritten = [], warnings = [], tests } = published;
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow" role="status">
          <h1>
            Published: <bdi>{name}</bdi>
          </h1>
        </div>
        <Link href={`/stories/${id}`} className="button main">
          Open the story
        </Link>
      </header>
      {warnings.map((warning) => (
        <p key={warning} className="warn">
          {warning}
        </p>
      ))}
      {(tests?.failed.length ?? 0) > 0 && (
        <p className="warn wrap">
          These tests fail: <TestNames of={tests?.failed.map((test) => test.name) ?? []} />
        </p>
      )}
      <LostTests {...tests} />
      {overwritten.length > 0 && (
        <Card title="Overwritten">
          <div className={styles['inner']}>
            <DifferenceList differences={overwritten} nothing="" />
          </div>
        </Card>
      )}
      <Card title="Merged from the live story">
        <div className={styles['inner']}>
          <DifferenceList
            differences={merged}
            nothing="Nothing: the draft already had everything that was published."
          />
        </div>
      </Card>
    </div>
  );
}
