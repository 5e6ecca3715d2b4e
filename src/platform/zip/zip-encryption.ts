import { createCipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { ZipError } from './zip-format.js';

const HEADER_BYTES = 12;
const WRONG_PASSWORD = 'the password is wrong';

/** Returns the table of the checksum CRC-32, which the traditional encryption uses byte by byte. */
function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
}

const CRC_TABLE = crcTable();
const crcStep = (crc: number, byte: number): number =>
  ((crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0)) >>> 0;

/** The key stream of the traditional encryption (PKWARE APPNOTE, section 6.1): each byte depends on all clear bytes before it. */
function traditionalKeys(password: Uint8Array) {
  let [first, second, third] = [0x12345678, 0x23456789, 0x34567890];
  const update = (clear: number): void => {
    first = crcStep(first, clear);
    second = (Math.imul(second + (first & 0xff), 134775813) + 1) >>> 0;
    third = crcStep(third, second >>> 24);
  };
  const next = (): number => {
    const mixed = (third & 0xffff) | 2;
    return (Math.imul(mixed, mixed ^ 1) >>> 8) & 0xff;
  };
  for (const byte of password) update(byte);
  return { update, next };
}

/**
 * Returns the bytes in the traditional encryption, which every program for archives opens. It is weak: whoever has the
 * archive and a part of its content can find the rest.
 * @param check the byte that tells a wrong password: the highest one of the file's checksum.
 */
export function encryptTraditional(bytes: Uint8Array, password: Uint8Array, check: number): Buffer {
  const keys = traditionalKeys(password);
  // From content and password instead of chance: the same file gives the same bytes when it is sent again.
  const salt = createHmac('sha256', password)
    .update(bytes)
    .digest()
    .subarray(0, HEADER_BYTES - 1);
  const clear = Buffer.concat([salt, Buffer.from([check]), bytes]);
  for (let at = 0; at < clear.length; at += 1) {
    const byte = clear[at] ?? 0;
    clear[at] = byte ^ keys.next();
    keys.update(byte);
  }
  return clear;
}

/** @throws ZipError for a wrong password; one in 256 is found by the file's checksum only. */
export function decryptTraditional(bytes: Uint8Array, password: Uint8Array, check: number): Buffer {
  if (bytes.length < HEADER_BYTES) throw new ZipError('a file of it is cut off');
  const keys = traditionalKeys(password);
  const clear = Buffer.from(bytes);
  for (let at = 0; at < clear.length; at += 1) {
    const byte = (clear[at] ?? 0) ^ keys.next();
    clear[at] = byte;
    keys.update(byte);
  }
  if (clear[HEADER_BYTES - 1] !== check) throw new ZipError(WRONG_PASSWORD);
  return clear.subarray(HEADER_BYTES);
}

const BLOCK_BYTES = 16;
const VERIFIER_BYTES = 2;
const MAC_BYTES = 10;
const ROUNDS = 1000;

/**
 * Returns the clear bytes of a file in WinZip's AES encryption.
 * @param strength 1, 2 or 3 for keys of 128, 192 and 256 bits.
 * @throws ZipError for a wrong password, and for bytes that were changed.
 */
export function decryptAes(bytes: Uint8Array, password: Uint8Array, strength: number): Buffer {
  const keyBytes = 8 + 8 * strength;
  const saltBytes = keyBytes / 2;
  const start = saltBytes + VERIFIER_BYTES;
  const end = bytes.length - MAC_BYTES;
  if (end < start) throw new ZipError('a file of it is cut off');
  const derived = pbkdf2Sync(
    password,
    bytes.subarray(0, saltBytes),
    ROUNDS,
    2 * keyBytes + VERIFIER_BYTES,
    'sha1',
  );
  if (!timingSafeEqual(derived.subarray(2 * keyBytes), bytes.subarray(saltBytes, start)))
    throw new ZipError(WRONG_PASSWORD);
  const hidden = bytes.subarray(start, end);
  const mac = createHmac('sha1', derived.subarray(keyBytes, 2 * keyBytes))
    .update(hidden)
    .digest();
  if (!timingSafeEqual(mac.subarray(0, MAC_BYTES), bytes.subarray(end)))
    throw new ZipError('a file of it was changed');
  return withKeyStream(hidden, derived.subarray(0, keyBytes));
}

/** Counts from the lowest byte, unlike the counter mode of OpenSSL: so the key stream is made of single blocks. */
function withKeyStream(bytes: Uint8Array, key: Uint8Array): Buffer {
  const blocks = Math.ceil(bytes.length / BLOCK_BYTES);
  const counters = Buffer.alloc(blocks * BLOCK_BYTES);
  for (let block = 0; block < blocks; block += 1) counters.writeUInt32LE(block + 1, block * BLOCK_BYTES);
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  const stream = cipher.update(counters);
  for (let at = 0; at < bytes.length; at += 1) stream[at] = (stream[at] ?? 0) ^ (bytes[at] ?? 0);
  return stream.subarray(0, bytes.length);
}
