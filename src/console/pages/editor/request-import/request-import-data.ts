import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useChange } from '../../../api/use-change.js';
import type { StoryLanguage } from '../../../request-import/literal-text.js';
import { useEditor } from '../editor-context.js';
import {
  type CredentialChoice,
  type ImportedAction,
  type NeededCredential,
  withCredentialNames,
} from './needed-credentials.js';

/** The most that one answer may hold. */
const PAGE = 500;

/** Returns the language in which the templates of the story are written. */
export function useStoryLanguage() {
  const { draftId, storyId } = useEditor();
  const id = draftId ?? storyId;
  return useQuery({
    queryKey: keys.sample(id, 'language'),
    queryFn: async (): Promise<StoryLanguage> =>
      (await api.templates.previewMany({ templates: [], story_id: id })).language,
  });
}

/** Returns the credentials that actions of the team may use. */
export function useUsableCredentials() {
  const { teamId } = useEditor();
  return useQuery({
    queryKey: keys.credentials('usable', teamId),
    queryFn: async () =>
      (await api.userCredentials.list({ team_id: teamId, per_page: PAGE })).user_credentials,
  });
}

interface Imported {
  action: ImportedAction;
  needed: readonly NeededCredential[];
  /** By the names in the options. */
  choices: ReadonlyMap<string, CredentialChoice>;
}

/** Returns what creates the credentials that a person has chosen to create, and gives the action that refers to them. */
export function useFinishImport(language: StoryLanguage, onDone: (action: ImportedAction) => void) {
  const { teamId } = useEditor();
  /** What exists by now: a second attempt after a failure must not create it again. */
  const created = useRef(new Set<string>());
  return useChange(
    async ({ action, needed, choices }: Imported): Promise<ImportedAction> => {
      const names = new Map<string, string>();
      for (const { name, body, setting } of needed) {
        const choice = choices.get(name);
        if (choice === undefined || choice.kind === 'later') continue;
        names.set(name, choice.name);
        if (choice.kind === 'use' || setting === undefined || created.current.has(choice.name)) continue;
        await api.userCredentials.create({
          ...body,
          name: choice.name,
          team_id: teamId,
          [setting]: choice.secret,
        });
        created.current.add(choice.name);
      }
      return { name: action.name, options: withCredentialNames(action.options, names, language) };
    },
    { old: ['credentials', 'names', 'lacked'], onDone },
  );
}
