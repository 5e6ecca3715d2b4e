import type { EdgeChange, NodeChange } from '@xyflow/react';
import type { DraftElements, DraftNode } from '../../../canvas/draft-elements.js';
import { asPlaces } from '../../../story-model/commands/arrange-commands.js';
import { keepingPlaces, move } from '../../../story-model/commands/selection-commands.js';
import type { Place } from '../../../story-model/story-draft.js';
import type { Editor } from '../editor-context.js';
import { chosenAfter } from './chosen-parts.js';

/** Returns what takes in what a person does to nodes and links by drags and presses. */
export function createPartChanges({ store, view, readOnly }: Editor, elements: DraftElements) {
  const onEdges = (changes: readonly (NodeChange<DraftNode> | EdgeChange)[]) => {
    const choices = changes.filter((change) => change.type === 'select');
    if (choices.length === 0) return;
    view.getState().choose(chosenAfter(store.getState().draft, view.getState().selection, choices));
  };
  const moved = (places: ReadonlyMap<string, Place>) => {
    if (places.size === 0 || readOnly !== undefined) return;
    const { draft, run } = store.getState();
    // Not told for each frame of a drag, but once it ends.
    run(keepingPlaces(elements.boxes(draft), move(asPlaces(draft, places))));
  };
  const onNodes = (changes: NodeChange<DraftNode>[]) => {
    onEdges(changes);
    const places = new Map<string, Place>();
    for (const change of changes) {
      if (change.type === 'dimensions' && change.dimensions) elements.measure(change.id, change.dimensions);
      if (change.type === 'position' && change.position) places.set(change.id, change.position);
    }
    moved(places);
    if (!changes.some((change) => change.type === 'position' && change.dragging === false)) return;
    store.getState().finish();
    const last = store.getState().history.past.at(-1);
    if (last !== undefined) view.getState().say(last.label);
  };
  return { onNodes, onEdges };
}
