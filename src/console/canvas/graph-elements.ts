import type { Node } from '@xyflow/react';
import type { Action, Note, Statistics } from '../../../clients/typescript/api.js';
import type { Graph } from './graph.js';
import { placesOf, type Point } from './canvas-layout.js';
import type { LinkEdge } from './links.js';
import { isolated } from '../text/isolated.js';
import { NODE, NOTE_WIDTH } from './nodes/sizes.js';
import type { Untested } from './untested.js';

/** The facts that an action shows on the canvas. */
export interface ActionData extends Record<string, unknown> {
  action: Pick<Action, 'name' | 'type' | 'options' | 'disabled'>;
  isFound: boolean;
  waiting: number;
  failed: boolean;
  events: number | undefined;
  letters: number;
  runnable: boolean;
  /** A run did not come here. */
  isOff: boolean;
  /** When its events were counted, for the hint. */
  countedIn: string;
  /** How it differs from another state of the story. */
  mark?: Mark;
  /** What of it no test reaches, in words: `no test`. */
  untested?: string;
  /** The number of runs in which it does otherwise than in the live story. */
  differing?: number;
}

/** How a part differs between two states of a story. */
export type Mark = 'added' | 'removed' | 'changed';

/** An action, drawn. */
export type ActionNode = Node<ActionData, 'action'>;
/** A note, drawn. */
export type NoteNode = Node<{ content: string }, 'note'>;

/** The facts about actions besides their definition. */
export interface Facts {
  activity: ReadonlyMap<number, Action> | undefined;
  counts: ReadonlyMap<number, Statistics> | undefined;
  notRunnable: ReadonlySet<string>;
  search: string;
  /** When the events were counted; since the last full hour unless given. */
  countedIn?: string;
  /** The path of a run: the ids of its actions, and its links as `from-to`. All else is drawn faintly. */
  taken?: { actions: ReadonlySet<number>; links: ReadonlySet<string>; live: ReadonlySet<string> };
  /** What no test reaches; absent: coverage is not shown. */
  untested?: Untested | undefined;
}

/** What links show. */
interface LinkFacts {
  taken?: Facts['taken'] | undefined;
  counts?: Facts['counts'];
  untested?: Facts['untested'];
}

/** So many links have a moving dot, so that a large run costs a browser no more than a small one. */
const MOST_LIVE = 20;
/** From so many events on, the line of a link is thicker. */
const TRAFFIC = [10, 100, 1_000];

const WORDS = { DEFAULT: undefined, NO_MATCH: 'no match', FAILURE: 'failure' };
const NO_TEST = 'no test';

/** Returns the nodes of a story: notes below, actions above them. */
export function nodesOf({ actions, notes }: Graph, facts: Facts): (ActionNode | NoteNode)[] {
  const places = placesOf(actions);
  return [
    ...notes.map(noteNode),
    ...actions.map((action) => actionNode(action, places.get(action.id), facts)),
  ];
}

/** Returns the links of a story, with their direction and kind. */
export function edgesOf({ actions }: Graph, { taken, counts, untested }: LinkFacts = {}): LinkEdge[] {
  const live = new Set([...(taken?.live ?? [])].slice(0, MOST_LIVE));
  return actions.flatMap(({ id, name, links_to_receivers: links }) =>
    links.map(({ receiver_id: receiver, type }): LinkEdge => {
      const link = `${id}-${receiver}`;
      const isUntested = untested?.links.has(`${link}-${type}`) === true;
      // Beside an action that no test reaches, its box says it for all of its links.
      const says = isUntested && !untested?.actions.has(id) && !untested?.actions.has(receiver);
      const label = [WORDS[type], says && NO_TEST].filter(Boolean).join(', ');
      const path = taken === undefined ? '' : taken.links.has(link) ? 'taken' : 'off';
      const arrow = type === 'FAILURE' ? 'failure' : path === 'taken' ? 'taken' : 'default';
      return {
        id: `${id}-${receiver}-${type}`,
        source: String(id),
        target: String(receiver),
        type: 'smoothstep',
        className: [
          'link',
          type.toLowerCase(),
          path,
          type === 'DEFAULT' && trafficOf(counts?.get(id)?.events),
          isUntested && 'untested',
        ]
          .filter(Boolean)
          .join(' '),
        markerEnd: `arrow-${arrow}`,
        data: { isLive: live.has(link) },
        ariaLabel: `Link from ${name}${isUntested ? ', no test takes it' : ''}`,
        ...(label !== '' && { label }),
      };
    }),
  );
}

/** Every event of an action goes to each receiver of the default kind, so its events are the traffic of those links. */
function trafficOf(events = 0): string {
  const level = TRAFFIC.filter((least) => events >= least).length;
  return level === 0 ? '' : `traffic-${level}`;
}

function actionNode(action: Action, place: Point | undefined, facts: Facts): ActionNode {
  const live = facts.activity?.get(action.id);
  const counts = facts.counts?.get(action.id);
  const letters = counts?.dead_letters ?? 0;
  const untested = untestedOf(action.id, facts.untested);
  return {
    id: String(action.id),
    type: 'action',
    position: place ?? { x: 0, y: 0 },
    ...NODE,
    ariaLabel: `${isolated(action.name)}, action${untested === undefined ? '' : `, ${untested}`}`,
    data: {
      action,
      isFound: facts.search !== '' && action.name.toLowerCase().includes(facts.search.toLowerCase()),
      waiting: live?.pending_action_runs_count ?? 0,
      failed: live?.not_working ?? false,
      events: counts?.events,
      letters,
      runnable: !facts.notRunnable.has(action.type),
      isOff: facts.taken?.actions.has(action.id) === false,
      countedIn: facts.countedIn ?? 'since the last full hour',
      ...(untested !== undefined && { untested }),
    },
  };
}

function untestedOf(id: number, untested: Untested | undefined): string | undefined {
  if (untested?.actions.has(id)) return NO_TEST;
  const left = untested?.branches.get(id) ?? 0;
  if (left === 0) return undefined;
  return left === 1 ? 'a branch untested' : `${left} branches untested`;
}

function noteNode({ id, content, position }: Note): NoteNode {
  return {
    id: `note-${id}`,
    type: 'note',
    position: position ?? { x: 0, y: -120 },
    width: NOTE_WIDTH,
    zIndex: -1,
    focusable: false,
    selectable: false,
    data: { content },
  };
}
