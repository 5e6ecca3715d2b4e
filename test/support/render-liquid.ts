import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { templateScope } from './template-scope.js';

const language = createLiquidLanguage();

/** Renders a Liquid text on an event; no resources, credentials or stories. */
export function renderLiquid(text: string, event: JsonObject = {}): JsonValue {
  return language.render(text, templateScope(event));
}
