// Tells that something changed under some folders. Each folder is watched by itself: that also sees files that an editor
// replaces, on every platform.
import { readdirSync, watch } from 'node:fs';
import path from 'node:path';

/** Several events of one save come within this time. */
const SETTLE_MS = 30;

/** Calls `onChange` once at the beginning and after changes under `folders`, never while it still runs. Returns the function that ends this. */
export function watchFolders(folders, onChange) {
  const watchers = new Map();
  let timer;
  let running = false;
  let again = false;

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), SETTLE_MS);
  };

  async function run() {
    again = running;
    if (running) return;
    running = true;
    try {
      follow();
      await onChange();
    } catch (error) {
      // A folder was deleted while it was read: the next round finds out.
      if (error.code !== 'ENOENT') throw error;
      again = true;
    } finally {
      running = false;
    }
    if (again) changed();
  }

  /** Watches folders that are new, and forgets those that were deleted. */
  function follow() {
    const present = new Set(folders.flatMap(foldersUnder));
    for (const folder of present) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, changed);
      // A folder that is deleted ends its watcher, on some platforms with an error.
      watcher.on('error', changed);
      watchers.set(folder, watcher);
    }
    for (const [folder, watcher] of watchers) {
      if (present.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
  }

  follow();
  // A change from before the first watcher.
  changed();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

function foldersUnder(folder) {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inner.flatMap(({ name }) => foldersUnder(path.join(folder, name)))];
}
