import {
  findMoments,
  type SearchFilters,
  searchVideos,
  suggestSearches,
  summarizeSearch,
} from '@kinora/contract/watching/search.ts'
import { updateDetails } from '@kinora/contract/accounts/emails.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { updateVideo } from '@kinora/contract/videos/videos.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertCaptions, updateCaptions } from '../../videos/captions/queries.ts'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { recountVocabulary } from './jobs.ts'
import { chooseProminent } from './queries/prominence.ts'
import { recountWords } from './queries/vocabulary.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site, { fullname: 'Renée Ødegård', username: 'reneechannel' })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('videos').execute()
  await recountWords(site.db)
})

/** Adds a video newer than all others. */
const add = async (title: string, description = '') => {
  await nextMillisecond()
  return addVideo(site, owner.user._id, { title, description })
}
const titles = async (term: string) =>
  (await site.client().call(searchVideos, { params: { term } })).items.map((video) => video.title)

describe('matches', () => {
  test.each([
    ['a word of the title', 'mountain'],
    ['any shared word', 'a completely different mountain'],
    ['another case', 'MOUNTAIN sUnRiSe'],
    ['missing accents', 'uber'],
    ['added accents', 'mòuntaîn'],
    ['a swapped pair of letters', 'mountian'],
    ['a letter too few', 'mountan'],
    ['a letter too many', 'moountain'],
    ['a wrong letter', 'mountaim'],
    ['two mistakes in a long word', 'mounttian'],
    ['the beginning of a word', 'moun'],
    ['an inner part of a word', 'unta'],
    ['the end of a word', 'rise'],
    ['an inner part, beside another word', 'unta elsewhere'],
    ['the plural', 'mountains'],
    ['the plural, followed by something else', 'mountains elsewhere'],
    ['the singular of a word', 'wolke woanders'],
    ['the singular of a word in y', 'cities elsewhere'],
    ['a word of the description', 'tripod'],
    ["the owner's name without accents", 'renee odegard'],
    ["the owner's username", 'reneechannel'],
    ['white space around', '  mountain   '],
    ['a number', '2026'],
    ['a word of another script', 'ГОРА'],
    ['part of a text without spaces', '東京'],
    ['one letter of a text without spaces', '京'],
  ])('%s', async (_, term) => {
    await add('Mountain sunrise über den Wolken 2026: гора, 東京タワー', 'Filmed with a tripod in a city.')
    expect(await titles(term)).toHaveLength(1)
    const other = await signUp(site)
    await addVideo(site, other.user._id, { title: 'Unlike anything' })
    expect(await titles(term)).toHaveLength(1)
  })

  test.each([
    ['ภาษา', 'สนุกกับการเรียนภาษาไทยด้วยเพลง'],
    ['ที่นี่', 'พักผ่อนที่นี่วันหยุด'],
    ['ไป', 'นั่งรถไฟไปเชียงใหม่'],
    // in another order, without a space
    ['ภาษาเรียน', 'สนุกกับการเรียนภาษาไทยด้วยเพลง'],
    ['เชียงใหม่', `${'นั่งรถไฟ'.repeat(14)}เชียงใหม่`],
    ['夜景', '大阪の夜景を歩く'],
    ['時々', '雨時々晴れ'],
    ['nodejs', 'Node.js streams'],
    ['node.js', 'Testing NodeJS code'],
    ['wifi', 'A Wi-Fi test'],
    ['wi-fi', 'WiFi explained'],
    ['node js', 'Testing NodeJS code'],
    ['fix', 'Fixing a bike'],
    ['baking', 'How to bake bread'],
    ['use', 'Using a lathe'],
    ['שלום', 'שָׁלוֹם עולם'],
    ['שָׁלוֹם', 'שלום עולם'],
    ['مرحبا', 'مَرْحَبًا بالعالم'],
    ['ܫܠܡܐ', 'ܫܠܵܡܵܐ'],
    ['हिन्दी', 'सरल हिन्दी गीत'],
  ])('%s finds "%s"', async (term, title) => {
    await add(title)
    await add('Unlike anything')
    expect(await titles(term)).toEqual([title])
    await recountWords(site.db)
    expect(await titles(term)).toEqual([title])
  })

  test('words that differ in a dependent vowel are different', async () => {
    await add('की')
    await add('का')
    expect([await titles('की'), await titles('का')]).toEqual([['की'], ['का']])
  })

  test('finds every text without spaces that contains a word, whether it begins with it or not', async () => {
    await add('ภาษาไทย')
    await add('เรียนภาษา')
    await add('วันหยุด')
    expect((await titles('ภาษา')).toSorted()).toEqual(['ภาษาไทย', 'เรียนภาษา'])
  })

  test('words joined by a hyphen are still found one by one', async () => {
    await add('Rock-climbing in Spain')
    for (const term of ['rock', 'climbing', 'rockclimbing', 'rock climbing', 'rock-climbing']) {
      expect([term, await titles(term)]).toEqual([term, ['Rock-climbing in Spain']])
    }
  })

  test('a word that no video has finds the two words that it consists of', async () => {
    await add('Night train to Lisbon')
    await add('Unlike anything')
    await recountWords(site.db)
    expect(await titles('nighttrain')).toEqual(['Night train to Lisbon'])
  })

  test('a word in -ing is a form of no shorter word without a vowel', async () => {
    await add('One small thing')
    await add('The tide')
    expect([await titles('thing'), await titles('the')]).toEqual([['One small thing'], ['The tide']])
  })

  test('finds titles that consist of very common words', async () => {
    await add('The Who')
    await add('It')
    expect(await titles('the')).toEqual(['The Who'])
    expect(await titles('it')).toEqual(['It'])
  })

  test('two videos with the same title find each other', async () => {
    const [first, second] = [await add('Same title'), await add('Same title')]
    const { items } = await site.client().call(searchVideos, { params: { term: 'Same title' } })
    expect(items.map((video) => video._id)).toEqual([second, first])
  })
})

