import type { Actor } from '../../api/face.js';
import { holdTeam } from '../../people/face.js';
import type { ActivityType, CaseUser } from './case.js';
import type { UpdateCaseBody } from './case-input.js';
import { type People, refuseCasePeople } from './people/case-people.js';
import { addAssignees, removeAssignees } from './people/case-people-store.js';
import { type ListChange, planCaseUpdate } from './case-plan.js';
import type { CaseScene } from './case-scene.js';
import { type CaseChanges, updateCase } from './case-store.js';
import { addTags, removeTags, tagsOf } from './links/case-tag-store.js';
import { closeCase, type ClosureDeps } from './closure/closure.js';
import { changedKeys } from './changed-keys.js';
import { newlyMentioned } from './people/mentions.js';
import { removeUrlSubscribers } from './notifications/subscriber-store.js';

/**
 * Applies an update body to a locked case (spec §7.3): null leaves a field unchanged, an empty text clears it. Each
 * actual change adds an activity, always in the same order. A case is closed last, with all other changes applied.
 * @throws NotFound, Forbidden (another team); Unprocessable with every problem.
 */
export async function updateLockedCase(
  scene: CaseScene,
  body: UpdateCaseBody,
  deps: ClosureDeps,
): Promise<void> {
  const { actor, session, stored } = scene;
  const plan = await planCaseUpdate(stored, body, { actor, session, formulas: deps.formulas });
  refuseCasePeople(plan.problems);
  await updateFields(scene, body, plan.people);
  await updateAssignees(scene, plan.assignees);
  await updateTags(scene, plan.tags, await updateTeam(scene, body));
  await updateStatus(scene, body, deps);
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

async function updateFields(scene: CaseScene, body: UpdateCaseBody, people: People): Promise<void> {
  const { stored, session } = scene;
  await updateCase(stored.id, fieldChanges(scene, body, people), session);
  for (const [type, value, mentions] of fieldNotes(scene, body)) await scene.note(type, value, { mentions });
}

function fieldChanges({ stored, actor }: CaseScene, body: UpdateCaseBody, people: People): CaseChanges {
  const { author_email: authorEmail, opened_at: openedAt, resolved_at: resolvedAt } = body;
  return {
    ...(isGiven(body.name) && { name: body.name }),
    ...(isGiven(body.description) && { description: body.description || null }),
    ...(isGiven(body.priority) && { priority: body.priority }),
    ...(isGiven(body.metadata) && { metadata: body.metadata || {} }),
    ...(isGiven(body.closure_conditions) && { closureConditions: body.closure_conditions || [] }),
    ...(isGiven(authorEmail) && authorOf(actor, people.of([authorEmail]))),
    ...(isGiven(openedAt) && { openedAt: openedAt || null }),
    // If the case is closed or reopened by this update, `updateStatus` sets the time.
    ...(isGiven(resolvedAt) && !changesStatus(stored.status, body) && { resolvedAt: resolvedAt || null }),
  };
}

function authorOf(actor: Actor, [user]: CaseUser[]): Pick<CaseChanges, 'authorId' | 'authorSetById'> {
  return { authorId: user?.id ?? null, authorSetById: user === undefined ? null : actor.userId };
}

function changesStatus(before: string, { status }: UpdateCaseBody): boolean {
  return isGiven(status) && status !== before;
}

function fieldNotes({ stored }: CaseScene, body: UpdateCaseBody): [ActivityType, string, number[]][] {
  const notes: [ActivityType, string, number[]][] = [];
  const { name, priority, metadata } = body;
  if (isGiven(name) && name !== stored.name) notes.push(['TITLE_UPDATED', name, []]);
  if (isGiven(body.description) && (body.description || null) !== stored.description) {
    const mentions = newlyMentioned(stored.description, body.description);
    notes.push(['DESCRIPTION_UPDATED', body.description, mentions]);
  }
  if (isGiven(priority) && priority !== stored.priority) notes.push(['SEVERITY_UPDATED', priority, []]);
  const keys = isGiven(metadata) ? changedKeys(stored.metadata, metadata || {}) : [];
  if (keys.length > 0) notes.push(['METADATA_UPDATED', keys.join(','), []]);
  return notes;
}

async function updateAssignees(scene: CaseScene, { added, gone }: ListChange<number>): Promise<void> {
  const { stored, session } = scene;
  if (gone.length > 0) {
    await removeAssignees(stored.id, gone, session);
    await scene.note('UNASSIGNED', gone.join(','));
  }
  if (added.length > 0) {
    await addAssignees(stored.id, added, session);
    await scene.note('ASSIGNED', added.join(','));
  }
}

async function updateTags(
  scene: CaseScene,
  { added, gone }: ListChange<string>,
  teamId: number,
): Promise<void> {
  const { stored, session } = scene;
  if (added.length > 0) {
    await addTags({ caseId: stored.id, teamId }, added, session);
    await scene.note('TAGS_ADDED', added.join(','));
  }
  if (gone.length > 0) {
    const tags = (await tagsOf(stored.id, session)).filter(({ name }) => gone.includes(name));
    const ids = tags.map(({ id }) => id);
    await removeTags(stored.id, ids, session);
    await scene.note('TAGS_REMOVED', gone.join(','));
  }
}

/**
 * Moves the case to another team if the body names one. Returns the case's team. Tags belong to a team: the case gets
 * tags with the same names in the new team. URL subscribers of the old team are removed.
 */
async function updateTeam(scene: CaseScene, { team_id: teamId }: UpdateCaseBody): Promise<number> {
  const { stored, session } = scene;
  if (!isGiven(teamId) || teamId === stored.teamId) return stored.teamId;
  await holdTeam(teamId, session);
  const tags = await tagsOf(stored.id, session);
  const ids = tags.map(({ id }) => id);
  const names = tags.map(({ name }) => name);
  await updateCase(stored.id, { teamId }, session);
  await removeTags(stored.id, ids, session);
  await addTags({ caseId: stored.id, teamId }, names, session);
  await removeUrlSubscribers(stored.id, session);
  await scene.note('TEAM_UPDATED', String(teamId));
  return teamId;
}

async function updateStatus(scene: CaseScene, body: UpdateCaseBody, deps: ClosureDeps): Promise<void> {
  const { stored, session } = scene;
  const { status } = body;
  if (!isGiven(status) || status === stored.status) return;
  if (status === 'CLOSED') await closeCase(scene, body.resolved_at || undefined, deps);
  else await updateCase(stored.id, { status, resolvedAt: null, resolvedById: null }, session);
  await scene.note('STATUS_UPDATED', status);
}
