import { useMemo } from 'react';
import type { DraftElements } from '../../../canvas/draft-elements.js';
import { useEdited, useEditor, useView } from '../editor-context.js';
import { useAgentTypes } from '../editor-data.js';
import { type KindToAdd, kindsToAdd } from './adding/action-kinds-to-add.js';
import { useLiveFacts } from './live-facts.js';
import { useStepsBehind } from '../steps/editor-steps-data.js';
import { useMissingValues } from './missing-values.js';

/** Returns the kinds of actions that may be added to a story. */
export function useKindsToAdd(): KindToAdd[] {
  const types = useAgentTypes().data;
  return useMemo(() => kindsToAdd(types?.values() ?? []), [types]);
}

/** Returns the story under edit as nodes and links. They change in each frame of a drag: use it where they are drawn. */
export function useDrawnDraft(elements: DraftElements) {
  const draft = useEdited((state) => state.draft);
  const contested = useEdited((state) => state.contested);
  const chosen = useView((state) => state.selection);
  const tried = useView((state) => state.tried);
  const here = useView((state) => state.here);
  const taken = useView((state) => state.taken);
  const types = useAgentTypes().data;
  const facts = useLiveFacts();
  const { teamId } = useEditor();
  const missingIn = useMissingValues(teamId);
  const behindIn = useStepsBehind(teamId);
  const notRunnable = useMemo(
    () => new Set([...(types?.values() ?? [])].flatMap(({ type, runnable }) => (runnable ? [] : [type]))),
    [types],
  );
  const nodes = useMemo(
    () => elements.nodes(draft, { chosen, contested, facts, notRunnable, missingIn, behindIn, tried, here }),
    [elements, draft, chosen, contested, facts, notRunnable, missingIn, behindIn, tried, here],
  );
  const edges = useMemo(
    () => elements.edges(draft, { chosen, contested, taken }),
    [elements, draft, chosen, contested, taken],
  );
  return { nodes, edges };
}