describe('results are ordered', () => {
  test('by matches in title, then owner, then description', async () => {
    const fan = await signUp(site, { fullname: 'Volcano Club' })
    await add('In the description', 'A volcano.')
    await addVideo(site, fan.user._id, { title: 'In the name' })
    await add('A volcano in the title')
    await add('Without it')
    expect(await titles('volcano')).toEqual(['A volcano in the title', 'In the name', 'In the description'])
  })

  test('by number and rarity of shared words', async () => {
    for (const n of [1, 2, 3, 4, 5]) await add(`Cooking show ${n}`)
    await add('Cooking ramen')
    await add('Ramen')
    await recountWords(site.db)
    expect((await titles('cooking ramen')).slice(0, 2)).toEqual(['Cooking ramen', 'Ramen'])
  })

  test('with the exact word before its completions', async () => {
    await add('Car')
    await add('Carpet')
    expect(await titles('car')).toEqual(['Car', 'Carpet'])
  })
})

describe('videos with the same words are ordered', () => {
  test('by an equal title, then by a title that contains the text', async () => {
    await add('Old paper boat')
    await add('Boat of old paper')
    await add('Paper boat')
    await add('Boat paper')
    expect((await titles('paper boat')).slice(0, 2)).toEqual(['Paper boat', 'Old paper boat'])
    expect((await titles('Boat: PAPER!')).at(0)).toBe('Boat paper')
  })

  test('a little by views', async () => {
    const watched = await add('Tin drum one')
    await add('Tin drum two')
    await add('Drum')
    expect((await titles('tin drum')).slice(0, 2)).toEqual(['Tin drum two', 'Tin drum one'])
    await site.db.updateTable('videos').set({ views: 5000 }).where('id', '=', watched).execute()
    expect(await titles('tin drum')).toEqual(['Tin drum one', 'Tin drum two', 'Drum'])
  })
})

