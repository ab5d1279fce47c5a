/** Where installed sites receive files of other programs: `share_target` in `manifest.webmanifest`. */
export const shareTarget = { action: '/share-target', field: 'videos', page: '/studio?shared' }

/** The message with which a page asks the service worker for shared files. */
export const sharedFilesRequest = 'shared files'

/** The files for which this page was opened, none if it was opened otherwise. */
export function receiveSharedFiles(): Promise<File[]> {
  const worker = navigator.serviceWorker?.controller
  const [opened] = performance.getEntriesByType('navigation')
  if (!worker || !opened?.name.endsWith(shareTarget.page)) return Promise.resolve([])
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }) => resolve(data), { once: true })
    port1.start()
    worker.postMessage(sharedFilesRequest, [port2])
  })
}
