import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { GuestsOnly, OwnerOnly } from './features/accounts/sessions/guards.tsx'
import { Root } from './layout/root.tsx'
import { WatchShell, AppFrame, Shell } from './layout/shell.tsx'
import { loadPage } from './lib/browser/load-page.ts'
import { type Part, withMessages } from './lib/i18n/messages.ts'
import { ErrorPage } from './pages/error-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { loadWatchPage } from './pages/watch/load-watch-page.ts'
import { paths } from './paths.ts'

/** A page in a chunk of its own, fetched with its messages on its first visit. */
function lazily<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  part: Part = 'pages',
) {
  return async () => ({ Component: (await loadPage(() => withMessages(part, load)))[name] })
}

// A pathless route inside each frame: the frame renders while a page's chunk loads, and stays when a page fails.
const within = { hydrateFallbackElement: <></>, errorElement: <ErrorPage /> }
const withinBare = { ...within, errorElement: <ErrorPage isFramed={false} /> }

const channelPages: RouteObject[] = [
  { index: true, element: <Navigate to="videos" replace /> },
  {
    path: 'videos',
    lazy: lazily(() => import('./pages/channel/channel-videos-page.tsx'), 'ChannelVideosPage'),
  },
  {
    path: 'subscribedto',
    lazy: lazily(() => import('./pages/channel/subscribed-to-page.tsx'), 'SubscribedToPage'),
  },
  {
    element: <OwnerOnly />,
    children: [
      {
        path: 'dashboard',
        lazy: lazily(() => import('./pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
        children: [
          {
            path: 'upload',
            lazy: lazily(() => import('./pages/dashboard/upload-dialog.tsx'), 'UploadDialog'),
          },
          {
            path: 'edit/:videoId',
            lazy: lazily(() => import('./pages/dashboard/edit-video-dialog.tsx'), 'EditVideoDialog'),
          },
          {
            path: 'delete/:videoId',
            lazy: lazily(() => import('./pages/dashboard/delete-video-dialog.tsx'), 'DeleteVideoDialog'),
          },
        ],
      },
      { path: 'history', lazy: lazily(() => import('./pages/channel/history-page.tsx'), 'HistoryPage') },
      { path: 'edit', lazy: lazily(() => import('./pages/channel/edit-page.tsx'), 'EditPage') },
    ],
  },
]

const shellPages: RouteObject[] = [
  { index: true, element: <HomePage /> },
  { path: 'about', lazy: lazily(() => import('./pages/about-page.tsx'), 'AboutPage') },
  { path: 'privacy', lazy: lazily(() => import('./pages/privacy-page.tsx'), 'PrivacyPage') },
  { path: 'rules', lazy: lazily(() => import('./pages/rules-page.tsx'), 'RulesPage') },
  { path: 'search', element: <Navigate to={paths.home()} replace /> },
  { path: 'search/:term', lazy: lazily(() => import('./pages/search-page.tsx'), 'SearchPage') },
  {
    element: <GuestsOnly />,
    children: [
      { path: 'login', lazy: lazily(() => import('./pages/sessions/login-page.tsx'), 'LoginPage') },
      { path: 'register', lazy: lazily(() => import('./pages/sessions/register-page.tsx'), 'RegisterPage') },
      {
        path: 'forgot-password',
        lazy: lazily(() => import('./pages/sessions/forgot-password-page.tsx'), 'ForgotPasswordPage'),
      },
    ],
  },
  {
    path: 'reset-password',
    lazy: lazily(() => import('./pages/sessions/reset-password-page.tsx'), 'ResetPasswordPage'),
  },
  { path: 'setup', lazy: lazily(() => import('./pages/setup-page.tsx'), 'SetupPage') },
  { path: 'oidc/:provider', lazy: lazily(() => import('./pages/sessions/oidc-page.tsx'), 'OidcPage') },
  {
    path: 'confirm-registration',
    lazy: lazily(() => import('./pages/sessions/mail-link-page.tsx'), 'ConfirmRegistrationPage'),
  },
  {
    path: 'confirm-email',
    lazy: lazily(() => import('./pages/sessions/mail-link-page.tsx'), 'ConfirmEmailPage'),
  },
  { path: 'keep-email', lazy: lazily(() => import('./pages/sessions/mail-link-page.tsx'), 'KeepEmailPage') },
  {
    path: 'keep-account',
    lazy: lazily(() => import('./pages/sessions/keep-account-page.tsx'), 'KeepAccountPage'),
  },
  {
    path: 'unsubscribe',
    lazy: lazily(() => import('./pages/sessions/mail-link-page.tsx'), 'UnsubscribePage'),
  },
  { path: 'logout', lazy: lazily(() => import('./pages/sessions/logout-page.tsx'), 'LogoutPage') },
  {
    path: 'c/:channelId',
    lazy: lazily(() => import('./pages/channel/channel-page.tsx'), 'ChannelPage'),
    children: channelPages,
  },
  {
    path: 'history',
    lazy: lazily(() => import('./pages/library/complete-history-page.tsx'), 'CompleteHistoryPage'),
  },
  {
    path: 'dismissed',
    lazy: lazily(() => import('./pages/library/dismissed-page.tsx'), 'DismissedPage'),
  },
  { path: 'clips', lazy: lazily(() => import('./pages/library/own-clips-page.tsx'), 'OwnClipsPage') },
  { path: 'feed', lazy: lazily(() => import('./pages/library/feed-page.tsx'), 'FeedPage') },
  {
    path: 'notifications',
    lazy: lazily(() => import('./pages/library/notifications-page.tsx'), 'NotificationsPage'),
  },
  { path: 'library', lazy: lazily(() => import('./pages/library/library-page.tsx'), 'LibraryPage') },
  {
    path: 'playlist/:playlistId',
    lazy: lazily(() => import('./pages/library/playlist-page.tsx'), 'PlaylistPage'),
  },
  { path: 'record', lazy: lazily(() => import('./pages/studio/record-page.tsx'), 'RecordPage') },
  { path: 'studio', lazy: lazily(() => import('./pages/studio/studio-page.tsx'), 'StudioPage') },
  {
    path: 'studio/comments',
    lazy: lazily(() => import('./pages/studio/studio-comments-page.tsx'), 'StudioCommentsPage'),
  },
  {
    path: 'studio/clips',
    lazy: lazily(() => import('./pages/studio/studio-clips-page.tsx'), 'StudioClipsPage'),
  },
  {
    path: 'studio/people',
    lazy: lazily(() => import('./pages/studio/studio-people-page.tsx'), 'StudioPeoplePage'),
  },
  {
    path: 'studio/live',
    lazy: lazily(() => import('./pages/live-pages.tsx'), 'StudioLivePage'),
  },
  {
    path: 'studio/live/browser',
    lazy: lazily(() => import('./pages/studio/live-browser-page.tsx'), 'LiveBrowserPage'),
  },
  {
    path: 'studio/import',
    lazy: lazily(() => import('./pages/studio/studio-import-page.tsx'), 'StudioImportPage'),
  },
  {
    path: 'studio/analytics',
    lazy: lazily(() => import('./pages/studio/analytics-pages.tsx'), 'ChannelAnalyticsPage'),
  },
  {
    path: 'studio/:videoId/analytics',
    lazy: lazily(() => import('./pages/studio/analytics-pages.tsx'), 'VideoAnalyticsPage'),
  },
  {
    path: 'studio/:videoId',
    lazy: lazily(() => import('./pages/studio/studio-video-page.tsx'), 'StudioVideoPage'),
  },
  { path: 'tag/:tag', lazy: lazily(() => import('./pages/browse-page.tsx'), 'TagPage') },
  { path: 'popular', lazy: lazily(() => import('./pages/browse-page.tsx'), 'PopularPage') },
  { path: 'channels', lazy: lazily(() => import('./pages/channels-page.tsx'), 'ChannelsPage') },
  { path: 'live', lazy: lazily(() => import('./pages/browse-page.tsx'), 'LivePage') },
  { path: 'locked', lazy: lazily(() => import('./pages/locked-page.tsx'), 'LockedPage') },
  { path: 'category/:category', lazy: lazily(() => import('./pages/browse-page.tsx'), 'CategoryPage') },
  {
    path: 'studio/:videoId/captions/:track',
    lazy: lazily(() => import('./pages/studio/studio-captions-page.tsx'), 'StudioCaptionsPage'),
  },
  {
    path: 'studio/:videoId/cut',
    lazy: lazily(() => import('./pages/studio/studio-cut-page.tsx'), 'StudioCutPage'),
  },
  {
    // Its pages are one chunk, which has their routes.
    path: 'administration/*',
    lazy: lazily(() => import('./pages/administration/administration-routes.tsx'), 'AdministrationPages'),
  },
  {
    path: 'account/:section?',
    lazy: lazily(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  },
  { path: 'report/:reportId', lazy: lazily(() => import('./pages/library/report-page.tsx'), 'ReportPage') },
  // not part of a build
  ...(import.meta.env.DEV
    ? [{ path: 'kit/*', lazy: lazily(() => import('./pages/kit-page.tsx'), 'KitPage') }]
    : []),
  { path: 'notfound', element: <ErrorPage /> },
  { path: '*', element: <ErrorPage /> },
]

const watchPages: RouteObject[] = [
  {
    path: 'shared',
    lazy: lazily(() => import('./pages/shared/shared-page.tsx'), 'SharedPage', 'pages'),
  },
  {
    path: 'locked/:videoId',
    lazy: lazily(() => import('./pages/shared/locked-video-page.tsx'), 'LockedVideoPage', 'pages'),
  },
  { path: 'clip/:clipId', lazy: lazily(() => import('./pages/clips/clip-page.tsx'), 'ClipPage') },
  {
    path: 'video/:videoId',
    lazy: lazily(loadWatchPage, 'WatchPage', 'watch'),
    children: [
      { path: 'share', lazy: lazily(() => import('./pages/watch/share-dialog.tsx'), 'ShareDialog', 'watch') },
    ],
  },
]

/** Every page of the site. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorPage isFramed={false} />,
    children: [
      {
        element: <AppFrame />,
        children: [
          { element: <Shell />, children: [{ ...within, children: shellPages }] },
          { element: <WatchShell />, children: [{ ...withinBare, children: watchPages }] },
        ],
      },
      {
        path: 'embed/shared',
        ...withinBare,
        lazy: lazily(() => import('./pages/shared/shared-page.tsx'), 'SharedEmbedPage', 'pages'),
      },
      {
        path: 'embed/clip/:clipId',
        ...withinBare,
        lazy: lazily(() => import('./pages/clips/clip-embed-page.tsx'), 'ClipEmbedPage'),
      },
      {
        path: 'embed/:videoId',
        ...withinBare,
        lazy: lazily(() => import('./pages/watch/embed-page.tsx'), 'EmbedPage', 'watch'),
      },
    ],
  },
]