test('a very common word is searched in the newest and in prominent videos', async () => {
  const old = await add('Common old')
  await sql`
    insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width,
      height, source, views)
    select 'many' || n, ${owner.user._id}, 'Common ' || n, '', 'x', 'x', 1, 1, 640, 360, '{}', n
    from generate_series(1, 900) n`.execute(site.db)
  await recountWords(site.db)
  const { items } = await site.client().call(searchVideos, { params: { term: 'common old' } })
  expect(items[0]?._id).toBe(old)
  const common = await site.client().call(searchVideos, { params: { term: 'common' }, query: { limit: 200 } })
  expect(common.items.length).toBe(200)
  // as if no video was chosen as prominent
  await sql`update video_search set is_prominent = false`.execute(site.db)
  const newest = await site.client().call(searchVideos, { params: { term: 'common' }, query: { limit: 200 } })
  expect(newest.items.length).toBe(150)
  expect(await chooseProminent(site.db, 1000)).toBe(901)
  expect(await chooseProminent(site.db, 1000)).toBe(0)
  const { count } = await site.db
    .selectFrom('videoSearch')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('isProminent', '=', true)
    .executeTakeFirstOrThrow()
  expect(count).toBe(901)
})

test('words are recounted and prominent videos chosen every hour, and on a large site once a day, at whatever hour', async () => {
  const id = await add('Salt flats')
  const now = site.clock.now()
  const countAt = async (day: number, hour: number, videosBefore: number) => {
    await sql`update search_vocabulary set videos_count = 7 where word = 'salt'`.execute(site.db)
    await sql`update search_vocabulary set videos_count = ${videosBefore} where word = ''`.execute(site.db)
    await sql`update video_search set is_prominent = false where video_id = ${id}`.execute(site.db)
    site.clock.set(new Date(Date.UTC(2026, 5, day, hour, 37)))
    await recountVocabulary.handle({}, site.context, new AbortController().signal)
    const { rows } = await sql<{ videosCount: number; isProminent: boolean }>`
      select videos_count, is_prominent from search_vocabulary, video_search
      where word = 'salt' and video_id = ${id}`.execute(site.db)
    // the choice is made with the count
    expect(rows[0]?.isProminent).toBe(rows[0]?.videosCount === 1)
    return rows[0]?.videosCount
  }
  try {
    expect(await countAt(1, 12, 100_000)).toBe(1)
    expect(await countAt(1, 13, 100_000)).toBe(1)
    expect(await countAt(1, 14, 100_001)).toBe(7)
    expect(await countAt(2, 12, 100_001)).toBe(7)
    expect(await countAt(2, 13, 100_001)).toBe(1)
    expect(await countAt(2, 14, 100_001)).toBe(7)
    // after days without a worker
    expect(await countAt(5, 22, 100_001)).toBe(1)
  } finally {
    site.clock.set(now)
  }
})

describe('words that a large part of all videos have', () => {
  beforeEach(async () => {
    await addMany(60, 'Common video')
    await add('Old lighthouse in Hanoi')
    await add('Common lighthouse')
    await recountWords(site.db)
  })
  const addMany = async (count: number, title: string) =>
    sql`
      insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width,
        height, source)
      select 'common' || n, ${owner.user._id}, ${title} || ' ' || n, 'There is no other one, not here', 'x', 'x', 1, 1,
        640, 360, '{}'
      from generate_series(1, ${count}::int) n`.execute(site.db)

  test.each(['no such video', 'video that does not exist', 'zzz common', 'common zzz', 'no xyzzy'])(
    'match nothing next to others: %s',
    async (term) => {
      const { status, body } = await site.client().get(`/api/v1/video/search/${encodeURIComponent(term)}`)
      expect([status, body.data, body.nextCursor]).toEqual([200, [], null])
    },
  )

  test.each(['common', 'no', 'common video', 'not here', 'videos', 'comm', 'renee'])(
    'match their videos alone: %s',
    async (term) => {
      expect((await titles(term)).length).toBeGreaterThanOrEqual(60)
    },
  )

  test('leave the results to the other words', async () => {
    expect(await titles('common lighthouses')).toEqual(['Common lighthouse', 'Old lighthouse in Hanoi'])
    expect(await titles('no video of a hanoi')).toEqual(['Old lighthouse in Hanoi'])
    expect(await titles('noi')).toEqual(['Old lighthouse in Hanoi'])
  })

  test('find related videos for a title', async () => {
    const related = await titles('Common video 17')
    expect(related[0]).toBe('Common video 17')
    expect(related.length).toBeGreaterThanOrEqual(60)
    expect(await titles('common VIDEO: 17!')).toEqual(related)
    expect(await titles('Common video 17 of')).toEqual(['Common video 17'])
  })
})

