import { expect, it } from 'vitest'
import { checkUpload, describeOwnQuota, describeQuota, textErrors } from './rules.ts'
import { publicationFormOf } from './transfer/upload-draft.ts'

const video = new File(['v'], 'clip.mp4', { type: 'video/mp4' })
const thumbnail = new File(['t'], 'still.png', { type: 'image/png' })
const form = {
  title: ' A plane, a plank ',
  description: 'And a Sunday',
  keepsMetadata: false,
  visibility: 'public' as const,
  video,
  thumbnail,
}

it('a complete form becomes a draft with trimmed texts', async () => {
  expect(await checkUpload(form)).toEqual({ draft: { ...form, title: 'A plane, a plank' } })
})

it.each([
  [{ ...form, title: '  ' }, { title: 'Title is required' }],
  [{ ...form, title: 'x'.repeat(201) }, { title: 'Title may have at most 200 characters' }],
  [{ ...form, description: '' }, { description: 'Description is required' }],
  [{ ...form, video: undefined }, { video: 'Video is required' }],
  [{ ...form, thumbnail: undefined }, { thumbnail: 'Thumbnail is required' }],
  [{ ...form, video: thumbnail }, { video: 'Invalid file type. Only MP4, WebM, and Ogg are allowed.' }],
  [
    { ...form, thumbnail: new File([new Uint8Array(20 * 1024 ** 2 + 1)], 'a.png', { type: 'image/png' }) },
    { thumbnail: 'The file is too large: at most 20 MB' },
  ],
  [{ ...form, thumbnail: video }, { thumbnail: 'Invalid file type. Only JPEG, PNG are allowed.' }],
])('each missing or wrong field is named', async (wrong, errors) => {
  expect(await checkUpload(wrong)).toEqual({ errors })
})

it('a description may be empty in the studio, but not too long', () => {
  const check = (description: string) =>
    textErrors({ title: 'A plank', description }, { isDescriptionRequired: false })
  expect(check('')).toEqual({})
  expect(Object.keys(check('x'.repeat(100_000)))).toEqual(['description'])
})

it('reports all errors at once', async () => {
  const { errors } = await checkUpload({
    ...form,
    title: '',
    description: '',
    video: undefined,
    thumbnail: undefined,
  })
  expect(Object.keys(errors ?? {})).toEqual(['title', 'description', 'video', 'thumbnail'])
})

it('sends a visibility only when the video is not public', () => {
  expect(publicationFormOf(form).has('visibility')).toBe(false)
  expect(publicationFormOf({ ...form, visibility: 'private' }).get('visibility')).toBe('private')
})

it('keeps metadata only if the box is checked', () => {
  const texts = { ...form, title: 'A plank' }
  expect(publicationFormOf({ ...texts, keepsMetadata: true }).get('keepMetadata')).toBe('true')
  expect(publicationFormOf({ ...texts, keepsMetadata: false }).has('keepMetadata')).toBe(false)
})

it('formats the quota of an account, and returns nothing without one', () => {
  const unlimited = {
    quotaBytes: null,
    quotaVideos: null,
    quotaHours: null,
    quotaDailyBytes: null,
    quotaVideoMinutes: null,
  }
  expect(describeQuota({ ...unlimited, quotaDailyBytes: 2e9, quotaVideoMinutes: 1 })).toBe(
    'Each account may upload 2.00 GB within 24 hours. A video may be up to 1 minute long.',
  )
  expect(describeQuota(unlimited)).toBeUndefined()
  expect(describeQuota({ ...unlimited, quotaBytes: 500e9, quotaVideos: 100, quotaHours: 1 })).toBe(
    'Each account may publish 100 videos, 1 hour, and 500 GB in total.',
  )
})

it('formats what one account may publish and has used, of what is limited', () => {
  const used = {
    usedBytes: 1.42e9,
    usedVideos: 1,
    usedHours: 0.26,
    quotaDailyBytes: null,
    quotaVideoMinutes: null,
    usedDailyBytes: 1.5e9,
    dailyBytesFreeAt: null,
  }
  const own = { quotaBytes: 500e9, quotaVideos: 0, quotaHours: null, ...used }
  expect(describeOwnQuota(own)).toBe(
    'You may publish 0 videos and 500 GB in total. You have published 1 video and 1.42 GB.',
  )
  const unlimited = { ...own, quotaBytes: null, quotaVideos: null }
  expect(describeOwnQuota(unlimited)).toBeUndefined()
  const daily = { ...unlimited, quotaDailyBytes: 2e9, quotaVideoMinutes: 10 }
  expect(describeOwnQuota(daily)).toBe(
    'You may upload 2.00 GB within 24 hours: 500 MB left. A video may be up to 10 minutes long.',
  )
  const dailyBytesFreeAt = '2026-05-04T07:15:00.000Z'
  expect(describeOwnQuota({ ...daily, quotaDailyBytes: 1e9, dailyBytesFreeAt })).toMatch(
    /: 0 bytes left, more from \w+,? \d\d:\d\d\. A video/,
  )
})
