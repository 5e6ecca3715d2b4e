import { type Actor, requireOwner } from '../../api/face.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { lockTenant } from '../../people/face.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import {
  type ActionTemplate,
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  type TemplateContent,
  updateTemplate,
} from './template-store.js';

/** Templates of a tenant. */
const MOST = 1_000;

export type TemplateService = ReturnType<typeof createTemplateService>;

/** Templates of actions: Owners keep them, for they may hold what only Owners know (spec §3.15). */
export function createTemplateService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  return {
    /** @throws Forbidden for who is no Owner. */
    async list(actor: Actor, window: Window): Promise<Page<ActionTemplate>> {
      requireOwner(actor);
      return database.read((session) => listTemplates(actor.tenantId, window, session));
    },

    get: (actor: Actor, id: number): Promise<ActionTemplate> =>
      database.read((session) => owned(actor, id, session)),

    /** @throws Forbidden; Conflict for a tenant that has a thousand. */
    async create(actor: Actor, content: TemplateContent): Promise<ActionTemplate> {
      requireOwner(actor);
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          await lockTenant(actor.tenantId, session);
          if ((await countTemplates(actor.tenantId, session)) >= MOST) {
            throw new Conflict(`A tenant can have at most ${MOST} action templates`);
          }
          return owned(actor, await insertTemplate(actor.tenantId, content, session), session);
        }),
      );
    },

    /** @throws NotFound and Forbidden as `update`. */
    check: async (actor: Actor, id: number): Promise<void> => {
      await database.read((session) => owned(actor, id, session));
    },

    update: (actor: Actor, id: number, change: Partial<TemplateContent>): Promise<ActionTemplate> =>
      database.transaction(async (session) => {
        await owned(actor, id, session);
        await updateTemplate(id, change, session);
        return owned(actor, id, session);
      }),

    delete: (actor: Actor, id: number): Promise<void> =>
      database.transaction(async (session) => {
        await owned(actor, id, session);
        await deleteTemplate(id, session);
      }),
  };
}

/** @throws NotFound for a template of another tenant; Forbidden for who is no Owner. */
async function owned(actor: Actor, id: number, session: Session): Promise<ActionTemplate> {
  const template = await findTemplate({ id, tenantId: actor.tenantId }, session);
  if (template === undefined) throw new NotFound('Template');
  requireOwner(actor);
  return template;
}
