import { createStore, type StoreApi } from 'zustand/vanilla';
import { FabulaError } from '../../../../../clients/typescript/errors.js';
import type { StoryGraphChanges } from '../../../../../clients/typescript/api.js';
import { problemsOf } from '../../../story-model/reading/draft-problems.js';
import {
  bodyOf,
  type EditorStore,
  hasContested,
  isDirty,
  type SentStory,
  type StoredGraph,
} from '../../../story-model/editor-store.js';
import { isStoredStory } from '../../../story-model/stored-form.js';
import { sentencesOf } from '../../../text/problems.js';

/** How far the changes of a person are on their way to the server. */
export type SaveState =
  | { kind: 'saved' | 'waiting' | 'saving' | 'contested' }
  /** There is no connection, or the server is at fault; the next try comes by itself. */
  | { kind: 'unsent'; sentences: readonly string[] }
  /** The server takes none of it until a person mends it. */
  | { kind: 'refused'; sentences: readonly string[] }
  /** The story or the draft is no longer there. */
  | { kind: 'gone' };

/** The way to the server. */
export interface GraphServer {
  /** @throws FabulaError: 412 if the story is of another version than `etag`. */
  write: (body: StoryGraphChanges, etag: string) => Promise<StoredGraph>;
  read: () => Promise<StoredGraph>;
}

export interface Saver {
  state: StoreApi<SaveState>;
  /** Saves at once what waits. Resolves when that has succeeded or failed; never throws. */
  flush: () => Promise<void>;
  /**
   * Reads what others have saved, or that the story is gone. While a save is under way, it reads after the save. Without a
   * connection, nothing happens: the next event of the stream comes once it is back.
   */
  refresh: () => void;
  stop: () => void;
}

/** A change is saved after so long without another. */
const REST_MS = 1_000;
/** The first try after a failure comes so late; each further one twice as late. */
const RETRY_MS = { first: 2_000, most: 60_000 };
/** Writes without a response that are remembered. */
const MOST_UNKNOWN = 10;

/**
 * Saves each change of a story by itself, one write at a time. Of a story that others have changed, it reads their version
 * first and saves below it, and stops where both have changed the same part.
 */
export function createSaver(store: EditorStore, server: GraphServer): Saver {
  const state = createStore<SaveState>(() => ({ kind: 'saved' }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy: Promise<void> | undefined;
  let failures = 0;
  /** Others may have saved since a save that is under way was carried out. */
  let isOld = false;
  const stopped = new AbortController();

  const later = (ms: number) => {
    clearTimeout(timer);
    if (!stopped.signal.aborted) timer = setTimeout(() => void flush(), ms);
  };
  const tell = (next: SaveState) => {
    if (!stopped.signal.aborted) state.setState(next, true);
  };

  const onChange = () => {
    if (busy !== undefined) return;
    const next = stateOf(store);
    tell(next);
    clearTimeout(timer);
    if (next.kind === 'waiting') later(REST_MS);
  };

  /** A write may have had its effect without a response: its new actions are not to be added again. */
  const takeStored = (stored: StoredGraph) => {
    const { unanswered, take } = store.getState();
    take(stored, unanswered.find(({ body }) => isStoredStory(stored.graph, body))?.draft);
  };

  const saveOnce = async () => {
    const { draft, baseEtag, unanswered: before } = store.getState();
    const sent: SentStory = { draft, body: bodyOf(store.getState()) };
    tell({ kind: 'saving' });
    // A tab that is killed from here on leaves word of it.
    store.setState({ unanswered: [sent, ...before].slice(0, MOST_UNKNOWN) });
    try {
      store.getState().take(await server.write(sent.body, baseEtag), draft);
    } catch (error) {
      if (isRefusal(error)) store.setState({ unanswered: before });
      if (!isStale(error)) throw error;
      takeStored(await server.read());
    }
    failures = 0;
  };

  const failed = (error: unknown) => {
    if (isGone(error)) return tell({ kind: 'gone' });
    const sentences = sentencesOf(error);
    if (isRefusal(error)) return tell({ kind: 'refused', sentences });
    tell({ kind: 'unsent', sentences });
    later(Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.most));
    failures += 1;
  };

  const work = async () => {
    try {
      while (!stopped.signal.aborted && stateOf(store).kind === 'waiting') await saveOnce();
      busy = undefined;
      tell(stateOf(store));
    } catch (error) {
      busy = undefined;
      failed(error);
    }
    if (isOld) refresh();
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    if (busy === undefined && stateOf(store).kind === 'waiting') busy = work();
    return busy ?? Promise.resolve();
  };

  function takeNewer(stored: StoredGraph, etag: string): void {
    const { baseEtag } = store.getState();
    if (stopped.signal.aborted || stored.etag === baseEtag) return;
    if (busy !== undefined) return refresh();
    // One that has ended since may be newer than what was read.
    if (baseEtag === etag) takeStored(stored);
    else refresh();
  }

  function refresh(): void {
    isOld = busy !== undefined;
    if (isOld || stopped.signal.aborted) return;
    const { baseEtag } = store.getState();
    server.read().then(
      (stored) => takeNewer(stored, baseEtag),
      (error: unknown) => {
        if (busy === undefined && isGone(error)) tell({ kind: 'gone' });
      },
    );
  }

  const unsubscribe = store.subscribe((now, before) => {
    if (now.draft !== before.draft || now.contested !== before.contested) onChange();
  });
  return {
    state,
    flush,
    refresh,
    stop: () => {
      stopped.abort();
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

function stateOf(store: EditorStore): SaveState {
  const now = store.getState();
  if (hasContested(now)) return { kind: 'contested' };
  if (!isDirty(now)) return { kind: 'saved' };
  const refused = problemsOf(now.draft).filter(({ isRefused }) => isRefused);
  if (refused.length > 0) return { kind: 'refused', sentences: refused.map(({ message }) => message) };
  return { kind: 'waiting' };
}

/** Statuses after which the same write may be taken later: the person signs in again, or the limit is over. */
const PASSING = new Set([401, 429]);
/** Whether the server has refused a write for good, and so taken nothing of it. */
const isRefusal = (error: unknown) =>
  error instanceof FabulaError && error.status < 500 && !PASSING.has(error.status);
const isGone = (error: unknown) => error instanceof FabulaError && error.status === 404;
const isStale = (error: unknown) => error instanceof FabulaError && error.status === 412;
