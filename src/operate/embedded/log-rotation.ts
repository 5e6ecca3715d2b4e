import { renameSync, statSync } from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;

/** Renames a log file larger than `maxBytes` to `<file>.1`, which is overwritten. */
export function rotateLog(file: string, maxBytes = MAX_BYTES): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(file, `${file}.1`);
}
