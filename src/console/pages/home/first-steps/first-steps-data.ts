import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useMay } from '../../../api/signed-in.js';
import { isAbsent } from '../../../text/problems.js';
import { useStory } from '../../story/story-data.js';
import type { StepFacts } from './first-steps.js';
import {
  beginFirstSteps,
  type FirstSteps,
  forgetFirstStory,
  hideFirstSteps,
  useFirstSteps,
} from './first-steps-store.js';
import { READY_STORY } from './ready-story.js';

const TRANSFORMATION = 'Agents::EventTransformationAgent';

/** Whether one of these actions can answer a call. */
export const hasAnswer = (actions: Iterable<{ type: string }>): boolean =>
  [...actions].some(({ type }) => type === TRANSFORMATION);

/**
 * Returns how far somebody new is; `off` for all others. Somebody is new who may write stories, while the tenant has at most
 * one story, and no runs but those of the story that the first start makes.
 */
export function useStepsOfNewcomer(): FirstSteps {
  const steps = useFirstSteps();
  const mayWrite = useMay('write');
  const isUndecided = steps === undefined || (steps !== 'off' && steps.storyId === undefined);
  const { data: isNew } = useQuery({
    queryKey: keys.isNew,
    enabled: mayWrite && isUndecided,
    queryFn: async () => {
      const [runs, stories] = await Promise.all([
        api.runs.search({ per_page: 1 }),
        api.stories.list({ per_page: 1 }),
      ]);
      const isReady = stories.stories[0]?.name === READY_STORY;
      return stories.meta.count <= 1 && (runs.story_runs.length === 0 || isReady);
    },
  });
  useEffect(() => {
    if (isUndecided && isNew === true) beginFirstSteps();
    if (isUndecided && isNew === false) hideFirstSteps();
  }, [isUndecided, isNew]);
  return mayWrite && steps !== undefined && (!isUndecided || isNew === true) ? steps : 'off';
}

interface StoryOfSteps {
  storyId: number;
  /** The response of a test call was shown. */
  hasSeen: boolean;
  /** It has an action that can answer a call. */
  hasAnswer: boolean;
}

/** Returns what is true of the story of the steps, and its newest run; no facts until they are known. */
export function useStoryOfSteps({ storyId, hasSeen, hasAnswer: answers }: StoryOfSteps) {
  const story = useStory(storyId);
  const newest = useQuery({
    queryKey: keys.story(storyId).newestRun,
    queryFn: async () => (await api.stories.runs.list({ id: storyId, per_page: 1 })).story_runs[0] ?? null,
  }).data;
  const isGone = isAbsent(story.error);
  useEffect(() => {
    if (isGone) forgetFirstStory();
  }, [isGone]);
  const isWaitedFor = story.data?.synchronous_webhooks_enabled === true;
  const facts: StepFacts | undefined =
    story.data === undefined || newest === undefined
      ? undefined
      : {
          exists: true,
          answers: isWaitedFor && answers,
          wasCalled: hasSeen || newest !== null,
          // The program that called a webhook has its response.
          hasSeen: hasSeen || newest?.source === 'webhook',
        };
  return { facts, newest: newest ?? undefined };
}
