import type { Generated, Kysely } from 'kysely'

/** The tables, in camelCase; a test holds this against the migrated database. */
export interface Database {
  site: {
    onlyRow: Generated<boolean>
    storageId: string
  }
  /** Settings of administrators, by name. */
  siteSettings: {
    name: string
    value: unknown
  }
  setupToken: {
    onlyRow: Generated<boolean>
    tokenHash: Buffer
  }
  /** Words that hold or refuse comments on the videos of a channel. */
  watchedWords: {
    userId: string
    watchedWords: string
    watchedWordsAction: 'hold' | 'refuse'
  }
  users: {
    id: string
    username: string
    email: string
    fullname: string
    passwordHash: string
    /** False for accounts that an identity provider created, until they set a password. */
    hasPassword: Generated<boolean>
    avatar: string
    coverImage: string | null
    subscribersCount: Generated<number>
    subscribedToCount: Generated<number>
    createdAt: Generated<Date>
    /** Suspended accounts cannot log in. */
    suspendedAt: Date | null
    awaitsApproval: Generated<boolean>
    /** When an account that its holder deleted is removed; it is suspended until then. */
    deletesAt: Date | null
    invitationId: string | null
    /** Quota of the account, instead of that of the site. */
    quotaBytes: number | null
    quotaVideos: number | null
    quotaDailyBytes: number | null
    quotaVideoMinutes: number | null
    role: Generated<'member' | 'moderator' | 'administrator'>
    /** The language of the interface, once the account has chosen one. */
    language: string | null
  }
  sessions: {
    tokenHash: Buffer
    userId: string
    createdAt: Generated<Date>
    expiresAt: Date
    usedAt: Generated<Date>
    /** Browser and system. */
    device: Generated<string>
  }
  /** Single-use codes in links that are sent by mail. */
  mailCodes: {
    codeHash: Buffer
    /** Null for the code of a registration. */
    userId: string | null
    registrationId: string | null
    /** The address that the mail went to. */
    email: string | null
    purpose: string
    expiresAt: Date
  }
  /** Accounts that exist once their address is confirmed, under the same id. */
  registrations: {
    id: string
    username: string
    email: string
    fullname: string
    passwordHash: string
    avatar: string
    coverImage: string | null
    createdAt: Generated<Date>
    awaitsApproval: boolean
    invitationId: string | null
  }
  /** An address counts as confirmed while the account has the same. */
  confirmedEmails: {
    userId: string
    email: string
    confirmedAt: Generated<Date>
  }
  /** Counts while the account has the same address. */
  rejectedEmails: { userId: string; email: string; rejections: Generated<number> }
  emailChanges: {
    id: string
    userId: string
    oldEmail: string
    email: string
    createdAt: Generated<Date>
    /** Null while the change is pending. */
    confirmedAt: Date | null
  }
  videos: {
    id: string
    ownerId: string
    title: string
    description: string
    thumbnail: string
    sourceKey: string
    sizeBytes: number
    durationSeconds: number
    width: number
    height: number
    /** SourceInfo of media/probe/probe.ts. */
    source: unknown
    views: Generated<number>
    likesCount: Generated<number>
    processingState: Generated<'processing' | 'ready' | 'failed'>
    processingProgress: Generated<number>
    processingReason: string | null
    hasStoryboard: Generated<boolean>
    /** How often the preparation began again: for another file, or because somebody asked. */
    preparation: Generated<number>
    /** Id of the upload that has replaced the first file. */
    replacement: string | null
    createdAt: Generated<Date>
    /** Set while the video is taken down, which hides it from everybody but its owner. */
    takedownReason: string | null
    visibility: Generated<'public' | 'unlisted' | 'members' | 'private' | 'scheduled'>
    /** When a scheduled video becomes public. */
    publishAt: Date | null
    tags: Generated<string[]>
    category: string | null
    language: string | null
    licence: string | null
    commentsAllowed: Generated<boolean>
    commentsHeld: Generated<boolean>
    downloadsAllowed: Generated<boolean>
    /** Uploaded as private or scheduled, and not published since. */
    awaitsPublication: Generated<boolean>
    /** Visibility after approval. */
    heldVisibility: 'public' | 'unlisted' | 'members' | 'scheduled' | null
    isApproved: Generated<boolean>
    /** Waited for approval when its owner made it private. */
    wasHeld: Generated<boolean>
  }
  pendingViews: {
    videoId: string
    viewedAt: Generated<Date>
    number: Generated<number>
    views: Generated<number>
  }
  dailyViews: { videoId: string; day: Date; views: number }
  pendingPlaybacks: {
    videoId: string
    day: Date
    playbacks: number
    watchedSeconds: number
    retention: number[]
    sources: unknown
    captions: unknown
    qualities: unknown
  }
  dailyPlaybacks: {
    videoId: string
    day: Date
    playbacks: number
    watchedSeconds: number
    retention: number[]
    sources: unknown
    captions: unknown
    qualities: unknown
  }
  preparedRuns: { videoId: string; run: number }
  /** Of the segments of the current file. */
  trackBitrates: { videoId: string; track: string; peakBps: number; averageBps: number }
  /** AV1 renditions of the file whose segments are in `folder`; not ready if they could not be encoded. */
  av1Ladders: { videoId: string; folder: string; isReady: boolean; triedAt: Generated<Date> }
  /** Uploads in one request, by a hash of their Idempotency-Key; `requestId` is the request that returned the video last. */
  uploadRequests: { ownerId: string; key: string; videoId: string; requestId: string }
  trackUses: { videoId: string; track: string; usedAt: Date }
  captions: {
    id: string
    videoId: string
    language: string
    label: string
    isDefault: Generated<boolean>
    fileTrack: number | null
    content: string
    version: Generated<number>
  }
  comments: {
    id: string
    videoId: string
    authorId: string
    content: string
    likesCount: Generated<number>
    createdAt: Generated<Date>
    parentId: string | null
    /** Published ones; a trigger keeps it. */
    repliesCount: Generated<number>
    mentions: Generated<string[]>
    editedAt: Date | null
    isPinned: Generated<boolean>
    isHearted: Generated<boolean>
    isHeld: Generated<boolean>
    isApprovedByOwner: Generated<boolean>
    isHeldByChannel: Generated<boolean>
    deletedAt: Date | null
    deletedBy: string | null
  }
  videoViewers: { videoId: string; userId: string }
  videoLikes: { videoId: string; userId: string; createdAt: Generated<Date> }
  commentLikes: { commentId: string; userId: string; createdAt: Generated<Date> }
  subscriptions: { subscriberId: string; channelId: string; createdAt: Generated<Date> }
  watchHistory: {
    userId: string
    videoId: string
    watchedAt: Date | null
    positionSeconds: Generated<number>
    isFinished: Generated<boolean>
  }
  /** Texts of channels; a missing row counts as an empty one. */
  channelProfiles: {
    userId: string
    about: Generated<string>
    links: Generated<string[]>
    pinnedVideoId: string | null
  }
  channelGroups: { id: string; ownerId: string; name: string; createdAt: Generated<Date> }
  channelGroupMembers: { groupId: string; channelId: string }
  dismissedVideos: { userId: string; videoId: string; dismissedAt: Generated<Date> }
  dismissedChannels: { userId: string; channelId: string; dismissedAt: Generated<Date> }
  mutedPeople: { userId: string; personId: string; isBlocked: boolean; mutedAt: Generated<Date> }
  feedAddresses: { userId: string; token: string; createdAt: Generated<Date> }
  privateSubscriptions: { userId: string }
  pausedHistories: { userId: string; pausedAt: Generated<Date> }
  /** When a member last saw the feed. */
  feedVisits: { userId: string; seenAt: Date }
  notifications: {
    id: Generated<number>
    userId: string
    kind:
      | 'video'
      | 'comment'
      | 'subscriber'
      | 'processing'
      | 'reply'
      | 'mention'
      | 'report'
      | 'moderation'
      | 'sign_in'
      | 'webhook'
    /** Of a video that may be deleted already. */
    videoId: string | null
    commentId: string | null
    reportId: number | null
    actorId: string | null
    actorsCount: Generated<number>
    isRead: Generated<boolean>
    createdAt: Generated<Date>
    /** Of a sign-in. */
    device: string | null
    /** When a group of new subscribers began. */
    beganAt: Generated<Date>
  }
  announcedVideos: { videoId: string; announcedAt: Generated<Date> }
  mailFrequencies: { userId: string; frequency: 'immediate' | 'daily'; hour: number }
  mailedNotifications: { userId: string; kind: string }
  /** Notifications that wait to be mailed. A trigger on notifications adds them. */
  notificationMails: { notificationId: number; userId: string }
  pushSubscriptions: {
    id: Generated<number>
    sessionHash: Buffer
    userId: string
    endpoint: string
    p256dh: string
    auth: string
    createdAt: Generated<Date>
  }
  mutedPushes: { userId: string; kind: string }
  /** Notifications that wait to be pushed. A trigger on notifications adds them. */
  notificationPushes: { notificationId: number; userId: string }
  mutedNotifications: { userId: string; kind: string }
  /** Kept by triggers on notifications. */
  unreadNotifications: { userId: string; unread: number }
  playlists: {
    id: string
    ownerId: string
    isWatchLater: Generated<boolean>
    title: string
    description: Generated<string>
    visibility: Generated<'private' | 'unlisted' | 'public'>
    entriesCount: Generated<number>
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
  }
  playlistEntries: {
    id: string
    playlistId: string
    /** Null once the video was deleted. */
    videoId: string | null
    /** A fractional key between those of its neighbours. */
    position: string
    addedAt: Generated<Date>
  }
  resumableUploads: {
    id: string
    sizeBytes: number | null
    metadata: unknown
    sourceKey: string
    partsId: string
    partBytes: number
    partTags: Generated<string[]>
    receivedBytes: Generated<number>
    tailKey: string | null
    writer: string | null
    touchedAt: Date
  }
  /** Actions of moderators and administrators. */
  auditLog: {
    id: Generated<number>
    happenedAt: Date
    actor: string
    action: string
    subject: string
    details: string | null
  }
  /** Links with which people register. */
  invitations: {
    id: string
    createdBy: string | null
    createdAt: Generated<Date>
    expiresAt: Date
    maxUses: number
    uses: Generated<number>
  }
  /** Reports about one video, comment or channel, and the decision about them. */
  reports: {
    id: Generated<number>
    kind: 'video' | 'comment' | 'channel'
    subjectId: string
    ownerId: string
    title: string
    createdAt: Generated<Date>
    decision: 'dismiss' | 'remove' | null
    note: Generated<string>
    decidedBy: string | null
    decidedAt: Date | null
    answer: string | null
    answeredAt: Date | null
  }
  /** People who reported it, with their reasons. */
  reportEntries: {
    reportId: number
    reporterId: string
    reason: string
    text: string
    createdAt: Generated<Date>
  }
  /** Texts of unpublished resumable uploads. */
  /** Sizes of the uploads of the last days, deleted ones included. */
  uploadedBytes: {
    uploadId: string
    ownerId: string
    bytes: number
    uploadedAt: Date
  }
  uploadDrafts: {
    uploadId: string
    ownerId: string
    title: string
    description: string
    visibility: string
    updatedAt: Date
  }
  secondFactors: {
    userId: string
    secret: string
    isConfirmed: Generated<boolean>
    /** Time step of the last accepted code. */
    lastStep: Generated<number>
  }
  /** Tokens with which programs call the API for a person. */
  apiTokens: {
    id: string
    userId: string
    tokenHash: Buffer
    name: string
    scopes: string[]
    createdAt: Date
    expiresAt: Date | null
    usedAt: Date | null
  }
  /** Addresses to which events are sent, and the last deliveries of each. */
  webhooks: {
    id: string
    userId: string
    isSite: boolean
    url: string
    secret: string
    events: string[]
    failures: Generated<number>
    pausedAt: Date | null
    createdAt: Date
  }
  webhookDeliveries: {
    id: string
    webhookId: string
    event: string
    subjectId: string
    data: unknown
    createdAt: Generated<Date>
    nextAttemptAt: Generated<Date | null>
    attempts: Generated<number>
    isDelivered: Generated<boolean>
    status: number | null
    problem: string | null
    durationMs: number | null
  }
  /** Public keys with which people sign in (WebAuthn). */
  passkeys: {
    id: string
    userId: string
    publicKey: Buffer
    counter: number
    name: string
    createdAt: Date
    usedAt: Date | null
  }
  /** The archive of an account, and how far a job has made it. */
  accountExports: {
    userId: string
    id: string
    state: Generated<'running' | 'ready' | 'failed'>
    progress: Generated<number>
    sizeBytes: number | null
    createdAt: Date
    expiresAt: Date
  }
  /** The last import into an account, and which of its parts are done. */
  hiddenAccounts: {
    userId: string
    cause: 'leaving' | 'suspension' | null
  }
  accountImports: {
    userId: string
    id: string
    state: Generated<'running' | 'done' | 'failed' | 'cancelled'>
    format: string | null
    failure: string | null
    progress: Generated<number>
    report: Generated<unknown>
    /** Of imports that an earlier version began; others are in `accountImportSteps`. */
    steps: Generated<string[]>
    createdAt: Date
    uploadId: string | null
  }
  accountImportSteps: {
    userId: string
    nameHash: string
  }
  /** Videos that are fetched from an address. The video gets the id of its import. */
  videoImports: {
    id: string
    ownerId: string
    url: string
    title: string
    visibility: string
    state: Generated<'waiting' | 'running' | 'done' | 'failed'>
    receivedBytes: Generated<number>
    sizeBytes: number | null
    failure: string | null
    createdAt: Date
    description: Generated<string>
    tags: Generated<string[]>
    /** Null for the time of the import. */
    publishedAt: Date | null
    notifiesSubscribers: Generated<boolean>
    /** Of a failure that may pass. A feed begins such an import again. */
    isRetryable: Generated<boolean>
  }
  /** Feeds whose new videos are imported. */
  feedImports: {
    id: string
    ownerId: string
    url: string
    /** Null until the feed was read. */
    title: string | null
    visibility: string
    importsExisting: boolean
    etag: string | null
    lastModified: string | null
    checkedAt: Date | null
    nextCheckAt: Date
    /** After a quota or limit was reached. */
    nextImportAt: Date | null
    /** In a row. */
    failures: Generated<number>
    failure: string | null
    pausedAt: Date | null
    createdAt: Date
  }
  /** Entries of feeds that were seen, so that each is imported once. */
  feedImportEntries: {
    feedId: string
    key: string
    position: Generated<number>
    /** JSON, until it is imported or given up; null for one that is not imported. */
    content: string | null
    /** Its import, and later its video; null while it waits. */
    videoId: string | null
    attempts: Generated<number>
    /** Null before the first attempt. */
    nextAttemptAt: Date | null
  }
  importedItems: {
    userId: string
    kind: string
    origin: string
    itemId: string
    isComplete: Generated<boolean>
  }
  /** References of an imported archive that this site could not resolve; exports contain them again. */
  importedReferences: {
    userId: string
    file: string
    list: Generated<string>
    key: string
    content: unknown
    position: number | null
    bytes: number | null
  }
  passkeyChallenges: { challenge: string; userId: string | null; expiresAt: Date }
  backupRun: {
    onlyRow: Generated<boolean>
    kind: 'create' | 'verify'
    progress: string
    problems: string[]
    startedAt: Date
    endedAt: Date | null
  }
  workerProcesses: { id: string; startedAt: Date; seenAt: Date; cpuSeconds: number }
  storageMeasurement: {
    onlyRow: Generated<boolean>
    pictureBytes: number
    segmentBytes: number
    freedBytes: number
    measuredAt: Date
  }
  /** Accounts at identity providers with which people sign in. */
  oidcIdentities: { issuer: string; subject: string; userId: string; createdAt: Date; usedAt: Date | null }
  oidcRequests: {
    stateHash: Buffer
    browserHash: Buffer
    issuer: string
    nonce: string
    codeVerifier: string
    userId: string | null
    invitation: string
    expiresAt: Date
  }
  recoveryCodes: { userId: string; codeHash: Buffer }
  knownDevices: { userId: string; device: string; seenAt: Date }
  knownAddresses: { userId: string; addressHash: Buffer; seenAt: Date }
  siteSecret: { isOnly: Generated<boolean>; secret: Buffer }
  rateLimits: { key: string; windowEndsAt: Date; taken: number }
  /** Maintained by triggers on videos and users; search vectors as text. */
  videoSearch: {
    videoId: string
    createdAt: Date
    head: string
    document: string
    isProminent: Generated<boolean>
    isPublic: Generated<boolean>
  }
  /** Maintained by triggers on users. */
  channelSearch: { userId: string; document: string }
  fileCaptions: {
    videoId: string
    fileTrack: number
    replacement: string | null
    content: string
    document: string
  }
  /** Maintained by triggers on captions. */
  captionSearch: { captionsId: string; document: string }
  searchVocabulary: { word: string; variants: string[]; videosCount: Generated<number> }
  wordCount: { onlyRow: Generated<boolean>; countedAt: Date }
}

/** The database or a transaction on it. */
export type Db = Kysely<Database>

/** Further writes in the transaction of an action, which commit or fail with it. */
export type AlsoWrite = (transaction: Db) => Promise<void>
