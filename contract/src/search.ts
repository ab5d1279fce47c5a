import { z } from 'zod'
import { endpoint, PageQuery } from './endpoint.ts'
import { Video } from './videos.ts'

export const searchVideos = endpoint({
  name: 'searchVideos',
  tag: 'search',
  summary: 'Videos that share any word with the term, most relevant first',
  method: 'GET',
  path: '/video/search/:term',
  auth: 'none',
  params: z.object({ term: z.string() }),
  query: PageQuery,
  result: z.array(Video),
  paged: true,
  message: 'Search results',
})
