import { changeTakedown, changeVideoApproval } from '@kinora/contract/operations/moderation.ts'
import { createShareLink, openShareLink } from '@kinora/contract/videos/share-links.ts'
import { getVideoAnalytics } from '@kinora/contract/videos/analytics.ts'
import { api } from '@kinora/contract/api.ts'
import { urlOf } from '@kinora/contract/client.ts'
import { addComment } from '@kinora/contract/conversation/comments.ts'
import { createClip } from '@kinora/contract/watching/clips.ts'
import { listPositions, putPosition, updateHistory } from '@kinora/contract/watching/history.ts'
import { addToPlaylist, createPlaylist, findInPlaylist } from '@kinora/contract/watching/playlists.ts'
import {
  createPlaylistLink,
  getSharedPlaylist,
  listSharedEntries,
} from '@kinora/contract/watching/shared-playlists.ts'
import { watchLaterId } from '@kinora/contract/watching/watch-later.ts'
import { changeOwnVideo, changeOwnVideos, deleteOwnVideos } from '@kinora/contract/videos/studio.ts'
import { deleteCut, putCut } from '@kinora/contract/videos/cuts.ts'
import { getVideo as getWatchedVideo, updateVideo, type Visibility } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putFileCaptions } from '../features/videos/captions/queries.ts'
import { recountWords } from '../features/watching/search/queries/vocabulary.ts'
import { updateRole } from '../features/accounts/users/queries.ts'
import { getVideo } from '../features/videos/videos/queries/videos.ts'
import { hiddenKey } from '../context/storage-keys.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { publishSource } from './fixtures/test-sources.ts'
import type { TestClient } from './fixtures/test-client.ts'
import { drawPicture, signUp } from './fixtures/test-users.ts'
import { addTestCaptions, addVideo, testSource } from './fixtures/test-videos.ts'

/**
 * Visibility matrix: every endpoint about one video, every list and every URL of its files, for each kind of visitor. An
 * endpoint that is in neither table fails the first test.
 */

const kinds = ['anonymous', 'other', 'moderator', 'named', 'owner'] as const
type Kind = (typeof kinds)[number]
const visibilities = ['public', 'unlisted', 'members', 'private', 'scheduled', 'premiere', 'held'] as const
/** `premiere`: scheduled as one. `held`: a public one that waits for approval. */
type State = (typeof visibilities)[number]

/** Visitors who may open a video by its address. */
const mayOpen: Record<State, readonly Kind[]> = {
  public: kinds,
  unlisted: kinds,
  members: ['other', 'moderator', 'named', 'owner'],
  private: ['named', 'owner'],
  scheduled: ['named', 'owner'],
  premiere: ['named', 'owner'],
  held: ['moderator', 'owner'],
}
/** Visitors who find it on the home page and by search. */
const isListed: Record<State, readonly Kind[]> = {
  public: kinds,
  unlisted: [],
  members: ['other', 'moderator', 'named', 'owner'],
  private: [],
  scheduled: [],
  premiere: [],
  held: [],
}
const subscribers: readonly Kind[] = ['other', 'named']
/** Visitors who see it on its channel. Channels require a session. */
const isOnChannel: Record<State, readonly Kind[]> = {
  public: ['other', 'moderator', 'named', 'owner'],
  unlisted: ['owner'],
  members: ['other', 'moderator', 'named', 'owner'],
  private: ['named', 'owner'],
  scheduled: ['named', 'owner'],
  premiere: ['named', 'owner'],
  held: ['owner'],
}

interface Fixture {
  videoId: string
  commentId: string
  captionsId: string
  clipId: string
}

interface Request {
  params?: (fixture: Fixture) => Record<string, string>
  body?: (fixture: Fixture) => object
}
const id = ({ videoId }: Fixture) => ({ id: videoId })
const ofTrack = ({ videoId, captionsId }: Fixture) => ({ id: videoId, captionsId })
const ofVideo = ({ videoId }: Fixture) => ({ videoId })
const ofClip = ({ clipId }: Fixture) => ({ clipId })
const ofComment = ({ commentId }: Fixture) => ({ commentId })
const ofBoth = ({ videoId, commentId }: Fixture) => ({ videoId, commentId })

