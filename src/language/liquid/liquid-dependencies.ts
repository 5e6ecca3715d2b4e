import { analyzeSync, Tag, type TagToken, type Template, toValueSync, type Variables } from 'liquidjs';
import type { NamedKind } from '../named-values.js';
import { positionsIn } from '../values/position.js';
import type { StoryOfTeam, TemplateDependencies } from '../template.js';
import { WHOLE_EVENT } from './markup.js';
import type { NormalisedTemplate } from './ruby/normalise.js';

/** Tags that refer to a value of the team, and the equivalent root of a reference. */
const NAMING_TAGS = new Map<string, NamedKind>([
  ['credential', 'CREDENTIAL'],
  ['global_resource', 'RESOURCE'],
  ['story', 'STORY'],
]);

/** Roots of references that are not names of actions. */
const OWN_ROOTS = new Set([...NAMING_TAGS.values(), WHOLE_EVENT]);

/** A text as it was parsed. */
export interface ParsedTemplate {
  normalised: NormalisedTemplate;
  templates: Template[];
}

/** Returns what a parsed Liquid text needs; `source` is the text as its author wrote it. */
export function liquidDependencies(source: string, parsed: ParsedTemplate): TemplateDependencies {
  const { globals, locals, named } = analysed(parsed.templates);
  const names = (kind: NamedKind) => [...new Set([...(named.get(kind) ?? []), ...keysOf(globals, kind)])];
  return {
    roots: rootsOf(globals, source, parsed.normalised),
    inputs: inputsOf(globals, source, parsed.normalised),
    sets: Object.values(locals).flatMap(([first]) => String(first?.segments[0])),
    credentials: names('CREDENTIAL'),
    resources: names('RESOURCE'),
    stories: names('STORY'),
    storiesOfTeams: storiesOfTeams(globals),
  };
}

/** Returns the variables of a text: those that it sets, and those that come from outside. */
export function analysed(templates: Template[]) {
  try {
    const { globals, locals } = analyzeSync(templates, { partials: false });
    return { globals, locals, named: namesInTags(templates) };
  } catch (error) {
    // Tags so deeply nested that the analysis overflows the stack: what they need is unknown.
    if (!(error instanceof RangeError)) throw error;
    return { globals: {}, locals: {}, named: new Map<NamedKind, string[]>() };
  }
}

function rootsOf(globals: Variables, source: string, normalised: NormalisedTemplate) {
  const placeOf = placesIn(source, normalised);
  return Object.values(globals).flatMap(([first]) => {
    const name = first?.segments[0];
    if (first === undefined || typeof name !== 'string' || OWN_ROOTS.has(name)) return [];
    return [{ name, ...placeOf(first) }];
  });
}

/** Returns the names after `INPUT`, each once. */
function inputsOf(globals: Variables, source: string, normalised: NormalisedTemplate) {
  const placeOf = placesIn(source, normalised);
  const first = new Map<string, LiquidVariable>();
  for (const variable of globals.INPUT ?? []) {
    const name = variable.segments[1];
    if (isKey(name) && !first.has(String(name))) first.set(String(name), variable);
  }
  return [...first].map(([name, variable]) => ({ name, ...placeOf(variable) }));
}

/** A variable at one place of a text. */
export type LiquidVariable = Variables[string][number];

/** Returns a function that gives the line and column of a variable in the text as its author wrote it. */
export function placesIn(source: string, normalised: NormalisedTemplate) {
  const offsetAt = offsetsIn(normalised.text);
  const positionOf = positionsIn(source);
  return ({ location: { row, col } }: LiquidVariable) =>
    positionOf(normalised.originalOffset(offsetAt(row, col)));
}

/** Returns a function that converts a line and column, both from 1, to an offset. */
function offsetsIn(text: string): (row: number, col: number) => number {
  const starts = [0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  return (row, col) => (starts[row - 1] ?? 0) + col - 1;
}

/** Returns the names after a root such as `CREDENTIAL`. */
function keysOf(globals: Variables, root: NamedKind): string[] {
  const keys = (globals[root] ?? []).filter(({ segments }) => root !== 'STORY' || !isKey(segments[2]));
  return keys
    .map(({ segments }) => segments[1])
    .filter(isKey)
    .map(String);
}

/** `STORY.team.story` */
function storiesOfTeams(globals: Variables): StoryOfTeam[] {
  return (globals.STORY ?? []).flatMap(({ segments: [, team, story] }) =>
    isKey(team) && isKey(story) ? [{ team: String(team), story: String(story) }] : [],
  );
}

function isKey(segment: unknown): segment is string | number {
  return typeof segment === 'string' || typeof segment === 'number';
}

function namesInTags(templates: Template[]): Map<NamedKind, string[]> {
  const found = new Map<NamedKind, string[]>();
  for (const template of templatesIn(templates)) {
    const kind = template instanceof Tag ? NAMING_TAGS.get(template.name) : undefined;
    if (kind === undefined) continue;
    const names = found.get(kind) ?? [];
    names.push((template.token as TagToken).args.trim().replace(/^(["'])(.*)\1$/s, '$2'));
    found.set(kind, names);
  }
  return found;
}

function* templatesIn(templates: Template[]): Generator<Template> {
  for (const template of templates) {
    yield template;
    if (template.children !== undefined)
      yield* templatesIn(toValueSync<Template[]>(template.children(false, true)));
  }
}
