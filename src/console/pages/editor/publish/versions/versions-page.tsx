import { useParams } from 'wouter';
import { isolated } from '../../../../text/isolated.js';
import { isAbsent } from '../../../../text/problems.js';
import { BackLink } from '../../../../ui/back-link.js';
import { numberIn, useAddress } from '../../../../ui/browser/use-address.js';
import { useTitle } from '../../../../ui/browser/use-title.js';
import { NotFoundPage } from '../../../../ui/not-found-page.js';
import { Failed, Loading } from '../../../../ui/states.js';
import { Badge } from '../../../../ui/words/badge.js';
import { useStory } from '../../../story/story-data.js';
import { editorAddress } from '../../editor-address.js';
import styles from '../publish.module.css';
import { StoryVersions } from './story-versions.js';

/** The versions of a story or of a draft, to be compared, named and restored. */
export function VersionsPage() {
  const storyId = Number(useParams<{ id: string }>().id);
  const draftId = numberIn(useAddress()[0], 'draft');
  const edited = useStory(draftId ?? storyId);
  useTitle(edited.data === undefined ? 'Versions' : `Versions of ${isolated(edited.data.name)}`);
  if (edited.data === undefined) {
    if (edited.error && isAbsent(edited.error)) return <NotFoundPage />;
    return edited.error ? <Failed error={edited.error} retry={edited.refetch} /> : <Loading lines={8} />;
  }
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <BackLink href={editorAddress(storyId, { draft: draftId })}>Editor</BackLink>
        <h1 className="grow cut">
          Versions of <bdi>{edited.data.name}</bdi>
        </h1>
        {draftId !== undefined && <Badge tone="info">draft</Badge>}
      </header>
      <StoryVersions key={edited.data.id} storyId={storyId} draftId={draftId} edited={edited.data} />
    </div>
  );
}
