import { useState } from 'react';
import type { StoryVersion } from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { isolated } from '../../../../text/isolated.js';
import styles from '../publish.module.css';
import { versionName } from './version-words.js';
import { useVersionChanges } from './versions-data.js';
import { changeSummary } from './change-summary.js';

interface VersionChangesProps {
  /** The id of the story or the draft. */
  storyId: number;
  version: StoryVersion;
  /** The version before; undefined: none is kept. */
  before: StoryVersion | undefined;
  /** Whether it is counted at once. */
  isAsked: boolean;
  onShow: (before: number, after: number) => void;
}

/** What a version changed, in words, which lead to the comparison with the one before. */
export function VersionChanges({ storyId, version, before, isAsked, onShow }: VersionChangesProps) {
  const [isWanted, setWanted] = useState(isAsked);
  const changes = useVersionChanges(storyId, { version, before, enabled: isWanted });
  const diff = changes.data;
  if (before === undefined) return null;
  const name = isolated(versionName(version));
  const isFailed = changes.isError && !changes.isFetching;
  if (!isWanted || isFailed) {
    return (
      <Button
        look="quiet"
        className={styles['what'] ?? ''}
        aria-label={`What ${name} changed`}
        onClick={() => (isFailed ? void changes.refetch() : setWanted(true))}
      >
        What changed
      </Button>
    );
  }
  if (diff === undefined) return <span className="faint">…</span>;
  const words = changeSummary(diff.story_diff);
  if (words === '') return <span className="faint">Nothing changed but its name or place.</span>;
  return (
    <Button
      look="quiet"
      className={styles['what'] ?? ''}
      aria-label={`Show what ${name} changed: ${words}`}
      onClick={() => onShow(before.id, version.id)}
    >
      <span className="wrap">
        {words}
        {!diff.complete && ' and more'}
      </span>
    </Button>
  );
}
