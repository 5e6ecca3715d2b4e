import type { JsonObject, JsonValue } from '../json.js';
import type { TemplateLanguage } from './template.js';

/** What the templates of some options may refer to: never less than they do. */
export interface Mentions {
  /** Names that stand in the templates, upstream slugs among them; `all` where one is computed. */
  slugs: ReadonlySet<string> | 'all';
  resources: boolean;
  credentials: boolean;
  stories: boolean;
}

const known = new WeakMap<JsonObject, Map<TemplateLanguage['name'], Mentions>>();

/**
 * What the engine has to load before it renders `options`. Kept for each options object, which must not
 * change afterwards.
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

function findMentions(options: JsonObject, language: TemplateLanguage): Mentions {
  const words = new Set<string>();
  let computed = false;
  for (const text of textsOf(options)) {
    if (!language.isTemplate(text)) continue;
    for (const source of sourcesOf(text, language.name)) {
      for (const [word] of source.matchAll(/[A-Za-z0-9_]+/g)) words.add(word);
      computed ||= refersByComputedName(source, language.name);
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

/** The parts of a text that are read as a program. */
function sourcesOf(text: string, language: TemplateLanguage['name']): string[] {
  if (language === 'formula') return [text];
  // Up to the last delimiter before the next opening one, so that odd nesting hides no reference.
  return text
    .split(/\{\{|\{%/)
    .slice(1)
    .map((part) => part.slice(0, Math.max(part.lastIndexOf('}}'), part.lastIndexOf('%}'), 0) || undefined));
}

/**
 * Whether a root may be named by a computed key: `{{ [name] }}`, or the whole event is meant: `{{ . }}`.
 * A bracket right after a name, another bracket or a closing parenthesis is an index, not a root.
 */
function refersByComputedName(source: string, language: TemplateLanguage['name']): boolean {
  const rootBracket = /(?:^|[^\w\])}"'.?-])\.?\[\s*[^\s"'\]0-9]/;
  const wholeEvent = /(?:^|[\s|(,:=-])\.(?=$|[\s|),-])/;
  if (rootBracket.test(source) || wholeEvent.test(source)) return true;
  return language === 'formula' && /\b(?:INPUT|EVENT)\b/.test(source);
}
