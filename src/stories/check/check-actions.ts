import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { TemplateDependencies, TemplateLanguage } from '../../language/face.js';
import { type AgentText, agentTexts, inputsOfAgent } from '../agents/mentions/agent-texts.js';
import type { ExportAgent, StoryExport } from '../export/export-form.js';
import { givenAddress, WEBHOOK_TYPE } from '../import/import-address.js';
import type { AgentTypes } from '../import/check-export.js';
import { HIDDEN } from '../../platform/secrets/hidden-secrets.js';
import { slugOf } from '../../platform/text/slug.js';
import { type ActionTypes, notRunnable, settingFaults } from './check-options.js';
import type { ActionReport, ActionState, CheckFinding } from './check-report.js';

const TRANSFORMATION_TYPE = 'Agents::EventTransformationAgent';
const CALLER_TYPE = 'Agents::SendToStoryAgent';

export interface ActionCheck {
  report: ActionReport;
  /** The named values of its templates, one entry for each, and the story that it names without a template. */
  dependencies: Partial<TemplateDependencies>[];
}

interface ParsedText {
  /** Path within the options; see Finding. */
  option: string;
  dependencies: TemplateDependencies;
}

/** Returns the state of each action of a story, and the faults of its templates and options. */
export function checkActions(
  story: StoryExport,
  language: TemplateLanguage,
  types: ActionTypes,
): ActionCheck[] {
  const slugs = new Set(story.agents.map(({ name }) => slugOf(name)));
  const inputsOf = inputsOfAgent(story);
  return story.agents.map((agent, position) => {
    const inputs = inputsOf(agent);
    const found = agentTexts(agent, inputs);
    const texts = parsedTexts(found, language);
    const faults = [
      ...found.flatMap((text) => templateFindings(text, language)),
      ...settingFaults(agent, language, types),
    ];
    const { state, reason } = stateOf(agent, { story, findings: faults, language, types });
    const { name, type, options } = agent;
    const hints = type === WEBHOOK_TYPE ? addressHints(agent) : unknownReferences(texts, slugs);
    const others = [...unknownInputs(texts, inputs), ...hints];
    const findings = state === 'import_only' ? faults : [...faults, ...others];
    const mode = type === TRANSFORMATION_TYPE && typeof options.mode === 'string' ? options.mode : undefined;
    const report = { position, name, type, mode, state, reason, templates: texts.length, findings };
    const dependencies = [
      ...texts.map((text) => text.dependencies),
      ...(type === CALLER_TYPE ? calledByName(options.story, language) : []),
    ];
    return { report, dependencies };
  });
}

/** An action as an export has it, with its template inputs by slug. */
export interface WholeAction {
  agent: ExportAgent;
  inputs: JsonObject | undefined;
}

/** Returns what keeps an action from working, or has no effect, as far as its definition alone shows it. */
export function actionFaults(
  action: WholeAction,
  language: TemplateLanguage,
  types: ActionTypes,
): CheckFinding[] {
  const { agent, inputs } = action;
  const faults = agentTexts(agent, inputs)
    .filter(({ text }) => language.isTemplate(text))
    .flatMap((found) => templateFindings(found, language));
  return [...faults, ...definitionFaults(action, language, types)];
}

/** Returns the faults of an action's options, and the inputs that its templates name and it does not have. */
export function definitionFaults(
  { agent, inputs }: WholeAction,
  language: TemplateLanguage,
  types: ActionTypes,
): CheckFinding[] {
  const faults = settingFaults(agent, language, types);
  if (notRunnable(agent, language, types) !== undefined) return faults;
  return [...faults, ...unknownInputs(parsedTexts(agentTexts(agent, inputs), language), inputs)];
}

/** Only an option without a template is itself a story's name. */
function calledByName(story: JsonValue | undefined, language: TemplateLanguage) {
  const isName = typeof story === 'string' && story.trim() !== '' && !language.isTemplate(story);
  return isName ? [{ stories: [story] }] : [];
}

function parsedTexts(all: AgentText[], language: TemplateLanguage): ParsedText[] {
  return all
    .filter(({ text }) => language.isTemplate(text))
    .map((found) => ({
      option: optionOf(found),
      dependencies: language.dependencies(found.text),
    }));
}