describe('accepts any text', () => {
  test.each([
    '%20',
    '',
    '%25',
    '%00',
    'a%00b',
    "'",
    '"\\',
    encodeURIComponent('!!! ??? …'),
    encodeURIComponent('😀🎬'),
    encodeURIComponent("a' | !b & (c:* <-> d"),
    'a/b//c',
    encodeURIComponent('x'.repeat(2000)),
    encodeURIComponent('東'.repeat(2000)),
    encodeURIComponent('😀'.repeat(2000)),
    encodeURIComponent(Array.from({ length: 400 }, (_, n) => `w${n}`).join(' ')),
  ])('%s', async (term) => {
    const { status, body } = await site.client().get(`/api/v1/video/search/${term}`)
    expect([status, body.data]).toEqual([200, []])
  })

  test.each(['%', '%2', '%zz', 'a%', '100%/b', '%E0%A4%A', '%ED%A0%80', '%FF', '%%41'])(
    'rejects the malformed percent-encoding %s',
    async (term) => {
      await add('100% a')
      for (const path of [`/api/v1/video/search/${term}`, `/api/v1/video/search/${term}?limit=5`]) {
        const { status, body } = await site.client().get(path)
        expect([status, body]).toMatchObject([400, { success: false, code: 'invalid', data: null }])
        expect(body.message).toBe('The search text is not valid percent-encoding. Encode it as UTF-8.')
      }
    },
  )

  test('ignores white space around and between words', async () => {
    await add('Paper   boat')
    await add('Old paper boat')
    const blanks = encodeURIComponent('\u2003 paper\t\n \u00a0boat  ')
    const { body } = await site.client().get(`/api/v1/video/search/${blanks}`)
    expect((body.data as { title: string }[]).map(({ title }) => title)).toEqual([
      'Paper   boat',
      'Old paper boat',
    ])
  })

  test('treats special characters of SQL and search syntax as text', async () => {
    await add('100% a_b "quoted" C:\\path')
    for (const term of ['100%', 'a_b', '"quoted"', 'c:\\path', "quoted' or 1=1", '100/b#x?y&z+w'])
      expect([term, await titles(term)]).toEqual([term, ['100% a_b "quoted" C:\\path']])
  })

  test('finds titles with symbols, newest first', async () => {
    await add('100% a_b "quoted" C:\\path')
    await add('Nothing of it', '100% _ "')
    await add('🎬 ??? 50%')
    for (const [term, expected] of Object.entries({
      '%': ['🎬 ??? 50%', '100% a_b "quoted" C:\\path'],
      ' _ ': ['100% a_b "quoted" C:\\path'],
      '"': ['100% a_b "quoted" C:\\path'],
      '\\': ['100% a_b "quoted" C:\\path'],
      '🎬   ???': ['🎬 ??? 50%'],
      '🎬': ['🎬 ??? 50%'],
      '%%': [],
      '"%': [],
    }))
      expect([term, await titles(term)]).toEqual([term, expected])
    const first = await site.client().call(searchVideos, { params: { term: '%' }, query: { limit: 1 } })
    expect(first.items.map(({ title }) => title)).toEqual(['🎬 ??? 50%'])
    const query = { limit: 1, cursor: first.nextCursor ?? '' }
    const second = await site.client().call(searchVideos, { params: { term: '%' }, query })
    expect(second).toMatchObject({ items: [{ title: '100% a_b "quoted" C:\\path' }], nextCursor: null })
  })

  test('finds no video that is taken down by symbols', async () => {
    const id = await add('100%')
    await site.db.updateTable('videos').set({ takedownReason: 'Not ours' }).where('id', '=', id).execute()
    expect(await titles('%')).toEqual([])
  })

  test('accepts random text', async () => {
    await add('Something to find')
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.string(), fc.lorem()), async (term) => {
        const response = await site.client().call(searchVideos, { params: { term } })
        expect(Array.isArray(response.items)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('finds a video by its own title', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-zà-öø-ÿ0-9]{1,70}$/), { minLength: 1, maxLength: 20 }),
        async (words) => {
          const title = words.join(' ')
          await add(title)
          expect(await titles(title)).toContain(title)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('rejects a malformed cursor', async () => {
    const { status } = await site.client().get('/api/v1/video/search/x?cursor=nonsense')
    expect(status).toBe(400)
  })
})

describe('updates the index', () => {
  test('when title and description are edited', async () => {
    const id = await add('Alpha', 'Beta')
    await owner.client.call(updateVideo, { params: { id }, body: { title: 'Gamma', description: 'Delta' } })
    expect(await titles('alpha beta')).toEqual([])
    expect(await titles('gamma')).toEqual(['Gamma'])
    expect(await titles('delta')).toEqual(['Gamma'])
  })

  test("when the owner's full name changes", async () => {
    const { client, user } = await signUp(site, { fullname: 'Before' })
    await addVideo(site, user._id, { title: 'Theirs' })
    await client.call(updateDetails, { body: { fullname: 'Afterwards' } })
    expect(await titles('before')).toEqual([])
    expect(await titles('afterwards')).toEqual(['Theirs'])
  })

  test('when the owner is renamed repeatedly', async () => {
    const { client, user } = await signUp(site, { fullname: 'Name 0' })
    await addVideo(site, user._id, { title: 'Kept title', description: 'Kept description' })
    const document = () =>
      site.db.selectFrom('videoSearch').select(['head', 'document']).executeTakeFirstOrThrow()
    const before = await document()
    for (const fullname of ['First', 'Second', 'Kept', 'Name 0']) {
      await client.call(updateDetails, { body: { fullname } })
      expect(await titles(fullname)).toEqual(['Kept title'])
      expect(await titles('description')).toEqual(['Kept title'])
    }
    // only the weights matter, positions have no meaning
    const marks = (vector: string) => vector.replaceAll(/\d+([A-C])/g, '$1')
    const after = await document()
    expect([marks(after.head), marks(after.document)]).toEqual([marks(before.head), marks(before.document)])
  })

  test('when owner and video are renamed concurrently', async () => {
    const { client, user } = await signUp(site, { fullname: 'Old' })
    const ids = await Promise.all(Array.from({ length: 6 }, () => addVideo(site, user._id, { title: 'Old' })))
    await Promise.all([
      client.call(updateDetails, { body: { fullname: 'Newname' } }),
      ...ids.map((id) => client.call(updateVideo, { params: { id }, body: { title: 'Newtitle' } })),
      addVideo(site, user._id, { title: 'Newtitle' }),
    ])
    expect(await titles('old')).toEqual([])
    expect(await titles('newname')).toHaveLength(7)
    expect(await titles('newtitle')).toHaveLength(7)
  })

  test('when a video is deleted', async () => {
    const id = await add('Ephemeral')
    await owner.client.call(deleteVideo, { params: { id } })
    expect(await titles('ephemeral')).toEqual([])
  })
})

test('returns 200 results without a limit', async () => {
  await Promise.all(
    Array.from({ length: 201 }, (_, n) => addVideo(site, owner.user._id, { title: `Heron ${n}` })),
  )
  const { body } = await site.client().get('/api/v1/video/search/heron')
  expect(body.data).toHaveLength(200)
  expect(body.nextCursor).toEqual(expect.any(String))
})

test('pages contain every result once while videos are added', async () => {
  for (let n = 0; n < 23; n += 1) await add(n % 3 === 0 ? 'Paging' : `Paging ${n}`, n % 2 ? 'paging' : '')
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 4, ...(cursor ? { cursor } : {}) }
    const page = await site.client().call(searchVideos, { params: { term: 'paging' }, query })
    seen.push(...page.items.map((video) => video._id))
    cursor = page.nextCursor ?? undefined
    await add('Paging late')
  } while (cursor)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThanOrEqual(23)
})

