import { type Actor, canRead, canWrite } from '../../api/face.js';
import { type TeamSecrets, usesTestValues } from '../../engine/face.js';
import type { TeamValues } from '../../language/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { hideSecrets } from '../../platform/secrets/hidden-secrets.js';
import { graphText, type StoryGraph, type StoryGraphs } from '../../stories/face.js';
import type { TrialCalledStory, TrialTeam } from '../story/story-trial.js';
import { loadTrialTeam, loadWrittenTypes } from './trial-values.js';

/** The most stories that a trial asks for while it runs, and the size of their graphs as JSON. */
const MOST = { stories: 50, characters: 8 * 1024 * 1024 };

export interface TrialStoriesDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find' | 'invalidate'>;
  values: TeamValues;
  /** For the hosts of credentials. */
  secrets: TeamSecrets;
}

/** A story of a team, as JSON. */
export interface StoryText {
  teamId: number;
  isTest: boolean;
  text: string;
}

/** Returns the story as JSON, for `loadTeamsOf`. */
export async function textOfStory(graph: StoryGraph): Promise<StoryText> {
  return { teamId: graph.teamId, isTest: usesTestValues(graph), text: await graphText(graph) };
}

/** Returns the values that these stories see, of each of their teams. */
export async function loadTeamsOf(
  actor: Actor,
  stories: StoryText[],
  deps: TrialStoriesDeps,
): Promise<TrialTeam[]> {
  const teams = new Map<string, StoryText[]>();
  for (const story of stories) {
    const key = `${story.teamId} ${story.isTest}`;
    teams.set(key, [...(teams.get(key) ?? []), story]);
  }
  const loaded: TrialTeam[] = [];
  for (const [first, ...more] of teams.values()) {
    if (first === undefined) continue;
    const { teamId, isTest } = first;
    const texts = [first, ...more].map(({ text }) => text);
    // With them, the actor could start runs and answer prompts (decision 0031).
    const shown = canWrite(actor, teamId) ? undefined : hideSecrets;
    loaded.push(await loadTrialTeam(deps, { teamId, isTest, texts, shown }));
  }
  return loaded;
}

/**
 * Returns the function that finds a story which a trial calls while it runs. Undefined for one that does not exist, that
 * the actor may not see, and beyond the most.
 */
export function createTrialStories(actor: Actor, deps: TrialStoriesDeps) {
  const left = { ...MOST };
  return async (id: number): Promise<TrialCalledStory | undefined> => {
    if (left.stories === 0) return undefined;
    left.stories -= 1;
    const graph = await deps.graphs.find(id);
    if (graph === undefined || !canRead(actor, graph.teamId)) return undefined;
    const story = await textOfStory(graph);
    left.characters -= story.text.length;
    if (left.characters < 0) return undefined;
    const writing = [{ teamId: graph.teamId, actions: [...graph.agents.values()] }];
    return {
      graph: story.text,
      teams: await loadTeamsOf(actor, [story], deps),
      recordTypes: await deps.database.read((session) => loadWrittenTypes(session, writing)),
    };
  };
}
