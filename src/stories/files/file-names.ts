import { createHash } from 'node:crypto';

/** So long is the name of a file at most, in bytes, without what makes it unique and its ending. */
const MOST_BYTES = 60;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const NOT_ASCII = /[^\0-\x7f]+/g;

/** Gives names to files that lie in one folder: no two are the same, on file systems without upper case either. */
export type FileNames = (name: string, id: string) => string;

/**
 * Returns a function that names a file after a thing. The name has small letters, digits and `-`. Of things with equal
 * names, the first has the plain one; the others end in six digits that follow from their ids, so that they stay.
 * @param otherwise begins the name of a thing whose own name gives none.
 * @param present names that are taken.
 */
export function createFileNames(otherwise: string, present: readonly string[] = []): FileNames {
  const taken = new Set(present.map(folded));
  return (name, id) => {
    const plain = nameForFile(name, otherwise);
    const ofId = `${plain}-${createHash('sha256').update(id).digest('hex').slice(0, 6)}`;
    let made = taken.has(folded(plain)) ? ofId : plain;
    for (let next = 2; taken.has(folded(made)); next += 1) made = `${ofId}-${next}`;
    taken.add(folded(made));
    return made;
  };
}

/** Returns a name for a file that each file system takes and keeps as it is; `otherwise` if `name` gives none. */
export function nameForFile(name: string, otherwise: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  // File systems that compose letters, or take them apart, would change such a name.
  const kept = letters.normalize('NFC') === letters ? letters : letters.replace(NOT_ASCII, '-');
  const words = kept.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-/, '');
  const cut = shortened(words).replace(/-$/, '');
  if (cut === '') return otherwise;
  return DEVICE.test(cut) || /^\d+$/.test(cut) ? `${otherwise}-${cut}` : cut;
}

/** Returns what is the same for two names that some file system takes for one. */
export function folded(name: string): string {
  return name.normalize('NFKD').toUpperCase().toLowerCase();
}

function shortened(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    if (bytes > MOST_BYTES) break;
    kept += letter;
  }
  return kept;
}
