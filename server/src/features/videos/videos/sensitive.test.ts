import { putViewing } from '@kinora/contract/accounts/users.ts'
import type { SensitiveChoice } from '@kinora/contract/constants.ts'
import { changeSensitiveMark, listAllVideos } from '@kinora/contract/operations/moderation.ts'
import { putSiteSettings } from '@kinora/contract/operations/site.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { browseVideos, getVideo, listChannelVideos, listVideos } from '@kinora/contract/videos/videos.ts'
import { listRecommendations } from '@kinora/contract/watching/recommendations.ts'
import { searchVideos, suggestSearches } from '@kinora/contract/watching/search.ts'
import { listFeed, toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let moderator: Awaited<ReturnType<typeof signUp>>
let marked: string
let plain: string

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  moderator = await signUp(site)
  await updateRole(site.db, moderator.user._id, 'administrator')
  marked = await addVideo(site, owner.user._id, { title: 'Open heart surgery', tags: ['clinic'] })
  plain = await addVideo(site, owner.user._id, { title: 'Harbour clinic', tags: ['clinic'] })
  await mark('Surgery')
})
afterAll(() => site.close())

const mark = (sensitiveReason: string | null) =>
  owner.client.call(changeOwnVideo, { params: { id: marked }, body: { sensitiveReason } })

const choose = (client: TestClient, sensitiveVideos: SensitiveChoice | null) =>
  client.call(putViewing, { body: { sensitiveVideos, languages: [] } })

const chooseForSite = (sensitiveVideos: SensitiveChoice) =>
  moderator.client.call(putSiteSettings, { body: { sensitiveVideos } })

/** Whether each list has the marked video. */
async function listsOf(client: TestClient, isSignedIn: boolean) {
  const ids = (videos: readonly { _id: string }[]) => videos.map(({ _id }) => _id).includes(marked)
  return {
    home: ids((await client.call(listVideos, {})).items),
    tag: ids((await client.call(browseVideos, { query: { tag: 'clinic' } })).items),
    search: ids((await client.call(searchVideos, { params: { term: 'surgery' } })).items),
    suggestions: ids((await client.call(suggestSearches, { query: { text: 'open heart' } })).videos),
    recommendations: ids(
      (await client.call(listRecommendations, { params: { videoId: plain } })).map(({ video }) => video),
    ),
    ...(isSignedIn && {
      channel: ids(
        (await client.call(listChannelVideos, { params: { username: owner.user.username } })).userVideos,
      ),
      feed: ids((await client.call(listFeed, {})).items.map(({ video }) => video)),
    }),
  }
}
const everywhere = { home: true, tag: true, search: true, suggestions: true, recommendations: true }
const nowhere = { home: false, tag: false, search: false, suggestions: false, recommendations: false }
const text = async (path: string) => (await site.client().fetch(path)).text()

test('the mark and its reason are part of the video, and lists keep it by default', async () => {
  const visitor = site.client()
  expect(await visitor.call(getVideo, { params: { id: marked } })).toMatchObject([
    { sensitive: { reason: 'Surgery' } },
  ])
  const [other] = await visitor.call(getVideo, { params: { id: plain } })
  expect(other).not.toHaveProperty('sensitive')
  expect(await listsOf(visitor, false)).toEqual(everywhere)
})

test('an account that leaves marked videos out finds them in no list, and opens them by their address', async () => {
  const person = await signUp(site)
  await person.client.call(toggleSubscription, { params: { username: owner.user.username } })
  await choose(person.client, 'hide')
  expect(await listsOf(person.client, true)).toEqual({ ...nowhere, channel: false, feed: false })
  expect(await person.client.call(getVideo, { params: { id: marked } })).toHaveLength(1)
  await choose(person.client, null)
  expect(await listsOf(person.client, true)).toEqual({ ...everywhere, channel: true, feed: true })
  // a member with another choice shares no response with those who leave them out
  await choose(person.client, 'hide')
  expect((await listsOf((await signUp(site)).client, true)).home).toBe(true)
})

