import { addressOf } from '../api/console-place.js';

const RELOADED = 'fabula.reloaded';
const ASK_MS = 2_000;
/** A page that was just reloaded and still lacks a part is broken, not old. */
const RECENT_MS = 60_000;

const errors = new WeakSet<object>();

/** Notes from now on errors of pages whose files cannot be loaded: the server is away, or has newer files. */
export function watchParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    errors.add(payload);
  });
}

/** Whether an error is that a page or a part of it could not be loaded, and reloading may help. */
export function isPartError(error: unknown): boolean {
  return error instanceof Object && errors.has(error) && Date.now() - reloadedAt() > RECENT_MS;
}

/**
 * Asks until the server answers, then reloads the page: it may have other files by now, and a browser does not load a file again
 * that it could not load. Returns the function that ends that.
 */
export function reloadOnceReached(): () => void {
  const controller = new AbortController();
  const ask = async () => {
    while (!controller.signal.aborted) {
      if (await isReached(controller.signal)) {
        noteReload();
        return location.reload();
      }
      await new Promise((done) => setTimeout(done, ASK_MS));
    }
  };
  void ask();
  return () => controller.abort();
}

async function isReached(signal: AbortSignal): Promise<boolean> {
  try {
    // Nobody need be signed in: a refusal is an answer too.
    return (await fetch(addressOf('/session'), { signal, cache: 'no-store' })).status < 500;
  } catch {
    return false;
  }
}

function reloadedAt(): number {
  try {
    return Number(sessionStorage.getItem(RELOADED) ?? 0);
  } catch {
    // Without a memory it would reload for ever.
    return Date.now();
  }
}

function noteReload(): void {
  sessionStorage.setItem(RELOADED, String(Date.now()));
}
