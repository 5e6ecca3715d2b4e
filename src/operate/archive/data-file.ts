import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { newFileName } from './archive-names.js';
import { indexLine } from './index/index-lines.js';

const compress = promisify(gzip);

export interface FileLimits {
  /** Size of a file, after which the next one begins; a member may exceed it. */
  fileBytes: number;
  /** Size of a member before it is compressed; a line may exceed it. */
  memberBytes: number;
}

/** A file is held in memory until it is stored. A reader of one run unpacks a member. */
export const FILE_LIMITS: FileLimits = { fileBytes: 16 * 1024 * 1024, memberBytes: 128 * 1024 };

/** A finished data file. */
export interface DataFile {
  /** Its name, without folder and ending. */
  name: string;
  bytes: Buffer;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  sha256: string;
  lines: number;
  /** The lines of its index, sorted, without their ends. */
  index: string[];
}

/**
 * Gathers lines of runs as a gzip file of many members. Each member can be unpacked by itself, and all together are a file
 * that `zcat` reads.
 */
export function createDataFile({ fileBytes, memberBytes }: FileLimits = FILE_LIMITS) {
  const name = newFileName();
  const members: Buffer[] = [];
  const index: string[] = [];
  let size = 0;
  let lines = 0;
  let open: string[] = [];
  let openBytes = 0;
  let guids = new Set<string>();

  const endMember = async () => {
    if (open.length === 0) return;
    const member = await compress(open.join(''), { level: 6 });
    for (const guid of guids)
      index.push(indexLine({ guid, file: name, offset: size, length: member.length }));
    members.push(member);
    size += member.length;
    [open, openBytes, guids] = [[], 0, new Set()];
  };

  return {
    /** Adds a line, which has no end, of a run. */
    async add(guid: string, line: string): Promise<void> {
      open.push(line, '\n');
      openBytes += line.length;
      lines += 1;
      guids.add(guid);
      if (openBytes >= memberBytes) await endMember();
    },
    isEmpty: () => lines === 0,
    /** Whether the next line should begin another file. */
    isFull: () => size >= fileBytes,
    async finish(): Promise<DataFile> {
      await endMember();
      const bytes = Buffer.concat(members);
      const sha256 = fileDigest(bytes);
      return { name, bytes, sha256, lines, index: index.map((line) => line.slice(0, -1)).toSorted() };
    },
  };
}

/** Returns the SHA-256 of bytes, in hexadecimal digits. */
export function fileDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
