import type { ComponentProps } from 'react';
import type { DraftElements } from '../../../canvas/draft-elements.js';
import { EditableCanvas } from '../../../canvas/editable-canvas.js';
import { useDrawnDraft } from './use-drawn-draft.js';

interface DrawnCanvasProps extends Omit<ComponentProps<typeof EditableCanvas>, 'nodes' | 'edges'> {
  elements: DraftElements;
}

/** The story as it is now. A drag draws this alone anew, and not what stands around it. */
export function DrawnCanvas({ elements, ...props }: DrawnCanvasProps) {
  return <EditableCanvas {...useDrawnDraft(elements)} {...props} />;
}
