import * as fc from 'fast-check';
import { HIDDEN, hideInText } from '../../src/platform/secrets/hidden-secrets.js';
import { createTextIndex } from '../../src/platform/text/text-index.js';

const letters = (limits: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), ...limits });

describe('an index of texts', () => {
  it('S15: finds what a search for each of them finds, the longest at the first place', () => {
    const texts = fc.array(letters({ minLength: 4, maxLength: 6 }), { maxLength: 30 });
    fc.assert(
      fc.property(texts, letters({ minLength: 0, maxLength: 60 }), fc.nat(20), (all, text, from) => {
        const at = (each: string) => text.indexOf(each, from);
        const first = Math.min(...all.map(at).filter((place) => place !== -1));
        const longest = all.filter((each) => at(each) === first).toSorted((a, b) => b.length - a.length)[0];
        const found = createTextIndex(all, 4).find(text, from);
        expect(found).toEqual(longest === undefined ? undefined : { text: longest, place: first });
      }),
    );
  });

  it('S15: hides each of thousands of secrets, and no shorter text', () => {
    const secrets = Array.from({ length: 3_000 }, (_, index) => `secret-${index}-`);
    const text = `a ${secrets[0]} b ${secrets[2_999]}${secrets[17]} short`;
    expect(hideInText(text, [...secrets, 'short'])).toBe(`a ${HIDDEN} b ${HIDDEN}${HIDDEN} short`);
    expect(hideInText('nothing', secrets)).toBe('nothing');
  });
});
