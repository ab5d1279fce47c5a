import { expect, it } from 'vitest'
import { trafficOfEmbed, trafficOfPage } from './traffic-source.ts'

const origin = 'https://kinora.example'
const base = { previousPath: undefined, isInPlaylist: false, referrer: '', origin }

it.each([
  ['/', 'home'],
  ['/search/salt%20flats', 'search'],
  ['/c/ines', 'channel'],
  ['/video/v1', 'recommendations'],
  ['/feed', 'subscriptions'],
  ['/notifications', 'subscriptions'],
  ['/library', 'playlist'],
  ['/playlist/p1', 'playlist'],
  ['/tag/sea', 'browse'],
  ['/about', 'other'],
] as const)('a viewer from %s comes from %s', (path, source) => {
  expect(trafficOfPage({ ...base, previousPath: path })).toEqual({ source })
  expect(trafficOfPage({ ...base, referrer: `${origin}${path}` })).toEqual({ source })
})

it('names the host of another site, never its path', () => {
  const referrer = 'https://news.example/private?name=ines'
  expect(trafficOfPage({ ...base, referrer })).toEqual({ source: 'external', host: 'news.example' })
  expect(trafficOfEmbed(referrer)).toEqual({ source: 'embed', host: 'news.example' })
})

it.each(['https://[::1]/', 'https://my_site.example/'])('names no host for %s', (referrer) => {
  expect(trafficOfEmbed(referrer)).toEqual({ source: 'embed' })
})

it('counts a video of a playlist for the playlist, and an unknown referrer as direct', () => {
  expect(trafficOfPage({ ...base, previousPath: '/video/v1', isInPlaylist: true })).toEqual({
    source: 'playlist',
  })
  expect(trafficOfPage(base)).toEqual({ source: 'direct' })
  expect(trafficOfEmbed('')).toEqual({ source: 'embed' })
})

it('prefers the page before to the referrer, which never changes within a tab', () => {
  const referrer = 'https://news.example/'
  expect(trafficOfPage({ ...base, referrer, previousPath: '/' })).toEqual({ source: 'home' })
})
