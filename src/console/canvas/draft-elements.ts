import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import type { GraphAction, GraphNote } from '../../../clients/typescript/api.js';
import type { Box } from '../story-model/commands/arrange-commands.js';
import {
  type DraftLink,
  kindOfLink,
  type LinkKind,
  type Place,
  type Selection,
  type StoryDraft,
} from '../story-model/story-draft.js';
import { isolated } from '../text/isolated.js';
import { kindOf } from '../ui/words/action-kinds.js';
import { createDraftPlaces } from './draft-places.js';
import type { ActionData } from './graph-elements.js';
import { createKept } from './kept-elements.js';
import { NODE, NOTE_HEIGHT, NOTE_WIDTH, PORT, PORT_AT } from './nodes/sizes.js';

/** What an action does beside its definition, in the live story. */
export interface ActionFacts {
  waiting: number;
  failed: boolean;
  events: number | undefined;
}

/** What an action did in the last trial. */
export type TrialMark = 'ran' | 'failed' | 'differs' | 'not reached';

/** The words of each, beside what is known of the live story. */
export const TRIAL_WORDS: Record<TrialMark, string> = {
  ran: 'ran in trial',
  failed: 'failed in trial',
  differs: 'differs in trial',
  'not reached': 'not reached in trial',
};

/** What is shown of a draft besides its parts. */
export interface DraftMarks {
  chosen: Selection;
  /** Parts that somebody else has changed as well. */
  contested: Selection;
  /** By the ids of actions. */
  facts: ReadonlyMap<number, ActionFacts>;
  notRunnable: ReadonlySet<string>;
  /** Returns what the options of an action name and the team lacks: `credential jira`. The same list for the same options. */
  missingIn: (action: GraphAction) => readonly string[];
  /** Returns in words that an action lacks a newer version of its step; undefined: it lacks none. */
  behindIn?: (action: GraphAction) => string | undefined;
  /** By the keys of actions; absent: there was no trial. */
  tried?: ReadonlyMap<string, TrialMark>;
  /** The names of others who have chosen an action, by its guid. */
  here?: ReadonlyMap<string, string>;
  /** The keys of the links that events took in the last trial. */
  taken?: ReadonlySet<string>;
}

/** What an action under edit shows. */
export interface EditData extends ActionData {
  isContested: boolean;
  missing: readonly string[];
  /** That its step has a newer version, in words. */
  behind: string | undefined;
  tried: TrialMark | undefined;
  /** The names of other people who have chosen it. */
  here: string | undefined;
  /** The ports at which links may begin. */
  ports: readonly LinkKind[];
}

/** An action under edit, drawn. */
export type EditNode = Node<EditData, 'action'>;
/** A note under edit, drawn. */
export type EditNoteNode = Node<{ content: string; isContested: boolean }, 'note'>;
/** All that stands on the canvas of a story under edit. */
export type DraftNode = EditNode | EditNoteNode;

const LABELS: Record<LinkKind, string | undefined> = {
  DEFAULT: undefined,
  NO_MATCH: 'no match',
  FAILURE: 'failure',
};
const TRIGGER_TYPE = 'Agents::TriggerAgent';
const NO_FACTS: ActionFacts = { waiting: 0, failed: false, events: undefined };
const HANDLES: NodeHandle[] = [
  { type: 'target', position: Position.Top, x: NODE.width / 2 - PORT / 2, y: 0, width: PORT, height: 1 },
  ...(['NO_MATCH', 'DEFAULT', 'FAILURE'] as const).map(
    (kind): NodeHandle => ({
      id: kind,
      type: 'source',
      position: Position.Bottom,
      x: PORT_AT[kind] - PORT / 2,
      y: NODE.height - PORT / 2,
      width: PORT,
      height: PORT,
    }),
  ),
];
/** The canvas is one tab stop, which gives the focus to its parts by itself. */
const AS_ACTION = { tabIndex: -1, 'aria-roledescription': 'action' };
const AS_NOTE = { tabIndex: -1, 'aria-roledescription': 'note' };
/** Of the text of a note, this much is its name. */
const LABEL_CHARACTERS = 80;
const PORTS: readonly LinkKind[] = ['DEFAULT', 'FAILURE'];
const TRIGGER_PORTS: readonly LinkKind[] = ['NO_MATCH', 'DEFAULT', 'FAILURE'];

