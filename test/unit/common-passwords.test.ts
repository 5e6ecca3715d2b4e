import { isCommonPassword } from '../../src/people/passwords/common-passwords.js';
import { PASSWORD } from '../support/people.js';

const EMAIL = 'ada.lovelace@engines.example';

it.each([
  'passwordpassword',
  'Password!Password!',
  'p@ssw0rdp@ssw0rd',
  'password1234',
  'Passwort2026!',
  'fabulafabula',
  'Fabula-2026!!',
  'welcome12345',
  'Sommer2026!!',
  'qwertyuiop12',
  '1qaz2wsx3edc',
  '123456789012',
  '210987654321',
  'abcdefghijkl',
  'aaaaaaaaaaaa',
  'ababababababab',
  'xk7qxk7qxk7q',
  'letmeinletmein',
  'iloveyou1234',
  'administrator1',
  'ada.lovelace@engines.example',
  'Lovelace.Ada.1',
  'engines-ada-2024',
  '............',
])('S17: %s is easily guessed', (password) => {
  expect(isCommonPassword(password, EMAIL)).toBe(true);
});

it.each([
  PASSWORD,
  'a quite new password',
  'another password',
  'x7#Kq9!mZ2$w',
  '839 201 748 362',
  'Würfel Tisch Anker',
  '正確な馬のバッテリーの針です',
  'tr7-bicycle-moss',
])('S17: %s is not', (password) => {
  expect(isCommonPassword(password, EMAIL)).toBe(false);
});
