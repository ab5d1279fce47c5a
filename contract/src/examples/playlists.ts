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
  removeFromPlaylist,
  updatePlaylist,
} from '../watching/playlists.ts'
import { example } from './example.ts'
import { videoId, video, playlistId, playlist } from './samples.ts'

const entryId = 'Rm7yD1gPh5LzT3aU'

export const playlistExamples = [
  example(listOwnPlaylists, { data: [playlist] }),
  example(createPlaylist, {
    body: { title: playlist.title, description: playlist.description, visibility: 'unlisted' },
    data: { ...playlist, videosCount: 0, thumbnail: null },
  }),
  example(getPlaylist, {
    params: { playlistId },
    data: { ...playlist, duration: video.duration, unavailableCount: 0 },
  }),
  example(updatePlaylist, {
    params: { playlistId },
    body: { visibility: 'public' },
    data: { ...playlist, visibility: 'public' },
  }),
  example(deletePlaylist, { params: { playlistId }, data: null }),
  example(listPlaylistEntries, {
    params: { playlistId },
    query: { limit: 20, cursor: 'a4', shuffle: 'x7Kp' },
    data: [{ _id: entryId, addedAt: playlist.updatedAt, video }],
    nextCursor: null,
  }),
  example(findInPlaylist, {
    params: { playlistId, videoId },
    query: { shuffle: 'x7Kp' },
    data: { index: 0, previous: null, next: null, startCursor: null },
  }),
  example(addToPlaylist, { params: { playlistId, videoId }, data: { entryId } }),
  example(removeFromPlaylist, { params: { playlistId, entryId }, data: null }),
  example(moveInPlaylist, { params: { playlistId, entryId }, body: { afterEntryId: null }, data: null }),
  example(listSavedForLater, { data: [{ videoId, entryId }] }),
  example(listPlaylistsOfVideo, { params: { id: videoId }, data: [{ playlistId, entryId }] }),
]
