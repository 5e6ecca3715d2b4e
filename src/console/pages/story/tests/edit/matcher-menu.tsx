import { Asterisk } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { JsonFieldHandle } from '../../../../inspector/text-field/json-field.js';
import { Button } from '../../../../ui/form/button.js';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../../../ui/overlay/menu.js';
import { MATCHERS, matcherText, type OfferedMatcher, TYPE_MATCHERS } from './matchers.js';
import { readJson } from './read-json.js';

/** The most characters of a value in the menu. */
const SHOWN = 40;

interface MatcherMenuProps {
  /** The name of the field. */
  label: string;
  field: RefObject<JsonFieldHandle | null>;
}

/** Puts a matcher in the place of the value at the cursor. */
export function MatcherMenu({ label, field }: MatcherMenuProps) {
  const [text, setText] = useState<string>();
  const put = (matcher: OfferedMatcher) => {
    const { value = null } = text === undefined ? {} : readJson(text);
    field.current?.putValue(matcherText(matcher, value));
  };
  return (
    <Menu
      button={
        <Button look="quiet" aria-label={`Put a matcher into ${label}`}>
          <Asterisk aria-hidden="true" /> Matcher
        </Button>
      }
      onOpen={(isOpen) => isOpen && setText(field.current?.valueText())}
      onClosed={(event) => {
        event.preventDefault();
        field.current?.focus();
      }}
    >
      <MenuLabel>
        {text === undefined ? 'At the cursor' : <>In place of {shortened(text.replaceAll(/\s+/g, ' '))}</>}
      </MenuLabel>
      {MATCHERS.map((matcher) => (
        <MenuItem key={matcher.name} onSelect={() => put(matcher)}>
          {matcher.name}
        </MenuItem>
      ))}
      <MenuLine />
      {TYPE_MATCHERS.map((matcher) => (
        <MenuItem key={matcher.name} onSelect={() => put(matcher)}>
          {matcher.name}
        </MenuItem>
      ))}
    </Menu>
  );
}

const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
