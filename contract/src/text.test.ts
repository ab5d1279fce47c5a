import fastCheck from 'fast-check'
import { expect, test } from 'vitest'
import { hasVisibleText } from './characters.ts'
import { Email, optionalLine, optionalText, Password, requiredLine, requiredText, Username } from './text.ts'
import { maxLength } from './constants.ts'

const anyText = fastCheck.string({ unit: 'binary', maxLength: 400 })
const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

test('a required text is trimmed, non-empty and storable, or rejected', () => {
  const Title = requiredText('Title', 'titleMaxCharacters')
  fastCheck.assert(
    fastCheck.property(anyText, (text) => {
      const trimmed = text.trim()
      const fits = hasVisibleText(trimmed) && !text.includes('\0')
      expect(Title.safeParse(text).data).toBe(fits ? trimmed : undefined)
    }),
  )
})

test('an optional text that is empty or white space counts as undefined', () => {
  const Name = optionalText('Name', 'nameMaxCharacters')
  fastCheck.assert(
    fastCheck.property(fastCheck.stringMatching(/^[ \t\n]{0,20}$/), (blank) => {
      expect(Name.parse(blank)).toBeUndefined()
    }),
  )
  expect(Name.parse(undefined)).toBeUndefined()
  expect(Name.parse(null)).toBeUndefined()
  expect(Name.parse(' a ')).toBe('a')
})

test.each(['\u200b', ' \u202e\u200d\t', '\u0007', '\u3164', '\ufeff \u2060'])(
  'a text without visible characters counts as missing: %j',
  (blank) => {
    expect(requiredText('Title', 'titleMaxCharacters').safeParse(blank).error?.issues).toMatchObject([
      { message: 'Title is required' },
    ])
    expect(optionalText('Title', 'titleMaxCharacters').parse(blank)).toBeUndefined()
  },
)

test('a single-line text has no breaks and tabs, a multi-line text keeps them', () => {
  for (const schema of [requiredLine, optionalLine]) {
    expect(schema('Title', 'titleMaxCharacters').parse(' one\r\ntwo\tthree\u2028four  five\n')).toBe(
      'one two three four  five',
    )
  }
  expect(requiredText('Comment', 'commentMaxCharacters').parse('one\n\ttwo')).toBe('one\n\ttwo')
})

test.each(['\ud83d', 'a\udc00b', '\udc00\ud83d'])('lone surrogates are rejected: %j', (broken) => {
  for (const text of [requiredText, optionalText, requiredLine, optionalLine])
    expect(accepts(text('Title', 'titleMaxCharacters'), `x ${broken}`)).toBe(false)
  expect(accepts(Password, `password ${broken}`)).toBe(false)
})

test.each([
  [5, 'must be text'],
  [['x'], 'must be text'],
  [undefined, 'is required'],
  [null, 'is required'],
])('a required text that is %j %s', (value, complaint) => {
  expect(requiredText('Title', 'titleMaxCharacters').safeParse(value).error?.issues).toMatchObject([
    { message: `Title ${complaint}` },
  ])
  expect(Password.safeParse(value).error?.issues).toMatchObject([{ message: `Password ${complaint}` }])
})

test('names and titles lose bidirectional controls, and have plain spaces only', () => {
  for (const schema of [requiredLine, optionalLine]) {
    const parse = (text: string) => schema('Title', 'titleMaxCharacters').parse(text)
    expect(parse('\u202egpj.exe\u202c \u2066x\u2069')).toBe('gpj.exe x')
    expect(parse('Ada\u00a0\u2003Love\u200blace\u3164\u3000')).toBe('Ada  Lovelace')
    // zero-width joiners are needed for emoji and Persian words
    expect(parse('👨\u200d👩\u200d👧 می\u200cخواهم')).toBe('👨\u200d👩\u200d👧 می\u200cخواهم')
  }
})

test('invisible characters within a multi-line text are kept', () => {
  const family = '👨\u200d👩\u200d👧 \u202bשלום\u202c'
  expect(requiredText('Title', 'titleMaxCharacters').parse(family)).toBe(family)
})

test('the length of a password is counted in Unicode code points', () => {
  expect(accepts(Password, '😀'.repeat(maxLength.password))).toBe(true)
  expect(accepts(Password, '😀'.repeat(maxLength.password + 1))).toBe(false)
})

test.each([
  ['a@b', true],
  [' a@b ', true],
  ['a@b@c', true],
  ['ä@ö.example', true],
  ['"quoted"@example.org', true],
  ['abc', false],
  ['a b@c', false],
  ['a@b c', false],
  ['@b', false],
  ['a@', false],
  ['', false],
  [`${'x'.repeat(300)}@b`, false],
])('the email %s: %s', (email, isFine) => {
  expect(accepts(Email, email)).toBe(isFine)
})

test('a username consists of letters and digits only', () => {
  fastCheck.assert(
    fastCheck.property(anyText, (text) => {
      const trimmed = text.trim()
      expect(accepts(Username, text)).toBe(/^[A-Za-z0-9]+$/.test(trimmed))
    }),
  )
})

test('a password is never trimmed or normalized', () => {
  fastCheck.assert(
    fastCheck.property(anyText, (text) => {
      const fits = text.length > 0 && Array.from(text).length <= maxLength.password && !text.includes('\0')
      expect(Password.safeParse(text).data).toBe(fits ? text : undefined)
    }),
  )
})

test('values other than strings are rejected', () => {
  fastCheck.assert(
    fastCheck.property(
      fastCheck.anything().filter((value) => typeof value !== 'string'),
      (value) => {
        for (const schema of [Email, Username, Password, requiredText('Title', 'titleMaxCharacters')]) {
          expect(accepts(schema, value)).toBe(false)
        }
      },
    ),
  )
})
