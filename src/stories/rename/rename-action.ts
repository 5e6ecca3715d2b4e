import type { Renaming, TemplateLanguage } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { slugOf } from '../../platform/text/slug.js';
import type { ExportAgent, ExportLink } from '../export/export-form.js';
import { type Meaning, meanings } from './name-meaning.js';
import { notePlaces } from './note-places.js';
import { PreviewBook, textAt } from './preview-book.js';
import type { PreviewPart, RenamePreview, SharedSlug } from './rename-preview.js';
import { referenceFinder, type Search } from './reference-finder.js';
import { renamedInputs, renamedValue, withValue } from './renamed-value.js';

type DocumentAgent = RenameOrder['agents'][number];

/** A document under edit, the action to rename, and its new name. */
export interface RenameOrder {
  agents: (ExportAgent & { action_inputs?: JsonValue[] | null })[];
  links: ExportLink[];
  notes: (JsonObject & { content: string })[];
  /** The action's place in `agents`. */
  index: number;
  name: string;
}

/** What a rename changes; or why it cannot be. */
export type Renamed = { preview: RenamePreview; problems: [] } | { preview: undefined; problems: Problem[] };

/** Returns what changes if an action has another name: itself, and each reference that means it. Changes nothing. */
export function renameAction(order: RenameOrder, language: TemplateLanguage): Renamed {
  const { agents, links, notes, index, name } = order;
  const renamed = agents[index];
  if (renamed === undefined) throw new Error(`There is no action ${index}`);
  const slugs = agents.map((agent) => slugOf(agent.name));
  const renaming: Renaming = { from: slugs[index] ?? '', to: slugOf(name) };
  const book = new PreviewBook();
  if (renamed.name !== name) {
    const whole = { from: renamed.name, to: name };
    book.change(textAt(partOf(renamed, index), ['name']), renamed.name, [0], whole);
  }
  const isSearched = renaming.from !== renaming.to && renaming.from !== '';
  const meaningOf = meanings({ types: agents.map(({ type }) => type), slugs, links }, index, renaming);
  const changedAgents = agents.flatMap((agent, at) => {
    const own = at === index ? name : agent.name;
    const found = isSearched ? changedAgent(agent, at, meaningOf(at), { renaming, language, book }) : agent;
    if (found === agent && own === agent.name) return [];
    return [shownAgent(found, agent, { index: at, name: own })];
  });
  const isShared = slugs.some((slug, at) => slug === renaming.from && at !== index);
  const changedNotes = notes.flatMap((note, at) => {
    const content = isSearched ? changedNote(note, at, isShared, { renaming, language, book }) : note.content;
    return content === note.content ? [] : [{ index: at, guid: guidOf(note), content }];
  });
  if (book.problems.length > 0) return { preview: undefined, problems: book.problems };
  const shared = [...new Set([renaming.from, renaming.to])].flatMap((slug) =>
    sharedSlug(slug, agents, { index, slugs, places: book.sharedPlaces(slug) }),
  );
  return {
    problems: [],
    preview: {
      slug: { before: renaming.from, after: renaming.to },
      count: book.count,
      places: book.places,
      agents: changedAgents,
      notes: changedNotes,
      shared,
      unsure: book.unsure,
    },
  };
}

function changedAgent(agent: DocumentAgent, index: number, meaning: Meaning, search: Search): DocumentAgent {
  const { renaming } = search;
  const find = referenceFinder(agent.type, partOf(agent, index), meaning, search);
  const options = renamedValue(agent.options, ['options'], find, renaming);
  const { record_writers: writers, action_inputs: inputs } = agent;
  let changed = options === agent.options ? agent : (withValue(agent, 'options', options) as DocumentAgent);
  if (Array.isArray(writers)) {
    const found = writers.map((writer, at) => {
      if (!isJsonObject(writer) || writer.formula === undefined) return writer;
      const formula = renamedValue(writer.formula, ['record_writers', at, 'formula'], find, renaming);
      return formula === writer.formula ? writer : withValue(writer, 'formula', formula);
    });
    if (found.some((writer, at) => writer !== writers[at]))
      changed = withValue(changed, 'record_writers', found) as DocumentAgent;
  }
  if (Array.isArray(inputs)) {
    const found = renamedInputs(inputs, ['action_inputs'], find, renaming);
    if (found.some((input, at) => input !== inputs[at]))
      changed = withValue(changed, 'action_inputs', found) as DocumentAgent;
  }
  return changed;
}

function changedNote(
  note: RenameOrder['notes'][number],
  index: number,
  isShared: boolean,
  { renaming, language, book }: Search,
): string {
  const { content } = note;
  if (!content.includes(renaming.from)) return content;
  const at = notePlaces(content, renaming, language);
  if (at.length === 0) return content;
  const shown = textAt({ part: 'note', index, guid: guidOf(note), name: null }, ['content']);
  if (isShared) {
    book.share(renaming.from, shown, { source: content, at, renaming, renamed: false });
    return content;
  }
  book.change(shown, content, at, renaming);
  return renamedValue(content, ['content'], () => at, renaming) as string;
}

function shownAgent(
  found: DocumentAgent,
  before: DocumentAgent,
  { index, name }: { index: number; name: string },
): RenamePreview['agents'][number] {
  const { action_inputs: inputs, record_writers: writers } = found;
  return {
    index,
    guid: guidOf(found),
    name,
    options: found.options,
    ...(Array.isArray(inputs) && inputs !== before.action_inputs && { action_inputs: inputs }),
    ...(Array.isArray(writers) && writers !== before.record_writers && { record_writers: writers }),
  };
}

interface Sharing {
  index: number;
  slugs: readonly string[];
  places: SharedSlug['places'];
}

function sharedSlug(
  slug: string,
  agents: RenameOrder['agents'],
  { index, slugs, places }: Sharing,
): SharedSlug[] {
  if (slug === '') return [];
  const actions = agents.flatMap((agent, at) =>
    slugs[at] === slug && at !== index ? [{ index: at, guid: guidOf(agent), name: agent.name }] : [],
  );
  return actions.length === 0 ? [] : [{ slug, actions, places }];
}

function partOf(agent: DocumentAgent, index: number): PreviewPart {
  return { part: 'action', index, guid: guidOf(agent), name: agent.name };
}

function guidOf({ guid }: JsonObject): string | null {
  return typeof guid === 'string' ? guid : null;
}
