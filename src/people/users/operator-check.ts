import { Forbidden } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Actor } from '../../api/face.js';
import { hasOneTenant } from './profile-store.js';

export type OperatorCheck = ReturnType<typeof createOperatorCheck>;

/** Tells who may see and change what concerns the whole installation: the work, logs and stores of all tenants. */
export function createOperatorCheck(database: Pick<Database, 'read'>) {
  /** Returns true for an Owner where there is one tenant: with several of them no Owner is it (decision 0084). */
  const isOperator = async (actor: Actor): Promise<boolean> =>
    actor.isOwner && (await database.read(hasOneTenant));
  return {
    isOperator,

    /** @throws Forbidden for everybody else. */
    async requireOperator(actor: Actor): Promise<void> {
      if (await isOperator(actor)) return;
      throw new Forbidden(
        'Only an Owner of the only tenant can do this, because it affects the whole installation',
      );
    },
  };
}
