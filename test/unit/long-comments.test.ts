import { withoutLongComments } from '../../src/platform/text/xml/long-comments.js';

const LONG = ` ${'x-y '.repeat(400)}\n`;

test('a long comment keeps its line breaks only, a short one everything', () => {
  expect(withoutLongComments(`<a><!--${LONG}${LONG}-->t<!-- short --></a>${' '.repeat(1000)}`)).toBe(
    `<a><!--\n\n-->t<!-- short --></a>${' '.repeat(1000)}`,
  );
});

test.each([
  ['in a section', `<a><![CDATA[<!--${LONG}-->]]></a>`],
  ['in an instruction', `<?a <!--${LONG}-->?><a/>`],
  ['with two hyphens', `<a><!--${LONG}--${LONG}--></a>`],
  ['that ends with three hyphens', `<a><!--${LONG}---></a>`],
  ['with what is no character', `<a><!--${LONG}\u0001--></a>`],
  ['that does not end', `<a><!--${LONG}`],
  ['beside a document type', `<!DOCTYPE a [<!ENTITY e "<!--">]><a><!--${LONG}--></a>`],
])('what looks like a long comment %s stays', (_, document) => {
  expect(withoutLongComments(document)).toBe(document);
});
