import { Button } from '../../../ui/form/button.js';
import { useEdited, useEditor, useView } from '../editor-context.js';

/** The story under edit as a list: the view for screen readers, phones and very large stories. */
export function Outline() {
  const { view } = useEditor();
  const actions = useEdited(({ draft }) => draft.actions);
  const chosen = useView(({ selection }) => selection.actions);
  return (
    <section aria-label="Outline">
      <ul>
        {[...actions].map(([key, { name }]) => (
          <li key={key}>
            <Button
              look="quiet"
              aria-pressed={chosen.includes(key)}
              onClick={() => view.getState().choose({ actions: [key] })}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
