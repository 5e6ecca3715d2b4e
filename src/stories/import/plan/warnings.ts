import type { JsonObject } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { sliceCharacters } from '../../../platform/text/code-points.js';
import type { TemplateProblem } from '../../../platform/text/template-error.js';
import type { TemplateLanguage } from '../../../language/face.js';
import { agentTexts, inputsOfAgent } from '../../agents/mentions/agent-texts.js';
import { type ExportAgent, LINK_COLUMNS, type StoryExport } from '../../export/export-form.js';
import { scheduleWarnings } from '../../schedules/import-schedules.js';
import type { AgentTypes } from '../check-export.js';
import { languageOf, NEWEST_SCHEMA_VERSION } from './language.js';
import { WEBHOOK_TYPE } from '../import-address.js';
import { allowedRetention } from './retention.js';

/** Returns the faults of one text of a story in this language. */
export type TemplateChecker = (text: string, language: TemplateLanguage['name']) => TemplateProblem[];

/** Returns what keeps an action of a story in this language from working, or has no effect. */
export type AgentChecker = (
  action: { agent: ExportAgent; inputs: JsonObject | undefined },
  language: TemplateLanguage['name'],
) => { option: string; message: string }[];

const MAX_FAULT_WARNINGS = 20;
const MAX_NAMES = 10;
const MAX_KEY_CHARACTERS = 100;

/** Returns the warnings about imported stories for their owner; empty if there are none (spec §3.3). */
export function warningsOf(
  stories: StoryExport[],
  types: AgentTypes,
  templateFaults: TemplateFaults[],
): string[] {
  return [
    ...stories.flatMap(versionWarning),
    ...stories.flatMap(retentionWarning),
    ...importOnlyWarnings(stories, types),
    ...stories.flatMap(linkWarnings),
    ...stories.flatMap(scheduleWarnings),
    ...faultWarnings(
      templateFaults.map(({ options }) => options),
      'options',
    ),
    ...faultWarnings(templateFaults, 'templates'),
  ];
}

function versionWarning({ schema_version: version, name }: StoryExport): string[] {
  if (version <= NEWEST_SCHEMA_VERSION) return [];
  return [
    `"${name}" has schema_version ${version}; versions up to ${NEWEST_SCHEMA_VERSION} are supported, ` +
      'so parts may not work',
  ];
}

function retentionWarning({ keep_events_for: seconds, name }: StoryExport): string[] {
  if (typeof seconds !== 'number' || allowedRetention(seconds) === seconds) return [];
  const allowed = allowedRetention(seconds);
  return [`keep_events_for of "${name}" is ${seconds}, which is not allowed; it was set to ${allowed}`];
}

const LINK_TYPES: unknown[] = [undefined, null, 'secondary', 'failure'];

const LINK_KEYS = new Set(LINK_COLUMNS);

/** Links of an unknown type or with unknown keys, and failure links of webhooks, which never fail. */
function linkWarnings({ name, agents, links }: StoryExport): string[] {
  const strange = new Set(links.flatMap((link) => Object.keys(link).filter((key) => !LINK_KEYS.has(key))));
  const unknown = new Set(links.map((link) => link.link_type).filter((type) => !LINK_TYPES.includes(type)));
  const failing = links.filter((link) => link.link_type === 'failure').map(({ source }) => agents[source]);
  const webhooks = failing.filter((agent) => agent?.type === WEBHOOK_TYPE).map((agent) => agent?.name ?? '');
  return [
    ...[...unknown]
      .slice(0, MAX_NAMES)
      .map(
        (type) =>
          `links of "${name}" have the link_type ${stringifyJson(type)}, which is unknown: they are ordinary links`,
      ),
    ...[...strange]
      .slice(0, MAX_NAMES)
      .map(
        (key) =>
          `links of "${name}" have the key "${sliceCharacters(key, 0, MAX_KEY_CHARACTERS)}", which is unknown and has no effect`,
      ),
    ...(webhooks.length === 0
      ? []
      : [`webhooks never fail, so their failure links receive no events: ${listed([...new Set(webhooks)])}`]),
  ];
}

/** One warning for each reason, naming type and actions. */
function importOnlyWarnings(stories: StoryExport[], types: AgentTypes): string[] {
  const groups = new Map<string, string[]>();
  for (const { type, name, options } of stories.flatMap((story) => story.agents)) {
    const reason = types.runnable(type, options);
    if (reason === undefined) continue;
    const key = `${type} was stored but cannot run (${reason})`;
    const names = groups.get(key) ?? [];
    names.push(name);
    groups.set(key, names);
  }
  return [...groups].map(([reason, names]) => `${reason}: ${listed(names)}`);
}

function listed(names: string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Faults of one kind in one story. */
interface Faults {
  /** The first faults, as messages. */
  shown: string[];
  /** The number of all faults. */
  count: number;
}

/** Faults in the templates of one story, and in the options of its actions. */
export interface TemplateFaults extends Faults {
  options: Faults;
}

/** Checks the templates in all texts of one story, which takes a microsecond a character, and the options of its actions. */
export function templateFaultsOf(
  story: StoryExport,
  checks: { checkTemplates?: TemplateChecker | undefined; checkAgent?: AgentChecker | undefined },
): TemplateFaults {
  const { checkTemplates = () => [], checkAgent = () => [] } = checks;
  const language = languageOf(story);
  const faults: TemplateFaults = { shown: [], count: 0, options: { shown: [], count: 0 } };
  const inputsOf = inputsOfAgent(story);
  for (const agent of story.agents) {
    const where = `"${agent.name}" of "${story.name}"`;
    const inputs = inputsOf(agent);
    for (const { option, message } of checkAgent({ agent, inputs }, language))
      add(faults.options, `${where}, ${placeOf(option)}: ${message}`);
    for (const { place, text } of agentTexts(agent, inputs)) {
      for (const { message, line, column } of checkTemplates(text, language))
        add(faults, `${where}, ${place}: ${message} (line ${line}, column ${column})`);
    }
  }
  return faults;
}

const BESIDE_OPTIONS = /^(type$|record_writers\b|INPUT\.)/;

/** Returns the place of a finding within its action; most are in options. */
export function placeOf(option: string): string {
  return BESIDE_OPTIONS.test(option) ? option : `options.${option}`;
}

function add(faults: Faults, fault: string): void {
  faults.count += 1;
  if (faults.shown.length < MAX_FAULT_WARNINGS) faults.shown.push(fault);
}

function faultWarnings(faults: Faults[], where: string): string[] {
  const shown = faults.flatMap((each) => each.shown).slice(0, MAX_FAULT_WARNINGS);
  const more = faults.reduce((sum, { count }) => sum + count, 0) - shown.length;
  return more <= 0 ? shown : [...shown, `and ${more} more faults in ${where}`];
}
