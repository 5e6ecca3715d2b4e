import type { ClickResult } from './prompt-clicks.js';
import { htmlPage } from '../../platform/http/page-style.js';
import { escapeHtml } from '../../platform/text/escape-html.js';

/** A page for the reader of a message: plain HTML without external resources. */
export interface PromptPage {
  status: number;
  html: string;
}

type Outcome = ClickResult['state'] | 'unavailable' | 'failed' | 'tooMany';

const PAGES: Record<Outcome, { status: number; title: string; text: string }> = {
  done: { status: 200, title: 'Thank you', text: 'Your answer was received.' },
  used: { status: 409, title: 'Already answered', text: 'This link was already used. It works only once.' },
  expired: { status: 410, title: 'Too late', text: 'The time to respond has expired.' },
  gone: {
    status: 410,
    title: 'No longer needed',
    text: 'The request behind this link was cancelled or deleted.',
  },
  disabled: {
    status: 409,
    title: 'Not now',
    text: 'The story behind this link is disabled. Your answer was not received; the link will work once the story is enabled.',
  },
  unknown: {
    status: 404,
    title: 'Unknown link',
    text: 'This link does not exist. If you have just received it, try again in a moment.',
  },
  unavailable: {
    status: 503,
    title: 'Try again',
    text: 'The server cannot receive your answer right now. Try again in a moment; your answer counts only once.',
  },
  tooMany: {
    status: 429,
    title: 'Too many attempts',
    text: 'Too many unknown links were opened from your network. Try again in a moment.',
  },
  failed: { status: 500, title: 'Something went wrong', text: 'The server could not receive your answer.' },
};

/** Returns the page for the result of a click, with the answer if it was received. */
export function outcomePage(outcome: Outcome, answer?: string): PromptPage {
  const { status, title, text } = PAGES[outcome];
  const shown =
    outcome === 'done' && answer !== undefined ? `<p><strong>${escapeHtml(answer)}</strong></p>` : '';
  return { status, html: htmlPage(title, `${shown}<p>${text}</p>`) };
}

/** Returns the page that asks for confirmation: only its button sends the POST that uses the link. */
export function confirmPage(answer: string): PromptPage {
  const button = `<button type="submit">${escapeHtml(answer)}</button>`;
  return {
    status: 200,
    html: htmlPage('Your answer', `<p>Send this answer?</p><form method="post">${button}</form>`),
  };
}