/** Makes nodes and links of one story under edit. What has not changed is the same object, so it is not drawn again. */
export interface DraftElements {
  nodes: (draft: StoryDraft, marks: DraftMarks) => DraftNode[];
  edges: (draft: StoryDraft, marks: Pick<DraftMarks, 'chosen' | 'contested' | 'taken'>) => Edge[];
  /** Returns where actions and notes are drawn, and how large. */
  boxes: (draft: StoryDraft) => Map<string, Box>;
  /** Remembers how large a part is; that of a note is known once it is drawn. */
  measure: (key: string, size: { width: number; height: number }) => void;
}

/** Returns what makes the elements of one canvas. */
export function createDraftElements(): DraftElements {
  const nodes = createKept<DraftNode>();
  const edges = createKept<Edge>();
  const sizes = new Map<string, { width: number; height: number }>();
  const placesOf = createDraftPlaces();
  return {
    nodes: (draft, marks) => {
      const places = placesOf(draft);
      const [chosen, contested] = [setOf(marks.chosen), setOf(marks.contested)];
      const notes = [...draft.notes].map(([key, note]) => {
        const inputs = [note, chosen.has(key), contested.has(key)];
        return nodes.get(key, inputs, () =>
          noteNode(key, note, sizes.get(key), [chosen.has(key), contested.has(key)]),
        );
      });
      const actions = [...draft.actions].map(([key, action]) => {
        const place = places.get(key) ?? { x: 0, y: 0 };
        const facts = marks.facts.get(action.id ?? 0) ?? NO_FACTS;
        const missing = marks.missingIn(action);
        const behind = marks.behindIn?.(action);
        const runnable = !marks.notRunnable.has(action.type);
        const tried = marks.tried?.get(key);
        const here = marks.here?.get(action.guid ?? key);
        const inputs = [
          action,
          place.x,
          place.y,
          chosen.has(key),
          contested.has(key),
          facts,
          missing,
          behind,
          runnable,
          tried,
          here,
        ];
        return nodes.get(key, inputs, () =>
          actionNode(key, action, place, {
            facts,
            missing,
            behind,
            runnable,
            tried,
            here,
            isChosen: chosen.has(key),
            isContested: contested.has(key),
          }),
        );
      });
      nodes.forget(new Set([...draft.notes.keys(), ...draft.actions.keys()]));
      return [...notes, ...actions];
    },
    edges: ({ actions, links }, { chosen, contested, taken }) => {
      const [selected, twice] = [new Set(chosen.links), new Set(contested.links)];
      const all = [...links].map(([key, link]) => {
        const names = [actions.get(link.source)?.name ?? '', actions.get(link.receiver)?.name ?? ''] as const;
        const shown = {
          isChosen: selected.has(key),
          isContested: twice.has(key),
          isTaken: taken?.has(key) ?? false,
        };
        return edges.get(key, [link, ...names, ...Object.values(shown)], () =>
          edgeOf(key, link, names, shown),
        );
      });
      edges.forget(links);
      return edges.asBefore(all);
    },
    boxes: (draft) => {
      const places = placesOf(draft);
      const actions = [...draft.actions.keys()].map((key): [string, Box] => [
        key,
        { ...(places.get(key) ?? { x: 0, y: 0 }), ...NODE },
      ]);
      const notes = [...draft.notes].map(([key, { position }]): [string, Box] => [
        key,
        { ...placeOfNote(position), ...(sizes.get(key) ?? { width: NOTE_WIDTH, height: NOTE_HEIGHT }) },
      ]);
      return new Map([...actions, ...notes]);
    },
    measure: (key, size) => sizes.set(key, size),
  };
}

