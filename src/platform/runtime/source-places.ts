import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';

/** A place in a bundle of a build, without its folder: `web.bundle.js:120:14`, with line and column from 1. */
const PLACE = /((?:cli|thread|web|worker)\.bundle\.js):(\d{1,7}):(\d{1,7})/y;

/** Maps of bundles by their files, at most four; undefined: there is none that can be read. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Returns a stack frame with the source and line that a place in a bundle comes from: `src/server.ts:31`. Other frames, and
 * those of packages, stay as they are. A frame may be text of a stranger, from the message of an error: only bundles in
 * `folder`, that of this code, are looked at. The first frame of a bundle reads its map (0.7 MB).
 */
export function withSourcePlace(frame: string, folder = __dirname): string {
  const start = frame.indexOf(`${folder}${path.sep}`);
  if (start < 0) return frame;
  PLACE.lastIndex = start + folder.length + 1;
  const [place, bundle = '', line, column] = PLACE.exec(frame) ?? [];
  if (place === undefined) return frame;
  const entry = mapOf(path.join(folder, bundle))?.findEntry(Number(line) - 1, Number(column) - 1);
  // The entry is the last one up to the place: for a line of a package, that of an earlier line.
  if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) {
    return frame;
  }
  const { originalSource, originalLine } = entry;
  const source = `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${originalLine + 1}`;
  return frame.slice(0, start) + source + frame.slice(start + folder.length + 1 + place.length);
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    // A stack with places in the bundle is better than none.
    return undefined;
  }
}
