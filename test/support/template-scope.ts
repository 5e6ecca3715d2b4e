import type { TemplateScope } from '../../src/language/template.js';
import type { JsonObject } from '../../src/platform/json.js';

/** The scope of templates; without resources, credentials and stories unless given. */
export function templateScope(event: JsonObject = {}, more: Partial<TemplateScope> = {}): TemplateScope {
  return {
    event,
    resources: new Map(),
    credentials: new Map(),
    stories: new Map(),
    meta: {},
    storyRunGuid: 'guid',
    ...more,
  };
}
