import { createStore, type StoreApi } from 'zustand/vanilla';
import { FabulaError } from '../../../../../clients/typescript/errors.js';
import type { StoryGraphChanges } from '../../../../../clients/typescript/api.js';
import { problemsOf } from '../../../story-model/draft-problems.js';
import {
  bodyOf,
  type EditorStore,
  hasContested,
  isDirty,
  type StoredGraph,
} from '../../../story-model/editor-store.js';
import { toGraphBody } from '../../../story-model/graph-draft.js';
import { isSame } from '../../../story-model/same-value.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { sentencesOf } from '../../../text/problems.js';

/** How far the changes of a person are on their way to the server. */
export type SaveState =
  | { kind: 'saved' | 'waiting' | 'saving' | 'contested' }
  /** There is no connection, or the server is at fault; the next try comes by itself. */
  | { kind: 'unsent'; sentences: readonly string[] }
  /** The server takes none of it until a person mends it. */
  | { kind: 'refused'; sentences: readonly string[] };

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
   * Reads what others have saved, unless a save is under way, which finds that out by itself. Without a connection, nothing
   * happens: the next event of the stream comes after it is back.
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
  /** The story as it was sent in writes of which nobody knows whether they took effect, newest first. */
  let unknown: readonly StoryDraft[] = [];
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
  const takeStored = (stored: StoredGraph) =>
    store.getState().take(
      stored,
      unknown.find((sent) => isResultOf(stored, sent)),
    );

  const saveOnce = async () => {
    const sent = store.getState();
    tell({ kind: 'saving' });
    try {
      store.getState().take(await server.write(bodyOf(sent), sent.baseEtag), sent.draft);
    } catch (error) {
      if (!isStale(error)) {
        if (!isRefusal(error)) unknown = [sent.draft, ...unknown].slice(0, MOST_UNKNOWN);
        throw error;
      }
      takeStored(await server.read());
    }
    unknown = [];
    failures = 0;
  };

  const failed = (error: unknown) => {
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
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    if (busy === undefined && stateOf(store).kind === 'waiting') busy = work();
    return busy ?? Promise.resolve();
  };

  function takeNewer(stored: StoredGraph, etag: string): void {
    const { baseEtag } = store.getState();
    // A save that began meanwhile finds out by itself.
    if (busy !== undefined || stopped.signal.aborted || stored.etag === baseEtag) return;
    // One that has ended since may be newer than what was read.
    if (baseEtag === etag) takeStored(stored);
    else refresh();
  }

  function refresh(): void {
    if (busy !== undefined) return;
    const { baseEtag } = store.getState();
    server.read().then(
      (stored) => takeNewer(stored, baseEtag),
      () => undefined,
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

/**
 * Whether a stored story is what the server makes of this draft: equal in all that was sent. The server gives new actions ids
 * and guids of its own, and new webhooks an address.
 */
function isResultOf({ graph }: StoredGraph, sent: StoryDraft): boolean {
  const { agents, links, notes = [] } = toGraphBody(sent);
  return (
    hasAll(
      graph.agents,
      agents,
      (stored, { options, id, guid: _guid, ...fields }) =>
        isIn(stored, id === undefined ? fields : { ...fields, id }) && isIn(stored.options, options),
    ) &&
    hasAll(graph.links, links, isIn) &&
    hasAll(graph.notes, notes, (stored, { id: _id, guid: _guid, ...fields }) => isIn(stored, fields))
  );
}

function hasAll<Stored, Sent>(
  stored: readonly Stored[],
  sent: readonly Sent[],
  isSameItem: (stored: Stored, sent: Sent) => boolean,
): boolean {
  return stored.length === sent.length && sent.every((item, at) => isSameItem(stored[at] as Stored, item));
}

/** Whether an object has each of these values. */
function isIn(object: object, values: object): boolean {
  const stored = object as Record<string, unknown>;
  return Object.entries(values).every(([key, value]) => isSame(stored[key], value));
}

/** Whether the server has refused a write for good, and so taken nothing of it. */
const isRefusal = (error: unknown) =>
  error instanceof FabulaError && error.status < 500 && error.status !== 429;
const isStale = (error: unknown) => error instanceof FabulaError && error.status === 412;
