import { hideInThing } from '../../platform/text/hidden-secrets.js';
import { canWrite } from './access.js';
import type { Actor } from './actor.js';

/**
 * The team's thing as the actor may see it: who only reads sees no prompt's link and no webhook's address in its texts,
 * since these let them answer or start what their role may not (decision 0031).
 */
export function shownTo<Thing>(actor: Actor, teamId: number, thing: Thing): Thing {
  return canWrite(actor, teamId) ? thing : hideInThing(thing);
}
