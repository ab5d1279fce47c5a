import {
  changeQuota,
  changeRole,
  changeSuspension,
  changeTakedown,
  changeVideoApproval,
  approveAnyComments,
  deleteAnyComments,
  holdAnyComments,
  deleteAnyVideo,
  createPasswordLink,
  deletePerson,
  endSessionOfPerson,
  endSessionsOfPerson,
  getOverview,
  getPerson,
  listAllComments,
  listAllVideos,
  listAuditLog,
  listPeople,
  listSessionsOfPerson,
  type Person,
  removeSecondFactorOfPerson,
  reprocessAnyVideo,
  restoreAnyComments,
} from './administration.ts'
import { createFeedAddress, deleteFeedAddress, getFeedAddress } from './feeds.ts'
import type { z } from 'zod'
import { type Analytics, getChannelAnalytics, getVideoAnalytics, recordPlayback } from './analytics.ts'
import { addCaptions, changeCaptions, deleteCaptions, listOwnCaptions, type OwnCaptions } from './captions.ts'
import {
  addComment,
  addReply,
  approveComment,
  holdComment,
  type Comment,
  deleteComment,
  editComment,
  getComment,
  getPinnedComment,
  getWatchedWords,
  listComments,
  listHeldComments,
  listMentionable,
  listReplies,
  markComment,
  putWatchedWords,
  removeComment,
  restoreComment,
} from './comments.ts'
import type { Endpoint, EventsOf } from './endpoint.ts'
import { type ErrorCode, errorStatus, type FieldError } from './errors.ts'
import {
  clearHistory,
  getHistoryState,
  getPosition,
  getWatchHistory,
  listHistory,
  listPositions,
  putHistoryState,
  putPosition,
  removeFromHistory,
  updateHistory,
} from './history.ts'
import {
  deleteLogo,
  getPrivacy,
  getSite,
  getSiteSettings,
  type PublicSite,
  putLogo,
  putSiteSettings,
  type SiteSettings,
  type WatchedWords,
} from './site.ts'
import { completeSetup, openSetup } from './setup.ts'
import { createInvitation, deleteInvitation, type Invitation, listInvitations } from './invitations.ts'
import { createBackup, listBackups, verifyBackup } from './backups.ts'
import { listJobs, retryJobs } from './jobs.ts'
import { getHealth } from './health.ts'
import { freeSpace, getStorageUse } from './storage.ts'
import {
  countVideoLikes,
  hasLikedComment,
  hasLikedVideo,
  toggleCommentLike,
  toggleVideoLike,
} from './likes.ts'
import { listMutedPeople, mutePerson, unmutePerson } from './mutes.ts'
import {
  countUnreadNotifications,
  getNotificationSettings,
  listNotifications,
  type Notification,
  putNotificationSettings,
  readAllNotifications,
  readNotification,
} from './notifications.ts'
import { confirmRegistration, getRegistrationChallenge, requestRegistrationMail } from './registrations.ts'
import { confirmEmail, getEmailState, keepEmail, requestEmailConfirmation } from './emails.ts'
import {
  deletePushSubscription,
  getNotificationPushes,
  putNotificationPushes,
  putPushSubscription,
} from './pushes.ts'
import { getNotificationMails, putNotificationMails, unsubscribeFromMails } from './mails.ts'
import { requestPasswordReset, resetPassword } from './passwords.ts'
import { getAccountDeletion, keepAccount } from './deletion.ts'
import { type AccountExport, createAccountExport, deleteAccountExport, getAccountExport } from './exports.ts'
import {
  type AccountImport,
  createAccountImport,
  createFeedImport,
  createVideoImport,
  deleteFeedImport,
  deleteAccountImport,
  deleteVideoImport,
  getAccountImport,
  listVideoImports,
  type FeedImport,
  listFeedImports,
  updateFeedImport,
  type VideoImport,
} from './imports.ts'
import { beginOidcLogin, finishOidc, linkOidc, listOidc, unlinkOidc } from './oidc.ts'
import { type ApiToken, createApiToken, deleteApiToken, listApiTokens } from './tokens.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resumeWebhook,
  testWebhook,
  type Webhook,
} from './webhooks.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  deletePasskey,
  listPasskeys,
  loginWithPasskey,
  type Passkey,
} from './passkeys.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
} from './authenticators.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { pictureUrl } from './pictures.ts'
import {
  addToPlaylist,
  createPlaylist,
  deletePlaylist,
  findInPlaylist,
  getPlaylist,
  listOwnPlaylists,
  listPlaylistEntries,
  listPlaylistsOfVideo,
  listSavedForLater,
  moveInPlaylist,
  type Playlist,
  removeFromPlaylist,
  updatePlaylist,
} from './playlists.ts'
import { findChannelVideos, getChannelProfile, listChannelPlaylists, putChannelProfile } from './channels.ts'
import {
  dismissChannel,
  dismissVideo,
  listDismissed,
  listDismissedVideos,
  listRecommendations,
  restoreChannel,
  restoreVideo,
} from './recommendations.ts'
import {
  answerDecision,
  answerSuspension,
  createReport,
  decideReport,
  getReport,
  listReports,
  type OwnReport,
  type Report,
} from './reports.ts'
import { findMoments, searchVideos, suggestSearches, summarizeSearch } from './search.ts'
import {
  changeOwnVideo,
  changeOwnVideos,
  chooseThumbnailFrame,
  deleteOwnVideos,
  getOwnVideo,
  listOwnVideos,
  type OwnVideo,
  replaceThumbnail,
} from './studio.ts'
import {
  createChannelGroup,
  deleteChannelGroup,
  hasSubscribed,
  listChannelGroups,
  getFeedVisit,
  listFeed,
  getSubscriptionSettings,
  listSubscriptions,
  putSubscriptionSettings,
  putFeedVisit,
  type Subscription,
  toggleSubscription,
  updateChannelGroup,
} from './subscriptions.ts'
import {
  announceUpload,
  getUploadQuota,
  listUnfinishedUploads,
  publishUpload,
  replaceFile,
  saveUploadDraft,
} from './uploads.ts'
import {
  changePassword,
  deleteAccount,
  type Channel,
  getChannel,
  getCurrentUser,
  putLanguage,
  getStoredData,
  getDashboard,
  listChannelVideos,
  login,
  logout,
  register,
  updateAvatar,
  updateCover,
  updateDetails,
  type User,
} from './users.ts'
import type { VideoMetadata } from './video-metadata.ts'
import {
  browseVideos,
  deleteVideo,
  followProcessing,
  getVideo,
  listVideos,
  recordView,
  reprocessVideo,
  updateVideo,
  uploadVideo,
  type Video,
} from './videos.ts'

/** An example of one call: the request, and the `data` of the response. */
interface Example {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  /** The fields of the body, without files. */
  body?: unknown
  /** Names of the uploaded files, by field. */
  files?: Partial<Record<string, string>>
  data: unknown
  nextCursor?: string | null
  events?: Record<string, unknown>
}

