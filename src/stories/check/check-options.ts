import type { Problem } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { TemplateLanguage } from '../../language/template.js';
import type { ExportAgent } from '../export-form.js';
import type { Finding } from './check-report.js';

/** What the agent types say of options besides their kinds; `details` is the path within the options. */
export interface OptionTypes {
  /** Patterns, no templates among them, with which an action fails. */
  unusablePatterns(type: string, options: JsonObject, isTemplate: (text: string) => boolean): Problem[];
  /** Names of options with which nothing is done. */
  ignoredOptions(type: string, options: JsonObject): string[];
}

/** Patterns that an action of this story cannot use: with one it fails whatever the event. */
export function patternFaults(
  { type, options }: ExportAgent,
  language: TemplateLanguage,
  types: OptionTypes,
): Finding[] {
  return types
    .unusablePatterns(type, options, (text) => language.isTemplate(text))
    .map(({ message, details }) => ({
      level: 'error',
      kind: 'pattern',
      message,
      option: details ?? '',
      at: undefined,
    }));
}

/** Options of the action with which nothing is done here. */
export function ignoredOptions({ type, options }: ExportAgent, types: OptionTypes): Finding[] {
  const message = 'this server does nothing with this option';
  return types
    .ignoredOptions(type, options)
    .map((option) => ({ level: 'warning', kind: 'option', message, option, at: undefined }));
}
