import {
  getChannel,
  getCurrentUser,
  putLanguage,
  putViewing,
  updateAvatar,
  updateCover,
  type Channel,
} from '../accounts/users.ts'
import { pictureUrl } from '../pictures.ts'
import { example } from './example.ts'
import { ines, user } from './samples.ts'

const channel: Channel = {
  ...ines,
  coverImage: pictureUrl('Ly8aD4rOb6UcP2wN', 1280),
  subscribersCount: 41,
  subscribedToCount: 7,
  isSubscribed: true,
}

export const userExamples = [
  example(getCurrentUser, { data: user }),
  example(putLanguage, { body: { language: 'fr' }, data: null }),
  example(putViewing, { body: { sensitiveVideos: 'hide', languages: ['de', 'fr'] }, data: null }),
  example(getChannel, { params: { username: 'ines' }, data: channel }),
  example(updateAvatar, { files: { avatar: 'jonas.png' }, data: user }),
  example(updateCover, {
    files: { coverImage: 'fjord.jpg' },
    data: { ...user, coverImage: pictureUrl('Hs3fG8dUj5ZxA0lW', 1280) },
  }),
]
