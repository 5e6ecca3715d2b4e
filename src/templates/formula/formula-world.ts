import { findNamed } from '../named-values.js';
import { type PromptLink, type RenderOptions, TemplateError, type TemplateScope } from '../template.js';
import type { FormulaWorld } from './evaluator.js';

/**
 * What the formulas of a story can name: variables that the renderer has set (`LOCAL`, `LOOP`, `INPUT`), `META`,
 * and the keys of the event. Own properties only.
 */
export function storyWorld(
  scope: TemplateScope,
  variables: RenderOptions['variables'],
  promptLink: PromptLink | undefined,
): FormulaWorld {
  return {
    find(name) {
      if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
      if (name === 'META') return scope.meta;
      return Object.hasOwn(scope.event, name) ? scope.event[name] : undefined;
    },
    findNamed: (kind, key) => findNamed(scope, kind, key),
    storyRunGuid: () => scope.storyRunGuid,
    promptLink(name) {
      if (promptLink !== undefined) return promptLink(name, scope);
      throw new TemplateError(`The prompt "${name}" cannot be made: prompts are not available yet`);
    },
  };
}

/** What a formula outside of stories can name: the keys of `variables`, and nothing of a team or run. */
export function variablesWorld(variables: Readonly<Record<string, unknown>>): FormulaWorld {
  return {
    find: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    findNamed(kind) {
      throw new TemplateError(`${kind} cannot be used here`);
    },
    storyRunGuid() {
      throw new TemplateError('there is no story run here');
    },
    promptLink() {
      throw new TemplateError('prompts can be made in stories only');
    },
  };
}
