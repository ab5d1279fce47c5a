import { EmbedPolicy, VideoEmbeds } from '@kinora/contract/videos/embeds.ts'
import { expect, test } from 'vitest'
import { frameAncestorsOf, mayEmbed } from './rules.ts'

const sites = (...hosts: string[]): EmbedPolicy => ({ allowed: 'sites', sites: hosts })

test.each([
  [sites('club.example.org'), 'https://club.example.org/news', true],
  [sites('club.example.org'), 'https://evil.club.example.org/', false],
  [sites('club.example.org'), 'https://club.example.org.evil.example/', false],
  [sites('*.example.org'), 'https://club.example.org/', true],
  [sites('*.example.org'), 'https://example.org/', false],
  [sites('*.example.org'), 'https://evilexample.org/', false],
  [sites('localhost:8080'), 'http://localhost:8080/', true],
  [sites('localhost:8080'), 'http://localhost:8081/', false],
  [sites(), 'https://videos.example/watch', true],
  [{ allowed: 'nowhere' as const, sites: ['club.example.org'] }, 'https://club.example.org/', false],
  [{ allowed: 'everywhere' as const, sites: [] }, 'not an address', true],
  [sites('club.example.org'), 'not an address', false],
])('%o and the page %s', (policy, page, isAllowed) => {
  expect(mayEmbed(policy, page, 'videos.example')).toBe(isAllowed)
})

test('allows browsers the same sites', () => {
  expect(frameAncestorsOf(sites('a.example', '*.b.example'))).toBe("'self' a.example *.b.example")
  expect(frameAncestorsOf({ allowed: 'nowhere', sites: ['a.example'] })).toBe("'self'")
  expect(frameAncestorsOf({ allowed: 'everywhere', sites: [] })).toBe('*')
})

test.each([
  'a.example; script-src *',
  "'none'",
  'a b',
  'https://',
  '*',
  '*.*.example',
  'a.example/path',
  '-',
  'a-.example',
  '-a.example',
  'a..example',
  'münchen.de/path',
])('refuses %s as a site', (site) => {
  expect(EmbedPolicy.safeParse(sites(site)).success).toBe(false)
})

test.each(['a.example:99999', 'a.example:65536', 'a.example:0'])('refuses the port of %s', (site) => {
  expect(EmbedPolicy.safeParse(sites(site)).error?.issues).toMatchObject([
    { path: ['sites', 0], params: { reason: 'embed_site_port' } },
  ])
})

test('shows ports that were saved before', () => {
  const own = sites('a.example:99999')
  expect(VideoEmbeds.parse({ own, channel: own })).toEqual({ own, channel: own })
})

test('takes the highest port', () => {
  expect(EmbedPolicy.parse(sites('a.example:65535')).sites).toEqual(['a.example:65535'])
})

test('takes names with other letters as DNS has them', () => {
  expect(EmbedPolicy.parse(sites('München.de', '*.münchen.de:8443', 'https://例え.jp/a')).sites).toEqual([
    'xn--mnchen-3ya.de',
    '*.xn--mnchen-3ya.de:8443',
    'xn--r8jz45g.jp',
  ])
})

test('takes the host of an address', () => {
  expect(EmbedPolicy.parse(sites(' HTTPS://Club.Example.org/news ', 'club.example.org')).sites).toEqual([
    'club.example.org',
  ])
})
