import { createHash } from 'node:crypto';
import type { TemplateLanguage } from '../../../language/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { slugOf } from '../../../platform/text/slug.js';
import { withActionInputs } from '../../agents/mentions/action-inputs.js';
import { layoutPositions, type Position, withPositions } from '../../agents/write/layout.js';
import { withoutAgents } from '../../agents/write/remove-agent.js';
import { AGENT_COLUMNS, LINK_COLUMNS, toExtra } from '../../export/export-form.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { WEBHOOK_TYPE } from '../../import/import-address.js';
import { textOrEmpty } from '../../merge/merge-parts.js';
import { renameSeveral } from '../../rename/rename-several.js';
import { withGuid } from '../../versions/restore-version.js';
import type { StepAction, StepContent } from '../step-content.js';
import { withMark } from '../step-mark.js';
import type { StepUse } from '../uses/step-uses.js';
import { inOrderOf, type NotePlacing, withNotes } from './place-notes.js';

type StoredAgent = StoredStory['agents'][number];

/** How the actions of a step stand in a story. All keys are actions of the step. */
export interface Placing {
  guids: ReadonlyMap<string, string>;
  /** A story keeps the names that its actions have; new ones get free names. */
  names: ReadonlyMap<string, string>;
  /** Places of actions that the story does not have. */
  positions: ReadonlyMap<string, Position>;
  notes: NotePlacing;
}

/**
 * Returns how a use of a step stands in a story, for all states of the step. `taken`: names that templates know; it gets
 * those of new actions.
 */
export function placingOf(
  story: StoredStory,
  { stepGuid, use }: { stepGuid: string; use: StepUse },
  { states, taken }: { states: readonly StepContent[]; taken: Set<string> },
): Placing {
  // The last state counts: it is the one that the story gets.
  const actions = new Map(
    states.flatMap(({ agents }) => agents.map((agent) => [agent.guid, agent] as const)),
  );
  const own = new Map(story.agents.map((agent) => [textOrEmpty(agent.columns.guid), agent]));
  const storyGuid = textOrEmpty(story.columns.guid);
  const guids = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [key, action] of actions) {
    const guid = use.actions.get(key);
    guids.set(key, guid ?? newGuid([storyGuid, stepGuid, use.use, ...use.actions.values(), key]));
    const present = guid === undefined ? undefined : own.get(guid);
    const name = present === undefined ? freeName(action.name, taken) : textOrEmpty(present.columns.name);
    names.set(key, name);
    taken.add(slugOf(name));
  }
  const by = distanceOf(story, use, actions);
  return { guids, names, positions: positionsOf(use, actions, by), notes: notePlacing() };

  function notePlacing(): NotePlacing {
    const keys = new Set(states.flatMap(({ notes }) => notes.map((note) => note.guid)));
    const placed = [...keys].map((key): [string, string] => [
      key,
      use.notes.get(key) ?? newGuid([storyGuid, stepGuid, use.use, ...use.actions.values(), 'note', key]),
    ]);
    return { guids: new Map(placed), by };
  }
}

/** Always the same for one action of one use, so that two states of a step agree on it. */
function newGuid(parts: string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slugOf(name))) return name;
  let turn = 2;
  while (taken.has(slugOf(`${name} ${turn}`))) turn += 1;
  return `${name} ${turn}`;
}

/** New parts stand as far from the first action that is placed as they do in the step. */
function distanceOf(story: StoredStory, use: StepUse, actions: ReadonlyMap<string, StepAction>): Position {
  const places = layoutPositions(story.extra.diagram_layout);
  const placed = [...use.actions].flatMap(([key, guid]) => {
    const [there, here] = [places.get(guid), actions.get(key)?.position];
    return there && here ? [{ x: there.x - here.x, y: there.y - here.y }] : [];
  });
  return placed[0] ?? { x: 0, y: 0 };
}

function positionsOf(
  use: StepUse,
  actions: ReadonlyMap<string, StepAction>,
  by: Position,
): Map<string, Position> {
  return new Map(
    [...actions].flatMap(([key, { position }]): [string, Position][] =>
      use.actions.has(key) || !position ? [] : [[key, { x: position.x + by.x, y: position.y + by.y }]],
    ),
  );
}

