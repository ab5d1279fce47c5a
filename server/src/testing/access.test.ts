import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { api } from '@kinora/contract/api.ts'
import { urlOf } from '@kinora/contract/client.ts'
import { addComment } from '@kinora/contract/conversation/comments.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { createClip } from '@kinora/contract/watching/clips.ts'
import { addToPlaylist, createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBackup } from '../features/operations/backups/jobs.ts'
import { putWatched } from '../features/watching/history/queries.ts'
import { startSession } from '../features/accounts/sessions/actions.ts'
import { updateRole } from '../features/accounts/users/queries.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import type { TestClient } from './fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { drawPicture, registrationForm, signUp, testPassword } from './fixtures/test-users.ts'
import { addTestCaptions, addVideo, testSource } from './fixtures/test-videos.ts'

/**
 * Access matrix: every endpoint by a signed-out visitor, by another user, by a moderator and an administrator, and by the
 * owner. An endpoint without a row fails the first test.
 */

/** Resources of the calls, all owned by one user; both users have watched the video. */
interface Fixture {
  videoId: string
  commentId: string
  username: string
  uploadId: string
  playlistId: string
  entryId: string
  notificationId: string
  captionsId: string
  groupId: string
  reportId: string
  invitationId: string
  clipId: string
}

type Body = object | undefined

interface Row {
  /** Statuses for signed out, another user, and owner. */
  statuses: [number, number, number]
  /** Statuses for a moderator and an administrator, where their role counts; else they are as another user. */
  byRole?: [number, number]
  /** Statuses for an owner who is a moderator or an administrator, where neither the role nor ownership decides. */
  ofOwnerByRole?: [number, number]
  params?: (fixture: Fixture) => Record<string, string>
  body?: (fixture: Fixture) => Body | Promise<Body>
}

const anyone: Row['statuses'] = [200, 200, 200]
const signedIn: Row['statuses'] = [401, 200, 200]
const owner: Row['statuses'] = [401, 403, 200]

const announcement = () => ({
  title: 'Live',
  visibility: 'public',
  keepsRecording: true,
  startsAt: new Date(Date.now() + 3600_000).toISOString(),
})

const staff: Pick<Row, 'statuses' | 'byRole'> = { statuses: [401, 403, 403], byRole: [200, 200] }
const administrators: Pick<Row, 'statuses' | 'byRole'> = { statuses: [401, 403, 403], byRole: [403, 200] }

/** Nobody acts on the own account. */
const notOwn: Pick<Row, 'ofOwnerByRole'> = { ofOwnerByRole: [403, 403] }

const noParams: NonNullable<Row['params']> = () => ({})
const noBody: NonNullable<Row['body']> = () => undefined

