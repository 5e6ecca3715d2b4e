import { type Actor, canWrite } from '../../api/face.js';
import { hideInText, hideSecrets } from '../../platform/secrets/hidden-secrets.js';
import type { EventView } from '../events/event.js';
import type { RunDetails } from './run-details.js';
import type { DeliveryView } from './run.js';
import type { Undone } from './undone-delivery-store.js';

/** Returns the event without links that start runs or answer prompts, and without callers' credentials, unless the actor may write. */
export function redactEvent<Event extends EventView>(actor: Actor, event: Event): Event {
  return canWrite(actor, event.teamId)
    ? event
    : { ...event, payload: hideSecrets(event.payload, { headers: true }) };
}

/** Does the same for a run of a team's story. */
export function redactRun(actor: Actor, teamId: number, run: RunDetails): RunDetails {
  if (canWrite(actor, teamId)) return run;
  return {
    ...run,
    input: hideSecrets(run.input, { headers: true }),
    open: redactUndone(run.open),
    deadLetters: redactUndone(run.deadLetters),
    attempts: { ...run.attempts, items: run.attempts.items.map(withoutLinks) },
    failure: run.failure && { ...run.failure, letter: withoutLinks(run.failure.letter) },
    events: { ...run.events, items: run.events.items.map((event) => redactEvent(actor, event)) },
  };
}

function redactUndone<Delivery extends DeliveryView>(undone: Undone<Delivery>): Undone<Delivery> {
  return { ...undone, deliveries: undone.deliveries.map(withoutLinks) };
}

/** Removes such links from an error message. */
function withoutLinks<Thing extends { error: string | null }>(thing: Thing): Thing {
  return thing.error === null ? thing : { ...thing, error: hideInText(thing.error) };
}
