import { useEffect, useEffectEvent, useState } from 'react';

/** Calls `onFile` with a file that is dropped on the window. Returns whether one is held over it. */
export function useDroppedFile(onFile: (file: File) => void): boolean {
  const [isHeld, setHeld] = useState(false);
  const take = useEffectEvent(onFile);
  useEffect(() => {
    const isFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setHeld(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setHeld(false);
    const drop = (event: DragEvent) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setHeld(false);
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) take(file);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isHeld;
}
