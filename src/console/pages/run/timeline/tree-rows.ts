import { grouped, isWarned, type Step } from '../run-tree.js';

/** Siblings of one action that are more than this are one row, which opens. */
const MOST_APART = 20;
/** Siblings that an open group shows at first, and further ones for each press. */
const SHOWN_AT_ONCE = 50;

/** A step in its place below the one that led to it. */
export interface StepTreeRow {
  kind: 'step';
  key: string;
  depth: number;
  step: Step;
  /** Steps below it, at any depth; 0 for none. */
  below: number;
  isFolded: boolean;
}

/** Siblings of one action, such as those of an exploded list. */
export interface GroupTreeRow {
  kind: 'group';
  key: string;
  depth: number;
  actionName: string | null;
  sums: GroupSums;
  isFolded: boolean;
}

/** The siblings of an open group that are not shown yet. */
export interface MoreTreeRow {
  kind: 'more';
  /** The key of the group. */
  group: string;
  key: string;
  depth: number;
  left: number;
}

export type TreeRow = StepTreeRow | GroupTreeRow | MoreTreeRow;

/** The facts of a group in one line. */
export interface GroupSums {
  actionId: number;
  count: number;
  /** Siblings that failed, or below which a step failed. */
  failed: number;
  warned: number;
  pending: number;
  /** Of 20 siblings, 19 took this long or shorter; in milliseconds. */
  p95: number;
  from: number;
  to: number;
}

/** How a person has left the tree. */
export interface TreeState {
  /** Keys of steps that are folded. */
  folded: ReadonlySet<string>;
  /** How many siblings each open group shows, by its key. */
  opened: ReadonlyMap<string, number>;
  /** The key of the chosen step: it is shown even in a folded group. */
  chosen: string;
}

/** Returns how many siblings a group shows after one more press. */
export const moreOf = (shown: number | undefined) => (shown ?? 0) + SHOWN_AT_ONCE;

/** Returns steps as a tree from the top: each below the event that its action received, many siblings as one row. */
export function treeRows(steps: readonly Step[], { folded, opened, chosen }: TreeState): TreeRow[] {
  const children = childrenOf(steps);
  const sums = sumsBelow(steps, children);
  const path = pathTo(steps, chosen);
  const rows: TreeRow[] = [];
  const stack: Pending[] = [];
  const push = (parent: number | undefined, depth: number) => {
    for (const item of itemsOf(parent, children.get(parent) ?? []).toReversed()) stack.push({ item, depth });
  };
  push(undefined, 0);
  // A stack, not a recursion: actions in a row may be 20,000.
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { item, depth } = next;
    if ('left' in item) {
      rows.push({ kind: 'more', ...item, key: `${item.group}-more`, depth });
    } else if ('members' in item) {
      const shown = opened.get(item.key);
      const { key, members } = item;
      const [first] = members as [Step];
      rows.push({
        kind: 'group',
        key,
        depth,
        actionName: first.actionName,
        sums: groupSums(members, sums),
        isFolded: shown === undefined,
      });
      const inside = shownOf(members, { shown: shown ?? 0, sums, path });
      if (shown !== undefined && inside.length < members.length) {
        stack.push({ item: { group: key, left: members.length - inside.length }, depth: depth + 1 });
      }
      for (const step of inside.toReversed()) stack.push({ item: step, depth: depth + 1 });
    } else {
      const isFolded = folded.has(item.key);
      rows.push({
        kind: 'step',
        key: item.key,
        step: item,
        depth,
        below: sums.get(item.key)?.steps ?? 0,
        isFolded,
      });
      if (!isFolded && item.event !== undefined) push(item.event.id, depth + 1);
    }
  }
  return rows;
}

interface Group {
  key: string;
  members: readonly Step[];
}
type Item = Step | Group | Pick<MoreTreeRow, 'group' | 'left'>;
interface Pending {
  item: Item;
  depth: number;
}
/** Steps below a step, and failures among these. */
interface Below {
  steps: number;
  failed: number;
}
type Children = ReadonlyMap<number | undefined, Step[]>;

