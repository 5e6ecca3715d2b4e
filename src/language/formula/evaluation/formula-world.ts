import { findNamed, findStoryOfTeam } from '../../named-values.js';
import { promptLink } from '../../prompt-link.js';
import type { RenderOptions, TemplateScope } from '../../template.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import type { FormulaWorld } from './evaluator.js';

/**
 * Returns the names available to formulas of a story: variables that the renderer has set (`LOCAL`, `LOOP`, `PAGINATE`,
 * `INPUT`), `META`, and the keys of the event. Own properties only.
 */
export function storyWorld(scope: TemplateScope, variables: RenderOptions['variables']): FormulaWorld {
  return {
    find(name) {
      if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
      if (name === 'META') return scope.meta;
      return Object.hasOwn(scope.event, name) ? scope.event[name] : undefined;
    },
    findNamed: (kind, key, team) =>
      team === undefined ? findNamed(scope, kind, key) : findStoryOfTeam(scope, { team, story: key }),
    storyRunGuid: () => scope.storyRunGuid,
    promptLink: (name) => promptLink(name, scope),
    secrets: scope.secrets,
    seesMarkers: scope.secrets === undefined && scope.credentials.size > 0,
  };
}

/** Returns the names available to a formula outside of stories: only the keys of `variables`. */
export function variablesWorld(variables: Readonly<Record<string, unknown>>): FormulaWorld {
  return {
    find: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    findNamed(kind) {
      throw new TemplateError(`${kind} cannot be used here`);
    },
    storyRunGuid() {
      throw new TemplateError('there is no story run');
    },
    promptLink() {
      throw new TemplateError('prompts can only be created in stories');
    },
  };
}
