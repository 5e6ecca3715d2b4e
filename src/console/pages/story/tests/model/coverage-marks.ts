import type { Action, CoveredAction, StoryTestCoverage } from '../../../../../../clients/typescript/api.js';
import type { Untested } from '../../../../canvas/untested.js';
import { isolated } from '../../../../text/isolated.js';

type LinkType = Action['links_to_receivers'][number]['type'];

const LINK_TYPES: Readonly<Record<StoryTestCoverage['links'][number]['kind'], LinkType>> = {
  normal: 'DEFAULT',
  secondary: 'NO_MATCH',
  failure: 'FAILURE',
};
const LINK_WORDS: Readonly<Record<LinkType, string>> = {
  DEFAULT: 'the link',
  NO_MATCH: 'the link without a match',
  FAILURE: 'the failure link',
};

/** A part of a story that no test reaches. */
export interface MissingPart {
  kind: 'action' | 'link' | 'branch';
  /** The sentence for people, without its end. */
  text: string;
  /** The action to look at; undefined: the story on this page has none of that guid. */
  actionId: number | undefined;
}

type Known = Pick<Action, 'id' | 'name' | 'guid'>;

/** Returns what finds the id of an action of a report: by its guid, else by its name. */
function idsOf(actions: readonly Known[]): (action: CoveredAction) => number | undefined {
  const byGuid = new Map(actions.map(({ guid, id }) => [guid, id]));
  const byName = new Map(actions.map(({ name, id }) => [name, id]));
  return ({ guid, name }) => (guid === null ? undefined : byGuid.get(guid)) ?? byName.get(name);
}

const keyOf = ({ guid, name }: CoveredAction) => guid ?? name;

/** Returns the parts that no test reaches: actions first, then links between actions and branches that are reached otherwise. */
export function missingParts(
  { actions, links, rules }: StoryTestCoverage,
  known: readonly Known[],
): MissingPart[] {
  const idOf = idsOf(known);
  const missed = new Set(actions.filter(({ covered }) => !covered).map(keyOf));
  const isReached = (action: CoveredAction) => !missed.has(keyOf(action));
  return [
    ...actions
      .filter(({ covered }) => !covered)
      .map(
        (action): MissingPart => ({ kind: 'action', text: isolated(action.name), actionId: idOf(action) }),
      ),
    ...links
      .filter(({ source, receiver, covered }) => !covered && isReached(source) && isReached(receiver))
      .map(({ source, receiver, kind }): MissingPart => {
        const end = { normal: '', secondary: ', no match', failure: ', failure' }[kind];
        const text = `${isolated(source.name)} → ${isolated(receiver.name)}${end}`;
        return { kind: 'link', text, actionId: idOf(source) };
      }),
    ...rules
      .filter(({ action }) => isReached(action))
      .flatMap(({ action, rule, holds, fails }) =>
        branchesLeft({ holds, fails }).map(
          (branch): MissingPart => ({
            kind: 'branch',
            text: `${isolated(action.name)}: rule ${rule + 1} ${branch}`,
            actionId: idOf(action),
          }),
        ),
      ),
  ];
}

const branchesLeft = ({ holds, fails }: { holds: boolean; fails: boolean }) => [
  ...(holds ? [] : ['holds']),
  ...(fails ? [] : ['fails']),
];

/** Returns what the canvas marks. */
export function untestedIn({ actions, links, rules }: StoryTestCoverage, known: readonly Known[]): Untested {
  const idOf = idsOf(known);
  const missed = actions.filter(({ covered }) => !covered).map(idOf);
  const branches = new Map<number, number>();
  for (const { action, holds, fails } of rules) {
    const id = idOf(action);
    const left = branchesLeft({ holds, fails }).length;
    if (id !== undefined && left > 0) branches.set(id, (branches.get(id) ?? 0) + left);
  }
  return {
    actions: new Set(missed.filter((id) => id !== undefined)),
    links: new Set(
      links
        .filter(({ covered }) => !covered)
        .map(({ source, receiver, kind }) => `${idOf(source)}-${idOf(receiver)}-${LINK_TYPES[kind]}`),
    ),
    branches,
  };
}

/** Returns the sentences about one action: what of it no test reaches. */
export function untestedSentences(
  { actions, links, rules }: StoryTestCoverage,
  known: readonly Known[],
  actionId: number,
): string[] {
  const idOf = idsOf(known);
  const isHere = (action: CoveredAction) => idOf(action) === actionId;
  if (actions.some((action) => !action.covered && isHere(action))) return ['No test reaches this action.'];
  return [
    ...links
      .filter(({ source, covered }) => !covered && isHere(source))
      .map(
        ({ receiver, kind }) =>
          `No test takes ${LINK_WORDS[LINK_TYPES[kind]]} to ${isolated(receiver.name)}.`,
      ),
    ...rules
      .filter(({ action }) => isHere(action))
      .flatMap(({ rule, holds, fails }) =>
        branchesLeft({ holds, fails }).map(
          (branch) => `No test takes the branch where rule ${rule + 1} ${branch}.`,
        ),
      ),
  ];
}
