import { randomBytes } from 'node:crypto';
import type { Actor } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import { makeRecordTypes } from '../../data/face.js';
import { NO_COUNT_QUOTA, type CountQuota } from '../../people/face.js';
import { allStories, subStories } from './check-export.js';
import type { StoryExport } from '../export/export-form.js';
import { writeDraft } from '../drafts/make-draft.js';
import { inSlices } from '../../platform/steps.js';
import type { ImportRequest } from './import-request.js';
import type { StoryPlan } from './plan/story-plan.js';
import { lostWebhooks } from './plan/match-agents.js';
import { importSteps } from './plan/plan-import.js';
import { requiredRecordTypes } from './plan/required-record-types.js';
import type { ReadImport, ReadImportDeps } from './read-import.js';
import { warningsOf } from './plan/warnings.js';
import { givenAddress, WEBHOOK_TYPE } from './import-address.js';
import { findReplacedStory, findStoryNames, findTakenWebhookPaths, lockTeam } from './story-import-store.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { lockStory } from '../edit/story-change-store.js';
import { requireEditable } from '../edit/story-editor.js';
import { keepGuards } from '../settings/guarded-settings.js';
import { type StoryView, viewStory } from '../settings/story-view.js';
import { findStory } from '../story/story-store.js';
import { keepStateBefore, keepVersion } from '../versions/keep-version.js';
import { clearStory, type StoryHome, writeStory } from '../story/story-write-store.js';

export interface StoryImportDeps extends ReadImportDeps {
  database: Pick<Database, 'transaction'>;
  /** If absent, the number of stories and schedules is not limited. */
  countQuota?: CountQuota;
}

/** A valid import. */
export interface SoundImport extends Pick<ReadImport, 'templateFaults'> {
  request: ImportRequest;
}

export interface ImportedStory {
  story: StoryView;
  /** The draft that was made instead of a change of the story. */
  draftId?: number | undefined;
  /** Messages for the owner; empty if there are none. */
  warnings: string[];
}

/**
 * Writes a checked story and its embedded stories, all or nothing (spec §3.3). Without an actor, a replaced story keeps its
 * guards. @throws QuotaReached
 */
export async function importStory(
  { request, templateFaults, actor }: SoundImport & { actor?: Actor },
  home: StoryHome,
  deps: StoryImportDeps,
): Promise<ImportedStory> {
  const { story, draftId, written, warnings } = await retryConflicts(() =>
    deps.database.transaction((session) =>
      (deps.countQuota ?? NO_COUNT_QUOTA).within(home.tenantId, session, () =>
        writeImport({ request, actor }, home, session),
      ),
    ),
  );
  const all = allStories(request.data);
  const faults = templateFaults.filter((_, index) => written.some((story) => story === all[index]));
  return { story, draftId, warnings: [...warningsOf(written, deps.agentTypes, faults), ...warnings] };
}

/** The result of an import, with the exports that it wrote. */
interface Written extends ImportedStory {
  written: StoryExport[];
}

async function writeImport(
  { request, actor }: { request: ImportRequest; actor: Actor | undefined },
  home: StoryHome,
  session: Session,
): Promise<Written> {
  if (!(await lockTeam(home.teamId, home.tenantId, session))) throw new NotFound('Team');
  if (request.draftName !== undefined) return writeImportedDraft(request, request.draftName, home, session);
  const { plan, replaced, warnings } = await makePlan(request, home, session);
  const records = requiredRecordTypes(plan.written);
  warnings.push(...records.warnings, ...(await makeRecordTypes(records.types, home, session)));
  if (replaced !== undefined) await keepStateBefore(replaced, session);
  const before = replaced && (await findStory(replaced.id, home.tenantId, session));
  // The old agents are deleted first: a webhook may have moved into an embedded story, along with its path.
  if (plan.story.replacedId !== undefined) await clearStory(plan.story.replacedId, session);
  // Only the requested story is put into the folder; a replaced story without a given folder keeps its own.
  for (const subStory of plan.subStories)
    await writeVersion(subStory, { ...home, folderId: undefined }, session);
  const id = await writeVersion(plan.story, home, session, async () => {
    if (before !== undefined) warnings.push(...(await keepGuards(actor, before, session)));
  });
  const story = await findStory(id, home.tenantId, session);
  if (story === undefined) throw new Error(`Story ${id} is missing after it was written`);
  return { story: await viewStory(story, session), written: plan.written, warnings };
}

/** Embedded stories are not imported with a draft: those are live. */
async function writeImportedDraft(
  { newName, data }: ImportRequest,
  name: string,
  { tenantId, teamId, userId }: StoryHome,
  session: Session,
): Promise<Written> {
  const named = await findReplacedStory(teamId, newName, session);
  // The draft changes no row of its story, so the lock of the search would not hold on other nodes.
  if (named !== undefined) await lockStory(named.id, session);
  const live = named && (await findStory(named.id, tenantId, session));
  if (live === undefined) {
    throw new Unprocessable([{ message: `The team has no story "${newName}"`, details: 'draft_name' }]);
  }
  const records = requiredRecordTypes([data]);
  const warnings = await makeRecordTypes(records.types, { tenantId, teamId }, session);
  const draftId = await writeDraft(live, { data, name, tenantId, userId }, session);
  const story = await viewStory(live, session);
  return { story, draftId, written: [data], warnings: [...records.warnings, ...warnings] };
}

/** Writes a story, and keeps it as a version. `after` may change it in between. */
async function writeVersion(
  plan: StoryPlan,
  home: StoryHome,
  session: Session,
  after: () => Promise<void> = async () => undefined,
): Promise<number> {
  const storyId = await writeStory(plan, home, session);
  await after();
  await keepVersion({ storyId, userId: home.userId, source: 'import' }, session);
  return storyId;
}

async function makePlan(request: ImportRequest, home: StoryHome, session: Session) {
  const replaced =
    request.mode === 'versionReplace'
      ? await findReplacedStory(home.teamId, request.newName, session)
      : undefined;
  if (replaced !== undefined) requireEditable(replaced);
  const embedded = subStories(request.data).flatMap(allStories);
  const names = embedded.map(({ name }) => name);
  const warnings: string[] = [];
  const team = {
    newGuid: () => randomBytes(16).toString('hex'),
    names: await findStoryNames(home.teamId, names, session),
    taken: await findTakenWebhookPaths(wantedPaths(request), replaced?.id, session),
    warnings,
  };
  warnings.push(...lostWebhooks(request.data.agents, replaced?.agents ?? []));
  const plan = await inSlices(importSteps(request, replaced, team));
  return { plan, replaced, warnings };
}

/** Returns the webhook paths in the export. */
function wantedPaths(request: ImportRequest): string[] {
  return allStories(request.data)
    .flatMap((story) => story.agents)
    .filter((agent) => agent.type === WEBHOOK_TYPE)
    .flatMap((agent) => givenAddress(agent.options).path ?? []);
}
