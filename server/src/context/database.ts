import type { Generated, Kysely } from 'kysely'

/** The database or a transaction on it. */
export type Db = Kysely<Database>

/** Further writes in the transaction of an action, which commit or fail with it. */
export type WithinTransaction = (transaction: Db) => Promise<void>

/** The tables, in camelCase. `npm run data-model` writes this interface from `server/schema.sql`: do not edit it by hand. */
export interface Database {
  /** The archive of an account, at most one, and how far a job has made it. */
  accountExports: {
    userId: string
    id: string
    state: Generated<'running' | 'ready' | 'failed'>
    progress: Generated<number>
    sizeBytes: number | null
    createdAt: Date
    expiresAt: Date
  }
  /** Parts of the last import of an account that are done: a repeated run skips them. */
  accountImportSteps: {
    userId: string
    /** SHA-256 of the name of the part, in base64url. */
    nameHash: string
  }
  /** The last import into an account. */
  accountImports: {
    userId: string
    id: string
    state: Generated<'running' | 'done' | 'failed' | 'cancelled'>
    format: string | null
    failure: string | null
    progress: Generated<number>
    report: Generated<unknown>
    /** Parts that are done, of imports that version 0.2.0 began; others are in account_import_steps. */
    steps: Generated<string[]>
    createdAt: Date
    /** The upload that the import reads, perhaps days later: it is not stale until then. Null for imports of 0.2.0. */
    uploadId: string | null
    /** Reason and values of the failure. */
    cause: unknown
  }
  /** Videos that subscribers were notified of, so that publishing one again notifies nobody. */
  announcedVideos: {
    videoId: string
    announcedAt: Generated<Date>
  }
  /** Tokens with which programs call the API for a person. */
  apiTokens: {
    id: string
    userId: string
    /** Without a salt: a token has 256 random bits, so its hash is as hard to guess. */
    tokenHash: Buffer
    name: string
    scopes: string[]
    createdAt: Date
    /** Null for a token that does not expire. */
    expiresAt: Date | null
    usedAt: Date | null
  }
  /** Actions of moderators and administrators. Names are kept as they were: an entry outlives the account that it is about. */
  auditLog: {
    id: Generated<number>
    happenedAt: Date
    actor: string
    action: string
    subject: string
    details: string | null
  }
  /** Videos whose AV1 renditions were encoded, or could not be. */
  av1Ladders: {
    videoId: string
    /** Folder of the segments of the file that was encoded. */
    folder: string
    /** False if they could not be encoded. */
    isReady: boolean
    triedAt: Generated<Date>
  }
  /** The last backup or verification that an administrator started: its progress and its result. */
  backupRun: {
    onlyRow: Generated<boolean>
    kind: 'create' | 'verify'
    progress: string
    problems: string[]
    startedAt: Date
    endedAt: Date | null
  }
  /** Words of captions, which searches for moments find. Triggers on captions maintain it. */
  captionSearch: {
    captionsId: string
    document: string
  }
  /** Captions that owners add. Those in the file of a video are extracted from it, unless a row replaces them. */
  captions: {
    id: string
    videoId: string
    /** BCP 47. */
    language: string
    label: string
    isDefault: Generated<boolean>
    /** The track of the file that this row replaces. */
    fileTrack: number | null
    /** WebVTT. */
    content: string
    /** Part of the URL, which caches keep for a year. */
    version: Generated<number>
    /** Recognized by the site; false once the owner has edited them. */
    isAutomatic: Generated<boolean>
  }
  /** Activity of the people of a channel on which several work. A job deletes old rows. */
  channelActivity: {
    id: Generated<number>
    channelId: string
    actorId: string | null
    action: string
    /** Of a video that may be deleted already. */
    videoId: string | null
    /** Title of the video, or username of the person, as it was. */
    subject: string
    happenedAt: Date
  }
  /** Sites that may embed videos of a channel. A missing row counts as everywhere. */
  channelEmbeds: {
    userId: string
    allowed: 'everywhere' | 'sites' | 'nowhere'
    sites: string[]
  }
  /** Channels of a group. */
  channelGroupMembers: {
    groupId: string
    channelId: string
  }
  /** Groups of followed channels, which filter the feed of their owner. */
  channelGroups: {
    id: string
    ownerId: string
    name: string
    createdAt: Generated<Date>
  }
  /** Texts of owners about their channel. A missing row counts as an empty one. */
  channelProfiles: {
    userId: string
    about: Generated<string>
    /** URLs. */
    links: Generated<string[]>
    pinnedVideoId: string | null
  }
  /** Words of the names of each channel. Triggers on users maintain it. */
  channelSearch: {
    userId: string
    document: string
  }
  /** Whether videos of a channel get automatic captions. A missing row counts as yes. */
  channelTranscriptions: {
    userId: string
    isEnabled: boolean
  }
  /** Messages of the chats of videos. Their position in the video is sent_at minus videos.chat_from. A job deletes removed ones. */
  chatMessages: {
    id: string
    videoId: string
    userId: string
    text: string
    sentAt: Date
    removedAt: Date | null
    removedBy: string | null
    /** Where it is shown, in seconds of the file. Null while that is the time since videos.chat_from: the video was not cut since. */
    fileSeconds: number | null
  }
  /** Settings of chats that differ from the default: everybody who sees the video writes as fast as they can. */
  chatSettings: {
    videoId: string
    writers: 'everybody' | 'subscribers' | 'nobody'
    slowSeconds: number
  }
  /** Parts of videos that somebody shares under a title. Their times are those of the whole file, so that a cut moves them. */
  clips: {
    id: string
    videoId: string
    userId: string
    title: string
    startSeconds: number
    endSeconds: number
    createdAt: Date
    /** Owner of the video, written by triggers. */
    channelId: string | null
  }
  /** Invitations to work on a channel that are neither accepted nor declined. */
  collaborationInvitations: {
    channelId: string
    userId: string
    role: 'editor' | 'manager'
    createdAt: Date
    /** Null for invitations of older versions. */
    invitedBy: string | null
  }
  /** People who work on the channel of somebody else. */
  collaborators: {
    channelId: string
    userId: string
    role: 'editor' | 'manager'
    createdAt: Date
  }
  /** Likes of comments; comments.likes_count is their number. */
  commentLikes: {
    commentId: string
    userId: string
    createdAt: Generated<Date>
  }
  /** Comments on videos, and replies to them. */
  comments: {
    id: string
    videoId: string
    authorId: string
    content: string
    likesCount: Generated<number>
    createdAt: Generated<Date>
    /** The comment that this is a reply to. */
    parentId: string | null
    /** Published ones; a trigger keeps it. */
    repliesCount: Generated<number>
    /** Usernames that exist among the @names of the text. */
    mentions: Generated<string[]>
    editedAt: Date | null
    isPinned: Generated<boolean>
    isHearted: Generated<boolean>
    /** Waits for approval. */
    isHeld: Generated<boolean>
    /** Deleted comments stay for a while, so that their deletion can be undone. */
    deletedAt: Date | null
    deletedBy: string | null
    /** Published only because the owner of the video approved it, or an earlier comment of its author: it shows nothing about the author on other channels. */
    isApprovedByOwner: Generated<boolean>
    /** Held by the watched words of the channel: the owner of the video approves it, not the moderators. */
    isHeldByChannel: Generated<boolean>
    /** Dates at which times that the last edit kept were written, by time in seconds. */
    timeDates: unknown
  }
  /** Addresses whose owners have opened a link in a mail. One counts as confirmed while the account has the same. */
  confirmedEmails: {
    userId: string
    email: string
    confirmedAt: Generated<Date>
  }
  /** Videos whose removed parts are being deleted. Publishing another cut ends it. */
  cutDeletions: {
    videoId: string
    /** Of the cut whose ranges become the file. */
    publishedAt: Date
    progress: Generated<number>
    hasFailed: Generated<boolean>
    /** The replaced file, which is being deleted. Null until it is replaced. */
    oldSourceKey: string | null
    /** Folder of the segments of the replaced file. */
    oldFolder: string | null
  }
  /** How a video was watched on a day, without viewers. */
  dailyPlaybacks: {
    videoId: string
    day: Date
    playbacks: number
    watchedSeconds: number
    /** Playbacks that showed each hundredth of the video. */
    retention: number[]
    /** Playbacks by where their viewers came from. */
    sources: unknown
    /** Seconds by language. */
    captions: unknown
    /** Seconds by pixels of the shorter side. */
    qualities: unknown
  }
  /** Views of each video and day. */
  dailyViews: {
    videoId: string
    day: Date
    views: number
  }
  /** Channels that users do not want to be recommended. */
  dismissedChannels: {
    userId: string
    channelId: string
    dismissedAt: Generated<Date>
  }
  /** Videos that users do not want to be recommended. */
  dismissedVideos: {
    userId: string
    videoId: string
    dismissedAt: Generated<Date>
  }
  /** Changes of addresses on sites that send mail. */
  emailChanges: {
    id: string
    userId: string
    oldEmail: string
    email: string
    createdAt: Generated<Date>
    /** Null while the change is pending. */
    confirmedAt: Date | null
  }
  /** Secret addresses of the feeds of users. */
  feedAddresses: {
    userId: string
    /** Not hashed, because its owner can display it again. It gives access to a list of videos, and its owner can replace it. */
    token: string
    createdAt: Generated<Date>
  }
  /** Entries of feeds that were seen, so that each is imported once. */
  feedImportEntries: {
    feedId: string
    /** Hash of the id of the entry, which has any length. */
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
    /** Reason and values of the failure. */
    cause: unknown
  }
  /** When a member last saw the feed. Videos since then have a dot. */
  feedVisits: {
    userId: string
    seenAt: Date
  }
  /** Captions inside the files of videos, as text in which a search finds moments. A job extracts them after publishing. */
  fileCaptions: {
    videoId: string
    /** Place among the captions of the file. */
    fileTrack: number
    /** Of the video when the text was extracted: null for the file that it was published with. */
    replacement: string | null
    content: string
    document: string
  }
  /** Files of a folder that were imported into a channel, so that a second import adds what is new. Rows of deleted videos stay: they are not imported again. */
  folderFiles: {
    ownerId: string
    path: string
    sizeBytes: number
    /** Hash of the first and last bytes, by which a renamed file is found. */
    fingerprint: Buffer
    videoId: string
  }
  /** The last import of a folder that an administrator started: its progress and its result. */
  folderImportRun: {
    onlyRow: Generated<boolean>
    folder: string
    channelId: string
    placement: 'reference' | 'link' | 'copy'
    isDryRun: boolean
    counts: unknown
    problems: unknown
    failure: string | null
    startedAt: Date
    endedAt: Date | null
  }
  /** Videos that were given to another account, one row for each time. */
  givenVideos: {
    videoId: string
    giverId: string | null
    receiverId: string | null
    givenAt: Date
    /** Whether the giver has published the video: it counts for nobody else. */
    countsForGiver: boolean
    /** Whether the video waits to change its owner: a job moves large channels in batches. */
    isMoving: boolean
  }
  /** Offers to give a video, or all videos, to another account, until they are accepted, declined or withdrawn. */
  handovers: {
    id: string
    giverId: string
    receiverId: string
    /** Null for all videos of the giver. */
    videoId: string | null
    createdAt: Date
  }
  /** Accounts whose videos and comments are being hidden or shown again: a job does that in batches. */
  hiddenAccounts: {
    userId: string
    /** Null for those that are shown again. */
    cause: 'leaving' | 'suspension' | null
  }
  /** Items that an account has imported, so that a second import does not duplicate it. */
  importedItems: {
    userId: string
    kind: string
    /** Id where the item came from. */
    origin: string
    itemId: string
    isComplete: Generated<boolean>
  }
  /** References of an imported archive that this site could not resolve, as the archive had them. Exports contain them again. */
  importedReferences: {
    userId: string
    /** File of the archive. */
    file: string
    /** Id of the playlist, group of channels or video that the reference belongs to. */
    list: Generated<string>
    /** Id in the archive. */
    key: string
    content: unknown
    /** In an ordered list. */
    position: number | null
    /** Length of content as text, which an export has again; null in older rows. */
    bytes: number | null
  }
  /** Short videos of a channel that players show before or after its other videos. Those who may not see one get none. */
  intros: {
    channelId: string
    kind: 'intro' | 'outro'
    videoId: string
  }
  /** Links with which people register. */
  invitations: {
    id: string
    createdBy: string | null
    createdAt: Generated<Date>
    expiresAt: Date
    maxUses: number
    uses: Generated<number>
    /** Text of moderators about whom it is for. */
    note: Generated<string>
  }
  /** Addresses that an account has signed in from, for 90 days. Failed logins from other addresses do not lock out these. */
  knownAddresses: {
    userId: string
    /** Hashed with the secret of the site. */
    addressHash: Buffer
    seenAt: Date
  }
  /** Browsers and systems that an account has signed in with. Another one causes a notification. */
  knownDevices: {
    userId: string
    device: string
    seenAt: Date
  }
  /** Live streams that were announced for a time, which is videos.chat_from, and have not begun. */
  liveAnnouncements: {
    videoId: string
    visibility: 'public' | 'unlisted' | 'members'
    keepsRecording: boolean
    /** Thumbnail that the site has drawn, because the channel chose none: the first frame of the stream replaces it. */
    drawnPicture: string | null
  }
  /** Browsers that stream: the last one of each channel. */
  liveBrowsers: {
    channelId: string
    id: string
    openedAt: Date
    seenAt: Date
    nextPiece: Generated<number>
    /** Whether a part of a stream was recorded. It may only continue that stream. */
    hasBegun: Generated<boolean>
    endReason: string | null
  }
  /** Stream keys of channels as hashes, and the templates of their streams. */
  liveChannels: {
    userId: string
    /** An administrator allows it, whatever the role. */
    isAllowed: Generated<boolean>
    /** The key is an HMAC of this with the secret of the site, so that it can be shown again. */
    keyNonce: string | null
    keyHash: Buffer | null
    title: Generated<string>
    description: Generated<string>
    visibility: Generated<'public' | 'unlisted' | 'members' | 'private'>
    keepsRecording: Generated<boolean>
    refusedAt: Date | null
    /** Why the last encoder was refused. */
    refusal: string | null
  }
  /** Frames of the part of a live stream that is not complete, and of the last parts, for viewers with low latency. */
  liveChunks: {
    videoId: string
    part: number
    chunk: number
    startMicros: number
    endMicros: number
    audioStartMicros: number
    audioEndMicros: number
    video: Buffer
    /** Null if no sound arrived since the chunk before. */
    audio: Buffer | null
    receivedAt: Date
  }
  /** Parts of the recording of a live stream: a group of pictures and its sound. Each is a segment of the live playlists. */
  liveParts: {
    videoId: string
    part: number
    startMicros: number
    endMicros: number
    audioStartMicros: number
    audioEndMicros: number
    /** First byte of the video in its file; its audio follows. */
    position: number
    videoBytes: number
    audioBytes: number
    receivedAt: Date
    /** The first of a connection after another one. */
    isResumed: Generated<boolean>
    /** Number of the file of the recording: of one that is kept on a disk, all parts are in the first; in a bucket, each is an object. */
    file: Generated<number>
  }
  /** Pieces of streams that browsers have sent, and that the ingest process has not recorded yet. */
  livePieces: {
    channelId: string
    piece: number
    content: Buffer
    receivedAt: Date
  }
  /** Templates of shows that a channel streams again and again. */
  liveShows: {
    id: string
    channelId: string
    title: string
    description: Generated<string>
    visibility: 'public' | 'unlisted' | 'members' | 'private'
    keepsRecording: boolean
    createdAt: Date
  }
  /** Live streams, also those that ended. A channel has at most one that runs. */
  liveStreams: {
    videoId: string
    channelId: string
    /** Hash of the codec configurations. Only a connection with the same continues the stream. */
    format: string
    /** Beginning of the recording: ftyp and moov. */
    init: Buffer
    keepsRecording: boolean
    isConnected: Generated<boolean>
    startedAt: Date
    /** When the last part arrived. */
    seenAt: Date
    /** Reason for which the ingest process shall end it. */
    endRequested: string | null
    endedAt: Date | null
    endReason: string | null
    health: unknown
    peakViewers: Generated<number>
    /** Parts that were deleted while the stream runs: the first one is of this number. */
    droppedParts: Generated<number>
    /** Those of them that had sound. */
    droppedSounds: Generated<number>
    /** Renditions that the machine encodes faster than the stream plays, as measured with its first part. */
    renditions: Generated<string[]>
    /** Whether a browser sends it. Otherwise an encoder does. */
    isFromBrowser: Generated<boolean>
  }
  /** Viewers of live streams now, as each web process counts them. */
  liveViewers: {
    videoId: string
    process: string
    viewers: number
    countedAt: Date
  }
  /** Single-use codes in links that are sent by mail. */
  mailCodes: {
    codeHash: Buffer
    /** Null for the code of a registration. */
    userId: string | null
    purpose: string
    expiresAt: Date
    /** The address that the mail went to. */
    email: string | null
    registrationId: string | null
  }
  /** When users get notifications by mail. Without a row they get none. */
  mailFrequencies: {
    userId: string
    frequency: 'immediate' | 'daily'
    /** Of the daily mail, in UTC. */
    hour: number
  }
  /** Kinds of notifications that a user gets by mail. */
  mailedNotifications: {
    userId: string
    kind: string
  }
  /** Kinds of notifications that a user has switched off. */
  mutedNotifications: {
    userId: string
    kind: string
  }
  /** People whose videos and comments a user does not see. */
  mutedPeople: {
    userId: string
    personId: string
    /** Blocked people cannot comment to the user either. */
    isBlocked: boolean
    mutedAt: Generated<Date>
  }
  /** Kinds of notifications that a user does not want by push. */
  mutedPushes: {
    userId: string
    kind: string
  }
  /** Notifications that wait to be mailed. Triggers on notifications add them. They are deleted with the notification, and then not mailed. */
  notificationMails: {
    notificationId: number
    userId: string
  }
  /** Notifications that wait to be pushed. Triggers on notifications add them. They are deleted with the notification, and then not pushed. */
  notificationPushes: {
    notificationId: number
    userId: string
  }
  /** Notifications of users. A row refers to its subject; lists read texts and visibility of the subject. */
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
      | 'to_decide'
      | 'collaboration'
      | 'handover'
      | 'premiere'
      | 'live_expired'
    /** Of a video that may be deleted already. No foreign key, so that a deletion does not wait for the notifications of all subscribers; a job deletes them. */
    videoId: string | null
    commentId: string | null
    /** The user who caused it; the last one of a group. */
    actorId: string | null
    actorsCount: Generated<number>
    isRead: Generated<boolean>
    createdAt: Generated<Date>
    /** When a group of new subscribers began: ending a subscription takes only those out of it that began since. */
    beganAt: Generated<Date>
    reportId: number | null
    /** Of a sign-in. */
    device: string | null
  }
  /** Accounts at identity providers with which people sign in (OpenID Connect). */
  oidcIdentities: {
    issuer: string
    subject: string
    userId: string
    createdAt: Date
    usedAt: Date | null
  }
  /** Requests to identity providers that wait for their response. */
  oidcRequests: {
    stateHash: Buffer
    /** Of a cookie: only the browser that began may finish. */
    browserHash: Buffer
    issuer: string
    nonce: string
    codeVerifier: string
    /** The account that is linked; null for a sign-in. */
    userId: string | null
    invitation: string
    expiresAt: Date
  }
  /** Challenges that wait for the signature of a passkey. */
  passkeyChallenges: {
    challenge: string
    /** Null for a sign-in. */
    userId: string | null
    expiresAt: Date
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
  /** Users whose history is paused. */
  pausedHistories: {
    userId: string
    pausedAt: Generated<Date>
  }
  /** Playback reports that a job adds to daily_playbacks. */
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
  /** Views that a job adds to videos.views and daily_views, so that no viewer waits for a popular row. */
  pendingViews: {
    videoId: string
    viewedAt: Generated<Date>
    /** Order of arrival. Every hundredth enqueues the job, whichever process receives it. */
    number: Generated<number>
    /** Views of one moment, so that a popular video needs few rows. */
    views: Generated<number>
  }
  /** Videos of a playlist. */
  playlistEntries: {
    id: string
    playlistId: string
    /** Null once the video is deleted: the entry keeps its position. */
    videoId: string | null
    /** A fractional key between those of its neighbours: moving an entry changes no other row. */
    position: string
    addedAt: Generated<Date>
  }
  /** Lists of videos of an account. */
  playlists: {
    id: string
    ownerId: string
    /** The playlist that every account has, created on first use. */
    isWatchLater: Generated<boolean>
    title: string
    description: Generated<string>
    visibility: Generated<'private' | 'unlisted' | 'public'>
    /** Updated together with the entries, under the lock of the row. */
    entriesCount: Generated<number>
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
  }
  /** Runs of segments that are encoded, while a video is being prepared. */
  preparedRuns: {
    videoId: string
    run: number
  }
  /** Accounts that show the channels they subscribe to nobody else. */
  privateSubscriptions: {
    userId: string
  }
  /** Browsers that get notifications by web push. A subscription ends with the session that made it. */
  pushSubscriptions: {
    id: Generated<number>
    sessionHash: Buffer
    userId: string
    endpoint: string
    /** Public key of the browser (RFC 8291), in base64url. */
    p256dh: string
    /** Secret of the browser (RFC 8291), in base64url. */
    auth: string
    createdAt: Generated<Date>
  }
  /** Calls within the current window of a rate limit. */
  rateLimits: {
    key: string
    windowEndsAt: Date
    taken: number
  }
  /** Unused codes that replace an authenticator app, each once. */
  recoveryCodes: {
    userId: string
    codeHash: Buffer
  }
  /** Accounts that exist once their address is confirmed, under the same id. Those for the address of an account are never confirmed, so that a response does not tell them apart. */
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
  /** Addresses that the mail server has rejected for good. They count while the account has the same address. */
  rejectedEmails: {
    userId: string
    email: string
    rejections: Generated<number>
  }
  /** People who reported it, with their reasons. */
  reportEntries: {
    reportId: number
    reporterId: string
    reason: string
    text: string
    createdAt: Generated<Date>
  }
  /** Reports about one video, comment, channel or clip, and the decision of a moderator about them. */
  reports: {
    id: Generated<number>
    kind: 'video' | 'comment' | 'channel' | 'clip'
    /** No foreign key: a report outlives its subject. */
    subjectId: string
    ownerId: string
    title: string
    createdAt: Generated<Date>
    decision: 'dismiss' | 'remove' | null
    note: Generated<string>
    decidedBy: string | null
    decidedAt: Date | null
    /** Of the owner to the decision, once. */
    answer: string | null
    answeredAt: Date | null
  }
  /** Running uploads into a bucket, which any web process can continue. Parts have equal sizes; bytes after the last whole part are an object of their own, the tail. */
  resumableUploads: {
    id: string
    /** Null until the client announces it. */
    sizeBytes: number | null
    /** Metadata of the client, and the id of the user. */
    metadata: unknown
    sourceKey: string
    /** Name of the multipart upload in the bucket. */
    partsId: string
    partBytes: number
    partTags: Generated<string[]>
    receivedBytes: Generated<number>
    tailKey: string | null
    /** The request that continues the upload; bytes of earlier requests are rejected. */
    writer: string | null
    touchedAt: Date
  }
  /** Words of public videos, for beginnings of words and typing mistakes. Others stay out, because corrections and completions reveal them. */
  searchVocabulary: {
    word: string
    variants: string[]
    /** Counted again by a job. */
    videosCount: Generated<number>
  }
  /** Authenticator apps (RFC 6238). */
  secondFactors: {
    userId: string
    secret: string
    /** A secret counts once a first code has confirmed it. */
    isConfirmed: Generated<boolean>
    /** Time step of the last accepted code: none works twice. */
    lastStep: Generated<number>
  }
  /** Sign-ins, each in one browser. */
  sessions: {
    /** SHA-256 of the token in the cookie. */
    tokenHash: Buffer
    userId: string
    createdAt: Generated<Date>
    expiresAt: Date
    /** About the last use. The least recently used session of an account ends first. */
    usedAt: Generated<Date>
    /** Browser and system, as the list of sessions shows them. */
    device: Generated<string>
  }
  /** Hash of the secret in the link that sets up an empty site. The last start of the empty site has printed the link. */
  setupToken: {
    onlyRow: Generated<boolean>
    tokenHash: Buffer
  }
  /** Links with which people without an account watch one video, or the videos of one playlist. */
  shareLinks: {
    id: string
    videoId: string | null
    name: string
    /** Not a hash: its owner copies the link again. */
    secret: string
    passwordHash: string | null
    expiresAt: Date | null
    maxViewers: number | null
    allowsDownload: boolean
    viewers: Generated<number>
    createdAt: Date
    usedAt: Date | null
    playlistId: string | null
    /** Whether lists show the video with a lock. */
    isListed: Generated<boolean>
    /** Whether they show its picture, too. */
    showsPicture: Generated<boolean>
  }
  /** Browsers that opened a share link; their token is part of the addresses of its files. */
  shareVisits: {
    tokenHash: Buffer
    linkId: string
    openedAt: Date
  }
  /** The storage of this database. The storage has the same id in the object "site-id", so that neither is used with another one: clean-ups delete objects without a row. */
  site: {
    onlyRow: Generated<boolean>
    storageId: string
  }
  /** A random secret with which addresses and names are hashed before they are stored. The first process that needs it creates it; a backup contains it. */
  siteSecret: {
    isOnly: Generated<boolean>
    secret: Buffer
  }
  /** Settings of administrators, by name: name of the site, colour, texts, who may register. */
  siteSettings: {
    name: string
    value: unknown
  }
  /** When workers last could recognize speech, which web processes on other machines cannot see. */
  speechRecognizers: {
    id: string
    seenAt: Generated<Date>
  }
  /** Sizes of files that no row knows, as a job has added them up. */
  storageMeasurement: {
    onlyRow: Generated<boolean>
    pictureBytes: number
    segmentBytes: number
    /** By the eviction before it. */
    freedBytes: number
    measuredAt: Date
  }
  /** Channels that users follow. */
  subscriptions: {
    subscriberId: string
    channelId: string
    createdAt: Generated<Date>
  }
  /** Bits per second of the segments of a track of the current file, measured once all of them exist. Until then playlists state estimates. */
  trackBitrates: {
    videoId: string
    track: string
    peakBps: number
    averageBps: number
  }
  /** Last request for a rendition or audio track of a video. The segments of the least recently used are evicted first. */
  trackUses: {
    videoId: string
    track: string
    usedAt: Date
  }
  /** Words that were recognized so far, so that a killed worker repeats one part at most. */
  transcriptionParts: {
    videoId: string
    fromSeconds: number
    toSeconds: number
    words: unknown
  }
  /** State of the speech recognition of each video, and the choice of its owner. */
  transcriptions: {
    videoId: string
    /** Null where the choice of the channel counts. */
    isEnabled: boolean | null
    state: Generated<'none' | 'waiting' | 'running' | 'done' | 'silent' | 'skipped' | 'failed'>
    /** When the owner asked for it, whatever the policy of the site; else null. */
    requestedAt: Date | null
    /** BCP 47: asked for, or detected. */
    language: string | null
    isDetected: Generated<boolean>
    /** Of the video when it began: names the file. */
    replacement: string | null
    progress: Generated<number>
    failure: string | null
    cause: unknown
    secondsRecognized: Generated<number>
    secondsTaken: Generated<number>
    changedAt: Generated<Date>
    /** Attempts with this file that failed, whatever the reason. */
    failedAttempts: Generated<number>
    /** When an administrator took it off the list of failures. */
    dismissedAt: Date | null
  }
  /** Numbers of unread notifications. Triggers on notifications keep them. */
  unreadNotifications: {
    userId: string
    unread: number
  }
  /** Texts of resumable uploads that are not published. A draft is valid while its upload exists, which may be outside of the database; a job deletes old ones. */
  uploadDrafts: {
    uploadId: string
    ownerId: string
    title: string
    description: string
    visibility: string
    updatedAt: Date
  }
  /** Uploads in one request that were sent with an Idempotency-Key: a repeated request gets the same video. */
  uploadRequests: {
    ownerId: string
    /** Hash of the Idempotency-Key. */
    key: string
    videoId: string
    /** The request that has returned the video last: only this one may undo its upload. */
    requestId: string
  }
  /** Sizes of the uploads of the last days, those of deleted videos included, for quotas per day. */
  uploadedBytes: {
    uploadId: string
    ownerId: string
    bytes: number
    uploadedAt: Date
  }
  /** Accounts. Each is a channel, too. */
  users: {
    id: string
    username: string
    email: string
    fullname: string
    passwordHash: string
    /** Id of a picture. */
    avatar: string
    /** Id of a picture. */
    coverImage: string | null
    subscribersCount: Generated<number>
    subscribedToCount: Generated<number>
    createdAt: Generated<Date>
    /** Suspended accounts cannot log in. */
    suspendedAt: Date | null
    role: Generated<'member' | 'moderator' | 'administrator'>
    /** Registered, and not approved by a moderator; suspended until then. */
    awaitsApproval: Generated<boolean>
    invitationId: string | null
    /** This and the other quotas: instead of that of the site, which null stands for. */
    quotaBytes: number | null
    quotaVideos: number | null
    /** False for accounts that an identity provider created, until they set a password. */
    hasPassword: Generated<boolean>
    quotaDailyBytes: number | null
    quotaVideoMinutes: number | null
    /** When an account that its holder deleted is removed; it is suspended until then. */
    deletesAt: Date | null
    /** Language of the interface, once the account has chosen one. */
    language: string | null
    /** Choice for sensitive videos; null for that of the site. */
    sensitiveVideos: 'show' | 'blur' | 'hide' | null
    /** Languages of the videos that home and recommendations show; null for all. */
    viewingLanguages: string[] | null
    /** Whether viewers may make clips of the videos of the channel; null for the public ones. */
    clipsAllowed: boolean | null
  }
  /** Cuts of each video and when they were published, so that times written before lead to the same place. */
  videoCuts: {
    videoId: string
    publishedAt: Date
    /** Null where a cut ended. */
    keep: unknown
    /** These ranges became the file of the video. */
    isFinal: Generated<boolean>
  }
  /** Sites that may embed a video, where that differs from its channel. */
  videoEmbeds: {
    videoId: string
    allowed: 'everywhere' | 'sites' | 'nowhere'
    sites: string[]
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
    /** Null until the server states it. */
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
    /** Reason and values of the failure. */
    cause: unknown
  }
  /** Likes of videos; videos.likes_count is their number. */
  videoLikes: {
    videoId: string
    userId: string
    createdAt: Generated<Date>
  }
  /** People who want to be notified when a premiere begins. */
  videoReminders: {
    videoId: string
    userId: string
    createdAt: Generated<Date>
    notifiedAt: Date | null
  }
  /** Words of the videos that lists show. Triggers on videos and users maintain it. */
  videoSearch: {
    videoId: string
    createdAt: Date
    /** Title and owner: short, so that ranking reads no long description. */
    head: string
    document: string
    /** Very common words are searched among prominent videos only, by partial indexes. New videos are; a job selects the others. */
    isProminent: Generated<boolean>
    /** False for videos that only members see. */
    isPublic: Generated<boolean>
  }
  /** Users who may watch a private video. */
  videoViewers: {
    videoId: string
    userId: string
  }
  /** Published videos. A row is inserted once the source is durable and inspected. */
  videos: {
    id: string
    ownerId: string
    title: string
    description: string
    /** Id of a picture. */
    thumbnail: string
    /** Storage key of the uploaded file. */
    sourceKey: string
    sizeBytes: number
    durationSeconds: number
    width: number
    height: number
    /** SourceInfo of media/probe/probe.ts: the result of the inspection. */
    source: unknown
    views: Generated<number>
    likesCount: Generated<number>
    processingState: Generated<'processing' | 'ready' | 'failed'>
    processingProgress: Generated<number>
    processingReason: string | null
    hasStoryboard: Generated<boolean>
    createdAt: Generated<Date>
    /** Set while the video is taken down, which hides it from everybody but its owner. */
    takedownReason: string | null
    /** Public, or for everybody with the address, signed-in users, the owner and video_viewers, or the owner until publish_at. */
    visibility: Generated<'public' | 'unlisted' | 'members' | 'private' | 'scheduled'>
    /** When a scheduled video becomes public. */
    publishAt: Date | null
    tags: Generated<string[]>
    category: string | null
    language: string | null
    licence: string | null
    commentsAllowed: Generated<boolean>
    downloadsAllowed: Generated<boolean>
    /** Uploaded as private or scheduled, and not published since: it counts as new from then on. */
    awaitsPublication: Generated<boolean>
    /** Comments wait for the approval of the owner. */
    commentsHeld: Generated<boolean>
    /** Id of the upload that has replaced the first file. Addresses and keys of segments contain it, because caches keep them for a year. */
    replacement: string | null
    /** Visibility after the approval of a moderator, which the video waits for. Until then it is private, or stays scheduled. */
    heldVisibility: 'public' | 'unlisted' | 'members' | 'scheduled' | null
    /** Approved once: further changes of its owner need no approval. */
    isApproved: Generated<boolean>
    /** Waited for approval when its owner made it private: it waits again once its owner shows it. */
    wasHeld: Generated<boolean>
    /** How often the preparation began again: for another file, or because somebody asked. Tells its events apart. */
    preparation: Generated<number>
    /** Why its content is sensitive, as viewers read it; null for videos without the mark. */
    sensitiveReason: string | null
    /** Whether a moderator has set the mark, which the owner cannot change then. */
    sensitiveByModerator: Generated<boolean>
    /** Ranges of the file that viewers see, in its seconds; null for all of it. */
    cut: unknown
    /** The cut in force when the times of the description were written: its chapters have the times of that. */
    descriptionCut: unknown
    isLive: Generated<boolean>
    /** When everybody watches it together for the first time; null for videos without a premiere. Equals publish_at until then. */
    premiereAt: Date | null
    /** Position 0 of its chat: when its first frame was or will be shown to everybody; null for videos without a chat. */
    chatFrom: Date | null
    /** When its chat closes and is only replayed; null while that is not known. */
    chatUntil: Date | null
    /** Whether viewers may make clips; null for the choice of the channel. */
    clipsAllowed: boolean | null
    /** Whether players show the intro and the outro of the channel with the video. */
    playsIntros: Generated<boolean>
    /** Of an announced live stream that has not begun: who may see the announcement, and the stream; private once it has expired. Nobody sees such a row as a video. Null for videos. */
    announcedVisibility: 'public' | 'unlisted' | 'members' | 'private' | null
  }
  /** The videos that a user has watched, and where playback continues. */
  watchHistory: {
    userId: string
    videoId: string
    /** Null while only a position is known. */
    watchedAt: Date | null
    positionSeconds: Generated<number>
    /** Played to the end: the position is 0 then, as at the start. */
    isFinished: Generated<boolean>
  }
  /** Words that hold or refuse comments on the videos of a channel. */
  watchedWords: {
    userId: string
    watchedWords: string
    watchedWordsAction: 'hold' | 'refuse'
  }
  /** Peaks of the sound of videos whose editors opened the cut editor: one byte for each interval. */
  waveforms: {
    videoId: string
    /** The file that it shows: of another one, it counts as missing. */
    sourceKey: string
    state: Generated<'waiting' | 'ready' | 'silent' | 'failed'>
    intervalSeconds: Generated<number>
    peaks: Generated<Buffer>
  }
  /** The last deliveries of each webhook, and those that wait. */
  webhookDeliveries: {
    id: string
    webhookId: string
    event: string
    subjectId: string
    data: unknown
    createdAt: Generated<Date>
    /** Null once it was delivered or given up; new ones are due immediately. */
    nextAttemptAt: Generated<Date | null>
    attempts: Generated<number>
    isDelivered: Generated<boolean>
    status: number | null
    problem: string | null
    durationMs: number | null
  }
  /** Addresses to which events are sent. */
  webhooks: {
    id: string
    userId: string
    /** Events of everybody, while the owner is an administrator. */
    isSite: boolean
    url: string
    /** The key of signatures, so it cannot be a hash. */
    secret: string
    events: string[]
    failures: Generated<number>
    pausedAt: Date | null
    createdAt: Date
  }
  /** When the words of searches were last counted. */
  wordCount: {
    onlyRow: Generated<boolean>
    countedAt: Date
  }
  /** Running workers. Each updates its row every 15 seconds, and deletes it when it stops. */
  workerProcesses: {
    id: string
    startedAt: Date
    seenAt: Date
    /** Since its start, with that of its finished programs such as ffmpeg. */
    cpuSeconds: number
  }
}
