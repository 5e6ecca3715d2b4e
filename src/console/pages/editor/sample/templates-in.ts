import type { Path } from '../../../story-model/value-in.js';
import { hasEntries } from '../../../text/exact-json.js';
import { hasCode, type TemplateLanguage } from '../../../inspector/template-field/template-syntax.js';

/** A template in the options of an action. */
export interface PlacedTemplate {
  path: Path;
  template: string;
}

/** What one request of previews takes. */
const MOST = { templates: 100, characters: 256 * 1024 };

/** Returns the templates in options, in their order, as many as one request takes. */
export function templatesIn(options: unknown, language: TemplateLanguage): PlacedTemplate[] {
  const found: PlacedTemplate[] = [];
  let characters = 0;
  const open: PlacedTemplateOrValue[] = [{ path: [], value: options }];
  for (let next = open.pop(); next !== undefined && found.length < MOST.templates; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (!hasCode(value, language)) continue;
      characters += value.length;
      if (characters > MOST.characters) break;
      found.push({ path, template: value });
    } else if (hasEntries(value)) {
      const isList = Array.isArray(value);
      const below = Object.entries(value).map(([key, item]) => ({
        path: [...path, isList ? Number(key) : key],
        value: item as unknown,
      }));
      open.push(...below.toReversed());
    }
  }
  return found;
}

interface PlacedTemplateOrValue {
  path: Path;
  value: unknown;
}

/** Returns the name of a path, by which values are found again. */
export const keyOfPath = (path: Path): string => JSON.stringify(path);