/** A state of a step, and the use of it that takes the state. */
export interface PlacedState {
  stepGuid: string;
  version: number;
  content: StepContent;
  use: StepUse;
  placing: Placing;
  language: TemplateLanguage;
  /** The actions that any state of the step has; the others of the use stay. */
  known: ReadonlySet<string>;
}

/** Returns the story as it would be if this use of the step were just as this state of the step is. */
export function withState(story: StoredStory, state: PlacedState): StoredStory {
  const { content, use, placing, known } = state;
  const agents = renamed(content, placing, state.language);
  const present = new Map(story.agents.map((agent) => [textOrEmpty(agent.columns.guid), agent]));
  const wanted = new Map(
    agents.map((form): [string, StoredAgent] => {
      const guid = placing.guids.get(form.guid) ?? '';
      return [guid, agentOf(form, present.get(guid), state)];
    }),
  );
  const mine = new Set([...use.actions].flatMap(([key, guid]) => (known.has(key) ? [guid] : [])));
  const gone = new Set([...mine].filter((guid) => !wanted.has(guid)));
  const kept = story.agents.flatMap((agent) => {
    const guid = textOrEmpty(agent.columns.guid);
    return gone.has(guid) ? [] : [wanted.get(guid) ?? agent];
  });
  const added = [...wanted].flatMap(([guid, agent]) => (present.has(guid) ? [] : [agent]));
  const all = [...kept, ...numbered(added, story)];
  const extra = extraOf(story.extra, agents, { placing, gone, present });
  const notes = withNotes(extra.diagram_notes, { ...state, placing: placing.notes });
  return {
    ...story,
    extra: notes === undefined ? extra : mergedObjects<JsonValue>(extra, { diagram_notes: notes }),
    agents: all,
    links: linksOf(story, all, { ...state, mine }),
  };
}

function numbered(agents: readonly StoredAgent[], story: StoredStory): StoredAgent[] {
  const last = Math.max(0, ...story.agents.map(({ id }) => id));
  return agents.map((agent, index) => ({ ...agent, id: last + 1 + index }));
}

/** Returns the actions with the names of the story, in their templates too. @throws Unprocessable for a name that none can use. */
function renamed(
  { agents, links }: StepContent,
  { names }: Placing,
  language: TemplateLanguage,
): StepAction[] {
  const wanted = agents.map(({ guid, name }) => names.get(guid) ?? name);
  const changed = agents.flatMap(({ name }, index) =>
    slugOf(name) === slugOf(wanted[index] ?? name) ? [] : [index],
  );
  if (changed.length === 0)
    return agents.map((agent, index) => ({ ...agent, name: wanted[index] ?? agent.name }));
  // By way of names that nobody has: two actions may have exchanged theirs.
  const between = changed.map((index) => ({ index, name: `step action ${index} in between` }));
  const last = changed.map((index) => ({ index, name: wanted[index] ?? '' }));
  const document = { agents, links, notes: [], renames: [...between, ...last] };
  const { preview, problems } = renameSeveral(document, language);
  if (preview === undefined) throw new Unprocessable(problems);
  const found = new Map(preview.agents.map((each) => [each.index, each]));
  return agents.map((agent, index) => {
    const { options, action_inputs: inputs, record_writers: writers } = found.get(index) ?? {};
    return {
      ...agent,
      name: wanted[index] ?? agent.name,
      ...(options && { options }),
      ...(inputs && { action_inputs: inputs }),
      ...(writers && { record_writers: writers }),
    };
  });
}

