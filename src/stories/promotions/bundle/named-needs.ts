import { createLanguages, type StoryOfTeam, type TemplateLanguage } from '../../../language/face.js';
import { agentTexts, inputsOfAgent } from '../../agents/mentions/agent-texts.js';
import type { StoryExport } from '../../export/export-form.js';
import { languageOf } from '../../import/plan/language.js';
import { nameKey } from '../plan/promoted-names.js';

/** The names that a story needs in its team, each in one spelling. */
export interface NamedNeeds {
  credentials: string[];
  resources: string[];
  /** Stories that it calls; one that a number names is that number. */
  stories: string[];
  /** Names of which either is a story: `STORY.team.story`. */
  storiesOfTeams: StoryOfTeam[];
}

const LANGUAGES = createLanguages();
const CALLS = 'Agents::SendToStoryAgent';

/** Returns what the templates of a story name, and the stories that its actions call. Pure; a microsecond a character. */
export function namedNeeds(story: StoryExport, language: TemplateLanguage): NamedNeeds {
  const found: NamedNeeds = { credentials: [], resources: [], stories: [], storiesOfTeams: [] };
  const inputsOf = inputsOfAgent(story);
  for (const agent of story.agents) {
    for (const { text } of agentTexts(agent, inputsOf(agent))) {
      if (!language.isTemplate(text)) continue;
      const { credentials, resources, stories, storiesOfTeams } = language.dependencies(text);
      found.credentials.push(...credentials);
      found.resources.push(...resources);
      found.stories.push(...stories);
      found.storiesOfTeams.push(...storiesOfTeams);
    }
    const { story: called } = agent.options;
    if (agent.type !== CALLS || (typeof called !== 'string' && typeof called !== 'number')) continue;
    if (!language.isTemplate(String(called))) found.stories.push(String(called));
  }
  return {
    credentials: distinct(found.credentials),
    resources: distinct(found.resources),
    stories: distinct(found.stories),
    storiesOfTeams: found.storiesOfTeams,
  };
}

/** Returns the names of the stories that are called: in `STORY.x.y` the name is y, unless x is a known story. */
export function calledNames(
  { stories, storiesOfTeams }: Pick<NamedNeeds, 'stories' | 'storiesOfTeams'>,
  isKnown: (name: string) => boolean,
): string[] {
  return [...stories, ...storiesOfTeams.map(({ team, story }) => (isKnown(team) ? team : story))];
}

/** Returns the names of the stories that a story calls, as `calledNames`; one that a number names is that number. */
export function namesCalledBy(story: StoryExport, isKnown: (name: string) => boolean): string[] {
  return distinct(calledNames(namedNeeds(story, LANGUAGES[languageOf(story)]), isKnown));
}

/** Returns the names without those that mean the same as one before, by alphabet. */
export function distinct(names: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const name of names) if (!found.has(nameKey(name))) found.set(nameKey(name), name);
  return [...found.values()].toSorted((left, right) => left.localeCompare(right, 'en'));
}