/** Endpoints about one video. They return 404 to visitors who may not see it. */
const about: Record<string, Request> = {
  getVideo: { params: id },
  recordView: { params: id },
  recordPlayback: {
    params: id,
    body: () => ({
      isFirst: true,
      watchedSeconds: 1,
      parts: [0],
      source: 'home',
      captions: null,
      lines: null,
    }),
  },
  listRecommendations: { params: ofVideo },
  dismissVideo: { params: ofVideo },
  updateVideo: { params: id, body: () => ({ title: 'Tide' }) },
  reprocessVideo: { params: id },
  countVideoLikes: { params: id },
  hasLikedVideo: { params: id },
  toggleVideoLike: { params: id },
  putVideoLike: { params: id },
  deleteVideoLike: { params: id },
  hasLikedComment: { params: ofComment },
  toggleCommentLike: { params: ofComment },
  putCommentLike: { params: ofComment },
  deleteCommentLike: { params: ofComment },
  listComments: { params: ofVideo },
  addComment: { body: (fixture) => ({ ...ofVideo(fixture), content: 'Seen' }) },
  listReplies: { params: ofComment },
  addReply: { params: ofComment, body: () => ({ content: 'Seen' }) },
  editComment: { params: ofComment, body: () => ({ content: 'Seen' }) },
  getComment: { params: ofComment },
  getPinnedComment: { params: ofVideo },
  markComment: { params: ofBoth, body: () => ({ isHearted: true }) },
  listHeldComments: { params: ofVideo },
  approveComment: { params: ofBoth },
  holdComment: { params: ofBoth },
  listMentionable: { params: ofVideo },
  removeComment: { params: ofBoth },
  deleteComment: { params: ofBoth },
  hasSubscribed: { params: ofVideo },
  updateHistory: { params: ofVideo },
  getPosition: { params: ofVideo },
  putPosition: { params: ofVideo, body: () => ({ positionSeconds: 1 }) },
  changeOwnVideo: { params: id, body: () => ({ title: 'Tide' }) },
  chooseThumbnailFrame: { params: id, body: () => ({ seconds: 1 }) },
  listPlaylistsOfVideo: { params: id },
  addToPlaylist: { params: (fixture) => ({ ...ofVideo(fixture), playlistId: watchLaterId }) },
  listOwnCaptions: { params: id },
  createClip: {
    body: (fixture) => ({ ...ofVideo(fixture), title: 'Tide', startSeconds: 1, endSeconds: 3 }),
  },
  getClip: { params: ofClip },
  renameClip: { params: ofClip, body: () => ({ title: 'Tide' }) },
  deleteClip: { params: ofClip },
  getClipPolicy: { params: id },
  putClipPolicy: { params: id, body: () => ({ clips: 'default' }) },
  getVideoIntros: { params: id },
  putVideoIntros: { params: id, body: () => ({ isOn: true }) },
  getVideoEmbeds: { params: id },
  putVideoEmbeds: { params: id, body: () => ({ own: null }) },
  getTranscription: { params: id },
  putTranscription: { params: id, body: () => ({ isEnabled: false }) },
  cancelTranscription: { params: id },
  getCut: { params: id },
  putCut: { params: id, body: () => ({ keep: [{ startSeconds: 0, endSeconds: 1.5 }] }) },
  deleteCut: { params: id },
  deleteRemovedParts: { params: id, body: () => ({ publishedAt: '2026-05-04T08:00:00.000Z' }) },
  keepRemovedParts: { params: id },
  getWaveform: { params: id },
  requestWaveform: { params: id },
  getLiveStatus: { params: id },
  listShareLinks: { params: id },
  createShareLink: { params: id, body: () => ({ name: 'Class 4b' }) },
  deleteShareLink: { params: (fixture) => ({ ...id(fixture), linkId: 'none' }) },
  addCaptions: { params: id },
  changeCaptions: { params: ofTrack, body: () => ({ label: 'English' }) },
  deleteCaptions: { params: ofTrack },
  deleteVideo: { params: id },
  createHandover: { body: ({ videoId }) => ({ username: ownerName, videoId }) },
  createReport: { body: ({ videoId }) => ({ kind: 'video', subjectId: videoId, reason: 'spam' }) },
}
/** Endpoints about no video, or only about videos of the caller. */
const elsewhere = [
  'summarizeSearch followProcessing uploadVideo announceUpload publishUpload listUnfinishedUploads saveUploadDraft login logout getAccountExport createAccountExport deleteAccountExport getAccountImport createAccountImport deleteAccountImport listPasskeys beginPasskey addPasskey deletePasskey beginPasskeyLogin loginWithPasskey getSecondFactor beginSecondFactor confirmSecondFactor removeSecondFactor listSessions endSession endOtherSessions register getCurrentUser getChannel',
  'updateDetails changePassword deleteAccount requestPasswordReset resetPassword getNotificationMails putNotificationMails unsubscribeFromMails getEmailState requestEmailConfirmation confirmEmail keepEmail updateAvatar updateCover toggleSubscription putSubscription deleteSubscription listSubscriptions getSubscriptionSettings putSubscriptionSettings putLanguage putViewing',
  'confirmRegistration requestRegistrationMail getRegistrationChallenge',
  'restoreComment listOwnVideos getOwnVideo replaceThumbnail replaceFile changeOwnVideos deleteOwnVideos getDashboard',
  'listApiTokens createApiToken deleteApiToken openShareLink recordSharedView listLockedVideos getLockedVideo openLockedVideo getChannelEmbeds putChannelEmbeds',
  'getChannelTranscriptions putChannelTranscriptions requestChannelTranscriptions requestTranscription',
  'getChannelClipPolicy putChannelClipPolicy deleteAnyClips getChannelIntros putChannelIntros',
  'getLiveChannel putLiveTemplate listLiveShows createLiveShow deleteLiveShow getLiveKey createLiveKey listAnnouncedStreams announceStream changeAnnouncedStream replaceAnnouncedPicture cancelAnnouncedStream openBrowserStream leaveBrowserStream endOwnLiveStream listLiveStreams endLiveStream listLiveChannels putLivePermission',
  'listVideoImports createVideoImport deleteVideoImport',
  'listFeedImports createFeedImport updateFeedImport deleteFeedImport',
  'listWebhooks createWebhook deleteWebhook testWebhook resumeWebhook listWebhookDeliveries',
  'listHandovers acceptHandover deleteHandover',
  'listActivity listCollaborators putCollaborator deleteCollaborator listCollaborations acceptCollaboration endCollaboration',
  'getVideoAnalytics getChannelAnalytics',
  'listChannelGroups createChannelGroup updateChannelGroup deleteChannelGroup',
  'getChannelProfile putChannelProfile listChannelPlaylists listChannels listCategories',
  'getAccountDeletion keepAccount',
  'listMutedPeople mutePerson unmutePerson',
  'listDismissed restoreVideo dismissChannel restoreChannel',
  'getFeedAddress createFeedAddress deleteFeedAddress',
  'listOwnPlaylists createPlaylist getPlaylist updatePlaylist deletePlaylist removeFromPlaylist moveInPlaylist',
  'listSavedForLater getFeedVisit putFeedVisit',
  'listPlaylistLinks createPlaylistLink deletePlaylistLink getSharedPlaylist listSharedEntries getSharedVideo',
  'findInPlaylist getHistoryState putHistoryState clearHistory removeFromHistory listPositions',
  'getNotificationPushes putNotificationPushes putPushSubscription deletePushSubscription',
  'countUnreadNotifications readNotification readAllNotifications getNotificationSettings putNotificationSettings',
  'getPerson listSessionsOfPerson endSessionOfPerson endSessionsOfPerson createPasswordLink removeSecondFactorOfPerson reprocessAnyVideo',
  'getOverview listPeople changeSuspension changeRole deletePerson listAllVideos changeTakedown changeVideoApproval changeSensitiveMark deleteAnyVideo',
  'approveAnyComments holdAnyComments countToDecide',
  'listAllComments deleteAnyComments restoreAnyComments listAuditLog',
  'listInvitations createInvitation deleteInvitation getReport answerDecision listReports decideReport',
  'answerSuspension getSite getSiteSettings putSiteSettings getWatchedWords putWatchedWords listReceivedComments changeQuota getUploadQuota',
  'listJobs retryJobs getTranscriptionWork retryTranscriptions dismissTranscriptions',
  'openSetup completeSetup putLogo deleteLogo',
  'beginOidcLogin linkOidc finishOidc listOidc unlinkOidc',
  'getHealth getStorageUse freeSpace',
  'listBackups createBackup verifyBackup getFolderImports createFolderImport',
  'getPrivacy getStoredData',
  // of no premiere; those have tests of their own: premieres.test.ts
  'getPremiere putReminder deleteReminder',
  // of no chat: chat.test.ts
  'getChat listChatMessages followChat sendChatMessage removeChatMessage putChatSettings',
].flatMap((names) => names.split(' '))
const lists = [
  'listVideos browseVideos listPopularVideos searchVideos suggestSearches findMoments listChannelVideos listFeed getWatchHistory listHistory listPlaylistEntries',
  'listNotifications findChannelVideos listDismissedVideos listOwnClips listReceivedClips listComing',
].flatMap((names) => names.split(' '))

