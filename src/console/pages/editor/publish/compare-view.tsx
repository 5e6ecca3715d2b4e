import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { StoryExport } from '../../../../../clients/typescript/api.js';
import { ComparedCanvas } from '../../../canvas/compared-canvas.js';
import styles from './publish.module.css';

/** The action that is chosen in the list or the picture. */
export interface ChosenAction {
  chosen: string | undefined;
  onChoose: (guid: string | undefined) => void;
}

interface CompareViewProps {
  before: StoryExport;
  after: StoryExport;
  /** The guids of actions that differ. */
  changed: ReadonlySet<string>;
  /** In how many runs an action did otherwise, by its guid. */
  differing?: ReadonlyMap<string, number> | undefined;
  /** The list beside the picture. */
  children: (action: ChosenAction) => ReactNode;
}

/** Two states of a story: a list of what differs, and one picture of both. */
export function CompareView({ before, after, changed, differing, children }: CompareViewProps) {
  const [chosen, onChoose] = useState<string>();
  const picture = useRef<HTMLElement>(null);
  useEffect(() => {
    // In a narrow window it stands below the list.
    if (chosen !== undefined) picture.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div className={styles['compared']}>
      <div className={styles['list']}>{children({ chosen, onChoose })}</div>
      <section ref={picture} className={styles['picture']} aria-label="Canvas of the changes">
        <ComparedCanvas
          before={before}
          after={after}
          changed={changed}
          differing={differing}
          chosen={chosen}
          onChoose={onChoose}
        />
      </section>
    </div>
  );
}