/** Returns the ports at which links of an action may begin. */
export function portsOf({ type }: Pick<GraphAction, 'type'>): readonly LinkKind[] {
  return type === TRIGGER_TYPE ? TRIGGER_PORTS : PORTS;
}

interface Shown {
  facts: ActionFacts;
  missing: readonly string[];
  behind: string | undefined;
  runnable: boolean;
  tried: TrialMark | undefined;
  here: string | undefined;
  isChosen: boolean;
  isContested: boolean;
}

function actionNode(key: string, action: GraphAction, position: Place, shown: Shown): EditNode {
  const { facts, missing, behind, runnable, tried, here, isChosen, isContested } = shown;
  const isDisabled = action.disabled ?? false;
  const words = [
    isolated(action.name),
    kindOf(action).word,
    isDisabled ? 'disabled' : '',
    facts.failed ? 'failed' : '',
    isContested ? 'also changed by someone else' : '',
    missing.length > 0 ? `missing: ${missing.join(', ')}` : '',
    behind ?? '',
    tried === undefined ? '' : TRIAL_WORDS[tried],
    here === undefined ? '' : `chosen by ${here}`,
    isChosen ? 'selected' : '',
  ];
  return {
    id: key,
    type: 'action',
    position: { x: position.x, y: position.y },
    ...NODE,
    // All are of one size: fitting the view waits for no measuring of those that are out of sight.
    measured: NODE,
    handles: HANDLES,
    selected: isChosen,
    domAttributes: AS_ACTION,
    ariaLabel: words.filter(Boolean).join(', '),
    data: {
      action: { ...action, disabled: isDisabled },
      isFound: false,
      ...facts,
      letters: 0,
      runnable,
      isOff: false,
      countedIn: 'since the last full hour',
      isContested,
      missing,
      behind,
      tried,
      here,
      ports: portsOf(action),
    },
  };
}

function noteNode(
  key: string,
  note: GraphNote,
  size: { width: number; height: number } | undefined,
  [isChosen, isContested]: readonly [boolean, boolean],
): EditNoteNode {
  return {
    id: key,
    type: 'note',
    position: placeOfNote(note.position),
    width: NOTE_WIDTH,
    // Without a height the note is hidden until it has been measured, and takes no focus.
    initialHeight: NOTE_HEIGHT,
    ...(size !== undefined && { measured: size }),
    zIndex: -1,
    selected: isChosen,
    domAttributes: AS_NOTE,
    ariaLabel: `Note: ${isolated(note.content.slice(0, LABEL_CHARACTERS))}`,
    data: { content: note.content, isContested },
  };
}

function edgeOf(
  key: string,
  link: DraftLink,
  [from, to]: readonly [string, string],
  { isChosen, isContested, isTaken }: { isChosen: boolean; isContested: boolean; isTaken: boolean },
): Edge {
  const kind = kindOfLink(link);
  const label = LABELS[kind];
  return {
    id: key,
    source: link.source,
    target: link.receiver,
    sourceHandle: kind,
    type: 'smoothstep',
    className: `link ${kind.toLowerCase()} ${isContested ? 'contested' : ''} ${isTaken ? 'taken' : ''}`,
    markerEnd: `arrow-${kind === 'FAILURE' ? 'failure' : isTaken ? 'taken' : 'default'}`,
    selected: isChosen,
    interactionWidth: 24,
    ariaLabel: `Link from ${isolated(from)} to ${isolated(to)}${isTaken ? ', taken in trial' : ''}`,
    ...(label !== undefined && { label }),
  };
}

function placeOfNote(position: unknown): Place {
  if (position === null || typeof position !== 'object' || Array.isArray(position)) return { x: 0, y: -120 };
  return position as Place;
}

const setOf = ({ actions = [], notes = [] }: Selection) => new Set([...actions, ...notes]);
