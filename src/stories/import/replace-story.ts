import type { Actor } from '../../api/face.js';
import { makeRecordTypes } from '../../data/face.js';
import { NO_COUNT_QUOTA } from '../../people/face.js';
import { NotFound } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { inSlices } from '../../platform/steps.js';
import { wakeResting } from '../activity/story-deliveries-store.js';
import { findAgentTypes, findDisabledAgents } from '../agents/agent-store.js';
import { copyGuids, withoutAddress } from '../drafts/make-draft.js';
import { storyOrDraft, type StoryOrDraft } from '../drafts/story-or-draft.js';
import { findExtra, lockStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { requireEditable } from '../edit/story-editor.js';
import { requireExpected } from '../edit/story-version.js';
import { mapValues, type StoryExport } from '../export/export-form.js';
import type { Database } from '../../platform/mysql/database.js';
import { keepGuards } from '../settings/guarded-settings.js';
import { type StoryView, viewStory } from '../settings/story-view.js';
import { visibleStory } from '../story/visible-story.js';
import type { StoryRecord } from '../story/story-store.js';
import { clearStory, writeStory } from '../story/story-write-store.js';
import { keepStateBefore, keepVersion } from '../versions/keep-version.js';
import { withGuid } from '../versions/restore-version.js';
import { findNewestVersion } from '../versions/version-store.js';
import { allStories, subStories } from './check-export.js';
import { givenAddress, WEBHOOK_TYPE } from './import-address.js';
import { withFollowedNames } from '../tests/edit-tests.js';
import { givenGuid } from './plan/given-guid.js';
import { lostWebhooks } from './plan/match-agents.js';
import { importSteps } from './plan/plan-import.js';
import { requiredRecordTypes } from './plan/required-record-types.js';
import type { StoryPlan } from './plan/story-plan.js';
import { warningsOf } from './plan/warnings.js';
import type { SoundImport, StoryImportDeps } from './story-import.js';
import {
  findStoryGuids,
  findStoryNames,
  findTakenGuids,
  findTakenWebhookPaths,
  lockReplacedStory,
  lockTeam,
} from './story-import-store.js';

export interface StoryReplaceDeps extends StoryImportDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}

/** A new content for a story or a draft. */
export interface Replacement extends SoundImport {
  place: StoryOrDraft;
  /** False: the story keeps its name. */
  renames: boolean;
  /** The header `If-Match`; undefined: any version. */
  ifMatch: string | undefined;
  /** What the version says about the change. */
  description: string | undefined;
}

export interface ReplacedWith {
  story: StoryView;
  version: number;
  warnings: string[];
}

/**
 * Gives a story or a draft the content of an export, all or nothing, as a version of the source `files`. Actions with a
 * known guid keep id, webhook address and events; a new one gets the guid of the export if no other action has it. The same
 * content makes a version too if the newest one is of another source: it says that files have it, also of a story under change
 * control.
 * @throws NotFound and Forbidden for a story that the actor may not change; Conflict for one that is locked, and for another
 * content under change control; PreconditionFailed for another version than `ifMatch` names; QuotaReached.
 */
export async function replaceStory(
  actor: Actor,
  replacement: Replacement,
  deps: StoryReplaceDeps,
): Promise<ReplacedWith> {
  const { database, changes, countQuota = NO_COUNT_QUOTA } = deps;
  const { id, teamId } = await database.read((session) =>
    storyOrDraft(actor, replacement.place, 'write', session),
  );
  const { wakes, written, ...done } = await retryConflicts(() =>
    database.transaction(async (session) => {
      if (!(await lockTeam(teamId, actor.tenantId, session))) throw new NotFound('Story');
      if (!(await lockStory(id, session))) throw new NotFound('Story');
      return countQuota.within(actor.tenantId, session, () => replaceLocked(actor, id, replacement, session));
    }),
  );
  await changes.announce(id);
  if (wakes) await changes.followUp(id, () => wakeResting(database, id));
  const all = allStories(replacement.request.data);
  const isWritten = (index: number) => index === 0 || written.some((each) => each === all[index]);
  const faults = replacement.templateFaults.filter((_, index) => isWritten(index));
  return { ...done, warnings: [...warningsOf(written, deps.agentTypes, faults), ...done.warnings] };
}

