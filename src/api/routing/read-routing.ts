import type { Actor } from '../auth/actor.js';
import type { AnyRoute } from '../route.js';

/** Routes reads to a replica, where that is allowed (docs/operate/database-readers.md). */
export interface ReadRouting<Services> {
  /** Carries out a read with the services of the one database or the other, and returns what it returns. */
  read(route: AnyRoute<Services>, actor: Actor, handle: (services: Services) => unknown): Promise<unknown>;
  /** Remembers that the actor has just written: its reads must show that. Never rejects. */
  wrote(actor: Actor): Promise<void>;
}
