import { useMemo } from 'react';
import type { StoryExport } from '../../../clients/typescript/api.js';
import { Canvas } from './canvas.js';
import { comparedElements } from './compared-elements.js';

interface ComparedCanvasProps {
  before: StoryExport;
  after: StoryExport;
  /** The guids of actions that differ. */
  changed: ReadonlySet<string>;
  /** The guid of the chosen action. */
  chosen: string | undefined;
  onChoose: (guid: string | undefined) => void;
}

/** Two states of a story in one picture, to be looked at. */
export function ComparedCanvas({ before, after, changed, chosen, onChoose }: ComparedCanvasProps) {
  const bare = useMemo(() => comparedElements(before, after, changed), [before, after, changed]);
  const nodes = useMemo(
    () => bare.nodes.map((node) => (node.id === chosen ? { ...node, selected: true } : node)),
    [bare, chosen],
  );
  const first = bare.nodes.find((node) => node.type === 'action' && node.data.mark !== undefined);
  return (
    <Canvas
      nodes={nodes}
      edges={bare.edges}
      entry={(first ?? bare.nodes[0])?.id}
      shown={chosen}
      onChanges={(changes) => {
        const selected = changes.find((change) => change.type === 'select' && change.selected);
        if (selected?.type === 'select') onChoose(selected.id);
      }}
      onLeave={() => onChoose(undefined)}
    />
  );
}
