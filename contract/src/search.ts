import { z } from 'zod'
import { endpoint, PageQuery } from './endpoint.ts'
import { Video } from './videos.ts'

/** Any text. What PostgreSQL cannot store is in no video, so that it may as well be left out. */
const Term = z.string().transform((term) => term.replaceAll('\u0000', ' '))

export const searchVideos = endpoint({
  name: 'searchVideos',
  tag: 'search',
  summary: 'Videos that share any word with the term, most relevant first',
  method: 'GET',
  path: '/video/search/:term',
  auth: 'none',
  params: z.object({ term: Term }),
  query: PageQuery,
  result: z.array(Video),
  paged: true,
  message: 'Search results',
})
