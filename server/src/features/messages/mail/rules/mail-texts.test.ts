import { languageTags } from '@kinora/contract/languages.ts'
import { expect, it } from 'vitest'
import { loadI18n } from '../../../../context/i18n.ts'
import { type MailKind, mailKinds } from './mail-kinds.ts'
import { writeMail } from './mail-texts.ts'

const write = async (
  kind: MailKind,
  fields: { language?: string; siteName?: string; origin?: string } = {},
) =>
  writeMail(kind, {
    i18n: await loadI18n(fields.language ?? 'en'),
    origin: 'https://example.org',
    siteName: 'Kinora',
    username: 'ada',
    device: 'Firefox on Linux',
    deletesAt: new Date('2026-12-24T12:00:00Z'),
    code: 'abc',
    ...fields,
  })

it('escapes the name of the site in HTML', async () => {
  const { html } = await write('password_reset', { siteName: 'Tom & <b>Ada</b>' })
  expect(html).toContain('Tom &amp; &lt;b&gt;Ada&lt;/b&gt;')
})

it('keeps what looks like a placeholder or an escape in the name of the site', async () => {
  const siteName = String.raw`{username} ' # \x41 <b>`
  for (const language of ['en', 'de'])
    expect((await write('password_reset', { language, siteName })).subject).toContain(siteName)
})

it('keeps the path of a public address in links', async () => {
  const { text } = await write('password_reset', { origin: 'https://example.org/' })
  expect(text).toContain('https://example.org/reset-password#abc')
})

it.each(languageTags)('fills every mail in %s', async (language) => {
  for (const kind of mailKinds) {
    const [mail, english] = [await write(kind, { language }), await write(kind)]
    expect(`${mail.subject} ${mail.text}`, kind).not.toMatch(/[{}]/)
    expect(mail.text.split('\n').length, kind).toBe(english.text.split('\n').length)
    expect(mail.subject === english.subject, kind).toBe(language === 'en')
    expect(mail.html).toMatch(`<div lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">\n`)
  }
})

it('writes dates and numbers as the language does', async () => {
  const textOf = async (kind: MailKind, language: string) => (await write(kind, { language })).text
  expect(await textOf('account_leaving', 'en')).toContain('It is removed for good on 24 December 2026. Until')
  expect(await textOf('account_leaving', 'de')).toContain('Am 24. Dezember 2026 wird es endgültig entfernt.')
  expect(await textOf('password_reset', 'en')).toContain('The link works once, for 30 minutes. If')
  expect(await textOf('password_reset', 'ar')).toContain('30 دقيقة')
})
