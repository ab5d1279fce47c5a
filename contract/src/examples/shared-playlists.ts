import {
  createPlaylistLink,
  deletePlaylistLink,
  getSharedPlaylist,
  getSharedVideo,
  listPlaylistLinks,
  listSharedEntries,
} from '../watching/shared-playlists.ts'
import { example } from './example.ts'
import { playlist, playlistId, video, videoId } from './samples.ts'
import { shareLink, sharedVideo, visit } from './share-links.ts'

const params = { playlistId }
const { title, duration, thumbnail, videoOwner } = video

export const sharedPlaylistExamples = [
  example(listPlaylistLinks, { params, data: [shareLink] }),
  example(createPlaylistLink, {
    params,
    body: { name: shareLink.name, maxViewers: 30 },
    data: { ...shareLink, hasPassword: false, expiresAt: null, maxViewers: 30, viewers: 0, usedAt: null },
  }),
  example(deletePlaylistLink, { params: { playlistId, linkId: shareLink._id }, data: null }),
  example(getSharedPlaylist, {
    body: { visit },
    data: {
      title: playlist.title,
      description: playlist.description,
      owner: playlist.owner,
      videosCount: 1,
      duration: video.duration,
    },
  }),
  example(listSharedEntries, {
    query: { limit: 20, cursor: 'a4' },
    body: { visit },
    data: [{ _id: 'Rm7yD1gPh5LzT3aU', video: { _id: videoId, title, duration, thumbnail, videoOwner } }],
    nextCursor: null,
  }),
  example(getSharedVideo, { body: { visit, videoId }, data: sharedVideo }),
]