test('recounting words changes no results', async () => {
  await add('Lighthouse keeper', 'Light')
  await add('Lighthouse')
  const before = await titles('lighthouse')
  await recountWords(site.db)
  expect(await titles('lighthouse')).toEqual(before)
  expect(await titles('lighthuose')).toHaveLength(2)
})

describe('suggestions', () => {
  const suggest = async (text: string) => {
    const { videos, channels } = await site.client().call(suggestSearches, { query: { text } })
    return {
      videos: videos.map(({ title }) => title),
      channels: channels.map(({ username }) => username),
    }
  }
  const suggestedTitles = async (text: string) => (await suggest(text)).videos

  test('have all words in the title, and the last one may be incomplete', async () => {
    await add('Night trains of Europe', 'Tickets and berths.')
    await add('Train yards at night')
    for (const text of ['night tr', 'NÍGHT train', '  trains of eur', 'europe night'])
      expect([text, await suggestedTitles(text)]).toContainEqual(
        expect.arrayContaining([expect.stringContaining('Europe')]),
      )
    expect(await suggestedTitles('nigh train')).toEqual([])
    expect(await suggestedTitles('tickets')).toEqual([])
  })

  test('begin with titles that begin with the text, then list the most watched', async () => {
    const watched = await add('A long salt road')
    await add('Another salt road')
    await add('Salt flats')
    await site.db.updateTable('videos').set({ views: 10 }).where('id', '=', watched).execute()
    for (const text of ['s', 'sa', 'sal', 'SALT'])
      expect([text, await suggestedTitles(text)]).toEqual([
        text,
        ['Salt flats', 'A long salt road', 'Another salt road'],
      ])
  })

  test('are at most five titles and three channels', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) await add(`Suggested title ${n}`)
    for (const n of [1, 2, 3, 4]) {
      const { user } = await signUp(site, { fullname: `Suggested channel ${n}` })
      await addVideo(site, user._id, {})
    }
    const { videos, channels } = await suggest('sugg')
    expect([videos.length, channels.length]).toEqual([5, 3])
  })

  test('have channels with listed videos by any word of their name, largest first', async () => {
    const [small, large, empty, hidden] = await Promise.all(
      ['Fern & Foam', 'Fernando Foam', 'Fern Empty', 'Fern Hidden'].map((fullname) =>
        signUp(site, { fullname }),
      ),
    )
    for (const one of [small, large]) await addVideo(site, one!.user._id, {})
    await addVideo(site, hidden!.user._id, { visibility: 'private' })
    await site.db
      .updateTable('users')
      .set({ subscribersCount: 7 })
      .where('id', '=', large!.user._id)
      .execute()
    expect(empty!.user.fullname).toBe('Fern Empty')
    const both = [large!.user.username, small!.user.username]
    expect((await suggest('fern')).channels).toEqual(both)
    expect((await suggest('foam')).channels).toEqual(both)
    expect((await suggest(small!.user.username)).channels).toEqual([small!.user.username])
    await small!.client.call(updateDetails, { body: { fullname: 'Moss' } })
    expect((await suggest('fern')).channels).toEqual([large!.user.username])
    await site.db
      .updateTable('users')
      .set({ suspendedAt: new Date() })
      .where('id', '=', large!.user._id)
      .execute()
    expect((await suggest('fern')).channels).toEqual([])
  })

  test.each(['!', "'", ':*', '&', '\\', '☃'])('are none for %j', async (text) => {
    await add('Salt flats')
    expect(await suggest(text)).toEqual({ videos: [], channels: [] })
  })
})

