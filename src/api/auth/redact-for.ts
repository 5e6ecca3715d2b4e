import { hideInThing } from '../../platform/secrets/hidden-secrets.js';
import { canWrite } from './access.js';
import type { Actor } from './actor.js';

/**
 * Returns the object as the actor may see it. Without the right to write, links of prompts and addresses of webhooks
 * are hidden in its texts: with them, the actor could answer prompts and start runs (decision 0031).
 */
export function redactFor<Thing>(actor: Actor, teamId: number, thing: Thing): Thing {
  return canWrite(actor, teamId) ? thing : hideInThing(thing);
}
