import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { serverFragments, serverMessages } from './server-messages.ts'
import { loadTranslate } from './translate-failure.ts'

/** The sources of what the server sends, without tests. */
const sources = globSync('{contract,media,platform,server}/src/**/*.ts', { exclude: ['**/*.test.ts'] }).map(
  (path) => ({
    path,
    text: readFileSync(path, 'utf8').replaceAll("\\'", "'"),
  }),
)

// Words such as "Name" are the same in others; `npm run check` finds missing translations of all.
it.each(['ar', 'ja', 'zh-CN'] as const)('has every message of the server in %s', async (language) => {
  const translate = await loadTranslate(language)
  const sent = serverMessages.map(({ message = '' }) => message.replaceAll(/\{\w+\}/g, '7'))
  expect(sent.filter((text) => translate(text) === text)).toEqual([])
})

it('translates neither what people wrote, nor as a message what only fills one', async () => {
  const translate = await loadTranslate('de')
  expect(translate('Comment is required')).toBe('Kommentar ist erforderlich')
  expect(translate('There is no account named Comment. Check the spelling.')).toMatch(/Comment/)
  for (const text of ['Comment', '3 videos']) expect(translate(text)).toBe(text)
})

it('knows only messages that the server sends', () => {
  const code = sources.map(({ text }) => text).join('\n')
  const templates = [...code.matchAll(/`([^`\n]{12,})`/g)].map(([, template = '']) => {
    const texts = template
      .split(/\$\{[^{}]*\}/)
      .map((text) => text.replaceAll(/[^\p{L}\d ]/gu, String.raw`\$&`))
    return new RegExp(`^${texts.join('.+')}$`)
  })
  const isSent = (message: string) =>
    literalParts(message).every((text) => code.includes(text)) ||
    templates.some((template) => template.test(message))
  const known = [...serverMessages, ...serverFragments].map(({ message = '' }) => message)
  expect(known.filter((message) => !isSent(message))).toEqual([])
})

/** The texts of a message between its placeholders, from their first letter to their last. */
const literalParts = (message: string) =>
  message.split(/\{\w+\}/).map((text) => text.replaceAll(/^\P{L}+|\P{L}+$/gu, ''))
