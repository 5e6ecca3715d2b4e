import { crc32, deflateRawSync } from 'node:zlib';
import { encryptTraditional } from './zip-encryption.js';
import {
  DEFLATED,
  DIRECTORY_END,
  DIRECTORY_ENTRY,
  ENCRYPTED,
  LOCAL_HEADER,
  STORED,
  UTF8_NAME,
  ZipError,
} from './zip-format.js';

const MAX_FILES = 0xfffe;
const MAX_NAME_BYTES = 0xffff;
/** Needed to extract: folders and deflate; by whom it was made: UNIX. */
const VERSION = 20;
const MADE_BY = (3 << 8) | VERSION;
/** A file that its owner may write, and everybody read. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

/** One file of an archive. */
export interface ZipFile {
  /** Its path in the archive, with slashes. */
  name: string;
  bytes: Uint8Array;
  changedAt: Date;
}

/**
 * Returns a ZIP archive of the files, in their order. With a password they are in the traditional encryption.
 * @throws ZipError for too many files or too long a name.
 */
export function writeZip(files: readonly ZipFile[], password?: Uint8Array): Buffer {
  if (files.length > MAX_FILES) throw new ZipError(`an archive has ${MAX_FILES} files at most`);
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const { fields, name, bytes } = packed(file, password);
    directory.push(entryOf(fields, offset), name);
    const header = Buffer.alloc(LOCAL_HEADER.bytes);
    header.writeUInt32LE(LOCAL_HEADER.signature, 0);
    fields.copy(header, 4);
    parts.push(header, name, bytes);
    offset += header.length + name.length + bytes.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...parts, entries, endOf(files.length, entries.length, offset)]);
}

/** `fields` are the 26 bytes that header and directory have in common. */
function packed({ name, bytes, changedAt }: ZipFile, password: Uint8Array | undefined) {
  const nameBytes = Buffer.from(name);
  if (nameBytes.length === 0 || nameBytes.length > MAX_NAME_BYTES)
    throw new ZipError(`a name has 1 to ${MAX_NAME_BYTES} bytes`);
  const checksum = crc32(bytes);
  const deflated = deflateRawSync(bytes);
  const isSmaller = deflated.length < bytes.length;
  const body = isSmaller ? deflated : Buffer.from(bytes);
  const hidden = password === undefined ? body : encryptTraditional(body, password, checksum >>> 24);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_NAME | (password === undefined ? 0 : ENCRYPTED), 2);
  fields.writeUInt16LE(isSmaller ? DEFLATED : STORED, 4);
  fields.writeUInt16LE(timeOf(changedAt), 6);
  fields.writeUInt16LE(dateOf(changedAt), 8);
  fields.writeUInt32LE(checksum, 10);
  fields.writeUInt32LE(hidden.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(nameBytes.length, 22);
  return { fields, name: nameBytes, bytes: hidden };
}

function entryOf(fields: Buffer, offset: number): Buffer {
  const entry = Buffer.alloc(DIRECTORY_ENTRY.bytes);
  entry.writeUInt32LE(DIRECTORY_ENTRY.signature, 0);
  entry.writeUInt16LE(MADE_BY, 4);
  fields.copy(entry, 6);
  entry.writeUInt32LE(ATTRIBUTES, 38);
  entry.writeUInt32LE(offset, 42);
  return entry;
}

function endOf(files: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(DIRECTORY_END.bytes);
  end.writeUInt32LE(DIRECTORY_END.signature, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

const FIRST_YEAR = 1980;
const LAST_YEAR = 2107;

/** Archives hold UTC in steps of two seconds, from 1980 on. */
function timeOf(at: Date): number {
  return (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
}

function dateOf(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear(), FIRST_YEAR), LAST_YEAR);
  return ((year - FIRST_YEAR) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
}