let site: TestApp
const clients = {} as Record<Kind, TestClient>
let ownerId: string
let ownerName: string
let namedName: string
let clip: { id: string; bytes: Buffer }

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { PREPARE_POLICY: 'none', SEGMENT_WAIT_SECONDS: '150' },
  })
  clients.anonymous = site.client()
  clients.other = (await signUp(site)).client
  const moderator = await signUp(site)
  await updateRole(site.db, moderator.user._id, 'moderator')
  clients.moderator = moderator.client
  const named = await signUp(site)
  clients.named = named.client
  namedName = named.user.username
  const owner = await signUp(site)
  clients.owner = owner.client
  ownerId = owner.user._id
  ownerName = owner.user.username
  for (const kind of subscribers) await clients[kind].post(`/api/v1/sub/channel/${ownerName}`)
  const codecs = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -c:a libopus'
  const captions = { 'en.srt': '1\n00:00:01,000 --> 00:00:02,000\nThe tide\n' }
  const streams = '-i @en.srt -map 0 -map 1 -map 2 -c:s webvtt'
  clip = await publishSource(site, 'tide.webm', `${streams} ${codecs}`, '640x360', undefined, captions)
})
afterAll(() => site.close())

const inAnHour = () => new Date(site.clock.now().getTime() + 3600_000).toISOString()

async function setVisibility(videoId: string, state: State): Promise<void> {
  const isPremiere = state === 'premiere'
  const visibility: Visibility = state === 'held' ? 'public' : isPremiere ? 'scheduled' : state
  await clients.owner.call(changeOwnVideo, {
    params: { id: videoId },
    body: {
      visibility,
      viewers: [namedName],
      ...(visibility === 'scheduled' ? { publishAt: inAnHour(), isPremiere } : {}),
    },
  })
  if (state === 'held')
    await clients.moderator.call(changeVideoApproval, {
      params: { id: videoId },
      body: { isApproved: false },
    })
}

/** A video of the owner with a comment, but without files. */
async function createFixture(visibility: State): Promise<Fixture> {
  const videoId = await addVideo(site, ownerId, {
    title: 'Tide',
    description: 'At sea #tides',
    category: 'nature',
    source: JSON.stringify(testSource),
  })
  const comment = await clients.owner.call(addComment, { body: { videoId, content: 'First' } })
  const captionsId = await addTestCaptions(site, videoId)
  const part = await clients.owner.call(createClip, {
    body: { videoId, title: 'Tide', startSeconds: 1, endSeconds: 3 },
  })
  await setVisibility(videoId, visibility)
  return { videoId, commentId: comment._id, captionsId, clipId: part._id }
}

async function statusFor(kind: Kind, method: string, path: string, body?: object): Promise<number> {
  return (await clients[kind].send(method, path, body)).status
}

test('every endpoint is in a table', () => {
  expect([...Object.keys(about), ...lists, ...elsewhere].toSorted()).toEqual(
    api.map(({ name }) => name).toSorted(),
  )
})

