import { parseXml, XmlError } from '../../src/platform/text/xml.js';

/** Makes a document long enough for its long texts to be taken out. */
const filler = `<f>${'y'.repeat(20_000)}</f>`;
const long = 'z'.repeat(5_000);

describe('long texts in XML', () => {
  it('come out as they went in, beside short ones', () => {
    const document = `<a b="1">${filler}<c> ${long} </c><d>${long}&amp;${long}</d><e><![CDATA[ <${long}> ]]></e><g>short</g></a>`;
    expect(parseXml(document)).toEqual({
      a: { b: '1', f: 'y'.repeat(20_000), c: long, d: `${long}&${long}`, e: ` <${long}> `, g: 'short' },
    });
  });

  it('may hold brackets, and stand beside attributes with brackets and quotes', () => {
    const document = `<a>${filler}<c x="1>2" y='"'>${'>'.repeat(3_000)}</c></a>`;
    expect(parseXml(document)).toMatchObject({ a: { c: { x: '1>2', y: '"', '#text': '>'.repeat(3_000) } } });
  });

  it('stay what they are where the document has private characters of its own', () => {
    const document = `<a>${filler}<c>\uE0000\uE001${long}</c></a>`;
    expect(parseXml(document)).toMatchObject({ a: { c: `\uE0000\uE001${long}` } });
  });

  it.each([
    ['tag', `<a ${' '.repeat(600_000)}/>`],
    ['attribute', `<a b="${'x'.repeat(600_000)}"/>`],
    ['name', `<${'x'.repeat(600_000)}/>`],
    ['document type', `<!DOCTYPE a [${' '.repeat(70_000)}]><a/>`],
  ])('a %s that is far too long is not read', (_, document) => {
    expect(() => parseXml(document)).toThrow(XmlError);
  });

  it('does not take a broken document for a whole one', () => {
    expect(() => parseXml(`<a>${filler}<c>${long}</a>`)).toThrow(/not well-formed/);
    expect(() => parseXml(`<a>${filler}<![CDATA[${long}`)).toThrow(XmlError);
  });
});
