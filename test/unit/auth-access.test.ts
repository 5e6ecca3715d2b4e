import {
  can,
  canManage,
  canRead,
  canWrite,
  defaultTeamId,
  type RequiredRight,
  requireOwner,
  requireTeam,
  rightsOf,
  visibleTeamIds,
} from '../../src/api/auth/access.js';
import type { Actor, Role } from '../../src/api/auth/actor.js';
import { Forbidden, NotFound } from '../../src/platform/errors.js';

const TEAM = 5;

function actorWith(overrides: Partial<Actor> = {}): Actor {
  return {
    keyId: 1,
    kind: 'personal',
    tenantId: 1,
    userId: 1,
    userEmail: 'a@example.test',
    isOwner: false,
    roles: new Map([[TEAM, 'EDITOR']]),
    keyTeamId: undefined,
    ...overrides,
  };
}

describe('access to a team', () => {
  it.each<[Role, RequiredRight, boolean]>([
    ['VIEWER', 'read', true],
    ['VIEWER', 'write', false],
    ['VIEWER', 'manage', false],
    ['EDITOR', 'read', true],
    ['EDITOR', 'write', true],
    ['EDITOR', 'manage', false],
    ['TEAM_ADMIN', 'read', true],
    ['TEAM_ADMIN', 'write', true],
    ['TEAM_ADMIN', 'manage', true],
  ])('as %s to %s: %s', (role, need, allowed) => {
    const actor = actorWith({ roles: new Map([[TEAM, role]]) });
    expect(can(actor, TEAM, need)).toBe(allowed);
    expect(rightsOf(role).includes(need)).toBe(allowed);
    const ask = () => requireTeam(actor, TEAM, need);
    if (allowed) expect(ask).not.toThrow();
    else expect(ask).toThrow(Forbidden);
  });

  it('named by what is done agrees with the table', () => {
    const editor = actorWith();
    expect([canRead(editor, TEAM), canWrite(editor, TEAM), canManage(editor, TEAM)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('of a stranger is “not found”, whatever is wanted, so that ids cannot be probed', () => {
    expect(() => requireTeam(actorWith(), 6, 'read')).toThrow(new NotFound('Team'));
    expect(() => requireTeam(actorWith(), 6, 'write', 'Story')).toThrow('Story not found');
    expect(() => requireTeam(actorWith({ isOwner: true }), 6, 'read')).toThrow(NotFound);
  });
});

describe('access to the tenant', () => {
  it('is for Owners', () => {
    expect(() => requireOwner(actorWith({ isOwner: true }))).not.toThrow();
    expect(() => requireOwner(actorWith())).toThrow(Forbidden);
  });
});

describe('the teams of an actor', () => {
  const roles = new Map<number, Role>([
    [9, 'VIEWER'],
    [5, 'EDITOR'],
  ]);

  it('are those it has a role in', () => {
    expect(visibleTeamIds(actorWith({ roles }))).toEqual([9, 5]);
  });

  it('begin with the one that new things go to, unless the key is bound to another', () => {
    expect(defaultTeamId(actorWith({ roles }))).toBe(9);
    expect(defaultTeamId(actorWith({ roles, keyTeamId: 5 }))).toBe(5);
    expect(defaultTeamId(actorWith({ roles: new Map() }))).toBeUndefined();
  });
});
