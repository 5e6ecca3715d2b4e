import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { GraphAction, TemplatePreviews } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { entryOf, inputOfPayload, isWebhook } from '../../../story-model/entry.js';
import { slugOf } from '../../../text/action-slug.js';
import { type Editor, useEdited, useEditor, useView } from '../editor-context.js';
import { type SampleSource, sampleQuery } from '../sample/sample-source.js';
import { readPayload, useSavedEvent } from '../sample/saved-payloads.js';
import { useShownSample } from '../sample/shown-sample.js';
import { marksOf, takenIn } from './trial-marks.js';
import { summaryOf } from './trial-words.js';
import { sendingBody, trialBody, type TrialBeginning } from './trial-request.js';
import { useKeptRules } from './use-kept-rules.js';
import { createTrialStore, type TrialDone, type TrialScope, type TrialState } from './trial-store.js';

/** Trials go on and keep their results while the panel is closed, for as long as the story is open. */
const stores = new WeakMap<Editor['view'], StoreApi<TrialState>>();

function storeOf({ view }: Editor): StoreApi<TrialState> {
  const known = stores.get(view);
  if (known !== undefined) return known;
  const made = createTrialStore();
  stores.set(view, made);
  return made;
}

/** What a trial is run on. */
interface TrialSample {
  source: SampleSource | undefined;
  /** What actions see of a saved payload. */
  saved: Readonly<Record<string, unknown>> | undefined;
}

/** The trials of the open story, and what runs them. */
export interface Trials {
  state: TrialState;
  /** The action from which, or which alone, is tried; undefined: none is chosen, or it begins the story by itself. */
  chosen: GraphAction | undefined;
  /** Runs a trial that sends nothing. `payload`: the text of the payload as it is typed, in place of the saved one. */
  tryIt: (payload?: string) => void;
  /** Really sends what the last trial asked for. */
  send: () => void;
  /** Why this browser does not keep the rules; undefined: it does. */
  lostRules: string | undefined;
}

/** Returns the trials of the open story. */
export function useTrials(): Trials {
  const editor = useEditor();
  const store = storeOf(editor);
  const state = useStore(store);
  const lostRules = useKeptRules(store);
  const source = useShownSample();
  const saved = useSavedEvent(source);
  const [key, ...others] = useView(({ selection }) => selection.actions);
  const action = useEdited(({ draft }) =>
    key === undefined || others.length > 0 ? undefined : draft.actions.get(key),
  );
  const chosen = action === undefined || isWebhook(action) ? undefined : action;
  const scope: TrialScope = chosen === undefined ? 'story' : state.scope;

  const finish = async (work: (signal: AbortSignal) => Promise<TrialDone>) => {
    const done = await store.getState().run(work);
    if (done !== undefined) show(editor, done);
  };
  return {
    state: { ...state, scope },
    chosen,
    lostRules,
    tryIt: (payload) =>
      void finish(async (signal) => {
        const sample = payload === undefined ? { source, saved } : typedSample(editor, source, payload);
        await saveFirst(editor);
        return scope === 'alone' && chosen !== undefined
          ? tryAction(editor, { key, sample, signal })
          : tryStory(editor, {
              key: scope === 'story' ? undefined : key,
              sample,
              rules: state.rules,
              signal,
            });
      }),
    send: () =>
      void finish(async (signal) => {
        const last = store.getState().done;
        if (last?.kind !== 'story') throw new Error('Run a trial first: it shows what would be sent.');
        await saveFirst(editor);
        const { draft } = editor.store.getState();
        // Nobody has seen what another draft would send.
        if (draft !== last.draft) throw new Error('Changed since this trial. Run it again, then send.');
        const sent = sendingBody(last.body, last.trial, draft);
        const trial = await api.trials.create(sent, { signal, timeoutMs: SEND_MS });
        return { ...last, trial, draft };
      }),
  };
}

/** The server waits for responses for a minute, and more for the processor. */
const SEND_MS = 180_000;

/** Runs a trial whenever the key asked for one, once the sample is known. */
export function useAskedTrials(tryIt: () => void, isReady: boolean): void {
  const asked = useView(({ trying }) => trying.asked);
  const { view } = useEditor();
  const latest = useRef(tryIt);
  useEffect(() => {
    latest.current = tryIt;
  });
  useEffect(() => {
    if (asked === 0 || !isReady) return;
    latest.current();
    // The next opening by the button runs nothing.
    view.getState().forgetAsked();
  }, [asked, isReady, view]);
}

