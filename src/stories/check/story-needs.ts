import type { StoryOfTeam, TemplateDependencies } from '../../language/template.js';
import type { StoryExport } from '../export-form.js';
import { allStories } from '../import/check-export.js';
import { slugOf } from '../../platform/text/slug.js';
import type { StoryNeeds } from './check-report.js';

/** What the team must have: what templates name, but for the stories that come with the export. */
export function needsOf(dependencies: Partial<TemplateDependencies>[], story?: StoryExport): StoryNeeds {
  const given = story === undefined ? [] : allStories(story).map(({ name }) => name);
  return {
    credentials: distinct(dependencies.flatMap(({ credentials = [] }) => credentials)),
    resources: distinct(dependencies.flatMap(({ resources = [] }) => resources)),
    stories: distinct(
      dependencies.flatMap(({ stories = [], storiesOfTeams = [] }) => [
        ...stories,
        ...storiesOfTeams.filter(isMeant(given)).map(({ story: name }) => name),
      ]),
      given,
    ),
  };
}

/** Of `STORY.x.y`, y is meant unless x is known to be a story itself (templates/named-values.ts). */
function isMeant(given: string[]): (named: StoryOfTeam) => boolean {
  const keys = new Set(given.map(keyOf));
  return ({ team }) => !keys.has(keyOf(team));
}

const keyOf = (name: string) => slugOf(name) || name;

/** Each name once, in one of its spellings, in alphabetical order: a name and its slug mean the same (spec §8.3). */
function distinct(names: string[], given: string[] = []): string[] {
  const without = new Set(given.map(keyOf));
  const found = new Map<string, string>();
  for (const name of names) {
    const key = keyOf(name);
    if (!without.has(key) && !found.has(key)) found.set(key, name);
  }
  return [...found.values()].toSorted((left, right) => left.localeCompare(right, 'en'));
}
