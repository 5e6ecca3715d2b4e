import { parseQueryString } from '../../src/platform/http/address/query-string.js';

const read = (text: string) => JSON.parse(JSON.stringify(parseQueryString(text))) as unknown;

describe('a query string', () => {
  it.each([
    ['x[]=1&x[]=2', { x: ['1', '2'] }],
    ['x%5B%5D=1&x%5B%5D=2', { x: ['1', '2'] }],
    ['x=1&x=2', { x: ['1', '2'] }],
    ['x[0]=1&x[1]=2', { x: ['1', '2'] }],
    ['x[0]=1', { x: ['1'] }],
    ['x[]=1', { x: ['1'] }],
    ['x=1', { x: '1' }],
    ['', {}],
    ['x=', { x: '' }],
    ['x=a%20b+c', { x: 'a b c' }],
    ['x=a=b', { x: 'a=b' }],
    [
      'filters[0][field_id]=7&filters[0][operator]=IS_EMPTY',
      { filters: [{ field_id: '7', operator: 'IS_EMPTY' }] },
    ],
    [
      'filters[][field_id]=7&filters[][operator]=EQUAL&filters[][field_id]=8&filters[][operator]=IS_TRUE',
      {
        filters: [
          { field_id: '7', operator: 'EQUAL' },
          { field_id: '8', operator: 'IS_TRUE' },
        ],
      },
    ],
    [
      'filters%5B%5D%5Bfield_id%5D=7&filters%5b%5d%5bvalue%5d=a%5B%5D&filters%5B%5D%5Bfield_id%5D=8',
      { filters: [{ field_id: '7', value: 'a[]' }, { field_id: '8' }] },
    ],
    ['f[][tags][]=a&f[][tags][]=b&f[][id]=1', { f: [{ tags: ['a', 'b'], id: '1' }] }],
    ['toString=1', { toString: '1' }],
  ])('%s is read as it is meant', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('keeps lists of hundreds of elements as lists', () => {
    const text = Array.from({ length: 1000 }, (_, index) => `id[]=${index}`).join('&');
    expect((read(text) as { id: string[] }).id).toHaveLength(1000);
  });

  it.each([
    ['more parameters', Array.from({ length: 2001 }, (_, index) => `p${index}=1`).join('&')],
    ['a longer list', Array.from({ length: 1001 }, () => 'id[]=1').join('&')],
    ['deeper nesting', 'a[b][c][d][e][f][g]=1'],
  ])('with %s than the limits allow is refused with 422', (_what, text) => {
    const problems = [expect.objectContaining({ details: 'query' })];
    expect(() => parseQueryString(text)).toThrow(expect.objectContaining({ status: 422, problems }));
  });

  it('contract: a refusal says what is read, in words of its own', () => {
    expect(() => parseQueryString('a[b][c][d][e][f][g]=1')).toThrow(
      'The "query" is too large: at most 2000 parameters, 1000 elements in a list and 5 levels of brackets are read',
    );
  });

  it('cannot reach the prototype of objects', () => {
    parseQueryString('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
