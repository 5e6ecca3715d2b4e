import type { Context } from 'liquidjs';
import type { TemplateScope } from '../template.js';

const SCOPE = '__scope';

/** Makes the scope of a render available to its tags and filters. */
export function setScope(context: Context, scope: TemplateScope): void {
  context.setRegister(SCOPE, scope);
}

/** Returns the scope of the current render. */
export function scopeOf(context: Pick<Context, 'getRegister'>): TemplateScope {
  return context.getRegister<TemplateScope>(SCOPE);
}
