import { join } from 'node:path'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { languages } from '@kinora/contract/languages.ts'
import { errorExtractor, withErrors } from './lingui-errors.ts'

/** Where catalogs are written, in the same folders as in the repository. */
const root = process.env['MESSAGES_DIR'] ?? join(import.meta.dirname, '..')

/** `npm run messages` collects the messages of the sources in a catalog for each language and part. */
const catalog = (part: string, include: string[], exclude: string[] = []) => ({
  path: join(root, 'web/src/locales', '{locale}', part),
  include: include.map((folder) => `<rootDir>/src/${folder}`),
  exclude: ['**/*.test.*', ...exclude.map((folder) => `<rootDir>/src/${folder}`)],
})

/** What the first script holds: the frame of every page, lists of videos, the home page. */
const base = [
  'layout',
  'lib',
  'ui',
  'pages/home-page.tsx',
  'pages/error-page.tsx',
  'features/messages/notifications/notification-bell.tsx',
  'features/videos/playback/position',
  'features/watching/search',
  'features/accounts/sessions/guards.tsx',
  'features/videos/uploads/tray/create-button.tsx',
  'features/videos/uploads/tray/drop-zone.tsx',
  'features/videos/videos/browse/browse-links.tsx',
  'features/videos/videos/cards',
]

/** Texts of `lib` and `ui` that the first script does not show. */
const later = [
  'features/watching/search/filter-bar.tsx',
  'features/watching/search/found-channels.tsx',
  'features/watching/search/moment-list.tsx',
  'lib/format/device-name.ts',
  'lib/format/total-duration.ts',
  'lib/forms/password-length-error.ts',
  'lib/forms/password-weakness.ts',
  'lib/forms/picture-formats.ts',
  'lib/forms/text-error.ts',
  'lib/use-row-action.ts',
  'lib/sensitive-labels.ts',
  'lib/visibility-labels.ts',
  'ui/confirm-dialog.tsx',
  'ui/data-table.tsx',
  'ui/feed-link.tsx',
  'ui/forms/current-password-field.tsx',
  'ui/forms/endpoint-form.tsx',
  'ui/forms/file-field.tsx',
  'ui/forms/password-field.tsx',
  'ui/forms/time-field.tsx',
  'ui/forms/unsaved-changes-dialog.tsx',
  'ui/row-action-result.tsx',
  'ui/row-menu.tsx',
]

/** What a watch page needs besides. */
const watch = [
  ...later,
  'features/conversation/comments',
  'features/conversation/likes',
  'features/videos/playback',
  'features/watching/playlists',
  'features/watching/subscriptions',
  'features/videos/videos',
  'pages/watch',
]

const collator = new Intl.Collator('en-US')

export default defineConfig({
  sourceLocale: 'en',
  locales: Object.keys(languages),
  fallbackLocales: { default: 'en' },
  // Ours keeps values as they are; see `imports` of `package.json`.
  runtimeConfigModule: { Trans: ['#trans', 'Trans'] },
  extractors: [errorExtractor, createSwcExtractor()],
  // As by default, but errors have their reason as id.
  orderBy: (a, b) =>
    collator.compare(a.entry.message ?? a.messageId, b.entry.message ?? b.messageId) ||
    collator.compare(a.entry.context ?? '', b.entry.context ?? ''),
  format: withErrors(formatter({ lineNumbers: false })),
  catalogs: [
    catalog('base', base, later),
    catalog('errors', ['../../contract/src/error-list.ts']),
    catalog('watch', watch, [
      'features/videos/playback/position',
      'features/videos/videos/browse/browse-links.tsx',
      'features/videos/videos/cards',
    ]),
    catalog(
      'pages',
      ['features', 'pages'],
      [...base, ...watch].map((path) => (/\.tsx?$/.test(path) ? path : `${path}/**`)),
    ),
    // Mails and push messages, which the server writes: see `server/src/context/i18n.ts`.
    {
      path: join(root, 'server/locales', '{locale}', 'mails'),
      include: ['<rootDir>/../server/src/features'],
      exclude: ['**/*.test.*'],
    },
  ],
})
