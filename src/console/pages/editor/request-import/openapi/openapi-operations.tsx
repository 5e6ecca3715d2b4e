import { useCallback, useState } from 'react';
import type { OpenapiListing, OpenapiOperation } from '../../../../../../clients/typescript/api.js';
import { Button } from '../../../../ui/form/button.js';
import { Input } from '../../../../ui/form/field.js';
import { PickList } from '../../../../ui/lists/pick-list.js';

interface OpenapiOperationsProps {
  listing: OpenapiListing;
  isBusy: boolean;
  onPick: (operation: { method: string; path: string }) => void;
  /** Searches all operations of a document that has more than are listed. */
  onSearch: (text: string) => void;
  onBack: () => void;
  onClose: () => void;
}

const keyOf = ({ method, path }: OpenapiOperation) => `${method} ${path}`;

/** The operations of a document, to pick one. */
export function OpenapiOperations(props: OpenapiOperationsProps) {
  const { listing, isBusy, onPick, onSearch, onBack, onClose } = props;
  const { operations, total } = listing;
  const [search, setSearch] = useState('');
  const [isCut] = useState(total > operations.length);
  const find = useCallback((text: string) => operationsWith(operations, text).map(itemOf), [operations]);
  return (
    <>
      <div className="dialog-body stack">
        {isCut && (
          <form
            className="row"
            onSubmit={(event) => {
              event.preventDefault();
              onSearch(search);
            }}
          >
            <Input
              type="search"
              aria-label="Search the whole document"
              placeholder={`Search the whole document (${operations.length} of ${total} shown)`}
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
            <Button type="submit" disabled={isBusy}>
              Search
            </Button>
          </form>
        )}
        <PickList
          label="Operations"
          placeholder="Find an operation"
          find={find}
          onPick={(key) => {
            const picked = operations.find((each) => keyOf(each) === key);
            if (picked !== undefined && !isBusy) onPick({ method: picked.method, path: picked.path });
          }}
        />
      </div>
      <footer className="dialog-foot">
        <Button onClick={onBack}>Back</Button>
        <Button onClick={onClose}>Cancel</Button>
      </footer>
    </>
  );
}

/** Returns the operations that have each word of the text. */
function operationsWith(operations: readonly OpenapiOperation[], text: string): OpenapiOperation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((operation) => {
    const whole = Object.values(operation).flat().join(' ').toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

function itemOf(operation: OpenapiOperation) {
  const { method, path, summary, operation_id: id, deprecated } = operation;
  const about = [summary ?? id, deprecated ? 'deprecated' : null].filter(Boolean).join(', ');
  return { key: keyOf(operation), name: `${method.toUpperCase()} ${path}`, title: about, about };
}