describe.each(visibilities)('a video that is %s', (visibility) => {
  const without = kinds.filter((kind) => !mayOpen[visibility].includes(kind))
  let ofReads: Promise<Fixture> | undefined

  test.each(Object.entries(about))(
    '%s returns 404 to visitors who may not see it',
    // each refuses another kind of visitor
    nightlyUnless(['members', 'private', 'held'].includes(visibility)),
    async (name, { params, body }) => {
      const endpoint = api.find((each) => each.name === name)
      if (!endpoint) throw new Error(`no endpoint is called ${name}`)
      // reads leave their fixture as it is
      const isRead = endpoint.method === 'GET'
      const fixture = await (isRead ? (ofReads ??= createFixture(visibility)) : createFixture(visibility))
      const path = urlOf(endpoint, params?.(fixture) ?? {})
      const status = (kind: Kind) => statusFor(kind, endpoint.method, path, body?.(fixture))
      for (const kind of kinds) {
        const actual = await status(kind)
        const isSignedOut = kind === 'anonymous' && endpoint.auth === 'required'
        const refused = isSignedOut ? 401 : 404
        const isRefused = isSignedOut || without.includes(kind)
        expect.soft([kind, actual === refused]).toEqual([kind, isRefused])
      }
    },
  )

  test('is open to people who work on its channel, until they are removed', async () => {
    const { videoId } = await createFixture(visibility)
    const { client, user } = await signUp(site)
    const isOpen = async () => (await client.get(`/api/v1/video/${videoId}`)).status === 200
    const role = { channelId: ownerId, userId: user._id, role: 'editor' as const, createdAt: new Date() }
    await site.db.insertInto('collaborators').values(role).execute()
    expect(await isOpen()).toBe(true)
    await clients.owner.delete(`/api/v1/studio/people/${user.username}`)
    expect(await isOpen()).toBe(mayOpen[visibility].includes('other'))
  })

  test('is listed for permitted visitors only', async () => {
    const { videoId } = await createFixture(visibility)
    // only a few videos are suggested, the most watched first; those of other tests have the same title
    await site.db.updateTable('videos').set({ views: 100 }).where('id', '=', videoId).execute()
    const shows = async (path: string) => {
      const found: Kind[] = []
      for (const kind of kinds) if ((await clients[kind].get(path)).text.includes(videoId)) found.push(kind)
      return found
    }
    // Twice and in both orders, so that a response cached for one visitor would reach another.
    for (const _ of [1, 2]) {
      expect(await shows('/api/v1/video/all')).toEqual(isListed[visibility])
      expect(await shows('/api/v1/video/search/tide')).toEqual(isListed[visibility])
      expect(await shows('/api/v1/video/search/!%20')).toEqual([])
      expect(await shows('/api/v1/search/suggestions?text=ti')).toEqual(isListed[visibility])
      for (const filter of ['tag=tides', 'category=nature', 'tag=%23Tides&category=nature'])
        expect(await shows(`/api/v1/browse?${filter}`)).toEqual(isListed[visibility])
      expect(await shows('/api/v1/popular')).toEqual(isListed[visibility])
      expect(await shows(`/api/v1/users/videos/${ownerName}`)).toEqual(isOnChannel[visibility])
      for (const sort of ['newest', 'popular'])
        expect(await shows(`/api/v1/channels/${ownerName}/videos?sort=${sort}`)).toEqual(
          isOnChannel[visibility],
        )
      expect(await shows('/sitemap.xml')).toEqual(visibility === 'public' ? kinds : [])
    }
    expect(await shows('/api/v1/sub/feed')).toEqual(
      isListed[visibility].filter((kind) => subscribers.includes(kind)),
    )
    for (const path of ['/feeds/videos', `/feeds/channels/${ownerName}`, '/feeds/search?text=tide'])
      expect(await shows(path)).toEqual(visibility === 'public' ? kinds : [])
    expect(await shows('/api/v1/users/dashboard')).toEqual(['owner'])
    expect(await shows('/api/v1/studio/videos')).toEqual(['owner'])
  })

  test('has captions that permitted visitors find, unlisted ones only its owner', async () => {
    const { videoId, captionsId } = await createFixture(visibility)
    const word = `tidal${captionsId.replaceAll(/[^a-z]/gi, '').toLowerCase()}`
    const content = `WEBVTT\n\n00:07.000 --> 00:08.000\nA ${word} wave\n`
    await site.db.updateTable('captions').set({ content }).where('id', '=', captionsId).execute()
    const ofFile = { videoId, fileTrack: 0, replacement: null }
    await putFileCaptions(site.db, ofFile, `WEBVTT\n\n00:07.000 --> 00:08.000\nA deep${word}\n`)
    for (const kind of [...kinds, ...kinds.toReversed()]) {
      const { text } = await clients[kind].get(`/api/v1/search/moments?text=${word}`)
      const mayFind = isListed[visibility].includes(kind) || isOnChannel[visibility].includes(kind)
      expect
        .soft([kind, text.includes(videoId), text.includes(`A ${word}`)])
        .toEqual([kind, mayFind, mayFind])
      const inFile = await clients[kind].get(`/api/v1/search/moments?text=deep${word}`)
      expect.soft([kind, inFile.text.includes(`A deep${word}`)]).toEqual([kind, mayFind])
    }
  })

  test('stays in the history of permitted visitors only', async () => {
    const { videoId } = await createFixture('public')
    for (const kind of kinds.slice(1)) await clients[kind].call(updateHistory, { params: { videoId } })
    await setVisibility(videoId, visibility)
    for (const kind of kinds.slice(1)) {
      const history = await clients[kind].get('/api/v1/users/watchhistory?limit=200')
      const entries = await clients[kind].get('/api/v1/users/history?limit=200')
      const user = await clients[kind].get('/api/v1/users/currentuser')
      const isSeen = mayOpen[visibility].includes(kind)
      const seen = [history, entries, user].map(({ text }) => text.includes(videoId))
      expect(seen).toEqual([isSeen, isSeen, isSeen])
    }
  })

  test('stays in the playlists of permitted visitors only', async () => {
    const { videoId } = await createFixture('public')
    for (const kind of kinds.slice(1))
      await clients[kind].call(addToPlaylist, { params: { playlistId: watchLaterId, videoId } })
    await setVisibility(videoId, visibility)
    for (const kind of kinds.slice(1)) {
      const path = `/api/v1/playlists/${watchLaterId}`
      const entries = await clients[kind].get(`${path}/entries?limit=200`)
      const file = await clients[kind].get(`${path}/export.m3u`)
      const isSeen = mayOpen[visibility].includes(kind)
      expect([entries.text.includes(videoId), file.text.includes(videoId)]).toEqual([isSeen, isSeen])
    }
  })

  test('shows clips to permitted visitors only, in lists, on their page and in the player', async () => {
    const { videoId } = await createFixture('public')
    // those of earlier tests fill more than a page
    await site.db.deleteFrom('clips').execute()
    const made = new Map<Kind, string>()
    for (const kind of kinds.slice(1)) {
      const body = { videoId, title: `Tide of ${kind}`, startSeconds: 1, endSeconds: 3 }
      made.set(kind, (await clients[kind].call(createClip, { body }))._id)
    }
    await setVisibility(videoId, visibility)
    for (const kind of kinds.slice(1)) {
      const { text } = await clients[kind].get('/api/v1/clips?limit=200')
      expect([kind, text.includes(videoId)]).toEqual([kind, mayOpen[visibility].includes(kind)])
      // to remove it
      expect(text).toContain(made.get(kind))
    }
    for (const kind of kinds)
      for (const path of ['/api/v1/clips/', '/clip/', '/embed/clip/']) {
        const { status, text } = await clients[kind].get(path + made.get('other'))
        const isOpen = mayOpen[visibility].includes(kind)
        expect([kind, path, status, text.includes('Tide of other')]).toEqual([
          kind,
          path,
          isOpen ? 200 : 404,
          isOpen,
        ])
      }
    for (const kind of kinds.slice(1)) {
      const body = { kind: 'clip', subjectId: made.get('other'), reason: 'spam' }
      const { status } = await clients[kind].post('/api/v1/reports', body)
      // nobody reports their own
      const permitted = kind === 'other' ? 400 : 200
      expect([kind, status]).toEqual([kind, mayOpen[visibility].includes(kind) ? permitted : 404])
    }
  })

  test('records views of permitted visitors only', async () => {
    const { videoId } = await createFixture(visibility)
    await Promise.all(kinds.map((kind) => clients[kind].patch(`/api/v1/video/${videoId}`)))
    expect((await getVideo(site.db, videoId, ownerId)).views).toBe(mayOpen[visibility].length)
  })

  test('shows how it was watched to its owner only, and counts permitted viewers only', async () => {
    const { videoId } = await createFixture(visibility)
    const report = { isFirst: true, watchedSeconds: 3, parts: [0], captions: null, lines: null }
    for (const kind of kinds)
      await clients[kind].post(`/api/v1/video/${videoId}/playback`, { ...report, source: 'home' })
    const path = `/api/v1/studio/videos/${videoId}/analytics`
    for (const address of [path, `${path}.csv`]) {
      const statuses = await Promise.all(kinds.map((kind) => statusFor(kind, 'GET', address)))
      expect(statuses).toEqual([401, 404, 404, 404, 200])
    }
    const { totals } = await clients.owner.call(getVideoAnalytics, { params: { id: videoId }, query: {} })
    expect(totals.playbacks).toBe(mayOpen[visibility].length)
    const shows = async (kind: Kind) =>
      (await clients[kind].get('/api/v1/studio/analytics?period=all')).text.includes(videoId)
    expect(await Promise.all(kinds.map(shows))).toEqual([false, false, false, false, true])
  })

  test('sends files to permitted visitors only, and lets shared caches keep files of public videos only', async () => {
    await site.db.updateTable('videos').set({ ownerId }).where('id', '=', clip.id).execute()
    await setVisibility(clip.id, 'public')
    const { videoFile, thumbnail } = await getVideo(site.db, clip.id)
    await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
    const base = `/media/videos/${clip.id}`
    const captions = `${base}/captions/${await addTestCaptions(site, clip.id)}-1.vtt`
    await setVisibility(clip.id, visibility)
    const isOpen = visibility === 'public' || visibility === 'unlisted'
    for (const path of [
      videoFile,
      `${base}/source.webm`,
      `${base}/master.m3u8`,
      `${base}/storyboard.vtt`,
      `${base}/${SEGMENT_FORMAT}/240/index.m3u8`,
      `${base}/${SEGMENT_FORMAT}/240/init.mp4`,
      `${base}/${SEGMENT_FORMAT}/240/0.m4s`,
      `${base}/${SEGMENT_FORMAT}/storyboard2/0.jpg`,
      `${base}/${SEGMENT_FORMAT}/captions/0.vtt`,
      captions,
      thumbnail,
    ]) {
      for (const kind of [...kinds, ...kinds.toReversed()]) {
        const response = await clients[kind].fetch(path, { headers: { range: 'bytes=0-9' } })
        await response.arrayBuffer()
        const isSent = response.status < 400
        const cached = isSent && response.headers.get('cache-control')?.split(',')[0]
        const sent = [true, isOpen ? 'public' : 'private']
        // the announcement of a premiere has its poster
        const isPoster = path === thumbnail && visibility === 'premiere'
        const isAllowed = mayOpen[visibility].includes(kind) || isPoster
        expect
          .soft([path, kind, isSent, cached])
          .toEqual([path, kind, ...(isAllowed ? sent : [false, false])])
      }
    }
    const marks = await Promise.all(
      [clip.id, thumbnail.split('/').at(-2) ?? ''].map(
        async (mark) => !!(await site.storage.head(hiddenKey(mark))),
      ),
    )
    expect(marks).toEqual([!isOpen, !isOpen])
  })

  test('sends an MP4 of what a cut leaves of it to permitted visitors only', async () => {
    const set = { ownerId, downloadsAllowed: true }
    await site.db.updateTable('videos').set(set).where('id', '=', clip.id).execute()
    await setVisibility(clip.id, visibility)
    const params = { id: clip.id }
    const keep = [{ startSeconds: 0, endSeconds: 1.5 }]
    await clients.owner.call(putCut, { params, body: { keep } })
    const [video] = await clients.owner.call(getWatchedVideo, { params })
    const read = async (kind: Kind) => {
      const { status, headers } = await clients[kind].fetch(video?.downloadFile ?? '', { method: 'HEAD' })
      return [kind, status, headers.get('cache-control')?.includes('no-store')]
    }
    const isSent = (kind: Kind) => mayOpen[visibility].includes(kind)
    expect(await Promise.all(kinds.map(read))).toEqual(
      kinds.map((kind) => [kind, isSent(kind) ? 200 : 404, true]),
    )
    await clients.owner.call(deleteCut, { params })
    expect((await read('owner'))[1]).toBe(404)
  })

  test('opens by its share link, unless it waits for approval or is taken down', async () => {
    await site.db
      .updateTable('videos')
      .set({ ownerId, heldVisibility: null })
      .where('id', '=', clip.id)
      .execute()
    await setVisibility(clip.id, 'public')
    const { thumbnail } = await getVideo(site.db, clip.id)
    await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
    const captions = `/videos/${clip.id}/captions/${await addTestCaptions(site, clip.id)}-1.vtt`
    const params = { id: clip.id }
    const { secret } = await clients.owner.call(createShareLink, {
      params,
      body: { name: 'Class 4b', allowsDownload: true },
    })
    const open = () => clients.anonymous.call(openShareLink, { body: { secret } })
    const { visit, video } = await open()
    if (!video) throw new Error('A link to a video has a video')
    const base = `/media/shared/${visit}`
    const stream = `${base}/videos/${clip.id}/${SEGMENT_FORMAT}`
    const statuses = () =>
      Promise.all(
        [
          video.videoFile ?? '',
          video.streamUrl,
          `${base}/videos/${clip.id}/storyboard.vtt`,
          `${stream}/240/index.m3u8`,
          `${stream}/240/init.mp4`,
          `${stream}/240/0.m4s`,
          `${stream}/storyboard2/0.jpg`,
          `${stream}/captions/0.vtt`,
          base + captions,
          video.thumbnail,
        ].map((path) => statusFor('anonymous', 'GET', path)),
      )
    await setVisibility(clip.id, visibility)
    const isOpened = visibility !== 'held'
    expect(new Set(await statuses())).toEqual(new Set([isOpened ? 200 : 404]))
    expect((await statusFor('anonymous', 'POST', '/api/v1/share-links/open', { secret })) === 200).toBe(
      isOpened,
    )
    await clients.moderator.call(changeTakedown, { params, body: { reason: 'Not ours' } })
    expect(new Set(await statuses())).toEqual(new Set([404]))
    await expect(open()).rejects.toMatchObject({ reason: 'share_link_gone' })
    await clients.moderator.call(changeTakedown, { params, body: { reason: null } })
  })

  test('opens by a link to a playlist of its owner, and by that of somebody else only if it is for everybody', async () => {
    const { videoId } = await createFixture(visibility)
    const sees = async (client: TestClient) => {
      const { _id: playlistId } = await client.call(createPlaylist, { body: { title: 'Lessons' } })
      await site.db
        .insertInto('playlistEntries')
        .values({ id: `${playlistId}-e`, playlistId, videoId, position: 'a0' })
        .execute()
      const params = { playlistId }
      const { secret } = await client.call(createPlaylistLink, { params, body: { name: 'Class 4b' } })
      const { visit } = await clients.anonymous.call(openShareLink, { body: { secret } })
      const { items } = await clients.anonymous.call(listSharedEntries, { body: { visit } })
      const { videosCount } = await clients.anonymous.call(getSharedPlaylist, { body: { visit } })
      const status = await statusFor('anonymous', 'POST', '/api/v1/share-links/playlist/video', {
        visit,
        videoId,
      })
      return [items.length, videosCount, status]
    }
    expect(await sees(clients.owner)).toEqual(visibility === 'held' ? [0, 0, 404] : [1, 1, 200])
    // the named viewer may see it, but does not share it
    const isOpen = mayOpen[visibility].includes('anonymous')
    expect(await sees(clients.named)).toEqual(isOpen ? [1, 1, 200] : [0, 0, 404])
  })

  test('appears in the HTML of pages and feeds only if it is public', async () => {
    const { videoId } = await createFixture(visibility)
    await clients.owner.call(updateVideo, { params: { id: videoId }, body: { title: 'Secret tide' } })
    const isOpen = mayOpen[visibility].includes('anonymous')
    for (const path of [`/video/${videoId}`, `/embed/${videoId}`]) {
      const page = await site.client().get(path)
      const isAnnounced = visibility === 'premiere' && path.startsWith('/video')
      const isShown = isOpen || isAnnounced
      expect([page.status, page.text.includes('Secret tide')]).toEqual([isShown ? 200 : 404, isShown])
      const hasPreview = visibility === 'public' || isAnnounced
      expect(page.text.includes('og:title" content="Secret tide')).toBe(hasPreview)
      expect(page.text.includes('master.m3u8')).toBe(isOpen && path.startsWith('/video'))
      const isIndexed = visibility === 'public' && path.startsWith('/video')
      expect(page.text.includes('noindex')).toBe(!isIndexed)
    }
    const url = encodeURIComponent(`${site.origin}/video/${videoId}`)
    const oembed = await site.client().get(`/oembed?url=${url}`)
    expect(oembed.status).toBe(isOpen ? 200 : 404)
    const own = await clients.owner.get(`/video/${videoId}`)
    expect([own.status, own.text.includes('Secret tide')]).toEqual([200, true])
    // the page of a premiere is the same for everybody
    expect(own.headers.get('cache-control')).toMatch(
      isOpen || visibility === 'premiere' ? /^public/ : /^private, no-store$/,
    )
  })
})

