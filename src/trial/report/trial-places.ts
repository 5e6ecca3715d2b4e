import type { DeliveryRow } from '../../engine/face.js';
import type { StoryGraph } from '../../stories/face.js';
import type { ReportPlace } from './trial-report.js';
import type { TrialState } from '../memory/trial-state.js';

/** Finds the places of entries of a trial. */
export interface TrialPlaces {
  /** Returns the running agent and its inbound event; `eventId` 0: none. */
  at(work: Pick<DeliveryRow, 'storyId' | 'agentId' | 'eventId'>): ReportPlace;
  /**
   * Returns the id of the inbound event of this delivery's output in that run. The event of an exit is also emitted by the
   * agent that called its story, and so on upwards, with that agent's inbound event.
   */
  parentIn(storyRunGuid: string, delivery: Pick<DeliveryRow, 'storyRunGuid' | 'eventId'>): number;
}

export function createTrialPlaces(state: TrialState, graphs: ReadonlyMap<number, StoryGraph>): TrialPlaces {
  return {
    at({ storyId, agentId, eventId }) {
      const story = graphs.get(storyId);
      const agent = story?.agents.get(agentId);
      const parentId = eventId === 0 ? undefined : eventId;
      return {
        story: story?.name ?? '',
        agent: agent?.name ?? '',
        agentId: agent?.id ?? 0,
        parentId,
        elapsedMs: state.elapsedMs(),
      };
    },
    parentIn(storyRunGuid, delivery) {
      let below: typeof delivery | undefined = delivery;
      while (below !== undefined && below.storyRunGuid !== storyRunGuid) {
        below = state.calls.get(below.storyRunGuid)?.caller;
      }
      return (below ?? delivery).eventId;
    },
  };
}