type Sent<Key extends string, Schema> = Schema extends z.ZodType ? Record<Key, z.input<Schema>> : object

/** Example typed by the schemas of the endpoint. */
type ExampleOf<E extends Endpoint> = Sent<'params', E['params']> &
  Sent<'query', E['query']> &
  Sent<'body', E['body']> &
  (E['files'] extends object ? { files: Partial<Record<keyof E['files'], string>> } : object) &
  (E['paged'] extends true ? { nextCursor: string | null } : object) &
  (E['events'] extends EventsOf
    ? { events: { [Name in keyof E['events']]: z.output<E['events'][Name]> } }
    : object) & { data: z.output<E['result']> }

const of = <E extends Endpoint>({ name }: E, example: ExampleOf<E>): [string, Example] => [name, example]

const videoId = 'hT5mQ2xWc9RkB7fL'
const commentId = 'Zp4vN8sYd1KjG6tA'
const cursor = 'MjAyNi0wNS0wMlQwODoxNTozMC4wMDBafGhUNW1RMnhXYzlSa0I3Zkw'
const page = { limit: 20, cursor }
const ines = {
  _id: 'b3WqX7nPz0LrE5uD',
  username: 'ines',
  fullname: 'Ines Falk',
  avatar: pictureUrl('Vc2yH9mTf4QsJ8oK', 160),
}
const jonas = {
  _id: 'k6RtM1wZg8NxC3eS',
  username: 'jonas',
  fullname: 'Jonas Brandt',
  avatar: pictureUrl('Xd7uB5pLa0GvF2iR', 160),
}

const saltChannel = { ...ines, fullname: 'Salt and light', subscribersCount: 41 }
const searchFilters = {
  sort: 'views',
  published: 'year',
  length: 'medium',
  category: 'nature',
  captions: 'true',
} as const

const video: Video = {
  _id: videoId,
  title: 'Salt flats at dawn',
  description: 'Twelve minutes of light',
  thumbnail: pictureUrl('Qn6jS3kEw9YhT1zM', 640),
  videoFile: `/media/videos/${videoId}/source.mp4`,
  streamUrl: `/media/videos/${videoId}/master.m3u8`,
  storyboardUrl: `/media/videos/${videoId}/storyboard.vtt`,
  duration: 721.4,
  width: 1920,
  height: 1080,
  views: 1280,
  createdAt: '2026-05-02T08:15:30.000Z',
  totalSubs: 41,
  totalLikes: 96,
  videoOwner: ines,
  processing: { state: 'ready', progress: 1, reason: null },
  visibility: 'public',
}

/** As returned shortly after its upload. */
const freshVideo: Video = {
  ...video,
  storyboardUrl: null,
  views: 0,
  totalLikes: 0,
  processing: { state: 'processing', progress: 0, reason: null },
}

const comment: Comment = {
  _id: commentId,
  content: 'The colours after minute nine!',
  createdAt: '2026-05-02T19:40:12.000Z',
  likes: 3,
  liked: true,
  commentOwner: { _id: jonas._id, username: jonas.username, avatar: jonas.avatar },
  parentId: null,
  replies: 1,
  mentions: [],
  editedAt: null,
  isPinned: false,
  isHearted: true,
  isHeld: false,
}

const reply: Comment = {
  ...comment,
  _id: 'Rp2cX7mTq9LwB4eV',
  content: '@jonas Filmed at 6:40 in the morning.',
  createdAt: '2026-05-02T20:05:31.000Z',
  likes: 0,
  liked: false,
  commentOwner: { _id: ines._id, username: ines.username, avatar: ines.avatar },
  parentId: comment._id,
  replies: 0,
  mentions: [jonas.username],
  isHearted: false,
}

const pushes = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  muted: [],
}
const notification: Notification = {
  _id: '4711',
  kind: 'comment',
  isRead: false,
  createdAt: '2026-05-02T19:40:12.000Z',
  actor: { username: jonas.username, fullname: jonas.fullname, avatar: jonas.avatar },
  actorsCount: 1,
  video: { _id: videoId, title: video.title, thumbnail: video.thumbnail, processing: 'ready' },
  comment: { _id: commentId, content: comment.content },
  report: null,
  device: null,
}

const accountExport: AccountExport = {
  state: 'ready',
  progress: 1,
  sizeBytes: 734_003_200,
  createdAt: '2026-11-02T08:30:00.000Z',
  expiresAt: '2026-11-09T08:41:00.000Z',
}

const apiToken: ApiToken = {
  _id: '0mf5v2k7t1x9ab',
  name: 'Backup script',
  scopes: ['read', 'upload'],
  createdAt: '2026-03-01T08:00:00.000Z',
  expiresAt: '2026-05-30T08:00:00.000Z',
  usedAt: '2026-03-02T08:00:00.000Z',
}

const accountImport: AccountImport = {
  state: 'done',
  progress: 1,
  format: 'kinora',
  failure: null,
  createdAt: '2026-11-02T09:10:00.000Z',
  report: {
    counts: [
      { kind: 'videos', imported: 12, present: 0, skipped: 0 },
      { kind: 'subscriptions', imported: 3, present: 1, skipped: 1 },
    ],
    problems: [
      { kind: 'subscriptions', name: 'jonas', reason: 'The channel is not on this site', address: null },
    ],
    moreProblems: 0,
  },
}

const videoImport: VideoImport = {
  _id: '3kd8s0q1v7m2xz4c',
  url: 'https://media.example.org/videos/glacier.mp4',
  title: 'glacier',
  visibility: 'private',
  state: 'running',
  receivedBytes: 1_048_576,
  sizeBytes: 52_428_800,
  failure: null,
  createdAt: '2026-03-01T08:00:00.000Z',
}

const feedImport: FeedImport = {
  _id: '7cq2w9e4r1t6y8u0',
  url: 'https://media.example.org/feeds/glaciers.xml',
  title: 'Glaciers',
  visibility: 'private',
  isPaused: false,
  checkedAt: '2026-03-01T09:00:00.000Z',
  nextCheckAt: '2026-03-01T10:00:00.000Z',
  failure: null,
  importedCount: 4,
  waitingCount: 0,
  createdAt: '2026-03-01T08:00:00.000Z',
}

const webhook: Webhook = {
  _id: '0mf5v2k7t1x9cd',
  url: 'https://hooks.example.org/kinora',
  events: ['video.published', 'comment.created'],
  isSite: false,
  secret: 'whsec_vF3kQ0yV8dR2bN7tK1wZ4cJ9hL6pS3gA5eU0oI8yT2r=',
  createdAt: '2026-03-01T08:00:00.000Z',
  pausedAt: null,
}
const passkey: Passkey = {
  _id: 'Zk3vQ1m8T5xY2cR7aP0wLg',
  name: 'Chrome on Android',
  createdAt: '2026-05-01T08:12:40.000Z',
  usedAt: null,
}
const credential = { id: passkey._id, rawId: passkey._id, type: 'public-key' } as const
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

