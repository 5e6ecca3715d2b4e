import type { JsonText, JsonValue } from '../../platform/json.js';
import type { RunSource } from '../state/run-store.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';

/** A run that is to begin with an event of `agent`. */
export interface RunStart {
  story: StoryGraph;
  agent: AgentNode;
  payload: JsonValue | JsonText;
  source: RunSource;
  /** Somebody waits for the run's response: workers record it and say so. */
  awaited?: boolean;
  /** Made by the caller when it must be known before the first try (`newRunGuid`). */
  guid: string;
}

/** Begins runs. */
export interface RunStarter {
  /**
   * Stores the run, its first event and the deliveries to the agent's receivers in one transaction shared
   * with other callers, then sees to their jobs. When it resolves, the event is safe (promise 1); its id is
   * undefined when it waits in the spool, in Redis, because the database is out of reach (promise 5).
   * @throws Unavailable when the database cannot take it; PayloadTooLarge when it never could.
   */
  start(run: RunStart): Promise<{ eventId: number | undefined }>;
}
