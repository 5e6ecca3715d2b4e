import { Liquid } from 'liquidjs';
import { guarded } from './filter.js';
import { FILTERS } from './filters/all-filters.js';
import { MAX_MEMORY_UNITS, MAX_RENDER_MS, MAX_TEMPLATE_CHARACTERS } from './limits.js';
import { operators } from './operators.js';
import { type PromptLink, registerTags } from './tags.js';

/**
 * liquidjs, locked down: no files (`templates: {}` alone keeps it from the disk), own properties only, our
 * filters instead of its own, our limits.
 */
export function createEngine(promptLink: PromptLink | undefined): Liquid {
  const liquid = new Liquid({
    templates: {},
    relativeReference: false,
    dynamicPartials: false,
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    groupedExpressions: true,
    operators,
    parseLimit: MAX_TEMPLATE_CHARACTERS * 2,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_MEMORY_UNITS,
  });
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, guarded(name, filter));
  registerTags(liquid, promptLink);
  return liquid;
}
