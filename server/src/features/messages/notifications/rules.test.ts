import { notificationKinds } from '@kinora/contract/constants.ts'
import { languageTags } from '@kinora/contract/languages.ts'
import type { Notification } from '@kinora/contract/messages/notifications.ts'
import { expect, it } from 'vitest'
import { loadI18n } from '../../../context/i18n.ts'
import { textOf } from './rules.ts'

const notification: Notification = {
  _id: '1',
  kind: 'video',
  isRead: false,
  createdAt: '2026-11-01T12:00:00Z',
  actor: { username: 'ada', fullname: 'Ada', avatar: '' },
  actorsCount: 1,
  video: { _id: '2', title: 'Harbour', thumbnail: '', processing: 'ready' },
  comment: null,
  report: null,
  device: null,
}

it.each(languageTags)('has a text for every kind in %s', async (language) => {
  const [i18n, english] = [await loadI18n(language), await loadI18n('en')]
  for (const kind of notificationKinds) {
    const text = textOf(i18n, { ...notification, kind })
    expect(text, kind).not.toMatch(/[{}]/)
    const isEnglish = text === textOf(english, { ...notification, kind })
    expect(isEnglish, kind).toBe(language === 'en')
  }
})

it('counts new subscribers in the plural forms of the language', async () => {
  const texts = async (language: string) => {
    const i18n = await loadI18n(language)
    return [2, 3, 11, 100].map((actorsCount) =>
      textOf(i18n, { ...notification, kind: 'subscriber', actorsCount }),
    )
  }
  expect(await texts('en')).toEqual([2, 3, 11, 100].map((count) => `You have ${count} new subscribers`))
  expect(await texts('ar')).toEqual([
    'لديك مشتركان جديدان',
    'لديك 3 مشتركين جدد',
    'لديك 11 مشتركًا جديدًا',
    'لديك 100 مشترك جديد',
  ])
})

it('names what moderators decided about', async () => {
  const i18n = await loadI18n('de')
  const report = { _id: '3', title: '', decision: 'remove', note: '' } as const
  const decided = (kind: 'comment' | 'channel') =>
    textOf(i18n, { ...notification, kind: 'moderation', report: { ...report, kind } })
  expect(decided('comment')).toBe('Die Moderation hat über deinen Kommentar entschieden')
  expect(decided('channel')).toBe('Die Moderation hat über deinen Kanal entschieden')
})
