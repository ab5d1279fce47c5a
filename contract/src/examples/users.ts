import { pictureUrl } from '../pictures.ts'
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
} from '../accounts/users.ts'
import { example } from './example.ts'
import { page, ines, jonas, video, user } from './samples.ts'

const channel: Channel = {
  ...ines,
  coverImage: pictureUrl('Ly8aD4rOb6UcP2wN', 1280),
  subscribersCount: 41,
  subscribedToCount: 7,
  isSubscribed: true,
}

export const userExamples = [
  example(login, { body: { email: 'jonas@example.org', password: 'correct horse battery' }, data: { user } }),
  example(logout, { data: null }),
  example(register, {
    body: {
      fullname: jonas.fullname,
      email: 'jonas@example.org',
      username: jonas.username,
      password: 'correct horse battery',
    },
    files: { avatar: 'jonas.png' },
    data: { ...user, subscribedToCount: 0, watchHistory: [] },
  }),
  example(getCurrentUser, { data: user }),
  example(putLanguage, { body: { language: 'fr' }, data: null }),
  example(getStoredData, {
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
  example(getChannel, { params: { username: 'ines' }, data: channel }),
  example(listChannelVideos, {
    params: { username: 'ines' },
    query: page,
    data: { userVideos: [video], nextCursor: null },
  }),
  example(updateDetails, { body: { fullname: 'Jonas B.' }, data: { ...user, fullname: 'Jonas B.' } }),
  example(deleteAccount, { body: { password: 'correct horse battery' }, data: null }),
  example(changePassword, {
    body: { oldPassword: 'correct horse battery', newPassword: 'staple of a longer word' },
    data: null,
  }),
  example(updateAvatar, { files: { avatar: 'jonas.png' }, data: user }),
  example(updateCover, {
    files: { coverImage: 'fjord.jpg' },
    data: { ...user, coverImage: pictureUrl('Hs3fG8dUj5ZxA0lW', 1280) },
  }),
  example(getDashboard, {
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
]
