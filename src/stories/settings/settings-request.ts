import { isDeepStrictEqual } from 'node:util';
import { type Problem, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import { findExtra } from '../edit/story-change-store.js';
import { findAgentsOfStory } from './settings-store.js';
import {
  type AccessSource,
  allowsStories,
  MOST_ITEMS,
  readStorySettings,
  type StorySettings,
} from './story-settings.js';
import { type SettingsChange, writeSettings } from './write-settings.js';

/** Agents that a request names by their ids; `field` is the name that it used. */
export interface NamedAgents {
  field: string;
  ids: readonly number[];
}

/** The wanted settings; undefined ones stay. */
export interface SettingsRequest {
  sendToStoryEnabled?: boolean | undefined;
  accessSource?: AccessSource | undefined;
  access?: StorySettings['access'] | undefined;
  sharedTeamSlugs?: string[] | undefined;
  needsConfirmation?: boolean | undefined;
  entry?: NamedAgents | undefined;
  exits?: NamedAgents | undefined;
  apiEntries?: NamedAgents | undefined;
  apiExits?: NamedAgents | undefined;
  tags?: string[] | undefined;
  addTags?: string[] | undefined;
  removeTags?: string[] | undefined;
  recipients?: string[] | undefined;
  monitorFailures?: boolean | undefined;
  runbook?: string | undefined;
  runSubject?: string | null | undefined;
  testsOnPublish?: StorySettings['testsOnPublish'] | undefined;
}

/** Returns true if the request changes nothing. */
export function asksForNothing(request: SettingsRequest): boolean {
  return Object.values(request).every((value) => value === undefined);
}

/** Returns a problem for each id that is not that of an action of the story. */
export async function storySettingsProblems(
  storyId: number,
  request: SettingsRequest,
  session: Session,
): Promise<Problem[]> {
  return problemsOf(request, await agentsOf(storyId, request, session));
}

/**
 * Returns the story's keys without a column, with the wanted settings.
 * @throws Unprocessable for ids that are not those of actions of the story, and for too many tags.
 */
export async function extraAfter(
  storyId: number,
  request: SettingsRequest,
  session: Session,
): Promise<JsonObject> {
  const agents = await agentsOf(storyId, request, session);
  const problems = problemsOf(request, agents);
  const extra = await findExtra(storyId, session);
  const before = readStorySettings(extra);
  const change = changeOf(request, before, agents);
  if ((change.tags?.length ?? 0) > MOST_ITEMS) {
    problems.push({ message: `A story can have at most ${MOST_ITEMS} tags`, details: 'add_tag_names' });
  }
  if (problems.length > 0) throw new Unprocessable(problems);
  return writeSettings(extra, differences(change, before));
}

/** Returns the change without what is so already: a client that sends a story back leaves its export as it was. */
function differences(change: SettingsChange, before: StorySettings): SettingsChange {
  const now: SettingsChange = { ...before, entryGuid: before.entryGuid ?? null };
  const entries = Object.entries(change) as [keyof SettingsChange, unknown][];
  return Object.fromEntries(entries.filter(([key, value]) => !isDeepStrictEqual(value, now[key])));
}

function groupsIn({ entry, exits, apiEntries, apiExits }: SettingsRequest): NamedAgents[] {
  return [entry, exits, apiEntries, apiExits].filter((group) => group !== undefined);
}

async function agentsOf(storyId: number, request: SettingsRequest, session: Session) {
  const ids = groupsIn(request).flatMap((group) => group.ids);
  const agents = await findAgentsOfStory(storyId, ids, session);
  return new Map(agents.map(({ id, guid }) => [id, guid]));
}

function problemsOf(request: SettingsRequest, agents: ReadonlyMap<number, string>): Problem[] {
  return groupsIn(request).flatMap(({ field, ids }) => {
    const foreign = ids.filter((id) => !agents.has(id));
    if (foreign.length === 0) return [];
    return [
      {
        message: `"${field}" contains ${foreign.join(', ')}, which is not an action of this story`,
        details: field,
      },
    ];
  });
}

function changeOf(
  request: SettingsRequest,
  before: StorySettings,
  agents: ReadonlyMap<number, string>,
): SettingsChange {
  const guidsOf = (group: NamedAgents | undefined) => group?.ids.flatMap((id) => agents.get(id) ?? []);
  const { addTags, removeTags, tags } = request;
  const sameTags = [tags, addTags, removeTags].every((names) => names === undefined);
  const accessSource = sourceAfter(request, before);
  return {
    ...(accessSource !== undefined && { accessSource, sendToStoryEnabled: allowsStories(accessSource) }),
    access: request.access,
    sharedTeamSlugs: request.sharedTeamSlugs,
    needsConfirmation: request.needsConfirmation,
    entryGuid: request.entry === undefined ? undefined : (guidsOf(request.entry)?.[0] ?? null),
    exitGuids: guidsOf(request.exits),
    apiEntryGuids: guidsOf(request.apiEntries),
    apiExitGuids: guidsOf(request.apiExits),
    tags: sameTags ? undefined : tagsAfter(request, before.tags),
    recipients: request.recipients,
    monitorFailures: request.monitorFailures,
    runbook: request.runbook,
    runSubject: request.runSubject,
    testsOnPublish: request.testsOnPublish,
  };
}

/** The newer name has precedence over the older switch. */
function sourceAfter(
  { accessSource, sendToStoryEnabled }: SettingsRequest,
  before: StorySettings,
): AccessSource | undefined {
  if (accessSource !== undefined) return accessSource;
  if (sendToStoryEnabled === undefined) return undefined;
  if (sendToStoryEnabled === allowsStories(before.accessSource)) return before.accessSource;
  return sendToStoryEnabled ? 'STS' : 'OFF';
}

function tagsAfter({ tags, addTags = [], removeTags = [] }: SettingsRequest, before: string[]): string[] {
  const removed = new Set(removeTags);
  return [...new Set([...(tags ?? before), ...addTags])].filter((tag) => !removed.has(tag));
}
