import type { ImportedAction } from './needed-credentials.js';

/** What every dialog of an import is given. */
export interface ImportProps {
  /** The text of its button: `Add action`. */
  button: string;
  onImport: (action: ImportedAction) => void;
  onClose: () => void;
}