/** The story keeps its own guid, place and address, and which export the action came from. */
function agentOf(
  { position: _position, action_inputs: _inputs, ...form }: StepAction,
  present: StoredAgent | undefined,
  { stepGuid, version, use, placing }: PlacedState,
): StoredAgent {
  const { guid: key, type, name, options, disabled, keep_events_for: keep } = form;
  const columns = {
    type,
    name,
    guid: placing.guids.get(key) ?? key,
    disabled: disabled === true,
    options: optionsOf(type, options, present),
    keep_events_for: typeof keep === 'number' ? keep : 0,
  };
  const extra = toExtra(form, AGENT_COLUMNS);
  const mark = { guid: stepGuid, version, action: key, ...(use.use !== '' && { use: use.use }) };
  if (present === undefined) return { id: 0, columns, extra: withMark(withGuid(extra, undefined), mark) };
  // The columns that an export names are no content.
  const own = Object.entries(extra).filter(([column]) => !AGENT_COLUMNS.includes(column));
  const named = Object.entries(present.extra).filter(([column]) => AGENT_COLUMNS.includes(column));
  const marked = withMark(orderedObject([...named, ...own]), mark);
  return {
    id: present.id,
    columns: { ...present.columns, ...columns },
    extra: inOrderOf(present.extra, marked),
  };
}

function optionsOf(type: string, options: JsonObject, present: StoredAgent | undefined): JsonObject {
  const before = present?.columns.options;
  if (before === undefined) return options;
  const { path, secret } = before as JsonObject;
  const address = {
    ...(type === WEBHOOK_TYPE && path !== undefined && { path }),
    ...(type === WEBHOOK_TYPE && secret !== undefined && { secret }),
  };
  return inOrderOf(before as JsonObject, mergedObjects<JsonValue>(options, address));
}

function extraOf(
  extra: JsonObject,
  agents: readonly StepAction[],
  {
    placing,
    gone,
    present,
  }: { placing: Placing; gone: ReadonlySet<string>; present: ReadonlyMap<string, unknown> },
): JsonObject {
  const rest = withoutAgents(extra, gone);
  const places = agents.flatMap(({ guid: key }): [string, Position][] => {
    const [guid, place] = [placing.guids.get(key) ?? '', placing.positions.get(key)];
    return present.has(guid) || place === undefined ? [] : [[guid, place]];
  });
  const layout = withPositions(rest.diagram_layout, new Map(places));
  const placed =
    layout === undefined || layout === rest.diagram_layout
      ? rest
      : mergedObjects<JsonValue>(rest, { diagram_layout: layout });
  const inputs = agents.map(({ guid, action_inputs: own }): [string, readonly JsonValue[] | null] => [
    placing.guids.get(guid) ?? '',
    own ?? null,
  ]);
  return withActionInputs(placed, new Map(inputs));
}

/** Links between actions of the use are those of the step; the others stay, as far as their ends do. */
function linksOf(
  story: StoredStory,
  agents: readonly StoredAgent[],
  { content, placing, mine }: PlacedState & { mine: ReadonlySet<string> },
): StoredStory['links'] {
  const ids = new Map(agents.map(({ id, columns }) => [textOrEmpty(columns.guid), id]));
  const guids = new Map(story.agents.map(({ id, columns }) => [id, textOrEmpty(columns.guid)]));
  const wanted = new Map(
    content.links.flatMap((link) => {
      const ends = [link.source, link.receiver].map(
        (at) => placing.guids.get(content.agents[at]?.guid ?? '') ?? '',
      );
      const [sourceId, receiverId] = ends.map((guid) => ids.get(guid));
      if (sourceId === undefined || receiverId === undefined) return [];
      const linkType = typeof link.link_type === 'string' ? link.link_type : null;
      const key = [...ends, linkType ?? ''].join(' ');
      return [[key, { sourceId, receiverId, linkType, extra: toExtra(link, LINK_COLUMNS) }]] as const;
    }),
  );
  const kept = story.links.flatMap((link) => {
    const ends = [guids.get(link.sourceId) ?? '', guids.get(link.receiverId) ?? ''];
    if (ends.some((guid) => !ids.has(guid))) return [];
    if (!ends.every((guid) => mine.has(guid))) return [link];
    const key = [...ends, link.linkType ?? ''].join(' ');
    return wanted.delete(key) ? [link] : [];
  });
  return [...kept, ...wanted.values()];
}
