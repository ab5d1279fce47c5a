import { i18n } from '@lingui/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { WatchShell, AppFrame, Shell } from './layout/shell.tsx'
import { ChannelPageSkeleton } from './pages/channel/channel-skeleton.tsx'
import { HomePage } from './pages/home-page.tsx'
import { WatchPageSkeleton } from './pages/watch/watch-skeleton.tsx'
import { createQueryClient } from './query-client.ts'
import { loadMessages } from './lib/i18n/messages.ts'
import './styles/global.css'

i18n.on('missing', ({ id }) => {
  throw new Error(`No catalog has the message ${id}`)
})
await loadMessages('pages')

/**
 * Markup in the HTML of a page until its scripts run: the same components without data. Only
 * the build runs this (`skeleton-build.ts`).
 */
export const skeletons = {
  home: markupOf('/', <Shell />, <HomePage />),
  watch: markupOf('/video/_', <WatchShell />, <WatchPageSkeleton />),
  channel: markupOf('/c/_/videos', <Shell />, <ChannelPageSkeleton />),
  'channel-tab': markupOf('/c/_/edit', <Shell />, <ChannelPageSkeleton />),
  // Their content depends on the session, so only the frame is rendered.
  frame: markupOf('/_', <Shell />, null),
}

/** Hidden from pointers, screen readers and keyboard: nothing in it works before the scripts run. */
function markupOf(path: string, shell: ReactNode, page: ReactNode): string {
  const routes = [
    { element: <AppFrame />, children: [{ element: shell, children: [{ path: '*', element: page }] }] },
  ]
  return renderToStaticMarkup(
    <fieldset disabled inert aria-hidden="true">
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} />
      </QueryClientProvider>
    </fieldset>,
  )
}
