import { say } from '../overlay/toasts.js';

/** Copies a text, and tells the person that it did; `noun` names it: `the link`. */
export async function copyText(text: string, noun: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${noun.charAt(0).toUpperCase()}${noun.slice(1)} copied.`);
  } catch {
    // Browsers copy over https and on this machine alone.
    say('The browser blocked copying. Select the text and copy it manually.', 'bad');
  }
}
