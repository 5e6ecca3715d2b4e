import { parseExact } from '../../text/exact-json.js';
import { textIn } from '../../ui/form/form-text.js';
import { jsonFault } from '../resources/edited-value.js';
import type { Setting } from './credential-kinds.js';

/** The settings of a form by their names in the API, and what is wrong with them. */
export interface GivenSettings {
  values: Record<string, unknown>;
  fault?: string;
}

/** Returns the settings that a form gives. What is empty is left out: the present value stays. */
export function settingsIn(form: HTMLFormElement, settings: readonly Setting[]): GivenSettings {
  const values: Record<string, unknown> = {};
  for (const { name, label, input } of settings) {
    const text = textIn(form, name);
    if (input === 'tick') values[name] = text !== '';
    else if (text === '') continue;
    else if (input === 'number') values[name] = Number(text);
    else if (input === 'json') {
      const fault = jsonFault(text);
      if (fault !== undefined) return { values, fault: `${label}: ${fault}` };
      // The server reads objects from text too, but a list has to be one.
      values[name] = text.trimStart().startsWith('[') ? parseExact(text) : text;
    } else values[name] = text;
  }
  return { values };
}

/** Whether a text names a host that is not among these; without hosts any is allowed. */
export function namesNewHost(text: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return false;
  const named = hostsIn(text);
  return named.length === 0 || named.some((host) => !hosts.includes(host));
}

/** Returns the hosts that a text names, one in a line or after a comma. */
export function hostsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '');
}
