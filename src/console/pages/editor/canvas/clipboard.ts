import { useEffect, useEffectEvent } from 'react';
import {
  fragmentIn,
  fragmentOf,
  fragmentText,
  mayBeYaml,
  NoFragment,
} from '../../../story-model/fragment/fragment-text.js';
import { withoutSecrets } from '../../../story-model/fragment/without-secrets.js';
import type { Place } from '../../../story-model/story-draft.js';
import { TextFault } from '../../../text/formats/text-format.js';
import type { CanvasWork } from './canvas-work.js';

const FIELDS = 'input, textarea, select, [contenteditable]';

/** Whether a clipboard event is about the canvas: nothing else that could be copied from or pasted into has the focus. */
function isAboutCanvas({ target }: ClipboardEvent): boolean {
  if (!(target instanceof Element) || target.closest(FIELDS) !== null) return false;
  if (target.closest('.react-flow__node') !== null) return true;
  const isNear = target === document.body || target.closest('[data-keys="canvas"]') !== null;
  // A text that is selected beside the canvas is what a person means to copy.
  return isNear && getSelection()?.isCollapsed !== false;
}

/** Copies, cuts and pastes by the keys and menus of the browser, which need no permission. */
export function useClipboard(work: CanvasWork, readOnly: string | undefined): void {
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    if (!isAboutCanvas(event) || event.defaultPrevented) return;
    const text = copiedText(work, false);
    if (text === undefined) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
    const words = work.words({ actions: work.targets().actions, notes: work.targets().notes });
    if (event.type === 'cut' && readOnly === undefined) work.remove();
    else work.say(`Copied ${words}`);
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!isAboutCanvas(event) || event.defaultPrevented) return;
    event.preventDefault();
    void pasteText(work, event.clipboardData?.getData('text/plain') ?? '', undefined);
  });
  useEffect(() => {
    const copy = (event: ClipboardEvent) => onCopy(event);
    const paste = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, []);
}

/** Returns what is chosen as text; undefined: no action and no note is. */
export function copiedText(work: CanvasWork, isWithoutSecrets: boolean): string | undefined {
  const fragment = work.copied();
  if (fragment.agents.length + fragment.notes.length === 0) return undefined;
  return fragmentText(isWithoutSecrets ? withoutSecrets(fragment) : fragment);
}

/** Pastes a text, or says why it is no part of a story. */
export async function pasteText(work: CanvasWork, text: string, at: Place | undefined): Promise<void> {
  try {
    work.paste(mayBeYaml(text) ? fragmentOf(await valueInYaml(text)) : fragmentIn(text), at);
  } catch (error) {
    if (error instanceof TextFault) work.tell(`The YAML in the clipboard cannot be read. ${error.message}`);
    else if (error instanceof NoFragment) work.tell(error.message);
    else throw error;
  }
}

/** The reader of YAML is loaded when it is needed first. @throws TextFault. */
async function valueInYaml(text: string): Promise<unknown> {
  const { yamlFormat } = await import('../../../text/formats/yaml-format.js');
  return yamlFormat.read(text).value;
}

/** Pastes what the clipboard has, which the browser may ask about. */
export async function pasteFromClipboard(work: CanvasWork, at: Place | undefined): Promise<void> {
  let text: string;
  try {
    text = await navigator.clipboard.readText();
  } catch {
    // Over http there is no such thing, and a person may refuse; the keys work always.
    return work.tell('The browser blocked reading the clipboard. Press Ctrl V on the canvas.');
  }
  await pasteText(work, text, at);
}
