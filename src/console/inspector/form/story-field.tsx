import type { Path } from '../../story-model/value-in.js';
import { slugOf } from '../../text/action-slug.js';
import { nameReference } from '../../text/name-reference.js';
import { Select } from '../../ui/form/field.js';
import type { TemplateLanguage } from '../template-field/template-syntax.js';
import { useFields } from './field-context.js';

/** Returns the reference to a story that the option has: `<<STORY.look_up>>`, in Liquid `{% story Look up %}`. */
export function storyReference(name: string, language: TemplateLanguage): string {
  return language === 'liquid' ? `{% story ${name} %}` : nameReference('STORY', slugOf(name), language);
}

const plain = (text: string) => text.replace(/\s+/g, '');

/** Returns which of these stories a text refers to; undefined for none, and for any other template. */
export function referredStory(text: string, stories: readonly string[]): string | undefined {
  const named = /^\{%\s*story\s+(.*?)\s*%\}$/.exec(text.trim())?.[1];
  return stories.find(
    (name) =>
      name === named ||
      plain(text) === plain(nameReference('STORY', slugOf(name), 'formula')) ||
      plain(text) === plain(nameReference('STORY', slugOf(name), 'liquid')),
  );
}

/** The choice of the story that is called. */
export function StoryField({ label, text, path }: { label: string; text: string; path: Path }) {
  const { knowledge, isReadOnly, onChange } = useFields();
  const { stories, language } = knowledge;
  return (
    <Select
      aria-label={label}
      value={referredStory(text, stories) ?? ''}
      disabled={isReadOnly}
      onChange={({ target }) =>
        onChange(path, target.value === '' ? '' : storyReference(target.value, language))
      }
    >
      <option value="">a template…</option>
      {stories.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}
