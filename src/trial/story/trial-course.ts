import type { RequestOptions, RequestSender } from '../../agents/face.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { PastEvent, PastRun, RequestedAction, StoryTrialWork } from './story-trial.js';
import type { DeliveryRow } from '../../engine/face.js';
import { createAnsweredClient, createSilentClient } from '../answers/answered-client.js';
import type { Execution, SendingRun } from '../answers/sent-answers.js';
import type { AnswerRule } from '../../stories/face.js';
import type { KnownNew } from '../memory/trial-claims.js';
import type { NoteOutcome } from '../memory/trial-outcomes.js';
import type { TrialState } from '../memory/trial-state.js';
import { createTrialPlaces } from '../report/trial-places.js';
import { pastAfter } from '../comparison/past-after.js';
import { arrangePastEvents } from '../comparison/past-events.js';
import { createPastFollower, type PastFollower } from '../comparison/past-follower.js';
import { createRecordedClient, type PastAnswers } from '../comparison/recorded-client.js';
import { pairActions, type PastActionOf } from '../comparison/same-actions.js';
import { findNamedAction, trialBeginning } from './trial-start.js';
import type { TriedStories } from './tried-stories.js';

/** One run of a tried story, beside the past run that it is compared with. */
export interface TrialCourse {
  begin(state: TrialState): number | undefined;
  onEnter: (delivery: DeliveryRow) => void;
  onOutcome: NoteOutcome;
  isKnownNew: KnownNew;
  /** Returns the client: rules first, then the past run, or the requests that are sent. */
  client(rules: AnswerRule[], otherwise: Otherwise): HttpClient;
  /** Notes the options of each request. */
  watchSender: (sender: RequestSender) => RequestSender;
  /** The part of the past run that the trial is compared with. */
  past: PastRun | undefined;
  pastActionOf: PastActionOf;
  pastIdOf: PastFollower['pastIdOf'];
}

/** Answers requests without a rule. */
export interface Otherwise {
  onUnanswered: (request: string) => void;
  /** Creates the client of sent requests; absent: the past run answers. */
  send?: ((run: SendingRun) => HttpClient) | undefined;
}

/** @throws NoTrial if the run cannot begin. */
export function createTrialCourse(work: StoryTrialWork, stories: TriedStories): TrialCourse {
  const { start } = work;
  const { story, graphs } = stories;
  const pairs = pairActions(stories.actions, work.past?.actions ?? actionsOf(start));
  const past = comparedPart(work, (wanted) => pairs.get(findNamedAction(story, wanted)?.id ?? 0));
  const pastActionOf: PastActionOf = (agentId) => pairs.get(agentId);
  const inPlaceOf = (pastId: number) => [...story.agents.values()].find(({ id }) => pairs.get(id) === pastId);
  const beginning = trialBeginning(start, {
    story,
    guid: work.past?.guid ?? FIRST_GUID,
    agentInPlaceOf: inPlaceOf,
  });
  const answering = past && work.past && { ...work.past, events: work.past.events.filter(isNotBefore(past)) };
  let follower: PastFollower | undefined;
  let here: (Execution & { delivery: DeliveryRow }) | undefined;
  let options: RequestOptions | undefined;
  let answers: PastAnswers | undefined;

  return {
    past,
    pastActionOf,
    pastIdOf: (eventId) => follower?.pastIdOf(eventId),
    begin(state) {
      const places = createTrialPlaces(state, graphs);
      follower =
        answering &&
        createPastFollower({
          past: arrangePastEvents(answering),
          pastActionOf,
          parentOf: ({ origin }, delivery) => places.parentIn(origin.storyRunGuid, delivery),
        });
      const { eventId, isShown } = beginning(state);
      if (past !== undefined) follower?.begin(eventId, past.firstId);
      return isShown ? eventId : undefined;
    },
    onEnter(delivery) {
      here = { delivery, teamId: graphs.get(delivery.storyId)?.teamId ?? 0 };
      answers = follower && {
        events: follower.emittedFor(delivery),
        errors: errorsOf(work, pastActionOf(delivery.agentId), follower.pastIdOf(delivery.eventId)),
      };
    },
    isKnownNew: (delivery) => (past?.isOver === true ? follower?.wasNew(delivery) : undefined),
    onOutcome: (outcome, eventIds) => follower?.noteOutcome(outcome, eventIds),
    client(rules, { onUnanswered, send }) {
      const silent = createSilentClient(onUnanswered);
      const otherwise =
        send?.({ here: () => here, options: () => options, onUnanswered }) ??
        createRecordedClient(() => answers, silent);
      return checkingClient(createAnsweredClient(rules, otherwise, (rule) => isOf(rule, here?.delivery)));
    },
    watchSender: (sender) => ({
      send(given, build) {
        options = given as RequestOptions;
        return sender.send(given, build);
      },
    }),
  };

  function isOf({ action }: AnswerRule, delivery: DeliveryRow | undefined): boolean {
    if (action === undefined) return true;
    const graph = graphs.get(delivery?.storyId ?? 0);
    return graph !== undefined && findNamedAction(graph, action)?.id === delivery?.agentId;
  }
}

/** Asks first whether the secrets of a request may go to its host, as the client that sends does. */
function checkingClient(client: HttpClient): HttpClient {
  return {
    async request(request) {
      request.checkHop?.(new URL(request.url), { bare: false });
      return client.request(request);
    },
    close: () => client.close(),
  };
}

/** Returns what followed in the past from where the trial begins; all of the run if it begins as the run did. */
function comparedPart(
  { past, start }: StoryTrialWork,
  pastIdOf: (action: RequestedAction) => number | undefined,
): PastRun | undefined {
  const { pastId: eventId, action } = start;
  if (past === undefined || eventId === undefined) return past;
  if (action === undefined && eventId === past.firstId) return past;
  return pastAfter(past, {
    eventId,
    actionId: action === undefined ? undefined : (pastIdOf(action) ?? NO_ID),
  });
}

/** An action that the past run does not have. */
const NO_ID = -1;

/** Later events answer requests too, whatever led to them: an action may have moved to this branch. */
const isNotBefore =
  ({ firstId }: PastRun) =>
  ({ id }: PastEvent): boolean =>
    id >= firstId;

const FIRST_GUID = '00000000-0000-7000-8000-000000000000';

function actionsOf(start: StoryTrialWork['start']) {
  return start.kind === 'event' && start.emitter !== undefined ? [start.emitter] : [];
}

function errorsOf(
  { past }: StoryTrialWork,
  agentId: number | undefined,
  eventId: number | undefined,
): string[] {
  const failures = past?.failures ?? [];
  return failures
    .filter((failure) => failure.agentId === agentId && failure.eventId === eventId)
    .map(({ error }) => error);
}
