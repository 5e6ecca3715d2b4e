import { useMemo, useState } from 'react';
import { createDraftElements } from '../../../canvas/draft-elements.js';
import { useEdited, useEditor, useView } from '../editor-context.js';
import { useAgentTypes } from '../editor-data.js';
import { kindsToAdd } from './action-kinds-to-add.js';
import { useLiveFacts } from './live-facts.js';
import { useMissingValues } from './missing-values.js';

/** Returns the story under edit as nodes and links, and the kinds of actions that may be added to it. */
export function useDrawnDraft() {
  const draft = useEdited((state) => state.draft);
  const contested = useEdited((state) => state.contested);
  const chosen = useView((state) => state.selection);
  const tried = useView((state) => state.tried);
  const taken = useView((state) => state.taken);
  const types = useAgentTypes().data;
  const facts = useLiveFacts();
  const missingIn = useMissingValues(useEditor().teamId);
  const [elements] = useState(createDraftElements);
  const kinds = useMemo(() => kindsToAdd(types?.values() ?? []), [types]);
  const notRunnable = useMemo(
    () => new Set([...(types?.values() ?? [])].flatMap(({ type, runnable }) => (runnable ? [] : [type]))),
    [types],
  );
  const nodes = useMemo(
    () => elements.nodes(draft, { chosen, contested, facts, notRunnable, missingIn, tried }),
    [elements, draft, chosen, contested, facts, notRunnable, missingIn, tried],
  );
  const edges = useMemo(
    () => elements.edges(draft, { chosen, contested, taken }),
    [elements, draft, chosen, contested, taken],
  );
  return { elements, nodes, edges, kinds };
}
