import type { Logger } from '../../logger.js';
import { createLinkedList } from '../../runtime/linked-list.js';

/** After a wait this long, the database is probed. */
const SUSPECT_MS = 300;
const LOOK_EVERY_MS = 150;
/** Least time between probes: slow statements of a database that responds do not justify more. */
const ASK_EVERY_MS = 1_000;

/** The database does not respond: a statement has failed, or its outcome is unknown, as with a broken connection. */
export class DatabaseDown extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';
  readonly fatal = true;

  constructor() {
    super('The database does not respond');
    this.name = new.target.name;
  }
}

/** Tells whether the database responds (rules 5 and 7): a slow statement is no proof, a failed probe is. */
export interface Availability {
  /**
   * Registers a wait for the database; returns a function that ends it, and that takes true if the database responded.
   * `onDown` is called when the database is found not to respond: immediately, if that is already known.
   */
  begin(onDown: (error: DatabaseDown) => void): (answered: boolean) => void;
  /** Probes now, after a connection error; concurrent callers share one probe. */
  isDown(): Promise<boolean>;
  close(): void;
}

export interface AvailabilityOptions {
  /** Resolves with true if the database responds within a timeout of its own. Must not reject. */
  probe: () => Promise<boolean>;
  logger: Logger;
}

interface Wait {
  since: number;
  onDown: (error: DatabaseDown) => void;
}

/** Checks the registered waits, and probes the database when one takes long, or when it was down. */
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
      // A busy database may delay a new connection while it responds on others.
      const answers = welcome || answeredAt > beganAt;
      if (answers === down)
        logger[down ? 'info' : 'warn'](`the database ${down ? 'is back' : 'does not respond'}`);
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