async function replaceLocked(actor: Actor, id: number, replacement: Replacement, session: Session) {
  const { request, renames, ifMatch, description } = replacement;
  const story = await visibleStory(actor, id, 'write', session);
  requireExpected(ifMatch, story);
  requireEditable({ ...story, changeControlEnabled: false });
  await keepStateBefore(story, session);
  const before = story.changeControlEnabled ? await findNewestVersion(id, session) : undefined;
  const home = { tenantId: actor.tenantId, teamId: story.teamId, folderId: undefined, userId: actor.userId };
  const { plan, warnings } = await planReplacement(
    { ...request, newName: renames ? request.newName : story.name },
    story,
    session,
  );
  const records = requiredRecordTypes(plan.written);
  warnings.push(...records.warnings, ...(await makeRecordTypes(records.types, home, session)));
  const disabled = await findDisabledAgents(id, session);
  await clearStory(id, session);
  for (const subStory of plan.subStories) {
    const storyId = await writeStory(subStory, home, session);
    await keepVersion({ storyId, userId: actor.userId, source: 'import' }, session);
  }
  await writeStory(plan.story, home, session);
  warnings.push(...(await keepGuards(actor, story, session)));
  const version = { storyId: id, userId: actor.userId, source: 'files' as const, description };
  await keepVersion(version, session);
  if (before !== undefined && (await findNewestVersion(id, session))?.digest !== before.digest)
    requireEditable(story);
  const now = await visibleStory(actor, id, 'read', session);
  return {
    story: await viewStory(now, session),
    version: now.version,
    warnings,
    written: plan.written,
    wakes: isWoken(story, now, disabled, plan.story),
  };
}

/** Whether the story or one of its actions was disabled and is no longer. */
function isWoken(
  before: StoryRecord,
  now: StoryRecord,
  disabled: ReadonlySet<number>,
  { agents }: StoryPlan,
): boolean {
  const isOn = before.disabled && !now.disabled;
  return isOn || agents.some(({ kept, disabled: rests }) => !rests && disabled.has(kept?.id ?? 0));
}

async function planReplacement(request: Replacement['request'], story: StoryRecord, session: Session) {
  const replaced = await lockReplacedStory(story.id, session);
  if (replaced === undefined) throw new NotFound('Story');
  const isDraft = story.draftOf !== null;
  const data = isDraft ? { ...request.data, agents: request.data.agents.map(withoutAddress) } : request.data;
  const embedded = isDraft ? [] : subStories(request.data).flatMap(allStories);
  const warnings = isDraft ? [] : lostWebhooks(data.agents, replaced.agents);
  const wanted = wantedIn(data);
  const takenGuids = await findTakenGuids(wanted.guids, session);
  const known = await findExtra(story.id, session);
  const { names } = await findAgentTypes(story.id, session);
  const plan = await inSlices(
    importSteps({ ...request, data }, replaced, {
      newGuid: isDraft ? copyGuids(story.guid) : givenGuid(takenGuids),
      names: await findStoryNames(
        story.teamId,
        embedded.map(({ name }) => name),
        session,
      ),
      taken: await findTakenWebhookPaths(wanted.paths, story.id, session),
      warnings,
    }),
  );
  const references = await referencesIn(known, story.teamId, session);
  const own = withReferences(withRenamedTests(plan.story, names), references);
  const extra = withGuid(own, known.guid ?? plan.story.extra.guid);
  const whole = { ...plan.story, extra };
  return {
    plan: {
      ...plan,
      story: isDraft ? { ...whole, name: story.name, disabled: false, priority: false } : whole,
    },
    warnings,
  };
}

/** Tests that were left as they were when a file gave an action another name follow it, as in an edit. */
function withRenamedTests({ agents, extra }: StoryPlan, before: ReadonlyMap<number, string>): JsonObject {
  const renames = agents.flatMap(({ kept, name }) => {
    const from = before.get(kept?.id ?? 0);
    return from === undefined || from === name ? [] : [{ from, to: name }];
  });
  const names = agents.map(({ name }) => name);
  return withFollowedNames(extra, renames, names);
}

/** Returns the guids of actions and the webhook paths in the export. */
function wantedIn(data: StoryExport): { guids: string[]; paths: string[] } {
  const agents = allStories(data).flatMap((story) => story.agents);
  return {
    guids: agents.flatMap(({ guid }) => (typeof guid === 'string' ? [guid] : [])),
    paths: agents.flatMap(({ type, options }) =>
      type === WEBHOOK_TYPE ? (givenAddress(options).path ?? []) : [],
    ),
  };
}

/** Returns what the story has in place of the stories that were imported with it, by their names. */
async function referencesIn(
  { send_to_stories: list }: JsonObject,
  teamId: number,
  session: Session,
): Promise<Map<string, JsonObject>> {
  const entries = (Array.isArray(list) ? list : []).filter(isJsonObject);
  const guids = entries.map(({ imported_as: guid }) => guid).filter((guid) => typeof guid === 'string');
  const names = await findStoryGuids(teamId, guids, session);
  return new Map([...names].map(([guid, name]) => [name, { imported_as: guid }]));
}

/** The present state of an embedded story is exported with the story, so the copy in the export is not kept. */
function withReferences(extra: JsonObject, references: ReadonlyMap<string, JsonObject>): JsonObject {
  if (references.size === 0) return extra;
  return mapValues(extra, (value, key) =>
    key === 'send_to_stories' && Array.isArray(value)
      ? value.map((each) => referenceOf(each, references))
      : value,
  );
}

function referenceOf(entry: JsonValue, references: ReadonlyMap<string, JsonObject>): JsonValue {
  const { name } = isJsonObject(entry) ? (entry as Partial<StoryExport>) : {};
  return (typeof name === 'string' ? references.get(name) : undefined) ?? entry;
}
