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

/** Calls `watcher` when the stream breaks or is back. Returns the function that ends that. */
export function watchStream(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether live events come in. */
export const isLive = () => connected;

function connect() {
  close();
  source = new EventSource(addressOf('/api/v1/stream'), { withCredentials: true });
  source.addEventListener('open', () => tell(true));
  source.addEventListener('error', () => {
    tell(false);
    if (source?.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS);
  });
  for (const kind of KINDS) {
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
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