test('corrections and completions of searches use words of public videos only', async () => {
  const find = async (kind: Kind, text: string) =>
    (await clients[kind].get(`/api/v1/video/search/${encodeURIComponent(text)}`)).text
  const words = async () => {
    const rows = await site.db.selectFrom('searchVocabulary').select('word').execute()
    return rows.map(({ word }) => word).filter((word) => word.startsWith('quokka'))
  }
  const members = await addVideo(site, ownerId, { title: 'Quokkafamily', visibility: 'members' })
  const hidden = await addVideo(site, ownerId, { title: 'Quokkasecret' })
  expect(await words()).toEqual(['quokkasecret'])
  await setVisibility(hidden, 'private')
  expect(await words()).toEqual([])
  await recountWords(site.db)
  expect(await words()).toEqual([])
  expect(await find('other', 'quokkafamily')).toContain(members)
  expect(await find('anonymous', 'quokkafamily')).not.toContain(members)
  await setVisibility(members, 'public')
  expect(await words()).toEqual(['quokkafamily'])
  expect(await find('anonymous', 'quokafamily')).toContain(members)
  await setVisibility(members, 'members')
  expect(await words()).toEqual([])
})

test('changes several videos independently, and own ones only', async () => {
  const [first, second] = [(await createFixture('public')).videoId, (await createFixture('public')).videoId]
  const ids = [first, 'nothing', second]
  const change = (kind: Kind) =>
    clients[kind].call(changeOwnVideos, {
      body: { videos: ids.map((_id) => ({ _id, visibility: 'private' as const })) },
    })
  const unknown = { _id: 'nothing', error: 'This video does not exist' }
  const notYours = 'This video is not yours'
  expect(await change('other')).toMatchObject([
    { _id: first, error: notYours },
    unknown,
    { _id: second, error: notYours },
  ])
  expect(await change('owner')).toMatchObject([
    { _id: first, error: null },
    unknown,
    { _id: second, error: null },
  ])
  expect((await clients.other.get(`/api/v1/video/${second}`)).status).toBe(404)
  const remove = (kind: Kind) => clients[kind].call(deleteOwnVideos, { body: { ids } })
  const hidden = ids.map((_id) => ({ _id, error: 'This video does not exist' }))
  expect(await remove('other')).toMatchObject(hidden)
  expect(await remove('owner')).toMatchObject([
    { _id: first, error: null },
    unknown,
    { _id: second, error: null },
  ])
  expect(await remove('owner')).toMatchObject(hidden)
})

