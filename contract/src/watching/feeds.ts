import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const FeedAddress = z.object({
  path: z.string().nullable().describe('Path of the RSS feed; null while there is none.'),
})

export const getFeedAddress = endpoint({
  name: 'getFeedAddress',
  tag: 'feeds',
  summary: 'The secret address of the RSS feed of the caller’s subscriptions',
  method: 'GET',
  path: '/sub/feed/address',
  auth: 'required',
  result: FeedAddress,
  message: 'Feed address',
})

export const createFeedAddress = endpoint({
  name: 'createFeedAddress',
  tag: 'feeds',
  summary: 'Creates a new secret address of the RSS feed; the former one stops working',
  method: 'POST',
  path: '/sub/feed/address',
  auth: 'required',
  result: FeedAddress,
  status: 201,
  message: 'Feed address created',
})

export const deleteFeedAddress = endpoint({
  name: 'deleteFeedAddress',
  tag: 'feeds',
  summary: 'Removes the secret address of the RSS feed',
  method: 'DELETE',
  path: '/sub/feed/address',
  auth: 'required',
  result: z.null(),
  message: 'Feed address removed',
})
