import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import { pictureIdOfUrl } from '@kinora/contract/pictures.ts'
import * as contract from '@kinora/contract/operations/site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../../app/create-context.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawPicture, registrationForm, signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { uploadForm } from '../../../testing/fixtures/test-uploads.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { SiteSettingsCache } from '../../../context/site-settings.ts'
import { deletePictureFiles } from '../../pictures/jobs.ts'
import { listShownPictures } from '../../pictures/queries.ts'
import { deleteOldAuditEntries } from '../administration/jobs.ts'
import { updateRole } from '../../accounts/users/queries.ts'

type Changes = Partial<contract.SiteSettings>

let site: TestApp
let administrator: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
})
afterAll(() => site.close())

async function put(changes: Changes) {
  const { settings } = await administrator.client.call(contract.getSiteSettings, {})
  return administrator.client.call(contract.putSiteSettings, { body: { ...settings, ...changes } })
}
const text = async (path: string, at = site) => (await at.client().fetch(path)).text()

test('a site is called Kinora and is open until somebody changes that', async () => {
  expect(await site.client().call(contract.getSite, {})).toEqual({
    siteName: 'Kinora',
    siteLogo: null,
    sensitiveVideos: 'blur',
    siteAccent: null,
    siteAbout: '',
    siteRules: '',
    siteContact: '',
    registration: 'open',
    acceptedContainers: ['mp4', 'webm', 'ogg'],
    isSetUp: true,
  })
})

test('administrators read the settings of the environment without passwords', async () => {
  const other = await createTestApp({
    settings: {
      SMTP_URL: 'smtp://kinora:geheim@mail.example.org:587',
      MAIL_FROM: 'Our videos <kinora@example.org>',
      PUBLIC_URL: 'https://video.example.org',
    },
  })
  onTestFinished(() => other.close())
  const { client, user } = await signUp(other)
  expect(await other.client().call(contract.getSite, {})).toMatchObject({ isSetUp: false })
  await updateRole(other.db, user._id, 'administrator')
  expect(await other.client().call(contract.getSite, {})).toMatchObject({ isSetUp: true })
  const { environment } = await client.call(contract.getSiteSettings, {})
  expect(environment).toMatchObject({
    SMTP_URL: 'mail.example.org:587',
    MAIL_FROM: 'Our videos <kinora@example.org>',
    SESSION_MAX_DAYS: null,
    IMPORT_BY_ADDRESS: 'false',
  })
  expect(JSON.stringify(environment)).not.toContain('geheim')
})

test('the name is in titles, the manifest, feeds, search plugin and oEmbed', async () => {
  const { user } = await signUp(site)
  const videoId = await addVideo(site, user._id, { title: 'Tide' })
  await put({ siteName: ' Harbour\nTV & more ' })
  const page = await text('/about')
  expect(page).toContain('<title>About · Harbour TV &amp; more</title>')
  expect(page).not.toContain('Kinora</title>')
  expect(JSON.parse(await text('/manifest.webmanifest'))).toMatchObject({ name: 'Harbour TV & more' })
  expect(await text('/feeds/videos')).toContain('<title>Harbour TV &amp; more</title>')
  expect(await text('/opensearch.xml')).toContain('Harbour TV &amp; more</ShortName>')
  const address = encodeURIComponent(`${site.origin}/video/${videoId}`)
  expect(JSON.parse(await text(`/oembed?url=${address}`))).toMatchObject({
    provider_name: 'Harbour TV & more',
  })
  await put({ siteName: 'Kinora' })
})

test('pages are in the language of the site, and name those that a browser may prefer', async () => {
  const about = await text('/about')
  expect(about).toContain('<html lang="en">')
  expect(about).not.toMatch(/og:locale|data-languages/)
  await put({ siteLanguage: 'ar', detectLanguage: true })
  const arabic = await text('/about')
  expect(arabic).toContain('<html lang="ar" dir="rtl" data-languages="en de es fr pt-BR ja zh-CN ar">')
  expect(arabic).toContain('<meta property="og:locale" content="ar_AR">')
  expect(arabic).toContain('content="شاهد الفيديوهات')
  await put({ siteLanguage: 'en', detectLanguage: false })
})