const id = ({ videoId }: Fixture) => ({ id: videoId })
const videoId = (fixture: Fixture) => ({ videoId: fixture.videoId })
const commentId = (fixture: Fixture) => ({ commentId: fixture.commentId })
const ofComment = (fixture: Fixture) => ({ ...videoId(fixture), ...commentId(fixture) })
const username = (fixture: Fixture) => ({ username: fixture.username })
const clipId = (fixture: Fixture) => ({ clipId: fixture.clipId })
const playlistId = (fixture: Fixture) => ({ playlistId: fixture.playlistId })
const notificationId = (fixture: Fixture) => ({ notificationId: fixture.notificationId })
const reportId = (fixture: Fixture) => ({ reportId: fixture.reportId })
const entry = (fixture: Fixture) => ({ ...playlistId(fixture), entryId: fixture.entryId })
const groupId = (fixture: Fixture) => ({ groupId: fixture.groupId })
const track = (fixture: Fixture) => ({ ...id(fixture), captionsId: fixture.captionsId })
const captionsFile = new Blob(['WEBVTT\n\n00:01.000 --> 00:02.000\nSalt\n'])
const files = (fields: Record<string, string | Blob>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
// of nobody: webhooks.test.ts
const webhook = () => ({ webhookId: 'abc' })
const provider = () => ({ provider: 'club' })
const credential = { id: 'abc', rawId: 'abc', type: 'public-key' }
const texts = { title: 'Salt flats', description: 'At dawn' }

const rows: Record<string, Row> = {
  listVideos: { statuses: anyone },
  browseVideos: { statuses: [400, 400, 400] },
  listPopularVideos: { statuses: anyone },
  listCategories: { statuses: anyone },
  getVideo: { statuses: anyone, params: id },
  // of no premiere: premieres.test.ts
  getPremiere: { statuses: [404, 404, 404], params: videoId },
  putReminder: { statuses: [401, 404, 404], params: videoId },
  // of no chat: chat.test.ts
  getChat: { statuses: [404, 404, 404], params: videoId },
  listChatMessages: { statuses: [404, 404, 404], params: videoId },
  followChat: { statuses: [404, 404, 404], params: videoId },
  sendChatMessage: { statuses: [401, 404, 404], params: videoId, body: () => ({ text: 'Hello' }) },
  removeChatMessage: {
    statuses: [401, 404, 404],
    params: (fixture) => ({ ...videoId(fixture), messageId: 'none' }),
  },
  putChatSettings: {
    statuses: [401, 404, 404],
    params: videoId,
    body: () => ({ writers: 'everybody', slowSeconds: 0 }),
  },
  deleteReminder: { statuses: [401, 404, 404], params: videoId },
  recordView: { statuses: anyone, params: id },
  followProcessing: { statuses: signedIn },
  updateVideo: { statuses: owner, params: id, body: () => texts },
  reprocessVideo: { statuses: owner, params: id },
  deleteVideo: { statuses: owner, params: id },
  uploadVideo: {
    statuses: [401, 201, 201],
    body: async () =>
      files({
        ...texts,
        thumbnail: await drawPicture(),
        video: new Blob([new Uint8Array(await drawClip('mp4'))]),
      }),
  },
  announceUpload: { statuses: signedIn },
  publishUpload: {
    statuses: [401, 403, 201],
    params: ({ uploadId }) => ({ id: uploadId }),
    body: async () => files({ ...texts, thumbnail: await drawPicture() }),
  },
  listUnfinishedUploads: { statuses: signedIn },
  saveUploadDraft: {
    statuses: [401, 403, 200],
    params: ({ uploadId }) => ({ id: uploadId }),
    body: () => ({ ...texts, visibility: 'private' }),
  },
  searchVideos: { statuses: anyone, params: () => ({ term: 'salt' }) },
  suggestSearches: { statuses: anyone },
  summarizeSearch: { statuses: anyone },
  findMoments: { statuses: anyone },
  listRecommendations: { statuses: anyone, params: videoId },
  listMutedPeople: { statuses: signedIn },
  mutePerson: { statuses: [401, 200, 400], params: username, body: () => ({ isBlocked: false }) },
  unmutePerson: { statuses: signedIn, params: username },
  listDismissed: { statuses: signedIn },
  listDismissedVideos: { statuses: signedIn },
  dismissVideo: { statuses: signedIn, params: videoId },
  // only after a dismissal by the caller
  restoreVideo: { statuses: [401, 404, 404], params: videoId },
  dismissChannel: { statuses: signedIn, params: username },
  restoreChannel: { statuses: signedIn, params: username },
  countVideoLikes: { statuses: anyone, params: id },
  hasLikedVideo: { statuses: signedIn, params: id },
  toggleVideoLike: { statuses: signedIn, params: id },
  putVideoLike: { statuses: signedIn, params: id },
  deleteVideoLike: { statuses: signedIn, params: id },
  hasLikedComment: { statuses: signedIn, params: commentId },
  toggleCommentLike: { statuses: signedIn, params: commentId },
  putCommentLike: { statuses: signedIn, params: commentId },
  deleteCommentLike: { statuses: signedIn, params: commentId },
  listComments: { statuses: anyone, params: videoId },
  addComment: {
    statuses: [401, 201, 201],
    body: (fixture) => ({ ...videoId(fixture), content: 'Well seen' }),
  },
  listReplies: { statuses: anyone, params: commentId },
  addReply: { statuses: [401, 201, 201], params: commentId, body: () => ({ content: 'Well said' }) },
  editComment: { statuses: owner, params: commentId, body: () => ({ content: 'Well seen' }) },
  getComment: { statuses: anyone, params: commentId },
  getPinnedComment: { statuses: anyone, params: videoId },
  markComment: { statuses: owner, params: ofComment, body: () => ({ isHearted: true }) },
  listHeldComments: { statuses: signedIn, params: videoId },
  listReceivedComments: { statuses: signedIn },
  approveComment: { statuses: owner, params: ofComment },
  holdComment: { statuses: owner, params: ofComment },
  listMentionable: { statuses: signedIn, params: videoId },
  // only after a deletion by the caller
  restoreComment: { statuses: [401, 404, 404], params: ofComment },
  removeComment: { statuses: owner, params: ofComment },
  deleteComment: { statuses: owner, params: ofComment },
  hasSubscribed: { statuses: signedIn, params: videoId },
  toggleSubscription: { statuses: signedIn, params: username },
  putSubscription: { statuses: signedIn, params: username },
  deleteSubscription: { statuses: signedIn, params: username },
  getSubscriptionSettings: { statuses: signedIn },
  putLanguage: { statuses: signedIn, body: () => ({ language: 'de' }) },
  putViewing: { statuses: signedIn, body: () => ({ sensitiveVideos: null, languages: [] }) },
  putSubscriptionSettings: { statuses: signedIn, body: () => ({ visibleTo: 'members' }) },
  listFeed: { statuses: signedIn },
  getFeedVisit: { statuses: signedIn },
  putFeedVisit: { statuses: signedIn },
  getFeedAddress: { statuses: signedIn },
  createFeedAddress: { statuses: [401, 201, 201] },
  deleteFeedAddress: { statuses: signedIn },
  listChannelGroups: { statuses: signedIn },
  createChannelGroup: { statuses: [401, 201, 201], body: () => ({ name: 'Salt', usernames: [] }) },
  updateChannelGroup: {
    statuses: [401, 404, 200],
    params: groupId,
    body: () => ({ name: 'Salt', usernames: [] }),
  },
  deleteChannelGroup: { statuses: [401, 404, 200], params: groupId },
  getChannelProfile: { statuses: signedIn, params: username },
  putChannelProfile: { statuses: signedIn, body: () => ({ links: [] }) },
  findChannelVideos: { statuses: signedIn, params: username },
  listChannels: { statuses: anyone },
  listChannelPlaylists: { statuses: signedIn, params: username },
  listSubscriptions: { statuses: signedIn, params: username },
  login: { statuses: anyone, body: (fixture) => ({ ...username(fixture), password: testPassword }) },
  logout: { statuses: anyone },
  register: { statuses: [201, 201, 201], body: () => registrationForm() },
  getSecondFactor: { statuses: signedIn },
  // the right password: second-factor.test.ts, passkeys.test.ts
  beginSecondFactor: { statuses: [401, 400, 400], body: () => ({ password: 'not the one' }) },
  confirmSecondFactor: { statuses: [401, 409, 409], body: () => ({ code: '000000' }) },
  removeSecondFactor: { statuses: [401, 400, 400], body: () => ({ password: 'not the one' }) },
  getAccountExport: { statuses: signedIn },
  createAccountExport: { statuses: [401, 201, 201] },
  deleteAccountExport: { statuses: signedIn },
  getAccountImport: { statuses: signedIn },
  createAccountImport: { statuses: [401, 404, 404], body: () => ({ uploadId: 'nothing' }) },
  deleteAccountImport: { statuses: signedIn },
  listPasskeys: { statuses: signedIn },
  beginPasskey: { statuses: [401, 400, 400], body: () => ({ password: 'not the one' }) },
  addPasskey: {
    statuses: [401, 400, 400],
    body: () => ({ ...credential, response: { clientDataJSON: 'abc', attestationObject: 'abc' } }),
  },
  deletePasskey: { statuses: [401, 404, 404], params: () => ({ passkeyId: 'abc' }) },
  beginPasskeyLogin: { statuses: anyone },
  // with a signature: passkeys.test.ts
  loginWithPasskey: { statuses: [400, 400, 400], body: () => credential },
  listOidc: { statuses: signedIn },
  // no provider is configured: oidc.test.ts
  beginOidcLogin: { statuses: [404, 404, 404], params: provider },
  linkOidc: { statuses: [401, 404, 404], params: provider },
  finishOidc: { statuses: [404, 404, 404], params: provider, body: () => ({ query: 'code=abc' }) },
  unlinkOidc: { statuses: [401, 404, 404], params: provider },
  listApiTokens: { statuses: signedIn },
  // the right password: api-tokens.test.ts
  createApiToken: {
    statuses: [401, 400, 400],
    body: () => ({ name: 'Script', scopes: ['read'], days: 90, password: 'not the one' }),
  },
  deleteApiToken: { statuses: [401, 404, 404], params: () => ({ tokenId: 'abc' }) },
  listVideoImports: { statuses: signedIn },
  // off by default: video-imports.test.ts
  createVideoImport: { statuses: [401, 403, 403], body: () => ({ url: 'https://media.example.org/a.mp4' }) },
  deleteVideoImport: { statuses: [401, 404, 404], params: () => ({ importId: 'abc' }) },
  listFeedImports: { statuses: signedIn },
  // off by default: feed-imports.test.ts
  createFeedImport: { statuses: [401, 403, 403], body: () => ({ url: 'https://media.example.org/feed' }) },
  updateFeedImport: {
    statuses: [401, 404, 404],
    params: () => ({ feedId: 'abc' }),
    body: () => ({ isPaused: true }),
  },
  deleteFeedImport: { statuses: [401, 404, 404], params: () => ({ feedId: 'abc' }) },
  listWebhooks: { statuses: signedIn },
  createWebhook: {
    statuses: [401, 201, 201],
    body: () => ({ url: 'https://hooks.example.org', events: ['video.published'] }),
  },
  deleteWebhook: { statuses: [401, 404, 404], params: webhook },
  testWebhook: { statuses: [401, 404, 404], params: webhook },
  resumeWebhook: { statuses: [401, 404, 404], params: webhook },
  listWebhookDeliveries: { statuses: [401, 404, 404], params: webhook },
  listSessions: { statuses: signedIn },
  endSession: { statuses: [401, 404, 404], params: () => ({ sessionId: 'abc' }) },
  endOtherSessions: { statuses: signedIn },
  getCurrentUser: { statuses: signedIn },
  getChannel: { statuses: signedIn, params: username },
  listChannelVideos: { statuses: signedIn, params: username },
  updateDetails: { statuses: signedIn, body: () => ({ fullname: 'Somebody else' }) },
  changePassword: {
    statuses: signedIn,
    body: () => ({ oldPassword: testPassword, newPassword: `new ${testPassword}` }),
  },
  // the right password would delete the account: accounts.test.ts
  getAccountDeletion: { statuses: [404, 404, 404] },
  keepAccount: { statuses: [404, 404, 404] },
  deleteAccount: { statuses: [401, 400, 400], body: () => ({ password: 'not the one' }) },
  // no mail is configured
  requestPasswordReset: { statuses: [404, 404, 404], body: () => ({ email: 'ada@example.org' }) },
  // by a link: passwords.test.ts, administration.test.ts
  resetPassword: { statuses: [400, 400, 400], body: () => ({ code: 'abc', newPassword: testPassword }) },
  getNotificationMails: { statuses: [401, 404, 404] },
  putNotificationMails: {
    statuses: [401, 404, 404],
    body: () => ({ frequency: 'daily', hour: 7, kinds: ['video'] }),
  },
  getNotificationPushes: { statuses: signedIn },
  putNotificationPushes: { statuses: signedIn, body: () => ({ muted: ['video'] }) },
  putPushSubscription: {
    statuses: signedIn,
    body: () => ({
      endpoint: 'https://push.example.net/push/abc',
      keys: {
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      },
    }),
  },
  deletePushSubscription: { statuses: signedIn },
  unsubscribeFromMails: { statuses: [400, 400, 400], body: () => ({ token: 'abc' }) },
  getEmailState: { statuses: signedIn },
  confirmRegistration: { statuses: [404, 404, 404], body: () => ({ code: 'abc' }) },
  getRegistrationChallenge: { statuses: [404, 404, 404] },
  requestRegistrationMail: {
    statuses: [404, 404, 404],
    body: () => ({ email: 'ines@example.org', username: 'ines' }),
  },
  requestEmailConfirmation: { statuses: [401, 404, 404] },
  confirmEmail: { statuses: [404, 404, 404], body: () => ({ code: 'abc' }) },
  keepEmail: { statuses: [404, 404, 404], body: () => ({ code: 'abc' }) },
  updateAvatar: { statuses: signedIn, body: async () => files({ avatar: await drawPicture() }) },
  updateCover: { statuses: signedIn, body: async () => files({ coverImage: await drawPicture() }) },
  getDashboard: { statuses: signedIn },
  updateHistory: { statuses: signedIn, params: videoId },
  getWatchHistory: { statuses: signedIn },
  getPosition: { statuses: signedIn, params: videoId },
  listOwnVideos: { statuses: signedIn },
  getOwnVideo: { statuses: [401, 404, 200], params: id },
  changeOwnVideo: { statuses: owner, params: id, body: () => ({ visibility: 'unlisted' }) },
  // 200 for everybody: the response has an error for each video of others
  changeOwnVideos: {
    statuses: signedIn,
    body: (fixture) => ({ videos: [{ _id: fixture.videoId, visibility: 'unlisted' }] }),
  },
  deleteOwnVideos: { statuses: signedIn, body: (fixture) => ({ ids: [fixture.videoId] }) },
  replaceThumbnail: {
    statuses: owner,
    params: id,
    body: async () => files({ thumbnail: await drawPicture() }),
  },
  // the video of this test has no file
  chooseThumbnailFrame: { statuses: [401, 403, 503], params: id, body: () => ({ seconds: 1 }) },
  replaceFile: { statuses: owner, params: id, body: ({ uploadId }) => ({ uploadId }) },
  listOwnCaptions: { statuses: owner, params: id },
  createClip: {
    statuses: [401, 201, 201],
    body: (fixture) => ({ ...videoId(fixture), title: 'Salt', startSeconds: 1, endSeconds: 5 }),
  },
  getClip: { statuses: anyone, params: clipId },
  renameClip: { statuses: owner, params: clipId, body: () => ({ title: 'Salt' }) },
  deleteClip: { statuses: owner, params: clipId },
  listOwnClips: { statuses: signedIn },
  listReceivedClips: { statuses: signedIn },
  getClipPolicy: { statuses: owner, params: id },
  putClipPolicy: { statuses: owner, params: id, body: () => ({ clips: 'allowed' }) },
  getChannelClipPolicy: { statuses: signedIn },
  putChannelClipPolicy: { statuses: signedIn, body: () => ({ clips: 'default' }) },
  getChannelIntros: { statuses: signedIn },
  putChannelIntros: { statuses: signedIn, body: () => ({ introId: null, outroId: null }) },
  getVideoIntros: { statuses: owner, params: id },
  putVideoIntros: { statuses: owner, params: id, body: () => ({ isOn: false }) },
  getVideoEmbeds: { statuses: owner, params: id },
  putVideoEmbeds: { statuses: owner, params: id, body: () => ({ own: { allowed: 'nowhere', sites: [] } }) },
  getChannelEmbeds: { statuses: signedIn },
  putChannelEmbeds: { statuses: signedIn, body: () => ({ allowed: 'everywhere', sites: [] }) },
  getLiveChannel: { statuses: signedIn },
  putLiveTemplate: {
    statuses: [401, 403, 403],
    body: () => ({ title: 'Live', visibility: 'private', keepsRecording: true }),
  },
  getLiveKey: { statuses: signedIn },
  // nobody may where live streams are off
  createLiveKey: { statuses: [401, 403, 403] },
  listLiveShows: { statuses: signedIn },
  createLiveShow: {
    statuses: [401, 403, 403],
    body: () => ({ title: 'Live', visibility: 'private', keepsRecording: true }),
  },
  deleteLiveShow: { statuses: [401, 404, 404], params: () => ({ id: 'abc' }) },
  listComing: { statuses: anyone },
  listAnnouncedStreams: { statuses: signedIn },
  announceStream: { statuses: [401, 403, 403], body: announcement },
  changeAnnouncedStream: { statuses: [401, 404, 404], params: id, body: announcement },
  replaceAnnouncedPicture: {
    statuses: [401, 404, 404],
    params: id,
    body: async () => files({ thumbnail: await drawPicture() }),
  },
  cancelAnnouncedStream: { statuses: [401, 404, 404], params: id },
  openBrowserStream: { statuses: [401, 403, 403] },
  leaveBrowserStream: { statuses: [401, 404, 404], params: () => ({ id: 'abc' }) },
  endOwnLiveStream: { statuses: signedIn },
  getLiveStatus: { statuses: anyone, params: id },
  listLiveStreams: staff,
  endLiveStream: { statuses: [401, 403, 403], byRole: [404, 404], params: id },
  listLiveChannels: administrators,
  putLivePermission: {
    ...administrators,
    params: username,
    body: () => ({ isAllowed: false }),
  },
  getTranscription: { statuses: owner, params: id },
  putTranscription: { statuses: owner, params: id, body: () => ({ isEnabled: false }) },
  // nothing is installed
  requestTranscription: { statuses: [401, 403, 503], params: id, body: () => ({ language: null }) },
  cancelTranscription: { statuses: owner, params: id },
  getWaveform: { statuses: owner, params: id },
  requestWaveform: { statuses: owner, params: id },
  getChannelTranscriptions: { statuses: signedIn },
  putChannelTranscriptions: { statuses: signedIn, body: () => ({ isEnabled: true }) },
  requestChannelTranscriptions: { statuses: [401, 503, 503] },
  getCut: { statuses: owner, params: id },
  putCut: {
    statuses: owner,
    params: id,
    body: () => ({ keep: [{ startSeconds: 0, endSeconds: 1.5 }] }),
  },
  deleteCut: { statuses: owner, params: id },
  // nothing is cut
  deleteRemovedParts: {
    statuses: [401, 403, 409],
    params: id,
    body: () => ({ publishedAt: '2026-05-04T08:00:00.000Z' }),
  },
  keepRemovedParts: { statuses: owner, params: id },
  listShareLinks: { statuses: owner, params: id },
  createShareLink: { statuses: [401, 403, 201], params: id, body: () => ({ name: 'Class 4b' }) },
  deleteShareLink: { statuses: owner, params: (fixture) => ({ ...id(fixture), linkId: 'none' }) },
  // the link does not exist
  openShareLink: { statuses: [404, 404, 404], body: () => ({ secret: 'none' }) },
  listLockedVideos: { statuses: anyone },
  getLockedVideo: { statuses: [404, 404, 404], params: id },
  openLockedVideo: { statuses: [404, 404, 404], params: id, body: () => ({ password: 'seagull' }) },
  recordSharedView: { statuses: [404, 404, 404], body: () => ({ visit: 'none' }) },
  listCollaborators: { statuses: signedIn },
  // nobody invites the owner of a channel: collaborators.test.ts invites others
  putCollaborator: { statuses: [401, 200, 400], params: username, body: () => ({ role: 'editor' }) },
  // of nobody: collaborators.test.ts
  deleteCollaborator: { statuses: [401, 404, 404], params: () => ({ username: 'nobody' }) },
  listActivity: { statuses: signedIn },
  listCollaborations: { statuses: signedIn },
  acceptCollaboration: { statuses: [401, 404, 404], params: username },
  endCollaboration: { statuses: [401, 404, 404], params: username },
  listHandovers: { statuses: signedIn },
  createHandover: {
    // to the owner, who gives nothing to the own account
    statuses: [401, 403, 400],
    body: (fixture) => ({ ...username(fixture), ...videoId(fixture) }),
  },
  // of nobody: handovers.test.ts
  acceptHandover: { statuses: [401, 404, 404], params: () => ({ handoverId: 'nothing' }) },
  deleteHandover: { statuses: [401, 404, 404], params: () => ({ handoverId: 'nothing' }) },
  addCaptions: {
    statuses: [401, 403, 201],
    params: id,
    body: () => files({ language: 'en', captions: captionsFile }),
  },
  changeCaptions: { statuses: owner, params: track, body: () => files({ label: 'English' }) },
  deleteCaptions: { statuses: owner, params: track },
  recordPlayback: {
    statuses: anyone,
    params: id,
    body: () => ({
      isFirst: true,
      watchedSeconds: 3,
      parts: [0],
      source: 'home',
      captions: null,
      lines: 720,
    }),
  },
  getVideoAnalytics: { statuses: [401, 404, 200], params: id },
  getChannelAnalytics: { statuses: signedIn },
  putPosition: { statuses: signedIn, params: videoId, body: () => ({ positionSeconds: 3 }) },
  listHistory: { statuses: signedIn },
  clearHistory: { statuses: signedIn },
  removeFromHistory: { statuses: signedIn, params: videoId },
  getHistoryState: { statuses: signedIn },
  putHistoryState: { statuses: signedIn, body: () => ({ isPaused: false }) },
  listNotifications: { statuses: signedIn },
  countUnreadNotifications: { statuses: signedIn },
  // one of the owner, who is the only one to have it
  readNotification: { statuses: [401, 404, 200], params: notificationId },
  readAllNotifications: { statuses: signedIn },
  getNotificationSettings: { statuses: signedIn },
  putNotificationSettings: { statuses: signedIn, body: () => ({ muted: ['subscriber'] }) },
  listPositions: { statuses: signedIn },
  listOwnPlaylists: { statuses: signedIn },
  createPlaylist: { statuses: [401, 201, 201], body: () => ({ title: 'Light' }) },
  getPlaylist: { statuses: anyone, params: playlistId },
  updatePlaylist: { statuses: owner, params: playlistId, body: () => ({ title: 'Light' }) },
  deletePlaylist: { statuses: owner, params: playlistId },
  listPlaylistLinks: { statuses: owner, params: playlistId },
  createPlaylistLink: {
    statuses: [401, 403, 201],
    params: playlistId,
    body: () => ({ name: 'Class 4b' }),
  },
  deletePlaylistLink: {
    statuses: owner,
    params: (fixture) => ({ ...playlistId(fixture), linkId: 'none' }),
  },
  // nobody has opened a link
  getSharedPlaylist: { statuses: [404, 404, 404], body: () => ({ visit: 'none' }) },
  listSharedEntries: { statuses: [404, 404, 404], body: () => ({ visit: 'none' }) },
  getSharedVideo: { statuses: [404, 404, 404], body: () => ({ visit: 'none', videoId: 'none' }) },
  listPlaylistEntries: { statuses: anyone, params: playlistId },
  findInPlaylist: {
    statuses: anyone,
    params: (fixture) => ({ ...playlistId(fixture), ...videoId(fixture) }),
  },
  addToPlaylist: { statuses: owner, params: (fixture) => ({ ...playlistId(fixture), ...videoId(fixture) }) },
  removeFromPlaylist: { statuses: owner, params: entry },
  moveInPlaylist: { statuses: owner, params: entry, body: () => ({ afterEntryId: null }) },
  listPlaylistsOfVideo: { statuses: signedIn, params: id },
  listSavedForLater: { statuses: signedIn },
  getOverview: staff,
  countToDecide: staff,
  listPeople: staff,
  getPerson: { ...staff, params: username },
  listSessionsOfPerson: { ...administrators, ...notOwn, params: username },
  endSessionOfPerson: {
    ...administrators,
    ...notOwn,
    byRole: [403, 404],
    params: (fixture) => ({ ...username(fixture), sessionId: 'abc' }),
  },
  // signing the owner out would end the calls of this test: administration.test.ts does it
  endSessionsOfPerson: { ...administrators, byRole: [403, 404], params: () => ({ username: 'nobody' }) },
  createPasswordLink: { ...administrators, ...notOwn, byRole: [403, 201], params: username },
  removeSecondFactorOfPerson: { ...administrators, ...notOwn, params: username },
  changeSuspension: { ...staff, ...notOwn, params: username, body: () => ({ isSuspended: false }) },
  changeRole: { ...administrators, ...notOwn, params: username, body: () => ({ role: 'member' }) },
  // after the calls of this test nobody would be left: administration.test.ts deletes one
  deletePerson: { ...administrators, byRole: [403, 404], params: () => ({ username: 'nobody' }) },
  listAllVideos: staff,
  // another moderator shows it again
  changeTakedown: { ...staff, ofOwnerByRole: [403, 200], params: id, body: () => ({ reason: null }) },
  changeVideoApproval: { ...staff, params: id, body: () => ({ isApproved: false }) },
  changeSensitiveMark: { ...staff, params: id, body: () => ({ reason: null }) },
  reprocessAnyVideo: { ...administrators, params: id },
  deleteAnyVideo: { ...administrators, params: id },
  listAllComments: staff,
  deleteAnyClips: { ...staff, body: (fixture) => ({ ids: [fixture.clipId] }) },
  deleteAnyComments: { ...staff, body: (fixture) => ({ ids: [fixture.commentId] }) },
  approveAnyComments: { ...staff, body: (fixture) => ({ ids: [fixture.commentId] }) },
  holdAnyComments: { ...staff, body: () => ({ ids: ['nothing'] }) },
  restoreAnyComments: { ...staff, body: (fixture) => ({ ids: [fixture.commentId] }) },
  listAuditLog: administrators,
  listInvitations: staff,
  createInvitation: { ...staff, byRole: [201, 201], body: () => ({ maxUses: 1, days: 1 }) },
  // the moderator deletes it first
  deleteInvitation: {
    ...staff,
    byRole: [200, 404],
    ofOwnerByRole: [200, 200],
    params: (fixture) => ({ invitationId: fixture.invitationId }),
  },
  createReport: {
    // nobody reports their own video
    statuses: [401, 200, 400],
    body: (fixture) => ({ kind: 'video', subjectId: fixture.videoId, reason: 'spam' }),
  },
  // a decision about the owner
  getReport: { statuses: [401, 404, 200], params: reportId },
  answerDecision: { statuses: [401, 404, 200], params: reportId, body: () => ({ text: 'It was a joke' }) },
  // by name and password, of a suspended account: reports.test.ts
  answerSuspension: { statuses: [400, 400, 400] },
  getWatchedWords: { statuses: signedIn },
  putWatchedWords: {
    statuses: signedIn,
    body: () => ({ watchedWords: 'casino', watchedWordsAction: 'hold' }),
  },
  // by the link of the terminal, before there is an administrator: setup.test.ts
  openSetup: { statuses: [400, 400, 400] },
  completeSetup: { statuses: [400, 400, 400] },
  getSite: { statuses: anyone },
  getStoredData: { statuses: signedIn },
  getPrivacy: { statuses: anyone },
  getSiteSettings: administrators,
  putSiteSettings: { ...administrators, body: () => site.context.siteSettings.current },
  putLogo: { ...administrators, body: async () => files({ logo: await drawPicture() }) },
  deleteLogo: administrators,
  changeQuota: {
    ...administrators,
    params: username,
    body: () => ({ quotaBytes: null, quotaVideos: null }),
  },
  getUploadQuota: { statuses: signedIn },
  getFolderImports: administrators,
  createFolderImport: {
    ...administrators,
    byRole: [403, 400],
    body: () => ({ folder: '/not/named', username: ownerName, placement: 'reference' }),
  },
  listBackups: administrators,
  createBackup: administrators,
  verifyBackup: { ...administrators, byRole: [403, 404], params: () => ({ backup: 'none' }) },
  getHealth: administrators,
  getStorageUse: administrators,
  freeSpace: administrators,
  listJobs: administrators,
  retryJobs: { ...administrators, body: () => ({ ids: [randomUUID()] }) },
  getTranscriptionWork: administrators,
  retryTranscriptions: { ...administrators, body: (fixture) => ({ ids: [fixture.videoId] }) },
  dismissTranscriptions: { ...administrators, body: (fixture) => ({ ids: [fixture.videoId] }) },
  listReports: staff,
  decideReport: { ...staff, ...notOwn, params: reportId, body: () => ({ decision: 'dismiss' }) },
}

/** Endpoints about a complete upload of the owner. */
const needingUpload = new Set(['publishUpload', 'replaceFile', 'saveUploadDraft'])

let site: TestApp
const users = { stranger: '', owner: '', moderator: '', administrator: '' }
let ownerName: string

beforeAll(async () => {
  site = await createTestApp()
  users.stranger = (await signUp(site)).user._id
  const { user } = await signUp(site)
  users.owner = user._id
  ownerName = user.username
  for (const role of ['moderator', 'administrator'] as const) {
    const { user: person } = await signUp(site)
    users[role] = person._id
    await updateRole(site.db, person._id, role)
  }
})
afterAll(() => site.close())

/** A session for each call, because some calls end it. */
async function clientOf(userId: string): Promise<TestClient> {
  const client = site.client()
  const { passwordHash } = await site.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  client.cookies.set('session', (await startSession(site.context, { id: userId, passwordHash })) ?? '')
  return client
}

let ofReads: Promise<Fixture> | undefined

async function createFixture(needsUpload: boolean): Promise<Fixture> {
  const client = await clientOf(users.owner)
  const video = await addVideo(site, users.owner, { source: JSON.stringify(testSource) })
  const comment = await client.call(addComment, { body: { videoId: video, content: 'First' } })
  const playlist = await client.call(createPlaylist, { body: { title: 'Light', visibility: 'unlisted' } })
  const params = { playlistId: playlist._id, videoId: video }
  const { entryId: listed } = await client.call(addToPlaylist, { params })
  const clip = await client.call(createClip, {
    body: { videoId: video, title: 'Salt', startSeconds: 1, endSeconds: 5 },
  })
  for (const userId of Object.values(users)) await putWatched(site.db, userId, video)
  return {
    videoId: video,
    commentId: comment._id,
    username: ownerName,
    // by a session of its own: those above may have ended the first one
    uploadId: needsUpload ? await upload(await clientOf(users.owner)) : 'none',
    playlistId: playlist._id,
    entryId: listed,
    notificationId: await notify(users.owner),
    captionsId: await addTestCaptions(site, video),
    reportId: await addDecision(users.owner, video),
    invitationId: await addInvitation(users.moderator),
    groupId: await addGroup(users.owner),
    clipId: clip._id,
  }
}

/** Reads leave their fixture as it is, and share it. Its group is renewed, because other fixtures remove it. */
async function fixtureOf({ name, method }: (typeof api)[number]): Promise<Fixture> {
  if (method !== 'GET') return createFixture(needingUpload.has(name))
  ofReads ??= createFixture(false)
  return { ...(await ofReads), groupId: await addGroup(users.owner) }
}

/** Removes the former one: an account may have only some. */
async function addGroup(ownerId: string): Promise<string> {
  await site.db.deleteFrom('channelGroups').where('ownerId', '=', ownerId).execute()
  const group = { id: newId(), ownerId, name: 'Salt' }
  await site.db.insertInto('channelGroups').values(group).execute()
  return group.id
}

async function notify(userId: string): Promise<string> {
  const { id: notification } = await site.db
    .insertInto('notifications')
    .values({ userId, kind: 'subscriber', actorId: users.stranger, isRead: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(notification)
}

async function addInvitation(createdBy: string): Promise<string> {
  const invitation = { id: newId(), createdBy, maxUses: 1, expiresAt: site.clock.now() }
  await site.db.insertInto('invitations').values(invitation).execute()
  return invitation.id
}

async function addDecision(ownerId: string, subjectId: string): Promise<string> {
  const { id: added } = await site.db
    .insertInto('reports')
    .values({ kind: 'video', subjectId, ownerId, title: 'Salt', decision: 'remove', decidedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(added)
}

async function upload(client: TestClient): Promise<string> {
  const bytes = new Uint8Array(await drawClip('mp4'))
  const response = await client.fetch(apiPrefix + uploadsPath, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  })
  return response.headers.get('location')?.split('/').at(-1) ?? ''
}

/** The status alone: an event stream would never end. */
async function statusOf(client: TestClient, method: string, path: string, body?: object): Promise<number> {
  const leaving = new AbortController()
  const isForm = body instanceof FormData
  const response = await client.fetch(path, {
    method,
    signal: leaving.signal,
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    ...(body && !isForm ? { headers: { 'content-type': 'application/json' } } : {}),
  })
  leaving.abort()
  return response.status
}

test('every endpoint has a row', () => {
  expect(Object.keys(rows).toSorted()).toEqual(api.map(({ name }) => name).toSorted())
})

test.each(api.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s returns the statuses of the access matrix',
  async (name, endpoint) => {
    const row: Row = rows[name] ?? { statuses: anyone }
    const { statuses, byRole, params = noParams, body = noBody } = row
    const fixture = await fixtureOf(endpoint)
    const path = urlOf(endpoint, params(fixture))
    // the owner last: some calls of the owner remove what they are about
    const callers = [users.stranger, users.moderator, users.administrator, users.owner]
    const clients = [site.client(), ...(await Promise.all(callers.map(clientOf)))]
    const response = []
    for (const client of clients) {
      response.push(await statusOf(client, endpoint.method, path, await body(fixture)))
    }
    const [visitor, stranger, ofOwner] = statuses
    expect(response).toEqual([visitor, stranger, ...(byRole ?? [stranger, stranger]), ofOwner])
    // the contract must require a session where the matrix does
    expect(statuses[0] === 401).toBe(endpoint.auth === 'required')
    expect(byRole !== undefined).toBe(endpoint.role !== undefined)
    // the role in the contract determines these statuses; only those of ownership are written by hand
    if (!endpoint.role) return
    expect(statuses).toEqual([401, 403, 403])
    const isRefused = byRole?.map((status) => status === 403)
    expect(isRefused).toEqual([endpoint.role === 'administrator', false])
  },
)

const onChannels = api.filter(({ channelRole }) => channelRole !== undefined)

test.each(onChannels.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s serves people who work on the channel by their role, and nobody else',
  async (name, endpoint) => {
    const { statuses = anyone, params = noParams, body = noBody } = rows[name] ?? {}
    const [, , ofOwner] = statuses
    const isByQuery = endpoint.query?.shape['channel'] !== undefined
    const request = async (role: 'editor' | 'manager' | null) => {
      const worker = { channelId: users.owner, userId: users.stranger }
      if (role)
        await site.db
          .insertInto('collaborators')
          .values({ ...worker, role, createdAt: new Date() })
          .execute()
      try {
        const fixture = await fixtureOf(endpoint)
        const path = urlOf(endpoint, params(fixture), isByQuery ? { channel: ownerName } : {})
        return await statusOf(await clientOf(users.stranger), endpoint.method, path, await body(fixture))
      } finally {
        await site.db.deleteFrom('collaborators').where('channelId', '=', users.owner).execute()
      }
    }
    expect(await request('manager')).toBe(ofOwner)
    expect(await request('editor')).toBe(endpoint.channelRole === 'manager' ? 403 : ofOwner)
    expect(await request(null)).toBe(isByQuery ? 403 : statuses[1])
  },
)

const deciding = api.filter(({ name, role }) => {
  const [, stranger, ofOwner] = rows[name]?.statuses ?? anyone
  return role !== undefined || stranger !== ofOwner
})

test.each(deciding.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s lets an owner with a role do what either may, except to the own account',
  async (name, endpoint) => {
    const { statuses = anyone, byRole, ofOwnerByRole, params = noParams, body = noBody } = rows[name] ?? {}
    // a backup of the matrix above still waits for a worker
    await site.context.jobs.withdraw(runBackup, 'run')
    const response = []
    try {
      for (const role of ['moderator', 'administrator'] as const) {
        await updateRole(site.db, users.owner, role)
        const fixture = await fixtureOf(endpoint)
        const path = urlOf(endpoint, params(fixture))
        response.push(await statusOf(await clientOf(users.owner), endpoint.method, path, await body(fixture)))
      }
    } finally {
      await updateRole(site.db, users.owner, 'member')
    }
    expect(response).toEqual(ofOwnerByRole ?? byRole ?? [statuses[2], statuses[2]])
  },
)

test.each(
  api
    .filter((endpoint) => endpoint.params && endpoint.name !== 'searchVideos')
    .map((one) => [one.name, one] as const),
)('%s returns 404 for unknown ids', async (name, endpoint) => {
  const nothing = {
    videoId: 'nothing',
    commentId: 'nothing',
    username: 'nothing',
    uploadId: 'nothing',
    playlistId: 'nothing',
    entryId: 'nothing',
    notificationId: 'nothing',
    captionsId: 'nothing',
    reportId: 'nothing',
    invitationId: 'nothing',
    groupId: 'nothing',
    clipId: 'nothing',
  }
  const { params = noParams, body = noBody } = rows[name] ?? {}
  const path = urlOf(endpoint, params(nothing))
  const request = async (client: TestClient) => statusOf(client, endpoint.method, path, await body(nothing))
  const insider = await clientOf(endpoint.role ? users.administrator : users.owner)
  expect(await request(insider)).toBe(404)
  expect(await request(site.client())).toBe(endpoint.auth === 'required' ? 401 : 404)
})
