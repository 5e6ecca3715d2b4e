import { useState } from 'react';
import { useParams } from 'wouter';
import type { ActiveStory, StoryVersion } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { useMay } from '../../../../api/signed-in.js';
import { useChange } from '../../../../api/use-change.js';
import { isAbsent } from '../../../../text/problems.js';
import { BackLink } from '../../../../ui/back-link.js';
import { NotFoundPage } from '../../../../ui/not-found-page.js';
import { Question } from '../../../../ui/overlay/question.js';
import { Answer, Failed, Loading, Nothing } from '../../../../ui/states.js';
import { numberIn, useAddress } from '../../../../ui/browser/use-address.js';
import { isolated } from '../../../../text/isolated.js';
import { useTitle } from '../../../../ui/browser/use-title.js';
import { Badge } from '../../../../ui/words/badge.js';
import { GUARD_WORDS, guardsOf } from '../../../story/story-guards.js';
import { useDrafts, useStory } from '../../../story/story-data.js';
import { editorAddress } from '../../editor-address.js';
import { ComparedVersion } from './compared-version.js';
import { NameVersion } from './name-version.js';
import styles from '../publish.module.css';
import { VersionList } from './version-list.js';
import { versionName } from './version-words.js';
import { stateIn, useVersions } from './versions-data.js';

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
  return <Open key={edited.data.id} storyId={storyId} draftId={draftId} edited={edited.data} />;
}

interface OpenProps {
  storyId: number;
  draftId: number | undefined;
  /** The draft, or the live story. */
  edited: ActiveStory;
}

const wordsOf = (isOfLive: boolean) => (isOfLive ? 'the live story' : 'the draft');

function Open({ storyId, draftId, edited }: OpenProps) {
  const [query, change] = useAddress();
  const versions = useVersions(edited.id);
  const liveVersions = useVersions(storyId);
  const drafts = useDrafts(storyId).data ?? [];
  const [named, setNamed] = useState<StoryVersion>();
  const [restored, setRestored] = useState<StoryVersion>();
  const [guard] = guardsOf(edited);
  const mayRestore = useMay('write', edited.team_id) && guard === undefined;
  const restoring = useChange(
    ({ id }: StoryVersion) => api.stories.versions.restore({ id: edited.id, version_id: id }),
    {
      old: ['versions', 'graph', 'story', 'drafts'],
      did: 'The version is restored',
      onDone: () => setRestored(undefined),
    },
  );
  const here = wordsOf(draftId === undefined);
  const isOfLive = draftId === undefined || query.get('of') === 'live';
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <BackLink href={editorAddress(storyId, { draft: draftId })}>Editor</BackLink>
        <h1 className="grow cut">
          Versions of <bdi>{edited.name}</bdi>
        </h1>
        {draftId !== undefined && <Badge tone="info">draft</Badge>}
      </header>
      <Answer of={versions} lines={8}>
        {(own) => {
          const live = liveVersions.data ?? [];
          const list = isOfLive && draftId !== undefined ? live : own;
          const offered = isOfLive ? drafts : [];
          const version = list.find(({ id }) => id === numberIn(query, 'version'));
          const shown = (
            <>
              <VersionList
                title="Versions"
                versions={own}
                chosen={version?.id}
                note={guard && GUARD_WORDS[guard]}
                mayName={mayRestore}
                onCompare={(id) => change({ version: id, of: undefined, with: undefined })}
                onName={setNamed}
                onRestore={mayRestore ? setRestored : undefined}
              />
              {draftId !== undefined && live.length > 0 && (
                <VersionList
                  title="Versions of the live story"
                  versions={live}
                  chosen={version?.id}
                  note={undefined}
                  mayName={false}
                  onCompare={(id) => change({ version: id, of: 'live', with: `draft:${draftId}` })}
                  onName={setNamed}
                  onRestore={undefined}
                />
              )}
            </>
          );
          if (own.length + live.length === 0) return <Nothing title="No version was kept yet." />;
          return version === undefined ? (
            <div className={styles['list']}>{shown}</div>
          ) : (
            <ComparedVersion
              storyId={isOfLive ? storyId : edited.id}
              here={wordsOf(isOfLive)}
              version={version}
              versions={list}
              drafts={offered}
              other={stateIn(query.get('with'), { versions: list, drafts: offered })}
              onOther={(state) => change({ with: state === 'live' ? undefined : state })}
            >
              {shown}
            </ComparedVersion>
          );
        }}
      </Answer>
      {named !== undefined && (
        <NameVersion storyId={edited.id} version={named} onClose={() => setNamed(undefined)} />
      )}
      {restored !== undefined && (
        <Question
          title={`Restore ${versionName(restored)}?`}
          about={`It replaces ${here}. What is there now stays as a version.`}
          button="Restore"
          isBusy={restoring.isPending}
          onClose={() => setRestored(undefined)}
          onYes={() => restoring.mutate(restored)}
        />
      )}
    </div>
  );
}
