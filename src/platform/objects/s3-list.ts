import { isJsonObject, type JsonValue } from '../json.js';
import { parseXml } from '../text/xml.js';
import type { StoredObject } from './object-store.js';

/** A page of a list. */
export interface S3Page {
  objects: StoredObject[];
  /** The token that the request of the next page names; undefined: this is the last one. */
  next: string | undefined;
}

/** Reads the answer to ListObjectsV2. @throws Error if it is something else. */
export function readS3List(text: string): S3Page {
  const { ListBucketResult: list } = parseXml(text);
  if (!isJsonObject(list)) throw new Error('the answer to a list of objects is no ListBucketResult');
  const { Contents: contents = [], IsTruncated: isTruncated, NextContinuationToken: next } = list;
  return {
    objects: (Array.isArray(contents) ? contents : [contents]).map(objectOf),
    next: isTruncated === 'true' && typeof next === 'string' ? next : undefined,
  };
}

function objectOf(value: JsonValue): StoredObject {
  const { Key: name, Size: size } = isJsonObject(value) ? value : {};
  if (typeof name !== 'string') throw new Error('an object of the list has no name');
  return { name, bytes: Number(size) };
}
