import {
  mayGoTo,
  neededForCurl,
  neededForOpenapi,
  withCredentialNames,
  withRequest,
} from '../../../../src/console/pages/editor/request-import/needed-credentials.js';
import { withParameters } from '../../../../src/console/pages/editor/request-import/openapi/operation-parameters.js';
import { importCurl } from '../../../../src/console/request-import/import-curl.js';
import type { OpenapiParameter } from '../../../../clients/typescript/api.js';

const read = (text: string) => {
  const found = importCurl(text, { language: 'formula', ownOrigins: [] });
  if (found.kind !== 'request') throw new Error(found.kind);
  return found;
};

const schemeOf = (mode: string) => ({
  where: 'headers.Authorization',
  scheme: 'main',
  description: null,
  suggestion: { name: mode, mode, allowed_hosts: [] },
});
const parameter = (name: string, more: Partial<OpenapiParameter>): OpenapiParameter => ({
  name,
  in: 'query',
  required: false,
  description: null,
  example: null,
  included: false,
  ...more,
});

describe('credentials of an imported request', () => {
  it('are one for each secret, with the options that refer to it', () => {
    const { secrets } = read(
      "curl https://api.example.com/items?token=abcdefgh -H 'Authorization: Bearer s3cr3t-s3cr3t' -H 'X-Api-Key: abcdefgh'",
    );
    expect(neededForCurl(secrets)).toEqual([
      expect.objectContaining({
        name: 'example_com_token',
        places: ['headers.Authorization'],
        secret: 's3cr3t-s3cr3t',
        hosts: ['api.example.com'],
        setting: 'value',
      }),
      expect.objectContaining({
        name: 'example_com_key',
        places: ['headers.X-Api-Key', 'query_params.token'],
        secret: 'abcdefgh',
      }),
    ]);
  });

  it('of an operation ask for a secret where one text is enough', () => {
    expect(neededForOpenapi(['TEXT', 'AWS', 'OAUTH'].map(schemeOf)).map(({ setting }) => setting)).toEqual([
      'value',
      'aws_secret_key',
      undefined,
    ]);
  });

  it('take other names in the options, all at once, and nowhere else', () => {
    const options = {
      headers: { A: 'Bearer <<CREDENTIAL.one>>', B: '<<CREDENTIAL.two>>' },
      payload: ['one', '<<CREDENTIAL.one_more>>', 3],
    };
    const names = new Map([
      ['one', 'two'],
      ['two', 'Third key'],
    ]);
    expect(withCredentialNames(options, names, 'formula')).toEqual({
      headers: { A: 'Bearer <<CREDENTIAL.two>>', B: '<<CREDENTIAL["Third key"]>>' },
      payload: ['one', '<<CREDENTIAL.one_more>>', 3],
    });
    expect(withCredentialNames({ a: '{{ .CREDENTIAL.one }}' }, names, 'liquid')).toEqual({
      a: '{{ .CREDENTIAL.two }}',
    });
    expect(withCredentialNames(options, new Map(), 'formula')).toBe(options);
  });

  it('are offered for hosts that they may be sent to', () => {
    expect(mayGoTo([], ['api.example.com'])).toBe(true);
    expect(mayGoTo(['*.example.com'], ['api.example.com:8443'])).toBe(true);
    expect(mayGoTo(['*.example.com'], ['example.com'])).toBe(false);
    expect(mayGoTo(['api.example.com'], ['API.example.com', 'other.example'])).toBe(false);
  });
});

describe('an import into an open action', () => {
  it('replaces the request, and keeps how its response is handled', () => {
    const before = { url: 'https://old.example', headers: { A: 'b' }, payload: {}, retries: 3, timeout: 5 };
    expect(withRequest(before, { url: 'https://new.example', method: 'get', timeout: 9 })).toEqual({
      url: 'https://new.example',
      method: 'get',
      timeout: 9,
      retries: 3,
    });
  });
});

describe('parameters of an operation', () => {
  const limit = parameter('limit', { example: 10 });
  const filter = parameter('filter', { included: true });
  const trace = parameter('X-Trace', { in: 'header', example: '<<a>>' });
  const parameters = [limit, filter, trace];
  const options = { url: 'https://api.example', query_params: { 'filter[name]': 'a', filters: 'b' } };

  it('are added with their example as a text, and taken out', () => {
    expect(withParameters(options, parameters, new Set([limit, trace]), 'formula')).toEqual({
      url: 'https://api.example',
      query_params: { filters: 'b', limit: '10' },
      headers: { 'X-Trace': "<<'<<'>>a>>" },
    });
    expect(withParameters(options, parameters, new Set([filter]), 'formula')).toBe(options);
  });
});
