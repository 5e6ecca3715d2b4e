import type { Page } from 'playwright-core';
import { HOSTILE_NAME, HOSTILE_NAMES } from './hostile-text.js';

/** Names of the hostile world that turn what follows them. */
const NAMES = [
  ...HOSTILE_NAMES,
  `${HOSTILE_NAME.slice(0, 250)} say`,
  `${HOSTILE_NAME.slice(0, 250)} ask`,
].filter((name) => /[\u202A-\u202E\u2066-\u2068]/.test(name));

/**
 * Marks of direction are still open at the end of a text: words that follow it in its line are turned. An end of an
 * isolated part ends all marks in it (Unicode Standard Annex 9, X6a).
 */
const IS_OPEN = `(text) => {
  const open = [];
  for (const mark of text) {
    if (/[\\u202A-\\u202E\\u2066-\\u2068]/.test(mark)) open.push(mark);
    if (mark === '\\u202C' && /[\\u202A-\\u202E]/.test(open.at(-1) ?? '')) open.pop();
    if (mark === '\\u2069') {
      const begin = open.findLastIndex((each) => /[\\u2066-\\u2068]/.test(each));
      if (begin >= 0) open.length = begin;
    }
  }
  return open.length > 0;
}`;

/** Words after a hostile name in the same string: the title of the window, labels, and texts. JSON is one text with its values. */
const IN_STRINGS = `(text) => names.flatMap((name) => {
  const first = text.indexOf(name);
  if (first < 0) return [];
  const last = text.lastIndexOf(name) + name.length;
  const [before] = /[\\u2066-\\u2068]*$/.exec(text.slice(0, first));
  const [after] = /^[\\u202A-\\u202E\\u2066-\\u2069]*/.exec(text.slice(last));
  const rest = text.slice(last + after.length);
  return rest.trim() !== '' && isOpen(before + text.slice(first, last) + after) ? [rest] : [];
})`;

/** Words after a text with open marks in the same line, unless an element between them isolates the text. */
const IN_LINES = `(node) => {
  if (!isOpen(node.data)) return [];
  const displayOf = (element) => getComputedStyle(element).display;
  const isThrough = (element) =>
    ['inline', 'contents'].includes(displayOf(element)) &&
    !['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(element).unicodeBidi);
  const lineOf = (element) =>
    /^(inline|contents)/.test(displayOf(element)) ? lineOf(element.parentElement) : element;
  let holder = node.parentElement;
  while (isThrough(holder)) holder = holder.parentElement;
  const line = lineOf(node.parentElement);
  return textsIn(holder)
    .filter((next) => node.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING)
    .filter((next) => next.data.trim() !== '' && lineOf(next.parentElement) === line)
    .map((next) => next.data)
    .slice(0, 1);
}`;

/** Returns words of the page which a name or text of users before them turns. A comment may turn its own words. */
export async function turnedTexts(page: Page): Promise<string[]> {
  const found = await page.evaluate<string[]>(`(() => {
    const names = ${JSON.stringify(NAMES)};
    const isOpen = ${IS_OPEN};
    const textsIn = (holder) => {
      const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      return texts;
    };
    const inStrings = ${IN_STRINGS};
    const inLines = ${IN_LINES};
    const texts = textsIn(document.body).filter(({ parentElement }) => !parentElement.closest('.markdown, script, style'));
    const labels = [...document.querySelectorAll('[title], [aria-label]')].flatMap((each) =>
      ['title', 'aria-label'].flatMap((name) => each.getAttribute(name) ?? []),
    );
    const sentences = texts.filter(({ parentElement }) => !parentElement.closest('pre, code'));
    const strings = [document.title, ...labels, ...sentences.map(({ data }) => data)];
    return [...strings.flatMap(inStrings), ...texts.flatMap(inLines)];
  })()`);
  return [...new Set(found.map((words) => words.slice(0, 60)))];
}
