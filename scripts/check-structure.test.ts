import { expect, test } from 'vitest'
import { checkStructure } from './check-structure.ts'
import { describeLevel } from './folders.ts'

const feature = (path: string) => `server/src/features/${path}`
const check = (files: Record<string, string>) => checkStructure(new Map(Object.entries(files)))

test('accepts features whose files have the agreed names', () => {
  const breaches = check({
    [feature('conversation/likes/routes.ts')]:
      "import { getVideo } from '../../videos/videos/queries/get-video.ts'",
    [feature('conversation/likes/queries.ts')]: "db.insertInto('likes')",
    [feature('conversation/likes/likes.test.ts')]: '',
    [feature('videos/videos/queries/get-video.ts')]: "db.selectFrom('likes').where('updated', '=', 1)",
    'web/src/ui/button.tsx': '',
  })
  expect(breaches).toEqual([])
})

test('refuses a word outside the vocabulary', () => {
  expect(check({ [feature('conversation/likes/counting.ts')]: '' })).toEqual([
    expect.stringContaining('likes/counting.ts'),
  ])
})

test('refuses generic names and names that are not kebab-case', () => {
  expect(check({ 'web/src/lib/utils.ts': '', 'web/src/ui/LikeButton.tsx': '' })).toHaveLength(2)
})

test('refuses a cycle between folders once, at any level', () => {
  const breaches = check({
    [feature('operations/a/actions.ts')]: "import { b } from '../b/queries/list.ts'",
    [feature('operations/b/actions.ts')]: "import { c } from '../c/queries.ts'",
    [feature('operations/c/actions.ts')]: "import type { A } from '../a/rules/one.ts'",
    [feature('operations/a/a.test.ts')]: "import { c } from '../c/queries.ts'",
    'platform/src/http/limits/slots.ts': "import { locks } from '../../db/locks.ts'",
    'platform/src/db/locks.ts': "import { slots } from '../http/limits/slots.ts'",
  })
  expect(breaches).toEqual([
    'server/src/features/operations: a -> b -> c -> a: folders must not form a cycle',
    'platform/src: http -> db -> http: folders must not form a cycle',
  ])
})

test('refuses an effect or a ref that returns the result of a call', () => {
  const breaches = (text: string) => check({ 'web/src/ui/notice.tsx': text })
  expect(breaches('useEffect(() => ref.current?.focus(), [])')).toHaveLength(1)
  expect(breaches('useLayoutEffect(\n  () =>\n    append(video),\n  [video],\n)')).toHaveLength(1)
  expect(breaches('<div ref={(element) => element?.focus()} />')).toHaveLength(1)
  expect(breaches('useEffect(() => {\n  focus()\n}, [])')).toEqual([])
  expect(breaches('useEffect(() => () => release(preview), [preview])')).toEqual([])
})

test('refuses style sheets that would not be mirrored', () => {
  const breaches = (css: string) => check({ 'web/src/ui/notice.module.css': css })
  expect(breaches('.notice { margin-left: 4px }')).toHaveLength(1)
  expect(breaches('.notice { right: 0; }')).toHaveLength(1)
  expect(breaches('.notice { border-top-left-radius: 2px; }')).toHaveLength(1)
  expect(breaches('.notice { text-align: left; }')).toHaveLength(1)
  expect(breaches('.notice { padding: 0 calc(1px + env(safe)) 0 16px; }')).toHaveLength(1)
  expect(breaches('.notice { margin: 0 auto 4px; padding: 0 4px 1px 4px; left: 50%; }')).toEqual([])
  expect(breaches('/* left: */ .notice { margin-inline-start: 4px; text-align: end; }')).toEqual([])
})

test('refuses colours outside the tokens', () => {
  const breaches = (css: string) => check({ 'web/src/ui/notice.module.css': css })
  expect(breaches('.notice { color: #fff }')).toHaveLength(1)
  expect(breaches('.notice { border: 1px solid rgb(0 0 0 / 0.5) }')).toHaveLength(1)
  expect(breaches('.notice { background: white }')).toHaveLength(1)
  expect(breaches('/* #fff */ .notice:hover { white-space: nowrap; color: var(--ink) }')).toEqual([])
  expect(check({ 'web/src/styles/tokens.css': ':root { --ink: #10181a }' })).toEqual([])
})

