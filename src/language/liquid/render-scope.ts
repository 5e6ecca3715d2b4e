import type { Context } from 'liquidjs';
import type { TemplateScope } from '../template.js';

const SCOPE = '__scope';

/** Lets the tags and filters of a render see its scope. */
export function setScope(context: Context, scope: TemplateScope): void {
  context.setRegister(SCOPE, scope);
}

/** The scope of the render that is under way. */
export function scopeOf(context: Pick<Context, 'getRegister'>): TemplateScope {
  return context.getRegister<TemplateScope>(SCOPE);
}
