import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';

/** `at main (/app/dist/web.bundle.js:120:14)`: a place in a bundle, with line and column from 1. */
const PLACE = /(?<file>[^\s()]+\.bundle\.js):(?<line>\d+):(?<column>\d+)/;

/** Maps of bundles by their files; undefined: there is none that can be read. A build has four bundles. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Returns a stack frame with the source and line that a place in a bundle comes from: `src/server.ts:31`. Other frames, and
 * those of packages, stay as they are. The first frame of a bundle reads its map (0.7 MB).
 */
export function withSourcePlace(frame: string): string {
  const { file, line, column } = PLACE.exec(frame)?.groups ?? {};
  if (file === undefined) return frame;
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  // The entry is the last one up to the place: for a line of a package, that of an earlier line.
  if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) {
    return frame;
  }
  const { originalSource, originalLine } = entry;
  return frame.replace(PLACE, `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${originalLine + 1}`);
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path.resolve(`${file}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    // A stack with places in the bundle is better than none.
    return undefined;
  }
}
