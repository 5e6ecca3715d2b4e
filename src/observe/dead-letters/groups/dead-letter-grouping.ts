import { setImmediate as breathe } from 'node:timers/promises';
import { type Actor, canWrite } from '../../../api/face.js';
import { hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { errorKindOf } from './error-kind.js';
import { type DeadLetterGroup, type ErrorCount, HOURS, type HourCount } from './dead-letter-group.js';

/** Texts between two pauses: there may be thousands, and the process has other requests. */
const TEXTS_AT_ONCE = 500;

/** Returns the groups of these counts, that with the last failure first. */
export async function groupByKind(actor: Actor, counts: readonly ErrorCount[]): Promise<DeadLetterGroup[]> {
  const groups = new Map<string, DeadLetterGroup>();
  await eachKind(actor, counts, (counted, kind) => {
    const { error: _, ...count } = counted;
    const key = keyOf({ ...count, kind });
    const group = groups.get(key);
    groups.set(key, group === undefined ? { ...count, kind } : sumOf(group, count));
  });
  return [...groups.values()].toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
}

/** Returns the failures of each group in each of the last hours, oldest first, by `keyOf`. */
export async function trendsOf(actor: Actor, counts: readonly HourCount[]): Promise<Map<string, number[]>> {
  const trends = new Map<string, number[]>();
  await eachKind(actor, counts, (count, kind) => {
    const key = keyOf({ ...count, kind });
    const trend = trends.get(key) ?? Array.from({ length: HOURS }, () => 0);
    const hour = HOURS - 1 - Math.min(HOURS - 1, Math.max(0, count.hoursAgo));
    trend[hour] = (trend[hour] ?? 0) + count.letters;
    trends.set(key, trend);
  });
  return trends;
}

/** Names a group. */
export const keyOf = ({ storyId, agentId, kind }: Pick<DeadLetterGroup, 'storyId' | 'agentId' | 'kind'>) =>
  `${storyId} ${agentId} ${kind}`;

/** Returns the texts of one kind. */
export async function textsOfKind(
  actor: Actor,
  counts: readonly ErrorCount[],
  wanted: string,
): Promise<string[]> {
  const texts = new Set<string>();
  await eachKind(actor, counts, ({ error }, kind) => {
    if (kind === wanted) texts.add(error);
  });
  return [...texts];
}

/** The kind is that of the text which the actor may see. */
async function eachKind<Count extends Pick<ErrorCount, 'teamId' | 'error'>>(
  actor: Actor,
  counts: readonly Count[],
  use: (count: Count, kind: string) => void,
): Promise<void> {
  for (const [index, count] of counts.entries()) {
    if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) await breathe();
    const { teamId, error } = count;
    use(count, errorKindOf(canWrite(actor, teamId) ? error : hideInText(error)));
  }
}

function sumOf(group: DeadLetterGroup, count: Omit<ErrorCount, 'error'>): DeadLetterGroup {
  return {
    ...group,
    letters: group.letters + count.letters,
    retried: group.retried + count.retried,
    firstAt: new Date(Math.min(group.firstAt.getTime(), count.firstAt.getTime())),
    ...(count.lastAt > group.lastAt ? { lastAt: count.lastAt, newestId: count.newestId } : {}),
  };
}
