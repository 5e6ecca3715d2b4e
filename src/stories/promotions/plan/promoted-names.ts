import type { TemplateLanguage } from '../../../language/face.js';
import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { slugOf } from '../../../platform/text/slug.js';
import { inputValue } from '../../agents/mentions/action-inputs.js';
import { type ExportAgent, mapValues, type StoryExport } from '../../export/export-form.js';
import { TESTS_KEY } from '../../tests/story-test.js';

/** Other names for credentials and resources, by `nameKey` of the old name. */
export interface NameMaps {
  credentials: ReadonlyMap<string, string>;
  resources: ReadonlyMap<string, string>;
}

type Kind = keyof NameMaps;

const PATTERNS: Record<Kind, RegExp> = {
  credentials: patternOf('CREDENTIAL', 'credential'),
  resources: patternOf('RESOURCE', 'global_resource'),
};

/** What stands before a name, and the name: plain or in quotes after a root, or in a tag. */
function patternOf(root: string, tag: string): RegExp {
  const plain = String.raw`(\b${root}\s*\.\s*)([A-Za-z0-9_-]+)`;
  const quoted = String.raw`(\b${root}\s*[.[]\s*["'])([^"'\\]{1,255})`;
  const tagged = String.raw`(\{%-?\s*${tag}\s+["']?)([^%}"'|]{1,255}?)(?=\s*(?:-?%\}|["'|]))`;
  return new RegExp(`${plain}|${quoted}|${tagged}`, 'g');
}

/** Returns what a name and its slug have in common: both mean the same in templates. */
export function nameKey(name: string): string {
  return slugOf(name) || name.trim();
}

/**
 * Returns the story with the other names in its templates. `problems` names each place where the names could not be put
 * for sure. Pure; takes a microsecond a character.
 */
export function withNames(
  story: StoryExport,
  maps: NameMaps,
  language: TemplateLanguage,
): { story: StoryExport; problems: string[] } {
  if (maps.credentials.size + maps.resources.size === 0) return { story, problems: [] };
  const problems: string[] = [];
  const mapIn = (name: string) => (text: string) => {
    const { text: mapped, fault } = mappedText(text, maps, language);
    if (fault !== undefined) problems.push(`${name}: ${fault}`);
    return mapped;
  };
  const agents = story.agents.map((agent) => mappedAgent(agent, mapIn(agent.name)));
  const mapped = mapValues(story, (value, key) => {
    if (key === 'agents') return agents;
    if (key === 'integrations') return mappedInputs(value, mapIn('template inputs'));
    return key === TESTS_KEY ? mappedTests(value, maps) : value;
  });
  return { story: mapped as StoryExport, problems };
}

type MapText = (text: string) => string;

function mappedAgent(agent: ExportAgent, map: MapText): ExportAgent {
  return mapValues(agent, (value, key) => {
    if (key === 'options') return mappedTexts(value, map);
    return key === 'record_writers' ? mappedTexts(value, map) : value;
  }) as ExportAgent;
}

function mappedTexts(value: JsonValue, map: MapText): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mappedTexts(item, map));
  if (!isJsonObject(value)) return value;
  return orderedObject(Object.entries(value).map(([key, item]) => [map(key), mappedTexts(item, map)]));
}

/** The value of a template input is the JSON of an option, or a text (spec §3.4). */
function mappedInputs(value: JsonValue, map: MapText): JsonValue {
  if (!Array.isArray(value)) return value;
  return value.map((entry) =>
    isJsonObject(entry) && Array.isArray(entry.action_inputs)
      ? mergedObjects<JsonValue>(entry, {
          action_inputs: entry.action_inputs.map((input) => mappedInput(input, map)),
        })
      : entry,
  );
}

function mappedInput(input: JsonValue, map: MapText): JsonValue {
  if (!isJsonObject(input) || input.value === undefined) return input;
  const parsed = inputValue(input.value);
  const mapped = mappedTexts(parsed, map);
  if (stringifyJson(mapped) === stringifyJson(parsed)) return input;
  const isJson = typeof input.value === 'string' && parsed !== input.value;
  return mergedObjects<JsonValue>(input, { value: isJson ? stringifyJson(mapped) : mapped });
}

/** A test gives resources by name, and shows a credential as the text `<credential name>` or `[credential name]`. */
function mappedTests(tests: JsonValue, { credentials, resources }: NameMaps): JsonValue {
  if (!Array.isArray(tests)) return tests;
  const shown = (text: string) =>
    text.replaceAll(SHOWN_CREDENTIAL, (whole: string, written?: string, inEvents?: string) => {
      const other = credentials.get(nameKey(written ?? inEvents ?? ''));
      if (other === undefined) return whole;
      return written === undefined ? `[credential ${slugOf(other)}]` : `<credential ${slugOf(other)}>`;
    });
  return tests.map((test) => {
    if (!isJsonObject(test)) return test;
    const given = isJsonObject(test.resources) ? Object.entries(test.resources) : [];
    const renamed = given.map(([name, value]) => [resources.get(nameKey(name)) ?? name, value] as const);
    const whole =
      given.length === 0 ? test : mergedObjects<JsonValue>(test, { resources: orderedObject(renamed) });
    return mappedTexts(whole, shown);
  });
}

/** As tests are written, and as events show it. */
const SHOWN_CREDENTIAL = /<credential ([^<>]{1,255})>|\[credential ([^[\]]{1,255})\]/g;

function mappedText(text: string, maps: NameMaps, language: TemplateLanguage) {
  if (!language.isTemplate(text)) return { text };
  let mapped = text;
  for (const kind of ['credentials', 'resources'] as const) {
    const names = maps[kind];
    const before = language.dependencies(text)[kind];
    if (!before.some((name) => names.has(nameKey(name)))) continue;
    mapped = replacedNames(mapped, kind, names);
    const wanted = before.map((name) => nameKey(names.get(nameKey(name)) ?? name));
    const found = language.dependencies(mapped)[kind].map(nameKey);
    if (!areSame(wanted, found)) {
      const list = before.map((name) => `"${name}"`).join(', ');
      return { text, fault: `the ${kind} ${list} cannot be renamed in a template` };
    }
  }
  return { text: mapped };
}

/** The slug of a name is valid wherever the name is. */
function replacedNames(text: string, kind: Kind, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(PATTERNS[kind], (whole: string, ...groups: (string | undefined)[]) => {
    const [head, name] = groups.slice(0, 6).filter((group) => group !== undefined);
    const other = name === undefined ? undefined : names.get(nameKey(name));
    return other === undefined || head === undefined ? whole : `${head}${slugOf(other)}`;
  });
}

function areSame(one: string[], other: string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every((name) => right.has(name));
}
