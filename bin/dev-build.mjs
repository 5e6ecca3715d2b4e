// Builds for `npm run dev`, without a check of types: a change takes a second at most.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesUnder } from './bootstrap.mjs';
import { root } from './run.mjs';

export const SOURCES = ['src', 'workers', 'migrations'];
/** The browser's part, which `npm run dev:console` serves. */
const CONSOLE = 'src/console/';
/** Inside the checkout, so that what is found from `dist` is found from here. */
export const OUTPUT = path.join(root, '.cache', 'dev');

/** Returns a build that knows what it was made of. The folder of an earlier run is emptied. */
export async function createDevBuild() {
  // The packages are installed by now.
  const { quickBuilds } = await import('./build-server.mjs');
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  const builds = await quickBuilds(OUTPUT);
  let built = new Map();

  return {
    /**
     * Builds if files have changed since the last success. Returns their names, and an error text for each that cannot be
     * compiled; then nothing is written, and the next update tries again.
     */
    async update() {
      const present = stamps();
      const changed = [...present].filter(([file, stamp]) => built.get(file) !== stamp).map(([file]) => file);
      const removed = [...built.keys()].filter((file) => !present.has(file));
      if (changed.length + removed.length === 0) return { changed: [], errors: [] };
      try {
        await builds.rebuild();
      } catch (error) {
        return { changed: [], errors: textsOf(error) };
      }
      built = present;
      return { changed: [...changed, ...removed], errors: [] };
    },
    /** Ends the process of esbuild. */
    close: () => builds.dispose(),
  };
}

/** Returns the sources by name, each with what changes with every save. */
function stamps() {
  const files = SOURCES.flatMap((entry) => filesUnder(entry)).filter((file) => !file.startsWith(CONSOLE));
  return new Map(files.map((file) => [file, stampOf(file)]));
}

function stampOf(file) {
  const { mtimeMs, size, ino } = statSync(path.join(root, file), { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}

/** Returns a text for each fault that esbuild found. */
function textsOf(error) {
  if (error.errors === undefined) throw error;
  return error.errors.map(({ text, location }) => {
    if (location === null) return text;
    const { file, line, column, lineText } = location;
    return `${file} cannot be compiled:\n${line}:${column}: ${text}\n  ${lineText.trim()}`;
  });
}
