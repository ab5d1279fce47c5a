import { collapseWhiteSpace } from '@kinora/contract/characters.ts'
import fc from 'fast-check'
import { matchRoutes } from 'react-router'
import { describe, expect, it } from 'vitest'
import { administrationRoutes } from './pages/administration/administration-routes.tsx'
import { pageOf, paths, searchTermOf } from './paths.ts'
import { routes } from './routes.tsx'

/** The pattern of the page that a link opens, for example "/c/:channelId/videos". */
function patternOf(path: string): string | undefined {
  const matches = matchRoutes(routes, path)
  const isAdministration = matches?.some(({ route }) => route.path === 'administration/*')
  const own = isAdministration ? matchRoutes(administrationRoutes, path, '/administration') : []
  const parts = [...(matches ?? []), ...(own ?? [])].map(({ route }) => route.path ?? '')
  const pattern = parts.filter(Boolean).join('/').replace('administration/*', 'administration')
  return matches ? `/${pattern}` : undefined
}

describe('every link has a route', () => {
  const expected = [
    [paths.home(), '/'],
    [paths.about(), '/about'],
    [paths.rules(), '/rules'],
    [paths.privacy(), '/privacy'],
    [paths.administrationOf('settings'), '/administration/settings/:section?'],
    [paths.settings('mail'), '/administration/settings/:section?'],
    [paths.administrationOf('to-decide'), '/administration/to-decide'],
    [paths.administrationOf('overview'), '/administration/overview'],
    [paths.search('two words'), '/search/:term'],
    [paths.login(), '/login'],
    [paths.register(), '/register'],
    [paths.logout(), '/logout'],
    [paths.studio(), '/studio'],
    [paths.studioVideo('v1'), '/studio/:videoId'],
    [paths.analytics(), '/studio/analytics'],
    [paths.videoImports(), '/studio/import'],
    [paths.studioLive(), '/studio/live'],
    [paths.videoAnalytics('v1'), '/studio/:videoId/analytics'],
    [paths.studioCut('v1'), '/studio/:videoId/cut'],
    [paths.tag('sea'), '/tag/:tag'],
    [paths.popular(), '/popular'],
    [paths.channels(), '/channels'],
    [paths.category('music'), '/category/:category'],
    [paths.studioCaptions('v1', 'file-0'), '/studio/:videoId/captions/:track'],
    [paths.administration(), '/administration'],
    [paths.administrationOf('reports'), '/administration/reports'],
    [paths.report('r1'), '/report/:reportId'],
    [paths.administrationOf('invitations'), '/administration/invitations'],
    [paths.invitation('i1'), '/register'],
    [paths.administrationOf('people'), '/administration/people'],
    [paths.person('ada'), '/administration/people/:username'],
    [paths.administrationOf('videos'), '/administration/videos'],
    [paths.administrationOf('comments'), '/administration/comments'],
    [paths.administrationOf('live'), '/administration/live'],
    [paths.administrationOf('audit-log'), '/administration/audit-log'],
    [paths.administrationOf('jobs'), '/administration/jobs'],
    [paths.administrationOf('backups'), '/administration/backups'],
    [paths.administrationOf('storage'), '/administration/storage'],
    [paths.forgotPassword(), '/forgot-password'],
    [paths.resetPassword(), '/reset-password'],
    [paths.setup(), '/setup'],
    [paths.oidc('club'), '/oidc/:provider'],
    [paths.confirmEmail(), '/confirm-email'],
    [paths.confirmRegistration(), '/confirm-registration'],
    [paths.keepEmail(), '/keep-email'],
    [paths.keepAccount(), '/keep-account'],
    [paths.unsubscribe(), '/unsubscribe'],
    [paths.account(), '/account/:section?'],
    [paths.account('security'), '/account/:section?'],
    [paths.studioComments(), '/studio/comments'],
    [paths.studioPeople(), '/studio/people'],
    [paths.notFound(), '/notfound'],
    [paths.watch('v1'), '/video/:videoId'],
    [paths.share('v1'), '/video/:videoId/share'],
    [paths.embed('v1'), '/embed/:videoId'],
    [paths.shared('s1').replace(/#.*/, ''), '/shared'],
    [paths.channel('ines'), '/c/:channelId'],
    [paths.channelVideos('ines'), '/c/:channelId/videos'],
    [paths.subscribedTo('ines'), '/c/:channelId/subscribedto'],
    [paths.dashboard('ines'), '/c/:channelId/dashboard'],
    [paths.upload('ines'), '/c/:channelId/dashboard/upload'],
    [paths.editVideo('ines', 'v1'), '/c/:channelId/dashboard/edit/:videoId'],
    [paths.deleteVideo('ines', 'v1'), '/c/:channelId/dashboard/delete/:videoId'],
    [paths.library(), '/library'],
    [paths.completeHistory(), '/history'],
    [paths.dismissed(), '/dismissed'],
    [paths.playlist('p1'), '/playlist/:playlistId'],
    [paths.history('ines'), '/c/:channelId/history'],
    [paths.edit('ines'), '/c/:channelId/edit'],
  ] as const

  it.each(expected)('%s', (path, pattern) => {
    expect(patternOf(path)).toBe(pattern)
    // One trailing slash changes nothing.
    expect(patternOf(path.replace(/([^/])$/, '$1/'))).toBe(pattern)
  })

  it('other paths lead to the error screen', () => {
    for (const path of ['/nope', '/video', '/video/v1/nope', '/c', '/c/ines/nope', '/search/a/b']) {
      expect(patternOf(path)).toBe('/*')
    }
    expect(patternOf('/administration/nope')).toBe('/administration/*')
  })
})

describe('search terms', () => {
  it('survive encoding and decoding, with white space collapsed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (term) => {
        expect(searchTermOf(paths.search(term))).toBe(collapseWhiteSpace(term))
      }),
    )
    expect(searchTermOf(paths.search('  two \t words \n'))).toBe('two words')
    expect(searchTermOf('/search/%20two%20%20words+')).toBe('two words+')
  })

  it.each(['100%', '%2F', 'a/b', 'a?b#c', '"q"', "it's", 'a+b&c', '日本 語', '🎞️', '%', '.', '..'])(
    '%s',
    (term) => {
      expect(searchTermOf(paths.search(term))).toBe(term)
      expect(searchTermOf(`${paths.search(term)}/`)).toBe(term)
      expect(patternOf(paths.search(term))).toBe('/search/:term')
    },
  )

  it('are undefined for invalid percent-encoding', () => {
    expect(searchTermOf('/search/100%')).toBeUndefined()
    expect(searchTermOf('/search/%E0%A4%A')).toBeUndefined()
  })

  it('are empty if a path has none', () => {
    for (const path of ['/search/%20', '/search/%20%20/']) expect(searchTermOf(path)).toBe('')
    expect(patternOf('/search')).toBe('/search')
  })
})

describe('pageOf', () => {
  it('dialogs and channel tabs belong to one page', () => {
    expect(pageOf(paths.share('v1'))).toBe(pageOf(paths.watch('v1')))
    expect(pageOf(paths.upload('ines'))).toBe(pageOf(paths.history('ines')))
    expect(pageOf('/about/')).toBe('/about')
    expect(pageOf('/')).toBe('/')
  })

  it('different videos and channels are different pages', () => {
    expect(pageOf(paths.watch('a'))).not.toBe(pageOf(paths.watch('b')))
    expect(pageOf(paths.channel('a'))).not.toBe(pageOf(paths.channel('b')))
  })
})
