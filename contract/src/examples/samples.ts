// Rows that the examples of several nouns show.
import type { Comment, WatchedWords } from '../conversation/comments.ts'
import type { PublicSite } from '../operations/site.ts'
import { pictureUrl } from '../pictures.ts'
import type { Playlist } from '../watching/playlists.ts'
import type { User } from '../accounts/users.ts'
import type { VideoMetadata } from '../videos/video-metadata.ts'
import type { Video } from '../videos/videos.ts'

export const videoId = 'hT5mQ2xWc9RkB7fL'

export const commentId = 'Zp4vN8sYd1KjG6tA'

export const cursor = 'MjAyNi0wNS0wMlQwODoxNTozMC4wMDBafGhUNW1RMnhXYzlSa0I3Zkw'

export const page = { limit: 20, cursor }

export const ines = {
  _id: 'b3WqX7nPz0LrE5uD',
  username: 'ines',
  fullname: 'Ines Falk',
  avatar: pictureUrl('Vc2yH9mTf4QsJ8oK', 160),
}

export const jonas = {
  _id: 'k6RtM1wZg8NxC3eS',
  username: 'jonas',
  fullname: 'Jonas Brandt',
  avatar: pictureUrl('Xd7uB5pLa0GvF2iR', 160),
}

export const video: Video = {
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
export const freshVideo: Video = {
  ...video,
  storyboardUrl: null,
  views: 0,
  totalLikes: 0,
  processing: { state: 'processing', progress: 0, reason: null },
}

export const comment: Comment = {
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

export const publicSite: PublicSite = {
  siteName: 'Harbour TV',
  siteAccent: '#0b5d3b',
  siteAbout: 'Videos of the harbour and its people.',
  siteRules: 'Be kind. Publish only what is yours.',
  siteContact: 'ines@example.org',
  registration: 'approval',
  acceptedContainers: ['mp4', 'webm', 'ogg', 'mov'],
  sensitiveVideos: 'blur',
}

export const watchedWords: WatchedWords = {
  watchedWords: 'casino\ncheap watches',
  watchedWordsAction: 'hold',
}

export const user: User = {
  ...jonas,
  coverImage: null,
  subscribersCount: 0,
  subscribedToCount: 1,
  isSubscribed: false,
  email: 'jonas@example.org',
  role: 'member',
  watchHistory: [videoId],
}

export const clipId = 'Wd8rF2kVb5NyM0pH'

export const playlistId = 'Jt2cV6nXe0KwQ8sB'

export const playlist: Playlist = {
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

export const metadata: VideoMetadata = {
  tags: ['salt', 'time-lapse'],
  category: 'nature',
  language: 'en',
  licence: 'cc-by-4.0',
  commentsAllowed: true,
  commentsHeld: false,
  downloadsAllowed: true,
}

export const texts = { title: video.title, description: video.description }
