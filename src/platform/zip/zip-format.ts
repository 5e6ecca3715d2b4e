/** Signatures and sizes of the records of a ZIP archive (PKWARE APPNOTE 6.3.10, section 4.3). */
export const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
export const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
export const DIRECTORY_END = { signature: 0x06054b50, bytes: 22 };
export const ZIP64_LOCATOR = { signature: 0x07064b50, bytes: 20 };
export const ZIP64_END = { signature: 0x06064b50, bytes: 56 };

/** Bits of the general purpose flags. */
export const ENCRYPTED = 1;
export const SIZES_FOLLOW = 1 << 3;
export const UTF8_NAME = 1 << 11;

/** How the bytes of a file are compressed. */
export const STORED = 0;
export const DEFLATED = 8;
/** The files of WinZip's AES encryption; how they are compressed stands in an extra field. */
export const AES_METHOD = 99;

/** An archive that cannot be read or written: the message says why. */
export class ZipError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ZipError';
  }
}
