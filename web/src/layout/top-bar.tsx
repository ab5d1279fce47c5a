import { t } from '@lingui/core/macro'
import { Moon, Sun } from 'lucide-react'
import { Link, useLocation, useMatch } from 'react-router'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { SearchForm } from '../features/watching/search/search-form.tsx'
import { NotificationBell } from '../features/messages/notifications/notification-bell.tsx'
import { CreateButton } from '../features/videos/uploads/tray/create-button.tsx'
import { useTheme } from '../lib/browser/theme.ts'
import { loginState } from '../lib/login-reason.ts'
import { useSettings } from '../lib/settings.ts'
import { pageOf, paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Mark, Wordmark } from '../ui/logo.tsx'
import { MenuButton } from './navigation/menu-button.tsx'
import styles from './top-bar.module.css'

/** Logo, search, theme and account: on every page; on the watch page, which has no side nav, also the way to one. */
export function TopBar() {
  const { authData } = useAuth()
  const { siteName } = useSettings()
  const isWatching = useMatch('/video/:videoId/*') !== null
  return (
    <header className={styles['bar']}>
      <div className={styles['start']}>
        {isWatching && <MenuButton className={styles['menu']} />}
        <Link className={styles['logo']} to={paths.home()} aria-label={t`${siteName} home`}>
          <Mark />
          <Wordmark className={styles['word']} />
        </Link>
      </div>
      <SearchForm userId={authData?._id ?? null} />
      <div className={styles['end']}>
        <ThemeToggle />
        <Account />
      </div>
    </header>
  )
}

function ThemeToggle() {
  const { mode, setMode } = useTheme()
  const other = mode === 'light' ? 'dark' : 'light'
  return (
    <IconButton
      className={styles['theme']}
      label={t`Switch to ${other} theme`}
      onClick={() => setMode(other)}
    >
      {/* Both, for the style sheet to choose: the skeleton in the HTML is the same for either theme. */}
      <Icon of={Moon} />
      <Icon of={Sun} />
    </IconButton>
  )
}

function Account() {
  const { authStatus, authData } = useAuth()
  const { pathname, search } = useLocation()
  if (authStatus === null) return <span className={styles['me']} />
  if (!authData) {
    const isWatching = pathname.startsWith(paths.watch(''))
    return (
      <Link
        className={buttonClass('solid', styles['sign-in'])}
        to={paths.login()}
        state={
          isWatching ? loginState({ wish: 'watch', title: '', path: pageOf(pathname) + search }) : undefined
        }
      >{t`Sign In`}</Link>
    )
  }
  return (
    <>
      <CreateButton className={styles['create']} />
      <NotificationBell userId={authData._id} />
      <Link className={styles['me']} to={paths.channelVideos(authData.username)} aria-label={t`Your channel`}>
        <Avatar src={authData.avatar} name={authData.fullname} size={34} />
      </Link>
    </>
  )
}
