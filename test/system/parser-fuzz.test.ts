import * as fc from 'fast-check';
import { parseMail } from '../../src/language/mail/parse-mail.js';
import { AppError } from '../../src/platform/errors.js';
import { digestChallenge } from '../../src/platform/outbound/http/digest.js';
import { PatternError } from '../../src/platform/patterns/pattern-error.js';
import { compileRubyPattern } from '../../src/platform/patterns/ruby-pattern.js';
import { TemplateError } from '../../src/platform/text/template-error.js';
import { parseXml, XmlError } from '../../src/platform/text/xml/xml.js';
import { readZip } from '../../src/platform/zip/read-zip.js';
import { writeZip } from '../../src/platform/zip/write-zip.js';
import { ZipError } from '../../src/platform/zip/zip-format.js';
import { multipartParts, MAX_BODY_PARTS } from '../../src/web/webhooks/bodies/multipart-parts.js';
import { parseMultipartBody } from '../../src/web/webhooks/bodies/multipart-body.js';

/*
 * Our own parsers of what strangers send: whatever comes, they return a result or throw an error of their own class, within
 * their bounds. A failure prints the seed and path of fast-check, which repeat it.
 */

const RUNS = 3_000;
const STEPS_OF_A_SEARCH = 20_000;

/** Returns the bytes with some of them changed, left out, doubled, or others put in, as damage and attackers do. */
function changed(bytes: Buffer): fc.Arbitrary<Buffer> {
  const change = fc.record({
    at: fc.nat(bytes.length),
    remove: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(bytes.length)),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.record({ from: fc.nat(bytes.length), length: fc.nat(64) }),
    ),
  });
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    let left = bytes;
    for (const { at, remove, put } of changes) {
      const piece = 'from' in put ? bytes.subarray(put.from, put.from + put.length) : put;
      left = Buffer.concat([left.subarray(0, at), piece, left.subarray(at + remove)]);
    }
    return left;
  });
}

/** Any bytes, or samples with changes. */
function hostile(...samples: (string | Buffer)[]): fc.Arbitrary<Buffer> {
  const sampled = samples.map((sample) => changed(Buffer.from(sample as string, 'latin1')));
  return fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    ...sampled,
  );
}

/** Runs `parse` on any input; it may throw these errors alone. */
function holds<T>(
  input: fc.Arbitrary<T>,
  parse: (input: T) => void,
  ...known: (new (
    ...given: never[]
  ) => Error)[]
) {
  fc.assert(
    fc.property(input, (given) => {
      try {
        parse(given);
      } catch (error) {
        if (!known.some((each) => error instanceof each)) throw error;
      }
    }),
    { numRuns: RUNS },
  );
}

const MULTIPART = [
  '--b\r\nContent-Disposition: form-data; name="a[b][]"; filename="x.txt"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhello\r\n',
  "--b\r\nContent-Disposition: form-data; name*=UTF-8''%e2%82%ac\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n--b--\r\n",
].join('');

/** The head of a part named by its number. */
const head = (index: number) => `--=_edge\r\nContent-Disposition: form-data; name="p${index}"\r\n\r\n`;

describe('multipart bodies', () => {
  it('give parts or a refusal', () => {
    holds(
      fc.tuple(hostile(MULTIPART), fc.constantFrom('b', '-', 'bb', '')),
      ([body, boundary]) => {
        expect(multipartParts(body, boundary).length).toBeLessThanOrEqual(MAX_BODY_PARTS);
        parseMultipartBody(body, `multipart/form-data; boundary=${boundary}`);
      },
      AppError,
    );
  });

  it('give back what was put in', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each));
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 20 }), (parts) => {
        const body = Buffer.concat([
          ...parts.flatMap((part, index) => [Buffer.from(head(index)), part, Buffer.from('\r\n')]),
          Buffer.from('--=_edge--\r\n'),
        ]);
        const read = multipartParts(body, '=_edge').map((part) => part.bytes.toString('latin1'));
        expect(read).toEqual(parts.map((part) => part.toString('latin1')));
      }),
      { numRuns: RUNS / 10 },
    );
  });
});

