import { useState } from 'react';
import type { ActiveStory, StoryVersion } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { useMay } from '../../../../api/signed-in.js';
import { useChange } from '../../../../api/use-change.js';
import { numberIn, useAddress } from '../../../../ui/browser/use-address.js';
import { Question } from '../../../../ui/overlay/question.js';
import { Answer, Nothing } from '../../../../ui/states.js';
import { useDrafts } from '../../../story/story-data.js';
import { GUARD_WORDS, guardsOf } from '../../../story/story-guards.js';
import styles from '../publish.module.css';
import { ComparedVersion } from './compared-version.js';
import { NameVersion } from './name-version.js';
import { VersionList } from './version-list.js';
import { versionName } from './version-words.js';
import { stateIn, useVersions } from './versions-data.js';

interface StoryVersionsProps {
  storyId: number;
  draftId: number | undefined;
  /** The draft, or the live story. */
  edited: ActiveStory;
}

/** The parts of the address that name what is compared. */
const NONE = { version: undefined, with: undefined, of: undefined, at: undefined };
/** Clocks of the database and of the server may differ by so much. */
const CLOCKS_MS = 2_000;

/** Returns the version that a change at this time made, and the one before; undefined if either is not kept. */
function madeAt(versions: readonly StoryVersion[], at: string | null) {
  if (at === null) return undefined;
  const index = versions.findIndex(
    ({ created_at: created }) => Date.parse(created) <= Date.parse(at) + CLOCKS_MS,
  );
  const [made, before] = versions.slice(index, index + 2);
  return index < 0 || made === undefined || before === undefined ? undefined : { made, before };
}

const wordsOf = (isOfLive: boolean) => (isOfLive ? 'the live story' : 'the draft');

/** The versions of a story or of a draft: what each changed, by whom, and a comparison of the chosen one. */
export function StoryVersions({ storyId, draftId, edited }: StoryVersionsProps) {
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
      did: 'Version restored',
      onDone: () => setRestored(undefined),
    },
  );
  const here = wordsOf(draftId === undefined);
  const isOfLive = draftId === undefined || query.get('of') === 'live';
  return (
    <>
      <Answer of={versions} lines={8}>
        {(own) => {
          const live = liveVersions.data ?? [];
          const list = isOfLive && draftId !== undefined ? live : own;
          const offered = isOfLive ? drafts : [];
          const at = madeAt(own, query.get('at'));
          const version = at?.before ?? list.find(({ id }) => id === numberIn(query, 'version'));
          const shown = (
            <>
              <VersionList
                title="Versions"
                versions={own}
                of={edited.id}
                onChanges={(before, after) => change({ ...NONE, version: before, with: after })}
                chosen={version?.id}
                note={guard && GUARD_WORDS[guard]}
                mayName={mayRestore}
                onCompare={(id) => change({ ...NONE, version: id })}
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
                  onCompare={(id) => change({ ...NONE, version: id, of: 'live', with: `draft:${draftId}` })}
                  onName={setNamed}
                  onRestore={undefined}
                />
              )}
            </>
          );
          if (own.length + live.length === 0) return <Nothing title="No versions yet." />;
          return version === undefined ? (
            <div className={`${styles['list']} ${styles['alone']}`}>{shown}</div>
          ) : (
            <ComparedVersion
              storyId={isOfLive ? storyId : edited.id}
              here={wordsOf(isOfLive)}
              version={version}
              versions={list}
              drafts={offered}
              other={at?.made.id ?? stateIn(query.get('with'), { versions: list, drafts: offered })}
              onOther={(state) =>
                change({ at: undefined, version: version.id, with: state === 'live' ? undefined : state })
              }
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
          about={`It replaces ${here}. The current state is kept as a version.`}
          button="Restore"
          isBusy={restoring.isPending}
          onClose={() => setRestored(undefined)}
          onYes={() => restoring.mutate(restored)}
        />
      )}
    </>
  );
}
