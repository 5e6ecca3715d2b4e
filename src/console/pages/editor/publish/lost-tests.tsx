import { countWords, nounWords } from '../../../ui/words/figures.js';

interface LostTestsProps {
  removed?: readonly string[];
  changed?: readonly string[];
}

/** Warns of tests that a publication takes away or changes: the others cannot tell of it. */
export function LostTests({ removed = [], changed = [] }: LostTestsProps) {
  return (
    <>
      <Names of={removed} words="removed" />
      <Names of={changed} words="changed" />
    </>
  );
}

function Names({ of, words }: { of: readonly string[]; words: string }) {
  if (of.length === 0) return null;
  return (
    <p className="warn wrap">
      {nounWords(of.length, 'test')} {words}: <TestNames of={of} />
    </p>
  );
}

/** Names in a sentence; the others are a number. */
const MOST_NAMES = 10;

/** The names of some tests. */
export function TestNames({ of }: { of: readonly string[] }) {
  const rest = of.length - MOST_NAMES;
  return (
    <>
      <bdi>{of.slice(0, MOST_NAMES).join(', ')}</bdi>
      {rest > 0 && ` and ${countWords(rest)} more`}
    </>
  );
}
