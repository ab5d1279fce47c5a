import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { authQuery } from './features/accounts/sessions/api.ts'
import { NotifyOtherTabs, openSessionChannel } from './features/accounts/sessions/session-channel.ts'
import { noticeMissingStyles } from './lib/browser/load-page.ts'
import { recordPage } from './lib/browser/previous-page.ts'
import { rootOptions } from './lib/browser/root-options.ts'
import { registerServiceWorker } from './lib/browser/service-worker.ts'
import { loadMessages } from './lib/i18n/messages.ts'
import { pageOf } from './paths.ts'
import { loadWatchPage } from './pages/watch/load-watch-page.ts'
import { createQueryClient } from './query-client.ts'
import { routes } from './routes.tsx'
import './styles/global.css'

const queryClient = createQueryClient()
// Every page depends on the session, so it is requested before anything renders.
void queryClient.prefetchQuery(authQuery)
noticeMissingStyles()
registerServiceWorker()

// Most clicks open a video: the watch page is prefetched on the first hover or focus.
for (const approach of ['pointerover', 'focusin']) {
  addEventListener(approach, ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="/video/"]'))
      // A failed prefetch is repeated and reported by the navigation.
      loadWatchPage().catch(() => {})
  })
}

nameFirstEntry()
const root = document.getElementById('root')
if (!root) throw new Error('index.html holds no #root')
const reactRoot = createRoot(root, rootOptions)
const notifyOtherTabs = openSessionChannel(queryClient)
const router = createBrowserRouter(routes)
recordPage(pageOf(router.state.location.pathname))
router.subscribe(({ location: { pathname } }) => recordPage(pageOf(pathname)))

async function render() {
  // Without them the page is drawn in English.
  await loadMessages('base').catch((error: unknown) =>
    console.warn('The messages could not be loaded', error),
  )
  reactRoot.render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <NotifyOtherTabs value={notifyOtherTabs}>
            <RouterProvider router={router} />
          </NotifyOtherTabs>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}

// Waits for the page's chunk, because the skeleton in the HTML shows more than the frame alone.
if (router.state.initialized) void render()
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    void render()
  })
}

/**
 * The router stores scroll positions by history key, and the first entry of every page load has the same key. Without this,
 * a page opened by its address would start at the scroll position of the previous one.
 */
function nameFirstEntry() {
  const state: { key?: string } | null = history.state
  if (!state?.key) history.replaceState({ ...state, key: String(performance.timeOrigin) }, '')
}
