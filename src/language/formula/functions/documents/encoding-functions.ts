import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { messageOf } from '../../../../platform/errors.js';
import { bytesOf, textOfBytes } from '../../../../platform/text/byte-text.js';
import { addressEscaped, encodingFilters, percentEncoded } from '../../../filters/encoding-filters.js';
import { htmlFilters } from '../../../filters/html-filters.js';
import { replaceEach } from '../../../filters/lists/replace-each.js';
import { jsonWeight } from '../../../values/json-result.js';
import { MAX_OUTPUT_CHARACTERS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, textOf } from '../../../values/values.js';
import type { FunctionTable } from '../formula-function.js';
import { viaFilter } from '../via-filter.js';
import { parseTemplateJson } from '../../../../platform/json/whole-json.js';

/** Functions that encode and decode text. Decoded bytes that are not text stay intact for encodings and digests. */
export const encodingFunctions: FunctionTable = {
  BASE64_ENCODE: {
    takes: 'text',
    gives: 'its bytes in base64',
    example: ['BASE64_ENCODE("abc")', 'YWJj'],
    run: viaFilter(encodingFilters.base64_encode),
  },
  BASE64_DECODE: {
    takes: 'text',
    gives: 'the text decoded from base64',
    example: ['BASE64_DECODE("YWJj")', 'abc'],
    run: viaFilter(encodingFilters.base64_decode),
  },
  BASE64URL_ENCODE: {
    takes: 'text',
    gives: 'its bytes in URL-safe base64, without `=`',
    example: ['BASE64URL_ENCODE("a?>")', 'YT8-'],
    run: viaFilter(encodingFilters.base64url_encode),
  },
  BASE64URL_DECODE: {
    takes: 'text',
    gives: 'the text decoded from URL-safe base64',
    example: ['BASE64URL_DECODE("YT8-")', 'a?>'],
    run: viaFilter(encodingFilters.base64url_decode),
  },
  HEX_ENCODE: {
    takes: 'text',
    gives: 'its bytes in hexadecimal digits',
    example: ['HEX_ENCODE("abc")', '616263'],
    run: ([text]) => bytesOf(textOf(text)).toString('hex'),
  },
  HEX_DECODE: {
    takes: 'text',
    gives: 'the text decoded from hexadecimal digits',
    example: ['HEX_DECODE("616263")', 'abc'],
    run: ([text], { checkTime }) => {
      const digits = replaceEach(textOf(text), /^0x|\s+/g, { by: () => '', checkTime });
      if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) throw new TemplateError('not hexadecimal digits');
      return textOfBytes(Buffer.from(digits, 'hex'));
    },
  },
  URL_ENCODE: {
    takes: 'text, encoding?',
    gives: 'the text URL-encoded, with `+` for a space; with `encoding: "uri"`, `%20`',
    example: ['URL_ENCODE("a b&c")', 'a+b%26c'],
    run: ([text, encoding], call) => {
      if (encoding === 'uri') return percentEncoded(textOf(text), call);
      if (isNothing(encoding) || encoding === 'form')
        return viaFilter(encodingFilters.url_encode)([text], call);
      throw new TemplateError('the encoding is "uri" or "form"');
    },
  },
  URL_DECODE: {
    takes: 'text',
    gives: 'the URL-decoded text',
    example: ['URL_DECODE("a+b%26c")', 'a b&c'],
    run: viaFilter(encodingFilters.url_decode),
  },
  URI_ESCAPE: {
    takes: 'text',
    gives: 'a URL with invalid characters escaped',
    example: ['URI_ESCAPE("https://x.org/a b?c=d")', 'https://x.org/a%20b?c=d'],
    run: ([text], call) => addressEscaped(textOf(text), call),
  },
  ESCAPE: {
    takes: 'text',
    gives: 'the text with `& < > " \'` as HTML writes them',
    example: ['ESCAPE("a < b")', 'a &lt; b'],
    run: viaFilter(htmlFilters.escape),
  },
  ESCAPE_ONCE: {
    takes: 'text',
    gives: 'the same, without escaping twice',
    example: ['ESCAPE_ONCE("&lt; <")', '&lt; &lt;'],
    run: viaFilter(htmlFilters.escape_once),
  },
  UNESCAPE: {
    takes: 'text',
    gives: 'the text unescaped from HTML',
    example: ['UNESCAPE("a &lt; b")', 'a < b'],
    run: viaFilter(htmlFilters.unescape),
  },
  STRIP_HTML: {
    takes: 'text',
    gives: 'the text without tags, scripts, styles and comments',
    example: ['STRIP_HTML("<b>Hi</b> you")', 'Hi you'],
    run: viaFilter(htmlFilters.strip_html),
  },
  NEWLINE_TO_BR: {
    takes: 'text',
    gives: 'the text with `<br />` before each line break',
    example: ['NEWLINE_TO_BR("a\\nb")', 'a<br />\nb'],
    run: viaFilter(htmlFilters.newline_to_br),
  },
  GZIP: {
    takes: 'text',
    gives: 'its bytes compressed',
    example: ['GUNZIP(GZIP("abc"))', 'abc'],
    run: ([text]) => textOfBytes(gzipSync(bytesOf(textOf(text)), { level: constants.Z_BEST_SPEED })),
  },
  GUNZIP: {
    takes: 'text',
    gives: 'the text decompressed from gzip',
    example: ['GUNZIP(BASE64_DECODE("H4sIAAAAAAAAA0tMSgYAwkEkNQMAAAA="))', 'abc'],
    run: ([text]) => {
      try {
        return textOfBytes(gunzipSync(bytesOf(textOf(text)), { maxOutputLength: MAX_OUTPUT_CHARACTERS }));
      } catch (error) {
        throw new TemplateError(`cannot be unpacked: ${unpackFault(error)}`, { cause: error });
      }
    },
  },
  JWT_DECODE: {
    takes: 'token',
    gives: '`{header, payload}` of a token. Its signature is not checked',
    example: ['JWT_DECODE("eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x").payload.a', 1],
    run: ([token]) => {
      const [header, payload] = textOf(token).split('.', 2).map(tokenPart);
      if (payload === undefined) throw new TemplateError('not a token');
      return { header, payload };
    },
  },
};

function unpackFault(error: unknown): string {
  const isTooLarge = error instanceof RangeError;
  return isTooLarge ? `it contains more than ${MAX_OUTPUT_CHARACTERS} bytes` : messageOf(error);
}

function tokenPart(part: string): unknown {
  const text = Buffer.from(part, 'base64url').toString();
  jsonWeight(text);
  try {
    return parseTemplateJson(text);
  } catch (error) {
    throw new TemplateError('not a token', { cause: error });
  }
}