function childrenOf(steps: readonly Step[]): Children {
  const known = new Set(steps.flatMap(({ event }) => event?.id ?? []));
  return grouped(steps, ({ inputId }) => (inputId !== undefined && known.has(inputId) ? inputId : undefined));
}

/** Siblings of one action that are many become a group, in the place of the first of them. */
function itemsOf(parent: number | undefined, siblings: readonly Step[]): Item[] {
  if (siblings.length <= MOST_APART) return [...siblings];
  const ofAction = grouped(siblings, ({ actionId }) => actionId);
  return [...ofAction].flatMap(([actionId, members]): Item[] =>
    members.length <= MOST_APART ? members : [{ key: `group-${parent ?? ''}-${actionId}`, members }],
  );
}

/** An event comes after the one that led to it, so the sums are made from the last event on. */
function sumsBelow(steps: readonly Step[], children: Children): Map<string, Below> {
  const sums = new Map<string, Below>();
  const latestFirst = steps.filter(({ event }) => event !== undefined).toSorted((a, b) => idOf(b) - idOf(a));
  for (const step of latestFirst) {
    const below = { steps: 0, failed: 0 };
    for (const child of children.get(idOf(step)) ?? []) {
      const further = sums.get(child.key);
      below.steps += 1 + (further?.steps ?? 0);
      below.failed += (child.dead === undefined ? 0 : 1) + (further?.failed ?? 0);
    }
    sums.set(step.key, below);
  }
  return sums;
}

const idOf = ({ event }: Step) => event?.id ?? 0;

/** Returns the keys of a step and of those that led to it. */
function pathTo(steps: readonly Step[], key: string): ReadonlySet<string> {
  const path = new Set<string>();
  const byEvent = new Map(steps.flatMap((step) => (step.event === undefined ? [] : [[step.event.id, step]])));
  for (let step = steps.find((each) => each.key === key); step !== undefined && !path.has(step.key); ) {
    path.add(step.key);
    step = step.inputId === undefined ? undefined : byEvent.get(step.inputId);
  }
  return path;
}

interface Shown {
  shown: number;
  sums: ReadonlyMap<string, Below>;
  path: ReadonlySet<string>;
}

/** The first siblings in the order of interest, and that which leads to the chosen step. */
function shownOf(members: readonly Step[], { shown, sums, path }: Shown): Step[] {
  if (shown === 0) return members.filter(({ key }) => path.has(key));
  const ordered = members.toSorted(
    (a, b) => rankOf(a, sums) - rankOf(b, sums) || b.to - b.from - (a.to - a.from),
  );
  return ordered.filter(({ key }, index) => index < shown || path.has(key));
}

/** Failures first, then what is still to come, then warnings, then the rest. */
function rankOf(step: Step, sums: ReadonlyMap<string, Below>): number {
  if (isFailing(step, sums)) return 0;
  if (step.open !== undefined) return 1;
  return isWarned(step) ? 2 : 3;
}

const isFailing = ({ dead, key }: Step, sums: ReadonlyMap<string, Below>) =>
  dead !== undefined || (sums.get(key)?.failed ?? 0) > 0;

function groupSums(members: readonly Step[], sums: ReadonlyMap<string, Below>): GroupSums {
  const [{ actionId }] = members as [Step];
  const took = members.map(({ from, to }) => to - from).toSorted((a, b) => a - b);
  const count = (is: (step: Step) => boolean) => members.reduce((sum, step) => sum + (is(step) ? 1 : 0), 0);
  return {
    actionId,
    count: members.length,
    failed: count((step) => isFailing(step, sums)),
    warned: count((step) => step.dead === undefined && isWarned(step)),
    pending: count(({ open }) => open !== undefined),
    p95: took[Math.ceil(took.length * 0.95) - 1] ?? 0,
    from: members.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    to: members.reduce((most, { to }) => Math.max(most, to), 0),
  };
}
