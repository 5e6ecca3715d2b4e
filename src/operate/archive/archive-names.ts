import { randomBytes } from 'node:crypto';

/** Folder and ending of the files with runs. */
export const DATA_FOLDER = 'runs/';
const DATA_END = '.jsonl.gz';
/** Folder of the indexes. */
export const INDEX_FOLDER = 'index/';

let lastMs = 0;

/**
 * Returns a new name for a data file or for a merged index: the time in ms, and a random part. The names that a process
 * gives ascend, so that the parts of a run stay in order.
 */
export function newFileName(nowMs: number = Date.now()): string {
  lastMs = Math.max(nowMs, lastMs + 1);
  const time = new Date(lastMs).toISOString().replace(/[-:.Z]/g, '');
  return `${time}-${randomBytes(4).toString('hex').slice(1)}`;
}

/** Returns the object of a data file. */
export const dataObject = (file: string): string => `${DATA_FOLDER}${file}${DATA_END}`;
/** Returns the object with the figures of a data file. */
export const factsObject = (file: string): string => `${DATA_FOLDER}${file}.json`;

/** An index of runs from the first guid to the last. */
export interface IndexName {
  /** 0: of one data file; above: merged of those of the level below. */
  level: number;
  /** Indexes that were written together have the same batch. */
  batch: string;
  first: string;
  last: string;
}

/** Returns the object of an index. */
export function indexObject({ level, batch, first, last }: IndexName): string {
  return `${INDEX_FOLDER}${level}_${batch}_${first}_${last}.txt`;
}

const INDEX = /^index\/(\d)_([\w-]+)_([0-9a-f-]{36})_([0-9a-f-]{36})\.txt$/;

/** Returns what the name of an object says, or undefined if it is no index. */
export function readIndexName(object: string): IndexName | undefined {
  const [, level, batch = '', first = '', last = ''] = INDEX.exec(object) ?? [];
  return level === undefined ? undefined : { level: Number(level), batch, first, last };
}
