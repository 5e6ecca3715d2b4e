import { renamedReferences, type Renaming, type TemplateLanguage } from '../../language/face.js';

/** Text between backticks, as many as before it. */
const CODE = /(?<!`)(`+)(?!`)([^]*?)(?<!`)\1(?!`)/g;
/** One path, perhaps with filters: what else stands in a note is no template. */
const PATH = /^\s*\.?[\w-]+(?:[.[][^{}\s]*)?\s*(?:\|[^{}]*)?$/;

/** Returns where a note refers to a value of the event: in templates, and in marked code such as `ask.body`. */
export function notePlaces(content: string, renaming: Renaming, language: TemplateLanguage): number[] {
  const whole = language.isTemplate(content) ? renamedReferences(content, renaming, language) : [];
  const marked = [...content.matchAll(CODE)].flatMap((match) => {
    const [, ticks = '', code = ''] = match;
    if (!code.includes(renaming.from) || language.isTemplate(code)) return [];
    return codePlaces(code, renaming, language).map((at) => match.index + ticks.length + at);
  });
  return [...new Set([...(Array.isArray(whole) ? whole : []), ...marked])].toSorted((a, b) => a - b);
}

function codePlaces(code: string, renaming: Renaming, language: TemplateLanguage): number[] {
  if (language.name === 'liquid' && !PATH.test(code)) return [];
  const [before, after] = language.name === 'liquid' ? ['{{', '}}'] : ['=', ''];
  const places = renamedReferences(before + code + after, renaming, language);
  return Array.isArray(places) ? places.map((at) => at - before.length) : [];
}
