import type { Edge } from '@xyflow/react';
import type { ExportedAction, StoryExport } from '../../../clients/typescript/api.js';
import { layoutIn, placeIn } from '../story-model/fragment/fragment-text.js';
import { kindOfLink } from '../story-model/story-draft.js';
import { hasEntries } from '../text/exact-json.js';
import { isolated } from '../text/isolated.js';
import { nounWords } from '../ui/words/figures.js';
import { type Point, placed } from './canvas-layout.js';
import type { ActionNode, Mark, NoteNode } from './graph-elements.js';
import { NODE, NOTE_WIDTH } from './nodes/sizes.js';

/** Two states of a story in one picture. */
export interface ComparedElements {
  nodes: (ActionNode | NoteNode)[];
  edges: Edge[];
}

/** A link by the keys of its ends. */
interface ComparedLink {
  key: string;
  source: string;
  receiver: string;
  label: string | undefined;
  type: string;
}

const PORT_LABELS = { DEFAULT: undefined, NO_MATCH: 'no match', FAILURE: 'failure' };

/** Facts about actions, by guid. */
export interface ComparedFacts {
  /** Those that differ. */
  changed: ReadonlySet<string>;
  /** In how many runs they did otherwise. */
  differing?: ReadonlyMap<string, number> | undefined;
}

/**
 * Returns two states of a story as one picture: what only the first has stands where it was. What is in both alike is drawn
 * faintly.
 */
export function comparedElements(
  before: StoryExport,
  after: StoryExport,
  { changed, differing }: ComparedFacts,
): ComparedElements {
  const [old, made] = [actionsIn(before), actionsIn(after)];
  const [oldLinks, newLinks] = [linksIn(before), linksIn(after)];
  const links = new Map([...oldLinks, ...newLinks]);
  const all = new Map([...old, ...made]);
  const [oldPlaces, newPlaces] = [layoutIn(before['diagram_layout']), layoutIn(after['diagram_layout'])];
  const places = placed(
    [...all.keys()].map((key) => ({
      key,
      position: newPlaces.get(key) ?? oldPlaces.get(key),
      receivers: [...links.values()].flatMap(({ source, receiver }) => (source === key ? [receiver] : [])),
    })),
  );
  return {
    nodes: [
      ...notesIn(before, after),
      ...[...all].map(([key, action]) => {
        const mark = markOf(key, old, made) ?? (changed.has(key) ? 'changed' : undefined);
        return actionNode(key, action, { place: places.get(key), mark, differing: differing?.get(key) });
      }),
    ],
    edges: [...links.values()].map((link) => edgeOf(link, markOf(link.key, oldLinks, newLinks), all)),
  };
}

function markOf(
  key: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): Mark | undefined {
  if (!after.has(key)) return 'removed';
  return before.has(key) ? undefined : 'added';
}

function actionsIn({ agents }: StoryExport): Map<string, ExportedAction> {
  return new Map(agents.map((action, at) => [keyOf(action, at), action]));
}

const keyOf = ({ guid }: ExportedAction, at: number) => guid ?? `#${at}`;

function linksIn({ agents, links }: StoryExport): Map<string, ComparedLink> {
  return new Map(
    links.flatMap((form): [string, ComparedLink][] => {
      const [from, to] = [agents[form.source], agents[form.receiver]];
      if (from === undefined || to === undefined) return [];
      const [source, receiver] = [keyOf(from, form.source), keyOf(to, form.receiver)];
      const kind = kindOfLink({ source, receiver, form });
      const key = `${source} ${receiver} ${kind}`;
      return [[key, { key, source, receiver, label: PORT_LABELS[kind], type: kind.toLowerCase() }]];
    }),
  );
}

interface Drawn {
  place: Point | undefined;
  mark: Mark | undefined;
  differing: number | undefined;
}

function actionNode(key: string, action: ExportedAction, { place, mark, differing }: Drawn): ActionNode {
  return {
    id: key,
    type: 'action',
    position: place ?? { x: 0, y: 0 },
    ...NODE,
    ariaLabel: `${isolated(action.name)}, ${mark ?? 'unchanged'}${runWords(differing)}`,
    data: {
      action: { ...action, disabled: action.disabled ?? false },
      isFound: false,
      waiting: 0,
      failed: false,
      events: undefined,
      letters: 0,
      runnable: true,
      isOff: mark === undefined && differing === undefined,
      countedIn: '',
      ...(mark !== undefined && { mark }),
      ...(differing !== undefined && { differing }),
    },
  };
}

function runWords(differing: number | undefined): string {
  return differing === undefined ? '' : `, differs in ${nounWords(differing, 'run')}`;
}

function edgeOf(
  { key, source, receiver, label, type }: ComparedLink,
  mark: Mark | undefined,
  actions: ReadonlyMap<string, ExportedAction>,
): Edge {
  const words = [label, mark].filter(Boolean).join(', ');
  return {
    id: key,
    source,
    target: receiver,
    type: 'smoothstep',
    className: `link ${type} ${mark ?? 'off'}`,
    markerEnd: `arrow-${type === 'failure' ? 'failure' : 'default'}`,
    ariaLabel: `Link from ${isolated(actions.get(source)?.name ?? '')}`,
    ...(words !== '' && { label: words }),
  };
}

/** The notes of the second state, then those that only the first has. */
function notesIn(before: StoryExport, after: StoryExport): NoteNode[] {
  const made = noteForms(after);
  const present = new Set(made.map(({ guid }) => guid));
  const gone = noteForms(before).filter(({ guid }) => guid !== undefined && !present.has(guid));
  return [...made, ...gone].map(
    ({ content, position }, at): NoteNode => ({
      id: `note-${at}`,
      type: 'note',
      position: placeIn(position) ?? { x: 0, y: -120 },
      width: NOTE_WIDTH,
      zIndex: -1,
      focusable: false,
      selectable: false,
      data: { content: typeof content === 'string' ? content : '' },
    }),
  );
}

function noteForms({ diagram_notes: notes }: StoryExport): Record<string, unknown>[] {
  return (Array.isArray(notes) ? notes : []).filter(hasEntries).map((note) => ({ ...note }));
}
