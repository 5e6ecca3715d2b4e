import { useMemo, useState } from 'react';
import type { StoryExport } from '../../../clients/typescript/api.js';
import { Button } from '../ui/form/button.js';
import { Canvas } from './canvas.js';
import styles from './canvas.module.css';
import { comparedElements } from './compared-elements.js';
import { ShowAll } from './folding/rest-block.js';
import { onlyChanges } from './only-changes.js';

interface ComparedCanvasProps {
  before: StoryExport;
  after: StoryExport;
  /** The guids of actions that differ. */
  changed: ReadonlySet<string>;
  /** In how many runs an action did otherwise, by its guid. */
  differing?: ReadonlyMap<string, number> | undefined;
  /** The guid of the chosen action. */
  chosen: string | undefined;
  onChoose: (guid: string | undefined) => void;
}

/** Two states of a story in one picture, to be looked at: whole, or with what differs alone. */
export function ComparedCanvas({ before, after, changed, differing, chosen, onChoose }: ComparedCanvasProps) {
  const [isShort, setShort] = useState(false);
  const whole = useMemo(
    () => comparedElements(before, after, { changed, differing }),
    [before, after, changed, differing],
  );
  const short = useMemo(() => onlyChanges(whole), [whole]);
  // The list beside it leads to parts that were only moved, too.
  const isThere = chosen === undefined || short?.nodes.some(({ id }) => id === chosen);
  const drawn = (isShort && isThere && short) || whole;
  const nodes = useMemo(
    () => drawn.nodes.map((node) => (node.id === chosen ? { ...node, selected: true } : node)),
    [drawn, chosen],
  );
  const first = drawn.nodes.find((node) => node.type === 'action' && node.data.mark !== undefined);
  return (
    <ShowAll value={() => setShort(false)}>
      <div className={styles['compared']}>
        {short !== undefined && (
          <Button
            className={styles['short'] ?? ''}
            aria-pressed={drawn === short}
            onClick={() => {
              if (!isThere) onChoose(undefined);
              setShort(drawn !== short);
            }}
          >
            Only changes
          </Button>
        )}
        <Canvas
          // Another picture opens anew.
          key={drawn === short ? 'short' : 'whole'}
          nodes={nodes}
          edges={drawn.edges}
          entry={(first ?? drawn.nodes[0])?.id}
          shown={chosen}
          onChanges={(changes) => {
            const selected = changes.find((change) => change.type === 'select' && change.selected);
            if (selected?.type === 'select') onChoose(selected.id);
          }}
          onLeave={() => onChoose(undefined)}
        />
      </div>
    </ShowAll>
  );
}
