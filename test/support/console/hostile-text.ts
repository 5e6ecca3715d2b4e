/** Each sets `window.ran` if a page takes it for markup, an address or a script. */
const MARKUP = [
  `<img src=x onerror="window.ran='img'">`,
  `<svg onload="window.ran='svg'"></svg>`,
  `"'><script>window.ran='script'</script>`,
  `[press](javascript:window.ran='link')`,
  `<a href="javascript:window.ran='anchor'">press</a>`,
  `<iframe srcdoc="<script>parent.ran='frame'</script>"></iframe>`,
  `![x](https://evil.example/x.png)<link rel=stylesheet href=//evil.example/x.css>`,
].join('');
/** A word of the name that consists of marks which turn the direction of text. */
export const TURNED = 'denrut';
/** Marks that turn the direction of text; none of them is closed. */
const DIRECTION = '\u202Eeliforp\u2067\u200F\u061C';
const INVISIBLE = 'z\u200B\u200C\u200D\u2060\uFEFF\u00ADw';
const stacked = (marks: number) => `Z${'\u0301\u0489'.repeat(marks)}`;
const word = (length: number) => 'w'.repeat(length);

/** A mark in every hostile name and text, so that a page is known to show one. */
export const SEEN = 'onerror=';

/** A name of the longest length: markup, marks of direction, characters without a width, a stack of marks, a long word. */
export const HOSTILE_NAME = `${MARKUP.slice(0, 130)}${DIRECTION}${INVISIBLE}${stacked(12)}${word(255)}`
  .replaceAll(',', ';')
  .slice(0, 255);

/** Names of the longest length that are one thing each: nothing in them lets a line break. */
export const HOSTILE_NAMES = [
  HOSTILE_NAME,
  word(255),
  stacked(127),
  `\u202E${TURNED}\u200F\u061C${word(20)}`,
];

/** A text of lines: all markup, line breaks of each kind, and a word of 10,000 characters. */
export const HOSTILE_TEXT = [
  MARKUP,
  `${DIRECTION} ${INVISIBLE} ${stacked(300)}`,
  `a\r\nb\u2028c\u2029d\u0085e`,
  word(10_000),
  `https://evil.example/${word(2_000)}`,
].join('\n');

/** The same as Markdown, with a word without end in each kind of block. */
export const HOSTILE_MARKDOWN = [
  HOSTILE_TEXT,
  `# ${HOSTILE_TEXT}`,
  `> ${word(3_000)}`,
  `- ${word(3_000)}`,
  `1. ${MARKUP}`,
  `**${word(3_000)}** \`${word(3_000)}\``,
  `\`\`\`\n${word(3_000)}\n\`\`\``,
  `| ${word(3_000)} | b |\n|---|---|\n| c | ${MARKUP} |`,
].join('\n\n');
