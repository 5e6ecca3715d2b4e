import { Copy } from 'lucide-react';
import { Button } from '../form/button.js';
import { copyText } from '../words/copy-text.js';
import { formulaOf, liquidOf, searchPathOf } from './value-path.js';
import { type JsonRow, stepsTo } from './json-rows.js';

/** The place of the chosen line, to be copied as a formula, as Liquid, as a path to search for, or with its value. */
export function PathBar({ row, root }: { row: JsonRow; root: readonly string[] }) {
  const inside = stepsTo(row);
  const steps = [...root, ...inside];
  const path = searchPathOf(inside);
  return (
    <div className="json-bar">
      <code className="cut grow" title={steps.join('.')}>
        {steps.length === 0 ? 'whole value' : formulaOf(steps).slice(2, -2)}
      </code>
      {steps.length > 0 && (
        <>
          <CopyButton word="Formula" text={() => formulaOf(steps)} />
          <CopyButton word="Liquid" text={() => liquidOf(steps)} />
        </>
      )}
      {path !== undefined && <CopyButton word="Path" text={() => path} />}
      <CopyButton word="Value" text={() => textOf(row)} />
    </div>
  );
}

function CopyButton({ word, text }: { word: string; text: () => string }) {
  return (
    <Button look="quiet" title={`Copy: ${word}`} onClick={() => void copyText(text(), word)}>
      <Copy aria-hidden="true" /> <span className="unseen">Copy</span>
      {word}
    </Button>
  );
}

function textOf({ value }: JsonRow): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
