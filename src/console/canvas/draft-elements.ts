import type { Edge } from '@xyflow/react';
import { isolated } from '../text/isolated.js';
import { kindOfLink, type Selection, type StoryDraft } from '../story-model/story-draft.js';
import { placesInDraft } from './canvas-layout.js';
import type { CanvasNode } from './fold-elements.js';
import { NODE, NOTE_WIDTH } from './sizes.js';

const WORDS = { DEFAULT: undefined, NO_MATCH: 'no match', FAILURE: 'failure' };

/** Returns the nodes of a story under edit, by the keys of its actions and notes. */
export function draftNodes(draft: StoryDraft, { actions = [], notes = [] }: Selection): CanvasNode[] {
  const places = placesInDraft(draft);
  const chosen = new Set([...actions, ...notes]);
  return [
    ...[...draft.notes].map(
      ([key, { content, position }]): CanvasNode => ({
        id: key,
        type: 'note',
        position: position && !Array.isArray(position) ? position : { x: 0, y: -120 },
        width: NOTE_WIDTH,
        zIndex: -1,
        selected: chosen.has(key),
        data: { content },
      }),
    ),
    ...[...draft.actions].map(
      ([key, action]): CanvasNode => ({
        id: key,
        type: 'action',
        position: places.get(key) ?? { x: 0, y: 0 },
        ...NODE,
        selected: chosen.has(key),
        ariaLabel: `${isolated(action.name)}, action`,
        data: {
          action: { ...action, disabled: action.disabled ?? false },
          isFound: false,
          waiting: 0,
          failed: false,
          events: undefined,
          letters: 0,
          runnable: true,
          isOff: false,
          countedIn: '',
        },
      }),
    ),
  ];
}

/** Returns the links of a story under edit. */
export function draftEdges({ actions, links }: StoryDraft): Edge[] {
  return [...links].map(([key, link]): Edge => {
    const kind = kindOfLink(link);
    const label = WORDS[kind];
    return {
      id: key,
      source: link.source,
      target: link.receiver,
      type: 'smoothstep',
      className: `link ${kind.toLowerCase()}`,
      markerEnd: `arrow-${kind === 'FAILURE' ? 'failure' : 'default'}`,
      ariaLabel: `Link from ${actions.get(link.source)?.name ?? ''}`,
      ...(label !== undefined && { label }),
    };
  });
}
