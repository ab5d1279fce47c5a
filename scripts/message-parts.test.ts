import { expect, test } from 'vitest'
import { entriesOf, problemOf } from './message-parts.ts'

const problem = (source: string, translation: string, language = 'de') =>
  problemOf({ source, translation }, language)

test('reads the entries of a catalog, also those of several lines', () => {
  const po = [
    'msgid ""\nmsgstr ""\n"Language: de\\n"',
    '#: src/a.tsx\nmsgctxt "button"\nmsgid "Say \\"Hi\\""\nmsgstr "Sag „Hi“"',
    'msgid "one\\n"\n"two"\nmsgstr "eins\\n"\n"zwei"',
  ].join('\n\n')
  expect(entriesOf(po)).toEqual([
    { source: 'Say "Hi"', translation: 'Sag „Hi“' },
    { source: 'one\ntwo', translation: 'eins\nzwei' },
  ])
})

test('accepts another order of placeholders and tags', () => {
  expect(problem('{a} of {b} <0>now</0>', '<0>Jetzt</0> {b}: {a}')).toBeUndefined()
})

test('reports placeholders and tags that were lost, invented or misspelt', () => {
  expect(problem('{name} is here', 'Ist da')).toBe('{name} is missing')
  expect(problem('Here', '{name} ist da')).toBe('{name} is not in the source')
  expect(problem('<0>Log in</0> now', 'Jetzt <0>anmelden')).toBe('</0> is missing')
  expect(problem('{0} files', '{O} Dateien')).toBe('{0} is missing')
})

test('accepts plural forms without the number, but not a plural without it', () => {
  const source = '{n, plural, one {{shown} view} other {{shown} views}}'
  const views = (forms: string) => problem(source, `{n, plural, ${forms}}`, 'ar')
  expect(views('one {مشاهدة} two {مشاهدتان} few {{shown} مشاهدات} other {{shown} مشاهدة}')).toBeUndefined()
  expect(views('one {مشاهدة} other {مشاهدات}')).toBe('{shown} is missing')
})

test('accepts a choice of words by the value of a placeholder', () => {
  expect(
    problem('The {kind} stays', '{kind, select, video {Das Video} other {{kind}}} bleibt'),
  ).toBeUndefined()
  expect(problem('{0} selected', '{0, plural, one {# gewählt} other {# gewählt}}')).toBeUndefined()
})

test('reports syntax, and plural forms that the language does not have', () => {
  expect(problem('{n}', '{n')).toContain('Unexpected message end')
  expect(problem('{n, plural, one {#} other {#}}', '{n, plural, few {#} other {#}}')).toContain('few')
})
