import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery } from './page-query.ts'
import { Video } from './videos.ts'

/** Any text, trimmed, with single spaces. U+0000 counts as white space: PostgreSQL cannot store it. */
const Term = z.string().transform((term) => term.replaceAll(/[\s\0]+/g, ' ').trim())

export const searchVideos = endpoint({
  name: 'searchVideos',
  tag: 'search',
  summary: 'Videos that share any word with the term, most relevant first',
  method: 'GET',
  path: '/video/search/:term',
  auth: 'optional',
  params: z.object({ term: Term }),
  query: PageQuery,
  result: z.array(Video),
  paged: true,
  message: 'Search results',
})
