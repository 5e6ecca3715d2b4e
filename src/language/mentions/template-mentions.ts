import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { TemplateLanguage, TemplateReferences } from '../template.js';

/** The names that the templates of some options may refer to: possibly more than they do, never fewer. */
export interface Mentions {
  /** Names in the templates, upstream slugs included; `all` if one is computed. */
  slugs: ReadonlySet<string> | 'all';
  resources: boolean;
  credentials: boolean;
  stories: boolean;
}

const known = new WeakMap<JsonObject, Map<TemplateLanguage['name'], Mentions>>();

/**
 * Returns what the engine must load before it renders `options`. Cached per options object, which must not be
 * changed afterwards.
 */
export function mentions(options: JsonObject, language: TemplateLanguage): Mentions {
  const forOptions = known.get(options) ?? new Map<TemplateLanguage['name'], Mentions>();
  known.set(options, forOptions);
  const kept = forOptions.get(language.name);
  if (kept !== undefined) return kept;
  const found = findMentions(options, language);
  forOptions.set(language.name, found);
  return found;
}

/** Returns what either names. */
export function together(left: Mentions, right: Mentions): Mentions {
  return {
    slugs: left.slugs === 'all' || right.slugs === 'all' ? 'all' : new Set([...left.slugs, ...right.slugs]),
    resources: left.resources || right.resources,
    credentials: left.credentials || right.credentials,
    stories: left.stories || right.stories,
  };
}

function findMentions(options: JsonObject, language: TemplateLanguage): Mentions {
  if (language.references === undefined) return mentionedWords(options, language);
  const found: TemplateReferences[] = [];
  for (const text of textsOf(options)) {
    if (language.isTemplate(text)) found.push(language.references(text));
  }
  const any = (kind: Exclude<keyof TemplateReferences, 'names'>) => found.some((one) => one[kind]);
  return {
    slugs: new Set(found.flatMap(({ names }) => names)),
    resources: any('resources'),
    credentials: any('credentials'),
    stories: any('stories'),
  };
}

/** For a language without exact references: every word of its templates may be one. */
function mentionedWords(options: JsonObject, language: TemplateLanguage): Mentions {
  const words = new Set<string>();
  let computed = false;
  for (const text of textsOf(options)) {
    if (!language.isTemplate(text)) continue;
    for (const source of sourcesOf(text)) {
      for (const [word] of source.matchAll(/[A-Za-z0-9_]+/g)) words.add(word);
      computed ||= refersByComputedName(source);
    }
  }
  const any = (...names: string[]) => computed || names.some((name) => words.has(name));
  return {
    slugs: computed ? 'all' : words,
    resources: any('RESOURCE', 'global_resource'),
    credentials: any('CREDENTIAL', 'credential'),
    stories: any('STORY', 'story'),
  };
}

function* textsOf(value: JsonValue): Generator<string> {
  const pending: JsonValue[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') yield next;
    else if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (typeof next === 'object' && next !== null)
      pending.push(...Object.keys(next), ...Object.values(next));
  }
}

/** Returns the parts of a text that are program code. */
function sourcesOf(text: string): string[] {
  // Reads up to the last delimiter before the next opening one, so that odd nesting hides no reference.
  return text
    .split(/\{\{|\{%/)
    .slice(1)
    .map((part) => part.slice(0, Math.max(part.lastIndexOf('}}'), part.lastIndexOf('%}'), 0) || undefined));
}

/**
 * Returns true if a computed key may name a root (`{{ [name] }}`), or if the whole event is used (`{{ . }}`).
 * A bracket right after a name, another bracket or a closing parenthesis is an index, not a root.
 */
function refersByComputedName(source: string): boolean {
  const rootBracket = /(?:^|[^\w\])}"'.?-])\.?\[\s*[^\s"'\]0-9]/;
  const wholeEvent = /(?:^|[\s|(,:=-])\.(?=$|[\s|),-])/;
  return rootBracket.test(source) || wholeEvent.test(source);
}