const channel: Channel = {
  ...ines,
  coverImage: pictureUrl('Ly8aD4rOb6UcP2wN', 1280),
  subscribersCount: 41,
  subscribedToCount: 7,
  isSubscribed: true,
}

const person: Person = {
  _id: jonas._id,
  username: 'jonas',
  fullname: jonas.fullname,
  avatar: jonas.avatar,
  email: 'jonas@example.org',
  role: 'member',
  videos: 0,
  bytes: 0,
  subscribers: 0,
  createdAt: '2026-04-28T07:15:00.000Z',
  quotaBytes: null,
  quotaVideos: 100,
  quotaDailyBytes: null,
  quotaVideoMinutes: null,
  suspendedAt: null,
  deletesAt: null,
  isWaiting: false,
}

const publicSite: PublicSite = {
  siteName: 'Harbour TV',
  siteAccent: '#0b5d3b',
  siteAbout: 'Videos of the harbour and its people.',
  siteRules: 'Be kind. Publish only what is yours.',
  siteContact: 'ines@example.org',
  registration: 'approval',
}
const setupToken = 'l5c1mJm0yq3n1xkqIhVv8cG2d0WQ4rTz7uEo9aYb6sA'
const watchedWords: WatchedWords = { watchedWords: 'casino\ncheap watches', watchedWordsAction: 'hold' }
const siteSettings: SiteSettings = {
  ...publicSite,
  siteLanguage: 'en',
  quotaBytes: 50_000_000_000,
  quotaVideos: null,
  quotaHours: null,
  quotaDailyBytes: 5_000_000_000,
  quotaVideoMinutes: null,
  detectLanguage: false,
  confirmEmails: true,
  refuseWeakPasswords: false,
  registrationProofOfWork: false,
  ...watchedWords,
  holdFirstComments: false,
  holdFirstLinks: true,
  holdFirstVideos: false,
  newAccountDays: 7,
  addressDays: 30,
  deletionDays: 14,
  auditLogDays: null,
}

const siteLogo = pictureUrl('Lp4sD7kQv2Xn9cRb', 160)
const editableSettings = { settings: { ...siteSettings, siteLogo }, fixed: ['registration'] }

const invitation: Invitation = {
  _id: 'kD3vB8xQz1LmW5aT',
  createdBy: 'ines',
  createdAt: '2026-05-03T09:00:00.000Z',
  expiresAt: '2026-05-10T09:00:00.000Z',
  maxUses: 5,
  uses: 0,
  invited: [],
}

const report: Report = {
  _id: '12',
  kind: 'comment',
  subjectId: commentId,
  videoId,
  title: 'Cheap watches!',
  isGone: false,
  isDeleted: false,
  owner: { username: 'jonas', fullname: jonas.fullname, removals: 0 },
  entries: [
    { reporter: 'ines', reason: 'spam', text: 'Below every video', createdAt: '2026-05-02T20:10:00.000Z' },
  ],
  entriesCount: 1,
  createdAt: '2026-05-02T20:10:00.000Z',
  decision: null,
  note: '',
  decidedBy: null,
  decidedAt: null,
  answer: null,
}

const ownReport: OwnReport = {
  _id: '12',
  kind: 'comment',
  title: 'Cheap watches!',
  isConcerned: true,
  decision: 'remove',
  note: 'No advertising, please',
  decidedAt: '2026-05-03T09:00:00.000Z',
  answer: null,
}

const user: User = {
  ...jonas,
  coverImage: null,
  subscribersCount: 0,
  subscribedToCount: 1,
  isSubscribed: false,
  email: 'jonas@example.org',
  role: 'member',
  watchHistory: [videoId],
}

const subscription: Subscription = {
  createdAt: '2026-05-02T19:41:05.000Z',
  subscribedToName: { username: ines.username, fullname: ines.fullname, avatar: ines.avatar },
}

const channelGroup = { _id: 'Gq7LxB2mTz9vYc4D', name: 'Salt', usernames: ['ines'] }
const channelProfile = {
  about: 'Salt, wind and light.',
  links: ['https://example.com/'],
  joinedAt: '2026-01-12T08:00:00.000Z',
  videosCount: 1,
  pinnedVideo: video,
}

const playlistId = 'Jt2cV6nXe0KwQ8sB'
const entryId = 'Rm7yD1gPh5LzT3aU'

const feedAddress = { path: '/feeds/subscriptions/vX0tq1m4cN8sYkzJ2gB7hWfD3rLpA6Ue' }

const playlist: Playlist = {
  _id: playlistId,
  title: 'Light',
  description: 'For slow mornings',
  visibility: 'unlisted',
  isWatchLater: false,
  videosCount: 1,
  thumbnail: video.thumbnail,
  owner: jonas,
  createdAt: '2026-05-02T19:42:00.000Z',
  updatedAt: '2026-05-02T19:43:30.000Z',
}
const metadata: VideoMetadata = {
  tags: ['salt', 'time-lapse'],
  category: 'nature',
  language: 'en',
  licence: 'cc-by-4.0',
  commentsAllowed: true,
  commentsHeld: false,
  downloadsAllowed: true,
}

const ownVideo: OwnVideo = {
  ...video,
  ...metadata,
  visibility: 'scheduled',
  publishAt: '2026-06-01T18:00:00.000Z',
}

const captionsId = 'Cq4wB8nH1sV6yE2k'

const ownCaptions: OwnCaptions[] = [
  {
    _id: captionsId,
    url: `/media/videos/${videoId}/captions/${captionsId}-1.vtt`,
    language: 'en',
    label: 'English',
    isDefault: true,
    fileTrack: null,
  },
]

const texts = { title: video.title, description: video.description }

/** An example of every call, by its name. */
const analytics: Analytics = {
  totals: { views: 3, playbacks: 2, watchedSeconds: 41.5, averageShare: 0.75 },
  days: [{ day: '2026-05-01', views: 3, playbacks: 2, watchedSeconds: 41.5 }],
  retention: Array.from({ length: 100 }, (_, part) => (part < 50 ? 1 : 0.5)),
  sources: [
    { source: 'search', host: null, playbacks: 1 },
    { source: 'embed', host: 'example.org', playbacks: 1 },
  ],
  captions: [{ language: null, watchedSeconds: 41.5 }],
  qualities: [{ lines: 720, watchedSeconds: 41.5 }],
}

