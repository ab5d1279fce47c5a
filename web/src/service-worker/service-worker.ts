/// <reference lib="webworker" />
import { PrecacheController } from 'workbox-precaching'
import { shareTarget, sharedFilesRequest } from '../lib/browser/share-target.ts'

/**
 * Shows notifications, opens the site without a network, and receives files that other programs share. Requests for data
 * and media never pass through it, and files of the site only for pages that it opened itself.
 */
declare const self: ServiceWorkerGlobalScope

/** Files of the frame and of the home page; `revision` is null where the name changes with the content. */
declare const __SHELL_FILES__: { url: string; revision: string | null }[]

/** A page without content of its own, which shows the address that the browser has. */
const SHELL = '/offline'
const dataPaths = ['/api/*', '/media/*']

const shell = new PrecacheController()
shell.addToCacheList(__SHELL_FILES__)

/** Pages opened without a network. */
const offlineClients = new Set<string>()
/** Shared files until the page that was opened for them asks. Stored, because browsers end idle workers. */
const SHARED_FILES = 'shared-files'
const sharedKeptMs = 24 * 3_600_000

self.addEventListener('install', (event) => {
  void shell.install(event)
  void self.skipWaiting()
  // Browsers that know static routes do not even start the worker for these.
  const routes = dataPaths.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' }))
  if ('addRoutes' in event) event.waitUntil((event as StaticRouter).addRoutes(routes).catch(() => undefined))
})

interface StaticRouter {
  addRoutes(rules: { condition: { urlPattern: { pathname: string } }; source: string }[]): Promise<void>
}

self.addEventListener('activate', (event) => {
  void shell.activate(event)
  // A page is requested while the worker starts.
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), deleteOldFiles()]))
})

self.addEventListener('fetch', (event) => {
  const { request, clientId } = event
  const { pathname, origin } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (request.method === 'GET') event.respondWith(openPage(event, pathname))
    else if (pathname === shareTarget.action) event.respondWith(receiveFiles(request))
  } else if (offlineClients.has(clientId) && shell.getCacheKeyForURL(request.url)) {
    event.respondWith(openFile(request))
  }
})

/** A page from the server, or without a connection to it the shell. */
async function openPage(event: FetchEvent, pathname: string): Promise<Response> {
  try {
    const preloaded: Response | undefined = await event.preloadResponse
    return preloaded ?? (await fetch(event.request))
  } catch (error) {
    const isData = dataPaths.some((pattern) => pathname.startsWith(pattern.slice(0, -1)))
    const page =
      isData || event.request.destination !== 'document' ? undefined : await shell.matchPrecache(SHELL)
    if (!page) throw error
    offlineClients.add(event.resultingClientId)
    return page
  }
}

async function openFile(request: Request): Promise<Response> {
  return (await shell.matchPrecache(request)) ?? fetch(request)
}

async function receiveFiles(request: Request): Promise<Response> {
  const fields = await request.formData()
  const files = fields.getAll(shareTarget.field).filter((field) => field instanceof File)
  await deleteOldFiles()
  await storeFiles(files)
  return Response.redirect(shareTarget.page, 303)
}

/** Keys are in the order of arrival. */
async function storeFiles(files: File[]): Promise<void> {
  const cache = await caches.open(SHARED_FILES)
  const now = Date.now()
  for (const [index, file] of files.entries()) {
    const headers = { 'content-type': file.type, 'last-modified': new Date(file.lastModified).toUTCString() }
    const key = `/${SHARED_FILES}/${now}/${index}/${encodeURIComponent(file.name)}`
    await cache.put(key, new Response(file, { headers }))
  }
}

/** Returns the stored files, and deletes them. */
async function takeFiles(): Promise<File[]> {
  const cache = await caches.open(SHARED_FILES)
  const files: File[] = []
  for (const key of await cache.keys()) {
    const stored = await cache.match(key)
    // another page may have taken it
    if (!stored || !(await cache.delete(key))) continue
    const { headers } = stored
    const name = decodeURIComponent(new URL(key.url).pathname.split('/').at(-1) ?? '')
    const lastModified = Date.parse(headers.get('last-modified') ?? '')
    files.push(
      new File([await stored.blob()], name, { type: headers.get('content-type') ?? '', lastModified }),
    )
  }
  return files
}

async function deleteOldFiles(): Promise<void> {
  const cache = await caches.open(SHARED_FILES)
  for (const key of await cache.keys()) {
    const sharedAt = Number(new URL(key.url).pathname.split('/')[2])
    if (sharedAt < Date.now() - sharedKeptMs) await cache.delete(key)
  }
}

self.addEventListener('message', (event) => {
  if (event.data !== sharedFilesRequest) return
  event.waitUntil(takeFiles().then((files) => event.ports[0]?.postMessage(files)))
})

interface Notice {
  id: string
  title: string
  body: string
  path: string
}

self.addEventListener('push', (event) => {
  if (!event.data) return
  // Sent by our server alone: only it has the key of the subscription.
  const { id, title, body, path } = event.data.json() as Notice
  // the tag: a notification that arrives twice is shown once
  const options = { body, tag: id, icon: '/icon-192.png', data: { id, path } }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  const { id, path } = event.notification.data as Notice
  event.notification.close()
  event.waitUntil(Promise.allSettled([show(new URL(path, self.location.origin).href), markRead(id)]))
})

/** Focuses a window that shows an address, or opens one. */
async function show(address: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === address)
  await (shown ? shown.focus() : self.clients.openWindow(address))
}

function markRead(id: string): Promise<Response> {
  return fetch(`/api/v1/notifications/${encodeURIComponent(id)}/read`, { method: 'PUT', keepalive: true })
}
