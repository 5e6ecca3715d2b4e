import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import type { FieldNotes } from '../../../inspector/form/field-context.js';
import type { TemplateLanguage } from '../../../inspector/template-field/template-syntax.js';
import { isAbsent } from '../../../text/problems.js';
import { useEditorPlace } from '../editor-address.js';
import { useEditor } from '../editor-context.js';
import { notesOf } from './field-notes.js';
import { useSavedEvent } from './saved-payloads.js';
import { readSample, type SampleSource, sampleQuery } from './sample-source.js';
import { keyOfPath, templatesIn } from './templates-in.js';

/** While values are on their way, others are asked for after such a pause of typing; else at once. */
const REST_MS = 250;
const NO_NOTES: ReadonlyMap<string, FieldNotes> = new Map();

/** Returns the newest runs of the story, to choose a sample from. */
export function useSampleRuns() {
  const { storyId } = useEditor();
  return useQuery({
    queryKey: keys.story(storyId).sampleRuns,
    queryFn: async () => (await api.stories.runs.list({ id: storyId, per_page: 20 })).story_runs,
  });
}

/** Returns a run that is not among the newest, for its age; null for one that is gone. Undefined while it is read. */
export function useEarlierRun(guid: string | undefined) {
  const { storyId } = useEditor();
  return useQuery({
    queryKey: keys.sample(storyId, 'run', guid),
    enabled: guid !== undefined,
    queryFn: async () => {
      try {
        return (await api.stories.runs.summary.get({ id: storyId, guid: guid ?? '' })).story_run;
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
  }).data;
}

/** Returns the sample whose values are shown: that of the address, else the newest run; undefined without any. */
export function useShownSample(): SampleSource | undefined {
  const [place] = useEditorPlace(useEditor().storyId);
  const newest = useSampleRuns().data?.[0]?.guid;
  return useMemo(
    () => readSample(place.sample) ?? (newest === undefined ? undefined : { kind: 'run', guid: newest }),
    [place.sample, newest],
  );
}

/** Returns the input of an action in the sample, for completion, and what the server says of the sample itself. */
export function useSampleInput(action: GraphAction | undefined, source: SampleSource | undefined) {
  const { draftId, storyId } = useEditor();
  const id = draftId ?? storyId;
  const saved = useSavedEvent(source);
  return useQuery({
    queryKey: keys.sample(id, 'input', action?.guid, source, saved),
    enabled: isKnown(action),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.templates.previewMany(
        { templates: [], story_id: id, include_event: true, ...sampleQuery(source, action?.guid, saved) },
        { signal },
      ),
  });
}

/** Returns the language of the story's templates, also for an action that is not saved yet; a formula's until it is known. */
export function useTemplateLanguage(): TemplateLanguage {
  const { draftId, storyId } = useEditor();
  const id = draftId ?? storyId;
  const asked = useQuery({
    queryKey: keys.sample(id, 'language'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await api.templates.previewMany({ templates: [], story_id: id })).language,
  });
  return asked.data ?? 'formula';
}

interface Noted {
  /** The options as the form shows them. */
  options: GraphAction['options'] | undefined;
  source: SampleSource | undefined;
  language: TemplateLanguage;
}

/** Returns what is known about the templates of an action, by the keys of their paths; it follows what is typed. */
export function useNotes(
  action: GraphAction | undefined,
  { options: shown, source, language }: Noted,
): ReadonlyMap<string, FieldNotes> {
  const { draftId, storyId } = useEditor();
  const id = draftId ?? storyId;
  const saved = useSavedEvent(source);
  const [options, follow] = useState(shown);
  const templates = useMemo(() => templatesIn(options, language), [options, language]);
  const isAsked = isKnown(action) && templates.length > 0;
  const previews = useQuery({
    queryKey: keys.sample(id, 'values', action?.guid, source, saved, options),
    enabled: isAsked,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const local = options?.['local'];
      const answer = await api.templates.previewMany(
        {
          templates: templates.map(({ path, template }) => ({
            key: keyOfPath(path),
            template,
            option: [...path],
          })),
          story_id: id,
          ...(action !== undefined && { type: action.type }),
          ...(action?.action_inputs && { action_inputs: action.action_inputs }),
          ...(typeof local === 'object' && local !== null && { local: local as Record<string, unknown> }),
          ...sampleQuery(source, action?.guid, saved),
        },
        { signal },
      );
      return notesOf(templates, answer);
    },
  });
  useFollowing(shown, { followed: options, isBusy: previews.isFetching, follow });
  return useDeferredValue(isAsked ? (previews.data ?? NO_NOTES) : NO_NOTES);
}

/** The server knows an action once it is saved. */
const isKnown = (action: GraphAction | undefined) => action?.id !== undefined && action.id !== null;

interface Following<Value> {
  followed: Value;
  /** What was asked for last has no answer yet. */
  isBusy: boolean;
  follow: (value: Value) => void;
}

/**
 * Follows a value at once, as long as each is answered before the next one comes. Else it waits for the answer or for a pause:
 * a request that is given up may cost the server a thread.
 */
function useFollowing<Value>(value: Value, { followed, isBusy, follow }: Following<Value>): void {
  useEffect(() => {
    if (value === followed) return undefined;
    const timer = setTimeout(() => follow(value), isBusy ? REST_MS : 0);
    return () => clearTimeout(timer);
  }, [value, followed, isBusy, follow]);
}