function typedSample({ store }: Editor, source: SampleSource | undefined, text: string): TrialSample {
  return { source, saved: inputFor(entryOf(store.getState().draft), text) };
}

const inputFor = (entry: GraphAction | undefined, text: string) => inputOfPayload(entry, readPayload(text));

/** The server tries what it has. @throws Error with a sentence if it does not have all changes. */
async function saveFirst({ saver, store, readOnly }: Editor): Promise<void> {
  store.getState().finish();
  if (readOnly !== undefined) return;
  await saver.flush();
  const { kind } = saver.state.getState();
  if (kind === 'saved' || kind === 'waiting') return;
  throw new Error('The latest changes are not saved, so they cannot be tried.');
}

interface StoryTried {
  /** The action at which the trial begins; undefined: where the story does. */
  key: string | undefined;
  sample: TrialSample;
  rules: TrialState['rules'];
  signal: AbortSignal;
}

async function tryStory(editor: Editor, { key, sample, rules, signal }: StoryTried): Promise<TrialDone> {
  const { draft } = editor.store.getState();
  const action = key === undefined ? undefined : draft.actions.get(key);
  const beginning =
    action === undefined ? startOf(editor, sample) : await startAt(editor, { action, sample, signal });
  const body = trialBody(editor, beginning, rules);
  const sampleName = sample.source?.kind === 'saved' ? sample.source.name : undefined;
  return { kind: 'story', trial: await api.trials.create(body, { signal }), body, sampleName, draft };
}

function startOf({ store }: Editor, { source, saved }: TrialSample): TrialBeginning {
  if (source?.kind === 'run') return { kind: 'run', guid: source.guid };
  if (source?.kind === 'event') return { kind: 'event', id: source.id, action: undefined };
  if (source?.kind === 'saved' && saved === undefined) {
    throw new Error('This browser does not keep that payload. Choose another sample.');
  }
  const entry = entryOf(store.getState().draft);
  const slug = entry !== undefined && isWebhook(entry) ? slugOf(entry.name) : undefined;
  const event = slug === undefined ? saved : (saved?.[slug] as typeof saved);
  return { kind: 'payload', event: event ?? {}, action: entry?.guid };
}

interface OneTried {
  action: GraphAction;
  sample: TrialSample;
  signal: AbortSignal;
}

async function startAt(editor: Editor, tried: OneTried): Promise<TrialBeginning> {
  const { sample, event } = await inputOf(editor, tried);
  const { guid } = tried.action;
  if (sample !== null && sample.run_guid !== null)
    return { kind: 'run', guid: sample.run_guid, eventId: sample.event_id ?? undefined, action: guid };
  return { kind: 'payload', event: event?.value ?? {}, action: guid };
}

async function tryAction(
  editor: Editor,
  { key, sample, signal }: { key: string | undefined; sample: TrialSample; signal: AbortSignal },
): Promise<TrialDone> {
  const { draft } = editor.store.getState();
  const action = key === undefined ? undefined : draft.actions.get(key);
  if (key === undefined || action?.id === undefined || action.id === null)
    throw new Error('Choose an action to try.');
  const { event } = await inputOf(editor, { action, sample, signal });
  const isCut = (event?.cut_texts.length ?? 0) + (event?.left_out.length ?? 0) > 0;
  const trial = await api.actions.dryRun({ id: action.id, event: event?.value ?? {} }, { signal });
  return { kind: 'action', key, trial, name: action.name, isCut, draft };
}

/** Returns what an action received in the sample. @throws Error with a sentence if that was nothing. */
async function inputOf(
  { draftId, storyId }: Editor,
  { action, sample: { source, saved }, signal }: OneTried,
): Promise<TemplatePreviews> {
  const asked = sampleQuery(source, action.guid, saved);
  const found = await api.templates.previewMany(
    { templates: [], story_id: draftId ?? storyId, include_event: true, ...asked },
    { signal },
  );
  if (found.sample === null && source !== undefined) {
    throw new Error('The action and those before it received nothing in the sample. Choose another one.');
  }
  return found;
}

/** Marks what each action did, and says how the trial ended. */
function show({ view }: Editor, done: TrialDone): void {
  const { markTried, say } = view.getState();
  if (done.kind === 'action') {
    const hasFailed = done.trial.error !== null;
    markTried(new Map([[done.key, hasFailed ? 'failed' : 'ran']]));
    return say(hasFailed ? `${done.name} fails` : `${done.name} ran`);
  }
  markTried(marksOf(done.trial, done.draft), takenIn(done.trial, done.draft));
  say(`Trial: ${summaryOf(done.trial)}`);
}
