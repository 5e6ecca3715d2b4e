import type { StoryVersion } from '../../../../../../clients/typescript/api.js';
import { Card } from '../../../../ui/card.js';
import { Button } from '../../../../ui/form/button.js';
import { Time } from '../../../../ui/words/time.js';
import { authorName, sourceWords, versionName } from './version-words.js';
import styles from '../publish.module.css';
import { VersionChanges } from './version-changes.js';

/** Versions whose changes are counted at once; older ones when a person asks. */
const ASKED_AT_ONCE = 3;

interface VersionListProps {
  title: string;
  versions: readonly StoryVersion[];
  chosen: number | undefined;
  /** Why nothing can be restored. */
  note: string | undefined;
  mayName: boolean;
  /** The id of the story or the draft whose versions tell what they changed; undefined: they do not. */
  of?: number;
  /** Compares a version with the one before. */
  onChanges?: (before: number, after: number) => void;
  onCompare: (id: number) => void;
  onName: (version: StoryVersion) => void;
  /** undefined: nothing can be restored. */
  onRestore: ((version: StoryVersion) => void) | undefined;
}

/** The kept versions, newest first: name, person, time, and what can be done with each. */
export function VersionList(props: VersionListProps) {
  const { title, versions, chosen, note, mayName, of, onChanges, onCompare, onName, onRestore } = props;
  return (
    <Card title={title}>
      <div className={styles['inner']}>
        {note !== undefined && <p className="soft">{note}</p>}
        <ol className={styles['versions']}>
          {versions.map((version, at) => (
            <li key={version.id}>
              <span className="grow">
                <bdi className="wrap">{versionName(version)}</bdi>
                <br />
                <span className="soft">
                  <bdi>{authorName(version)}</bdi>, {sourceWords(version)}, <Time at={version.timestamp} />
                </span>
                {of !== undefined && onChanges !== undefined && (
                  <span className={styles['changes']}>
                    <VersionChanges
                      storyId={of}
                      version={version}
                      before={versions[at + 1]}
                      isAsked={at < ASKED_AT_ONCE}
                      onShow={onChanges}
                    />
                  </span>
                )}
              </span>
              <span className={styles['acts']}>
                <Button
                  look="quiet"
                  aria-pressed={version.id === chosen}
                  aria-label={`Compare ${versionName(version)}`}
                  onClick={() => onCompare(version.id)}
                >
                  Compare
                </Button>
                {mayName && (
                  <Button
                    look="quiet"
                    aria-label={`Name ${versionName(version)}`}
                    onClick={() => onName(version)}
                  >
                    Name
                  </Button>
                )}
                {onRestore !== undefined && (
                  <Button
                    look="quiet"
                    aria-label={`Restore ${versionName(version)}`}
                    onClick={() => onRestore(version)}
                  >
                    Restore
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}
