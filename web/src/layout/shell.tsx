import { lazy, Suspense } from 'react'
import { Outlet, useNavigation } from 'react-router'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { Footer } from './footer.tsx'
import { MiniPlayerProvider } from './mini-player-provider.tsx'
import { MuteProvider } from './mute-provider.tsx'
import { ReportProvider } from './report-provider.tsx'
import { SaveVideoProvider } from './save-video-provider.tsx'
import styles from './shell.module.css'
import { SideNav } from './navigation/side-nav.tsx'
import { TopBar } from './top-bar.tsx'
import { useScrolledUp } from './use-scrolled-up.ts'

const Uploads = lazy(async () => ({
  default: (await import('../features/videos/uploads/tray/uploads.tsx')).Uploads,
}))

/** The top bar and providers, which stay mounted across navigation. The shell of a page renders below. */
export function AppFrame() {
  const { authData } = useAuth()
  return (
    <SaveVideoProvider>
      <MiniPlayerProvider>
        <TopBar />
        <ReportProvider>
          <MuteProvider>
            <Outlet />
          </MuteProvider>
        </ReportProvider>
        {authData && (
          <Suspense>
            <Uploads key={authData._id} userId={authData._id} />
          </Suspense>
        )}
      </MiniPlayerProvider>
    </SaveVideoProvider>
  )
}

/** Layout of most pages below the top bar: side nav, content, footer. */
export function Shell() {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <div className={styles['shell']}>
      <SideNav />
      <main className={styles['main']} id="main" tabIndex={-1} aria-busy={isBusy}>
        <Outlet />
      </main>
      <Footer className={styles['footer']} />
    </div>
  )
}

/**
 * The frame of the watch page, without a side navigation: content, footer. On phones the dock appears on scrolling up.
 */
export function WatchShell() {
  const isDocked = useScrolledUp('(max-width: 639px)')
  return (
    <>
      <main className={styles['bare']} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      {isDocked && (
        <div className={styles['dock']}>
          <SideNav />
        </div>
      )}
    </>
  )
}
