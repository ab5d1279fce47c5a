import { ines, jonas, user, video, videoId } from '@kinora/contract/examples/samples.ts'
import { listComments } from '@kinora/contract/conversation/comments.ts'
import { updateHistory } from '@kinora/contract/watching/history.ts'
import { hasLikedVideo, toggleVideoLike } from '@kinora/contract/conversation/likes.ts'
import { listDismissed, listRecommendations } from '@kinora/contract/watching/recommendations.ts'
import { searchVideos } from '@kinora/contract/watching/search.ts'
import { hasSubscribed, toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { getVideo, recordView } from '@kinora/contract/videos/videos.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  callsOf,
  changes,
  disconnect,
  exampleData,
  openPage,
  rejection,
  reply,
  signOut,
} from '../../testing/site.tsx'

const path = `/video/${videoId}`
const main = page.getByRole('main')
const like = page.getByRole('button', { name: 'Like', exact: true })
const dislike = page.getByRole('button', { name: 'Dislike', exact: true })
const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true })
const subscribed = page.getByRole('button', { name: 'Subscribed', exact: true })
const title = page.getByRole('heading', { level: 1 })
const countOf = (name: string) => document.querySelector(`[data-count=${name}]`)?.textContent
const details = exampleData(getVideo)[0]!
const { captions: _captions, chapters: _chapters, ...specified } = details
const fresh = { ...specified, captions: [], chapters: [], totalLikes: 0, totalSubs: 0, views: 0 }

let isLiked: boolean
let isSubscribed: boolean

beforeEach(() => {
  isLiked = false
  isSubscribed = false
  reply(getVideo, () => [{ ...fresh, totalLikes: Number(isLiked), totalSubs: Number(isSubscribed) }])
  reply(listDismissed, { videoIds: [], channels: [] })
  reply(hasLikedVideo, () => ({ liked: isLiked }))
  reply(hasSubscribed, () => ({ subbed: isSubscribed }))
  reply(toggleVideoLike, () => {
    isLiked = !isLiked
    return { liked: isLiked, totalLikes: Number(isLiked) }
  })
  reply(toggleSubscription, () => {
    isSubscribed = !isSubscribed
    return { subbed: isSubscribed, totalSub: Number(isSubscribed) }
  })
})

test('visitors see the details of a video as text, and one view is counted', async () => {
  signOut()
  const description = 'First line\n<b id="bold">not markup</b>'
  reply(getVideo, [{ ...fresh, description, createdAt: new Date().toISOString() }])
  reply(listComments, { items: [], nextCursor: null })
  reply(searchVideos, { items: [video], nextCursor: null })
  await openPage(path)
  await expect.element(title).toHaveTextContent(video.title)
  await expect
    .element(main.getByRole('link', { name: /^Ines Falk/ }).first())
    .toHaveAttribute('href', `/c/${ines.username}`)
  await expect.poll(() => [countOf('subscribers'), countOf('likes')]).toEqual(['0', '0'])
  await expect.element(main.getByText('0 views')).toBeVisible()
  await expect.element(main.getByText('Just now')).toBeVisible()
  await expect.element(page.getByText(/<b id="bold">not markup<\/b>/)).toBeVisible()
  expect(document.querySelector('#bold')).toBeNull()
  // The video itself is not recommended.
  await expect
    .element(
      page.getByRole('region', { name: 'Recommended videos' }).getByText('No recommendations available'),
    )
    .toBeVisible()
  await expect.poll(() => changes()).toEqual([`PATCH ${path}`])
  expect(callsOf(searchVideos).map(({ params }) => params['term'])).toContain(video.title)
  for (const endpoint of [updateHistory, hasSubscribed, hasLikedVideo]) expect(callsOf(endpoint)).toEqual([])
})

test('a video that fails to load shows the not-found page', async () => {
  for (const failure of [() => rejection('not_found'), () => rejection('internal'), disconnect]) {
    reply(getVideo, failure)
    await openPage(path)
    await expect.poll(() => location.pathname).toBe('/notfound')
    await expect.element(page.getByRole('button', { name: 'Go Back' })).toBeVisible()
  }
  expect(changes()).toEqual([])
})

test('a video that failed to load opens again on request', async () => {
  reply(getVideo, () => rejection('internal'))
  await openPage(`${path}?t=0`)
  await expect.element(page.getByText(/The server did not answer/)).toBeVisible()
  reply(getVideo, [fresh])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => location.pathname + location.search).toBe(`${path}?t=0`)
  await expect.element(title).toHaveTextContent(video.title)
})

