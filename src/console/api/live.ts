import { addressOf } from './console-place.js';
import type { LiveEvent } from './live-invalidation.js';

type Listener = (event: LiveEvent) => void;

const KINDS: LiveEvent['kind'][] = [
  'run_started',
  'run_ended',
  'log',
  'dead_letter',
  'story_changed',
  'case_changed',
  'audit_log_changed',
  'counts',
  'resync',
];
/** The server refuses a stream for good when it answers with an error; then the next try is this far away. */
const RETRY_MS = 15_000;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
/** The draft whose events come as well. */
let draft: number | undefined;
/** The last event: another stream goes on behind it. */
let lastId = '';
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let connected = true;

/** Opens THE stream of live events of this page, and keeps it open. Returns the function that closes it. */
export function openStream(): () => void {
  connect();
  return close;
}

/** Calls `listener` for all events of the stream. Returns the function that ends that. */
export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Also receives the events of this draft. Returns the function that ends that. */
export function followDraft(id: number): () => void {
  draft = id;
  if (source !== undefined) connect();
  return () => {
    if (draft === id) draft = undefined;
  };
}

/** Calls `watcher` when the stream breaks or is back. Returns the function that ends that. */
export function watchStream(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether live events come in. */
export const isLive = () => connected;

function connect() {
  close();
  const asked = new URLSearchParams({
    ...(draft !== undefined && { draft_id: String(draft) }),
    ...(lastId !== '' && { last_event_id: lastId }),
  }).toString();
  const path = addressOf(asked === '' ? '/api/v1/stream' : `/api/v1/stream?${asked}`);
  source = new EventSource(path, { withCredentials: true });
  source.addEventListener('open', () => tell(true));
  source.addEventListener('error', () => {
    tell(false);
    if (source?.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
  });
  for (const kind of KINDS) {
    source.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) => {
      lastId = lastEventId;
      const event: LiveEvent = { kind, data: JSON.parse(data) as LiveEvent['data'] };
      for (const listener of listeners) listener(event);
    });
  }
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

function tell(now: boolean) {
  if (connected === now) return;
  connected = now;
  for (const watcher of watchers) watcher();
}
