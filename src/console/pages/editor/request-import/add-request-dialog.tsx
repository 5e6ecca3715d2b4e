import type { KindToAdd } from '../canvas/adding/action-kinds-to-add.js';
import { type ImportSource, REQUEST_TYPE, RequestImportDialog } from './request-import-dialog.js';

interface AddRequestDialogProps {
  /** Undefined: no dialog. */
  source: ImportSource | undefined;
  onAdd: (kind: KindToAdd) => void;
  onClose: () => void;
}

/** Adds an HTTP request that a command or a document describes. */
export function AddRequestDialog({ source, onAdd, onClose }: AddRequestDialogProps) {
  if (source === undefined) return null;
  return (
    <RequestImportDialog
      source={source}
      button="Add action"
      onClose={onClose}
      onImport={({ name, options }) => {
        onClose();
        onAdd({ id: source, type: REQUEST_TYPE, description: '', name, options });
      }}
    />
  );
}