test('visitors follow the site, and accounts with a choice do not', async () => {
  const person = await signUp(site)
  await choose(person.client, 'show')
  await chooseForSite('hide')
  await expect.poll(async () => (await listsOf(site.client(), false)).home).toBe(false)
  expect(await listsOf(site.client(), false)).toEqual(nowhere)
  expect((await listsOf(person.client, true)).home).toBe(true)
  await expect.poll(() => listsOf(owner.client, true)).toMatchObject({ home: false, channel: true })
  expect(await text('/feeds/videos')).not.toContain('Open heart surgery')
  expect(await text('/sitemap.xml')).not.toContain(`/video/${marked}<`)
  await chooseForSite('blur')
})

test('feeds and oEmbed of a marked video have no picture, unless the site shows it', async () => {
  const read = async () => {
    const address = encodeURIComponent(`${site.origin}/video/${marked}`)
    const [, item = ''] =
      (await text('/feeds/videos')).match(/<item>(\s*<title>Open heart.*?)<\/item>/s) ?? []
    return {
      oembed: (await text(`/oembed?url=${address}`)).includes('thumbnail_url'),
      feed: item.includes('itunes:image'),
      explicit: item.includes('<itunes:explicit>true</itunes:explicit>'),
    }
  }
  await expect.poll(read).toEqual({ oembed: false, feed: false, explicit: true })
  await chooseForSite('show')
  await expect.poll(read).toEqual({ oembed: true, feed: true, explicit: true })
  await chooseForSite('blur')
})

test('a moderator marks a video, which its owner cannot change', async () => {
  const id = plain
  const put = (reason: string | null) =>
    moderator.client.call(changeSensitiveMark, { params: { id }, body: { reason } })
  await put('Flashing lights')
  expect(await owner.client.call(getVideo, { params: { id } })).toMatchObject([
    { sensitive: { reason: 'Flashing lights', byModerator: true } },
  ])
  const { videos } = await moderator.client.call(listAllVideos, { query: { text: 'Harbour clinic' } })
  expect(videos).toMatchObject([{ sensitiveReason: 'Flashing lights' }])
  const change = (sensitiveReason: string | null) =>
    owner.client.call(changeOwnVideo, { params: { id }, body: { sensitiveReason, title: 'Clinic' } })
  await expect(change(null)).rejects.toMatchObject({ status: 403, reason: 'sensitive_by_moderator' })
  await change('Flashing lights')
  await put(null)
  await change('Noise')
  await change(null)
  expect((await owner.client.call(getVideo, { params: { id } }))[0]).not.toHaveProperty('sensitive')
})

test('home and recommendations keep the languages of an account, and what states none', async () => {
  const person = await signUp(site)
  const add = async (title: string, language: string | null) => {
    const id = await addVideo(site, owner.user._id, { title, tags: ['clinic'] })
    await owner.client.call(changeOwnVideo, { params: { id }, body: { language } })
    return id
  }
  const [german, swiss, french] = [
    await add('Hafen', 'de'),
    await add('Haafe', 'de-CH'),
    await add('Port', 'fr'),
  ]
  const put = (languages: string[]) =>
    person.client.call(putViewing, { body: { sensitiveVideos: null, languages } })
  const home = async (client = person.client) =>
    (await client.call(listVideos, {})).items.map(({ _id }) => _id)
  await put(['de', 'en', 'de'])
  expect(new Set(await home())).toEqual(new Set([german, swiss, plain, marked]))
  const found = await person.client.call(listRecommendations, { params: { videoId: plain } })
  expect(new Set(found.map(({ video }) => video._id))).toEqual(new Set([german, swiss, marked]))
  expect((await person.client.call(searchVideos, { params: { term: 'Port' } })).items).toHaveLength(1)
  await put([])
  expect(await home()).toContain(french)
  expect(await home(site.client())).toContain(french)
  await expect(put(['deutsch'])).rejects.toMatchObject({ status: 400 })
})