test('a readable accent colour has a style sheet for both themes, a pale one is rejected', async () => {
  await expect(put({ siteAccent: '#ffd400' })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'siteAccent', message: 'Text in this colour cannot be read. Choose a darker one.' }],
  })
  expect(await text('/')).not.toContain('/site.css')
  await put({ siteAccent: '#8A1C5B' })
  expect(await text('/')).toContain('href="/site.css?accent=8a1c5b"')
  expect(await text('/site.css')).toMatch(/--accent:#8a1c5b.*data-theme='dark'/s)
  // a page may be of another process, which has a newer colour
  expect(await text('/site.css?accent=00697a')).toContain('--accent:#00697a')
  for (const bad of ['8a1c5b}body{', 'red', ''])
    expect(await text(`/site.css?accent=${encodeURIComponent(bad)}`)).toContain('--accent:#8a1c5b')
  await put({ siteAccent: null })
})

test('a closed site lets nobody register at once, in other processes within a moment', async () => {
  const other = await createTestApp({ databaseUrl: site.databaseUrl })
  onTestFinished(() => other.close())
  await put({ registration: 'closed', siteRules: 'Be kind' })
  const { status } = await site.client().post('/api/v1/users/register', await registrationForm())
  expect(status).toBe(403)
  await expect
    .poll(() => other.client().call(contract.getSite, {}))
    .toMatchObject({ registration: 'closed', siteRules: 'Be kind' })
  await put({ registration: 'open', siteRules: '' })
  expect((await other.client().post('/api/v1/users/register', await registrationForm())).status).toBe(201)
})

test('a worker starts with the stored settings', async () => {
  await put({ quotaVideos: 7 })
  onTestFinished(async () => void (await put({ quotaVideos: null })))
  const worker = await createContext(site.context.config, site.databaseUrl, 'worker')
  onTestFinished(() => worker.close())
  expect(worker.siteSettings.current.quotaVideos).toBe(7)
})

test('a process creates a missing DATA_DIR only with a bucket: a disk with videos may not be mounted', async () => {
  const dataDir = join(temporaryDirectory(), 'not-mounted')
  await expect(
    createContext({ ...site.context.config, dataDir }, site.databaseUrl, 'worker'),
  ).rejects.toThrow('Is its disk mounted?')
  expect(existsSync(dataDir)).toBe(false)
})

test('a slow read that began before a change does not bring the old settings back', async () => {
  const reads = [1, 2].map(() => Promise.withResolvers<Map<string, unknown>>())
  const waiting = reads.map(({ promise }) => promise)
  const read = async () => waiting.shift() ?? new Map<string, unknown>()
  const cache = new SiteSettingsCache(site.context.config, read, site.context.log)
  const loads = [cache.load(), cache.load()]
  reads[1]?.resolve(new Map([['siteName', 'New']]))
  await loads[1]
  reads[0]?.resolve(new Map([['siteName', 'Old']]))
  expect(await loads[0]).toMatchObject({ siteName: 'New' })
  expect(cache.current.siteName).toBe('New')
})

test('a setting that is left out stays as another administrator has set it', async () => {
  const change = (body: Changes) => administrator.client.call(contract.putSiteSettings, { body })
  await change({ siteRules: 'Be kind' })
  await change({ siteContact: 'ines@example.org' })
  expect(await site.client().call(contract.getSite, {})).toMatchObject({
    siteRules: 'Be kind',
    siteContact: 'ines@example.org',
  })
  await change({ siteRules: '', siteContact: '' })
})

test('each change has an entry in the audit log', async () => {
  await put({ siteContact: 'ines@example.org' })
  const { entries } = await administrator.client.call(listAuditLog, { query: { limit: 1 } })
  expect(entries).toMatchObject([
    { action: 'change_settings', subject: 'siteContact', details: 'ines@example.org' },
  ])
})

test('administrators choose the formats that uploads may have', async () => {
  const upload = async () => {
    const form = await uploadForm({}, Buffer.from('tide table'))
    return (await administrator.client.post('/api/v1/video/upload', form)).body.message
  }
  expect(await upload()).toBe('Invalid file type. Only MP4, WebM, and Ogg are allowed.')
  await put({ acceptedContainers: ['mp4', 'mov'] })
  expect(await upload()).toBe('Invalid file type. Only MP4 and QuickTime (MOV) are allowed.')
  expect(await text('/about')).toContain('&quot;acceptedContainers&quot;:[&quot;mp4&quot;,&quot;mov&quot;]')
  await put({ acceptedContainers: ['mp4', 'webm', 'ogg'] })
})