function optionOf({ place }: AgentText): string {
  return place.replace(/^options\./, '');
}

function templateFindings(found: AgentText, language: TemplateLanguage): CheckFinding[] {
  return language.check(found.text).map(({ message, line, column, kind, harmless = false }) => ({
    level: harmless ? 'warning' : 'error',
    kind: harmless ? 'filter' : (kind ?? 'template'),
    message,
    option: optionOf(found),
    at: { line, column },
  }));
}

/** Shorter secrets can be guessed. */
const MIN_SECRET = 10;

function addressHints({ options }: ExportAgent): CheckFinding[] {
  const { path, secret } = givenAddress(options);
  const isShort = secret !== undefined && secret.length < MIN_SECRET;
  return [
    ...(path === undefined ? [NO_PATH] : []),
    ...(isShort ? [SHORT_SECRET] : []),
    ...(options.secret === HIDDEN ? [HIDDEN_SECRET] : []),
  ];
}

const NO_PATH: CheckFinding = {
  level: 'hint',
  kind: 'webhook_path',
  message: 'the webhook has no path: the import generates one',
  option: 'path',
  at: undefined,
};
const SHORT_SECRET: CheckFinding = {
  level: 'hint',
  kind: 'webhook_secret',
  message: `the secret has fewer than ${MIN_SECRET} characters and is easy to guess`,
  option: 'secret',
  at: undefined,
};
const HIDDEN_SECRET: CheckFinding = {
  level: 'hint',
  kind: 'webhook_secret',
  message: 'the secret is hidden: a webhook that the server has keeps its own, a new one gets another',
  option: 'secret',
  at: undefined,
};

/**
 * Finds references to actions that are not in the story, each name once for each option. Skips names that cannot be
 * a slug and names that a text of the action sets: those are roots such as META, or loop variables. Webhooks are not
 * checked, because their templates name keys of the request.
 */
function unknownReferences(texts: ParsedText[], slugs: ReadonlySet<string>): CheckFinding[] {
  const known = new Set([...slugs, ...texts.flatMap(({ dependencies }) => dependencies.sets)]);
  return texts.flatMap(({ option, dependencies }) =>
    dependencies.roots
      .filter(({ name }) => slugOf(name) === name && !known.has(name))
      .map(({ name, line, column }) => ({
        level: 'hint' as const,
        kind: 'reference' as const,
        message: `this story has no action called "${name}"`,
        option,
        at: { line, column },
      })),
  );
}

/** Finds inputs that the action does not have: they render as nothing. */
function unknownInputs(texts: ParsedText[], inputs: JsonObject = {}): CheckFinding[] {
  return texts.flatMap(({ option, dependencies }) =>
    dependencies.inputs
      .filter(({ name }) => !Object.hasOwn(inputs, name))
      .map(({ name, line, column }) => ({
        level: 'warning' as const,
        kind: 'input' as const,
        message: `the action has no template input called "${name}": INPUT.${name} is empty`,
        option,
        at: { line, column },
      })),
  );
}

interface StateInput {
  story: StoryExport;
  findings: CheckFinding[];
  language: TemplateLanguage;
  types: Pick<AgentTypes, 'runnable'>;
}

function stateOf(agent: ExportAgent, input: StateInput): { state: ActionState; reason: string | undefined } {
  const { story, findings, language, types } = input;
  const importOnly = notRunnable(agent, language, types);
  if (importOnly !== undefined) return { state: 'import_only', reason: importOnly };
  const fault = findings.find(({ level }) => level === 'error');
  // A webhook accepts its request before its response is rendered.
  if (fault !== undefined && agent.type !== WEBHOOK_TYPE) return { state: 'fails', reason: reasonOf(fault) };
  if (agent.disabled === true) return { state: 'disabled', reason: 'it is disabled' };
  if (story.disabled === true) return { state: 'disabled', reason: 'its story is disabled' };
  return { state: 'runs', reason: undefined };
}

function reasonOf({ kind, option, message, at }: CheckFinding): string {
  if (kind === 'filter') return `${option} has a filter with the wrong number of arguments`;
  if (kind === 'option') return message;
  if (kind !== 'pattern') return `${option} has a syntax error`;
  return at === undefined
    ? `the pattern ${option} cannot be used`
    : `${option} has a pattern that cannot be used`;
}
