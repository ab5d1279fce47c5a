// Shows notifications that the server sends by web push. Caches nothing and handles no requests of pages.
self.addEventListener('install', () => void self.skipWaiting())

self.addEventListener('push', (event) => {
  const { id, title, body, path } = event.data.json()
  // the tag: a notification that arrives twice is shown once
  const options = { body, tag: id, icon: '/icon-192.png', data: { id, path } }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  const { id, path } = event.notification.data
  event.notification.close()
  event.waitUntil(Promise.allSettled([show(new URL(path, self.location.origin).href), markRead(id)]))
})

/** Focuses a window that shows an address, or opens one. */
async function show(address) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === address)
  await (shown ? shown.focus() : self.clients.openWindow(address))
}

function markRead(id) {
  return fetch(`/api/v1/notifications/${encodeURIComponent(id)}/read`, { method: 'PUT', keepalive: true })
}
