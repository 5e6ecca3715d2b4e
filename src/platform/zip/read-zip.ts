import { crc32, inflateRawSync } from 'node:zlib';
import { decryptAes, decryptTraditional } from './zip-encryption.js';
import {
  AES_METHOD,
  DEFLATED,
  ENCRYPTED,
  LOCAL_HEADER,
  SIZES_FOLLOW,
  STORED,
  ZipError,
} from './zip-format.js';
import { type DirectoryEntry, readDirectory } from './zip-directory.js';

/** A file out of an archive. */
export interface UnzippedFile {
  /** Its path in the archive as written there: it may begin with `/` or `..`, and is no place to write to. */
  path: string;
  bytes: Buffer;
}

export interface ReadZipOptions {
  password?: Uint8Array;
  /** Most files and folders. */
  maxEntries: number;
  /** Most bytes of all files together. */
  maxBytes: number;
  /** Called before each file is unpacked, with its size in bytes. It may throw. */
  onFile?: (size: number) => void;
}

/**
 * Returns the files of a ZIP archive in the order of its directory; folders are left out. It knows Zip64, deflate, the
 * traditional encryption and AES.
 * @throws ZipError for what is no such archive, is changed, exceeds a limit, or needs another password.
 */
export function readZip(archive: Buffer, options: ReadZipOptions): UnzippedFile[] {
  let left = options.maxBytes;
  return readDirectory(archive, options.maxEntries)
    .filter(({ path }) => !path.endsWith('/'))
    .map((entry) => {
      if (entry.size > left)
        throw new ZipError(`${entry.path} has ${entry.size} bytes; ${left} of the limit are left`);
      options.onFile?.(entry.size);
      const bytes = fileOf(archive, entry, options.password);
      left -= bytes.length;
      return { path: entry.path, bytes };
    });
}

function fileOf(archive: Buffer, entry: DirectoryEntry, password: Uint8Array | undefined): Buffer {
  const clear = decrypted(bytesIn(archive, entry), entry, password);
  const bytes = inflated(clear, entry);
  // AES has a checksum of its own, and may leave this one at 0.
  const isChecked = entry.aes === undefined || entry.checksum !== 0;
  if (isChecked && crc32(bytes) !== entry.checksum) throw new ZipError(`${entry.path} is damaged`);
  return bytes;
}

/** The bytes of a file follow its local header, whose own lengths count. */
function bytesIn(archive: Buffer, { offset, packedSize, path }: DirectoryEntry): Buffer {
  const isHeader =
    offset + LOCAL_HEADER.bytes <= archive.length && archive.readUInt32LE(offset) === LOCAL_HEADER.signature;
  if (!isHeader) throw new ZipError(`${path} is not where the directory says`);
  const start =
    offset + LOCAL_HEADER.bytes + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  if (start + packedSize > archive.length) throw new ZipError(`${path} is cut off`);
  return archive.subarray(start, start + packedSize);
}

function decrypted(bytes: Buffer, entry: DirectoryEntry, password: Uint8Array | undefined): Buffer {
  if ((entry.flags & ENCRYPTED) === 0) return bytes;
  if (password === undefined) throw new ZipError(`${entry.path} needs a password`);
  if (entry.aes !== undefined) return decryptAes(bytes, password, entry.aes.strength);
  if (entry.method === AES_METHOD) throw new ZipError(`${entry.path} has an encryption that is not known`);
  const check = (entry.flags & SIZES_FOLLOW) === 0 ? entry.checksum >>> 24 : entry.time >>> 8;
  return decryptTraditional(bytes, password, check);
}

/** A file that unpacks to more bytes than the directory says is refused: so nothing grows without end. */
function inflated(bytes: Buffer, entry: DirectoryEntry): Buffer {
  const method = entry.aes?.method ?? entry.method;
  if (method === STORED && bytes.length === entry.size) return bytes;
  if (method === STORED) throw new ZipError(`${entry.path} is damaged`);
  if (method !== DEFLATED)
    throw new ZipError(`${entry.path} is compressed by method ${method}, not by deflate`);
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(entry.size, 1) });
  } catch (error) {
    throw new ZipError(`${entry.path} is damaged`, { cause: error });
  }
}
