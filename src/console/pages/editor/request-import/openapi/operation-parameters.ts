import type { OpenapiParameter } from '../../../../../../clients/typescript/api.js';
import { isObject, literalText, type StoryLanguage } from '../../../../request-import/literal-text.js';

const OPTIONS = { query: 'query_params', header: 'headers' } as const;

/** Whether a parameter may be left out or added: those of the path and required ones are always there. */
export function isOptional({ in: place, required }: OpenapiParameter): boolean {
  return !required && (place === 'query' || place === 'header');
}

/** Returns the options of an operation with exactly these of its optional parameters. */
export function withParameters(
  options: Record<string, unknown>,
  parameters: readonly OpenapiParameter[],
  wanted: ReadonlySet<OpenapiParameter>,
  language: StoryLanguage,
): Record<string, unknown> {
  return parameters.reduce((all, parameter) => {
    if (wanted.has(parameter) === parameter.included) return all;
    const option = OPTIONS[parameter.in as keyof typeof OPTIONS];
    if (option === undefined) return all;
    const before = isObject(all[option]) ? all[option] : {};
    const after = wanted.has(parameter)
      ? { ...before, [parameter.name]: startOf(parameter.example, language) }
      : Object.fromEntries(Object.entries(before).filter(([name]) => !isOf(parameter.name, name)));
    const { [option]: _before, ...others } = all;
    return Object.keys(after).length === 0 ? others : { ...all, [option]: after };
  }, options);
}

/** An object is sent as several fields: `filter[name]`. */
const isOf = (parameter: string, field: string) => field === parameter || field.startsWith(`${parameter}[`);

function startOf(example: unknown, language: StoryLanguage): string {
  if (example === null || example === undefined) return '';
  return literalText(typeof example === 'string' ? example : JSON.stringify(example), language);
}
