import { z } from 'zod'
import { searchLengths, searchPeriods, searchSorts } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { wrong } from '../field-errors.ts'
import { watchingErrors } from './errors.ts'
import { FilterText } from '../text.ts'
import { Channel } from '../accounts/users.ts'
import { Category } from '../videos/video-metadata.ts'
import { SensitiveMark } from '../sensitive-mark.ts'
import { Video } from '../videos/videos.ts'

/** Any text, trimmed, with single spaces. U+0000 counts as white space: PostgreSQL cannot store it. */
const Term = z.string().transform((term) => term.replaceAll(/[\s\0]+/g, ' ').trim())

const filters = {
  published: z.enum(searchPeriods).optional().describe('Within the last day, week, month or year.'),
  length: z
    .enum(searchLengths)
    .optional()
    .describe('`short` is below four minutes, `medium` up to twenty, `long` above.'),
  category: Category.optional(),
  captions: z.literal('true').optional().describe('Only videos with captions.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, wrong(watchingErrors.searchLanguage))
    .optional()
    .describe('Only videos in this language, of any region.'),
}
const SearchSort = z
  .enum(searchSorts)
  .optional()
  .describe('Default: `relevance`. Other orders leave out weak matches.')

/** Order and filters of a search; none for all results by relevance. */
export type SearchFilters = z.input<z.ZodObject<typeof filters & { sort: typeof SearchSort }>>

export const searchVideos = endpoint({
  name: 'searchVideos',
  tag: 'search',
  summary: 'Videos that share any word with the term, most relevant first',
  method: 'GET',
  path: '/video/search/:term',
  auth: 'optional',
  params: z.object({ term: Term }),
  query: PageQuery.extend({ sort: SearchSort, ...filters }),
  result: z.array(Video),
  paged: true,
  message: 'Search results',
})

/** A channel as searches show it, also to visitors. */
export const FoundChannel = Channel.pick({
  _id: true,
  username: true,
  fullname: true,
  avatar: true,
  subscribersCount: true,
})
export type FoundChannel = z.infer<typeof FoundChannel>

export const SearchSuggestions = z.object({
  videos: z
    .array(z.object({ _id: z.string(), title: z.string() }))
    .describe('Titles with these words, first those that begin with the text.'),
  channels: z.array(FoundChannel).describe('Channels with these words in their names, largest first.'),
})
export type SearchSuggestions = z.infer<typeof SearchSuggestions>

export const suggestSearches = endpoint({
  name: 'suggestSearches',
  tag: 'search',
  summary: 'Titles and channels for an unfinished search: its last word may be incomplete',
  method: 'GET',
  path: '/search/suggestions',
  auth: 'optional',
  query: z.object({ text: FilterText.describe('The text typed so far.') }),
  result: SearchSuggestions,
  message: 'Suggestions',
})

export const SearchSummary = z.object({
  total: z.number().int().describe('Number of results.'),
  channels: z.array(FoundChannel).describe('Channels with these words in their names, largest first.'),
})
export type SearchSummary = z.infer<typeof SearchSummary>

export const summarizeSearch = endpoint({
  name: 'summarizeSearch',
  tag: 'search',
  summary: 'How many videos a search finds, and channels that it may mean',
  method: 'GET',
  path: '/search/summary',
  auth: 'optional',
  query: z.object({ text: FilterText.describe('The search text.'), sort: SearchSort, ...filters }),
  result: SearchSummary,
  message: 'Summary of the search',
})

/** A time in a video at which the words of a search are said, or a chapter with them begins. */
export const Moment = z.object({
  video: z.object({
    _id: z.string(),
    title: z.string(),
    thumbnail: z.string().describe('URL, 640 pixels wide.'),
    sensitive: SensitiveMark.optional(),
  }),
  kind: z.enum(['captions', 'chapter']),
  text: z.string().describe('The sentence, or the title of the chapter.'),
  startSeconds: z.number(),
})
export type Moment = z.infer<typeof Moment>

export const findMoments = endpoint({
  name: 'findMoments',
  tag: 'search',
  summary: 'Times in videos at which captions or chapters have all words; the first of each video',
  method: 'GET',
  path: '/search/moments',
  auth: 'optional',
  query: z.object({ text: FilterText.describe('The search text.') }),
  result: z.array(Moment),
  message: 'Moments',
})
