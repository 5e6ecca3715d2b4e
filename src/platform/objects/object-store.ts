/** An object that a list names. */
export interface StoredObject {
  /** Words of letters, digits, `.`, `_` and `-`, with slashes between. */
  name: string;
  bytes: number;
}

/** A part of an object, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** A place for whole files: a folder, or a bucket of an object storage. */
export interface ObjectStore {
  /** The place, without secrets: `s3://bucket/prefix`. */
  readonly place: string;
  /** Stores an object. Readers see all of it or nothing, whoever dies at any line. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Returns an object or a part of it. @throws ObjectMissing; Error if the place cannot be read. */
  read(name: string, range?: ByteRange): Promise<Buffer>;
  /** Lists the objects whose names begin with this folder (`index/`), in no order. */
  list(folder: string): AsyncIterable<StoredObject>;
  /** Removes an object; one that is missing is no error. */
  remove(name: string): Promise<void>;
  /** Closes what it holds open. */
  close(): Promise<void>;
}

/** There is no such object. */
export class ObjectMissing extends Error {}
