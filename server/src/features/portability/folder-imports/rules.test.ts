import { expect, test } from 'vitest'
import { itemsOf, parseInfo, titleOf } from './rules.ts'

test('finds videos, and beside each its picture, texts and captions', () => {
  const names = [
    'tide.de.srt',
    'tide.en.vtt',
    'tide.info.json',
    'tide.jpg',
    'tide.mp4',
    'tide.notes.txt',
    'tide.srt',
    'tides.de.srt',
    'readme.txt',
    'Second.MKV',
  ]
  expect(itemsOf(names)).toEqual([
    {
      video: 'tide.mp4',
      picture: 'tide.jpg',
      info: 'tide.info.json',
      captions: [
        { file: 'tide.de.srt', language: 'de' },
        { file: 'tide.en.vtt', language: 'en' },
        { file: 'tide.srt', language: 'und' },
      ],
    },
    { video: 'Second.MKV', picture: undefined, info: undefined, captions: [] },
  ])
})

test.each([
  ['Night train to Tbilisi [dQw4w9WgXcQ].mp4', 'Night train to Tbilisi'],
  ['2019_summer_by_the_sea.mov', '2019 summer by the sea'],
  ['Lesson 3. Fractions.mp4', 'Lesson 3. Fractions'],
  ['.mp4', '.mp4'],
])('the title of %s', (name, title) => {
  expect(titleOf(name)).toBe(title)
})

test('reads what a downloader has written, and leaves out what does not fit', () => {
  const json = JSON.stringify({
    title: 'Tide',
    description: 'At sea',
    upload_date: '20260503',
    tags: ['sea'],
  })
  expect(parseInfo(json)).toEqual({
    title: 'Tide',
    description: 'At sea',
    publishedAt: new Date('2026-05-03T00:00:00Z'),
    tags: ['sea'],
  })
  expect(parseInfo('{"title":7,"upload_date":"yesterday","tags":"sea"}')).toEqual({ tags: [] })
  expect(parseInfo('{"upload_date":"20269999"}')).toEqual({ tags: [] })
  expect(parseInfo('no JSON')).toEqual({ tags: [] })
})
