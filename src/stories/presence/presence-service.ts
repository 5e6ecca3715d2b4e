import type { Actor } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { visibleStory } from '../story/visible-story.js';
import { findPersonNames } from './person-name-store.js';
import type { PresenceList } from './presence-list.js';

export interface PresenceServiceDeps {
  database: Pick<Database, 'read'>;
  list: PresenceList;
}

/** A person who has a story or a draft of it open. */
export interface PresentPerson {
  name: string;
  /** Null: the live story. */
  draftId: number | null;
  /** The guid of the chosen action; null: none, or several. */
  actionGuid: string | null;
}

export type PresenceService = ReturnType<typeof createPresenceService>;

/** Tells people who else has a story open. Nothing of it is stored in the database. */
export function createPresenceService({ database, list }: PresenceServiceDeps) {
  const liveIdOf = async (actor: Actor, id: number): Promise<number> => {
    const story = await database.read((session) => visibleStory(actor, id, 'read', session));
    return story.draftOf ?? story.id;
  };
  return {
    /** @throws NotFound for a story that the actor may not see. */
    async requireVisible(actor: Actor, id: number): Promise<void> {
      await liveIdOf(actor, id);
    },

    /**
     * Notes for 45 seconds that the actor has a story or draft open. Returns the others who have the story or a draft of it
     * open, by name. @throws NotFound; Unavailable without Redis.
     */
    async enter(actor: Actor, id: number, actionGuid: string | null): Promise<PresentPerson[]> {
      const { tenantId, userId } = actor;
      const liveId = await liveIdOf(actor, id);
      const others = await list.enter(liveId, { userId, openId: id, actionGuid });
      if (others.length === 0) return [];
      const ids = others.map((other) => other.userId);
      const names = await database.read((session) => findPersonNames(ids, tenantId, session));
      return others
        .flatMap((other): PresentPerson[] => {
          const name = names.get(other.userId);
          const draftId = other.openId === liveId ? null : other.openId;
          return name === undefined ? [] : [{ name, draftId, actionGuid: other.actionGuid }];
        })
        .toSorted((one, another) => one.name.localeCompare(another.name));
    },

    /** Forgets the actor. @throws NotFound; Unavailable without Redis. */
    async leave(actor: Actor, id: number): Promise<void> {
      await list.leave(await liveIdOf(actor, id), actor.userId);
    },
  };
}
