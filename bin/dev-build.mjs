// Compiles the sources file by file for `npm run dev`, without a check of types: a change takes milliseconds.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesUnder } from './bootstrap.mjs';
import { root } from './run.mjs';

export const SOURCES = ['src', 'workers', 'migrations'];
/** The browser's part, which `npm run dev:console` serves. */
const CONSOLE = 'src/console/';
/** A sibling of `dist`, so that what is found from there is found from here. */
export const OUTPUT = path.join(root, '.cache', 'dev');

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

/** Returns a compiler that knows what it has compiled. The folder of an earlier run is emptied. */
export async function createDevBuild() {
  const { transformFile } = await import('@swc/core');
  const compiled = new Map();
  rmSync(OUTPUT, { recursive: true, force: true });

  return {
    /**
     * Compiles what changed since the last success. Returns the names of the changed files, and an error text for each that
     * cannot be compiled; then no file is written, and the next update tries all of them again.
     */
    async update() {
      const files = SOURCES.flatMap((entry) => filesUnder(entry)).filter((file) => !file.startsWith(CONSOLE));
      const present = new Map(files.map((file) => [file, stampOf(file)]));
      const removed = [...compiled.keys()].filter((file) => !present.has(file));
      const changed = [...present].filter(([file, stamp]) => compiled.get(file) !== stamp);
      const results = await Promise.all(changed.map(([file]) => compile(file, transformFile)));
      const errors = results.filter(({ error }) => error !== undefined).map(({ error }) => error);
      if (errors.length > 0) return { changed: [], errors };
      for (const { file, code } of results) write(file, code);
      for (const [file, stamp] of changed) compiled.set(file, stamp);
      for (const file of removed) {
        rmSync(outputOf(file), { force: true });
        compiled.delete(file);
      }
      return { changed: [...changed.map(([file]) => file), ...removed], errors };
    },
  };
}

async function compile(file, transformFile) {
  try {
    const { code } = await transformFile(path.join(root, file), OPTIONS);
    return { file, code };
  } catch (error) {
    return { file, error: `${file} cannot be compiled:\n${error.message}` };
  }
}

function write(file, code) {
  const target = outputOf(file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, code);
}

function outputOf(file) {
  return path.join(OUTPUT, file.replace(/\.ts$/, '.js'));
}

/** Changes with every save; undefined for a file that was deleted meanwhile. */
function stampOf(file) {
  const { mtimeMs, size, ino } = statSync(path.join(root, file), { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}