test('repeated schedules enqueue one job, which publishes at the last time that was set', async () => {
  const { videoId } = await createFixture('private')
  const schedule = (publishAt: string) =>
    clients.owner.call(changeOwnVideo, {
      params: { id: videoId },
      body: { visibility: 'scheduled', publishAt },
    })
  for (let time = 0; time < 3; time += 1) await schedule(inAnHour())
  const inTwoHours = new Date(site.clock.now().getTime() + 7200_000)
  await schedule(inTwoHours.toISOString())
  const { rows } = await sql<{ startAfter: Date }>`
    select start_after from pgboss.job where name = 'videos.publish_scheduled' and singleton_key = ${videoId}
      and state = 'created'`.execute(site.db)
  expect(rows.map(({ startAfter }) => startAfter)).toEqual([inTwoHours])
})

test('refuses a publication time without the visibility scheduled', async () => {
  const { videoId } = await createFixture('public')
  for (const visibility of [undefined, 'public'] as const) {
    const body = { publishAt: inAnHour(), ...(visibility ? { visibility } : {}) }
    await expect(clients.owner.call(changeOwnVideo, { params: { id: videoId }, body })).rejects.toMatchObject(
      { errors: [{ path: 'publishAt' }] },
    )
  }
})

test('playback positions and playlist entries omit a video that became private', async () => {
  const { videoId } = await createFixture('public')
  await clients.other.call(updateHistory, { params: { videoId } })
  await clients.other.call(putPosition, { params: { videoId }, body: { positionSeconds: 5 } })
  const playlist = await clients.other.call(createPlaylist, {
    body: { title: 'Tides', visibility: 'public' },
  })
  const params = { playlistId: playlist._id, videoId }
  await clients.other.call(addToPlaylist, { params })
  const place = urlOf(findInPlaylist, params)
  const seen = async () => ({
    position: (await clients.other.get(urlOf(listPositions, {}))).text.includes(videoId),
    places: await Promise.all(kinds.map((kind) => statusFor(kind, 'GET', place))),
  })
  expect(await seen()).toEqual({ position: true, places: [200, 200, 200, 200, 200] })
  await setVisibility(videoId, 'private')
  expect(await seen()).toEqual({ position: false, places: [404, 404, 404, 200, 200] })
})

