import { appendFileSync } from 'node:fs';
import { rotateLog } from '../../embedded/log-rotation.js';

const ROTATE_EVERY_BYTES = 4 * 1024 * 1024;

/**
 * Returns a function that appends text to the log `file`, mode 0600, and rotates it. Never throws: while the file cannot be
 * written (full disk), text is left out, `onTrouble` is called once, and the file later says how many characters are missing.
 * Writes are synchronous on purpose: they slow down a child that prints too fast, so that its output does not fill the memory.
 */
export function createLogFile(file: string, onTrouble: (error: Error) => void): (text: string) => void {
  let sinceRotation = ROTATE_EVERY_BYTES;
  let missing = 0;

  function append(text: string): void {
    if (sinceRotation >= ROTATE_EVERY_BYTES) {
      rotateLog(file);
      sinceRotation = 0;
    }
    const gap = missing === 0 ? '' : `\n${missing} characters are missing: the log was not writable\n`;
    appendFileSync(file, gap + text, { mode: 0o600 });
    sinceRotation += text.length;
    missing = 0;
  }

  return (text) => {
    try {
      append(text);
    } catch (error) {
      if (missing === 0) onTrouble(error as Error);
      missing += text.length;
    }
  };
}
