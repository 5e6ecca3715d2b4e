import { digestFilters } from '../../../filters/encoding-filters.js';
import type { FunctionEntry, FunctionTable } from '../formula-function.js';
import { viaFilter } from '../via-filter.js';
import { orderedObject } from '../../../../platform/json/ordered-object.js';

/** The first digits of each digest of "abc" (with the key "key"), computed by an independent tool. */
const HEXADECIMAL: Record<string, string> = {
  MD5: '900150983cd24fb0',
  SHA1: 'a9993e364706816a',
  SHA224: '23097d223405d822',
  SHA256: 'ba7816bf8f01cfea',
  SHA384: 'cb00753f45a35e8b',
  SHA512: 'ddaf35a193617aba',
};
const BASE64: Record<string, string> = {
  MD5: 'kAFQmDzST7DWlj99',
  SHA1: 'qZk+NkcGgWq6PiVx',
  SHA256: 'ungWv48Bz+pBQUDe',
  SHA512: '3a81oZNherrMQXNJ',
};
const KEYED: Record<string, string> = {
  MD5: 'd2fe98063f876b03',
  SHA1: '4fd0b215276ef12f',
  SHA224: 'f524670b7e34f314',
  SHA256: '9c196e32dc0175f8',
  SHA384: '30ddb9c8f347cffb',
  SHA512: '3926a207c8c42b0c',
};
const KEYED_BASE64: Record<string, string> = {
  SHA1: 'T9CyFSdu8S8rPkyO',
  SHA256: 'nBluMtwBdfhvSxy4',
  SHA512: 'OSaiB8jEKwxBeSy9',
};

/** Digests of the bytes of a text. */
export const digestFunctions: FunctionTable = {
  ...family(HEXADECIMAL, (hash) => ({ name: hash, gives: `${hash} of the text in hexadecimal digits` })),
  ...family(BASE64, (hash) => ({ name: `${hash}_BASE64`, gives: `${hash} of the text in base64` })),
  ...family(KEYED, (hash) => ({
    name: `HMAC_${hash}`,
    key: true,
    gives: `HMAC with ${hash} in hexadecimal digits`,
  })),
  ...family(KEYED_BASE64, (hash) => ({
    name: `HMAC_${hash}_BASE64`,
    key: true,
    gives: `HMAC with ${hash} in base64`,
  })),
};

function family(
  starts: Record<string, string>,
  describe: (hash: string) => { name: string; gives: string; key?: boolean },
): FunctionTable {
  const entries = Object.entries(starts).map(([hash, start]): [string, FunctionEntry] => {
    const { name, gives, key = false } = describe(hash);
    return [
      name,
      {
        takes: key ? 'text, key' : 'text',
        gives,
        example: [`LEFT(${name}(${key ? '"abc", "key"' : '"abc"'}), 16)`, start],
        run: viaFilter(digestFilters[name.toLowerCase()]),
      },
    ];
  });
  return orderedObject(entries);
}
