import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { authQuery } from './features/auth/api.ts'
import { createQueryClient } from './query-client.ts'
import { routes } from './routes.tsx'
import './styles/global.css'

const queryClient = createQueryClient()
// Who is signed in decides what every page shows: asked first, before anything renders.
void queryClient.prefetchQuery(authQuery)

// A page's file is gone when the site was updated meanwhile: one fresh start, never a circle of them.
addEventListener('vite:preloadError', (event) => {
  const key = 'restarted-at'
  const now = Date.now()
  if (now - Number(sessionStorage.getItem(key)) < 10_000) return
  event.preventDefault()
  sessionStorage.setItem(key, String(now))
  location.reload()
})

// Watching is what most clicks lead to: its file is fetched as soon as a pointer or the focus is on the way there.
for (const approach of ['pointerover', 'focusin']) {
  addEventListener(approach, ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="/video/"]'))
      void import('./pages/watch-page.tsx')
  })
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html holds no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </QueryClientProvider>
  </StrictMode>,
)
