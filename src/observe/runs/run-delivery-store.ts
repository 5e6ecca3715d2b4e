import type { DeliveryState } from '../../engine/face.js';
import { countUpTo } from '../../platform/mysql/statements/id-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';

/** The states of deliveries that are not done yet. */
export const OPEN: readonly DeliveryState[] = ['pending', 'waiting', 'held', 'parked'];
/** The state of dead letters. */
export const FAILED: readonly DeliveryState[] = ['failed'];

/** Deliveries of a list that are looked up: an incident may leave any number of them. */
const MOST_DELIVERIES = 10_000;

/** A part of a statement with its values. */
interface Part {
  sql: string;
  values: SqlValue[];
}

/** The scope of the deliveries: a story, or a tenant's stories in these teams. */
export type DeliveryOwners = ({ storyId: number } | { tenantId: number; teamIds: number[] }) & {
  /** Runs that started at this time or later. */
  since?: Date | undefined;
};

/**
 * Returns SQL for the guids of the runs with deliveries in these states, by the newest of these deliveries, at most `limit`. They are
 * chosen in the index alone, which has the order of those in one state: of the deliveries of others no row is read.
 */
export function runsWithDeliveries(
  states: readonly DeliveryState[],
  scope: DeliveryOwners,
  limit = MOST_DELIVERIES,
): Part {
  const parts = states.map((state) => deliveriesOf([state], scope));
  const newest = parts.map(
    ({ from, where }) =>
      `(SELECT x.id FROM ${from} WHERE ${where} ORDER BY x.due_at DESC, x.id DESC LIMIT ${limit})`,
  );
  const most = parts.length > 1 ? ` ORDER BY id DESC LIMIT ${limit}` : '';
  return {
    sql:
      `SELECT DISTINCT w.story_run_guid AS guid FROM (${newest.join(' UNION ALL ')}${most}) n` +
      ' STRAIGHT_JOIN deliveries w FORCE INDEX (PRIMARY) ON w.id = n.id',
    values: parts.flatMap(({ values }) => values),
  };
}

/** Whether there are more of them than `runsWithDeliveries` looks up. */
export async function areManyDeliveries(
  session: Session,
  states: readonly DeliveryState[],
  scope: DeliveryOwners,
): Promise<boolean> {
  return (await countUpTo(session, deliveriesOf(states, scope), MOST_DELIVERIES + 1)) > MOST_DELIVERIES;
}

function deliveriesOf(states: readonly DeliveryState[], scope: DeliveryOwners) {
  const { since } = scope;
  const terms: [string, ...SqlValue[]][] = [['x.state IN (?)', [...states]]];
  // A dead letter is due when it failed: after its run started.
  if (since !== undefined && states.every((state) => state === 'failed'))
    terms.push(['x.due_at >= ?', since]);
  let from = 'deliveries x FORCE INDEX (deliveries_due)';
  if ('storyId' in scope) terms.push(['x.story_id = ?', scope.storyId]);
  else {
    from += ' STRAIGHT_JOIN stories v FORCE INDEX (PRIMARY) ON v.id = x.story_id';
    terms.push(['v.tenant_id = ? AND v.team_id IN (?)', scope.tenantId, scope.teamIds]);
  }
  return {
    from,
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.flatMap(([, ...values]) => values),
  };
}

/** The condition for a run `r` with a delivery in one of these states. */
export const hasDelivery = (states: readonly DeliveryState[]): string =>
  '(SELECT w.id FROM deliveries w FORCE INDEX (deliveries_run)' +
  ` WHERE w.story_run_guid = r.guid AND w.state IN ('${states.join("', '")}') LIMIT 1) IS NOT NULL`;
