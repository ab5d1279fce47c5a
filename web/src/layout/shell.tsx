import { Outlet, useNavigation } from 'react-router'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { SideNav } from './side-nav.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame of the site: top bar, side nav, content, footer. */
export function Shell() {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <>
      <TopBar />
      <div className={styles['shell']}>
        <SideNav />
        <main className={styles['main']} id="main" tabIndex={-1} aria-busy={isBusy}>
          <Outlet />
        </main>
        <Footer className={styles['footer']} />
      </div>
    </>
  )
}

/** The frame without a side nav, for watching: top bar, content, footer. */
export function BareShell() {
  return (
    <>
      <TopBar />
      <main className={styles['bare']} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  )
}