test('refuses breakpoints without a name', () => {
  const breaches = (css: string) => check({ 'web/src/ui/notice.module.css': css })
  expect(breaches('@media (max-width: 700px) {}')).toHaveLength(1)
  expect(breaches('@media (hover: hover) and (640px <= width) {}')).toHaveLength(1)
  expect(breaches('@media (not (--phone)) and (max-height: 500px) { a { max-width: 1px } }')).toEqual([])
})

test('refuses named breakpoints in style sheets that others compose', () => {
  const button = 'web/src/ui/button.module.css'
  const notice = { 'web/src/ui/notice.module.css': ".close { composes: icon from './button.module.css' }" }
  expect(check({ ...notice, [button]: '@media (--phone) {}' })).toHaveLength(1)
  expect(check({ ...notice, [button]: '@media (hover: hover) { a { color: var(--ink) } }' })).toEqual([])
})

test('refuses classes that their style sheet does not have', () => {
  const use = (name: string) => `import styles from './notice.module.css'\nconst shown = styles['${name}']`
  const sheet = { 'web/src/ui/notice.module.css': '.notice-close:hover { color: var(--ink) }' }
  expect(check({ ...sheet, 'web/src/ui/notice.tsx': use('notice') })).toHaveLength(1)
  expect(check({ ...sheet, 'web/src/ui/notice.tsx': use('notice-close') })).toEqual([])
})

test('refuses SQL outside queries.ts', () => {
  expect(check({ [feature('conversation/likes/routes.ts')]: 'sql`select 1`' })).toHaveLength(1)
  expect(check({ [feature('conversation/likes/jobs.ts')]: "db.selectFrom('likes')" })).toHaveLength(1)
})

test('refuses a second writer of a table', () => {
  const breaches = check({
    [feature('conversation/likes/queries.ts')]: 'sql`update videos set like_count = like_count + 1`',
    [feature('videos/videos/queries.ts')]: "db.insertInto('videos')",
  })
  expect(breaches).toEqual([expect.stringContaining('table videos')])
})

test('refuses reading the environment outside config.ts', () => {
  expect(check({ 'media/src/ffmpeg.ts': 'process.env.PATH' })).toHaveLength(1)
})

test('refuses normalizing Unicode without a bound', () => {
  expect(check({ 'media/src/labels.ts': "text.normalize('NFKD')" })).toHaveLength(1)
})

test('refuses migrations that share a number, and a gap between them', () => {
  const migrations = (...names: string[]) =>
    check(Object.fromEntries(names.map((name) => [`server/migrations/${name}.sql`, ''])))
  expect(migrations('0001-baseline', '0088-likes', '0089-videos')).toEqual([])
  expect(migrations('0001-baseline', '0088-likes', '0088-videos')).toHaveLength(1)
  expect(migrations('0001-baseline', '0088-likes', '0090-videos')).toHaveLength(1)
})

test.each([
  ['alter table users drop column email', 'drops'],
  ['alter table users rename column email to mail', 'renames'],
  ['alter table users alter column age type bigint', 'type'],
  ['alter table users alter column age set not null', 'refuses'],
  ['alter table users add column age int not null', 'refuses'],
  ['-- why\ndrop table likes', 'drops'],
  ['alter function search(text) rename to find', 'renames'],
])('refuses a migration that old processes do not survive: %s', (sql, reason) => {
  expect(check({ 'server/migrations/0001-one.sql': sql })).toEqual([expect.stringContaining(reason)])
})

test.each([
  'alter table users add column age int',
  'alter table users add column age int not null default 0, add column name text',
  'create table likes (user_id text not null)',
  '-- unused since 0003-ages.sql\nalter table users drop column age',
  '-- called by triggers only\nalter function count_likes() rename to add_likes',
  'alter trigger count_likes on likes rename to add_likes',
])('accepts a migration that old processes survive: %s', (sql) => {
  expect(check({ 'server/migrations/0001-one.sql': sql })).toEqual([])
})

