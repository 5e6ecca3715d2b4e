import { type ReactNode, useState } from 'react';
import { useMay } from '../../../api/signed-in.js';
import type { StoryLanguage } from '../../../request-import/literal-text.js';
import { Button } from '../../../ui/form/button.js';
import { useEditor } from '../editor-context.js';
import { CredentialChoices, firstChoice } from './credential-choices.js';
import { useFinishImport, useUsableCredentials } from './request-import-data.js';
import { ImportSummary } from './import-summary.js';
import type { CredentialChoice, ImportedAction, NeededCredential } from './needed-credentials.js';

interface ImportFormProps {
  /** The request that was read; undefined: none yet. */
  action: ImportedAction | undefined;
  needed: readonly NeededCredential[];
  remarks: readonly string[];
  language: StoryLanguage;
  /** The text of the button: `Add action`. */
  button: string;
  onImport: (action: ImportedAction) => void;
  onClose: () => void;
  /** Beside Cancel, such as Back. */
  foot?: ReactNode;
  children: ReactNode;
}

/** A request that was read, with the credentials that it needs, to be confirmed. */
export function ImportForm(props: ImportFormProps) {
  const { action, needed, remarks, language, button, onImport, onClose, foot, children } = props;
  const { teamId } = useEditor();
  const mayCreate = useMay('manage', teamId);
  const existing = useUsableCredentials().data ?? [];
  const [chosen, setChosen] = useState<ReadonlyMap<string, CredentialChoice>>(new Map());
  const finishing = useFinishImport(language, onImport);
  const choices = new Map(
    needed.map((each) => [each.name, chosen.get(each.name) ?? firstChoice(each, existing, mayCreate)]),
  );
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (action !== undefined) finishing.mutate({ action, needed, choices });
      }}
    >
      <div className="dialog-body stack">
        {children}
        {action !== undefined && <ImportSummary options={action.options} remarks={remarks} />}
        <CredentialChoices
          needed={needed}
          choices={choices}
          onChoice={(name, choice) => setChosen(new Map(chosen).set(name, choice))}
        />
      </div>
      <footer className="dialog-foot">
        {foot}
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" disabled={action === undefined || finishing.isPending}>
          {button}
        </Button>
      </footer>
    </form>
  );
}
