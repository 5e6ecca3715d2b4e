import type { Problem } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { TemplateLanguage } from '../../language/template.js';
import type { ExportAgent } from '../export/export-form.js';
import type { Finding } from './check-report.js';

/** Checks of options beyond their types; `details` is the path within the options. */
export interface OptionTypes {
  /** Invalid patterns that are not templates; with one of them the action always fails. */
  unusablePatterns(type: string, options: JsonObject, isTemplate: (text: string) => boolean): Problem[];
  /** Names of options without an effect. */
  ignoredOptions(type: string, options: JsonObject): string[];
}

/** Returns the invalid patterns of an action; with one of them it fails whatever the event. */
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

/** Returns the options of the action that have no effect here. */
export function ignoredOptions({ type, options }: ExportAgent, types: OptionTypes): Finding[] {
  const message = 'this option has no effect on this server';
  return types
    .ignoredOptions(type, options)
    .map((option) => ({ level: 'warning', kind: 'option', message, option, at: undefined }));
}
