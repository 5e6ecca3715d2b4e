import type { NodeChange } from '@xyflow/react';
import { useMemo } from 'react';
import { Canvas } from '../../../canvas/canvas.js';
import type { CanvasNode } from '../../../canvas/fold-elements.js';
import { draftEdges, draftNodes } from '../../../canvas/draft-elements.js';
import { move } from '../../../story-model/selection-commands.js';
import type { Place } from '../../../story-model/story-draft.js';
import { useEdited, useEditor, useRun, useView } from '../editor-context.js';

/** The story under edit as a graph. */
export function EditCanvas() {
  const { store, view, readOnly } = useEditor();
  const draft = useEdited((state) => state.draft);
  const selection = useView((state) => state.selection);
  const run = useRun();
  const edges = useMemo(() => draftEdges(draft), [draft]);
  const nodes = useMemo(() => draftNodes(draft, selection), [draft, selection]);
  const onChanges = (changes: NodeChange<CanvasNode>[]) => {
    const places = new Map<string, Place>();
    for (const change of changes) {
      if (change.type === 'position' && change.position !== undefined) places.set(change.id, change.position);
      if (change.type === 'position' && change.dragging === false) store.getState().finish();
      if (change.type === 'select' && change.selected) view.getState().choose({ actions: [change.id] });
    }
    if (places.size > 0) run(move({ actions: places }));
  };
  const [entry] = draft.actions.keys();
  return (
    <Canvas
      nodes={nodes}
      edges={edges}
      entry={entry}
      shown={selection.actions[0]}
      mayMove={readOnly === undefined}
      onChanges={onChanges}
      onLeave={() => view.getState().choose({})}
    />
  );
}