test('refuses docstrings that begin with a relative clause', () => {
  // in two parts, since this file is checked, too
  const opening = ['/', '**'].join('')
  expect(
    check({
      [feature('conversation/likes/rules.ts')]:
        `/** Likes of what was seen. */\n${opening} What was liked. */`,
      'web/src/ui/button.tsx': `${opening}\n * Who pressed it.\n */`,
    }),
  ).toHaveLength(2)
})

const endpoint = (name: string, tag: string) =>
  `export const ${name} = endpoint({\n  name: '${name}',\n  tag: '${tag}',\n})\n`
const likes = '@kinora/contract/conversation/likes.ts'

test('accepts endpoints that the feature of their module serves', () => {
  const breaches = check({
    'contract/src/conversation/likes.ts': endpoint('addLike', 'likes') + endpoint('removeLike', 'likes'),
    [feature('conversation/likes/routes.ts')]: `
      import { addLike as contract } from '${likes}'
      import * as others from '${likes}'
      const routes = [route(contract, async () => null), route(\n  others.removeLike,\n  {}, async () => null)]`,
    'web/src/features/conversation/likes/api.ts': '',
  })
  expect(breaches).toEqual([])
})

test('refuses endpoints that another feature serves, or none', () => {
  const breaches = check({
    'contract/src/conversation/likes.ts': endpoint('addLike', 'likes') + endpoint('removeLike', 'videos'),
    [feature('videos/videos/routes.ts')]:
      `import { addLike } from '${likes}'\nroute(addLike, async () => null)`,
  })
  expect(breaches).toEqual([
    'contract/src/conversation/likes.ts: no routes of conversation/likes serve addLike',
    'contract/src/conversation/likes.ts: no routes of conversation/likes serve removeLike',
    'contract/src/conversation/likes.ts: the tag of removeLike is its noun',
    'server/src/features/videos/videos/routes.ts: serves addLike, which belongs to conversation/likes',
  ])
})

test.each(['contract/src/', 'server/src/features/', 'web/src/features/'])(
  'refuses imports upward in %s',
  (root) => {
    const breaches = check({
      [feature('accounts/users/queries.ts')]: '',
      [feature('videos/videos/queries.ts')]: '',
      [`${root}accounts/users/queries.ts`]: "import { list } from '../../videos/videos/queries.ts'",
      [`${root}videos/videos/queries.ts`]: "import { get } from '../../visibility/queries.ts'",
    })
    expect(breaches).toEqual([
      `${root}accounts/users/queries.ts: imports ${root}videos/videos/queries.ts: accounts is below videos`,
    ])
  },
)

test('refuses other domains, and nouns that only the browser has', () => {
  const breaches = check({
    [feature('reactions/likes/routes.ts')]: '',
    'web/src/features/videos/dashboard/api.ts': '',
  })
  expect(breaches).toEqual([
    'server/src/features/reactions: not in the list of domains of scripts/domains.ts',
    'web/src/features/videos/dashboard: there is no server/src/features/videos/dashboard; one noun leads to both',
  ])
})

test('describes a level by its folders, floors, arrows and circles', () => {
  const level = (files: Record<string, string>) => describeLevel(new Map(Object.entries(files)), 'src')
  const tower = {
    'src/a/x.ts': "import '../b/x.ts'",
    'src/b/x.ts': "import '../c/y/z.ts'",
    'src/c/y/z.ts': '',
  }
  expect(level({ ...tower, 'src/d/x.ts': '' })).toBe('src: 4 folders, 3 floors, 2 arrows, 0 circles')
  expect(level({ ...tower, 'src/c/y/z.ts': "import '../../a/x.ts'" })).toContain('3 arrows, 1 circles')
})

test('refuses errors that nothing throws', () => {
  const definitions = `export const likeErrors = {
  twice: failure('conflict', 'twice', 'You like this already'),
  never: technical('invalid', 'never', 'Never'),
}`
  const breaches = check({
    'contract/src/conversation/errors.ts': definitions,
    [feature('conversation/likes/actions.ts')]: 'throw new AppError(likeErrors.twice)',
    [feature('conversation/likes/likes.test.ts')]: 'expect(likeErrors.never)',
  })
  expect(breaches).toEqual(['contract/src/conversation/errors.ts: nothing uses likeErrors.never'])
})
