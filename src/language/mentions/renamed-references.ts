import type { TemplateLanguage } from '../template.js';

/** A name of a value of the event, and the one that takes its place. */
export interface Renaming {
  from: string;
  to: string;
}

/**
 * Returns where a text refers to a value of the event by the old name, if the new name at these places refers to it as
 * well. `unreadable`: the text has a syntax error. `taken`: the text has a variable of the new name there, or the language
 * has no such names.
 */
export function renamedReferences(
  text: string,
  renaming: Renaming,
  language: TemplateLanguage,
): number[] | 'unreadable' | 'taken' {
  const { from, to } = renaming;
  const places = language.placesOf(text, from);
  if (places === undefined) return 'unreadable';
  if (places.length === 0) return [];
  if (to === '') return 'taken';
  const renamed = splicedText(text, places, renaming);
  const [left, found] = [language.placesOf(renamed, from), language.placesOf(renamed, to)];
  const before = language.placesOf(text, to) ?? [];
  const isNew = new Set(places);
  let shift = 0;
  const moved = [...places, ...before]
    .toSorted((one, other) => one - other)
    .map((at) => {
      const place = at + shift;
      if (isNew.has(at)) shift += to.length - from.length;
      return place;
    });
  const isSame = left?.length === 0 && found?.length === moved.length;
  return isSame && found.every((at, index) => at === moved[index]) ? places : 'taken';
}

/** Returns the text with the new name at these offsets of the old one, which ascend. */
export function splicedText(text: string, places: readonly number[], { from, to }: Renaming): string {
  let end = 0;
  const parts = places.map((at) => {
    const before = text.slice(end, at);
    end = at + from.length;
    return before + to;
  });
  return parts.join('') + text.slice(end);
}
