import type { NamedKind } from '../named-values.js';
import { positionsIn } from '../values/position.js';
import type { StoryOfTeam, TemplateDependencies } from '../template.js';
import { textOf } from '../values/values.js';
import { walkFormula } from './evaluation/formula-walk.js';
import type { Expression, FormulaText, NamedNode, TextPart } from './parsing/syntax-tree.js';

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
  const inputs = new Map<string, number>();
  for (const { part, bound } of walkFormula(text)) {
    if (!bound.has('INPUT')) noteInput(part, inputs);
    if (part.kind === 'named') note(part, { named, storiesOfTeams });
    if (part.kind !== 'reference' || bound.has(part.name)) continue;
    firstUse.set(part.name, Math.min(part.at, firstUse.get(part.name) ?? part.at));
  }
  const positionOf = positionsIn(source);
  return {
    roots: inOrder(firstUse, positionOf),
    inputs: inOrder(inputs, positionOf),
    sets: [],
    credentials: [...named.CREDENTIAL],
    resources: [...named.RESOURCE],
    stories: [...named.STORY],
    storiesOfTeams,
  };
}

function inOrder(names: ReadonlyMap<string, number>, positionOf: ReturnType<typeof positionsIn>) {
  return [...names]
    .toSorted(([, left], [, right]) => left - right)
    .map(([name, at]) => ({ name, ...positionOf(at) }));
}

/** Records the name after `INPUT`; a computed one is unknown here. */
function noteInput(part: Expression | TextPart, inputs: Map<string, number>): void {
  if (part.kind !== 'member' || part.left.kind !== 'reference' || part.left.name !== 'INPUT') return;
  if (part.key.kind !== 'literal') return;
  const name = textOf(part.key.value);
  inputs.set(name, Math.min(part.left.at, inputs.get(name) ?? part.left.at));
}

/** Records a name; a computed one is unknown here. */
function note({ root, team, key }: NamedNode, found: FoundNames): void {
  if (key.kind !== 'literal') return;
  const name = textOf(key.value);
  if (team === undefined) found.named[root].add(name);
  else if (team.kind === 'literal') found.storiesOfTeams.push({ team: textOf(team.value), story: name });
}