test('an environment variable wins, and cannot be changed in the administration', async () => {
  const fixed = await createTestApp({
    databaseUrl: site.databaseUrl,
    settings: { SITE_NAME: 'Fixed', REGISTRATION: 'approval', ACCEPTED_CONTAINERS: 'mp4' },
  })
  onTestFinished(() => fixed.close())
  expect(await text('/about', fixed)).toContain('<title>About · Fixed</title>')
  expect(await fixed.client().call(contract.getSite, {})).toMatchObject({ registration: 'approval' })
  const client = fixed.client()
  const { email } = administrator.user
  await client.post('/api/v1/users/login', { email, password: testPassword })
  const { settings, fixed: names } = await client.call(contract.getSiteSettings, {})
  expect([settings.siteName, names]).toEqual(['Fixed', ['siteName', 'registration', 'acceptedContainers']])
  expect(settings.acceptedContainers).toEqual(['mp4'])
  const change = (changes: Changes) =>
    client.call(contract.putSiteSettings, { body: { ...settings, ...changes } })
  await expect(change({ siteName: 'Free' })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'siteName' }],
  })
  expect(await change({ siteContact: 'jonas@example.org' })).toMatchObject({
    settings: { siteName: 'Fixed', siteContact: 'jonas@example.org' },
  })
})

test('the logo is in the bar, icons, link previews and the manifest, and its files go with it', async () => {
  const logo = new FormData()
  logo.set('logo', await drawPicture())
  const { settings } = await administrator.client.call(contract.putLogo, { body: logo })
  const { siteLogo } = settings
  expect((await site.client().fetch(siteLogo ?? '')).headers.get('content-type')).toBe('image/webp')
  expect(await site.client().call(contract.getSite, {})).toMatchObject({ siteLogo })
  const large = siteLogo?.replace('160.webp', '320.jpg')
  expect(JSON.parse(await text('/manifest.webmanifest'))).toMatchObject({ icons: [{ src: large }] })
  expect(await text('/')).toContain(`content="${site.origin}${large}"`)
  expect(await text('/about')).toContain(`<link rel="icon" href="${siteLogo}" type="image/webp">`)
  const id = pictureIdOfUrl(siteLogo ?? '')
  expect(await listShownPictures(site.db, [id, 'other'])).toEqual([id])

  const page = new FormData()
  page.set('logo', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/png' }), 'logo.png')
  await expect(administrator.client.call(contract.putLogo, { body: page })).rejects.toMatchObject({
    status: 400,
  })
  await administrator.client.call(contract.deleteLogo, {})
  expect(await site.client().call(contract.getSite, {})).toMatchObject({ siteLogo: null })
  expect(await listShownPictures(site.db, [id])).toEqual([])
  expect(await text('/about')).not.toContain(id)
})

test('of two first logos at once, one stays and the other is deleted', async () => {
  await site.db.deleteFrom('siteSettings').where('name', '=', 'siteLogo').execute()
  const putLogo = async () => {
    const body = new FormData()
    body.set('logo', await drawPicture())
    return administrator.client.call(contract.putLogo, { body })
  }
  const retired = async () => {
    const { rows } = await sql<{ id: string }>`
      select data->>'id' as id from pgboss.job where name = ${deletePictureFiles.name}`.execute(site.db)
    return rows.map(({ id }) => id)
  }
  const before = await retired()
  await Promise.all([putLogo(), putLogo()])
  const { siteLogo } = await site.client().call(contract.getSite, {})
  const added = (await retired()).filter((id) => !before.includes(id))
  expect(added).toHaveLength(1)
  expect(added).not.toContain(pictureIdOfUrl(siteLogo ?? ''))
})

test('the audit log is kept for good unless administrators limit its days', async () => {
  const run = () => deleteOldAuditEntries.handle({}, site.context, new AbortController().signal)
  await put({ siteContact: 'old@example.org' })
  site.clock.advance(400 * 24 * 3600_000)
  await run()
  const { email } = administrator.user
  await administrator.client.post('/api/v1/users/login', { email, password: testPassword })
  const count = async () => (await administrator.client.call(listAuditLog, { query: {} })).total
  expect(await count()).toBeGreaterThan(1)
  await put({ auditLogDays: 365 })
  await run()
  expect(await count()).toBe(1)
  await expect(put({ auditLogDays: 0 })).rejects.toMatchObject({ errors: [{ path: 'auditLogDays' }] })
})
