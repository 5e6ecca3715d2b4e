import { type Actor, requireTeam, type Role } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import {
  deleteMember,
  findMember,
  findTenantPerson,
  insertMember,
  listMembers,
  type Member,
  setRole,
} from './member-store.js';

/** A new member: a user of the tenant, by id or by e-mail address. */
export interface NewMember {
  userId?: number | undefined;
  email?: string | undefined;
  role: Role;
}

/** A user to invite. */
export type Invited = Omit<NewMember, 'role'> & { role?: Role | undefined };

export type MemberService = ReturnType<typeof createMemberService>;

/** Creates the service of team members: all members can read them, TEAM_ADMINs manage them (spec §2.6). */
export function createMemberService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  return {
    async list(actor: Actor, teamId: number, window: Window): Promise<Page<Member>> {
      requireTeam(actor, teamId, 'read');
      return database.read((session) => listMembers(teamId, window, session));
    },

    /** @throws Unprocessable for an unknown user; Conflict for an existing member. */
    async add(actor: Actor, teamId: number, { role, ...person }: NewMember): Promise<Member> {
      requireTeam(actor, teamId, 'manage');
      return database.transaction(async (session) => {
        const userId = await findTenantPerson(actor.tenantId, person, session);
        if (userId === undefined) throw new Unprocessable([unknownPerson(person)]);
        await insertMember({ teamId, userId, role }, session).catch(alreadyMember);
        return getMember(teamId, userId, session);
      });
    },

    /**
     * Returns the member, who is new unless the user is one already.
     * @throws Unprocessable for an unknown user; Conflict for a member with another role than the given one.
     */
    async invite(actor: Actor, teamId: number, { role, ...person }: Invited): Promise<Member> {
      requireTeam(actor, teamId, 'manage');
      return database.transaction(async (session) => {
        const userId = await findTenantPerson(actor.tenantId, person, session);
        if (userId === undefined) throw new Unprocessable([unknownPerson(person)]);
        const isNew = await insertMember({ teamId, userId, role: role ?? 'VIEWER' }, session).then(
          () => true,
          isMember,
        );
        const member = await getMember(teamId, userId, session);
        if (!isNew && role !== undefined && role !== member.role) throw otherRole(member);
        return member;
      });
    },

    /** Returns the problems of the person, if one is named. @throws NotFound and Forbidden as `add`. */
    async checkAdd(actor: Actor, teamId: number, person: Omit<NewMember, 'role'>): Promise<Problem[]> {
      requireTeam(actor, teamId, 'manage');
      if (person.userId === undefined && person.email === undefined) return [];
      const userId = await database.read((session) => findTenantPerson(actor.tenantId, person, session));
      return userId === undefined ? [unknownPerson(person)] : [];
    },

    /** Returns a member to who may invite. @throws NotFound and Forbidden. */
    async invited(actor: Actor, teamId: number, userId: number): Promise<Member> {
      requireTeam(actor, teamId, 'manage');
      return database.read((session) => getMember(teamId, userId, session));
    },

    /** @throws NotFound and Forbidden as `changeRole`. */
    async checkChange(actor: Actor, teamId: number, userId: number): Promise<void> {
      requireTeam(actor, teamId, 'manage');
      await database.read((session) => getMember(teamId, userId, session));
    },

    /** @throws Conflict for a service account: its role belongs to its key, and another role needs another key. */
    async changeRole(actor: Actor, member: Pick<Member, 'teamId' | 'userId' | 'role'>): Promise<Member> {
      requireTeam(actor, member.teamId, 'manage');
      return database.read(async (session) => {
        await requirePerson(member.teamId, member.userId, session);
        await setRole(member, session);
        return getMember(member.teamId, member.userId, session);
      });
    },

    /** @throws NotFound and Forbidden as `remove`. */
    async checkRemove(actor: Actor, teamId: number, userId: number | undefined): Promise<void> {
      requireTeam(actor, teamId, 'manage');
      if (userId !== undefined) await database.read((session) => getMember(teamId, userId, session));
    },

    async remove(actor: Actor, teamId: number, userId: number): Promise<void> {
      requireTeam(actor, teamId, 'manage');
      await database.read(async (session) => {
        await requirePerson(teamId, userId, session);
        await deleteMember(teamId, userId, session);
      });
    },
  };
}

async function getMember(teamId: number, userId: number, session: Session): Promise<Member> {
  const member = await findMember(teamId, userId, session);
  if (member === undefined) throw new NotFound('Member');
  return member;
}

/** Service accounts exist only with their keys, which Owners manage. */
async function requirePerson(teamId: number, userId: number, session: Session): Promise<void> {
  const { isServiceAccount } = await getMember(teamId, userId, session);
  if (isServiceAccount) {
    throw new Conflict('This is the service account of an API key: revoke the key, or create another one');
  }
}

function unknownPerson({ userId }: Omit<NewMember, 'role'>): Problem {
  const details = userId === undefined ? 'email' : 'user_id';
  return { message: `"${details}" is not an active user of the tenant`, details };
}

/** @throws the error unless it says that the user is a member. */
function isMember(error: unknown): false {
  if (!isDuplicateKey(error)) throw error;
  return false;
}

function otherRole({ teamId, userId, role }: Member): Conflict {
  const place = `PUT /api/v1/teams/${teamId}/members/${userId}`;
  return new Conflict([
    {
      message: `The user is already a member with the role ${role}; change it with ${place}`,
      details: 'role',
    },
  ]);
}

function alreadyMember(error: unknown): never {
  if (isDuplicateKey(error)) throw new Conflict('The user is already a member of the team');
  throw error;
}
