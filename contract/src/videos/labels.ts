/** Categories of videos, and what they are called in English. */
export const categories = {
  film: 'Film',
  animation: 'Animation',
  music: 'Music',
  animals: 'Pets and animals',
  sports: 'Sports',
  travel: 'Travel',
  gaming: 'Gaming',
  people: 'People',
  comedy: 'Comedy',
  entertainment: 'Entertainment',
  news: 'News',
  howto: 'How-to',
  education: 'Education',
  science: 'Science and technology',
  nature: 'Nature',
  society: 'Society',
} as const
export const categoryNames = Object.keys(categories) as (keyof typeof categories)[]

/** Largest number of tags of a video. */
export const maxTags = 15

export const licenceNames = [
  'cc0-1.0',
  'cc-by-4.0',
  'cc-by-sa-4.0',
  'cc-by-nd-4.0',
  'cc-by-nc-4.0',
  'cc-by-nc-sa-4.0',
  'cc-by-nc-nd-4.0',
] as const
