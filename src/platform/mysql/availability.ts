import type { Logger } from '../logger.js';
import { createLinkedList } from '../runtime/linked-list.js';

/** Something that waits for the database for so long is a reason to ask whether it is there. */
const SUSPECT_MS = 300;
const LOOK_EVERY_MS = 150;
/** Slow statements of a database that answers are no reason to ask all the time. */
const ASK_EVERY_MS = 1_000;

/** The database does not answer: what was asked of it has failed, or is unknown, as when a connection breaks. */
export class DatabaseDown extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';
  readonly fatal = true;

  constructor() {
    super('The database does not answer');
    this.name = new.target.name;
  }
}

/** Whether the database answers (rules 5 and 7): a call that takes long says nothing, a ping that fails does. */
export interface Availability {
  /**
   * Something begins to wait for the database; gives what ends the wait, and is told whether an answer did. `onDown` ends
   * it when the database is found not to answer: in this very call, when that is known already.
   */
  begin(onDown: (error: DatabaseDown) => void): (answered: boolean) => void;
  /** Asks now, after an error of a connection; many ask together. */
  isDown(): Promise<boolean>;
  close(): void;
}

export interface AvailabilityOptions {
  /** Whether the database answers, by a time-out of its own. Must not throw. */
  probe: () => Promise<boolean>;
  logger: Logger;
}

interface Wait {
  since: number;
  onDown: (error: DatabaseDown) => void;
}

/** Looks at what waits, and asks the database when something waits for long, or when it was away. */
export function createAvailability({ probe, logger }: AvailabilityOptions): Availability {
  const waits = createLinkedList<Wait>();
  let down = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> | undefined;

  const ask = (): Promise<boolean> => {
    const beganAt = performance.now();
    asking ??= probe().then((welcome) => {
      asking = undefined;
      askedAt = performance.now();
      // One that is busy may keep a newcomer waiting while it answers others.
      const answers = welcome || answeredAt > beganAt;
      if (answers === down)
        logger[down ? 'info' : 'warn'](`the database ${down ? 'is back' : 'does not answer'}`);
      down = !answers;
      if (down) dismiss();
      return answers;
    });
    return asking;
  };

  const dismiss = () => {
    const dismissed = [...waits];
    waits.clear();
    for (const { onDown } of dismissed) onDown(new DatabaseDown());
  };

  const look = () => {
    const now = performance.now();
    const [oldest] = waits;
    const suspect = oldest !== undefined && now - oldest.since > SUSPECT_MS && now - askedAt > ASK_EVERY_MS;
    if (down || suspect) void ask();
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();

  return {
    begin(onDown) {
      if (down) {
        onDown(new DatabaseDown());
        return () => undefined;
      }
      const leave = waits.enter({ since: performance.now(), onDown });
      return (answered) => {
        leave();
        if (answered) answeredAt = performance.now();
      };
    },
    isDown: async () => down || !(await ask()),
    close: () => clearInterval(timer),
  };
}
