import { expect, test } from 'vitest'
import { languageName, languageTag } from './language.ts'

test.each([
  ['ger', 'de', 'German'],
  ['pt-br', 'pt-BR', 'Brazilian Portuguese'],
  ['zh-hant', 'zh-Hant', 'Traditional Chinese'],
  // valid tags whose extensions `Intl.DisplayNames` refuses
  ['de-x-abcdefg', 'de', 'German'],
  ['en-u-ca-budd', 'en', 'English'],
])('%s becomes %s, %s', (stated, tag, name) => {
  expect([languageTag(stated), languageName(stated)]).toEqual([tag, name])
})

test.each([[null], [''], ['und'], ['en-1'], ['en-a-a-a-a-a'], ['x'], ['e\u0000n'], ['en"'], ['abcdefgh']])(
  '%j is no language tag',
  (stated) => {
    expect([languageTag(stated), languageName(stated)]).toEqual([null, null])
  },
)