test('like, dislike and subscribe send visitors to the login page without a request', async () => {
  signOut()
  for (const button of [like, dislike, subscribe]) {
    await openPage(path)
    await button.click()
    await expect.poll(() => location.pathname).toBe('/login')
  }
  expect(changes().filter((call) => call.startsWith('POST'))).toEqual([])
})

test('a like counts once, is undone by a second click or a dislike, and rolls back on failure', async () => {
  await openPage(path)
  const shows = async (isPressed: boolean) => {
    await expect.element(like).toHaveAttribute('aria-pressed', String(isPressed))
    await expect.poll(() => countOf('likes')).toBe(isPressed ? '1' : '0')
  }
  await like.click()
  await shows(true)
  await like.click()
  await shows(false)
  await dislike.click()
  await like.click()
  await shows(true)
  await expect.poll(() => callsOf(toggleVideoLike)).toHaveLength(3)
  await openPage(path)
  await shows(true)
  await dislike.click()
  await shows(false)
  await expect.poll(() => callsOf(toggleVideoLike)).toHaveLength(4)

  const refused = Promise.withResolvers<void>()
  reply(toggleVideoLike, async () => {
    await refused.promise
    return disconnect()
  })
  await like.click()
  await shows(true)
  refused.resolve()
  await shows(false)
  // Only the tooltip and screen readers report it, because the specified page does not change.
  await expect.element(like).toHaveAccessibleDescription('Not saved. Try again.')
  reply(toggleVideoLike, { liked: true, totalLikes: 1 })
  await like.click()
  await shows(true)
  await expect.element(like).toHaveAccessibleDescription('')
})

test('subscribing changes button and count, and can be undone', async () => {
  await openPage(path)
  await subscribe.click()
  await expect.element(subscribed).toBeVisible()
  await expect.poll(() => countOf('subscribers')).toBe('1')
  await expect.poll(() => isSubscribed).toBe(true)
  await openPage(path)
  await subscribed.click()
  await expect.element(subscribe).toBeVisible()
  await expect.poll(() => countOf('subscribers')).toBe('0')
  await main
    .getByRole('link', { name: /^Ines Falk/ })
    .first()
    .click()
  await expect.poll(() => location.pathname).toBe(`/c/${ines.username}/videos`)
})

