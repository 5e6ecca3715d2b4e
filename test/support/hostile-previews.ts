/** Templates that would take long or grow large: name, language, text. */
export const HOSTILE: [name: string, language: 'liquid' | 'formula', template: string][] = [
  [
    'loops in loops',
    'liquid',
    '{% for a in (1..9000) %}{% for b in (1..9000) %}{{ b }}{% endfor %}{% endfor %}',
  ],
  ['a range without end', 'liquid', '{% for a in (1..999999999) %}x{% endfor %}'],
  ['a text that doubles', 'formula', `=${'REPLACE('.repeat(30)}"aa"${', "a", "aaaa")'.repeat(30)}`],
  ['a deep formula', 'formula', `=${'('.repeat(5000)}1${')'.repeat(5000)}`],
];
