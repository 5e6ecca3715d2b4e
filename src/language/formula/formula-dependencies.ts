import type { NamedKind } from '../named-values.js';
import { positionsIn } from '../values/position.js';
import type { StoryOfTeam, TemplateDependencies } from '../template.js';
import { textOf } from '../values/values.js';
import { walkFormula } from './formula-walk.js';
import type { FormulaText, Named } from './syntax-tree.js';

interface FoundNames {
  named: Record<NamedKind, Set<string>>;
  storiesOfTeams: StoryOfTeam[];
}

/** Returns what a parsed text with formulas needs; `source` is the text itself. Formulas set no variables. */
export function formulaDependencies(source: string, text: FormulaText): TemplateDependencies {
  const firstUse = new Map<string, number>();
  const named: Record<NamedKind, Set<string>> = {
    CREDENTIAL: new Set(),
    RESOURCE: new Set(),
    STORY: new Set(),
  };
  const storiesOfTeams: StoryOfTeam[] = [];
  for (const { part, bound } of walkFormula(text)) {
    if (part.kind === 'named') note(part, { named, storiesOfTeams });
    if (part.kind !== 'reference' || bound.has(part.name)) continue;
    firstUse.set(part.name, Math.min(part.at, firstUse.get(part.name) ?? part.at));
  }
  const positionOf = positionsIn(source);
  return {
    roots: [...firstUse]
      .toSorted(([, left], [, right]) => left - right)
      .map(([name, at]) => ({ name, ...positionOf(at) })),
    sets: [],
    credentials: [...named.CREDENTIAL],
    resources: [...named.RESOURCE],
    stories: [...named.STORY],
    storiesOfTeams,
  };
}

/** Records a name; a computed one is unknown here. */
function note({ root, team, key }: Named, found: FoundNames): void {
  if (key.kind !== 'literal') return;
  const name = textOf(key.value);
  if (team === undefined) found.named[root].add(name);
  else if (team.kind === 'literal') found.storiesOfTeams.push({ team: textOf(team.value), story: name });
}
