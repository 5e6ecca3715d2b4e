import { randomUUID } from 'node:crypto';
import type { TenantMailers } from '../../../mails/tenant-mailers.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { loopUntil } from '../../../platform/runtime/background-loop.js';
import { countUntoldEvents, keepWatches, markWatchesTold, readWatches } from './action-watch-store.js';
import { findingsOf, type WatchFinding } from './watch-finding.js';
import { MOST_EVENTS, watchMail } from './watch-mail.js';
import { claimWatchNotice, forgetOldWatchNotices } from './watch-notice-store.js';
import {
  type AgentPage,
  findWatchedActions,
  nextAgentPage,
  type WatchedStory,
} from './watched-action-store.js';

export interface ActionWatcherDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  mailers: Pick<TenantMailers, 'of'>;
  /** Prefix of the address in a mail, without a trailing slash. */
  baseUrl: string;
  logger: Logger;
}

const AGENTS = 1_000;
const MOST_ACTIONS = 20;
const MOST_RECIPIENTS = 100;
const OLD_ROWS = 1_000;
const PAUSE_MS = 60_000;

export type ActionWatcher = ReturnType<typeof createActionWatcher>;

/**
 * Creates the sender of mails about actions with `monitor_no_events_emitted` or `monitor_all_events`, to the recipients of
 * their story (spec §3.5). It looks at the last event of each such action once a minute, so events cost nothing. Any number of processes
 * may run it.
 */
export function createActionWatcher(deps: ActionWatcherDeps) {
  const { database, logger } = deps;
  const tick = async (signal = new AbortController().signal): Promise<void> => {
    let afterId = 0;
    while (!signal.aborted) {
      const page = await database.read((session) => nextAgentPage(session, { afterId, limit: AGENTS }));
      if (page === undefined) break;
      await lookAt(page, deps, signal);
      afterId = page.lastId;
    }
    await database.read((session) => forgetOldWatchNotices(OLD_ROWS, session));
  };
  return {
    /** Looks at all monitored actions once. */
    tick,
    /** Looks at them until `until` is aborted. */
    run: (until: AbortSignal): Promise<void> =>
      loopUntil(until, {
        async pass(signal) {
          await tick(signal);
          return PAUSE_MS;
        },
        restAfterErrorMs: PAUSE_MS,
        failure: 'monitored actions could not be looked at',
        logger,
      }),
  };
}

async function lookAt(page: AgentPage, deps: ActionWatcherDeps, signal: AbortSignal): Promise<void> {
  const { actions, watches } = await deps.database.read(async (session) => {
    const found = await findWatchedActions(session, page);
    await keepWatches(
      session,
      page,
      found.map(({ agentId }) => agentId),
    );
    return { actions: found, watches: await readWatches(session, page) };
  });
  for (const [story, findings] of findingsOf(actions, watches)) {
    if (signal.aborted) return;
    const mayTell = await deps.database.transaction((session) => claimWatchNotice(story.id, session));
    if (mayTell) await tell(story, findings.slice(0, MOST_ACTIONS), { ...deps, signal });
  }
}

/** Sends the mail. If that fails, what it told stays to be told, ten minutes later. */
async function tell(
  story: WatchedStory,
  findings: readonly WatchFinding[],
  { database, mailers, baseUrl, logger, signal }: ActionWatcherDeps & { signal: AbortSignal },
): Promise<void> {
  const watchesOf = (of: 'isSilent' | 'hasEmitted') =>
    findings.filter((finding) => finding[of]).map(({ watch }) => watch);
  const emitted = watchesOf('hasEmitted');
  const events = await database.read((session) => countUntoldEvents(session, emitted, MOST_EVENTS));
  const mail = watchMail({
    messageId: `<watch-${randomUUID()}@fabula>`,
    recipients: story.recipients.slice(0, MOST_RECIPIENTS),
    story,
    findings,
    events,
    baseUrl,
  });
  try {
    await mailers.of(story.tenantId, () => undefined).send(mail, signal);
  } catch (error) {
    logger.warn('recipients of a story were not told of its monitored actions', {
      story_id: story.id,
      error: messageOf(error),
    });
    return;
  }
  await database.read((session) => markWatchesTold(session, { silent: watchesOf('isSilent'), emitted }));
}
