import { withMarkers } from '../platform/secrets/secret-reference.js';
import type { TemplateScope } from './template.js';
import { TemplateError } from '../platform/text/template-error.js';

/** Returns the link of the prompt of this name. @throws TemplateError if no action is running. */
export function promptLink(name: string, { prompt }: TemplateScope): string {
  if (prompt === undefined) {
    throw new TemplateError(`The prompt "${name}" cannot be created: only a running action creates prompts`);
  }
  // The name is stored, and shown to the person who opens the link.
  return prompt(withMarkers(name));
}
