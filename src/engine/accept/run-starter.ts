import type { JsonText, JsonValue } from '../../platform/json.js';
import type { RunSource } from '../../api/face.js';
import type { AgentNode, StoryGraph } from '../../stories/face.js';

/** A run that starts with an event of `agent`. */
export interface RunStart {
  story: StoryGraph;
  agent: AgentNode;
  payload: JsonValue | JsonText;
  source: RunSource;
  /** A webhook request waits for the run's response: workers store it and notify the web processes. */
  awaited?: boolean;
  /** Made by the caller before the first attempt (`newRunGuid`). */
  guid: string;
}

/** Starts runs. */
export interface RunStarter {
  /**
   * Stores the run, its first event and the deliveries to the agent's receivers in one transaction, shared with other
   * callers; then adds their jobs. When it resolves, the event is safe (promise 1). `eventId` is undefined if the event
   * waits in the spool, in Redis, because the database is unreachable (promise 5).
   * @throws Unavailable if the database cannot take it; PayloadTooLarge if it never could.
   */
  start(run: RunStart): Promise<{ eventId: number | undefined }>;
}
