import { type Actor, canWrite } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import type { EventView } from '../events/event.js';
import { viewEvents } from '../events/event-views.js';
import { redactEvent } from '../runs/redact-run.js';
import { findLogLines, listLogLineIds, type LogFilter, type LogLine } from './action-log-store.js';
import { visibleRunAgent } from '../runs/run-access.js';

/** A line with the event that the action processed; undefined as `inboundEventId` is null. */
export interface LogLineView extends LogLine {
  inboundEvent: EventView | undefined;
}

export type ActionLogService = ReturnType<typeof createActionLogService>;

/** Logs of actions, with checks of what the actor may see. */
export function createActionLogService({ database }: { database: Pick<Database, 'read'> }) {
  return {
    /** Returns a page of the action's lines, newest first. @throws NotFound for an action that the actor may not see. */
    list(actor: Actor, filter: LogFilter, window: WalkWindow): Promise<WalkPage<LogLineView>> {
      return database.read(async (session) => {
        const { teamId } = await visibleRunAgent(session, actor, filter.agentId);
        const page = await listLogLineIds(session, filter, window);
        const lines = await findLogLines(session, page.items);
        const shown = canWrite(actor, teamId) ? lines : lines.map(withoutSecrets);
        const ids = lines.flatMap(({ inboundEventId }) => inboundEventId ?? []);
        const events = await viewEvents(session, [...new Set(ids)]);
        const eventOf = new Map(events.map((event) => [event.id, redactEvent(actor, event)]));
        const withEvent = (line: LogLine) => ({
          ...line,
          inboundEvent: eventOf.get(line.inboundEventId ?? 0),
        });
        return { ...page, items: shown.map(withEvent) };
      });
    },
  };
}

function withoutSecrets(line: LogLine): LogLine {
  return { ...line, message: hideInText(line.message) };
}
