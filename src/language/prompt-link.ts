import { withMarkers } from '../platform/text/secret-reference.js';
import type { TemplateScope } from './template.js';
import { TemplateError } from './template-error.js';

/** The link of the prompt of this name. @throws TemplateError where no action is at work that it could belong to. */
export function promptLink(name: string, { prompt }: TemplateScope): string {
  if (prompt === undefined) {
    throw new TemplateError(`The prompt "${name}" cannot be made: only an action at work makes prompts`);
  }
  // The name is stored, and shown to who follows the link.
  return prompt(withMarkers(name));
}
