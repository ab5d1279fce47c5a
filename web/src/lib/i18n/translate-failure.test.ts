import { globSync, readFileSync } from 'node:fs'
import { ApiError } from '@kinora/contract/client.ts'
import { expect, it } from 'vitest'
import { serverFragments, serverMessages } from './server-messages.ts'
import { loadTranslate, translateFailure } from './translate-failure.ts'

/** The sources of what the server sends, without tests. */
const sources = globSync('{contract,media,platform,server}/src/**/*.ts', { exclude: ['**/*.test.ts'] }).map(
  (path) => ({
    path,
    text: readFileSync(path, 'utf8').replaceAll("\\'", "'"),
  }),
)

/** Features of administrators, and those whose messages reach no page. */
const otherFeatures =
  /features\/(accounts\/invitations|operations\/(administration|backups|moderation|people|setup|site)|videos\/playback|watching\/(feeds|pages))\//

/** Messages for moderators, and for programs whose requests are wrong. */
const otherMessages =
  /^Send |^7\.|API token is|another moderator|decide the new report|events of the site|its owner has made|Upload-Metadata|percent-encoding|^Registrations on|confirms no addresses/i

// Words such as "Name" are the same in others; `npm run check` finds missing translations of all.
it.each(['ar', 'ja', 'zh-CN'] as const)('has every message of the server in %s', async (language) => {
  const translate = await loadTranslate(language)
  const sent = serverMessages.map(({ message = '' }) => message.replaceAll(/\{\w+\}/g, '7'))
  expect(sent.filter((text) => translate(text) === text)).toEqual([])
})

it('translates messages with what fills them, and those of fields', async () => {
  const sent = new ApiError(
    429,
    'New accounts can write 20 comments in 24 hours. Try again in 5 hours. The limit grows, and ends 1 day after you registered.',
    'too_many_requests',
    [{ path: 'content', message: 'Comment may have at most 5,000 characters' }],
  )
  const failure = await translateFailure(sent, 'de')
  expect(failure.message).toBe(
    'Neue Konten können in 24 Stunden 20 Kommentare schreiben. Versuch es in 5 Stunden noch einmal. Die Grenze wächst und endet 1 Tag nach deiner Registrierung.',
  )
  expect(failure.errors).toEqual([
    { path: 'content', message: 'Kommentar darf höchstens 5.000 Zeichen haben' },
  ])
  expect([failure.status, failure.code]).toEqual([429, 'too_many_requests'])
})

it('translates neither what people wrote, nor as a message what only fills one', async () => {
  const translate = await loadTranslate('de')
  expect(translate('Comment is required')).toBe('Kommentar ist erforderlich')
  expect(translate('There is no account named Comment. Check the spelling.')).toMatch(/Comment/)
  for (const text of ['Comment', '3 videos']) expect(translate(text)).toBe(text)
})

it('keeps messages that it does not know as they were sent', async () => {
  const sent = new ApiError(409, 'The moon is full', 'conflict', [{ path: 'moon', message: 'Full' }])
  expect(await translateFailure(sent, 'de')).toEqual(sent)
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

it('knows every message that a feature for members throws', async () => {
  const translate = await loadTranslate('ja')
  const thrown = sources
    .filter(({ path }) => path.includes('/features/') && !otherFeatures.test(path))
    .flatMap(({ text }) => [...text.matchAll(/new AppError\(\s*'\w+',\s*(?:'([^'\n]+)'|`([^`\n]+)`)/g)])
    .map(([, literal, template = '']) => literal ?? filled(template))
    .filter((text) => !otherMessages.test(text))
  expect(thrown.length).toBeGreaterThan(100)
  expect(thrown.filter((text) => translate(text) === text)).toEqual([])
})

it('knows every reason in the report of an import', async () => {
  const translate = await loadTranslate('ja')
  const texts = sources
    .filter(({ path }) => path.includes('/account-imports/'))
    .flatMap(({ text }) => [
      ...text.matchAll(/(?:'([A-Z][^'\n]* [a-z][^'\n]*)'|`([A-Z][^`\n]* [a-z][^`\n]*)`)/g),
    ])
    .map(([, literal, template = '']) => literal ?? filled(template))
  expect(texts.length).toBeGreaterThan(15)
  expect(texts.filter((text) => translate(text) === text)).toEqual([])
})

/** A template with some value for what it inserts. */
const filled = (template: string) => template.replaceAll('${kind}', 'video').replaceAll(/\$\{[^{}]*\}/g, '7')

/** The texts of a message between its placeholders, from their first letter to their last. */
const literalParts = (message: string) =>
  message.split(/\{\w+\}/).map((text) => text.replaceAll(/^\P{L}+|\P{L}+$/gu, ''))