test('an expired session sends likes and subscriptions to the login page unchanged', async () => {
  for (const button of [like, subscribe]) {
    reply(getCurrentUser, user)
    await openPage(path)
    await expect.element(button).toBeVisible()
    signOut()
    reply(toggleVideoLike, () => rejection('unauthenticated'))
    reply(toggleSubscription, () => rejection('unauthenticated'))
    await button.click()
    await expect.poll(() => location.pathname).toBe('/login')
    history.back()
    await expect.element(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect.poll(() => [countOf('likes'), countOf('subscribers')]).toEqual(['0', '0'])
  }
})

test('an action rejected with 401 leads to the login page while other calls succeed', async () => {
  reply(toggleVideoLike, () => rejection('unauthenticated', 'Please sign in first'))
  await openPage(path)
  await like.click()
  await expect.poll(() => location.pathname).toBe('/login')
  await expect.element(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('opening the next video resets the state of the page', async () => {
  const second = { ...fresh, _id: 'second', title: 'Salt flats at night' }
  reply(searchVideos, { items: [video, { ...video, _id: 'second', title: second.title }], nextCursor: null })
  reply(getVideo, ({ params }) => [params['id'] === 'second' ? second : fresh])
  reply(hasLikedVideo, { liked: false })
  await openPage(path)
  await like.click()
  await expect.poll(() => countOf('likes')).toBe('1')
  await expect.poll(() => callsOf(recordView)).toHaveLength(1)
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  const [linkToFirst, linkToSecond] = [video.title, second.title].map((name) =>
    recommended.getByRole('link', { name, exact: true }),
  ) as [ReturnType<typeof page.getByRole>, ReturnType<typeof page.getByRole>]
  await expect.element(linkToSecond).toBeVisible()
  expect(linkToFirst.elements()).toEqual([])
  await linkToSecond.click()
  await expect.element(title).toHaveTextContent(second.title)
  await expect.poll(() => countOf('likes')).toBe('0')
  await expect.element(linkToFirst).toBeVisible()
  expect(linkToSecond.elements()).toEqual([])
  await expect.element(like).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => callsOf(recordView).map(({ params }) => params['id'])).toEqual([videoId, 'second'])
})

test('a video that is not public says who can watch it', async () => {
  const badge = main.getByText('Unlisted', { exact: true })
  reply(getVideo, [{ ...fresh, visibility: 'unlisted' }])
  await openPage(path)
  await expect.element(badge).toBeVisible()
  reply(getVideo, [fresh])
  await openPage(path)
  await expect.element(main.getByText('0 views')).toBeVisible()
  expect(badge.elements()).toEqual([])
  expect(main.getByText('Public', { exact: true }).elements()).toEqual([])
})

test('the video that autoplay opens is shown as the next one, first among the recommendations', async () => {
  const [second, third] = [
    { ...video, _id: 'second', title: 'Salt flats at night' },
    { ...video, _id: 'third', title: 'Salt harvest' },
  ]
  reply(searchVideos, { items: [video, second, third], nextCursor: null })
  reply(listRecommendations, [{ video: third, reason: { kind: 'channel', tag: null } }])
  await openPage(path)
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  const titles = () =>
    recommended
      .getByRole('heading', { level: 3 })
      .elements()
      .map((each) => each.textContent)
  await expect.poll(titles).toEqual([third.title, second.title])
  await expect.element(recommended.getByRole('heading', { name: 'Up next' })).toBeVisible()
  await expect.element(page.getByRole('switch', { name: 'Autoplay' })).toBeVisible()
})

test('a next video that the search did not find is above the recommendations', async () => {
  const other = { ...video, _id: 'other', title: 'Tide' }
  reply(searchVideos, { items: [video], nextCursor: null })
  reply(listRecommendations, [{ video: other, reason: { kind: 'popular', tag: null } }])
  await openPage(path)
  await expect.element(main.getByRole('link', { name: other.title, exact: true })).toBeVisible()
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  await expect.element(recommended.getByText('No recommendations available')).toBeVisible()
  expect(recommended.getByRole('article').elements()).toEqual([])
  await page.getByRole('button', { name: 'More to watch' }).click()
  await expect.element(page.getByText('Nothing else yet')).toBeVisible()
})

test('recommendations that fail say so, and are requested again', async () => {
  reply(searchVideos, disconnect)
  await openPage(path)
  await expect.element(page.getByText('Recommendations could not be loaded')).toBeVisible()
  expect(page.getByText('No recommendations available').elements()).toEqual([])
  reply(searchVideos, { items: [video], nextCursor: null })
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  await recommended.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No recommendations available')).toBeVisible()
})

test('a long description is truncated at a word, with an ellipsis inside a paragraph only', async () => {
  const more = page.getByRole('button', { name: 'Show more' })
  const show = async (description: string) => {
    reply(getVideo, [{ ...fresh, description }])
    await openPage(path)
    await expect.element(page.getByText(/^One/)).toBeVisible()
  }
  const shown = () => {
    const text = page.getByText(/^One/).element().closest<HTMLElement>('[style*="--lines"]')!
    const { lineHeight, webkitLineClamp } = getComputedStyle(text)
    return {
      lines: Math.round(text.clientHeight / parseFloat(lineHeight)),
      isMarked: webkitLineClamp !== 'none',
    }
  }
  const description = ['One', 'Two', 'Three', '', 'Five', 'Six', 'Seven', 'Eight', 'Nine'].join('\n')
  await show(description)
  await expect.element(more).toBeVisible()
  await expect.poll(shown).toEqual({ lines: 3, isMarked: false })
  await more.click()
  await expect.poll(shown).toEqual({ lines: 9, isMarked: false })

  const paragraph = description.replace('\n\n', '\nFour\n')
  await show(paragraph)
  await expect.element(more).toBeVisible()
  await expect.poll(shown).toEqual({ lines: 4, isMarked: true })

  // A description slightly over the limit is shown in full.
  await show(paragraph.replace('\nNine', ''))
  await expect.poll(shown).toEqual({ lines: 8, isMarked: false })
  expect(more.elements()).toEqual([])
})

test('owners reach the studio from their video, others do not', async () => {
  const linkTo = (name: string) => main.getByRole('link', { name, exact: true })
  reply(getVideo, [{ ...fresh, videoOwner: jonas }])
  await openPage(path)
  await expect.element(linkTo('Edit')).toHaveAttribute('href', `/studio/${videoId}`)
  await expect.element(linkTo('Analytics')).toHaveAttribute('href', `/studio/${videoId}/analytics`)
  await expect.element(subscribe).toBeVisible()
  reply(getVideo, [fresh])
  await openPage(path)
  await expect.element(subscribe).toBeVisible()
  expect(linkTo('Edit').elements()).toEqual([])
  expect(linkTo('Analytics').elements()).toEqual([])
})
