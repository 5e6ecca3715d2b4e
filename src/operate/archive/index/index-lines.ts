/** The place of a part of an archived run: a member of a data file that can be unpacked by itself. */
export interface IndexEntry {
  guid: string;
  /** The name of the data file, without folder and ending. */
  file: string;
  offset: number;
  length: number;
}

/** Length of the name of a data file: `20261126T051500123-0a1b2c3`. */
const FILE_NAME_LENGTH = 26;
const GUID_LENGTH = 36;
const OFFSET_LENGTH = 10;
/** The bytes of a line of an index, with its end. All lines have the same length, so that a search can jump. */
export const LINE_BYTES = GUID_LENGTH + FILE_NAME_LENGTH + 2 * OFFSET_LENGTH + 4;

/** Returns the line of an entry, with its end. Lines sort as their guids do, and those of a run by file and offset. */
export function indexLine({ guid, file, offset, length }: IndexEntry): string {
  return `${guid} ${file} ${digits(offset)} ${digits(length)}\n`;
}

function digits(number: number): string {
  return String(number).padStart(OFFSET_LENGTH, '0');
}

/** Returns the lines of a part of an index, without their ends. */
export function linesOf(part: Buffer): string[] {
  return part.toString('latin1').split('\n').slice(0, -1);
}

/** Returns the guid that a line begins with. */
export function guidOf(line: string): string {
  return line.slice(0, GUID_LENGTH);
}

/** Returns the entry of a line. @throws Error if it is none. */
export function indexEntryOf(line: string): IndexEntry {
  const [guid = '', file = '', offset = '', length = ''] = line.split(' ');
  if (line.length !== LINE_BYTES - 1 || length === '') throw new Error('a line of an index is damaged');
  return { guid, file, offset: Number(offset), length: Number(length) };
}