describe('filters', () => {
  const found = async (term: string, filters: SearchFilters) => {
    const { items } = await site.client().call(searchVideos, { params: { term }, query: filters })
    const { total } = await site.client().call(summarizeSearch, { query: { text: term, ...filters } })
    expect(total).toBe(items.length)
    return items.map(({ title }) => title)
  }
  const dayMs = 86_400_000
  const addAged = (title: string, days: number, fields: Parameters<typeof addVideo>[2] = {}) =>
    addVideo(site, owner.user._id, { title, createdAt: new Date(Date.now() - days * dayMs), ...fields })

  test.each([
    ['day', 1],
    ['week', 2],
    ['month', 3],
    ['year', 4],
    [undefined, 5],
  ] as const)('published within the last %s', async (published, count) => {
    for (const days of [0.5, 5, 20, 200, 500]) await addAged(`Heron ${days}`, days)
    expect(await found('heron', published ? { published } : {})).toHaveLength(count)
  })

  test('lengths below four minutes, up to twenty, and above', async () => {
    for (const durationSeconds of [239, 240, 1200, 1201])
      await addVideo(site, owner.user._id, { title: `Heron ${durationSeconds}`, durationSeconds })
    expect(await found('heron', { length: 'short' })).toEqual(['Heron 239'])
    expect((await found('heron', { length: 'medium' })).toSorted()).toEqual(['Heron 1200', 'Heron 240'])
    expect(await found('heron', { length: 'long' })).toEqual(['Heron 1201'])
  })

  test('category and captions, alone and together', async () => {
    const [both, captioned] = await Promise.all([
      addVideo(site, owner.user._id, { title: 'Heron in music', category: 'music' }),
      addVideo(site, owner.user._id, { title: 'Heron with captions' }),
    ])
    await addVideo(site, owner.user._id, { title: 'Heron dance', category: 'music' })
    for (const id of [both, captioned]) await addTestCaptions(site, id)
    expect((await found('heron', { category: 'music' })).toSorted()).toEqual([
      'Heron dance',
      'Heron in music',
    ])
    expect((await found('heron', { captions: 'true' })).toSorted()).toEqual([
      'Heron in music',
      'Heron with captions',
    ])
    expect(await found('heron', { category: 'music', captions: 'true' })).toEqual(['Heron in music'])
  })

  test('the language, of any region', async () => {
    for (const [title, language] of [
      ['Heron here', 'pt'],
      ['Heron there', 'pt-BR'],
      ['Heron elsewhere', 'en'],
      ['Heron anywhere', null],
    ] as const)
      await addVideo(site, owner.user._id, { title, language })
    expect((await found('heron', { language: 'pt' })).toSorted()).toEqual(['Heron here', 'Heron there'])
    expect((await found('heron', {})).length).toBe(4)
  })

  test('a filter also applies to a search for symbols', async () => {
    await addAged('☃ old', 40)
    await addAged('☃ new', 1)
    expect(await found('☃', {})).toEqual(['☃ new', '☃ old'])
    expect(await found('☃', { published: 'month' })).toEqual(['☃ new'])
  })

  test('an order by date or views leaves out weak matches, and pages contain each result once', async () => {
    await addAged('Grey heron at dawn', 3, { views: 5 })
    await addAged('A grey heron', 2, { views: 50 })
    await addAged('Grey heron', 1, { views: 20 })
    await addAged('Unlike', 0.5, { description: 'A heron, far away.' })
    await recountWords(site.db)
    expect(await found('grey heron', { sort: 'date' })).toEqual([
      'Grey heron',
      'A grey heron',
      'Grey heron at dawn',
    ])
    const byViews = ['A grey heron', 'Grey heron', 'Grey heron at dawn']
    expect(await found('grey heron', { sort: 'views' })).toEqual(byViews)
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await site.client().call(searchVideos, {
        params: { term: 'grey heron' },
        query: { sort: 'views', limit: 1, ...(cursor ? { cursor } : {}) },
      })
      seen.push(...page.items.map(({ title }) => title))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(byViews)
  })

  test('the summary counts what the caller may see, and names channels', async () => {
    await add('Heron')
    await addVideo(site, owner.user._id, { title: 'Heron for members', visibility: 'members' })
    await addVideo(site, owner.user._id, { title: 'Private heron', visibility: 'private' })
    const total = async (client: TestClient) =>
      (await client.call(summarizeSearch, { query: { text: 'heron' } })).total
    expect(await Promise.all([total(site.client()), total(owner.client)])).toEqual([1, 2])
    const { channels } = await site.client().call(summarizeSearch, { query: { text: 'renée' } })
    expect(channels.map(({ username }) => username)).toEqual(['reneechannel'])
  })
})

