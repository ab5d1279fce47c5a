import { createFeedAddress, deleteFeedAddress, getFeedAddress } from '../watching/feeds.ts'
import { example } from './example.ts'

const feedAddress = { path: '/feeds/subscriptions/vX0tq1m4cN8sYkzJ2gB7hWfD3rLpA6Ue' }

export const feedExamples = [
  example(getFeedAddress, { data: feedAddress }),
  example(createFeedAddress, { data: feedAddress }),
  example(deleteFeedAddress, { data: null }),
]
