import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Category } from '@kinora/contract/videos/video-metadata.ts'

/** Names of categories. Feeds contain the English ones. */
export const categoryLabels: Record<Category, MessageDescriptor> = {
  film: msg({ message: 'Film', context: 'category' }),
  animation: msg({ message: 'Animation', context: 'category' }),
  music: msg({ message: 'Music', context: 'category' }),
  animals: msg({ message: 'Pets and animals', context: 'category' }),
  sports: msg({ message: 'Sports', context: 'category' }),
  travel: msg({ message: 'Travel', context: 'category' }),
  gaming: msg({ message: 'Gaming', context: 'category' }),
  people: msg({ message: 'People', context: 'category' }),
  comedy: msg({ message: 'Comedy', context: 'category' }),
  entertainment: msg({ message: 'Entertainment', context: 'category' }),
  news: msg({ message: 'News', context: 'category' }),
  howto: msg({ message: 'How-to', context: 'category' }),
  education: msg({ message: 'Education', context: 'category' }),
  science: msg({ message: 'Science and technology', context: 'category' }),
  nature: msg({ message: 'Nature', context: 'category' }),
  society: msg({ message: 'Society', context: 'category' }),
}