describe('moments', () => {
  const moments = async (text: string) =>
    (await site.client().call(findMoments, { query: { text } })).map(
      ({ kind, text: found, startSeconds }) => [kind, found, startSeconds],
    )
  /** Adds captions of the same id to a new video, with a line at each minute. */
  const say = async (...lines: string[]) => {
    const id = await add('Untitled')
    const cue = (line: string, n: number) => `00:0${n}:00.000 --> 00:0${n}:05.000\n${line}\n`
    const content = `WEBVTT\n\n${lines.map(cue).join('\n')}`
    await insertCaptions(site.db, { id, videoId: id, language: 'en', label: 'English', content })
    return id
  }

  test('are sentences of captions with all words, with their time', async () => {
    await say('Welcome aboard.', '<i>The ferry</i> leaves &amp; returns', 'at dawn. Élan!', 'The end.')
    expect(await moments('FERRY')).toEqual([['captions', 'The ferry leaves & returns', 60]])
    expect(await moments('ferry dawn')).toEqual([
      ['captions', 'The ferry leaves & returns at dawn. Élan!', 60],
    ])
    expect(await moments('elan')).toEqual([['captions', 'at dawn. Élan!', 120]])
    expect(await moments('return')).toEqual([['captions', 'The ferry leaves & returns', 60]])
    for (const term of ['welcome end', 'ferry ship', 'fer', '00:01', 'WEBVTT', '!']) {
      expect([term, await moments(term)]).toEqual([term, []])
    }
  })

  test('follow changed captions', async () => {
    const id = await say('A heron')
    const content = 'WEBVTT\n\n00:03.000 --> 00:04.000\nA stork\n'
    await updateCaptions(site.db, { videoId: id, id }, { content })
    expect(await moments('heron')).toEqual([])
    expect(await moments('stork')).toEqual([['captions', 'A stork', 3]])
    await site.db.deleteFrom('captions').where('id', '=', id).execute()
    expect(await moments('stork')).toEqual([])
  })

  test('are chapters that a description lists', async () => {
    await addVideo(site, owner.user._id, {
      durationSeconds: 300,
      description: '0:00 Opening\n1:00 Making dough\n2:00 The oven\nMake a wish.',
    })
    expect(await moments('dough')).toEqual([['chapter', 'Making dough', 60]])
    expect(await moments('wish')).toEqual([])
  })

  test('are found in texts without spaces', async () => {
    await say('大阪の夜景を歩く', 'ภาษาไทยวันนี้')
    expect(await moments('夜景')).toEqual([['captions', '大阪の夜景を歩く', 0]])
    expect(await moments('ภาษา')).toEqual([['captions', 'ภาษาไทยวันนี้', 60]])
  })

  test('captions with more different words than the index holds are saved', async () => {
    await say(Array.from({ length: 60_000 }, (_, n) => `${n}${'ﷺ'.repeat(3)}`).join(' '))
    expect(await moments('untitled')).toEqual([])
  })
})
