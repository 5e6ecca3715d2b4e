import { canWrite } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import { hideInText, hideSecrets } from '../platform/text/hidden-secrets.js';
import type { EventView } from './events/event.js';
import type { RunDetails } from './run-details.js';
import type { Undone } from './undone-delivery-store.js';

/** The event as the actor may see it: who only reads sees no link that starts or answers something, and no caller's credentials. */
export function shownEvent<Event extends EventView>(actor: Actor, event: Event): Event {
  return canWrite(actor, event.teamId)
    ? event
    : { ...event, payload: hideSecrets(event.payload, { headers: true }) };
}

/** The run of a team's story, as `shownEvent`. */
export function shownRun(actor: Actor, teamId: number, run: RunDetails): RunDetails {
  if (canWrite(actor, teamId)) return run;
  return {
    ...run,
    input: hideSecrets(run.input, { headers: true }),
    open: shownUndone(run.open),
    deadLetters: shownUndone(run.deadLetters),
    events: { ...run.events, items: run.events.items.map((event) => shownEvent(actor, event)) },
  };
}

function shownUndone(undone: Undone): Undone {
  return { ...undone, deliveries: undone.deliveries.map(withoutLinks) };
}

/** What says in an error what went wrong, without such links. */
export function withoutLinks<Thing extends { error: string | null }>(thing: Thing): Thing {
  return thing.error === null ? thing : { ...thing, error: hideInText(thing.error) };
}
