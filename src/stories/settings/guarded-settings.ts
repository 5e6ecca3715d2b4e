import { type Actor, canManage, requireTeam } from '../../api/face.js';
import type { Session } from '../../platform/mysql/session.js';
import { findExtra, type StoryColumns, updateStory } from '../edit/story-change-store.js';
import type { StoryRecord } from '../story/story-store.js';
import { readStorySettings, type StorySettings } from './story-settings.js';
import { writeSettings } from './write-settings.js';

/** Settings that guard a live story: a right that editors lack makes them looser. */
type Guards = Required<Pick<StoryColumns, 'changeControlEnabled'>> & Pick<StorySettings, 'testsOnPublish'>;
type Guarded = Pick<StoryRecord, 'id' | 'teamId' | 'draftOf' | 'changeControlEnabled' | 'settings'>;

/** Tells of each guard whether a value holds less than the one before. */
const LOOSENS: { [Name in keyof Guards]: (before: Guards[Name], after: Guards[Name]) => boolean } = {
  changeControlEnabled: (before, after) => before === true && after === false,
  testsOnPublish: (before, after) => before === 'block' && after !== 'block',
};

function guardsOf({ changeControlEnabled, settings }: Guarded): Guards {
  return { changeControlEnabled, testsOnPublish: readStorySettings(settings).testsOnPublish };
}

/**
 * @throws Forbidden for a request that names a guard of a live story to loosen it, or takes a guarded one to another team,
 * whose admins could loosen it, by another than an admin of its present team.
 */
export function requireGuards(
  actor: Actor,
  story: Guarded,
  {
    changeControlEnabled,
    testsOnPublish,
    teamId = story.teamId,
  }: { [Name in keyof Guards]?: Guards[Name] | undefined } & Pick<StoryColumns, 'teamId'>,
): void {
  const before = guardsOf(story);
  const leaves =
    teamId !== story.teamId && (before.changeControlEnabled || before.testsOnPublish === 'block');
  const loosens =
    (changeControlEnabled !== undefined &&
      LOOSENS.changeControlEnabled(before.changeControlEnabled, changeControlEnabled)) ||
    (testsOnPublish !== undefined && LOOSENS.testsOnPublish(before.testsOnPublish, testsOnPublish));
  if ((loosens || leaves) && story.draftOf === null) requireTeam(actor, story.teamId, 'manage', 'Story');
}

/**
 * Gives a live story its guard back that its new content loosens, unless a team admin wrote that. `before` is the story as
 * it was; the caller has locked it. Change control is no content. Returns a warning if it did.
 */
export async function keepGuards(
  actor: Actor | undefined,
  before: Guarded,
  session: Session,
): Promise<string[]> {
  const { testsOnPublish } = guardsOf(before);
  const mayLoosen = actor !== undefined && canManage(actor, before.teamId);
  if (before.draftOf !== null || mayLoosen || !LOOSENS.testsOnPublish(testsOnPublish, null)) return [];
  const extra = await findExtra(before.id, session);
  if (!LOOSENS.testsOnPublish(testsOnPublish, readStorySettings(extra).testsOnPublish)) return [];
  await updateStory(before.id, { extra: writeSettings(extra, { testsOnPublish }) }, session);
  return ['The story keeps "tests_on_publish": "block", which only a team admin can change'];
}
