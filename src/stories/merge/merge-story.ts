import { createLanguages, type TemplateLanguage } from '../../language/face.js';
import type { JsonObject } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import type { StoryExport } from '../export/export-form.js';
import type { StoredStory } from '../export/story-export-store.js';
import { languageOf } from '../import/plan/language.js';
import { type Position, positionOf, layoutPositions, withPositions } from '../agents/write/layout.js';
import { withoutAgents } from '../agents/write/remove-agent.js';
import { followedTests } from './followed-tests.js';
import { nameLostReferences } from './lost-names.js';
import { type MergeAction, actionsOf, mergeActions } from './merge-actions.js';
import { withInputs } from './merge-inputs.js';
import { keepNeededEnds, type Link, type LinkEnds, linksOf, mergeLinks } from './merge-links.js';
import { textOrEmpty } from './merge-parts.js';
import { keepNamedActions, mergeColumns, mergeExtra } from './merge-settings.js';
import { nameSharedNames } from './shared-names.js';
import { createConflictBook, type MergeConflict, type NotedConflict } from './conflict-book.js';
import { type Side, type Three, UNKNOWN } from './three-way.js';

/** A story with the changes of both sides. */
export interface StoryMerge {
  /** The merged story; a conflict without a choice has the draft's value. */
  story: StoredStory;
  /** The conflicts without a choice, in the order of the story. */
  conflicts: MergeConflict[];
  /** These, and the conflicts with a choice. */
  noted: NotedConflict[];
}

/** The states of a story: what both sides were made of (undefined: unknown), and the sides. */
export interface StoryStates {
  base: StoredStory | undefined;
  live: StoredStory;
  /** With the guids of the live story (`asPublished`). */
  draft: StoredStory;
}

const LANGUAGES = createLanguages();

/**
 * Merges what the live story and a draft have changed since the draft was made: actions, links, notes and settings by guid
 * and path. Nothing of either is lost unless a conflict names it. `choices`: the side that counts, by the entry of the
 * conflict; `rest`: the one that counts in all others. Pure; expensive for large stories.
 */
export function mergeStory(
  { base, live, draft }: StoryStates,
  choices: ReadonlyMap<string, Side> = new Map(),
  rest?: Side,
): StoryMerge {
  const book = createConflictBook(choices, rest);
  const stories = { base: base ?? UNKNOWN, live, draft } as const;
  const actions = { base: base && actionsOf(base), live: actionsOf(live), draft: actionsOf(draft) };
  const links = { base: base && linksOf(base), live: linksOf(live), draft: linksOf(draft) };
  const ends = { actions, merged: mergeActions(actions, book) };
  nameSharedNames(actions, ends.merged, book);
  keepNeededEnds(links, ends, book);
  keepNamedActions(stories, ends, book);
  const columns = mergeColumns(stories, book);
  const extra = mergeExtra(withFollowedTests(stories, ends), ends.merged.returned, book);
  nameLostReferences(actions, ends.merged, { language: languageIn(columns, extra), book });
  const kept = ends.merged.all;
  const known = new Set(
    [actions.live, actions.draft, actions.base ?? []].flatMap((all) => [...all].map(guidOf)),
  );
  const gone = new Set([...known].filter((guid) => !kept.has(guid)));
  const story = storyOf(live, {
    columns,
    extra: withPlaces(withInputs(withoutAgents(extra, gone), stories, { known, kept }), kept),
    actions: kept,
    links: mergeLinks(links, ends, book),
  });
  return { story, conflicts: book.open(), noted: book.all() };
}

/** The tests of each state name actions as the result does: a test that one side adds follows the other's renames. */
function withFollowedTests<Stories extends Three<StoredStory>>(
  stories: Stories,
  { actions, merged }: LinkEnds,
): Stories {
  const followed = (story: StoredStory, own: ReadonlyMap<string, MergeAction> = new Map()): StoredStory => ({
    ...story,
    extra: followedTests(story.extra, own, { base: actions.base, merged: merged.all }),
  });
  const { base, live, draft } = stories;
  return {
    base: base === UNKNOWN || base === undefined ? base : followed(base, actions.base),
    live: live && followed(live, actions.live),
    draft: draft && followed(draft, actions.draft),
  } as Stories;
}

function guidOf([guid]: readonly [string, MergeAction]): string {
  return guid;
}

function languageIn(columns: JsonObject, extra: JsonObject): TemplateLanguage {
  return LANGUAGES[languageOf(mergedObjects(extra, columns) as StoryExport)];
}

/** Returns the extra keys with the place of each action; those that are right stay as they are written. */
function withPlaces(extra: JsonObject, actions: ReadonlyMap<string, MergeAction>): JsonObject {
  const present = layoutPositions(extra.diagram_layout);
  const places = [...actions].flatMap(([guid, { position }]): [string, Position | null][] => {
    const place = positionOf(position);
    if (place !== undefined) return [[guid, place]];
    return present.has(guid) ? [[guid, null]] : [];
  });
  const layout = withPositions(extra.diagram_layout, new Map(places));
  return layout === undefined || layout === extra.diagram_layout
    ? extra
    : mergedObjects(extra, { diagram_layout: layout });
}

/** Actions are numbered anew: the ids only tell the ends of links. */
function storyOf(
  { id }: StoredStory,
  parts: Pick<StoredStory, 'columns' | 'extra'> & {
    actions: ReadonlyMap<string, MergeAction>;
    links: Link[];
  },
): StoredStory {
  const { columns, extra } = parts;
  const agents = [...parts.actions.values()].map((action, index) => ({
    id: index + 1,
    columns: action.columns,
    extra: action.extra,
  }));
  const ids = new Map(agents.map((agent) => [textOrEmpty(agent.columns.guid), agent.id]));
  const links = parts.links.map(({ source, receiver, type, extra: more }) => ({
    sourceId: ids.get(source) ?? 0,
    receiverId: ids.get(receiver) ?? 0,
    linkType: type,
    extra: more,
  }));
  return { id, columns, extra, agents, links };
}
