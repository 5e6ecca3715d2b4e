import type { Actor } from '../../api/face.js';
import { causeOf } from '../../engine/face.js';
import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import type { Session } from '../../platform/mysql/session.js';
import { lastChangeBefore, type StoryChangeRecord } from '../../stories/face.js';
import { searchFor } from '../dead-letters/dead-letter-access.js';
import type { Within } from '../dead-letters/dead-letter-search-store.js';
import { countErrors } from '../dead-letters/groups/dead-letter-group-store.js';
import { groupByKind } from '../dead-letters/groups/dead-letter-grouping.js';
import { errorKindOf } from '../dead-letters/groups/error-kind.js';
import type { DeliveryView, RunView } from '../runs/run.js';

/** Most dead letters of the installation that are looked through for the same error: each page of a failed run does so. */
const MOST_READ = 10_000;
/** Newest lines in the log of the action that are looked through, if there are more. */
const MOST_LINES = 20_000;

/** Why a run failed, and what else is known of it. */
export interface RunFailure {
  letter: DeliveryView;
  kind: string;
  cause: string | null;
  /** The dead letters of this action with this kind of error, those of other runs too. */
  same: SameFailures;
  /** The last change of the story before the run; undefined: none is known. */
  change: StoryChangeRecord | undefined;
}

/** Dead letters of one action with one kind of error. */
export interface SameFailures {
  letters: number;
  firstAt: Date;
  lastAt: Date;
  /** False: only the newest dead letters were looked at. */
  complete: boolean;
}

/** Returns why the run failed, by its first dead letter. */
export async function findRunFailure(
  session: Session,
  actor: Actor,
  { run, letter, canWrite }: { run: RunView; letter: DeliveryView; canWrite: boolean },
): Promise<RunFailure> {
  const { error } = letter;
  const kind = errorKindOf((canWrite ? error : error && hideInText(error)) ?? '');
  return {
    letter,
    kind,
    cause: causeOf(letter),
    same: await findSame(session, actor, { run, letter, kind }),
    change: await lastChangeBefore({ storyId: run.storyId, time: run.createdAt }, session),
  };
}

async function findSame(
  session: Session,
  actor: Actor,
  { run, letter, kind }: { run: RunView; letter: DeliveryView; kind: string },
): Promise<SameFailures> {
  const failedAt = letter.failedAt ?? letter.createdAt;
  const itself = { letters: 1, firstAt: failedAt, lastAt: failedAt, complete: true };
  const query = { storyId: run.storyId, agentIds: [letter.agentId] };
  const search = await searchFor(session, actor, { query, need: 'read' });
  if (search === undefined) return itself;
  const sameWithin = async (within: Within) => {
    const { counts, complete } = await countErrors(session, search, within);
    const group = (await groupByKind(actor, counts)).find((each) => each.kind === kind);
    // It may stand behind the bound.
    if (group === undefined) return { ...itself, complete: false };
    return { letters: group.letters, firstAt: group.firstAt, lastAt: group.lastAt, complete };
  };
  const found = await sameWithin({ newest: MOST_READ });
  if (found.complete) return found;
  // Dead letters of others may fill that bound: the log of the action has its own.
  const logged = await sameWithin({ lines: MOST_LINES, agentId: letter.agentId });
  return logged.letters > found.letters ? logged : found;
}
