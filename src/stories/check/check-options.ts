import type { AgentChecks } from '../../agents/face.js';
import type { TemplateLanguage } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { SECRET_CHECKS } from '../../platform/secrets/secret-signature.js';
import { textsIn } from '../agents/mentions/agent-texts.js';
import type { ExportAgent } from '../export/export-form.js';
import { withRecordSettings } from '../settings/record-settings.js';
import type { CheckFinding } from './check-report.js';

/** The checks of agent types beyond those with which an import refuses options. */
export type ActionTypes = Omit<AgentChecks, 'checkOptions'>;

/**
 * Returns the faults of an action's options, with which it fails whatever the event, and the options without an effect.
 * One that is only stored has no others: its texts may be programs in another language.
 */
export function settingFaults(
  agent: ExportAgent,
  language: TemplateLanguage,
  types: ActionTypes,
): CheckFinding[] {
  const reason = notRunnable(agent, language, types);
  return reason === undefined ? optionFindings(agent, language, types) : [storedOnly(agent, reason, types)];
}

/** Returns why an action can only be stored; undefined if it can run. A mode with templates may be any. */
export function notRunnable(
  { type, options }: ExportAgent,
  language: TemplateLanguage,
  types: Pick<ActionTypes, 'runnable'>,
): string | undefined {
  const { mode } = options;
  return typeof mode === 'string' && language.isTemplate(mode) ? undefined : types.runnable(type, options);
}

function optionFindings(agent: ExportAgent, language: TemplateLanguage, types: ActionTypes): CheckFinding[] {
  const { type } = agent;
  const options = withRecordSettings(agent, agent);
  const isTemplate = (text: string) => language.isTemplate(text);
  const ignored = types.ignoredOptions(type, options).map((details) => ({ message: NO_EFFECT, details }));
  return [
    ...findings(types.unusablePatterns(type, options, isTemplate), { level: 'error', kind: 'pattern' }),
    ...findings(types.optionFaults(type, options, isTemplate), { level: 'error', kind: 'option' }),
    ...findings([...ignored, ...types.unknownOptions(type, options)], { level: 'warning', kind: 'option' }),
    ...findings(comparedCredentials(agent, language), { level: 'warning', kind: 'option' }),
  ];
}

const TRIGGER_TYPE = 'Agents::TriggerAgent';
const CHECKS_A_SECRET = /_verify\b|\bsecret_equal\b/i;

/** Finds rules that compare a credential, or what is made of one: they see none, and never hold. */
function comparedCredentials({ type, options }: ExportAgent, language: TemplateLanguage): Problem[] {
  if (type !== TRIGGER_TYPE) return [];
  return textsIn(options.rules ?? null, 'rules')
    .filter(({ text }) => language.isTemplate(text) && !CHECKS_A_SECRET.test(text))
    .filter(({ text }) => language.dependencies(text).credentials.length > 0)
    .map(({ place }) => ({ message: NOT_COMPARED, details: place }));
}

const NOT_COMPARED = `a rule cannot read a credential; to compare one, use ${SECRET_CHECKS}`;

const NO_EFFECT = 'this option has no effect on this server';

function findings(problems: Problem[], known: Pick<CheckFinding, 'level' | 'kind'>): CheckFinding[] {
  return problems.map(({ message, details }) => ({
    ...known,
    message,
    option: details ?? '',
    at: undefined,
  }));
}

/** An unknown type or mode is an error of its author. */
function storedOnly({ type, options }: ExportAgent, reason: string, types: ActionTypes): CheckFinding {
  const level = types.isStoredOnly(type, options) ? 'warning' : 'error';
  const option = types.hasType(type) ? 'mode' : 'type';
  return { level, kind: 'type', message: reason, option, at: undefined };
}