describe('ZIP archives', () => {
  const AT = new Date('2026-01-02T03:04:06Z');
  const files = [
    { name: 'a/b.txt', bytes: Buffer.from('hello '.repeat(50)), changedAt: AT },
    { name: 'é.bin', bytes: Buffer.from([0, 1, 2, 255]), changedAt: AT },
  ];
  const PASSWORD = Buffer.from('s3cret');
  const LIMITS = { maxEntries: 50, maxBytes: 1_000_000 };

  it('give files within their limits, or a refusal', () => {
    holds(
      fc.tuple(hostile(writeZip(files), writeZip(files, PASSWORD)), fc.option(fc.constant(PASSWORD))),
      ([archive, password]) => {
        const read = readZip(archive, { ...LIMITS, ...(password === null ? {} : { password }) });
        expect(read.length).toBeLessThanOrEqual(LIMITS.maxEntries);
        expect(read.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(LIMITS.maxBytes);
      },
      ZipError,
    );
  });

  it('give back what was put in, with and without a password', () => {
    const file = fc.record({
      name: fc.stringMatching(/^[\wé-]{1,20}$/u),
      bytes: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
      changedAt: fc.constant(AT),
    });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), fc.boolean(), (given, isSealed) => {
        const archive = isSealed ? writeZip(given, PASSWORD) : writeZip(given);
        const read = readZip(archive, { ...LIMITS, ...(isSealed && { password: PASSWORD }) });
        expect(read).toEqual(given.map(({ name, bytes }) => ({ path: name, bytes })));
      }),
      { numRuns: RUNS / 10 },
    );
  });
});

describe('mails', () => {
  const MAIL = [
    'From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>, "x, y" <x@y.z>',
    'Subject: =?iso-8859-1?B?YmxhaA==?= =?broken',
    'Date: Tue, 1 Jul 2025 10:52:37 +0200',
    'Content-Type: multipart/mixed; boundary="b1"; name*0*=utf-8\'\'a%20; name*1=b',
    '',
    '--b1',
    'Content-Type: multipart/alternative; boundary=b2',
    '',
    '--b2',
    'Content-Type: text/plain; charset=iso-2022-jp',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'a=\r\nb =3D c',
    '--b2--',
    '--b1',
    'Content-Disposition: attachment; filename="a.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    'AAECAw==',
    '--b1--',
  ].join('\r\n');

  it('give an object, or a fault of the template', () => {
    holds(hostile(MAIL), (bytes) => void parseMail(bytes.toString('latin1'), () => undefined), TemplateError);
  });
});

describe('challenges of Digest', () => {
  const CHALLENGE =
    'Basic realm="a", Digest realm="r\\"s", nonce="n", qop="auth,auth-int", algorithm=SHA-256, opaque=o, stale=true, userhash=true';

  it('give a challenge or nothing', () => {
    holds(hostile(CHALLENGE), (bytes) => void digestChallenge([bytes.toString('latin1'), CHALLENGE]));
  });
});

describe('XML', () => {
  const XML =
    '<?xml version="1.0"?><!-- c --><a xmlns:b="u" c="&lt;&#65;"><b:d>x<![CDATA[<]]></b:d><e/><e>2</e>&amp;</a>';

  it('gives an object or a refusal', () => {
    holds(hostile(XML), (bytes) => void parseXml(bytes.toString('utf8')), XmlError);
  });
});

describe('patterns', () => {
  // biome-ignore format: pieces of patterns are easier to read in lines
  const PIECES = [
    'a', 'b', '.', '\\d', '\\w+', '[a-c]', '[^b&&[:alpha:]]', '(?<n>a|b)', '(', ')', '|', '*',
    '+?', '{1,3}', '{,2}', '\\1', '\\k<n>', '(?=a)', '(?<!b)', '(?>a+)', '(?i)', '(?x) #c\n', '\\b', '^',
    '$', '\\A', '\\z', '\\p{L}', '[', ']', '\\u{1F600}', '\\x', '(?<', '\\', '\\G', '(?(1)a|b)',
    '\\R', '\\X', '\\h', '(?~ab)', '\\g<n>',
  ];
  class TimeIsUp extends Error {}

  it('compile or are refused, and a search ends when its time is up', () => {
    const pattern = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'ab', '1', ' ', '\n', '😀', 'é'), { maxLength: 60 });
    holds(
      fc.tuple(fc.oneof(pattern, fc.string({ unit: 'binary', maxLength: 30 })), text, fc.boolean()),
      ([source, pieces, ignoreCase]) => {
        const compiled = compileRubyPattern(`${ignoreCase ? '(?i)' : ''}${source}`, {
          maxInstructions: 5_000,
        });
        let checks = 0;
        const checkTime = () => {
          checks += 1;
          if (checks > STEPS_OF_A_SEARCH / 2_000) throw new TimeIsUp();
        };
        const subject = pieces.join('');
        for (const { start, end } of compiled.matches(subject, checkTime)) {
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThanOrEqual(subject.length);
        }
      },
      PatternError,
      TimeIsUp,
    );
  });
});
