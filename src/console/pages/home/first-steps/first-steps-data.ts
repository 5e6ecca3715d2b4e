import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useMay } from '../../../api/signed-in.js';
import { WEBHOOK_TYPE } from '../../../story-model/commands/link-commands.js';
import { isAbsent } from '../../../text/problems.js';
import { useGraph, useStory } from '../../story/story-data.js';
import type { StepFacts } from './first-steps.js';
import {
  beginFirstSteps,
  type FirstSteps,
  forgetFirstStory,
  hideFirstSteps,
  useFirstSteps,
} from './first-steps-store.js';

/** The first start makes one story. */
const READY_STORIES = 1;
const TRANSFORMATION = 'Agents::EventTransformationAgent';

/**
 * Returns how far somebody new is; `off` for all others. Somebody is new who may write stories, while the tenant has no runs
 * and no more stories than the first start makes.
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
      return runs.story_runs.length === 0 && stories.meta.count <= READY_STORIES;
    },
  });
  useEffect(() => {
    if (isUndecided && isNew === true) beginFirstSteps();
    if (isUndecided && isNew === false) hideFirstSteps();
  }, [isUndecided, isNew]);
  return mayWrite && steps !== undefined && (!isUndecided || isNew === true) ? steps : 'off';
}

/**
 * Returns what is true of the story of the steps, and its webhook and newest run; no facts until they are known. `hasSeen`:
 * the response of a test call was shown.
 */
export function useStoryOfSteps(storyId: number, hasSeen: boolean) {
  const story = useStory(storyId);
  const actions = useGraph({ storyId, draftId: undefined }).data?.actions ?? [];
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
          answers: isWaitedFor && actions.some(({ type }) => type === TRANSFORMATION),
          wasCalled: newest !== null,
          // The program that called a webhook has its response.
          hasSeen: hasSeen || newest?.source === 'webhook',
        };
  return { facts, webhook: actions.find(({ type }) => type === WEBHOOK_TYPE), newest: newest ?? undefined };
}
