import { mentions, renamedReferences, type Renaming, type TemplateLanguage } from '../../language/face.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import type { Meaning } from './name-meaning.js';
import { type PreviewBook, textAt } from './preview-book.js';
import type { PreviewPart, PreviewText } from './rename-preview.js';
import type { FindPlaces, Keys } from './renamed-value.js';

/** What is searched for, and where what is found is written down. */
export interface Search {
  renaming: Renaming;
  language: TemplateLanguage;
  book: PreviewBook;
}

const PLAIN_PATHS = new Set(['path', 'item_path', 'guid_path']);

/** Returns a search for the places that change in the texts of an action, which are asked for in the order of their rendering. */
export function referenceFinder(
  type: string,
  part: PreviewPart,
  meaning: Meaning,
  { renaming, language, book }: Search,
): FindPlaces {
  const { from, to } = renaming;
  /** Variables that the texts before have set: they hide the actions (spec §8.2). */
  const variables = new Set<string>();
  const search = (text: string, keys: Keys): readonly number[] => {
    const shown = textAt(part, keys);
    if (text.includes(to) && to !== '') noteNewName(text, shown);
    if (!text.includes(from) || variables.has(from) || meaning.old === 'others') return [];
    // The templates of a webhook name keys of its request.
    if (meaning.old === 'nothing' && type === WEBHOOK_TYPE) return [];
    const places = renamedReferences(text, renaming, language);
    if (places === 'unreadable') book.doubt(shown, 'the template has a syntax error');
    else if (meaning.old === 'this') return changedPlaces(text, shown, places);
    else {
      const at = language.placesOf(text, from) ?? [];
      if (meaning.old === 'this or others')
        book.share(from, shown, { source: text, at, renaming, renamed: false });
      else if (at.length > 0) book.doubt(shown, `no link leads here from an action called "${from}"`);
    }
    return [];
  };
  const changedPlaces = (text: string, shown: PreviewText, places: number[] | 'taken') => {
    if (places === 'taken' || (places.length > 0 && variables.has(to))) {
      book.problems.push({ message: takenMessage(shown, to, language), details: 'name' });
      return [];
    }
    book.change(shown, text, places, renaming);
    if (meaning.new.others) book.share(to, shown, { source: text, at: places, renaming, renamed: true });
    return places;
  };
  const noteNewName = (text: string, shown: PreviewText) => {
    const at = meaning.new.this && !variables.has(to) ? (language.placesOf(text, to) ?? []) : [];
    if (at.length === 0) return;
    if (meaning.new.others) book.share(to, shown, { source: text, at, renaming, renamed: false });
    else book.doubt(shown, `"${to}" is referred to already, and will mean this action`);
  };
  return (text, keys) => {
    if (!language.isTemplate(text)) {
      if (type !== WEBHOOK_TYPE && isPlainPath(keys, text, from))
        book.doubt(textAt(part, keys), 'a path without a template is plain text');
      return [];
    }
    if (meaning.old.startsWith('this') && mentions({ text }, language).slugs === 'all')
      book.doubt(textAt(part, keys), 'it uses the whole event, or a computed name');
    const places = search(text, keys);
    if (text.includes(from) || text.includes(to))
      for (const name of language.dependencies(text).sets) variables.add(name);
    return places;
  };
}

/** Returns true for `ask.body` as an option that takes a path. */
function isPlainPath(keys: Keys, text: string, slug: string): boolean {
  const key = keys.at(-1);
  if (typeof key !== 'string' || !PLAIN_PATHS.has(key) || text === key) return false;
  const [first] = text
    .trim()
    .replace(/^\$?\.?/, '')
    .split(/[.[]/, 1);
  return first === slug;
}

function takenMessage({ name, path }: PreviewText, slug: string, language: TemplateLanguage): string {
  const place = `${path} of "${name ?? ''}"`;
  const sample = language.name === 'liquid' ? `{{ ${slug}.x }}` : `=${slug}.x`;
  if (slug === '') return `must have a letter a-z or a digit: ${place} refers to the action by its name`;
  if (language.placesOf(sample, slug)?.length === 1)
    return `cannot be used: "${slug}" is a variable in ${place}, which refers to the action`;
  return `cannot be used: a template cannot refer to "${slug}" as ${place} does`;
}
