import type { TemplateReferences } from '../template.js';
import { walkFormula } from './evaluation/formula-walk.js';
import type { FormulaText } from './parsing/syntax-tree.js';

/** Returns what a parsed text refers to; computed keys of RESOURCE and similar roots count as well. */
export function referencesOf(text: FormulaText): TemplateReferences {
  const names = new Set<string>();
  const roots = new Set<string>();
  for (const { part, bound } of walkFormula(text)) {
    if (part.kind === 'reference' && !bound.has(part.name)) names.add(part.name);
    if (part.kind === 'named') roots.add(part.root);
  }
  return {
    names: [...names],
    resources: roots.has('RESOURCE'),
    credentials: roots.has('CREDENTIAL'),
    stories: roots.has('STORY'),
  };
}
