import { isUtf8 } from 'node:buffer';
import { decodeLeniently } from '../text/charsets/decode-bytes.js';
import {
  AES_METHOD,
  DIRECTORY_END,
  DIRECTORY_ENTRY,
  UTF8_NAME,
  ZIP64_END,
  ZIP64_LOCATOR,
  ZipError,
} from './zip-format.js';

const MAX_COMMENT_BYTES = 0xffff;
const IN_ZIP64 = 0xffffffff;
const ZIP64_FIELD = 0x0001;
const AES_FIELD = 0x9901;
const UNICODE_PATH_FIELD = 0x7075;

/** An archive's directory entry of one file or folder; a folder's path ends with `/`. */
export interface DirectoryEntry {
  path: string;
  flags: number;
  method: number;
  /** The time of day as archives write it. */
  time: number;
  checksum: number;
  packedSize: number;
  size: number;
  /** Offset of its local header. */
  offset: number;
  /** WinZip's AES encryption: `strength` is 1, 2 or 3. */
  aes?: { strength: number; method: number };
}

/** @throws ZipError for what is no ZIP archive, is cut off, or has more than `maxEntries` files and folders. */
export function readDirectory(archive: Buffer, maxEntries: number): DirectoryEntry[] {
  const { count, size, offset, moved } = endOf(archive);
  if (count > maxEntries) throw new ZipError(`it has ${count} files; ${maxEntries} are the limit`);
  const entries: DirectoryEntry[] = [];
  const directory = archive.subarray(offset + moved, offset + moved + size);
  for (let at = 0; entries.length < count; ) {
    if (
      at + DIRECTORY_ENTRY.bytes > directory.length ||
      directory.readUInt32LE(at) !== DIRECTORY_ENTRY.signature
    )
      throw new ZipError('its directory is damaged');
    const { entry, end } = entryAt(directory, at);
    entries.push({ ...entry, offset: entry.offset + moved });
    at = end;
  }
  return entries;
}

/** `moved`: how many bytes stand before the archive, as in programs that unpack themselves. */
function endOf(archive: Buffer) {
  const at = endRecordAt(archive);
  const zip64 = zip64EndOf(archive, at);
  if (zip64 !== undefined) return zip64;
  const size = archive.readUInt32LE(at + 12);
  const offset = archive.readUInt32LE(at + 16);
  const moved = at - size - offset;
  if (moved < 0) throw new ZipError('its directory is cut off');
  return { count: archive.readUInt16LE(at + 10), size, offset, moved };
}

/** The end record is the last one of the archive, before a comment of its own length. */
function endRecordAt(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - DIRECTORY_END.bytes - MAX_COMMENT_BYTES);
  for (let at = archive.length - DIRECTORY_END.bytes; at >= lowest; at -= 1) {
    if (archive.readUInt32LE(at) === DIRECTORY_END.signature) return at;
  }
  throw new ZipError('this is not a ZIP archive');
}

function zip64EndOf(archive: Buffer, end: number) {
  const locator = end - ZIP64_LOCATOR.bytes;
  if (locator < 0 || archive.readUInt32LE(locator) !== ZIP64_LOCATOR.signature) return undefined;
  const at = bigAt(archive, locator + 8);
  if (at + ZIP64_END.bytes > archive.length || archive.readUInt32LE(at) !== ZIP64_END.signature)
    throw new ZipError('its directory is damaged');
  return {
    count: bigAt(archive, at + 32),
    size: bigAt(archive, at + 40),
    offset: bigAt(archive, at + 48),
    moved: 0,
  };
}

function entryAt(directory: Buffer, at: number): { entry: DirectoryEntry; end: number } {
  const nameAt = at + DIRECTORY_ENTRY.bytes;
  const extraAt = nameAt + directory.readUInt16LE(at + 28);
  const commentAt = extraAt + directory.readUInt16LE(at + 30);
  if (commentAt > directory.length) throw new ZipError('its directory is damaged');
  const flags = directory.readUInt16LE(at + 8);
  const extras = extrasIn(directory.subarray(extraAt, commentAt));
  const method = directory.readUInt16LE(at + 10);
  const [size, packedSize, offset] = numbersOf(
    [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)],
    extras.get(ZIP64_FIELD),
  );
  const aes = method === AES_METHOD ? aesOf(extras.get(AES_FIELD)) : undefined;
  const entry: DirectoryEntry = {
    path: pathOf(directory.subarray(nameAt, extraAt), flags, extras.get(UNICODE_PATH_FIELD)),
    flags,
    method,
    time: directory.readUInt16LE(at + 12),
    checksum: directory.readUInt32LE(at + 16),
    size,
    packedSize,
    offset,
    ...(aes !== undefined && { aes }),
  };
  return { entry, end: commentAt + directory.readUInt16LE(at + 32) };
}

/** Extra fields by their ids; what is left over at the end is ignored. */
function extrasIn(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at + 2);
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** Numbers of 4 bytes that are full stand in the Zip64 field instead, in this order. */
function numbersOf(short: [number, number, number], field: Buffer | undefined): [number, number, number] {
  let at = 0;
  const [size, packedSize, offset] = short.map((number) => {
    if (number !== IN_ZIP64 || field === undefined) return number;
    if (at + 8 > field.length) throw new ZipError('its directory is damaged');
    at += 8;
    return bigAt(field, at - 8);
  });
  return [size ?? 0, packedSize ?? 0, offset ?? 0];
}

function bigAt(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError('its directory is damaged');
  return Number(value);
}

function aesOf(field: Buffer | undefined): { strength: number; method: number } | undefined {
  if (field === undefined || field.length < 7) return undefined;
  const strength = field.readUInt8(4);
  return strength >= 1 && strength <= 3 ? { strength, method: field.readUInt16LE(5) } : undefined;
}

/** Names are UTF-8, or code page 437 as in the first archives; some programs write UTF-8 without saying so. */
function pathOf(name: Buffer, flags: number, unicode: Buffer | undefined): string {
  if (unicode !== undefined && unicode.length > 5 && isUtf8(unicode.subarray(5)))
    return unicode.toString('utf8', 5);
  if ((flags & UTF8_NAME) !== 0 || isUtf8(name)) return name.toString();
  return decodeLeniently(name, 'cp437');
}
