import { defaultSettings } from '@kinora/contract/settings.ts'
import { embedRefusedMeta } from '@kinora/contract/videos/embed.ts'
import { type EmbedPolicy, putChannelEmbeds, putVideoEmbeds } from '@kinora/contract/videos/embeds.ts'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putSettings } from '../../operations/site/queries.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { reinstate, takeDown } from '../../videos/videos/actions/hide-video.ts'

const title = `</title><script>alert("1 & '2'")</script> $& $1`
const template = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Kinora</title><meta name="description" content="old" /><link rel="icon" href="/favicon.svg">
</head><body><div id="root"></div></body></html>`
const titlePlaceholder = '<div class="t" dir="auto" data-first-title=""></div>'
const script = 'export const response = 42 // long enough to be compressed'

const manifest = {
  'index.html': { file: 'assets/app-D1x.js', imports: ['_shared.js'], css: ['assets/app-2.css'] },
  '_shared.js': { file: 'assets/shared-2.js' },
  'src/pages/watch-page.tsx': {
    file: 'assets/watch-3.js',
    imports: ['index.html', '_shared.js', '_player.js'],
    css: ['assets/watch-3.css'],
  },
  'src/pages/embed-page.tsx': { file: 'assets/embed-6.js', imports: ['_player.js'] },
  '_player.js': {
    file: 'assets/player-4.js',
    dynamicImports: ['_hls.js', 'src/more.ts'],
    css: ['assets/player-4.css'],
  },
  '_hls.js': { file: 'assets/hls-5.js', name: 'hls', imports: ['_shared.js'] },
  'src/more.ts': { file: 'assets/more-7.js' },
  'src/locales/en/watch.po': { file: 'assets/messages-8.js' },
  'src/locales/de/base.po': { file: 'assets/messages-9.js' },
  'src/locales/de/watch.po': { file: 'assets/messages-10.js' },
}

let dist: string
let site: TestApp

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'kinora-dist-'))
  await mkdir(join(dist, 'assets'))
  await writeFile(join(dist, 'index.html'), template)
  await writeFile(join(dist, 'service-worker.js'), script)
  await writeFile(join(dist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(dist, 'assets/app-D1x.js'), script)
  await writeFile(join(dist, 'assets/app-D1x.js.gz'), gzipSync(script))
  await mkdir(join(dist, '.vite'))
  await writeFile(join(dist, '.vite/manifest.json'), JSON.stringify(manifest))
  await mkdir(join(dist, '.skeletons'))
  for (const name of ['home', 'watch', 'channel', 'channel-tab', 'frame'])
    await writeFile(
      join(dist, `.skeletons/${name}.html`),
      `<div inert>${name}<img data-first-picture="" alt=""/>${name === 'watch' ? titlePlaceholder : ''}</div>`,
    )
  site = await createTestApp({ constants: { webDistDir: dist } })
  await site.db
    .insertInto('users')
    .values([
      {
        id: 'user1',
        username: 'Ines',
        email: 'ines@example.org',
        fullname: 'Ines <b>Okafor</b>',
        passwordHash: 'x',
        avatar: 'avatar1',
        coverImage: null,
      },
      {
        id: 'user2',
        username: 'Empty',
        email: 'empty@example.org',
        fullname: 'Nothing Yet',
        passwordHash: 'x',
        avatar: 'avatar2',
        coverImage: null,
      },
    ])
    .execute()
  await site.db
    .insertInto('videos')
    .values({
      id: 'video1',
      ownerId: 'user1',
      title,
      description: 'Salt flats\n\nat dawn "slowly"',
      thumbnail: 'thumb1',
      sourceKey: 'videos/video1/source.mp4',
      sizeBytes: 1000,
      durationSeconds: 75.4,
      width: 1920,
      height: 1080,
      source: JSON.stringify({}),
    })
    .execute()
})

afterAll(async () => {
  await site.close()
  await rm(dist, { recursive: true, force: true })
})

const page = async (path: string, headers: Record<string, string> = {}) => {
  const response = await site.client().fetch(path, { headers: { 'accept-encoding': 'identity', ...headers } })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

test.each([
  ['/', 200],
  ['/about', 200],
  ['/about/', 200],
  ['/search/a%2Fb%25', 200],
  ['/search/', 200],
  ['/search/%20', 200],
  ['/search/%E0%A4%A', 404],
  ['/login', 200],
  ['/notfound', 200],
  ['/offline', 200],
  ['/c/ines', 200],
  ['/c/INES/dashboard/delete/video1', 200],
  ['/c/INES/dashboard/edit/video1', 200],
  ['/c/nobody', 404],
  ['/c/ines/elsewhere', 404],
  ['/video/video1', 200],
  ['/video/video1/', 200],
  ['/video/video1/share', 200],
  ['/embed/video1', 200],
  ['/video/nothing', 404],
  ['/video/%00', 404],
  ['/video/%E0%A4%A', 404],
  ['/nowhere/at/all', 404],
  ['/assets', 404],
])('serves the application at %s with %i', async (path, status) => {
  const response = await page(path)
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.html).toContain('<div id="root">')
})

test('describes a video in the head with escaped text', async () => {
  const { html } = await page('/video/video1')
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('content="old"')
  expect(html.match(/<title>/g)).toHaveLength(1)
  expect(html).toContain(
    '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt; $&amp; $1 · Kinora</title>',
  )
  expect(html).toContain(`<link rel="canonical" href="${site.origin}/video/video1">`)
  expect(html).toContain('<meta name="description" content="Salt flats at dawn &quot;slowly&quot;">')
  expect(html).toContain(`property="og:image" content="${site.origin}/media/pictures/thumb1/1280.jpg"`)
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'VideoObject',
    name: title,
    duration: 'PT1M15S',
    embedUrl: `${site.origin}/embed/video1`,
  })
})

test('shows no picture of a video with sensitive content, unless the site does', async () => {
  const mark = (sensitiveReason: string | null) =>
    site.db.updateTable('videos').set({ sensitiveReason }).where('id', '=', 'video1').execute()
  const pictures = (html: string) => [...html.matchAll(/media\/pictures\/thumb1\/\d+/g)].length
  await mark('Surgery')
  try {
    const read = async () => pictures((await page('/video/video1')).html)
    await expect.poll(read).toBe(0)
    await putSettings(site.db, { sensitiveVideos: 'show' })
    await expect.poll(read).toBeGreaterThan(0)
  } finally {
    await mark(null)
    await putSettings(site.db, { sensitiveVideos: 'blur' })
  }
})

test('names the feed of what a page lists', async () => {
  for (const [id, visibility] of [
    ['open1', 'unlisted'],
    ['closed1', 'private'],
  ] as const)
    await site.db.insertInto('playlists').values({ id, ownerId: 'user1', title: id, visibility }).execute()
  const feedOf = async (path: string) =>
    /<link rel="alternate" type="application\/rss\+xml" href="([^"]+)"/.exec((await page(path)).html)?.[1]
  for (const [path, feed] of [
    ['/', '/feeds/videos'],
    ['/c/ines', '/feeds/channels/Ines'],
    ['/search/salt%20flats', '/feeds/search?text=salt+flats'],
    ['/tag/Salt', '/feeds/tag/salt'],
    ['/category/music', '/feeds/category/music'],
    ['/playlist/open1', '/feeds/playlists/open1'],
  ] as const)
    expect([path, await feedOf(path)]).toEqual([path, site.origin + feed])
  for (const path of ['/playlist/closed1', '/video/video1', '/about'])
    expect([path, await feedOf(path)]).toEqual([path, undefined])
})

test('lists the chapters of a video for search engines', async () => {
  await site.db
    .updateTable('videos')
    .set({ description: '0:00 </script>\n0:20 Flats\n0:40 Dawn' })
    .where('id', '=', 'video1')
    .execute()
  const { html } = await page('/video/video1')
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? ''
  const url = `${site.origin}/video/video1?t=`
  expect(JSON.parse(data).hasPart).toEqual([
    { '@type': 'Clip', name: '</script>', startOffset: 0, endOffset: 20, url: `${url}0` },
    { '@type': 'Clip', name: 'Flats', startOffset: 20, endOffset: 40, url: `${url}20` },
    { '@type': 'Clip', name: 'Dawn', startOffset: 40, endOffset: 75, url: `${url}40` },
  ])
})

test('asks first who is signed in, then for the page itself', async () => {
  const preloads = ({ html }: { html: string }) =>
    [...html.matchAll(/rel="preload" as="fetch" crossorigin="anonymous" href="([^"]+)"/g)].map(
      ([, href]) => href,
    )
  expect(preloads(await page('/'))).toEqual(['/api/v1/users/currentuser', '/api/v1/video/all'])
  const watched = ['/api/v1/users/currentuser', '/api/v1/video/video1']
  expect(preloads(await page('/video/video1'))).toEqual([...watched, '/media/videos/video1/master.m3u8'])
  expect(preloads(await page('/embed/video1'))).toEqual(watched)
})

test('preloads all code of a page, including the player if it plays immediately', async () => {
  const files = ({ html }: { html: string }) =>
    [
      ...html.matchAll(/<link rel="(?:modulepreload|stylesheet)" crossorigin="anonymous" href="([^"]+)"/g),
    ].map(([, href]) => href)
  expect(files(await page('/video/video1'))).toEqual([
    '/assets/player-4.js',
    '/assets/watch-3.js',
    '/assets/hls-5.js',
    // Dependencies come before what overrides them.
    '/assets/player-4.css',
    '/assets/watch-3.css',
  ])
  expect(files(await page('/embed/video1'))).toEqual([
    '/assets/player-4.js',
    '/assets/embed-6.js',
    '/assets/player-4.css',
  ])
  for (const path of ['/', '/about', '/video/nothing']) expect(files(await page(path))).toEqual([])
  expect((await page('/.vite/manifest.json')).html).not.toContain('player-4')
})

test('names the messages that a page shows first in each language', async () => {
  const messages = async (path: string) =>
    JSON.parse(
      /name="kinora-messages" content="([^"]*)"/
        .exec((await page(path)).html)?.[1]
        ?.replaceAll('&quot;', '"') ?? '',
    ) as unknown
  expect(await messages('/video/video1')).toEqual({
    en: ['/assets/messages-8.js'],
    de: ['/assets/messages-9.js', '/assets/messages-10.js'],
  })
  expect(await messages('/')).toEqual({ de: ['/assets/messages-9.js'] })
})

test('serves the same skeleton to everyone', async () => {
  const root = async (path: string) =>
    /<div id="root">(.*)<\/div>\s*<\/body>/
      .exec((await page(path)).html)?.[1]
      ?.replace(/<picture>.*<\/picture>/, '')
      .replace(/<div class="t".*?<\/div>/, '')
  expect(await root('/')).toBe('<div inert>home</div>')
  expect(await root('/video/video1')).toBe('<div inert>watch</div>')
  for (const path of ['/c/ines', '/c/INES/videos/']) expect(await root(path)).toBe('<div inert>channel</div>')
  for (const path of ['/c/ines/subscribedto', '/c/ines/dashboard/upload'])
    expect(await root(path)).toBe('<div inert>channel-tab</div>')
  for (const path of ['/about', '/c/nobody', '/search/x', '/video/nothing', '/nowhere'])
    expect(await root(path)).toBe('<div inert>frame</div>')
  // The embedded player starts empty.
  expect(await root('/embed/video1')).toBe('')
  expect((await page('/.skeletons/home.html')).status).toBe(404)
})

test('preloads the first picture and shows it before any script runs', async () => {
  for (const path of ['/', '/c/ines', '/c/ines/videos']) {
    const { html } = await page(path)
    expect(html).toMatch(
      /<link rel="preload" as="image" fetchpriority="high" imagesrcset="\/media\/pictures\/thumb1\/320.webp 320w, [^"]+" imagesizes="[^"]+vw">/,
    )
    expect(html).toMatch(/<picture><source srcset="[^"]+thumb1\/320.webp 320w, [^"]+" sizes="[^"]+vw"><img /)
  }
  const watch = (await page('/video/video1')).html
  for (const [media, file] of [
    ['(min-width: 640px)', '/media/pictures/thumb1/1280.webp'],
    ['not all and (min-width: 640px)', '/media/pictures/thumb1/640.webp'],
  ]) {
    expect(watch).toContain(`as="image" fetchpriority="high" media="${media}" imagesrcset="${file}">`)
    expect(watch).toContain(`<source media="${media}" srcset="${file}">`)
  }
  // No other page has a known first picture.
  for (const path of ['/about', '/nowhere', '/c/ines/history', '/c/empty'])
    expect((await page(path)).html).not.toMatch(/<picture|<img|as="image"/)
})

test('shows the escaped title of a video before any script runs', async () => {
  const { html } = await page('/video/video1')
  expect(html).toContain(
    '<div class="t" dir="auto" data-first-title="">&lt;/title&gt;&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt; $&amp; $1</div>',
  )
})

test('describes a channel with an escaped name', async () => {
  const { html } = await page('/c/ines/videos')
  expect(html).toContain('<title>Ines &lt;b&gt;Okafor&lt;/b&gt; (@Ines) · Kinora</title>')
  expect(html).toContain(`<link rel="canonical" href="${site.origin}/c/Ines">`)
})

test('excludes missing pages from search engines', async () => {
  const { html } = await page('/video/nothing')
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).not.toContain('canonical')
})

test('revalidates pages, which are the same for everyone', async () => {
  const first = await page('/video/video1')
  const etag = first.headers.get('etag') ?? ''
  const again = await page('/video/video1', { 'if-none-match': etag, cookie: 'kinora_session=abc' })
  expect([again.status, again.html]).toEqual([304, ''])
  expect(first.headers.get('cache-control')).toContain('public')
})

test('compresses pages', async () => {
  const response = await site.client().fetch('/', { headers: { 'accept-encoding': 'gzip;q=0.5, br' } })
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(await response.text()).toContain('<div id="root"><div inert>home<')
})

test('serves hashed files with permanent caching, compressed by the build', async () => {
  const response = await site.client().fetch('/assets/app-D1x.js', { headers: { 'accept-encoding': 'gzip' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await response.text()).toBe(script)
  const worker = await page('/service-worker.js')
  expect(worker.headers.get('cache-control')).toBe('public, no-cache')
  const favicon = await page('/favicon.svg')
  expect(favicon.headers.get('cache-control')).toBe('public, max-age=3600')
})

test('returns 404 for a removed script', async () => {
  const { status, headers } = await page('/assets/app-old.js')
  expect([status, headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
})

test.each(['/../package.json', '/%2e%2e/package.json', '/assets/../../package.json', '/.env'])(
  'serves no file outside of the built site: %s',
  async (path) => {
    expect((await page(path)).html).not.toContain('"name"')
  },
)

test('responds with JSON to all paths below /api and /media', async () => {
  for (const path of ['/api', '/api/v2/x', '/api/v1/nothing', '/media/nothing']) {
    const response = await site.client().get(path)
    expect([response.status, response.body.success]).toEqual([404, false])
  }
  const broken = await site.client().get('/api/v1/video/%E0%A4%A')
  expect([broken.status, broken.body.code]).toEqual([404, 'not_found'])
})

test.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])(
  'returns 404 for a name from the object prototype: /%s',
  async (name) => {
    const { status, html } = await page(`/${name}`)
    expect([status, html.includes('undefined')]).toEqual([404, false])
  },
)

test('serves robots.txt, the site map and the search description', async () => {
  expect((await page('/robots.txt')).html).toContain(`Sitemap: ${site.origin}/sitemap.xml`)
  const sitemap = (await page('/sitemap.xml')).html
  expect(sitemap).toContain(`<loc>${site.origin}/video/video1</loc>`)
  expect(sitemap).toContain('&lt;script&gt;')
  expect((await page('/opensearch.xml')).html).toContain(`template="${site.origin}/search/{searchTerms}"`)
})

test('the site map shows titles literally', async () => {
  const rename = (to: string) =>
    site.db.updateTable('videos').set({ title: to }).where('id', '=', 'video1').execute()
  await rename('Tide <origin/>')
  expect((await page('/sitemap.xml')).html).toContain('<video:title>Tide &lt;origin/&gt;</video:title>')
  await rename(title)
})

test('removes a video that is taken down from the site map immediately', async () => {
  const sitemap = async () => site.client().fetch('/sitemap.xml')
  expect(await (await sitemap()).text()).toContain('/video/video1')
  await takeDown(site.context, 'video1', 'a complaint')
  expect(await (await sitemap()).text()).not.toContain('/video/video1')
  expect((await sitemap()).headers.get('cache-control')).toBe('public, no-cache')
  await reinstate(site.context, 'video1')
  expect(await (await sitemap()).text()).toContain('/video/video1')
})

test('a page shows a takedown and its end immediately', async () => {
  const status = async () => (await page('/video/video1')).status
  expect(await status()).toBe(200)
  await takeDown(site.context, 'video1', 'a complaint')
  expect(await status()).toBe(404)
  await reinstate(site.context, 'video1')
  expect(await status()).toBe(200)
})

test('the site map of a large site is an index of files, each with a part of the videos', async () => {
  const large = await createTestApp({ constants: { webDistDir: dist, videosPerSitemap: 2 } })
  try {
    const { user } = await signUp(large)
    const visitor = large.client()
    const locations = async (path: string) =>
      [...(await visitor.get(path)).text.matchAll(/<loc>([^<]*)/g)].map(([, location = '']) =>
        location.replace(large.origin, ''),
      )
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1)
      ids.push(await addVideo(large, user._id, { createdAt: new Date(Math.floor(at / 2) * 1000) }))
    const { text } = await visitor.get('/sitemap.xml')
    expect(text).toContain('<sitemapindex ')
    expect(await locations('/sitemap.xml')).toEqual(['/sitemap-1.xml', '/sitemap-2.xml', '/sitemap-3.xml'])
    const files = await Promise.all([1, 2, 3].map((number) => locations(`/sitemap-${number}.xml`)))
    expect(files.map(({ length }) => length)).toEqual([4, 2, 1])
    expect(files.flat().toSorted()).toEqual(['/', '/about', ...ids.map((id) => `/video/${id}`)].toSorted())
    for (const path of ['/sitemap-0.xml', '/sitemap-4.xml', '/sitemap-99999.xml'])
      expect((await visitor.get(path)).status).toBe(404)
    await takeDown(large.context, ids[2] ?? '', 'a complaint')
    expect(await locations('/sitemap-2.xml')).toEqual([`/video/${ids[3]}`])
  } finally {
    await large.close()
  }
})

test('sends an unchanged site map once', async () => {
  const request = (etag: string, path = '/sitemap.xml') =>
    site.client().fetch(path, { headers: { 'if-none-match': etag } })
  const etag = (await request('')).headers.get('etag') ?? ''
  expect((await request(etag)).status).toBe(304)
  expect((await request(etag, '/sitemap-1.xml')).status).toBe(304)
  await takeDown(site.context, 'video1', 'a complaint')
  const changed = await request(etag)
  expect([changed.status, await changed.text()]).toEqual([200, expect.not.stringContaining('/video/video1')])
  await reinstate(site.context, 'video1')
})

test('serves oEmbed for a video, scaled to the requested size', async () => {
  const url = encodeURIComponent(`${site.origin}/video/video1`)
  const { status, html } = await page(`/oembed?url=${url}&format=json&maxwidth=320`)
  expect(status).toBe(200)
  expect(JSON.parse(html)).toMatchObject({ type: 'video', version: '1.0', title, width: 320, height: 180 })
  for (const elsewhere of ['https://example.org/video/video1', `${site.origin}/video/nothing`, 'nonsense']) {
    expect((await page(`/oembed?url=${encodeURIComponent(elsewhere)}`)).status).toBe(404)
  }
  for (const [query, message] of [
    ['', 'url is required'],
    ['?url=', 'url is required'],
    [`?url=${url}&url=${url}`, 'url is given twice'],
  ]) {
    const refused = await page(`/oembed${query}`)
    expect(refused.status).toBe(400)
    expect(refused.html).toContain(message)
  }
})

test.each([
  ['?t=1:10&end=1m40s', '?t=70&amp;end=100'],
  ['?list=abc&t=soon&end=5', '?end=5'],
  ['?t=9&end=5', '?t=9'],
])('oEmbed plays the part of a video that %s names', async (query, times) => {
  const url = encodeURIComponent(`${site.origin}/video/video1${query}`)
  const { html } = JSON.parse((await page(`/oembed?url=${url}`)).html) as { html: string }
  expect(html).toContain(`src="${site.origin}/embed/video1${times}"`)
})

test('caches keep no oEmbed response beyond a takedown', async () => {
  const url = `/oembed?url=${encodeURIComponent(`${site.origin}/video/video1`)}`
  const first = await site.client().fetch(url)
  expect(first.headers.get('cache-control')).toBe('public, no-cache')
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await site.client().fetch(url, { headers })
  expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*'])
  await takeDown(site.context, 'video1', 'a complaint')
  expect((await site.client().fetch(url, { headers })).status).toBe(404)
  await reinstate(site.context, 'video1')
})

test('serves a new build after it is deployed', async () => {
  await writeFile(join(dist, 'index.html'), template.replace('root', 'fresh'))
  await utimes(join(dist, 'index.html'), new Date(), new Date(Date.now() + 5000))
  await expect.poll(async () => (await page('/')).html).toContain('<div id="fresh"></div>')
  await writeFile(join(dist, 'index.html'), template)
  await utimes(join(dist, 'index.html'), new Date(), new Date(Date.now() + 9000))
})

test('explains how to build the site if it is not built', async () => {
  const bare = await createTestApp({ constants: { webDistDir: '/nowhere' } })
  try {
    const response = await bare.client().get('/')
    expect([response.status, response.text]).toEqual([
      503,
      'The site is not built yet: `npm start` builds it.\n',
    ])
  } finally {
    await bare.close()
  }
})

test('uses the public URL, else the host of the request, never X-Forwarded-Host', async () => {
  const named = await createTestApp({
    settings: { PUBLIC_URL: 'https://kinora.example/' },
    constants: { webDistDir: dist },
  })
  const proxied = await createTestApp({ settings: { TRUST_PROXY: 'true' }, constants: { webDistDir: dist } })
  try {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'videos.example:8443' }
    const canonical = async (app: TestApp) =>
      /rel="canonical" href="([^"]+)"/.exec(
        await (await app.client().fetch('/about', { headers })).text(),
      )?.[1]
    expect(await canonical(named)).toBe('https://kinora.example/about')
    expect(await canonical(proxied)).toBe(`${proxied.origin.replace('http:', 'https:')}/about`)
    expect(await canonical(site)).toBe(`${site.origin}/about`)
  } finally {
    await named.close()
    await proxied.close()
  }
})

test('a link on another site has to be confirmed before it signs out', async () => {
  const open = async (path: string, fetchSite?: string) => {
    const headers: Record<string, string> = fetchSite ? { 'sec-fetch-site': fetchSite } : {}
    const response = await site.client().fetch(path, { headers })
    return [response.status, response.headers.get('location')]
  }
  for (const ours of [undefined, 'none', 'same-origin'])
    expect(await open('/logout', ours)).toEqual([200, null])
  for (const path of ['/logout', '/LOGOUT/', '/logout//', '/%6cogout', '/logout?x', '/logout?noconfirm'])
    expect(await open(path, 'cross-site')).toEqual([303, '/logout?confirm'])
  expect(await open('/logout?confirm', 'cross-site')).toEqual([200, null])
  expect(await open('/about', 'cross-site')).toEqual([200, null])
})

test('publishes the settings that forms validate', async () => {
  const strict = await createTestApp({
    settings: { PASSWORD_MIN_LENGTH: '12' },
    constants: { webDistDir: dist, titleMaxCharacters: 40 },
  })
  try {
    const html = await (await strict.client().fetch('/register')).text()
    const [, content = ''] = /<meta name="kinora-settings" content="([^"]*)">/.exec(html) ?? []
    expect(JSON.parse(content.replaceAll('&quot;', '"'))).toEqual({
      ...defaultSettings,
      passwordMinLength: 12,
      titleMaxCharacters: 40,
    })
  } finally {
    await strict.close()
  }
})

test('marks portrait videos for the style sheets before any script runs', async () => {
  expect((await page('/video/video1')).html).toContain('<html lang="en">')
  const turn = (sides: { width: number; height: number }) =>
    site.db.updateTable('videos').set(sides).where('id', '=', 'video1').execute()
  await turn({ width: 1080, height: 1920 })
  try {
    expect((await page('/video/video1')).html).toContain('<html data-upright lang="en">')
  } finally {
    await turn({ width: 1920, height: 1080 })
  }
})

test('the player is for the sites that the owner allows, and previews say nothing else', async () => {
  const owner = await signUp(site)
  const id = await addVideo(site, owner.user._id, { title: 'Club evening' })
  const choose = (own: EmbedPolicy | null) =>
    owner.client.call(putVideoEmbeds, { params: { id }, body: { own } })
  const frame = async (referer?: string, more: Record<string, string> = {}) => {
    const headers = { 'sec-fetch-dest': 'iframe', ...(referer && { referer }), ...more }
    const response = await site.client().fetch(`/embed/${id}`, { headers })
    const html = await response.text()
    const [, ancestors] =
      /frame-ancestors ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '') ?? []
    return { isRefused: html.includes(embedRefusedMeta), ancestors, shows: html.includes('Club evening') }
  }
  const refused = { isRefused: true, ancestors: '*', shows: false }
  const preview = async () => {
    const url = encodeURIComponent(`${site.origin}/video/${id}`)
    const { type, html } = JSON.parse((await page(`/oembed?url=${url}`)).html) as {
      type: string
      html?: string
    }
    const hasPlayer = (await page(`/video/${id}`)).html.includes('og:video')
    return [type, html !== undefined, hasPlayer]
  }
  expect(await frame('https://other.example/')).toEqual({ isRefused: false, ancestors: '*', shows: true })
  expect(await preview()).toEqual(['video', true, true])

  await choose({ allowed: 'sites', sites: ['https://Club.example/news', '*.school.example'] })
  const limited = { isRefused: false, ancestors: "'self' club.example *.school.example", shows: true }
  for (const allowed of ['https://club.example/', 'https://a.school.example/', site.origin, undefined])
    expect([allowed, await frame(allowed)]).toEqual([allowed, limited])
  for (const other of ['https://other.example/', 'https://club.example.evil.example/', 'nonsense'])
    expect([other, await frame(other)]).toEqual([other, refused])
  // a forged address of an allowed page gets the document, whose policy names the same sites to browsers
  expect(
    await frame('https://club.example/', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
  ).toEqual(limited)
  expect(await preview()).toEqual(['link', false, false])

  await choose({ allowed: 'nowhere', sites: [] })
  expect(await frame(undefined, { 'sec-fetch-site': 'cross-site' })).toEqual(refused)
  expect(await frame(undefined, { 'sec-fetch-dest': 'document' })).toMatchObject({ ancestors: "'self'" })

  // the channel decides where the video does not
  await choose(null)
  await owner.client.call(putChannelEmbeds, { body: { allowed: 'nowhere', sites: [] } })
  expect(await frame('https://club.example/', { 'sec-fetch-site': 'cross-site' })).toEqual(refused)
  await choose({ allowed: 'everywhere', sites: [] })
  expect(await frame('https://club.example/')).toMatchObject({ isRefused: false, ancestors: '*' })
})
