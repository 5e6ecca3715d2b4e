import type { StoryOfTeam, TemplateDependencies } from '../../language/face.js';
import type { StoryExport } from '../export/export-form.js';
import { allStories } from '../import/check-export.js';
import { slugOf } from '../../platform/text/slug.js';
import type { StoryNeeds } from './check-report.js';

/** Returns the names that templates use, without the stories that the export contains. */
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

/** In `STORY.x.y`, y is the story's name unless x is a known story itself (src/language/named-values.ts). */
function isMeant(given: string[]): (named: StoryOfTeam) => boolean {
  const keys = new Set(given.map(keyOf));
  return ({ team }) => !keys.has(keyOf(team));
}

const keyOf = (name: string) => slugOf(name) || name;

/** Removes duplicates and sorts by alphabet: a name and its slug mean the same (spec §8.3), so one spelling is kept. */
function distinct(names: string[], given: string[] = []): string[] {
  const without = new Set(given.map(keyOf));
  const found = new Map<string, string>();
  for (const name of names) {
    const key = keyOf(name);
    if (!without.has(key) && !found.has(key)) found.set(key, name);
  }
  return [...found.values()].toSorted((left, right) => left.localeCompare(right, 'en'));
}
