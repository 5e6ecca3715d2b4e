import * as fc from 'fast-check';
import { replaceEach } from '../../src/language/filters/lists/replace-each.js';
import { jsonWeight } from '../../src/language/values/json-result.js';
import { positionsIn } from '../../src/language/values/position.js';
import { bytesOf, textOfBytes } from '../../src/platform/text/byte-text.js';
import { characterCount, reversedText, sliceCharacters } from '../../src/platform/text/code-points.js';
import { countText, firstPlace, lastPlace, splitText } from '../../src/platform/text/find-text.js';

/** Halves of pairs alone, pairs, and letters. */
const anyText = fc
  .array(fc.constantFrom('a', 'b', 'é', '\n', '😀', '\ud83d', '\ude00', '\udc80', '\udcff', '\ud800'))
  .map((parts) => parts.join(''));

/** Beyond what the platform's search is trusted with. */
const repeated = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length));

describe('searching in long texts', () => {
  it.each([
    ['what is not there', repeated('ab'), `${'ab'.repeat(400)}c`],
    ['what stands once', `${repeated('ab')}c${repeated('ab')}`, `${'ab'.repeat(400)}c${'ab'.repeat(100)}`],
    ['what stands at both ends', `${'xy'.repeat(500)}${repeated('ab')}${'xy'.repeat(500)}`, 'xy'.repeat(500)],
    ['what stands everywhere', repeated('abc'), 'abc'.repeat(300)],
    ['what overlaps itself', repeated('aab'), `${'aab'.repeat(300)}a`],
    ['halves of characters', repeated('😀'), `${'😀'.repeat(500)}\ud83d`],
    ['what is longer', 'ab', repeated('ab')],
  ])('finds %s where the platform does', (_, text, search) => {
    expect(firstPlace(text, search)).toBe(text.indexOf(search));
    expect(lastPlace(text, search)).toBe(text.lastIndexOf(search));
    expect(splitText(text, search)).toEqual(text.split(search));
    expect(countText(text, search)).toBe(text.split(search).length - 1);
  });

  it('finds what the platform finds in short ones', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, search) => {
        expect(firstPlace(text, search)).toBe(text.indexOf(search));
        expect(lastPlace(text, search)).toBe(text.lastIndexOf(search));
        expect(splitText(text, search)).toEqual(text.split(search));
      }),
    );
  });
});

describe('characters of two halves', () => {
  it('count as one', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.nat(20), (text, from, length) => {
        const characters = Array.from(text);
        expect(characterCount(text)).toBe(characters.length);
        expect(sliceCharacters(text, from, from + length)).toBe(
          characters.slice(from, from + length).join(''),
        );
        expect(sliceCharacters(text, from)).toBe(characters.slice(from).join(''));
        expect(reversedText(text)).toBe(characters.toReversed().join(''));
      }),
    );
  });
});

describe('text that stands for bytes', () => {
  it('is read as the platform reads UTF-8, but for bytes that are none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 9 }), (text, noise) => {
        const bytes = Buffer.concat([Buffer.from(text), noise, Buffer.from(text)]);
        const read = textOfBytes(bytes).replace(/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/g, '');
        expect(bytes.toString().replaceAll('\ufffd', '')).toBe(read.replaceAll('\ufffd', ''));
        expect(bytesOf(textOfBytes(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });

  it('writes halves of characters that stand for nothing as the platform does', () => {
    expect(bytesOf('\udc80\ud800é😀\udc00')).toEqual(
      Buffer.concat([Buffer.from([0x80]), Buffer.from('\ud800é😀\udc00')]),
    );
  });
});

const by = (found: string, group?: unknown) => `<${found}${typeof group === 'string' ? group : ''}>`;

describe('replacing in long texts', () => {
  it('does what the platform does', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const pattern of [/a|\n/g, /(é)?b/g, /\p{L}+/gu]) {
          expect(replaceEach(text, pattern, { by, checkTime: () => undefined })).toBe(
            text.replace(pattern, by),
          );
        }
      }),
    );
  });
});

describe('the weight of JSON', () => {
  it('counts lists, objects and commas, but none inside of texts', () => {
    expect(jsonWeight('{"a": [1, 2, {"b": "[,{\\",["}]}')).toBe(5);
    expect(jsonWeight('"[[[["')).toBe(0);
    expect(jsonWeight('["\\\\", 1]')).toBe(2);
  });
});

describe('line and column', () => {
  it('are those of the text up to there', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const positionOf = positionsIn(text);
        for (let offset = 0; offset <= text.length; offset += 1) {
          const lines = text.slice(0, offset).split('\n');
          expect(positionOf(offset)).toEqual({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
        }
      }),
    );
  });
});
