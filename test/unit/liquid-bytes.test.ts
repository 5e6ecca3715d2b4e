import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { bytesOf, textOfBytes } from '../../src/platform/text/byte-text.js';
import { FILTERS } from '../../src/language/filters/all-filters.js';

describe('text that stands for bytes', () => {
  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(bytesOf(textOfBytes(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });

  it('survives being stored as JSON', () => {
    const bytes = Buffer.from([0xff, 0x41, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0xf5]);
    const stored = JSON.stringify(textOfBytes(bytes));
    expect(Buffer.from(stored).toString()).toBe(stored);
    expect(bytesOf(JSON.parse(stored) as string).equals(bytes)).toBe(true);
  });

  it('is the text itself where the bytes are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(textOfBytes(Buffer.from(text))).toBe(text);
        expect(bytesOf(text).toString()).toBe(text);
      }),
    );
  });
});

describe('docs/build/liquid.md', () => {
  it('names every filter', () => {
    const page = readFileSync(path.resolve(__dirname, '../../docs/build/liquid.md'), 'utf8');
    const digests = /^(?:hmac_)?(?:md5|sha\d+)(?:_base64)?$/;
    const names = Object.keys(FILTERS).filter((name) => !name.startsWith('__') && name !== 's_object');
    expect(names.filter((name) => !digests.test(name) && !page.includes(`\`${name}\``))).toEqual([]);
    expect(names.filter((name) => digests.test(name))).toHaveLength(24);
  });
});