export const examples: ReadonlyMap<string, Example> = new Map([
  of(listVideos, { query: page, data: [video], nextCursor: null }),
  of(browseVideos, { query: { ...page, tag: 'salt', category: 'nature' }, data: [video], nextCursor: null }),
  of(getVideo, {
    params: { id: videoId },
    data: [
      {
        ...video,
        ...metadata,
        captions: [{ url: `/media/videos/${videoId}/1/captions/0.vtt`, language: 'en', label: 'English' }],
        chapters: [
          { title: 'Salt', startSeconds: 0, endSeconds: 12 },
          { title: 'Flats', startSeconds: 12, endSeconds: 24 },
          { title: 'Dawn', startSeconds: 24, endSeconds: 36.5 },
        ],
      },
    ],
  }),
  of(followProcessing, {
    data: null,
    events: {
      processing: { videoId, state: 'processing', progress: 0.4, reason: null },
      notifications: { unread: 3 },
    },
  }),
  of(recordView, { params: { id: videoId }, data: null }),
  of(updateVideo, {
    params: { id: videoId },
    body: { title: 'Salt flats at noon' },
    data: { ...video, title: 'Salt flats at noon' },
  }),
  of(reprocessVideo, { params: { id: videoId }, data: freshVideo }),
  of(deleteVideo, { params: { id: videoId }, data: null }),
  of(uploadVideo, {
    body: { ...texts, visibility: 'unlisted' },
    files: { video: 'salt-flats.mp4', thumbnail: 'dawn.jpg' },
    data: { ...freshVideo, visibility: 'unlisted' },
  }),
  of(announceUpload, { data: null }),
  of(publishUpload, {
    params: { id: 'Ew1oR7tIx5KmV9qB' },
    body: texts,
    files: { thumbnail: 'dawn.jpg' },
    data: freshVideo,
  }),
  of(replaceFile, {
    params: { id: videoId },
    body: { uploadId: 'Xw8nR5kTq2LmB7eV' },
    data: { ...freshVideo, views: video.views, totalLikes: video.totalLikes },
  }),
  of(listUnfinishedUploads, {
    data: [
      {
        _id: 'Ew1oR7tIx5KmV9qB',
        fileName: 'salt-flats.mp4',
        sizeBytes: 734_003_200,
        receivedBytes: 268_435_456,
        ...texts,
        visibility: 'private',
      },
    ],
  }),
  of(saveUploadDraft, {
    params: { id: 'Ew1oR7tIx5KmV9qB' },
    body: { ...texts, visibility: 'private' },
    data: null,
  }),
  of(searchVideos, {
    params: { term: 'salt flats' },
    query: { ...page, ...searchFilters },
    data: [video],
    nextCursor: cursor,
  }),
  of(summarizeSearch, {
    query: { text: 'salt', ...searchFilters },
    data: { total: 12, channels: [saltChannel] },
  }),
  of(findMoments, {
    query: { text: 'first light' },
    data: [
      {
        video: { _id: videoId, title: video.title, thumbnail: video.thumbnail },
        kind: 'captions',
        text: 'The first light is always grey.',
        startSeconds: 83.5,
      },
    ],
  }),
  of(suggestSearches, {
    query: { text: 'salt fl' },
    data: { videos: [{ _id: videoId, title: video.title }], channels: [saltChannel] },
  }),
  of(countVideoLikes, { params: { id: videoId }, data: 96 }),
  of(hasLikedVideo, { params: { id: videoId }, data: { liked: true } }),
  of(toggleVideoLike, { params: { id: videoId }, data: { liked: true, totalLikes: 96 } }),
  of(hasLikedComment, { params: { commentId }, data: { liked: true } }),
  of(toggleCommentLike, { params: { commentId }, data: { liked: true, totalLikes: 3 } }),
  of(listComments, {
    params: { videoId },
    query: { ...page, sort: 'top' },
    data: [comment],
    nextCursor: null,
  }),
  of(addComment, {
    body: { videoId, content: comment.content },
    data: { ...comment, likes: 0, liked: false, replies: 0, isHearted: false },
  }),
  of(listReplies, { params: { commentId }, query: page, data: [reply], nextCursor: null }),
  of(addReply, { params: { commentId }, body: { content: reply.content }, data: reply }),
  of(editComment, {
    params: { commentId: reply._id },
    body: { content: reply.content },
    data: { ...reply, editedAt: '2026-05-02T20:09:00.000Z' },
  }),
  of(getComment, { params: { commentId: reply._id }, data: { comment: reply, parent: comment } }),
  of(getPinnedComment, { params: { videoId }, data: { ...comment, isPinned: true } }),
  of(markComment, {
    params: { videoId, commentId },
    body: { isPinned: true },
    data: { ...comment, isPinned: true },
  }),
  of(listHeldComments, {
    params: { videoId },
    query: page,
    data: [{ ...comment, isHeld: true }],
    nextCursor: null,
  }),
  of(approveComment, { params: { videoId, commentId }, data: comment }),
  of(holdComment, { params: { videoId, commentId }, data: { ...comment, isHeld: true } }),
  of(listMentionable, {
    params: { videoId },
    query: { text: 'jo' },
    data: [{ username: jonas.username, fullname: jonas.fullname, avatar: jonas.avatar }],
  }),
  of(restoreComment, { params: { videoId, commentId }, data: comment }),
  of(removeComment, { params: { videoId, commentId }, data: null }),
  of(deleteComment, { params: { videoId, commentId }, data: null }),
  of(listRecommendations, {
    params: { videoId },
    data: [{ video, reason: { kind: 'tag', tag: 'salt' } }],
  }),
  of(listMutedPeople, { data: [{ ...video.videoOwner, isBlocked: false }] }),
  of(mutePerson, { params: { username: video.videoOwner.username }, body: { isBlocked: true }, data: null }),
  of(unmutePerson, { params: { username: video.videoOwner.username }, data: null }),
  of(listDismissed, { data: { videoIds: [videoId], channels: [video.videoOwner] } }),
  of(listDismissedVideos, { data: [video] }),
  of(dismissVideo, { params: { videoId }, data: null }),
  of(restoreVideo, { params: { videoId }, data: null }),
  of(dismissChannel, { params: { username: video.videoOwner.username }, data: null }),
  of(restoreChannel, { params: { username: video.videoOwner.username }, data: null }),
  of(hasSubscribed, { params: { videoId }, data: { subbed: true } }),
  of(toggleSubscription, { params: { username: 'ines' }, data: { subbed: true, totalSub: 41 } }),
  of(listSubscriptions, {
    params: { username: 'jonas' },
    query: page,
    data: [subscription],
    nextCursor: null,
  }),
  of(getSubscriptionSettings, { data: { visibleTo: 'members' } }),
  of(putSubscriptionSettings, { body: { visibleTo: 'self' }, data: { visibleTo: 'self' } }),
  of(getFeedAddress, { data: feedAddress }),
  of(createFeedAddress, { data: feedAddress }),
  of(deleteFeedAddress, { data: null }),
  of(listFeed, {
    query: { ...page, group: channelGroup._id },
    data: [{ isWatched: false, video }],
    nextCursor: null,
  }),
  of(getFeedVisit, { data: { seenAt: '2026-05-03T20:10:00.000Z', hasNew: true } }),
  of(putFeedVisit, { data: { seenAt: '2026-05-04T07:30:00.000Z', hasNew: false } }),
  of(login, { body: { email: 'jonas@example.org', password: 'correct horse battery' }, data: { user } }),
  of(logout, { data: null }),
  of(register, {
    body: {
      fullname: jonas.fullname,
      email: 'jonas@example.org',
      username: jonas.username,
      password: 'correct horse battery',
    },
    files: { avatar: 'jonas.png' },
    data: { ...user, subscribedToCount: 0, watchHistory: [] },
  }),
  of(getAccountExport, { data: accountExport }),
  of(createAccountExport, {
    data: { ...accountExport, state: 'running', progress: 0, sizeBytes: null },
  }),
  of(deleteAccountExport, { data: null }),
  of(listApiTokens, { data: [apiToken] }),
  of(createApiToken, {
    body: { name: apiToken.name, scopes: ['read', 'upload'], days: 90, password: 'a long password' },
    data: { ...apiToken, usedAt: null, token: 'kin_5mXfQ0yV8dR2bN7tK1wZ4cJ9hL6pS3gA5eU0oI8yT2r' },
  }),
  of(deleteApiToken, { params: { tokenId: apiToken._id }, data: null }),
  of(getAccountImport, { data: accountImport }),
  of(createAccountImport, {
    body: { uploadId: videoId },
    data: {
      ...accountImport,
      state: 'running',
      progress: 0,
      format: null,
      report: { counts: [], problems: [], moreProblems: 0 },
    },
  }),
  of(deleteAccountImport, { data: null }),
  of(listVideoImports, { data: [videoImport] }),
  of(createVideoImport, {
    body: { url: videoImport.url },
    data: { ...videoImport, state: 'waiting', receivedBytes: 0, sizeBytes: null },
  }),
  of(deleteVideoImport, { params: { importId: videoImport._id }, data: null }),
  of(listFeedImports, { data: [feedImport] }),
  of(createFeedImport, {
    body: { url: feedImport.url, importsExisting: true },
    data: { ...feedImport, title: null, checkedAt: null, importedCount: 0 },
  }),
  of(updateFeedImport, {
    params: { feedId: feedImport._id },
    body: { isPaused: true },
    data: { ...feedImport, isPaused: true, nextCheckAt: null },
  }),
  of(deleteFeedImport, { params: { feedId: feedImport._id }, data: null }),
  of(listWebhooks, { data: [webhook] }),
  of(createWebhook, { body: { url: webhook.url, events: webhook.events }, data: webhook }),
  of(deleteWebhook, { params: { webhookId: webhook._id }, data: null }),
  of(testWebhook, { params: { webhookId: webhook._id }, data: null }),
  of(resumeWebhook, { params: { webhookId: webhook._id }, data: null }),
  of(listWebhookDeliveries, {
    params: { webhookId: webhook._id },
    data: [
      {
        _id: 'msg_4f7c1b0e9d2a4c6b8e3f5a7d9c1b2e4f',
        event: 'video.published',
        state: 'delivered',
        createdAt: '2026-03-02T08:00:00.000Z',
        attempts: 1,
        status: 204,
        problem: null,
        durationMs: 83,
      },
    ],
  }),
  of(listPasskeys, { data: [passkey] }),
  of(beginPasskey, {
    body: { password: 'correct horse battery' },
    data: { challenge: 'q8Rt2Vw5Yz1Bd4Fg', rp: { name: 'Kinora', id: 'video.example.org' } },
  }),
  of(addPasskey, {
    body: { ...credential, response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' } },
    data: passkey,
  }),
  of(deletePasskey, { params: { passkeyId: passkey._id }, data: null }),
  of(beginPasskeyLogin, { data: { challenge: 'q8Rt2Vw5Yz1Bd4Fg', rpId: 'video.example.org' } }),
  of(loginWithPasskey, {
    body: {
      ...credential,
      response: { clientDataJSON, authenticatorData: 'SZYN5YgOjGh0NBcP', signature: 'MEUCIQDx7Zk' },
    },
    data: { user },
  }),
  of(getSecondFactor, { data: { isOn: true, recoveryCodesLeft: 10 } }),
  of(beginSecondFactor, {
    body: { password: 'correct horse battery' },
    data: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Kinora:jonas?issuer=Kinora&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  }),
  of(confirmSecondFactor, { body: { code: '492039' }, data: { recoveryCodes: ['mzxw-6ytb-oi4d-qnzt'] } }),
  of(removeSecondFactor, { body: { password: 'correct horse battery' }, data: null }),
  of(listSessions, {
    data: [
      {
        _id: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        device: 'Firefox on Linux',
        createdAt: '2026-05-01T08:12:40.000Z',
        usedAt: '2026-05-02T19:40:12.000Z',
        isCurrent: true,
      },
    ],
  }),
  of(endSession, {
    params: { sessionId: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752' },
    data: null,
  }),
  of(endOtherSessions, { data: null }),
  of(getCurrentUser, { data: user }),
  of(putLanguage, { body: { language: 'fr' }, data: null }),
  of(getStoredData, {
    data: {
      videos: 3,
      comments: 12,
      likes: 40,
      subscriptions: 7,
      playlists: 1,
      history: 118,
      dismissed: 2,
      notifications: 9,
      reports: 0,
      sessions: 2,
      devices: 2,
      addresses: 1,
      passkeys: 1,
      apiTokens: 1,
    },
  }),
  of(getChannel, { params: { username: 'ines' }, data: channel }),
  of(listChannelVideos, {
    params: { username: 'ines' },
    query: page,
    data: { userVideos: [video], nextCursor: null },
  }),
  of(updateDetails, { body: { fullname: 'Jonas B.' }, data: { ...user, fullname: 'Jonas B.' } }),
  of(getAccountDeletion, { data: { username: 'ines', deletesAt: '2026-05-17T09:00:00.000Z' } }),
  of(keepAccount, { data: null }),
  of(deleteAccount, { body: { password: 'correct horse battery' }, data: null }),
  of(changePassword, {
    body: { oldPassword: 'correct horse battery', newPassword: 'staple of a longer word' },
    data: null,
  }),
  of(requestPasswordReset, { body: { email: 'jonas@example.org' }, data: null }),
  of(resetPassword, {
    body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok', newPassword: 'staple of a longer word' },
    data: null,
  }),
  of(getEmailState, {
    data: { email: 'jonas@example.org', isConfirmed: true, isRejected: false, newEmail: null },
  }),
  of(requestEmailConfirmation, { data: null }),
  of(confirmRegistration, {
    body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' },
    data: { awaitsApproval: false },
  }),
  of(requestRegistrationMail, { body: { email: 'ines@example.org', username: 'ines' }, data: null }),
  of(getRegistrationChallenge, {
    data: {
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        nonce: '5fd1ad0fb5a2d9c4e1c5f1e1f1b2a3d4',
        salt: '0e4f9c2ab37d5518c6a1d2e3f4051627',
        cost: 5000,
        keyLength: 32,
        keyPrefix: 'b40fc3a1d5e6f70819a2b3c4d5e6f708',
        keySignature: '9d3c5be02a61f47088ce1b7d6a30f9e24c58d7b16ea0f3927d84c61b5e0fa237',
        expiresAt: 1_777_800_600,
      },
      signature: '41c0a6e8f7d2b39514be80d6c2fa7936e5d8104b7c9e62f3a05b1d84c67e2f90',
    },
  }),
  of(confirmEmail, { body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' }, data: null }),
  of(keepEmail, { body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' }, data: null }),
  of(updateAvatar, { files: { avatar: 'jonas.png' }, data: user }),
  of(updateCover, {
    files: { coverImage: 'fjord.jpg' },
    data: { ...user, coverImage: pictureUrl('Hs3fG8dUj5ZxA0lW', 1280) },
  }),
  of(getDashboard, {
    data: {
      totalViews: 1280,
      totalSubs: 41,
      totalLikes: 96,
      userVideos: [video],
      nextCursor: null,
      viewsByDay: [
        { day: '2026-05-02', views: 900 },
        { day: '2026-05-03', views: 380 },
      ],
    },
  }),
  of(updateHistory, { params: { videoId }, data: null }),
  of(getWatchHistory, { query: page, data: { watchHistory: [video], nextCursor: cursor } }),
  of(getPosition, { params: { videoId }, data: { positionSeconds: 312.5 } }),
  of(putPosition, { params: { videoId }, body: { positionSeconds: 312.5 }, data: null }),
  of(listHistory, {
    query: { ...page, text: 'salt', unfinished: 'true' },
    data: [{ watchedAt: '2026-05-03T20:10:00.000Z', positionSeconds: 312.5, isFinished: false, video }],
    nextCursor: null,
  }),
  of(clearHistory, { data: null }),
  of(removeFromHistory, { params: { videoId }, data: null }),
  of(getHistoryState, { data: { isPaused: false } }),
  of(putHistoryState, { body: { isPaused: true }, data: { isPaused: true } }),
  of(listNotifications, { query: page, data: [notification], nextCursor: null }),
  of(countUnreadNotifications, { data: { unread: 3 } }),
  of(readNotification, { params: { notificationId: notification._id }, data: null }),
  of(readAllNotifications, { data: null }),
  of(getNotificationSettings, { data: { muted: [] } }),
  of(getNotificationMails, { data: { frequency: 'off', hour: 7, kinds: [] } }),
  of(putNotificationMails, {
    body: { frequency: 'daily', hour: 7, kinds: ['video', 'reply'] },
    data: { frequency: 'daily', hour: 7, kinds: ['reply', 'video'] },
  }),
  of(getNotificationPushes, { data: pushes }),
  of(putNotificationPushes, { body: { muted: ['subscriber'] }, data: { ...pushes, muted: ['subscriber'] } }),
  of(putPushSubscription, {
    body: {
      endpoint: pushes.endpoint,
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
    data: pushes,
  }),
  of(deletePushSubscription, { data: { ...pushes, endpoint: null } }),
  of(unsubscribeFromMails, {
    body: { token: 'Hs3fG8dUj5ZxA0lW.video.mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' },
    data: null,
  }),
  of(putNotificationSettings, { body: { muted: ['subscriber'] }, data: { muted: ['subscriber'] } }),
  of(listPositions, {
    query: { finished: 'true' },
    data: [{ videoId, positionSeconds: 312.5, isFinished: false }],
  }),
  of(getChannelProfile, { params: { username: video.videoOwner.username }, data: channelProfile }),
  of(putChannelProfile, {
    body: { about: channelProfile.about, links: channelProfile.links, pinnedVideoId: videoId },
    data: channelProfile,
  }),
  of(findChannelVideos, {
    params: { username: video.videoOwner.username },
    query: { ...page, text: 'salt', sort: 'oldest' },
    data: [video],
    nextCursor: null,
  }),
  of(listChannelPlaylists, {
    params: { username: video.videoOwner.username },
    data: [{ ...playlist, visibility: 'public' }],
  }),
  of(listChannelGroups, { data: [channelGroup] }),
  of(createChannelGroup, { body: { name: 'Salt', usernames: ['Ines'] }, data: channelGroup }),
  of(updateChannelGroup, {
    params: { groupId: channelGroup._id },
    body: { name: 'Salt', usernames: ['Ines'] },
    data: channelGroup,
  }),
  of(deleteChannelGroup, { params: { groupId: channelGroup._id }, data: null }),
  of(listOwnPlaylists, { data: [playlist] }),
  of(createPlaylist, {
    body: { title: playlist.title, description: playlist.description, visibility: 'unlisted' },
    data: { ...playlist, videosCount: 0, thumbnail: null },
  }),
  of(getPlaylist, {
    params: { playlistId },
    data: { ...playlist, duration: video.duration, unavailableCount: 0 },
  }),
  of(updatePlaylist, {
    params: { playlistId },
    body: { visibility: 'public' },
    data: { ...playlist, visibility: 'public' },
  }),
  of(deletePlaylist, { params: { playlistId }, data: null }),
  of(listPlaylistEntries, {
    params: { playlistId },
    query: { limit: 20, cursor: 'a4', shuffle: 'x7Kp' },
    data: [{ _id: entryId, addedAt: playlist.updatedAt, video }],
    nextCursor: null,
  }),
  of(findInPlaylist, {
    params: { playlistId, videoId },
    query: { shuffle: 'x7Kp' },
    data: { index: 0, previous: null, next: null, startCursor: null },
  }),
  of(addToPlaylist, { params: { playlistId, videoId }, data: { entryId } }),
  of(removeFromPlaylist, { params: { playlistId, entryId }, data: null }),
  of(moveInPlaylist, { params: { playlistId, entryId }, body: { afterEntryId: null }, data: null }),
  of(listSavedForLater, { data: [{ videoId, entryId }] }),
  of(listPlaylistsOfVideo, { params: { id: videoId }, data: [{ playlistId, entryId }] }),
  of(listOwnVideos, {
    query: { text: 'salt', visibility: 'public', sort: 'views', offset: 0, limit: 50 },
    data: { videos: [ownVideo], total: 1 },
  }),
  of(getOwnVideo, { params: { id: videoId }, data: { ...ownVideo, viewers: [jonas], chaptersOfFile: [] } }),
  of(changeOwnVideo, {
    params: { id: videoId },
    body: { visibility: 'private', viewers: ['jonas'], tags: ['salt'], category: 'nature' },
    data: { ...ownVideo, visibility: 'private', publishAt: null, viewers: [jonas], chaptersOfFile: [] },
  }),
  of(replaceThumbnail, {
    params: { id: videoId },
    files: { thumbnail: 'dawn.jpg' },
    data: { ...ownVideo, viewers: [], chaptersOfFile: [] },
  }),
  of(chooseThumbnailFrame, {
    params: { id: videoId },
    body: { seconds: 312.5 },
    data: { ...ownVideo, viewers: [], chaptersOfFile: [] },
  }),
  of(changeOwnVideos, {
    body: {
      videos: [
        { _id: videoId, visibility: 'unlisted' },
        { _id: 'deletedMeanwhile', visibility: 'private' },
      ],
    },
    data: [
      { _id: videoId, error: null },
      { _id: 'deletedMeanwhile', error: 'This video does not exist' },
    ],
  }),
  of(deleteOwnVideos, { body: { ids: [videoId] }, data: [{ _id: videoId, error: null }] }),
  of(listOwnCaptions, { params: { id: videoId }, data: ownCaptions }),
  of(addCaptions, {
    params: { id: videoId },
    body: { language: 'en', isDefault: 'true' },
    files: { captions: 'dawn.srt' },
    data: ownCaptions,
  }),
  of(changeCaptions, {
    params: { id: videoId, captionsId },
    body: { label: 'English' },
    files: { captions: 'dawn.vtt' },
    data: ownCaptions,
  }),
  of(deleteCaptions, { params: { id: videoId, captionsId }, data: [] }),
  of(recordPlayback, {
    params: { id: videoId },
    body: {
      isFirst: true,
      watchedSeconds: 12.5,
      parts: [0, 1, 2, 3, 4],
      source: 'embed',
      host: 'example.org',
      captions: 'en',
      lines: 720,
    },
    data: null,
  }),
  of(getVideoAnalytics, {
    params: { id: videoId },
    query: { period: '28' },
    data: { ...analytics, title: video.title, durationSeconds: video.duration },
  }),
  of(getChannelAnalytics, {
    query: { period: '28' },
    data: { ...analytics, videos: [{ _id: videoId, title: video.title, ...analytics.totals }] },
  }),
  of(getOverview, {
    data: {
      users: 212,
      suspendedUsers: 1,
      waitingUsers: 0,
      videos: 840,
      takenDownVideos: 2,
      waitingVideos: 1,
      unpreparedVideos: 3,
      failedVideos: 0,
      hoursOfVideo: 96.5,
      sourceBytes: 310_000_000_000,
      views: 41_200,
      viewsOf28Days: 2900,
      comments: 3100,
      likes: 5200,
      subscriptions: 900,
      openReports: 1,
      signedIn: 48,
      databaseBytes: 52_000_000,
    },
  }),
  of(listPeople, {
    query: { text: 'jonas', show: 'suspended', offset: 0, limit: 50 },
    data: { people: [person], total: 1 },
  }),
  of(getPerson, {
    params: { username: 'jonas' },
    data: {
      ...person,
      invitedBy: 'ines',
      comments: 41,
      reports: 2,
      removals: 1,
      hasSecondFactor: true,
      passkeys: 1,
    },
  }),
  of(listSessionsOfPerson, {
    params: { username: 'jonas' },
    data: [
      {
        _id: '0f3b1c',
        device: 'Firefox on Linux',
        createdAt: '2026-05-01T18:30:00.000Z',
        usedAt: '2026-05-03T08:59:00.000Z',
        isCurrent: false,
      },
    ],
  }),
  of(endSessionOfPerson, { params: { username: 'jonas', sessionId: '0f3b1c' }, data: null }),
  of(endSessionsOfPerson, { params: { username: 'jonas' }, data: null }),
  of(createPasswordLink, {
    params: { username: 'jonas' },
    data: { code: 'Zr3uDq9wJm2Q', expiresAt: '2026-05-03T09:30:00.000Z' },
  }),
  of(removeSecondFactorOfPerson, { params: { username: 'jonas' }, data: null }),
  of(changeSuspension, {
    params: { username: 'jonas' },
    body: { isSuspended: true, reason: 'Only advertising' },
    data: { ...person, suspendedAt: '2026-05-03T09:00:00.000Z' },
  }),
  of(changeRole, {
    params: { username: 'jonas' },
    body: { role: 'moderator' },
    data: { ...person, role: 'moderator' },
  }),
  of(changeQuota, {
    params: { username: 'jonas' },
    body: { quotaBytes: null, quotaVideos: 100, quotaDailyBytes: null, quotaVideoMinutes: null },
    data: person,
  }),
  of(deletePerson, { params: { username: 'jonas' }, data: null }),
  of(listAllVideos, {
    query: { text: 'salt', state: 'ready', offset: 0, limit: 50 },
    data: {
      videos: [
        {
          _id: videoId,
          title: 'Salt flats at dawn',
          thumbnail: video.thumbnail,
          owner: 'ines',
          seconds: 154,
          bytes: 48_211_907,
          views: 1204,
          state: 'ready',
          createdAt: '2026-05-02T18:30:00.000Z',
          takedownReason: null,
        },
      ],
      total: 1,
    },
  }),
  of(changeVideoApproval, { params: { id: videoId }, body: { isApproved: true }, data: null }),
  of(changeTakedown, { params: { id: videoId }, body: { reason: 'The music is not yours' }, data: null }),
  of(reprocessAnyVideo, { params: { id: videoId }, data: null }),
  of(deleteAnyVideo, { params: { id: videoId }, data: null }),
  of(listAllComments, {
    query: { text: 'watches', author: 'jonas', show: 'held', offset: 0, limit: 50 },
    data: {
      comments: [
        {
          _id: commentId,
          author: 'jonas',
          videoId,
          videoTitle: 'Salt flats at dawn',
          createdAt: '2026-05-02T20:04:00.000Z',
          content: 'Cheap watches!',
          isHeld: true,
          removedAt: null,
        },
      ],
      total: 1,
    },
  }),
  of(deleteAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  of(approveAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  of(holdAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  of(restoreAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  of(listInvitations, { data: [{ ...invitation, uses: 1, invited: ['jonas'] }] }),
  of(createInvitation, { body: { maxUses: 5, days: 7 }, data: invitation }),
  of(deleteInvitation, { params: { invitationId: invitation._id }, data: null }),
  of(createReport, {
    body: { kind: 'comment', subjectId: commentId, reason: 'spam', text: 'Below every video' },
    data: { isNew: true },
  }),
  of(getReport, { params: { reportId: '12' }, data: ownReport }),
  of(answerDecision, {
    params: { reportId: '12' },
    body: { text: 'It was a joke' },
    data: { ...ownReport, answer: 'It was a joke' },
  }),
  of(answerSuspension, {
    body: { email: 'jonas@example.org', password: 'correct horse', text: 'It was a joke' },
    data: null,
  }),
  of(listReports, { query: { show: 'open', offset: 0, limit: 50 }, data: { reports: [report], total: 1 } }),
  of(decideReport, {
    params: { reportId: '12' },
    body: { decision: 'remove', note: 'No advertising, please' },
    data: {
      ...report,
      isGone: true,
      decision: 'remove',
      note: 'No advertising, please',
      decidedBy: 'ines',
      decidedAt: '2026-05-03T09:00:00.000Z',
    },
  }),
  of(getUploadQuota, {
    data: {
      quotaBytes: null,
      quotaVideos: 100,
      quotaHours: null,
      quotaDailyBytes: 5_000_000_000,
      quotaVideoMinutes: 30,
      usedBytes: 48_211_930,
      usedVideos: 3,
      usedHours: 0.4,
      usedDailyBytes: 18_204_114,
      dailyBytesFreeAt: '2026-05-04T07:15:00.000Z',
    },
  }),
  of(listJobs, {
    data: {
      queues: [
        { name: 'mail.deliver', waiting: 2, later: 1, running: 2, failed: 1, oldestWaitingSeconds: 4 },
      ],
      failed: [
        {
          _id: '018f3a52-7c1e-7000-8000-3b1f0c9d2e4a',
          name: 'mail.deliver',
          reason: 'connect ECONNREFUSED 127.0.0.1:25',
          failedAt: '2026-05-03T09:00:00.000Z',
          videoId: null,
        },
      ],
    },
  }),
  of(getHealth, {
    data: {
      checkedAt: '2026-05-03T09:00:00.000Z',
      findings: [
        { subject: 'disk', state: 'good', message: '320.0 GB of 500.0 GB are free' },
        {
          subject: 'backup',
          state: 'note',
          message: 'The newest backup in /srv/kinora/backups is 9 days old.',
        },
      ],
      disk: { freeBytes: 320_000_000_000, totalBytes: 500_000_000_000 },
      cacheBytes: 51_000_000_000,
      queue: { waiting: 2, running: 2, failed: 1, oldestWaitingSeconds: 4 },
      workers: [
        { startedAt: '2026-05-01T09:00:00.000Z', seenAt: '2026-05-03T08:59:50.000Z', cpuSeconds: 18_204 },
      ],
      lastBackupAt: '2026-04-24T03:00:00.000Z',
    },
  }),
  of(getStorageUse, {
    data: {
      sourceBytes: 84_000_000_000,
      captionsBytes: 3_200_000,
      databaseBytes: 410_000_000,
      measurement: {
        pictureBytes: 940_000_000,
        segmentBytes: 51_000_000_000,
        freedBytes: 0,
        measuredAt: '2026-05-03T09:00:00.000Z',
      },
      isMeasuring: false,
      disk: { freeBytes: 320_000_000_000, totalBytes: 500_000_000_000 },
      isInBucket: false,
      cacheMaxBytes: null,
      cacheMaxDiskPercent: 80,
      largest: [{ _id: videoId, title: video.title, owner: 'jonas', bytes: 1_400_000_000 }],
    },
  }),
  of(freeSpace, { data: null }),
  of(listBackups, {
    data: {
      directory: '/srv/kinora/backups',
      isRunning: false,
      run: {
        kind: 'create',
        progress: '2026-05-03T09-00-00: 48120 rows and 2140 files (85 GB)',
        problems: [],
        startedAt: '2026-05-03T09:00:00.000Z',
        endedAt: '2026-05-03T09:12:00.000Z',
      },
      backups: [
        {
          name: '2026-05-03T09-00-00',
          isUsable: true,
          rows: 48_120,
          files: 2140,
          bytes: 85_000_000_000,
          missing: 0,
        },
      ],
    },
  }),
  of(createBackup, { data: null }),
  of(verifyBackup, { params: { backup: '2026-05-03T09-00-00' }, data: null }),
  of(retryJobs, {
    body: { ids: ['018f3a52-7c1e-7000-8000-3b1f0c9d2e4a'] },
    data: { ids: ['018f3a52-7c1e-7000-8000-3b1f0c9d2e4a'] },
  }),
  of(beginOidcLogin, {
    params: { provider: 'club' },
    body: { invitation: '' },
    data: { url: 'https://id.example.org/auth?client_id=kinora&state=abc' },
  }),
  of(linkOidc, {
    params: { provider: 'club' },
    body: { password: 'correct horse' },
    data: { url: 'https://id.example.org/auth?client_id=kinora&state=abc' },
  }),
  of(finishOidc, {
    params: { provider: 'club' },
    body: { query: 'code=abc&state=abc&iss=https%3A%2F%2Fid.example.org' },
    data: { user, isLinked: false },
  }),
  of(listOidc, {
    data: {
      hasPassword: true,
      providers: [{ provider: 'club', name: 'Club', linkedAt: '2026-05-03T09:00:00.000Z', usedAt: null }],
    },
  }),
  of(unlinkOidc, { params: { provider: 'club' }, data: null }),
  of(getWatchedWords, { data: watchedWords }),
  of(putWatchedWords, { body: watchedWords, data: watchedWords }),
  of(getSite, { data: { ...publicSite, siteLogo } }),
  of(getSiteSettings, { data: editableSettings }),
  of(putSiteSettings, {
    body: siteSettings,
    data: editableSettings,
  }),
  of(getPrivacy, {
    data: {
      siteContact: 'ines@example.org',
      addressDays: 30,
      auditLogDays: null,
      sessionDays: 30,
      sendsMail: true,
      isBehindProxy: true,
      usesBucket: false,
    },
  }),
  of(putLogo, { files: { logo: 'harbour.png' }, data: editableSettings }),
  of(deleteLogo, { data: { ...editableSettings, settings: { ...siteSettings, siteLogo: null } } }),
  of(openSetup, {
    body: { token: setupToken },
    data: { settings: publicSite, fixed: ['registration'] },
  }),
  of(completeSetup, {
    body: {
      token: setupToken,
      fullname: 'Ines Falk',
      email: 'ines@example.org',
      username: 'ines',
      password: 'correct horse',
      siteName: 'Harbour TV',
    },
    data: { ...user, role: 'administrator' },
  }),
  of(listAuditLog, {
    query: { text: 'jonas', before: 18, offset: 0, limit: 50 },
    data: {
      entries: [
        {
          _id: '17',
          happenedAt: '2026-05-03T09:00:00.000Z',
          actor: 'ines',
          action: 'suspend',
          subject: 'jonas',
          details: null,
        },
      ],
      total: 1,
    },
  }),
])

/** The example of a call. Every call has one. */
export function exampleOf({ name }: Pick<Endpoint, 'name'>): Example {
  const example = examples.get(name)
  if (!example) throw new Error(`${name} has no example in examples.ts`)
  return example
}

/** The complete example response: an envelope, or events of a stream. */
export function responseExampleOf(endpoint: Endpoint): unknown {
  const { data, nextCursor, events } = exampleOf(endpoint)
  if (events) {
    return Object.entries(events)
      .map(([name, each]) => `event: ${name}\ndata: ${JSON.stringify(each)}\n\n`)
      .join('')
  }
  const head = { success: true, statusCode: endpoint.status ?? 200, message: endpoint.message }
  return endpoint.paged ? { ...head, data, nextCursor } : { ...head, data }
}

/** The response to a rejected call. */
export function failureExampleOf(code: ErrorCode, message: string, errors: FieldError[] = []) {
  const statusCode = errorStatus[code]
  return { success: false, statusCode, message, code, errors, requestId: 'Ob9cE4yJs7WnR2hX', data: null }
}