test('deleting a private video removes its thumbnail and its hidden mark', async () => {
  const { videoId } = await createFixture('private')
  const { thumbnail } = await getVideo(site.db, videoId, ownerId)
  const picture = thumbnail.split('/').at(-2) ?? ''
  await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
  expect((await clients.owner.get(thumbnail)).status).toBe(200)
  expect((await clients.owner.delete(`/api/v1/video/${videoId}`)).status).toBe(200)
  for (const kind of kinds) expect((await clients[kind].get(thumbnail)).status).toBe(404)
  expect(await site.storage.head(hiddenKey(picture))).toBeUndefined()
})

test('a change applies to the next request', async () => {
  const { videoId } = await createFixture('public')
  const status = async () => (await clients.other.get(`/api/v1/video/${videoId}`)).status
  const guest = async () => (await site.client().get(`/api/v1/video/${videoId}`)).status
  expect([await status(), await guest()]).toEqual([200, 200])
  await setVisibility(videoId, 'private')
  expect([await status(), await guest()]).toEqual([404, 404])
  await setVisibility(videoId, 'members')
  expect([await status(), await guest()]).toEqual([200, 404])
  await setVisibility(videoId, 'unlisted')
  expect([await status(), await guest()]).toEqual([200, 200])
})

test('publishes a scheduled video at its time, as if it had been uploaded then', async () => {
  const { videoId } = await createFixture('private')
  const publishAt = new Date(Date.now() + 1500)
  const schedule = (at: Date) =>
    clients.owner.call(changeOwnVideo, {
      params: { id: videoId },
      body: { visibility: 'scheduled', publishAt: at.toISOString() },
    })
  await expect(schedule(new Date(site.clock.now().getTime() - 1000))).rejects.toMatchObject({
    errors: [{ path: 'publishAt' }],
  })
  await schedule(publishAt)
  const guest = async () => (await site.client().get(`/api/v1/video/${videoId}`)).status
  expect(await guest()).toBe(404)
  site.clock.set(publishAt)
  // if the job ran before, on a busy machine, the one of each minute publishes it
  await expect.poll(guest, { timeout: 90_000, interval: 50 }).toBe(200)
  const { createdAt, visibility } = await getVideo(site.db, videoId)
  expect([createdAt, visibility]).toEqual([publishAt.toISOString(), 'public'])
  const search = await site.client().get('/api/v1/video/search/tide')
  expect(search.text).toContain(videoId)
  expect(await site.storage.head(hiddenKey(videoId))).toBeUndefined()
})

