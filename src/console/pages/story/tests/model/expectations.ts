import type { Action } from '../../../../../../clients/typescript/api.js';
import { TEST_KINDS, type Expectation, type TestKind } from './test-shape.js';

/** The exact list that is expected of one action, of one kind. */
export interface ExpectedList {
  action: string;
  kind: TestKind;
  items: readonly unknown[];
}

/** Returns the lists of an expectation, those of an action beside each other. */
export function listsIn(expect: Expectation): ExpectedList[] {
  const all = TEST_KINDS.flatMap((kind) =>
    Object.entries(expect[kind] ?? {}).map(([action, items]): ExpectedList => ({ action, kind, items })),
  );
  const names = [...new Set(all.map(({ action }) => action))];
  return names.flatMap((name) => all.filter(({ action }) => action === name));
}

/** Returns the expectation with another list; undefined takes the list out, and its kind with the last one. */
export function withList(
  expect: Expectation,
  { kind, action }: Pick<ExpectedList, 'kind' | 'action'>,
  items: readonly unknown[] | undefined,
): Expectation {
  const others = Object.entries(expect[kind] ?? {}).filter(
    ([name]) => items !== undefined || name !== action,
  );
  const lists = { ...Object.fromEntries(others), ...(items !== undefined && { [action]: items }) };
  const { [kind]: _old, ...rest } = expect;
  return Object.keys(lists).length === 0 ? rest : { ...expect, [kind]: lists };
}

/** The kind that tells most about actions of a type. */
const KINDS: Readonly<Record<string, TestKind>> = {
  'Agents::HTTPRequestAgent': 'requests',
  'Agents::EmailAgent': 'mails',
  'Agents::RecordAgent': 'records',
};

/** Returns the kind to begin with for an action. */
export const firstKindOf = ({ type }: Pick<Action, 'type'>): TestKind => KINDS[type] ?? 'events';

/** Returns a new item of a kind, to be filled in. */
export function newItem(kind: TestKind): unknown {
  switch (kind) {
    case 'errors':
      return { $contains: '' };
    case 'requests':
      return { method: 'POST', url: { $any: true } };
    case 'mails':
      return { to: { $any: true }, subject: { $any: true } };
    case 'records':
      return { record_type: '', record: {} };
    default:
      return {};
  }
}
