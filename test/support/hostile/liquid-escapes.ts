import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import { type HostileCase, type HostileFamily, liquid } from './hostile-case.js';

const NO_TAG = (name: string) => new RegExp(`^tag "${name}" not found \\(line 1, column 1\\)$`);
const NO_CREDENTIAL = /^This team has no credential "[\w]+" \(line 1, column 1\)$/;

const event = () => ({ o: { a: 1 }, list: [{ polluted: 1 }], s: 'abc', n: 5 });

const empty = (text: string): HostileCase => liquid(text, text, { event, gives: '' });

/** Ways out of a Liquid template: to prototypes, functions, files, and to secrets that are not named. */
export const liquidEscapes: HostileFamily = {
  name: 'Liquid that tries to get out',
  limitMs: MAX_RENDER_MS,
  cases: [
    ...[
      '{{ constructor }}',
      '{{ __proto__ }}',
      '{{ __proto__.polluted }}',
      '{{ o.constructor }}',
      '{{ o.constructor.constructor }}',
      '{{ o["__proto__"]["polluted"] }}',
      '{{ o.toString }}',
      '{{ o.hasOwnProperty }}',
      '{{ s.constructor }}',
      '{{ s.repeat }}',
      '{{ n.toFixed }}',
      '{{ list.constructor }}',
      '{{ list.map }}',
      '{{ list[0].__proto__ }}',
      '{{ process.env.PATH }}',
      '{{ globalThis }}',
      '{{ this }}',
      '{{ require }}',
      '{{ list | map: "__proto__" | first }}',
      '{{ list | map: "constructor" | first }}',
      '{{ o | get: "constructor.constructor" }}',
      '{{ o | get: "__proto__.toString" }}',
      '{% assign __proto__ = list %}{{ polluted }}',
      '{% assign __proto__ = o %}{{ a }}',
      '{% capture __proto__ %}x{% endcapture %}{{ polluted }}',
      '{% for __proto__ in list %}{% endfor %}{{ polluted }}',
      '{% for x in CREDENTIAL %}{% for y in x %}{{ y }}{% endfor %}{% endfor %}',
      '{{ CREDENTIAL | first }}',
      '{{ RESOURCE.liquidMethodMissing }}',
      '{{ CREDENTIAL | map: "key" | compact | join }}',
    ].map(empty),
    liquid('all credentials as JSON', '{{ CREDENTIAL | json }}', { gives: '{}' }),
    liquid('all credentials as text', '{{ CREDENTIAL }}', { gives: '{}' }),
    liquid('how many credentials there are', '{{ CREDENTIAL | size }}', { gives: '0' }),
    liquid('the constructor of the credentials', '{{ CREDENTIAL.constructor }}', { stops: NO_CREDENTIAL }),
    liquid('a credential that all objects have', '{% credential toString %}', { stops: NO_CREDENTIAL }),
    liquid('the class of a loop', '{% for x in list %}{{ forloop.constructor }}{% endfor %}', {
      event,
      gives: '',
    }),
    liquid('the prototype of a loop', '{% for x in list %}{{ forloop.__proto__ }}{% endfor %}', {
      event,
      gives: '',
    }),
    liquid('a loop variable that is a prototype', '{% for __proto__ in list %}{{ s }}{% endfor %}', {
      event,
      gives: 'abc',
    }),
    liquid('the class of emptiness', '{{ empty.constructor }}', { gives: '' }),
    liquid('the class of nothing', '{{ nil.constructor }}', { gives: '' }),
    liquid('lengths', '{{ s.length }} {{ list.length }}', { event, gives: ' 1' }),
    liquid('the class of a text', '{{ "a".constructor }}', { gives: 'a' }),
    liquid('a filter of all objects', '{{ "x" | constructor }}{{ "x" | toString }}{{ "x" | valueOf }}', {
      gives: 'xxx',
    }),
    liquid('a filter that defines', '{{ "x" | __defineGetter__: "a" }}{{ "x" | __proto__ }}', {
      gives: 'xx',
    }),
    liquid('an inner filter of ours', '{{ "x" | __typed_output }}', { gives: 'x' }),
    liquid('an inner variable of ours', '[{{ __scope }}]', { gives: '[]' }),
    liquid('a tag of all objects', '{% constructor %}', { stops: NO_TAG('constructor') }),
    liquid('a tag that is a prototype', '{% __proto__ %}', { stops: NO_TAG('__proto__') }),
    liquid('a tag that is a method', '{% toString %}', { stops: NO_TAG('toString') }),
    liquid('a file', '{% include "/etc/passwd" %}', { stops: NO_TAG('include') }),
    liquid('a partial', '{% render "../../package.json" %}', { stops: NO_TAG('render') }),
    liquid('a layout', '{% layout "package.json" %}', { stops: NO_TAG('layout') }),
    liquid('a block', '{% block a %}{% endblock %}', { stops: NO_TAG('block') }),
    liquid('a table', '{% tablerow x in (1..2) cols: 900000000 %}{% endtablerow %}', {
      gives: '<tr class="row1">\n<td class="col1"></td><td class="col2"></td></tr>\n',
    }),
    liquid('an unknown tag', '{% exec "id" %}', { stops: NO_TAG('exec') }),
    liquid('another language', '<%= 1 %> ${1} #{1} <<1>> =1+1{{ "" }}', {
      gives: '<%= 1 %> ${1} #{1} <<1>> =1+1',
    }),
    liquid('a secret in a message', '{{ CREDENTIAL.key | json_parse }}', {
      stops: /^json_parse: not valid JSON: Unexpected token 's' \(line 1, column 1\)$/,
    }),
    liquid('JSON with a prototype', '{{ s | json_parse | json }}', {
      event: () => ({ s: '{"__proto__":{"polluted":1}}' }),
      gives: '{"__proto__":{"polluted":1}}',
    }),
    liquid('a CSV with a prototype', '{{ s | csv_parse | map: "polluted" | compact | size }}', {
      event: () => ({ s: '__proto__,constructor\n1,2' }),
      gives: '0',
    }),
    liquid('groups named as a prototype', '{{ list | group_by: "k" | json }}', {
      event: () => ({ list: [{ k: '__proto__' }, { k: 'constructor' }] }),
      gives:
        '[{"name":"__proto__","items":[{"k":"__proto__"}],"size":1},{"name":"constructor","items":[{"k":"constructor"}],"size":1}]',
    }),
    liquid('values that hide what JavaScript looks for', '{{ a }}|{{ a | json }}|{{ a.x }}', {
      event: () => ({ a: { toString: 1, valueOf: 2, toJSON: 3, toLiquid: 5, length: -1 } }),
      gives:
        '{"toString":1,"valueOf":2,"toJSON":3,"toLiquid":5,"length":-1}|{"toString":1,"valueOf":2,"toJSON":3,"toLiquid":5,"length":-1}|',
    }),
  ],
};