test('refuses unknown usernames as viewers', async () => {
  const { videoId } = await createFixture('private')
  const body = { viewers: [namedName, 'nobodyatall'] }
  await expect(clients.owner.call(changeOwnVideo, { params: { id: videoId }, body })).rejects.toMatchObject({
    errors: [{ path: 'viewers', message: 'There is no account named nobodyatall. Check the spelling.' }],
  })
  expect((await clients.named.get(`/api/v1/video/${videoId}`)).status).toBe(200)
})

test('removes the replaced thumbnail of a private video immediately', async () => {
  const { videoId } = await createFixture('public')
  const replace = async () => {
    const form = new FormData()
    form.set('thumbnail', await drawPicture(), 'picture.png')
    const path = `/api/v1/studio/videos/${videoId}/thumbnail`
    expect((await clients.owner.fetch(path, { method: 'PUT', body: form })).status).toBe(200)
    return (await getVideo(site.db, videoId, ownerId)).thumbnail
  }
  const old = await replace()
  expect((await clients.other.get(old)).status).toBe(200)
  await clients.owner.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'private' } })
  expect((await clients.other.get(old)).status).toBe(404)
  await replace()
  for (const kind of kinds) expect((await clients[kind].get(old)).status).toBe(404)
  expect(await site.storage.head(hiddenKey(old.split('/').at(-2) ?? ''))).toBeUndefined()
})

test('refuses times and names that cannot be stored', async () => {
  const { videoId } = await createFixture('private')
  const path = `/api/v1/studio/videos/${videoId}`
  const scheduled = { visibility: 'scheduled', publishAt: '9999-12-31T23:59:59-23:59' }
  for (const body of [{ viewers: ['a\0b'] }, { viewers: 'a' }, scheduled])
    expect((await clients.owner.patch(path, body)).status).toBe(400)
})
