import { nounWords } from '../../../ui/words/figures.js';

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
      {nounWords(of.length, 'test')} {words}: <bdi>{of.join(', ')}</bdi>
    </p>
  );
}
